"""Base of the two marine PID apps: their subscriptions and mail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import degrees, inf

from steerageway.bus import App, Message
from steerageway.vessel.pid import Controller

OK_SKEW = 360.0
LARGEST = 1e9  # magnitude beyond which a number is no speed, depth or angle, and sums may overflow
OVERRIDES = ("MOOS_MANUAL_OVERRIDE", "MOOS_MANUAL_OVERIDE")
SUBSCRIBED = (
    *("NAV_HEADING", "NAV_SPEED", "NAV_DEPTH", "NAV_PITCH", "NAV_YAW"),
    *("DESIRED_HEADING", "DESIRED_SPEED", "DESIRED_DEPTH"),
    *("SPEED_FACTOR", "PID_VERBOSE", *OVERRIDES),
)


class PidApp(App):
    """An app around a PID controller: numbers go to the controller, commands to ``obey``.

    Attributes:
        engine: the controller.
        ignores_yaw: whether the heading comes from NAV_HEADING alone.
    """

    engine: Controller
    ignores_yaw: bool
    _forgotten = ""  # run warning of DESIRED_* that were received before control

    def on_start(self) -> None:
        """Register the subscriptions; map each numeric variable to its setter."""
        engine = self.engine
        self._takers: dict[str, Callable[[float, float], None]] = {
            "NAV_HEADING": self._take_heading,
            "NAV_SPEED": engine.speed.tell,
            "NAV_DEPTH": engine.depth.tell,
            "NAV_PITCH": engine.pitch.tell,
            "DESIRED_HEADING": engine.desired_heading.tell,
            "DESIRED_SPEED": engine.desired_speed.tell,
            "DESIRED_DEPTH": engine.desired_depth.tell,
            "SPEED_FACTOR": self._take_factor,
        }
        if not self.ignores_yaw:
            self._takers["NAV_YAW"] = self._take_yaw
        self.register(*self._takers, *OVERRIDES, "PID_VERBOSE")

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Store desired and navigation values; skip mail older than six minutes."""
        now = self.time
        takers = self._takers
        for name, value, time, _, _, _, _ in mail:
            if now - time >= OK_SKEW:
                continue
            take = takers.get(name)
            if take is None:
                self.obey(name, str(value))
            elif isinstance(value, float) and abs(value) <= LARGEST:
                take(value, now)
            else:
                self.run_warning(f"{name} = {value!r}: expected a number within {LARGEST:g}")

    def obey(self, name: str, text: str) -> None:
        """Process one of ``OVERRIDES``, PID_VERBOSE, or a variable the subclass registered for."""
        raise NotImplementedError

    def orders(self) -> str:
        """Return the names of the DESIRED_* received."""
        engine = self.engine
        orders = {
            "DESIRED_HEADING": engine.desired_heading,
            "DESIRED_SPEED": engine.desired_speed,
            "DESIRED_DEPTH": engine.desired_depth,
        }
        return ", ".join(name for name, signal in orders.items() if signal.time > -inf)

    def tell_forgotten(self, text: str) -> None:
        """Post a warning of ignored DESIRED_*; it stays until the app is in control."""
        self.event(text)
        self.run_warning(text)
        self._forgotten = text

    def take_back_forgotten(self) -> None:
        """Retract the warning of ignored DESIRED_*."""
        if self._forgotten:
            self.retract_run_warning(self._forgotten)
            self._forgotten = ""

    def _take_heading(self, heading: float, now: float) -> None:
        self.engine.heading.tell(heading % 360.0, now)

    def _take_yaw(self, yaw: float, now: float) -> None:
        self.engine.heading.tell(-degrees(yaw) % 360.0, now)

    def _take_factor(self, factor: float, _now: float) -> None:
        self.engine.speed_factor = factor
