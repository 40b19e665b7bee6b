"""The water's surface as rays meet it: level, or a field of heights of the waves around a place."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, floor, sin

import numpy as np

from steerageway.world import kinematics as at
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled
from steerageway.world.rays.forms import HeightField, Plane
from steerageway.world.sea import Sea
from steerageway.world.tide import Tide

BLOCK = 32  # points of the world's grid by which the field moves along
MOST_REACH = 250.0  # [m] to which waves are evaluated; beyond it the surface is level
LEVEL = np.array([0.0, 0.0, -1.0])


@compiled
def write_surface(
    rows: Floats,
    amplitudes: Floats,
    t: float,
    place: tuple[float, float, float, float],
    down: Floats,
) -> None:
    """Write z [m] of the surface over a grid: the sum of cosines by their parts along each axis.

    Args:
        rows, amplitudes: of the components, as ``kinematics`` has them; t: time [s].
        place: south, west, spacing, level (up) [m].
        down: (rows to the north, columns to the east).
    """
    south, west, h, level = place
    count, (norths, easts) = len(rows), down.shape
    cosines, sines = np.empty((count, easts)), np.empty((count, easts))
    for c in range(count):
        for j in range(easts):
            phase = rows[c, at.EAST] * (west + j * h)
            cosines[c, j], sines[c, j] = cos(phase), sin(phase)
    for i in range(norths):
        for j in range(easts):
            down[i, j] = -level
        for c in range(count):
            phase = rows[c, at.FREQUENCY] * t - rows[c, at.NORTH] * (south + i * h)
            phase += rows[c, at.PHASE]
            a, b = amplitudes[c] * cos(phase), amplitudes[c] * sin(phase)
            for j in range(easts):
                down[i, j] -= a * cosines[c, j] + b * sines[c, j]


@dataclass(frozen=True, eq=False)
class Waters:
    """The water of a run.

    Attributes:
        sea: its waves, as they are now; None: calm.
        tide: None: none.
        level: of the mean surface [m], up.
        spacing: of the points at which waves are evaluated [m].
        reach: how far from a place [m].
    """

    sea: Sea | None = None
    tide: Tide | None = None
    level: float = 0.0
    spacing: float = 1.0
    reach: float = 100.0

    def surface(self, t: float, north: float, east: float) -> HeightField | Plane:
        """Give the surface around a place at a time [s].

        Its points are those of one grid of the world, wherever it is asked for.
        """
        level = self.level + (0.0 if self.tide is None else self.tide.level(t))
        if self.sea is None or self.sea.calm:
            return Plane(np.array([0.0, 0.0, -level]), LEVEL)
        half = min(self.reach, MOST_REACH)
        step = BLOCK * self.spacing
        blocks = int(half / step + 0.5) + 1  # the place is up to half a block off its middle
        row, column = self.cell(north, east)
        south, west = (row - blocks) * step, (column - blocks) * step
        down = np.empty((2 * blocks * BLOCK + 1, 2 * blocks * BLOCK + 1))
        place = south, west, self.spacing, level
        write_surface(self.sea.rows, self.sea.amplitudes(t), t, place, down)
        return HeightField(down, south, west, self.spacing, -level)

    def cell(self, north: float, east: float) -> tuple[int, int]:
        """Give which block of the world's grid the surface around a place is laid about."""
        step = BLOCK * self.spacing
        return floor(north / step + 0.5), floor(east / step + 0.5)
