"""The vessel's state as the firmware expects it: position, attitude, inertial measurements."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import atan2, cos, hypot, radians, remainder, sin, tau
from typing import NamedTuple

from steerageway.bus import Message
from steerageway.declarations import all_finite
from steerageway.geometry.marine import angle180
from steerageway.moos.values import pairs
from steerageway.vessel.kinematics import eul_to_rotm, ned_to_body

STATE = "USM_STATE"
GRAVITY = 9.80665  # [m/s²], the firmware's own; not that of a place
DIGITS = 9
POSE = ("NORTH", "EAST", "DEPTH", "HEADING", "PITCH", "ROLL", "SPEED", "COURSE")
NEEDED = ("NORTH", "EAST", "DEPTH", "HEADING", "SPEED", "COURSE")
GYRO = ("GYRO_X", "GYRO_Y", "GYRO_Z")
FORCE = ("ACCEL_X", "ACCEL_Y", "ACCEL_Z")
RANGES = tuple(f"RANGE_{number}" for number in range(1, 7))
QUANTITIES = {
    "NORTH": "NAV_Y",
    "EAST": "NAV_X",
    "DEPTH": "NAV_DEPTH",
    "HEADING": "NAV_HEADING",
    "PITCH": "NAV_PITCH",
    "ROLL": "NAV_ROLL",
    "SPEED": "NAV_SPEED_OVER_GROUND",
    "COURSE": "NAV_HEADING_OVER_GROUND",
    **dict.fromkeys((*GYRO, *FORCE), ""),
    "RANGE_1": "NAV_ALTITUDE",
    **dict.fromkeys(RANGES[1:], ""),
    "WIND_SPEED": "APPARENT_WIND_SPEED",
    "WIND_ANGLE": "APPARENT_WIND_ANGLE",
}
"""What a frame is made of, and the variable of each unless the block names another; "": none."""

Vector = tuple[float, float, float]


class Motion(NamedTuple):
    """The motion of a vessel at one time.

    Attributes:
        time: [s]. position: north, east, down [m]. attitude: roll, pitch, yaw [rad].
        velocity: over ground, north, east, down [m/s].
        gyro: angular velocity [rad/s], force: specific force [m/s²], both in BODY.
    """

    time: float
    position: Vector
    attitude: Vector
    velocity: Vector
    gyro: Vector
    force: Vector


class VesselState:
    """Collects mail, and makes frames of it.

    Args:
        sources: quantity -> variable, of the lines of the block only.
    """

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._own = sources
        wanted = {**QUANTITIES, **sources}
        self._of: dict[str, list[str]] = {}
        for quantity, variable in wanted.items():
            if variable:
                self._of.setdefault(variable, []).append(quantity)
        self.subscriptions = (STATE, *self._of)
        self._values: dict[str, float] = {}
        self._time = float("-inf")
        self._state = ""  # the latest of a vessel that posts it
        self._before: Motion | None = None
        self._sent = float("-inf")

    def take(self, message: Message) -> None:
        """Note a message."""
        if message.name == STATE:
            self._state, self._time = str(message.value), message.time
        elif isinstance(message.value, float):
            quantities = self._of.get(message.name, ())
            for quantity in quantities:
                self._values[quantity] = message.value
            if not self._state and "HEADING" in quantities:
                self._time = message.time

    def motion(self) -> Motion | None:
        """Return the latest motion; None if it is not known, or not later than the one before.

        Raises:
            ValueError, KeyError: the state that is posted is none.
        """
        if self._time <= self._sent:
            return None
        found = self._posted() if self._state else self._differences()
        if found is not None:
            self._sent = found.time
        return found

    def forget(self, time: float) -> None:
        """Forget how it moved until a time [s], as it is put elsewhere."""
        self._before, self._sent = None, time

    def _posted(self) -> Motion:
        """Return the motion that a vessel with six degrees of freedom posts."""
        named = pairs(self._state)
        numbers = all_finite([value for _, value in named])
        if numbers is None:
            raise ValueError("expected finite numbers")
        fields = {key: number for (key, _), number in zip(named, numbers, strict=True)}
        attitude = fields["phi"], fields["theta"], fields["psi"]
        u, v, w, p, q, r = (fields[name] for name in "uvwpqr")
        rates = (fields[f"{name}_dot"] for name in "uvw")
        across = q * w - r * v, r * u - p * w, p * v - q * u
        acceleration = [rate + turn for rate, turn in zip(rates, across, strict=True)]
        weight = _to_body((0.0, 0.0, GRAVITY), attitude)
        north, east, down = (eul_to_rotm(attitude) @ (u, v, w)).tolist()
        return Motion(
            self._time,
            (fields["x"], fields["y"], fields["z"]),
            attitude,
            (north, east, down),
            (p, q, r),
            _minus(acceleration, weight),
        )

    def _differences(self) -> Motion | None:
        """Return the motion of other vessels: rates are differences between two of their posts."""
        if not all(name in self._values for name in NEEDED):
            return None
        get = self._values.get
        north, east, depth, heading, pitch, roll, speed, course = (get(n, 0.0) for n in POSE)
        attitude = roll, pitch, radians(angle180(heading))
        before = self._before
        since = self._time - before.time if before else 0.0
        sinking = (depth - before.position[2]) / since if before and since else 0.0
        velocity = speed * cos(radians(course)), speed * sin(radians(course)), sinking
        gyro, acceleration = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if before and since:
            gyro = _gyro(before.attitude, attitude, since)
            dv = _minus(velocity, before.velocity)
            acceleration = dv[0] / since, dv[1] / since, dv[2] / since
        force = _to_body(_minus(acceleration, (0.0, 0.0, GRAVITY)), attitude)
        self._before = Motion(self._time, (north, east, depth), attitude, velocity, gyro, force)
        return self._before

    def frame(self, motion: Motion, time: float) -> bytes:
        """Return the frame of a motion.

        Args:
            time: since the firmware's start [s].
        Raises:
            ValueError: a number is too large.
        """
        own = {name: self._values[name] for name in self._own if name in self._values}
        north, east, down = motion.position
        roll, pitch, yaw = motion.attitude
        heading = own.get("HEADING")
        position = own.get("NORTH", north), own.get("EAST", east), own.get("DEPTH", down)
        yaw = yaw if heading is None else radians(angle180(heading))
        content: dict[str, object] = {
            "timestamp": round(time, DIGITS),
            "imu": {
                "gyro": _chosen(own, GYRO, motion.gyro),
                "accel_body": _chosen(own, FORCE, motion.force),
            },
            "position": _rounded(position),
            "attitude": _rounded((own.get("ROLL", roll), own.get("PITCH", pitch), yaw)),
            "velocity": _rounded(_velocity(own, motion.velocity)),
        }
        for number, name in enumerate(RANGES, 1):
            if name in self._values:
                content[f"rng_{number}"] = self._values[name]
        speed, angle = self._values.get("WIND_SPEED"), self._values.get("WIND_ANGLE")
        if speed is not None and angle is not None:
            content["windvane"] = {"direction": radians(angle) % radians(360.0), "speed": speed}
        # The firmware's reader looks for keys by their text, and takes no blanks.
        text = json.dumps(content, separators=(",", ":"), allow_nan=False)
        return b"\n" + text.encode() + b"\n"


def _chosen(own: Mapping[str, float], names: tuple[str, ...], usual: Vector) -> list[float]:
    return _rounded([own.get(name, value) for name, value in zip(names, usual, strict=True)])


def _velocity(own: Mapping[str, float], true: Vector) -> Vector:
    """Return the velocity with the speed or the course that a sensor tells."""
    north, east, down = true
    if "SPEED" not in own and "COURSE" not in own:
        return true
    speed = own.get("SPEED", hypot(north, east))
    course = radians(own["COURSE"]) if "COURSE" in own else atan2(east, north)
    return speed * cos(course), speed * sin(course), down


def _rounded(values: tuple[float, ...] | list[float]) -> list[float]:
    return [round(value, DIGITS) for value in values]


def _to_body(vector: Vector, attitude: Vector) -> Vector:
    phi, theta, psi = attitude
    turned = cos(phi), sin(phi), cos(theta), sin(theta), cos(psi), sin(psi)
    return ned_to_body(*vector, *turned)


def _minus(first: Vector | list[float], second: Vector) -> Vector:
    return first[0] - second[0], first[1] - second[1], first[2] - second[2]


def _gyro(before: Vector, after: Vector, since: float) -> Vector:
    """Return the mean angular velocity in BODY between two attitudes.

    Source: Fossen (2021), equation 2.40, solved for p, q, r.
    """
    turned = [remainder(b - a, tau) for a, b in zip(before, after, strict=True)]
    phi, theta = after[0], after[1]
    dphi, dtheta, dpsi = (angle / since for angle in turned)
    return (
        dphi - dpsi * sin(theta),
        dtheta * cos(phi) + dpsi * cos(theta) * sin(phi),
        dpsi * cos(theta) * cos(phi) - dtheta * sin(phi),
    )
