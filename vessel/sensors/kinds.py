"""The types of sensors of a vessel's motion: inertial, positions, velocities, encoders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from math import cos, pi, radians, sin
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from steerageway.geometry.geodesy import FARTHEST
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.kinematics import ssa
from steerageway.vessel.sensors.attitude import quaternions
from steerageway.vessel.sensors.sensor import Reading, Sensor
from steerageway.vessel.sensors.truth import Array, Truth, ranges
from steerageway.world.document import Section

EAST_NORTH_DOWN = np.array((1, 0, 2))
OFF_AXIS = radians(30.0)
JANUS = [
    np.array((cos(turn) * sin(OFF_AXIS), sin(turn) * sin(OFF_AXIS), cos(OFF_AXIS)))
    for turn in (0.25 * pi, 0.75 * pi, 1.25 * pi, 1.75 * pi)
]
"""Directions of a DVL's beams in its axes."""
SHALLOWEST = cos(radians(50.0))  # cosine of a beam's incidence below which its echo is lost
THRUSTER, AZIMUTH = "thruster", "azimuth"
"""``actuator_type`` of thrusters, and of azimuth angles; not case-sensitive."""


class Imu(Sensor):
    """Attitude, angular velocity and specific force, in the sensor's axes.

    Source: Fossen (2021), chapter 14: ``f = R_bs' (a + wdot x l + w x (w x l) - R_nb' g)``.
    """

    kind = "IMU"
    parts: ClassVar = {"orientation": 3, "angular_velocity": 3, "linear_acceleration": 3}
    scalars = ("ROLL", "PITCH", "YAW", "WX", "WY", "WZ", "AX", "AY", "AZ")
    fields = MappingProxyType({"orientation": 4, "angular_velocity": 3, "linear_acceleration": 3})
    standard_rms: ClassVar = {
        "orientation": 0.01,
        "angular_velocity": 0.01,
        "linear_acceleration": 0.15,
    }

    def read(self, section: Section) -> None:
        """Precompute the matrix from R_nb's entries to sines and cosines of the sensor's angles."""
        x, y, z = self.R_bs.T
        entries = np.zeros((3, 3, 6))
        entries[2, :, 0], entries[2, :, 3] = y, z
        entries[2, :, 1] = -x
        entries[1, :, 2], entries[0, :, 5] = x, x
        self._entries = entries.reshape(9, 6)

    def measure(self, truth: Truth) -> Array:
        """Return Euler angles [rad], angular velocity [rad/s] and specific force [m/s²]."""
        measured = np.empty((len(truth.times), 9))
        waves = truth.R_nb.reshape(-1, 9).dot(self._entries)
        waves[:, 4] = np.hypot(waves[:, 0], waves[:, 3])
        np.arctan2(waves[:, 0:3], waves[:, 3:6], out=measured[:, 0:3])
        measured[:, 3:6] = truth.rate.dot(self.R_bs)
        force = self.accelerations(truth) - truth.gravity * truth.R_nb[:, 2]
        measured[:, 6:9] = force.dot(self.R_bs)
        return measured

    def within(self, values: Array) -> Array:
        """Return values with angles wrapped to (-pi, pi]."""
        angles = values[:, 0:3]
        if np.count_nonzero(np.abs(angles) >= np.pi):
            values[:, 0:3] = ssa(angles)
        return values

    def contents(self, values: Array, numbers: Array) -> Array:
        """Return the attitude as a quaternion, then angular velocity and specific force."""
        held = np.empty((len(values), 10))
        held[:, :4], held[:, 4:] = quaternions(values[:, 0:3]), values[:, 3:]
        return held


class Compass(Sensor):
    """The true heading of its x axis [deg]."""

    kind = "compass"
    parts: ClassVar = {"heading": 1}
    scalars = ("HEADING",)

    def measure(self, truth: Truth) -> Array:
        """Return the heading (n, 1)."""
        ahead = truth.R_nb.dot(self.R_bs[:, 0])
        headings: Array = np.degrees(np.arctan2(ahead[:, 1], ahead[:, 0]))[:, None]
        return headings

    def within(self, values: Array) -> Array:
        """Return headings wrapped to [0, 360)."""
        turned = np.mod(values, 360.0)
        return np.where(turned < 360.0, turned, 0.0)


class RateGyro(Sensor):
    """The angular velocity about its z axis [rad/s]."""

    kind = "rate_gyro"
    called = "GYRO"
    parts: ClassVar = {"rate": 1}
    scalars = ("RATE",)

    def measure(self, truth: Truth) -> Array:
        """Return the rate (n, 1)."""
        return truth.rate @ self.R_bs[:, 2:]


