"""Ray casting from a sensor's pose into a scene: bodies, water surface, light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from steerageway.vessel.kinematics import Smat, rotm_to_eul
from steerageway.vessel.perception.measurement import Cuboid
from steerageway.world.arrays import Floats, Whole
from steerageway.world.rays.caster import NOTHING, Body, Caster, Hits, Standing
from steerageway.world.rays.forms import HeightField, Plane
from steerageway.world.rays.kernel import turned
from steerageway.world.scene.index import Index
from steerageway.world.scene.model import BOTTOM, SEA, Light

Surface = HeightField | Plane
UNBOXED = (SEA, BOTTOM)
"""Classes that are no objects with bounding boxes."""


@dataclass(frozen=True, eq=False)
class Moving:
    """A moving body.

    Attributes:
        body: shape and pose. velocity: (3,) over ground, NED [m/s].
    """

    body: Body
    velocity: Floats = field(default_factory=lambda: np.zeros(3))

    def at(self, offset: float) -> Body:
        """Return the body moved by its velocity over ``offset`` [s], with constant attitude."""
        body = self.body
        return replace(body, position=body.position + offset * self.velocity)


@dataclass(frozen=True, eq=False)
class View:
    """Surroundings of a sensor at an instant.

    Attributes:
        caster, index, light: of the scene.
        time: [s].
        position, R: (3,), (3, 3) of the sensor's axes in NED.
        moving: bodies around.
        surface: of the water, or None.
        velocity, rate: (3,), (3,) of the sensor over ground, in NED [m/s], and of its axes, in
            its own [rad/s].
    """

    caster: Caster
    index: Index
    light: Light
    time: float
    position: Floats
    R: Floats
    moving: Sequence[Moving] = ()
    surface: Surface | None = None
    velocity: Floats = field(default_factory=lambda: np.zeros(3))
    rate: Floats = field(default_factory=lambda: np.zeros(3))

    @property
    def pose(self) -> tuple[float, ...]:
        """Return north, east, down [m], roll, pitch, yaw [rad] of the sensor's axes."""
        return (*self.position.tolist(), *rotm_to_eul(self.R).tolist())

    def cuboids(self, numbers: Whole) -> tuple[Cuboid, ...]:
        """Return the bounding boxes of the objects that rays hit, by the rays' numbers (n,).

        Water, bottom and unbounded objects have none. Moving objects are where they are at the
        time of the view.
        """
        found = []
        for number, rays in zip(*np.unique(numbers, return_counts=True), strict=True):
            if not self.has_box(int(number)):
                continue
            body = self.body(int(number))
            extent = body.own_extent
            if extent is None:
                continue
            low, high = extent
            centre = self.R.T @ (body.position + body.R @ (0.5 * (low + high)) - self.position)
            place = (*centre.tolist(), *(high - low).tolist(), *rotm_to_eul(self.R.T @ body.R))
            kind = self.index[int(number)].kind
            found.append(Cuboid(kind, int(number) + 1, int(rays), *map(float, place)))
        return tuple(found)

    def has_box(self, number: int) -> bool:
        """Return whether what rays hit is an object: neither water nor bottom, nor nothing."""
        return number != NOTHING and self.index[number].kind not in UNBOXED

    def body(self, number: int) -> Body | Standing:
        """Return an object by its number."""
        moving = (one.body for one in self.moving if one.body.number == number)
        return next(moving, None) or self.caster.standing[number]

    def alone(self, number: int) -> View:
        """Return the view of one object and the water."""
        moving = [one for one in self.moving if one.body.number == number]
        return replace(self, caster=self.caster.alone(number), moving=moving)

    def cast(self, directions: Floats, near: float, far: float, *, water: bool = True) -> Hits:
        """Return the hits of rays (n, 3) in the sensor's axes, between two ranges [m]."""
        ways = turned(np.ascontiguousarray(self.R), directions)
        return self._cast(self.position[None], ways, near, far, 0.0, water)

    def cast_turning(
        self,
        directions: Floats,
        offsets: Floats,
        near: float,
        far: float,
        *,
        slices: int,
        water: bool = True,
    ) -> Hits:
        """Return the hits of rays cast at different times, each from the sensor's pose then.

        The sensor moves and turns at constant rates; bodies are at their positions in the middle
        of each slice of the turn, and the water surface is that at the time of the view.

        Args:
            directions: (n, 3) in the sensor's axes.
            offsets: (n,) from the view's time [s], ascending.
            near, far: [m].
            slices: number of slices of the turn.
        """
        parts = []
        for some in np.array_split(np.arange(len(offsets)), slices):
            if len(some):
                times, turned = np.unique(offsets[some], return_inverse=True)
                axes = np.array([self.R @ _turned(self.rate * t) for t in times.tolist()])
                origins = self.position + offsets[some, None] * self.velocity
                ways = np.einsum("nij,nj->ni", axes[turned], directions[some])
                middle = float(offsets[some].mean())
                parts.append(self._cast(origins, ways, near, far, middle, water))
        return Hits(
            np.concatenate([part.ranges for part in parts]),
            np.concatenate([part.numbers for part in parts]),
            np.concatenate([part.normals for part in parts]),
            np.concatenate([part.directions for part in parts]),
        )

    def _cast(
        self, origins: Floats, ways: Floats, near: float, far: float, offset: float, water: bool
    ) -> Hits:
        bodies = [one.at(offset) if offset else one.body for one in self.moving]
        surface = self.surface if water else None
        fields = [] if surface is None else [(self.index.sea, surface)]
        return self.caster.cast(origins, ways, near, far, bodies, fields)


def _turned(angles: Floats) -> Floats:
    """Return the rotation matrix (3, 3) of a rotation vector [rad] (Rodrigues' formula)."""
    angle = float(np.linalg.norm(angles))
    if angle == 0.0:
        return np.eye(3)
    S = Smat(angles / angle)
    turned: Floats = np.eye(3) + np.sin(angle) * S + (1.0 - np.cos(angle)) * S @ S
    return turned
