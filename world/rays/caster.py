"""Ray caster: rays into a world of static objects, moving bodies and water surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from steerageway.world.arrays import Floats, Whole
from steerageway.world.mesh import Mesh
from steerageway.world.rays import kernel
from steerageway.world.rays.embree import Structure
from steerageway.world.rays.forms import PLANE_ROW, SOLID_ROW, UPRIGHT, HeightField, Plane, Solid

NOTHING = -1
Form = Solid | Plane | HeightField | Mesh


@dataclass(frozen=True, eq=False)
class Standing:
    """A static object.

    Attributes:
        number: identifies the object in hits.
        form: shape in its own frame; a plane and a height field in NED.
        position, R: (3,), (3, 3) from its frame to NED.
    """

    number: int
    form: Form
    position: Floats = field(default_factory=lambda: np.zeros(3))
    R: Floats = field(default_factory=lambda: UPRIGHT)

    @property
    def own_extent(self) -> tuple[Floats, Floats] | None:
        """Return the extent (3,), (3,) [m] in its own frame; None: unbounded."""
        if isinstance(self.form, Mesh):
            return self.form.extent
        if isinstance(self.form, Solid):
            half = self.form.half_extent(UPRIGHT)
            return -half, half
        return None

    @property
    def extent(self) -> tuple[Floats, Floats] | None:
        """Return its minimum and maximum coordinates (3,), (3,) [m]; None: unbounded."""
        if isinstance(self.form, Mesh):
            places = self.form.vertices @ self.R.T + self.position
            return places.min(0), places.max(0)
        if isinstance(self.form, Solid):
            half = self.form.half_extent(self.R)
            return self.position - half, self.position + half
        return None


class Shape:
    """A body's mesh in its own frame; several bodies may share one."""

    def __init__(self, mesh: Mesh) -> None:
        self.corners = np.ascontiguousarray(mesh.corners)
        self.extent = low, high = mesh.extent
        self.centre = 0.5 * (low + high)
        self.radius = float(np.linalg.norm(mesh.vertices - self.centre, axis=1).max()) + 1e-3

    @cached_property
    def structure(self) -> Structure:
        """Return the search structure of its triangles, built on first use in this process."""
        return Structure(self.corners)


@dataclass(frozen=True, eq=False)
class Body:
    """A moving body with its pose at an instant.

    Attributes:
        number: identifies the body in hits.
        shape: its mesh.
        position, R: (3,), (3, 3) from its frame to NED.
    """

    number: int
    shape: Shape
    position: Floats
    R: Floats

    @property
    def own_extent(self) -> tuple[Floats, Floats]:
        """Return the extent (3,), (3,) [m] in its own frame."""
        return self.shape.extent


@dataclass(frozen=True, eq=False)
class Hits:
    """First intersections of rays (n,).

    Attributes:
        ranges: [m]; nan: no hit.
        numbers: of the objects hit; ``NOTHING``.
        normals: (n, 3) of the surfaces hit, NED, outward; of a plane or water, of either sign.
        directions: (n, 3) of the rays, NED.
    """

    ranges: Floats
    numbers: Whole
    normals: Floats
    directions: Floats

    def cosines(self) -> Floats:
        """Return the cosine (n,) of the angle of incidence: 1 at normal incidence.

        nan where a ray hits nothing.
        """
        cosines: Floats = np.abs(np.einsum("ij,ij->i", self.normals, self.directions))
        cosines[self.numbers == NOTHING] = np.nan
        return cosines


