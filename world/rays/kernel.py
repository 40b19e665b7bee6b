"""Compiled kernels of ray casting; see ``caster``.

Rays are (n, 3) directions and (n, 3) origins, or (1, 3) if all rays have the same origin. Each
function updates ``reach`` (n,) and ``struck`` (n,) of those rays that hit something nearer.

Source: grid traversal by Amanatides and Woo (1987, Eurographics).
"""

from __future__ import annotations

from math import asin, atan2, floor, inf, isnan, pi, sqrt

import numpy as np

from steerageway.world.arrays import Floats, Whole
from steerageway.world.compiled import compiled, part
from steerageway.world.rays.forms import AXES, BOUND, BOX, CENTRE, KIND, NORMAL, POINT, SIZE, SPHERE

Triple = tuple[float, float, float]

SECTORS = 720  # of the horizon, an index of solids by direction
OUTSIDE = 1e-4  # tolerance of barycentric coordinates for hits found in single precision
PARALLEL = 1e-14
ON_IT = 1e-12  # [m] above a surface: rounding may put a point into either of two cells


@compiled
def list_by_sector(
    solids: Floats, centre: Floats, slack: float, starts: Whole, gaps: Floats
) -> Whole:
    """Return the solids in each sector of the horizon, nearest first.

    Args:
        solids: (m, SOLID_ROW).
        gaps: (m,) output: lower bound of any ray's range to a solid [m].
        starts: (SECTORS + 1,) output: index of each sector's first solid.
        gaps: (m,) output: minimum range of any ray to a solid [m].
    """
    for i in range(len(solids)):
        north, east = solids[i, CENTRE] - centre[0], solids[i, CENTRE + 1] - centre[1]
        down = solids[i, CENTRE + 2] - centre[2]
        away = sqrt(north * north + east * east + down * down)
        gaps[i] = away - solids[i, BOUND] - slack
    # stable, so that solids at equal distance keep their order, and results are reproducible
    order = np.argsort(gaps, kind="mergesort")
    first, last = np.empty(len(solids), np.int64), np.empty(len(solids), np.int64)
    starts[:] = 0
    for i in range(len(solids)):
        north, east = solids[i, CENTRE] - centre[0], solids[i, CENTRE + 1] - centre[1]
        away, radius = sqrt(north * north + east * east), solids[i, BOUND] + slack
        # the viewpoints may be within the solid's circle: it is in all sectors
        if away <= radius * (1.0 + 1e-9):
            first[i], last[i] = 0, SECTORS - 1
        else:
            half, middle = asin(radius / away), atan2(east, north)
            first[i] = floor((middle - half + pi) / (2.0 * pi) * SECTORS - 1e-6)
            last[i] = floor((middle + half + pi) / (2.0 * pi) * SECTORS + 1e-6)
            last[i] = min(last[i], first[i] + SECTORS - 1)
        for k in range(first[i], last[i] + 1):
            # counting sort: numbers per sector, then their running sum, then the items
            starts[k % SECTORS + 1] += 1
    for k in range(SECTORS):
        starts[k + 1] += starts[k]
    items, filled = np.empty(starts[SECTORS], np.int64), starts[:SECTORS].copy()
    for i in order:
        for k in range(first[i], last[i] + 1):
            items[filled[k % SECTORS]] = i
            filled[k % SECTORS] += 1
    return items


@part
def _slab(o: float, d: float, half: float, t0: float, t1: float) -> tuple[float, float]:
    """Clip an interval of a ray to the slab between two faces."""
    if abs(d) < PARALLEL:
        return (t0, t1) if abs(o) <= half else (inf, -inf)
    a, b = (-half - o) / d, (half - o) / d
    return max(t0, min(a, b)), min(t1, max(a, b))


@part
def _round(a: float, b: float, c: float) -> tuple[float, float]:
    """Return the interval of t in which a t² + 2 b t + c <= 0; inf, -inf: empty."""
    square = b * b - a * c
    if square < 0.0 or a <= 0.0:
        return (-inf, inf) if a <= 0.0 and c <= 0.0 else (inf, -inf)
    # the root without cancellation, and the other from the product of the roots
    q = -b - sqrt(square) if b > 0.0 else -b + sqrt(square)
    one, other = q / a, c / q if q != 0.0 else 0.0
    return min(one, other), max(one, other)


