"""An app for an inspection: a transit above a sloping bottom, then a circle around a pile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, cos, degrees, hypot, pi, radians, sin

from steerageway import App
from steerageway.bus import Message

NAVIGATION = ("NAV_X", "NAV_Y", "NAV_DEPTH", "NAV_HEADING", "NAV_ALTITUDE")
START, END = (0.0, 0.0), (60.0, 0.0)  # of the transit, m
PILE, RADIUS = (72.0, 0.0), 12.0  # m
SPEED, TURN = 0.5, radians(1.5)  # m/s along the transit, rad/s around the pile
ALTITUDE, DEPTH = 3.0, 18.0  # m above the bottom, m below the surface
CLIMB = 0.15  # m/s
SETTLING = 20.0  # s without evaluation of errors, at the start and after each change
TRANSIT, PASSAGE, PILE_SIDE, DONE = "transit", "climb", "pile", "done"


class Inspector(App):
    """Moves DP_SETPOINT along a path, and posts errors of depth, altitude and heading."""

    publishes: Sequence[str] = ("DP_SETPOINT", "INSPECTION", "INSPECTION_*")
    subscribes = NAVIGATION

    def on_start(self) -> None:
        """Begin with the transit."""
        super().on_start()
        self._nav: dict[str, float] = {}
        self._phase, self._since, self._depth = "", 0.0, 0.0
        self._errors: dict[str, list[float]] = {}

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take the vessel's navigation."""
        for message in mail:
            if isinstance(message.value, float):
                self._nav[message.name] = message.value
            else:
                self.run_warning(f"{message.name} = {message.value!r}: expected a number")

    def iterate(self) -> None:
        """Move the setpoint, and evaluate the errors of the last one."""
        if len(self._nav) < len(NAVIGATION) or self._phase == DONE:
            return
        if not self._phase:
            self._enter(TRANSIT)
        gone = self.time - self._since
        {TRANSIT: self._transit, PASSAGE: self._climb, PILE_SIDE: self._round}[self._phase](gone)

    def _transit(self, gone: float) -> None:
        along = min(SPEED * gone, END[0] - START[0])
        self._depth = self._bottom() - ALTITUDE
        self._hold(START[0] + along, START[1], self._depth, 90.0)
        if gone > SETTLING:
            self._record("ALTITUDE", self._nav["NAV_ALTITUDE"] - ALTITUDE)
            self._record("HEADING", self._heading_off(90.0))
        if along >= END[0] - START[0] and gone > (END[0] - START[0]) / SPEED + SETTLING:
            self._enter(PASSAGE)

    def _climb(self, gone: float) -> None:
        down = DEPTH - self._depth
        step = max(-CLIMB * gone, down) if down < 0.0 else min(CLIMB * gone, down)
        self._hold(*END, self._depth + step, 90.0)
        if gone > abs(down) / CLIMB + SETTLING:
            self._enter(PILE_SIDE)

    def _round(self, gone: float) -> None:
        turned = min(TURN * gone, 2.0 * pi)
        angle = pi + turned  # from the pile to the vehicle, anticlockwise from east
        x, y = PILE[0] + RADIUS * cos(angle), PILE[1] + RADIUS * sin(angle)
        facing = (90.0 - degrees(angle + pi)) % 360.0
        self._hold(x, y, DEPTH, facing)
        east, north = PILE[0] - self._nav["NAV_X"], PILE[1] - self._nav["NAV_Y"]
        if gone > SETTLING:
            self._record("DEPTH", self._nav["NAV_DEPTH"] - DEPTH)
            self._record("HEADING", self._heading_off(degrees(atan2(east, north))))
            self._record("RADIUS", hypot(east, north) - RADIUS)
        if turned >= 2.0 * pi and gone > 2.0 * pi / TURN + SETTLING:
            self._enter(DONE)
            self.post("INSPECTION_SUMMARY", ", ".join(self._summary()))

    def _enter(self, phase: str) -> None:
        self._phase, self._since = phase, self.time
        self.post("INSPECTION", phase)

    def _bottom(self) -> float:
        return self._nav["NAV_DEPTH"] + self._nav["NAV_ALTITUDE"]

    def _heading_off(self, wanted: float) -> float:
        return (self._nav["NAV_HEADING"] - wanted + 180.0) % 360.0 - 180.0

    def _hold(self, x: float, y: float, depth: float, heading: float) -> None:
        text = f"x={x:.3f},y={y:.3f},depth={depth:.3f},heading={heading:.3f},roll=0,pitch=0"
        self.post("DP_SETPOINT", text)

    def _record(self, what: str, error: float) -> None:
        self._errors.setdefault(what, []).append(error)
        self.post(f"INSPECTION_{what}_ERROR", error)

    def _summary(self) -> Iterable[str]:
        for what, errors in self._errors.items():
            rms = (sum(e * e for e in errors) / len(errors)) ** 0.5
            unit = "deg" if what == "HEADING" else "m"
            yield f"{what.lower()}: rms {rms:.3f} {unit} max {max(map(abs, errors)):.3f} {unit}"

    def report(self) -> Iterable[str]:
        """Yield the errors so far."""
        yield f"Phase: {self._phase or 'waiting'}"
        yield from self._summary()
