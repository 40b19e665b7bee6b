"""Water surface for rays: a plane, or a height field of the waves around a place."""

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

BLOCK = 32  # points of the world's grid by which the field moves
MOST_REACH = 250.0  # [m] radius within which waves are evaluated; beyond it the surface is level
LEVEL = np.array([0.0, 0.0, -1.0])


@compiled
def write_surface(
    rows: Floats,
    amplitudes: Floats,
    t: float,
    place: tuple[float, float, float, float],
    down: Floats,
) -> None:
    """Write z [m] of the surface over a grid: cosines from their factors along each axis.

    Args:
        rows, amplitudes: of the components, see ``kinematics``; t: time [s].
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
    """Water surface of a run.

    Attributes:
        sea: present waves; None: calm.
        tide: None: none.
        level: level of the mean surface [m], up.
        spacing: distance of the points at which waves are evaluated [m].
        reach: radius within which waves are evaluated [m].
    """

    sea: Sea | None = None
    tide: Tide | None = None
    level: float = 0.0
    spacing: float = 1.0
    reach: float = 100.0

    def surface(self, t: float, north: float, east: float) -> HeightField | Plane:
        """Return the surface around a place at a time [s].

        Its points lie on one fixed grid of the world, for any place.
        """
        level = self.level + (0.0 if self.tide is None else self.tide.level(t))
        if self.sea is None or self.sea.calm:
            return Plane(np.array([0.0, 0.0, -level]), LEVEL)
        half = min(self.reach, MOST_REACH)
        step = BLOCK * self.spacing
        blocks = int(half / step + 0.5) + 1  # the place may be half a block off the field's centre
        row, column = self.cell(north, east)
        south, west = (row - blocks) * step, (column - blocks) * step
        down = np.empty((2 * blocks * BLOCK + 1, 2 * blocks * BLOCK + 1))
        place = south, west, self.spacing, level
        write_surface(self.sea.rows, self.sea.amplitudes(t), t, place, down)
        return HeightField(down, south, west, self.spacing, -level)

    def cell(self, north: float, east: float) -> tuple[int, int]:
        """Return the indices of the block corner nearest to a place, the surface's centre."""
        step = BLOCK * self.spacing
        return floor(north / step + 0.5), floor(east / step + 0.5)