@part
def _to_solid(
    solids: Floats,
    i: int,
    o: Triple,
    d: Triple,
    near: float,
) -> float:
    """Return the first intersection of a ray with the i-th solid from ``near`` on; inf: none."""
    x, y, z = o[0] - solids[i, CENTRE], o[1] - solids[i, CENTRE + 1], o[2] - solids[i, CENTRE + 2]
    along, bound = x * d[0] + y * d[1] + z * d[2], solids[i, BOUND]
    if x * x + y * y + z * z - along * along > bound * bound * (1.0 + 1e-9):
        return inf
    kind, size = solids[i, KIND], solids[i, SIZE]
    if kind == SPHERE:
        t0, t1 = _round(1.0, along, x * x + y * y + z * z - size * size)
        return t0 if t0 >= near else (t1 if t1 >= near else inf)
    ox, oy, oz = _into(solids, i, x, y, z)
    dx, dy, dz = _into(solids, i, d[0], d[1], d[2])
    if kind == BOX:
        t0, t1 = _slab(ox, dx, size, -inf, inf)
        t0, t1 = _slab(oy, dy, solids[i, SIZE + 1], t0, t1)
        t0, t1 = _slab(oz, dz, solids[i, SIZE + 2], t0, t1)
    else:
        t0, t1 = _round(dx * dx + dy * dy, ox * dx + oy * dy, ox * ox + oy * oy - size * size)
        t0, t1 = _slab(oz, dz, solids[i, SIZE + 1], t0, t1)
    if t0 > t1:
        return inf
    return t0 if t0 >= near else (t1 if t1 >= near else inf)


@part
def _into(solids: Floats, i: int, x: float, y: float, z: float) -> Triple:
    """Return an NED vector in the i-th solid's axes."""
    k = AXES
    return (
        solids[i, k] * x + solids[i, k + 3] * y + solids[i, k + 6] * z,
        solids[i, k + 1] * x + solids[i, k + 4] * y + solids[i, k + 7] * z,
        solids[i, k + 2] * x + solids[i, k + 5] * y + solids[i, k + 8] * z,
    )


@compiled
def trace_solids(
    origins: Floats,
    directions: Floats,
    near: float,
    solids: Floats,
    numbers: Whole,
    sectors: tuple[Whole, Whole, Floats],
    reach: Floats,
    struck: Whole,
    normals: Floats,
) -> None:
    """Intersect rays with solids; ``sectors``: starts, solids and gaps of ``list_by_sector``."""
    starts, items, gaps = sectors
    for r in range(len(directions)):
        m = r if len(origins) > 1 else 0
        o = origins[m, 0], origins[m, 1], origins[m, 2]
        d = directions[r, 0], directions[r, 1], directions[r, 2]
        at = int((atan2(d[1], d[0]) + pi) / (2.0 * pi) * SECTORS) % SECTORS
        best, reached = -1, reach[r]
        for k in range(starts[at], starts[at + 1]):
            i = items[k]
            # gaps ascend within a sector: no later solid can be nearer
            if gaps[i] > reached:
                break
            t = _to_solid(solids, i, o, d, near)
            if t < reached:
                reached, best = t, i
        if best >= 0:
            reach[r], struck[r] = reached, numbers[best]
            _solid_normal(solids, best, origins[m], directions[r], reached, normals[r])


@part
def _solid_normal(solids: Floats, i: int, o: Floats, d: Floats, t: float, out: Floats) -> None:
    """Write the outward normal of the i-th solid at its intersection with a ray."""
    row, k = solids[i], AXES
    x = o[0] + t * d[0] - row[CENTRE]
    y = o[1] + t * d[1] - row[CENTRE + 1]
    z = o[2] + t * d[2] - row[CENTRE + 2]
    if row[KIND] == SPHERE:
        out[0], out[1], out[2] = x / row[SIZE], y / row[SIZE], z / row[SIZE]
        return
    a, b, c = _into(solids, i, x, y, z)
    if row[KIND] == BOX:
        a, b, c = a / row[SIZE], b / row[SIZE + 1], c / row[SIZE + 2]
        if abs(a) >= abs(b) and abs(a) >= abs(c):
            a, b, c = (1.0 if a > 0.0 else -1.0), 0.0, 0.0
        elif abs(b) >= abs(c):
            a, b, c = 0.0, (1.0 if b > 0.0 else -1.0), 0.0
        else:
            a, b, c = 0.0, 0.0, (1.0 if c > 0.0 else -1.0)
    else:
        away = sqrt(a * a + b * b)
        if abs(c) / row[SIZE + 1] >= away / row[SIZE]:
            a, b, c = 0.0, 0.0, (1.0 if c > 0.0 else -1.0)
        else:
            a, b, c = a / away, b / away, 0.0
    for j in range(3):
        out[j] = row[k + 3 * j] * a + row[k + 3 * j + 1] * b + row[k + 3 * j + 2] * c


