"""What rays can meet besides triangles: solids, planes, and fields of heights."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot, inf, nan

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.errors import InvalidValue

SPHERE, BOX, CYLINDER = range(3)
UPRIGHT = np.eye(3)

# a solid's row: what it is, where, its axes (from its own to NED, by rows), sizes, and the radius
# of the sphere about it
KIND, CENTRE, AXES, SIZE, BOUND = 0, 1, 4, 13, 16
SOLID_ROW = 17
POINT, NORMAL = 0, 3
PLANE_ROW = 6


@dataclass(frozen=True, eq=False)
class Solid:
    """A sphere, a box or a cylinder, in a frame of its own that ``placed`` puts into the world.

    Attributes:
        kind: ``SPHERE``, ``BOX`` or ``CYLINDER``, whose axis is z.
        size: (3,) [m]: the radius; half lengths along x, y, z; radius and half height.
    """

    kind: int
    size: Floats

    @classmethod
    def sphere(cls, radius: float) -> Solid:
        """Give a ball of a radius [m]."""
        return cls(SPHERE, np.array([radius, radius, radius]))

    @classmethod
    def box(cls, length: float, breadth: float, height: float) -> Solid:
        """Give a box by its whole sizes along x, y, z [m]."""
        return cls(BOX, 0.5 * np.array([length, breadth, height]))

    @classmethod
    def cylinder(cls, radius: float, height: float) -> Solid:
        """Give a cylinder about z, closed at both ends [m]."""
        return cls(CYLINDER, np.array([radius, 0.5 * height, 0.0]))

    @property
    def bound(self) -> float:
        """Give the radius of the sphere around it [m]."""
        if self.kind == SPHERE:
            return float(self.size[0])
        if self.kind == CYLINDER:
            return hypot(self.size[0], self.size[1])
        return float(np.linalg.norm(self.size))

    def half_extent(self, R: Floats) -> Floats:
        """Give half the sizes (3,) [m] of the box about it along NED's axes, turned by R (3, 3)."""
        if self.kind == SPHERE:
            return self.size
        axis = R[:, 2]
        around = np.sqrt(np.maximum(1.0 - axis**2, 0.0)) * self.size[0]
        half: Floats = np.abs(axis) * self.size[1] + around
        return np.abs(R) @ self.size if self.kind == BOX else half

    def placed(self, position: Floats, R: Floats = UPRIGHT) -> Floats:
        """Give its row (SOLID_ROW,), its centre and axes in NED."""
        row = np.empty(SOLID_ROW)
        row[KIND], row[CENTRE:AXES], row[AXES:SIZE] = self.kind, position, np.ravel(R)
        row[SIZE:BOUND], row[BOUND] = self.size, self.bound
        return row


@dataclass(frozen=True, eq=False)
class Plane:
    """An endless plane.

    Attributes:
        point: (3,) on it [m]. normal: (3,) of any length.
    """

    point: Floats
    normal: Floats

    def row(self) -> Floats:
        """Give its row (PLANE_ROW,), the normal of length 1."""
        length = float(np.linalg.norm(self.normal))
        if not 0.0 < length < inf:
            raise InvalidValue(f"normal {np.ravel(self.normal).tolist()}: expected a direction")
        return np.concatenate((np.ravel(self.point), np.ravel(self.normal) / length))


@dataclass(frozen=True, eq=False)
class HeightField:
    """A surface over a regular grid; each cell is two triangles, parted from south-west.

    Attributes:
        down: (rows to the north, columns to the east) z of the points [m].
        south, west: of the first point [m].
        spacing: between points [m].
        level: z of the plane that goes on beyond the grid; nan: nothing does.
    """

    down: Floats
    south: float
    west: float
    spacing: float
    level: float = nan
    ends: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        """Note the least and the greatest z."""
        ends = float(np.nanmin(self.down)), float(np.nanmax(self.down))
        object.__setattr__(self, "ends", ends)
