"""The block of ``uNavFilter``."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

from steerageway.bus import Options, declare
from steerageway.moos.values import by_key, is_number
from steerageway.vessel.navigation import Tuning

_START = "expected x=, y=, heading= and, if it is not at the surface, depth=, each a number"


def _parse_start(text: str) -> tuple[float, float, float, float]:
    """Read a pose: north, east, down [m], heading [rad].

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
    """What the block says."""

    prefix: str = declare.text(
        "NAV", "what the names of its posts begin with; gets _ if it lacks one"
    )
    gate: float = declare.number(
        5, "standard deviations from which on a measurement is refused; 0: never", low=0
    )
    start_pos: tuple[float, float, float, float] | None = declare.value(
        "", _parse_start, "x=0,y=0,heading=0,depth=0: where it is, if no sensor says so"
    )
    start_std: float = declare.number(1, "standard deviation of that position", unit="m", above=0)
    start_heading_std: float = declare.number(5, "and of that heading", unit="deg", above=0)
    speed_std: float = declare.number(
        2, "standard deviation of its speed at first", unit="m/s", above=0
    )
    acceleration_std: float = declare.number(
        0.1,
        "without an IMU: how much its velocity wanders",
        unit="m/s a square root of a second",
        above=0,
    )
    turn_std: float = declare.number(
        3,
        "without IMU and gyro: how much its heading wanders",
        unit="deg a square root of a second",
        above=0,
    )
    current_std: float = declare.number(
        0.5, "standard deviation of the water's velocity", unit="m/s", above=0
    )
    current_time: float = declare.number(3600, "how long a current lasts", unit="s", above=0)
    gravity: float = declare.number(9.81, "of its world", unit="m/s^2", above=0)
    post_innovations: bool = declare.flag(
        False, "true: post NAV_NIS_<sensor>, NAV_INNOVATION_<sensor> of each"
    )

    @property
    def tuning(self) -> Tuning:
        """What the filter is to assume."""
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