class Caster:
    """Casts rays at static objects, bodies and water surfaces."""

    def __init__(self, things: Sequence[Standing]) -> None:
        self.standing = {one.number: one for one in things}
        solids = [one for one in things if isinstance(one.form, Solid)]
        planes = [one for one in things if isinstance(one.form, Plane)]
        meshes = [one for one in things if isinstance(one.form, Mesh)]
        self._solids = np.array(
            [one.form.placed(one.position, one.R) for one in solids if isinstance(one.form, Solid)]
        ).reshape(-1, SOLID_ROW)
        self._planes = np.array(
            [one.form.row() for one in planes if isinstance(one.form, Plane)]
        ).reshape(-1, PLANE_ROW)
        self._solid_numbers = np.array([one.number for one in solids], np.int64)
        self._plane_numbers = np.array([one.number for one in planes], np.int64)
        self._fields = [
            (one.number, one.form) for one in things if isinstance(one.form, HeightField)
        ]
        self._static = _joined(meshes) if meshes else None
        self._static_numbers = _triangle_numbers(meshes)
        self._alone: dict[int, Caster] = {}

    def alone(self, number: int) -> Caster:
        """Return a caster of one static object; of none, if the number is of a moving one."""
        if number not in self._alone:
            one = self.standing.get(number)
            self._alone[number] = Caster([] if one is None else [one])
        return self._alone[number]

    def cast(
        self,
        origins: Floats,
        directions: Floats,
        near: float,
        far: float,
        bodies: Sequence[Body] = (),
        fields: Sequence[tuple[int, HeightField | Plane]] = (),
    ) -> Hits:
        """Return the first intersections of rays between two ranges.

        Args:
            origins: (n, 3) in NED [m], or (1, 3): common to all.
            directions: (n, 3) of length 1, NED.
            near, far: range limits [m].
            bodies: moving bodies with their present poses.
            fields: surface of the water, with its number.
        Raises:
            EmbreeMissing: there are triangles, and embreex is not installed.
        """
        origins = np.ascontiguousarray(origins, np.float64).reshape(-1, 3)
        directions = np.ascontiguousarray(directions, np.float64).reshape(-1, 3)
        n = len(directions)
        reach, struck = np.full(n, float(far)), np.full(n, NOTHING, np.int64)
        normals = np.zeros((n, 3))
        out = reach, struck, normals
        if n:
            # analytic forms first: they shorten ``reach``, and with it the search among triangles
            self._cast_forms(origins, directions, near, fields, out)
            self._cast_meshes(origins, directions, near, bodies, out)
        reach[struck == NOTHING] = np.nan
        return Hits(reach, struck, normals, directions)

    def _cast_forms(
        self,
        origins: Floats,
        directions: Floats,
        near: float,
        fields: Sequence[tuple[int, HeightField | Plane]],
        out: tuple[Floats, Whole, Floats],
    ) -> None:
        rays = origins, directions, near
        waters = [(number, form) for number, form in fields if isinstance(form, Plane)]
        rows = [self._planes, *(form.row()[None] for _, form in waters)]
        numbers = np.concatenate((self._plane_numbers, np.array([k for k, _ in waters], np.int64)))
        if len(numbers):
            kernel.trace_planes(*rays, np.concatenate(rows), numbers, *out)
        if len(self._solids):
            # the index by sector is made for one viewpoint; slack covers the spread of the origins
            centre = origins.mean(0)
            slack = float(np.linalg.norm(origins - centre, axis=1).max())
            starts = np.empty(kernel.SECTORS + 1, np.int64)
            gaps = np.empty(len(self._solids))
            items = kernel.list_by_sector(self._solids, centre, slack, starts, gaps)
            sectors = starts, items, gaps
            kernel.trace_solids(*rays, self._solids, self._solid_numbers, sectors, *out)
        surfaces = [(number, form) for number, form in fields if isinstance(form, HeightField)]
        for number, form in (*self._fields, *surfaces):
            place = form.south, form.west, form.spacing, *form.ends, form.level
            kernel.trace_field(*rays, form.down, place, number, *out)

    def _cast_meshes(
        self,
        origins: Floats,
        directions: Floats,
        near: float,
        bodies: Sequence[Body],
        out: tuple[Floats, Whole, Floats],
    ) -> None:
        found: list[tuple[Shape, Whole, Floats, Floats]] = []
        if self._static is not None:
            shape, offset = self._static
            found.append((shape, self._static_numbers, offset, UPRIGHT))
        for body in bodies:
            one = np.full(len(body.shape.corners), body.number, np.int64)
            found.append((body.shape, one, body.position, body.R))
        for shape, numbers, position, R in found:
            centre, R = R @ shape.centre + position, np.ascontiguousarray(R)
            position = np.ascontiguousarray(position)
            # bounding sphere first; Embree then searches in the body's frame, in single precision,
            # and ``settle`` recomputes the ranges in double precision
            places, starts, ways, lengths = kernel.select(
                origins, directions, near, out[0], centre, shape.radius, R, position
            )
            if len(places):
                first: NDArray[np.int32] = shape.structure.first(starts, ways, lengths)
                found_there = places, first, shape.corners, numbers
                kernel.settle(origins, directions, near, *found_there, R, position, *out)


def _joined(meshes: Sequence[Standing]) -> tuple[Shape, Floats]:
    """Return all static meshes as one shape about its centre, where single precision is finest."""
    vertices, triangles, count = [], [], 0
    for one in meshes:
        assert isinstance(one.form, Mesh)
        vertices.append(one.form.vertices @ one.R.T + one.position)
        triangles.append(one.form.triangles + count)
        count += len(one.form.vertices)
    places = np.concatenate(vertices)
    offset: Floats = 0.5 * (places.min(0) + places.max(0))
    return Shape(Mesh(places - offset, np.concatenate(triangles))), offset


def _triangle_numbers(meshes: Sequence[Standing]) -> Whole:
    counts = [len(one.form.triangles) for one in meshes if isinstance(one.form, Mesh)]
    return np.repeat(np.array([one.number for one in meshes], np.int64), counts)