@compiled
def turned(R: Floats, vectors: Floats) -> Floats:
    """Return vectors (n, 3) rotated by a matrix (3, 3)."""
    out = np.empty(vectors.shape)
    for r in range(len(vectors)):
        x, y, z = vectors[r, 0], vectors[r, 1], vectors[r, 2]
        for i in range(3):
            out[r, i] = R[i, 0] * x + R[i, 1] * y + R[i, 2] * z
    return out


@compiled
def trace_planes(
    origins: Floats,
    directions: Floats,
    near: float,
    planes: Floats,
    numbers: Whole,
    reach: Floats,
    struck: Whole,
    normals: Floats,
) -> None:
    """Intersect rays with unbounded planes."""
    for r in range(len(directions)):
        d, o = directions[r], origins[r if len(origins) > 1 else 0]
        for i in range(len(planes)):
            p = planes[i]
            away = (
                (p[POINT] - o[0]) * p[NORMAL]
                + (p[POINT + 1] - o[1]) * p[NORMAL + 1]
                + (p[POINT + 2] - o[2]) * p[NORMAL + 2]
            )
            slope = d[0] * p[NORMAL] + d[1] * p[NORMAL + 1] + d[2] * p[NORMAL + 2]
            if abs(slope) > PARALLEL:
                t = away / slope
                if near <= t < reach[r]:
                    reach[r], struck[r] = t, numbers[i]
                    for k in range(3):
                        normals[r, k] = p[NORMAL + k]


@compiled
def trace_field(
    origins: Floats,
    directions: Floats,
    near: float,
    down: Floats,
    place: tuple[float, float, float, float, float, float],
    number: int,
    reach: Floats,
    struck: Whole,
    normals: Floats,
) -> None:
    """Intersect rays with a surface over a grid.

    Args:
        down: (rows to the north, columns to the east) z [m].
        place: south, west, spacing, minimum z, maximum z, z beyond the grid or nan.
        number: number of the surface.
    """
    south, west, h, low, high, level = place
    rows, columns = down.shape
    for r in range(len(directions)):
        m = r if len(origins) > 1 else 0
        o = origins[m, 0], origins[m, 1], origins[m, 2]
        d = directions[r, 0], directions[r, 1], directions[r, 2]
        x, y, dx, dy = (o[0] - south) / h, (o[1] - west) / h, d[0] / h, d[1] / h
        t0, t1 = _within(x, dx, 0.0, rows - 1.0, near, reach[r])
        t0, t1 = _within(y, dy, 0.0, columns - 1.0, t0, t1)
        t0, t1 = _within(o[2], d[2], low - 1e-6, high + 1e-6, t0, t1)
        ray = x, y, o[2], dx, dy, d[2]
        t = _cross_cells(down, ray, t0, t1, h, normals[r]) if t0 < t1 else inf
        if t < reach[r]:
            reach[r], struck[r] = t, number
        elif not isnan(level) and abs(d[2]) > PARALLEL:
            t = (level - o[2]) / d[2]
            a, b = x + dx * t, y + dy * t
            beyond = not (0.0 <= a <= rows - 1.0 and 0.0 <= b <= columns - 1.0)
            if beyond and near <= t < reach[r]:
                reach[r], struck[r] = t, number
                normals[r, 0], normals[r, 1], normals[r, 2] = 0.0, 0.0, -1.0


@part
def _within(
    o: float, d: float, low: float, high: float, t0: float, t1: float
) -> tuple[float, float]:
    """Clip an interval of a ray to where one coordinate is between two bounds."""
    if abs(d) < PARALLEL:
        return (t0, t1) if low <= o <= high else (inf, -inf)
    a, b = (low - o) / d, (high - o) / d
    return max(t0, min(a, b)), min(t1, max(a, b))