class _Radio(Sensor):
    """Radio positioning of an antenna, lost below a depth."""

    parts: ClassVar = {"position": 3}

    def read(self, section: Section) -> None:
        """Read the depth below which there is no reception."""
        self.lost_below = section.number(sen.LOST_BELOW) if sen.LOST_BELOW in section else np.inf

    def measure(self, truth: Truth) -> Array:
        """Return the position (n, 3) in NED [m]."""
        return self.places(truth)

    def seen(self, truth: Truth, true: Array) -> NDArray[np.bool_] | None:
        """Return when the antenna is not too deep."""
        return None if self.lost_below == np.inf else true[:, 2] <= self.lost_below


class Gps(_Radio):
    """Latitude, longitude and altitude, with errors in NED metres."""

    kind = "GPS"
    standard_rms: ClassVar = {"position": 3.0}
    geodetic: ClassVar = {"latitude": 0, "longitude": 0, "altitude": 0}

    def read(self, section: Section) -> None:
        """Select the scalars and fields: without a datum no latitude and longitude."""
        super().read(section)
        known = self.aboard.projection is not None
        self.scalars = ("LAT", "LONG", "ALT", "X", "Y") if known else ("ALT", "X", "Y")
        names = self.geodetic if known else {"altitude": 0}
        self.fields = {**names, "position": 3}

    def readings(self, times: Sequence[int], measured: Array) -> list[Reading]:
        """Return the readings; with a datum none farther than ``FARTHEST`` from it."""
        if self.aboard.projection is not None:
            near = np.hypot(measured[:, 0], measured[:, 1]) <= FARTHEST
            times, measured = list(compress(times, near)), measured[near]
        return super().readings(times, measured) if len(times) else []

    def scalars_of(self, values: Array) -> Array:
        """Return latitude and longitude [deg], altitude up, x east and y north [m]."""
        height, plane = self.aboard.height, self.aboard.projection
        places = values.tolist()
        if plane is None:
            return np.array([(height - z, y, x) for x, y, z in places])
        rows = [(*plane.to_latlon(y, x), height - z, y, x) for x, y, z in places]
        return np.array(rows)

    def contents(self, values: Array, numbers: Array) -> Array:
        """Return latitude, longitude and altitude, then the position in NED."""
        return np.concatenate((numbers[:, :-2], values), axis=1)


class Uwb(_Radio):
    """The position of its tag in NED."""

    kind = "UWB"
    scalars = ("X", "Y", "DEPTH")
    standard_rms: ClassVar = {"position": 1.0}

    def scalars_of(self, values: Array) -> Array:
        """Return x east, y north and depth [m]."""
        return values.take(EAST_NORTH_DOWN, axis=1)


class Depth(Sensor):
    """The depth of the sensor below the surface, by pressure [m]."""

    kind = "depth"
    called = "PRESSURE"
    parts: ClassVar = {"depth": 1}
    scalars = ("DEPTH",)

    def measure(self, truth: Truth) -> Array:
        """Return the depth (n, 1); 0 above the surface."""
        return np.maximum(self.places(truth)[:, 2:], 0.0)


class Altimeter(Sensor):
    """The range to the bottom along the sensor's z axis [m]."""

    kind = "altimeter"
    parts: ClassVar = {"range": 1}
    scalars = ("RANGE",)

    def measure(self, truth: Truth) -> Array:
        """Return the range (n, 1); nan where the beam does not reach the bottom."""
        beams: Array = truth.R_nb @ self.R_bs[:, 2]
        return ranges(truth, self.places(truth), beams)[:, None]

    def seen(self, truth: Truth, true: Array) -> NDArray[np.bool_] | None:
        """Return when the beam reaches the bottom."""
        reached: NDArray[np.bool_] = np.isfinite(true[:, 0])
        return reached


