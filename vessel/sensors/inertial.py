"""Inertial and attitude sensors: IMU, compass, rate gyro."""

from __future__ import annotations

from types import MappingProxyType
from typing import ClassVar

import numpy as np

from steerageway.vessel.kinematics import ssa
from steerageway.vessel.sensors.attitude import quaternions
from steerageway.vessel.sensors.sensor import Sensor
from steerageway.vessel.sensors.truth import Array, Truth
from steerageway.world.document import Section


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
