"""Shapes for ray casting besides meshes: solids, planes, and height fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot, inf, nan

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.errors import InvalidValue

SPHERE, BOX, CYLINDER = range(3)
UPRIGHT = np.eye(3)

# layout of a solid's row: kind, centre, axes (rotation from its frame to NED, by rows), sizes, and
# the radius of the bounding sphere
KIND, CENTRE, AXES, SIZE, BOUND = 0, 1, 4, 13, 16
SOLID_ROW = 17
POINT, NORMAL = 0, 3
PLANE_ROW = 6


@dataclass(frozen=True, eq=False)
class Solid:
    """A sphere, a box or a cylinder, in its own frame; ``placed`` transforms it to NED.

    Attributes:
        kind: ``SPHERE``, ``BOX`` or ``CYLINDER`` (axis z).
        size: (3,) [m]: the radius; half lengths along x, y, z; radius and half height.
    """

    kind: int
    size: Floats

    @classmethod
    def sphere(cls, radius: float) -> Solid:
        """Return a sphere of a radius [m]."""
        return cls(SPHERE, np.array([radius, radius, radius]))

    @classmethod
    def box(cls, length: float, breadth: float, height: float) -> Solid:
        """Return a box of full sizes along x, y, z [m]."""
        return cls(BOX, 0.5 * np.array([length, breadth, height]))

    @classmethod
    def cylinder(cls, radius: float, height: float) -> Solid:
        """Return a closed cylinder about z [m]."""
        return cls(CYLINDER, np.array([radius, 0.5 * height, 0.0]))

    @property
    def bound(self) -> float:
        """Return the radius of the bounding sphere [m]."""
        if self.kind == SPHERE:
            return float(self.size[0])
        if self.kind == CYLINDER:
            return hypot(self.size[0], self.size[1])
        return float(np.linalg.norm(self.size))

    def half_extent(self, R: Floats) -> Floats:
        """Return half the sizes (3,) [m] of the NED-aligned bounding box, rotated by R (3, 3)."""
        if self.kind == SPHERE:
            return self.size
        axis = R[:, 2]
        around = np.sqrt(np.maximum(1.0 - axis**2, 0.0)) * self.size[0]
        half: Floats = np.abs(axis) * self.size[1] + around
        return np.abs(R) @ self.size if self.kind == BOX else half

    def placed(self, position: Floats, R: Floats = UPRIGHT) -> Floats:
        """Return its row (SOLID_ROW,), with centre and axes in NED."""
        row = np.empty(SOLID_ROW)
        row[KIND], row[CENTRE:AXES], row[AXES:SIZE] = self.kind, position, np.ravel(R)
        row[SIZE:BOUND], row[BOUND] = self.size, self.bound
        return row


@dataclass(frozen=True, eq=False)
class Plane:
    """An unbounded plane.

    Attributes:
        point: (3,) any point on it [m]. normal: (3,) of any length.
    """

    point: Floats
    normal: Floats

    def row(self) -> Floats:
        """Return its row (PLANE_ROW,), with the normal scaled to length 1."""
        length = float(np.linalg.norm(self.normal))
        if not 0.0 < length < inf:
            raise InvalidValue(f"normal {np.ravel(self.normal).tolist()}: expected a direction")
        return np.concatenate((np.ravel(self.point), np.ravel(self.normal) / length))


@dataclass(frozen=True, eq=False)
class HeightField:
    """A surface over a regular grid; each cell is two triangles, split from the south-west corner.

    Attributes:
        down: (rows to the north, columns to the east) z of the points [m], down.
        south, west: position of the first point [m].
        spacing: distance of the points [m].
        level: z of the plane beyond the grid; nan: none.
    """

    down: Floats
    south: float
    west: float
    spacing: float
    level: float = nan
    ends: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        """Compute the minimum and maximum z."""
        ends = float(np.nanmin(self.down)), float(np.nanmax(self.down))
        object.__setattr__(self, "ends", ends)
