"""Hull data for estimates: main dimensions, and sections of a mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.world.arrays import Floats
from steerageway.world.constants import DENSITY, GRAVITY
from steerageway.world.mesh import Mesh

STATIONS = 41
SHALLOWEST = 1e-3  # least draught over the height of a mesh: below, it is not in metres


@dataclass(frozen=True)
class Section:
    """A cross-section of a hull below water.

    Attributes:
        x: position from CO, forward [m]. dx: length of its strip [m].
        beam: at the waterline, sum over all hulls [m]. draught: [m]. area: [m²].
        hulls: number of hulls side by side.
    """

    x: float
    dx: float
    beam: float
    draught: float
    area: float
    hulls: int = 1


@dataclass(frozen=True)
class Hull:
    """Main dimensions and sections of a hull [m, m³, kg].

    Attributes:
        L, B, T: length, breadth at the waterline, draught; of a submerged body its height.
        volume: displaced volume. mass: of the vessel.
        KG: height of the centre of gravity above the keel; None: unknown.
        r_bg: (3,) centre of gravity from CO.
        floats: whether it has a waterplane.
        mesh: in its rest pose: z of vertices is below the surface; None: none.
        sections: sections of the mesh, or of a box with the same block coefficient.
        density, gravity: of the water [kg/m³], [m/s²].
    """

    L: float
    B: float
    T: float
    volume: float
    mass: float
    KG: float | None
    r_bg: Floats
    floats: bool
    mesh: Mesh | None
    sections: tuple[Section, ...]
    density: float = DENSITY
    gravity: float = GRAVITY

    @property
    def block(self) -> float:
        """Return the block coefficient, volume over L B T."""
        return self.volume / (self.L * self.B * self.T)

    @property
    def ship(self) -> bool:
        """Whether the proportions are those of ships, for which the regressions are valid."""
        return self.floats and 0.5 <= self.block <= 0.9 and 4.0 <= self.L / self.B <= 10.0


def of_dimensions(
    L: float,
    B: float,
    T: float,
    *,
    mass: float = 0.0,
    block: float = 0.0,
    KG: float | None = None,
    r_bg: Floats | None = None,
    floats: bool = True,
    density: float = DENSITY,
    gravity: float = GRAVITY,
) -> Hull:
    """Return a hull of main dimensions, and of its mass or block coefficient.

    Raises:
        InvalidValue: a dimension is not above zero, neither mass nor block coefficient is given,
            or the mass exceeds that of the water in the box.
    """
    for name, value in (("length", L), ("breadth", B), ("draft", T)):
        if not value > 0.0:
            raise InvalidValue(f"{name} {value:g} m: expected a number above zero")
    volume = mass / density if mass > 0.0 else block * L * B * T
    if not 0.0 < volume <= L * B * T * (1.0 + 1e-9):
        excess = f"{volume:.4g} m³ displaced by a box of {L * B * T:.4g} m³"
        raise InvalidValue(f"{excess}: expected a mass, or a block coefficient up to 1")
    dx = L / STATIONS
    shape = volume / (L * B * T)
    places = [(i + 0.5) * dx - 0.5 * L for i in range(STATIONS)]
    sections = tuple(Section(x, dx, B, T, shape * B * T) for x in places)
    r = np.zeros(3) if r_bg is None else r_bg
    weight = mass or density * volume
    return Hull(L, B, T, volume, weight, KG, r, floats, None, sections, density, gravity)


def of_mesh(
    mesh: Mesh,
    *,
    mass: float = 0.0,
    draught: float = 0.0,
    r_bg: Floats | None = None,
    floats: bool = True,
    density: float = DENSITY,
    gravity: float = GRAVITY,
) -> Hull:
    """Return a hull of a closed mesh about CO, floating upright with a mass or draught.

    Raises:
        InvalidValue: neither is given, or the mesh cannot displace the mass.
    """
    from steerageway.vessel.mesh.hydrostatics import afloat
    from steerageway.vessel.mesh.hydrostatics import draught as depth_of

    low, high = mesh.extent
    r = np.zeros(3) if r_bg is None else r_bg
    if not floats:
        z = 1.0 - float(low[2])  # fully submerged
        volume = mesh.volume
    elif mass > 0.0:
        volume = mass / density
        z = depth_of(mesh, volume)
    elif draught > 0.0:
        z = draught - float(high[2])
        volume = afloat(mesh, z).volume
    else:
        raise InvalidValue("a mesh without mass or draft: expected one of them, to float it by")
    placed = mesh.moved(np.array([0.0, 0.0, z]))
    sections = sections_of(placed)
    length, height = (float(high[i] - low[i]) for i in (0, 2))
    deep = float(placed.extent[1][2])
    if deep < SHALLOWEST * height:
        raise InvalidValue(
            f"a mesh of {length:.4g} m that floats {deep:.2g} m deep, of {height:.4g} m: expected "
            "metres; a file in millimetres has a scale of 0.001"
        )
    if not sections or volume <= 0.0:
        raise InvalidValue("a mesh that is out of the water: expected a draft, or a mass")
    breadth = _breadth(placed, floats)
    if breadth <= 0.0:
        raise InvalidValue("a mesh that has no breadth in the water: expected a hull")
    T = float(placed.extent[1][2]) if floats else float(high[2] - low[2])
    return Hull(
        L=sum(section.dx for section in sections),
        B=breadth,
        T=T,
        volume=volume,
        mass=mass or density * volume,
        KG=float(high[2] - r[2]) if r_bg is not None else None,
        r_bg=r,
        floats=floats,
        mesh=placed,
        sections=sections,
        density=density,
        gravity=gravity,
    )


def _breadth(placed: Mesh, floats: bool) -> float:
    """Return the maximum breadth below water [m]."""
    y = placed.vertices[placed.vertices[:, 2] >= -1e-9, 1] if floats else placed.vertices[:, 1]
    return float(np.ptp(y)) if len(y) else float(np.ptp(placed.vertices[:, 1]))


def sections_of(placed: Mesh, count: int = STATIONS) -> tuple[Section, ...]:
    """Cut a mesh at stations along its wetted length; z of its vertices is below the surface."""
    wet = placed.vertices[placed.vertices[:, 2] > 0.0]
    if not len(wet):
        return ()
    first, last = float(wet[:, 0].min()), float(wet[:, 0].max())
    dx = (last - first) / count
    corners = placed.corners
    cuts = (_cut(corners, first + (i + 0.5) * dx, dx) for i in range(count))
    return tuple(section for section in cuts if section is not None)


def _cut(corners: Floats, x: float, dx: float) -> Section | None:
    """Return the section of triangles (m, 3, 3) at x; None if nothing is below water.

    Each triangle contributes a piece of the outline, oriented by its area vector, so that the area
    is the integral of -y dz along the outline; along the waterline dz is 0.
    """
    pieces = _outline(corners, x)
    if not len(pieces):
        return None
    wet = _below(pieces)
    if not len(wet):
        return None
    y, z = wet[:, :, 0], wet[:, :, 1]
    area = abs(float((0.5 * (y[:, 0] + y[:, 1]) * (z[:, 1] - z[:, 0])).sum()))
    ends = np.sort(_crossings(pieces))
    beam = float((ends[1::2] - ends[: 2 * (len(ends) // 2) : 2]).sum()) if len(ends) > 1 else 0.0
    beam = beam or float(np.ptp(y))
    return Section(x, dx, beam, float(z.max()), area, max(len(ends) // 2, 1))


def _outline(corners: Floats, x: float) -> Floats:
    """Return the pieces (k, 2, 2) of y and z where the triangles intersect the plane at x."""
    ahead = corners[:, :, 0] > x
    found = []
    for triangle, sides in zip(corners, ahead, strict=True):
        if sides.all() or not sides.any():
            continue
        ends = []
        for a, b in ((0, 1), (1, 2), (2, 0)):
            if sides[a] != sides[b]:
                share = (x - triangle[a, 0]) / (triangle[b, 0] - triangle[a, 0])
                point = triangle[a] + share * (triangle[b] - triangle[a])
                ends.append((bool(sides[a]), point[1:]))
        ends.sort(key=lambda end: end[0])  # oriented: first the end that comes from ahead
        found.append([end[1] for end in ends])
    return np.array(found).reshape(-1, 2, 2)


def _below(pieces: Floats) -> Floats:
    """Return the parts of pieces that are below the surface."""
    kept = []
    for a, b in pieces:
        if a[1] <= 0.0 and b[1] <= 0.0:
            continue
        if a[1] < 0.0 or b[1] < 0.0:
            at = a + (b - a) * a[1] / (a[1] - b[1])
            a, b = (at, b) if a[1] < 0.0 else (a, at)
        kept.append((a, b))
    return np.array(kept).reshape(-1, 2, 2)


def _crossings(pieces: Floats) -> Floats:
    """Return the y at which pieces cross the surface."""
    a, b = pieces[:, 0], pieces[:, 1]
    cross = (a[:, 1] > 0.0) != (b[:, 1] > 0.0)
    a, b = a[cross], b[cross]
    found: Floats = a[:, 0] + (b[:, 0] - a[:, 0]) * a[:, 1] / (a[:, 1] - b[:, 1])
    return found
