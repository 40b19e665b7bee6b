"""Sensors of velocity: DVL, speed log, wind."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, radians, sin
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.kinematics import ssa
from steerageway.vessel.sensors.ground import ranges
from steerageway.vessel.sensors.sensor import Sensor
from steerageway.vessel.sensors.truth import Array, Truth
from steerageway.world.document import Section

OFF_AXIS = radians(30.0)
JANUS = [
    np.array((cos(turn) * sin(OFF_AXIS), sin(turn) * sin(OFF_AXIS), cos(OFF_AXIS)))
    for turn in (0.25 * pi, 0.75 * pi, 1.25 * pi, 1.75 * pi)
]
"""The directions of a DVL's beams in its axes."""
SHALLOWEST = cos(radians(50.0))  # beams that meet the bottom more slanting send back too little


class Dvl(Sensor):
    """The velocity of its place over ground, in its axes: ``R_bs' (v + w x l)`` [m/s].

    With ``bottom_range`` four beams look for the bottom, 30 degrees off its z axis (Janus); it then
    measures its height above the bottom, too, and nothing where fewer than three beams find it.
    """

    kind = "DVL"
    parts: ClassVar = {"linear_velocity": 3}
    scalars: Sequence[str] = ("VX", "VY", "VZ")
    standard_rms: ClassVar = {"linear_velocity": 0.05}

    def read(self, section: Section) -> None:
        """Read how near and how far its beams find the bottom [m]."""
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
        """Return the mean of the beams' ranges along its z axis (n,); -1 with fewer than three."""
        places = self.places(truth)
        heights, found = np.zeros(len(places)), np.zeros(len(places))
        for beam in JANUS:
            beams: Array = truth.R_nb @ (self.R_bs @ beam)
            slant = ranges(truth, places, beams)
            heard = (least <= slant) & (slant <= most) & (beams[:, 2] >= SHALLOWEST)
            heights += np.where(heard, slant * beam[2], 0.0)
            found += heard
        return np.where(found >= 3, heights / np.maximum(found, 1.0), -1.0)

    def seen(self, truth: Truth, true: Array) -> NDArray[np.bool_] | None:
        """Say when it has found the bottom; without ``bottom_range`` it always has."""
        return None if self.reach is None else true[:, 3] > 0


class SpeedLog(Sensor):
    """The speed of its place through the water, along its x axis [m/s]."""

    kind = "speed_log"
    parts: ClassVar = {"speed": 1}
    scalars = ("SPEED",)

    def measure(self, truth: Truth) -> Array:
        """Return the speed (n, 1)."""
        return (self.velocities(truth) - truth.water_at(self.places(truth))) @ self.R_bs[:, :1]


class Wind(Sensor):
    """The apparent wind: its speed [m/s], and where it comes from off the x axis [deg]."""

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

    def within(self, told: Array) -> Array:
        """Bring angles into (-180, 180], and let no speed be negative."""
        np.maximum(told[:, 0], 0.0, out=told[:, 0])
        angles = told[:, 1]
        if np.count_nonzero(np.abs(angles) >= 180.0):
            told[:, 1] = ssa(angles, deg=True)
        return told
