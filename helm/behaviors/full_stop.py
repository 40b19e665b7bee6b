"""``BHV_FullStop``: stop the vessel, and complete when it has stopped.

Source: BHV_FullStop of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from steerageway.declarations import Number
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.turning import Way
from steerageway.helm.flags import Flag
from steerageway.helm.settings import CommonSettings, flags, parameter, repeated
from steerageway.helm.shapes import HintReader, Hints, hinted
from steerageway.helm.variables import VIEW_POINT
from steerageway.ivp import Function, Peak, couple, peak
from steerageway.moos import view
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, trimmed

HINTS = by_key("vertex_size=10,vertex_color=pink,label_color=off")


@dataclass
class FullStopSettings(CommonSettings):
    """The behavior's parameters."""

    stop_thresh: float = parameter(
        "0.1", Number(low=0), "speed below which the vessel has stopped [m/s]"
    )
    delay_complete: float = parameter(
        "0", Number(low=0), "delay between stopping and completion [s]"
    )
    mark_duration: float = parameter(
        "0", Number(low=0), "time from the start to the unmark flags [s]"
    )
    mark_flag: tuple[Flag, ...] = flags("posted when it begins to run", "markflag")
    unmark_flag: tuple[Flag, ...] = flags("posted mark_duration after the start", "unmarkflag")
    visual_hints: tuple[Hints, ...] = repeated(
        HintReader(HINTS), "key=value,key=value: size and colours of the drawing; repeatable"
    )


class FullStop(Behavior[FullStopSettings]):
    """Prefers speed 0 and the initial heading; completes when the vessel has stopped.

    Draws the position where it began as `VIEW_POINT`. Macros: `STOP_DIST` `STOP_TIME` distance [m]
    and time [s] since it began.
    """

    publications = (VIEW_POINT,)
    settings_class = FullStopSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._way, self._since = Way(), 0.0  # distance made since it began, and the time it did [s]
        self._restart()

    def _restart(self) -> None:
        self._place: Point = (0.0, 0.0)  # where it began
        self._begun: float | None = None
        self._stopped: float | None = None
        self._marked = False

    def configured(self, fields: frozenset[str]) -> None:
        speed = self.world.domain["speed"]
        self._slow = peak(speed, Peak(0.0, basewidth=speed.high or 1.0))

    def on_run_to_idle(self) -> None:
        self._draw(active=False)
        self._restart()

    def on_complete(self) -> None:
        if self._begun is not None:
            self._draw(active=False)

    def _draw(self, *, active: bool) -> None:
        hints = hinted(self.settings.visual_hints, HINTS)
        look = view.look(
            label=f"fstop_{self.world.community}",
            label_color=hints["label_color"],
            vertex_color=hints["vertex_color"],
            vertex_size=float(hints["vertex_size"]),
        )
        self.post("VIEW_POINT", view.point(self._place, look, active=active))

    def run(self) -> Function | None:
        s, now, ship = self.settings, self.world.time, self.world.ownship
        if self._begun is None:
            self._begun, self._heading = now, ship.heading
            self._place = ship.place
            self._way, self._since = Way(self._place), now
            self._draw(active=True)
            self.post_flags(s.mark_flag)
        self._way.move(ship.place)
        if not self._marked and now - self._begun >= s.mark_duration:
            self._marked = True
            self.post_flags(s.unmark_flag)
        if self._stopped is None and ship.speed < s.stop_thresh:
            self._stopped = now
        if self._stopped is not None and now - self._stopped >= s.delay_complete:
            self._draw(active=False)
            self._restart()
            self.complete()
            return None
        keep = peak(self.world.domain["course"], Peak(self._heading, basewidth=180), wrap=True)
        return couple(keep, self._slow)

    def own_macros(self) -> dict[str, Callable[[], str]]:
        return {
            "STOP_DIST": lambda: trimmed(self._way.made, 2),
            "STOP_TIME": lambda: trimmed(self.world.time - self._since, 2),
        }
