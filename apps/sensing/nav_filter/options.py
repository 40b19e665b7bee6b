"""The block of ``uNavFilter``."""

from __future__ import annotations

from math import radians

from steerageway.bus import Config, Entry, Parameter
from steerageway.moos.values import by_key, is_number
from steerageway.vessel.navigation import Tuning

PARAMETERS = (
    Parameter("prefix", "NAV", "what the names of its posts begin with; gets _ if it lacks one"),
    Parameter(
        "gate", "5", "standard deviations from which on a measurement is refused, >= 0; 0: never"
    ),
    Parameter("start_pos", "", "x=0,y=0,heading=0,depth=0: where it is, if no sensor says so"),
    Parameter("start_std", "1", "standard deviation of that position [m], > 0"),
    Parameter("start_heading_std", "5", "and of that heading [deg], > 0"),
    Parameter("speed_std", "2", "standard deviation of its speed at first [m/s], > 0"),
    Parameter(
        "acceleration_std",
        "0.1",
        "without an IMU: how much its velocity wanders [m/s a square root of a second], > 0",
    ),
    Parameter(
        "turn_std",
        "3",
        "without IMU and gyro: how much its heading wanders [deg a square root of a second], > 0",
    ),
    Parameter("current_std", "0.5", "standard deviation of the water's velocity [m/s], > 0"),
    Parameter("current_time", "3600", "how long a current lasts [s], > 0"),
    Parameter("gravity", "9.81", "of its world [m/s^2], > 0"),
    Parameter(
        "post_innovations", "false", "true: post NAV_NIS_<sensor>, NAV_INNOVATION_<sensor> of each"
    ),
)
_START = "expected x=, y=, heading= and, if it is not at the surface, depth=, each a number"


def read_tuning(config: Config) -> Tuning:
    """Read what the filter is to assume.

    Raises:
        ConfigError: a line is wrong.
    """
    start = config.entry("start_pos")
    return Tuning(
        gate=config.number("gate", default=5.0, low=0.0),
        acceleration=config.number("acceleration_std", default=0.1, above=0.0),
        turning=radians(config.number("turn_std", default=3.0, above=0.0)),
        speed=config.number("speed_std", default=2.0, above=0.0),
        current=config.number("current_std", default=0.5, above=0.0),
        current_time=config.number("current_time", default=3600.0, above=0.0),
        gravity=config.number("gravity", default=9.81, above=0.0),
        start=None if start is None else _read_start(start),
        start_std=(
            config.number("start_std", default=1.0, above=0.0),
            radians(config.number("start_heading_std", default=5.0, above=0.0)),
        ),
        keeps_innovations=config.flag("post_innovations", default=False),
    )


def _read_start(entry: Entry) -> tuple[float, float, float, float]:
    """Read a pose: north, east, down [m], heading [rad]."""
    fields = by_key(entry.value)
    keys = ("x", "y", "heading", "depth")
    known = all(key in keys for key in fields) and {"x", "y", "heading"} <= set(fields)
    if not known or not all(is_number(value) for value in fields.values()):
        raise Config.error(entry, _START)
    x, y, heading, depth = (float(fields.get(key, "0")) for key in keys)
    return y, x, depth, radians(heading)
