"""Messages that tell of a vessel's state, and their rates.

Source: mavlink.io, common message set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, radians, remainder, sin, tau
from typing import Any, TypeAlias

from pymavlink.dialects.v20 import ardupilotmega as mavlink

from steerageway.bridges.own_state import Own
from steerageway.bus import Config
from steerageway.declarations import Number
from steerageway.diagnostics.nearest import hint
from steerageway.geometry.marine import angle180

QUANTITIES = {
    "LAT": "NAV_LAT",
    "LONG": "NAV_LONG",
    "DEPTH": "NAV_DEPTH",
    "HEADING": "NAV_HEADING",
    "SPEED": "NAV_SPEED",
    "SOG": "NAV_SPEED_OVER_GROUND",
    "COG": "NAV_HEADING_OVER_GROUND",
    "PITCH": "NAV_PITCH",
    "ROLL": "NAV_ROLL",
    "RUDDER": "DESIRED_RUDDER",
    "THRUST": "DESIRED_THRUST",
}
"""What messages are made of, and the variable of each unless the block names another."""

UNKNOWN_16, UNKNOWN_8 = 65535, 255
LARGEST = 1e9  # of a number that is sent
NEUTRAL, PER_CENT = 1500, 5.0  # of a servo [us], and for one per cent
_rate = Number(low=0.0, high=50.0)

Message: TypeAlias = Any
"""A message of pymavlink, which declares no types."""
Make = Callable[[Own, float], Message | None]


def _scaled(value: float | None, factor: float, low: int, high: int, unknown: int = 0) -> int:
    """Return a value in a message's unit, within what its field holds."""
    return unknown if value is None else round(max(low, min(high, value * factor)))


def _centimetres(speed: float | None) -> int:
    return _scaled(speed, 100.0, -32767, 32767)


def _centidegrees(angle: float | None) -> int:
    return UNKNOWN_16 if angle is None else round(angle % 360.0 * 100.0) % 36000


def _place(own: Own) -> tuple[int, int] | None:
    lat, lon = own("LAT"), own("LONG")
    if lat is None or lon is None or abs(lat) > 90.0 or abs(lon) > 180.0:
        return None
    return round(lat * 1e7), round(lon * 1e7)


def _height(own: Own) -> float:
    return -_bounded(own("DEPTH"))


def _bounded(value: float | None) -> float:
    """Return a value that a field of four bytes holds; 0 if it is unknown."""
    return max(-LARGEST, min(LARGEST, value or 0.0))


def _since_boot(time: float) -> int:
    """Return milliseconds, which begin anew after 49 days."""
    return round(time * 1000.0) % 2**32


def _position(own: Own, time: float) -> Message | None:
    place = _place(own)
    if place is None:
        return None
    speed, course = own("SOG") or 0.0, radians(own("COG") or 0.0)
    height = _scaled(_height(own), 1000.0, -(2**31), 2**31 - 1)
    north, east = _centimetres(speed * cos(course)), _centimetres(speed * sin(course))
    return mavlink.MAVLink_global_position_int_message(
        _since_boot(time), *place, height, height, north, east, 0, _centidegrees(own("HEADING"))
    )


def _attitude(own: Own, time: float) -> Message | None:
    heading = own("HEADING")
    if heading is None:
        return None
    turning = own.rate_of_turn()
    rate = 0.0 if turning is None else radians(turning / 60.0)
    roll, pitch = (remainder(own(name) or 0.0, tau) for name in ("ROLL", "PITCH"))
    angles = roll, pitch, radians(angle180(heading))
    return mavlink.MAVLink_attitude_message(_since_boot(time), *angles, 0.0, 0.0, rate)


def _gps(own: Own, time: float) -> Message | None:
    place = _place(own)
    if place is None:
        return None
    speed = _scaled(own("SOG"), 100.0, 0, UNKNOWN_16 - 1, UNKNOWN_16)
    fix, height = mavlink.GPS_FIX_TYPE_3D_FIX, _scaled(_height(own), 1000.0, -(2**31), 2**31 - 1)
    course = _centidegrees(own("COG"))
    return mavlink.MAVLink_gps_raw_int_message(
        round(time * 1e6), fix, *place, height, UNKNOWN_16, UNKNOWN_16, speed, course, UNKNOWN_8
    )


