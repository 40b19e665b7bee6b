"""Compiled integration of pressure, volume and waterplane over a mesh cut at the water surface.

A triangle is wet where the height of water above it is at least 0: a vertex exactly on the
surface is wet and yields no crossing. One or two wet vertices leave a triangle or a quadrilateral;
with ``whole``, an option for comparison, partly wet triangles are dry.
Pressure is evaluated, or interpolated, at the three edge midpoints of each piece for its force and
moment: exact where pressure is linear, as in still water.
"""

from __future__ import annotations

from steerageway.vessel import rigid_body
from steerageway.world.arrays import Floats, Whole
from steerageway.world.compiled import compiled, part
from steerageway.world.kinematics import (
    DENSITY,
    DEPTH,
    GRAVITY,
    RAMP,
    dynamic_pressure,
    elevation,
    stretched,
)

# corners of a triangle's wet part: up to four, each x, y, z, height of water, pressure
HEIGHT, PRESSURE, CORNER = 3, 4, 5
CORNERS = 4 * CORNER

# results of ``pressed``
FORCE, MOMENT, VOLUME, WETTED = 0, 3, 6, 7
PRESSED = 8

moment = part(rigid_body.moment)

# results of ``floated``: volume, its first moments, moments of the waterplane, wetted surface
V, V_X, V_Y, V_Z, A, A_X, A_Y, A_XX, A_YY, A_XY, S_WET = range(11)
FLOATED = 11

DEPTH_ONLY, WHEELER, LINEAR = 0, 1, 2
"""Pressure models: rho g (z + zeta); Wheeler's; Airy's on the mean surface."""


@part
def clipped(
    nodes: Floats,
    heights: Floats,
    pressures: Floats,
    triangle: Whole,
    corners: Floats,
    whole: bool = False,
) -> int:
    """Write the wet part's corners in order; return their number: 0, 3 or 4."""
    if whole and min(heights[triangle[0]], heights[triangle[1]], heights[triangle[2]]) < 0.0:
        return 0
    count = 0
    for i in range(3):
        a, b = triangle[i], triangle[(i + 1) % 3]
        wet, next_wet = heights[a] >= 0.0, heights[b] >= 0.0
        if wet:
            k = count * CORNER
            for j in range(3):
                corners[k + j] = nodes[j, a]
            corners[k + HEIGHT], corners[k + PRESSURE] = heights[a], pressures[a]
            count += 1
        # a vertex on the surface is itself the crossing
        if wet != next_wet and heights[a] != 0.0 and heights[b] != 0.0:
            share = heights[a] / (heights[a] - heights[b])
            k = count * CORNER
            for j in range(3):
                corners[k + j] = nodes[j, a] + share * (nodes[j, b] - nodes[j, a])
            corners[k + HEIGHT] = 0.0
            corners[k + PRESSURE] = pressures[a] + share * (pressures[b] - pressures[a])
            count += 1
    return count


@part
def area_of(corners: Floats, a: int, b: int, c: int) -> tuple[float, float, float]:
    """Return the area of a piece [m²] as a vector along its outward normal."""
    ux, uy, uz = (
        corners[b] - corners[a],
        corners[b + 1] - corners[a + 1],
        corners[b + 2] - corners[a + 2],
    )
    vx, vy, vz = (
        corners[c] - corners[a],
        corners[c + 1] - corners[a + 1],
        corners[c + 2] - corners[a + 2],
    )
    return 0.5 * (uy * vz - uz * vy), 0.5 * (uz * vx - ux * vz), 0.5 * (ux * vy - uy * vx)


@part
def add_force(out: Floats, x: float, y: float, z: float, fx: float, fy: float, fz: float) -> None:
    """Add a force at a point, and its moment about the origin."""
    out[FORCE] += fx
    out[FORCE + 1] += fy
    out[FORCE + 2] += fz
    K, M, N = moment(x, y, z, fx, fy, fz)
    out[MOMENT] += K
    out[MOMENT + 1] += M
    out[MOMENT + 2] += N


