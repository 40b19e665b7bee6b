"""``BHV_HeadingChange``: turn by an angle.

Source: BHV_HeadingChange of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Choice, Number, variables
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.geometry import turn
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.helm.world import World
from steerageway.ivp import Function, Peak, couple, peak

DONE = 1.0  # the turn is complete with this angle left [deg]
AHEAD = 120.0  # maximum offset of the desired course from the heading [deg]


def turn_speed(text: str) -> float | None:
    """Read a speed; None for current."""
    return None if text.lower() == "current" else Number(above=0)(text)


@dataclass
class HeadingChangeSettings(CommonSettings):
    """The behavior's parameters."""

    heading_delta: float = parameter("20", Number(low=1, high=359), "angle to turn by [deg]")
    turn_type: str = parameter(
        "starboard", Choice("port", "starboard"), "side to turn to: port or starboard"
    )
    turn_speed: float | None = parameter(
        "current", turn_speed, "desired speed [m/s], or current: the speed at the start of the turn"
    )


class HeadingChange(Behavior[HeadingChangeSettings]):
    """Prefers the course at an angle from the initial heading, and completes there.

    It turns to the side of ``turn_type``, also by more than half a circle. Peak widths are 20 deg
    and 0.4 m/s, base widths 160 deg and 0.6 m/s, summit deltas 50. Posts `HEADING_GOAL`,
    `CURR_HDG_DELTA` (remaining turn [deg]) and `TURNS` (turns completed).
    """

    publications = variables.published("""
        HEADING_GOAL | number | deg | [0, 360) | on change | final heading of a `BHV_HeadingChange`
        CURR_HDG_DELTA | number | deg | | on change | remaining turn of a `BHV_HeadingChange`
        TURNS | number | | >= 1 | at the end of a HeadingChange | number of turns completed
    """)
    settings_class = HeadingChangeSettings
    needs = ("course", "speed")

    def __init__(self, kind: str, settings: HeadingChangeSettings, world: World) -> None:
        self._last: float | None = None  # heading of the last iteration
        self._left = self._goal = self._speed = 0.0
        self._turns = 0
        super().__init__(kind, settings, world)

    def on_run_to_idle(self) -> None:
        self._last = None

    def run(self) -> Function | None:
        s, ship, domain = self.settings, self.world.ownship, self.world.domain
        side = 1.0 if s.turn_type == "starboard" else -1.0
        if self._last is None:
            self._left, self._last = s.heading_delta, ship.heading
            self._goal = (ship.heading + side * s.heading_delta) % 360
            self._speed = ship.speed if s.turn_speed is None else s.turn_speed
        # accumulated, as a turn may exceed half a circle
        self._left -= side * turn(self._last, ship.heading)
        self._last = ship.heading
        self.post("HEADING_GOAL", self._goal)
        self.post("CURR_HDG_DELTA", round(self._left, 2))
        if self._left <= DONE:
            self._last = None
            self._turns += 1
            self.post("TURNS", float(self._turns))
            self.complete()
            return None
        desired = ship.heading + side * min(self._left, AHEAD)
        course = peak(domain["course"], Peak(desired % 360, 20, 160, 50), wrap=True)
        return couple(course, peak(domain["speed"], Peak(self._speed, 0.4, 0.6, 50)))