@part
def _cross_cells(
    down: Floats,
    ray: tuple[float, float, float, float, float, float],
    t0: float,
    t1: float,
    h: float,
    normal: Floats,
) -> float:
    """Traverse the cells of a grid; return the range of the intersection, and write its normal.

    Args:
        down: (rows, columns) z [m].
        ray: start in cells to north and east, and z [m]; and its direction.
        t0, t1: interval of the ray above the grid.
        h: size of a cell [m].
    """
    x, y, z, dx, dy, dz = ray
    rows, columns = down.shape
    i = min(max(floor(x + dx * t0), 0), rows - 2)
    j = min(max(floor(y + dy * t0), 0), columns - 2)
    step_i, step_j = (1 if dx > 0.0 else -1), (1 if dy > 0.0 else -1)
    next_i = (i + (step_i > 0) - x) / dx if abs(dx) > PARALLEL else inf
    next_j = (j + (step_j > 0) - y) / dy if abs(dy) > PARALLEL else inf
    a = t0
    while 0 <= i <= rows - 2 and 0 <= j <= columns - 2:
        b = min(min(next_i, next_j), t1)
        p, q, s, v = down[i, j], down[i + 1, j], down[i + 1, j + 1], down[i, j + 1]
        za, zb = z + dz * a, z + dz * b
        # z is down: the highest point of the cell has the least z
        high, low = min(min(p, q), min(s, v)) - 1e-6, max(max(p, q), max(s, v)) + 1e-6
        if max(za, zb) >= high and min(za, zb) <= low:
            t = _cross_cell((p, q, s, v), (x - i, y - j, z, dx, dy, dz), a, b, h, normal)
            if t < inf:
                return t
        if b >= t1:
            break
        a = b
        if next_i < next_j:
            i += step_i
            next_i = (i + (step_i > 0) - x) / dx
        else:
            j += step_j
            next_j = (j + (step_j > 0) - y) / dy
    return inf


@part
def _cross_cell(
    heights: tuple[float, float, float, float],
    ray: tuple[float, float, float, float, float, float],
    a: float,
    b: float,
    h: float,
    normal: Floats,
) -> float:
    """Return where a ray crosses the two triangles of a cell within ``a`` to ``b``; inf: nowhere.

    The height above each triangle is linear along the ray: it crosses where the sign changes.
    """
    p, q, s, v = heights
    x, y, z, dx, dy, dz = ray
    # the diagonal from south-west to north-east divides the cell
    side_a, side_b = x - y + (dx - dy) * a, x - y + (dx - dy) * b
    middle = a + (b - a) * side_a / (side_a - side_b) if side_a * side_b < 0.0 else b
    start, end = a, middle
    for _ in range(2):
        north_of = x - y + (dx - dy) * 0.5 * (start + end) >= 0.0
        slope_n, slope_e = (q - p, s - q) if north_of else (s - v, v - p)
        fall = dz - slope_n * dx - slope_e * dy
        over = z - p - slope_n * x - slope_e * y + fall * start
        under = over + fall * (end - start)
        if over * under <= 0.0 or abs(under) < ON_IT:
            length = sqrt(slope_n * slope_n + slope_e * slope_e + h * h)
            normal[0], normal[1], normal[2] = slope_n / length, slope_e / length, -h / length
            return start + (end - start) * (over / (over - under) if over != under else 0.0)
        if middle >= b:
            break
        start, end = middle, b
    return inf


@compiled
def select(
    origins: Floats,
    directions: Floats,
    near: float,
    reach: Floats,
    centre: Floats,
    radius: float,
    R: Floats,
    position: Floats,
) -> tuple[Whole, np.ndarray, np.ndarray, np.ndarray]:
    """Return the rays that intersect a sphere, in a body's frame and single precision.

    Args:
        centre, radius: of the sphere in NED [m].
        R, position: (3, 3), (3,) from the body's frame to NED.
    Returns: indices (m,), origins (m, 3) advanced by ``near``, directions (m, 3), lengths (m,).
    """
    n = len(directions)
    places = np.empty(n, np.int64)
    count = 0
    for r in range(n):
        m = r if len(origins) > 1 else 0
        x, y, z = centre[0] - origins[m, 0], centre[1] - origins[m, 1], centre[2] - origins[m, 2]
        along = x * directions[r, 0] + y * directions[r, 1] + z * directions[r, 2]
        if along + radius < near or along - radius >= reach[r]:
            continue
        if x * x + y * y + z * z - along * along <= radius * radius:
            places[count] = r
            count += 1
    starts, ways = np.empty((count, 3), np.float32), np.empty((count, 3), np.float32)
    lengths = np.empty(count, np.float32)
    for k in range(count):
        r = places[k]
        d, o = directions[r], origins[r if len(origins) > 1 else 0]
        x = o[0] + near * d[0] - position[0]
        y = o[1] + near * d[1] - position[1]
        z = o[2] + near * d[2] - position[2]
        starts[k, 0], starts[k, 1], starts[k, 2] = _into_body(R, x, y, z)
        ways[k, 0], ways[k, 1], ways[k, 2] = _into_body(R, d[0], d[1], d[2])
        # longer by the error of single precision, so that no hit at the limit is lost
        lengths[k] = (reach[r] - near) * 1.0001 + 1e-3
    return places[:count].copy(), starts, ways, lengths