@part
def press(corners: Floats, a: int, b: int, c: int, out: Floats) -> None:
    """Add the force and moment of a piece from the pressures at its corners."""
    nx, ny, nz = area_of(corners, a, b, c)
    for i in range(3):
        k, m = (a, b) if i == 0 else (b, c) if i == 1 else (c, a)
        push = -0.5 * (corners[k + PRESSURE] + corners[m + PRESSURE]) / 3.0
        fx, fy, fz = push * nx, push * ny, push * nz
        x, y = 0.5 * (corners[k] + corners[m]), 0.5 * (corners[k + 1] + corners[m + 1])
        z = 0.5 * (corners[k + 2] + corners[m + 2])
        add_force(out, x, y, z, fx, fy, fz)
    out[VOLUME] += nz * (corners[a + HEIGHT] + corners[b + HEIGHT] + corners[c + HEIGHT]) / 3.0
    out[WETTED] += (nx * nx + ny * ny + nz * nz) ** 0.5


@compiled
def pressed(
    nodes: Floats,
    heights: Floats,
    pressures: Floats,
    triangles: Whole,
    corners: Floats,
    out: Floats,
    whole: bool = False,
) -> None:
    """Write force and moment about the nodes' origin, volume below the surface, wetted surface.

    Args:
        nodes: (3, n) positions of the vertices, axes NED [m].
        heights: (n,) height of water above each, negative where dry [m].
        pressures: (n,) total pressure, at dry vertices its linear continuation [Pa].
        triangles: (m, 3) indices of vertices.
        corners: (CORNERS,) work array.
        out: (PRESSED,) results.
        whole: ignore partly wet triangles.
    """
    for i in range(PRESSED):
        out[i] = 0.0
    for i in range(triangles.shape[0]):
        count = clipped(nodes, heights, pressures, triangles[i], corners, whole)
        if count >= 3:
            press(corners, 0, CORNER, 2 * CORNER, out)
        if count == 4:
            press(corners, 0, 2 * CORNER, 3 * CORNER, out)


@part
def total_pressure(
    rows: Floats, water: Floats, place: Floats, t: float, point: Floats, model: int
) -> float:
    """Return the pressure [Pa] at a point (3,) relative to ``place``, by a model."""
    x, y, z = place[0] + point[0], place[1] + point[1], point[2]
    weight = water[DENSITY] * water[GRAVITY]
    if model == LINEAR:
        return float(weight * z + dynamic_pressure(rows, water, x, y, z, t))
    zeta = elevation(rows, water[RAMP], x, y, t)
    if model == DEPTH_ONLY:
        return float(weight * (z + zeta))
    depth = stretched(z, zeta, water[DEPTH])
    return float(weight * z + dynamic_pressure(rows, water, x, y, depth, t))


@part
def press_exactly(
    rows: Floats,
    water: Floats,
    place: Floats,
    t: float,
    model: int,
    piece: Floats,
    point: Floats,
    out: Floats,
) -> None:
    """Add force and moment of a piece (3, CORNER) with the pressure at its edge midpoints."""
    u, v = piece[1] - piece[0], piece[2] - piece[0]
    nx = 0.5 * (u[1] * v[2] - u[2] * v[1])
    ny = 0.5 * (u[2] * v[0] - u[0] * v[2])
    nz = 0.5 * (u[0] * v[1] - u[1] * v[0])
    for i in range(3):
        for j in range(3):
            point[j] = 0.5 * (piece[i, j] + piece[(i + 1) % 3, j])
        push = -total_pressure(rows, water, place, t, point, model) / 3.0
        fx, fy, fz = push * nx, push * ny, push * nz
        add_force(out, point[0], point[1], point[2], fx, fy, fz)
    out[VOLUME] += nz * (piece[0, 3] + piece[1, 3] + piece[2, 3]) / 3.0
    out[WETTED] += (nx * nx + ny * ny + nz * nz) ** 0.5


