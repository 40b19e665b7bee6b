"""Velocity sensors: DVL, speed log, apparent wind."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, radians, sin
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.kinematics import ssa
from steerageway.vessel.sensors.sensor import Sensor
from steerageway.vessel.sensors.truth import Array, Truth, ranges
from steerageway.world.document import Section

OFF_AXIS = radians(30.0)
JANUS = [
    np.array((cos(turn) * sin(OFF_AXIS), sin(turn) * sin(OFF_AXIS), cos(OFF_AXIS)))
    for turn in (0.25 * pi, 0.75 * pi, 1.25 * pi, 1.75 * pi)
]
"""Directions of a DVL's beams in its axes."""
SHALLOWEST = cos(radians(50.0))  # cosine of a beam's incidence below which its echo is lost


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