@compiled
def settle(
    origins: Floats,
    directions: Floats,
    near: float,
    places: Whole,
    found: np.ndarray,
    corners: Floats,
    numbers: Whole,
    R: Floats,
    position: Floats,
    reach: Floats,
    struck: Whole,
    normals: Floats,
) -> None:
    """Intersect rays with the triangles found for them, at ranges in double precision.

    Args:
        places: (m,) indices of the rays; found: (m,) their triangles, negative: none.
        corners: (t, 3, 3) in the body's frame; numbers: (t,) object of each triangle.
        R, position: (3, 3), (3,) from the body's frame to NED.
    """
    for k in range(len(places)):
        if found[k] < 0:
            continue
        r, c = places[k], corners[found[k]]
        d, o = directions[r], origins[r if len(origins) > 1 else 0]
        x, y, z = o[0] - position[0], o[1] - position[1], o[2] - position[2]
        t, n = _to_triangle(c, _into_body(R, x, y, z), _into_body(R, d[0], d[1], d[2]))
        if near <= t < reach[r]:
            reach[r], struck[r] = t, numbers[found[k]]
            length = sqrt(_dot(n, n))
            for i in range(3):
                normals[r, i] = (R[i, 0] * n[0] + R[i, 1] * n[1] + R[i, 2] * n[2]) / length


@part
def _into_body(R: Floats, x: float, y: float, z: float) -> Triple:
    """Return an NED vector in a body's frame."""
    return (
        R[0, 0] * x + R[1, 0] * y + R[2, 0] * z,
        R[0, 1] * x + R[1, 1] * y + R[2, 1] * z,
        R[0, 2] * x + R[1, 2] * y + R[2, 2] * z,
    )


@part
def _to_triangle(corners: Floats, o: Triple, d: Triple) -> tuple[float, Triple]:
    """Return the range of a triangle that a ray hits, inf: none; and the triangle's normal.

    The ray is known to hit it in single precision. If it misses it in double precision, the range
    is that of the nearest point of the triangle, so that no ray passes between two triangles.
    """
    e = _between(corners[0], corners[1])
    f = _between(corners[0], corners[2])
    w = o[0] - corners[0, 0], o[1] - corners[0, 1], o[2] - corners[0, 2]
    n = _cross(e, f)
    slope, square = _dot(n, d), _dot(n, n)
    if square == 0.0:
        return inf, n
    t, m = inf, (0.0, 0.0, 0.0)
    # 1e-24: a direction within 1e-12 rad of the plane, where the quotient has no digits left
    if slope * slope > 1e-24 * square:
        t = -_dot(n, w) / slope
        m = w[0] + t * d[0], w[1] + t * d[1], w[2] + t * d[2]
    u, v = _dot(_cross(m, f), n) / square, _dot(_cross(e, m), n) / square
    if t == inf or min(min(u, v), 1.0 - u - v) < -OUTSIDE:
        u, v = min(max(u, 0.0), 1.0), min(max(v, 0.0), 1.0)
        over = max(u + v, 1.0)
        u, v = u / over, v / over
        t = 0.0
        for i in range(3):
            t += (u * e[i] + v * f[i] - w[i]) * d[i]
    return t, n


@part
def _between(a: Floats, b: Floats) -> Triple:
    """Return the vector from one point to another."""
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]


@part
def _cross(a: Triple, b: Triple) -> Triple:
    """Return the cross product a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@part
def _dot(a: Triple, b: Triple) -> float:
    """Return the scalar product a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