@compiled
def pressed_exactly(
    rows: Floats,
    water: Floats,
    place: Floats,
    t: float,
    model: int,
    nodes: Floats,
    heights: Floats,
    triangles: Whole,
    work: Floats,
    out: Floats,
    whole: bool = False,
) -> None:
    """Write the results of ``pressed``, with each component evaluated at each point.

    Args:
        rows, water: components and scalars of the sea.
        place: (2,) north and east position of the nodes' origin [m].
        t: time [s].
        model: pressure model.
        nodes, heights, triangles: see ``pressed``.
        work: (9, CORNER) work array.
        out: (PRESSED,) results.
        whole: ignore partly wet triangles.
    """
    for i in range(PRESSED):
        out[i] = 0.0
    corners, piece, point = work[:4].reshape(CORNERS), work[4:7], work[7]
    for i in range(triangles.shape[0]):
        count = clipped(nodes, heights, heights, triangles[i], corners, whole)
        for last in range(2, count):
            for j in range(CORNER):
                piece[0, j] = corners[j]
                piece[1, j] = corners[(last - 1) * CORNER + j]
                piece[2, j] = corners[last * CORNER + j]
            press_exactly(rows, water, place, t, model, piece, point, out)


@part
def moments_of(corners: Floats, a: int, b: int, c: int, out: Floats) -> None:
    """Add a piece's contribution to the moments of volume and waterplane; z is the depth."""
    nx, ny, nz = area_of(corners, a, b, c)
    for i in range(3):
        k, m = (a, b) if i == 0 else (b, c) if i == 1 else (c, a)
        x, y = 0.5 * (corners[k] + corners[m]), 0.5 * (corners[k + 1] + corners[m + 1])
        z, share = 0.5 * (corners[k + 2] + corners[m + 2]), nz / 3.0
        out[V] += share * z
        out[V_X] += share * x * z
        out[V_Y] += share * y * z
        out[V_Z] += 0.5 * share * z * z
        out[A] += share
        out[A_X] += share * x
        out[A_Y] += share * y
        out[A_XX] += share * x * x
        out[A_YY] += share * y * y
        out[A_XY] += share * x * y
    out[S_WET] += (nx * nx + ny * ny + nz * nz) ** 0.5


@compiled
def floated(
    nodes: Floats, triangles: Whole, corners: Floats, out: Floats, whole: bool = False
) -> None:
    """Write volume and waterplane moments of a mesh in still water, exactly.

    The waterplane closes the wet part: integrals over it are those over the wet surface's
    projection.

    Args:
        nodes: (3, n) positions of the vertices, z from the surface, down [m].
        triangles: (m, 3) indices of vertices.
        corners: (CORNERS,) work array.
        out: (FLOATED,) results.
        whole: ignore partly wet triangles.
    """
    for i in range(FLOATED):
        out[i] = 0.0
    z = nodes[2]
    for i in range(triangles.shape[0]):
        count = clipped(nodes, z, z, triangles[i], corners, whole)
        if count >= 3:
            moments_of(corners, 0, CORNER, 2 * CORNER, out)
        if count == 4:
            moments_of(corners, 0, 2 * CORNER, 3 * CORNER, out)


@compiled
def turned(vertices: Floats, R: Floats, z: float, nodes: Floats) -> None:
    """Write the vertices (n, 3) of BODY rotated to NED by R (3, 3) and lowered by z [m]: (3, n)."""
    for i in range(vertices.shape[0]):
        x, y, depth = vertices[i, 0], vertices[i, 1], vertices[i, 2]
        nodes[0, i] = R[0, 0] * x + R[0, 1] * y + R[0, 2] * depth
        nodes[1, i] = R[1, 0] * x + R[1, 1] * y + R[1, 2] * depth
        nodes[2, i] = R[2, 0] * x + R[2, 1] * y + R[2, 2] * depth + z
