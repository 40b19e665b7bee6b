"""Parameters of ``uNavFilter``."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

from steerageway.bus import Options, declare
from steerageway.moos.values import by_key, is_number
from steerageway.vessel.navigation import Tuning

_START = "expected x=, y=, heading= and, if it is not at the surface, depth=, each a number"


def _parse_start(text: str) -> tuple[float, float, float, float]:
    """Return a pose: north, east, down [m], heading [rad].

    Raises:
        ValueError: what was expected.
    """
    fields = by_key(text)
    keys = ("x", "y", "heading", "depth")
    known = all(key in keys for key in fields) and {"x", "y", "heading"} <= set(fields)
    if not known or not all(is_number(value) for value in fields.values()):
        raise ValueError(_START)
    x, y, heading, depth = (float(fields.get(key, "0")) for key in keys)
    return y, x, depth, radians(heading)


@dataclass(frozen=True)
class FilterOptions(Options):
    """Parameters of the configuration block."""

    prefix: str = declare.text("NAV", "prefix of the posted variables; _ is appended if missing")
    gate: float = declare.number(
        5, "innovation gate [standard deviations]; 0: no measurement is rejected", low=0
    )
    start_pos: tuple[float, float, float, float] | None = declare.value(
        "", _parse_start, "x=0,y=0,heading=0,depth=0: initial pose, if no sensor measures it"
    )
    start_std: float = declare.number(
        1, "standard deviation of start_pos' position", unit="m", above=0
    )
    start_heading_std: float = declare.number(
        5, "standard deviation of start_pos' heading", unit="deg", above=0
    )
    speed_std: float = declare.number(
        2, "standard deviation of the initial speed", unit="m/s", above=0
    )
    acceleration_std: float = declare.number(
        0.1,
        "without an IMU: random walk of the velocity",
        unit="m/s per square root of a second",
        above=0,
    )
    turn_std: float = declare.number(
        3,
        "without IMU and gyro: random walk of the heading",
        unit="deg per square root of a second",
        above=0,
    )
    current_std: float = declare.number(
        0.5, "standard deviation of the current", unit="m/s", above=0
    )
    current_time: float = declare.number(3600, "correlation time of the current", unit="s", above=0)
    gravity: float = declare.number(9.81, "acceleration of gravity", unit="m/s^2", above=0)
    post_innovations: bool = declare.flag(
        False, "true: post NAV_NIS_<sensor>, NAV_INNOVATION_<sensor> of each measurement"
    )

    @property
    def tuning(self) -> Tuning:
        """The filter's tuning."""
        return Tuning(
            gate=self.gate,
            acceleration=self.acceleration_std,
            turning=radians(self.turn_std),
            speed=self.speed_std,
            current=self.current_std,
            current_time=self.current_time,
            gravity=self.gravity,
            start=self.start_pos,
            start_std=(self.start_std, radians(self.start_heading_std)),
            keeps_innovations=self.post_innovations,
        )
