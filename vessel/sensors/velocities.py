"""Sensors of velocity: DVL, speed log, wind."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from steerageway.vessel.kinematics import ssa
from steerageway.vessel.sensors.sensor import Sensor
from steerageway.vessel.sensors.truth import Array, Truth


class Dvl(Sensor):
    """The velocity of its place over ground, in its axes: ``R_bs' (v + w x l)`` [m/s]."""

    kind = "DVL"
    parts: ClassVar = {"linear_velocity": 3}
    scalars = ("VX", "VY", "VZ")
    standard_rms: ClassVar = {"linear_velocity": 0.05}

    def measure(self, truth: Truth) -> Array:
        """Give the velocity (n, 3)."""
        measured: Array = self.velocities(truth).dot(self.R_bs)
        return measured


class SpeedLog(Sensor):
    """The speed of its place through the water, along its x axis [m/s]."""

    kind = "speed_log"
    parts: ClassVar = {"speed": 1}
    scalars = ("SPEED",)

    def measure(self, truth: Truth) -> Array:
        """Give the speed (n, 1)."""
        return (self.velocities(truth) - truth.water) @ self.R_bs[:, :1]


class Wind(Sensor):
    """The apparent wind: its speed [m/s], and where it comes from off the x axis [deg]."""

    kind = "wind"
    called = "APPARENT_WIND"
    parts: ClassVar = {"wind": 2}
    scalars = ("SPEED", "ANGLE")

    def measure(self, truth: Truth) -> Array:
        """Give speed and angle (n, 2), in the plane of the sensor's x and y axes."""
        ahead, aside, _ = (truth.air - self.velocities(truth)).dot(self.R_bs).T
        measured = np.empty((len(ahead), 2))
        measured[:, 0] = np.hypot(ahead, aside)
        measured[:, 1] = np.degrees(np.arctan2(-aside, -ahead))
        return measured

    def within(self, told: Array) -> Array:
        """Bring angles into (-180, 180], and let no speed be negative."""
        np.maximum(told[:, 0], 0.0, out=told[:, 0])
        angles = told[:, 1]
        if np.count_nonzero(np.abs(angles) >= 180.0):
            told[:, 1] = ssa(angles, deg=True)
        return told