def _hud(own: Own, time: float) -> Message | None:
    speed, heading = own("SOG"), own("HEADING")
    if speed is None or heading is None:
        return None
    throttle = _scaled(abs(own("THRUST") or 0.0), 1.0, 0, 100)
    whole = round(heading) % 360
    return mavlink.MAVLink_vfr_hud_message(
        _bounded(own("SPEED")), _bounded(speed), whole, throttle, _height(own), 0.0
    )


def _servos(own: Own, time: float) -> Message | None:
    rudder, thrust = own("RUDDER"), own("THRUST")
    if rudder is None and thrust is None:
        return None
    steering, throttle = (
        _scaled(NEUTRAL + PER_CENT * (order or 0.0), 1.0, 500, 2500) for order in (rudder, thrust)
    )
    stamp = round(time * 1e6) % 2**32
    return mavlink.MAVLink_servo_output_raw_message(stamp, 0, steering, 0, throttle, 0, 0, 0, 0, 0)


def _clock(own: Own, time: float) -> Message | None:
    return mavlink.MAVLink_system_time_message(max(0, round(own.utc * 1e6)), _since_boot(time))


def _system(own: Own, time: float) -> Message | None:
    sensors = (
        mavlink.MAV_SYS_STATUS_SENSOR_GPS
        | mavlink.MAV_SYS_STATUS_SENSOR_3D_GYRO
        | mavlink.MAV_SYS_STATUS_SENSOR_3D_ACCEL
        | mavlink.MAV_SYS_STATUS_SENSOR_3D_MAG
    )
    unknown = UNKNOWN_16, -1, -1  # of the battery
    return mavlink.MAVLink_sys_status_message(*[sensors] * 3, 0, *unknown, 0, 0, 0, 0, 0, 0)


MESSAGES: Mapping[str, tuple[int, float, Make]] = {
    "SYS_STATUS": (mavlink.MAVLINK_MSG_ID_SYS_STATUS, 1.0, _system),
    "SYSTEM_TIME": (mavlink.MAVLINK_MSG_ID_SYSTEM_TIME, 1.0, _clock),
    "GLOBAL_POSITION_INT": (mavlink.MAVLINK_MSG_ID_GLOBAL_POSITION_INT, 5.0, _position),
    "ATTITUDE": (mavlink.MAVLINK_MSG_ID_ATTITUDE, 5.0, _attitude),
    "GPS_RAW_INT": (mavlink.MAVLINK_MSG_ID_GPS_RAW_INT, 2.0, _gps),
    "VFR_HUD": (mavlink.MAVLINK_MSG_ID_VFR_HUD, 2.0, _hud),
    "SERVO_OUTPUT_RAW": (mavlink.MAVLINK_MSG_ID_SERVO_OUTPUT_RAW, 2.0, _servos),
}
"""Id, usual rate [Hz] and maker of each; the time is since the mission's start [s]."""


def read_rates(config: Config, names: Sequence[str]) -> dict[str, float]:
    """Read ``ATTITUDE:10, VFR_HUD:0``: rates [Hz] that are not the usual ones; 0 for none.

    Raises:
        ConfigError: a message is unknown, or a rate wrong.
    """
    rates = {name: rate for name, (_, rate, _) in MESSAGES.items()}
    for entry in config.all(*names):
        for part in filter(None, (one.strip() for one in entry.value.split(","))):
            name, _, rate = (one.strip() for one in part.partition(":"))
            if name.upper() not in MESSAGES:
                expected = f"{name}: expected {', '.join(MESSAGES)}{hint(name.upper(), MESSAGES)}"
                raise Config.error(entry, expected)
            try:
                rates[name.upper()] = _rate(rate)
            except ValueError as error:
                raise Config.error(entry, f"{part}: {error}") from error
    return rates