class Dvl(Sensor):
    """The sensor's velocity over ground in its axes: ``R_bs' (v + w x l)`` [m/s].

    With ``bottom_range`` it measures the height above the bottom, too, by four beams 30 degrees off
    the z axis (Janus), and nothing if less than three of them reach the bottom.
    """

    kind = "DVL"
    parts: ClassVar = {"linear_velocity": 3}
    scalars: Sequence[str] = ("VX", "VY", "VZ")
    standard_rms: ClassVar = {"linear_velocity": 0.05}

    def read(self, section: Section) -> None:
        """Read the minimum and maximum range of the beams [m]."""
        self.reach: tuple[float, float] | None = None
        if sen.BOTTOM_RANGE not in section:
            return
        least, most = section.vector(sen.BOTTOM_RANGE).tolist()
        if not 0.0 <= least < most:
            section.fail(
                sen.BOTTOM_RANGE, f"{least:g}:{most:g}", "two numbers, 0 or more, ascending"
            )
        self.reach = least, most
        self.parts = {**self.parts, "range": 1}  # type: ignore[misc]
        self.scalars = ("VX", "VY", "VZ", "RANGE")

    def measure(self, truth: Truth) -> Array:
        """Return the velocity (n, 3), or velocity and height above the bottom (n, 4)."""
        measured: Array = self.velocities(truth).dot(self.R_bs)
        if self.reach is None:
            return measured
        return np.column_stack((measured, self._height(truth, *self.reach)))

    def _height(self, truth: Truth, least: float, most: float) -> Array:
        """Return the mean height (n,) along the z axis [m]; nan with less than three echoes."""
        places = self.places(truth)
        heights, found = np.zeros(len(places)), np.zeros(len(places))
        for beam in JANUS:
            beams: Array = truth.R_nb @ (self.R_bs @ beam)
            slant = ranges(truth, places, beams)
            in_range = (least <= slant) & (slant <= most) & (beams[:, 2] >= SHALLOWEST)
            heights += np.where(in_range, slant * beam[2], 0.0)
            found += in_range
        return np.where(found >= 3, heights / np.maximum(found, 1.0), np.nan)

    def seen(self, truth: Truth, true: Array) -> NDArray[np.bool_] | None:
        """Return when there is a bottom lock; None, always, without ``bottom_range``."""
        return None if self.reach is None else np.isfinite(true[:, 3])


class SpeedLog(Sensor):
    """The sensor's speed through the water, along its x axis [m/s]."""

    kind = "speed_log"
    parts: ClassVar = {"speed": 1}
    scalars = ("SPEED",)

    def measure(self, truth: Truth) -> Array:
        """Return the speed (n, 1)."""
        return (self.velocities(truth) - truth.water_at(self.places(truth))) @ self.R_bs[:, :1]


class Wind(Sensor):
    """The apparent wind: speed [m/s], and direction it comes from, relative to the x axis [deg]."""

    kind = "wind"
    called = "APPARENT_WIND"
    parts: ClassVar = {"wind": 2}
    scalars = ("SPEED", "ANGLE")

    def measure(self, truth: Truth) -> Array:
        """Return speed and angle (n, 2), in the plane of the sensor's x and y axes."""
        ahead, aside, _ = (truth.air - self.velocities(truth)).dot(self.R_bs).T
        measured = np.empty((len(ahead), 2))
        measured[:, 0] = np.hypot(ahead, aside)
        measured[:, 1] = np.degrees(np.arctan2(-aside, -ahead))
        return measured

    def within(self, values: Array) -> Array:
        """Return values with angles wrapped to (-180, 180] and speeds of at least 0."""
        np.maximum(values[:, 0], 0.0, out=values[:, 0])
        angles = values[:, 1]
        if np.count_nonzero(np.abs(angles) >= 180.0):
            values[:, 1] = ssa(angles, deg=True)
        return values


class Encoder(Sensor):
    """The state of an actuator, in degrees or revolutions per minute."""

    kind = "encoder"
    parts: ClassVar = {"actuator": 1}
    scalars = ("",)
    standard_rms: ClassVar = {"actuator": 0.1}

    def read(self, section: Section) -> None:
        """Find the actuator by its type and number."""
        for key in (sen.LOCATION, sen.ORIENTATION):
            if key in section:
                section.fail(key, section.text(key), "None: it sits on its actuator")
        kind, number = section.text(sen.ACTUATOR_TYPE), section.text(sen.ACTUATOR_ID)
        own = self.aboard.actuators or ()
        fitting = [
            actuator
            for actuator in own
            if actuator.kind.lower() == kind.lower() and actuator.name.endswith(f"_{number}")
        ]
        if not fitting:
            there = [f"{a.kind} {a.name.partition('_')[2]}" for a in own]
            section.fail(
                sen.ACTUATOR_ID, f"{kind} {number}", f"one of its own: {', '.join(there) or 'none'}"
            )
        self.actuator = fitting[0]
        if not self.named:
            self.name = f"ENC_{self.actuator.name.upper()}"

    def measure(self, truth: Truth) -> Array:
        """Return the state (n, 1)."""
        column = truth.names.index(self.actuator.name)
        return truth.actuators[:, column : column + 1] * self.actuator.factor

    def constants(self) -> dict[str, Any]:
        """Return the unit."""
        return {"unit": self.actuator.unit}


KINDS: Mapping[str, type[Sensor]] = {
    kind.kind: kind
    for kind in (
        *(Imu, Gps, Uwb, Dvl, Encoder),
        *(Compass, SpeedLog, Depth, Altimeter, RateGyro, Wind),
    )
}
