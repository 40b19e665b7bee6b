"""Voxel model of a hull: buoyancy of equal cubes, cut at the surface.

The scheme of the source, with the centre of buoyancy weighted by volume. Cubes remain upright at
any attitude, so that their volume is exact only for an upright hull; triangles are more accurate
at equal cost; voxels are for comparison.

Source: Bjerke & Haukeland (2024), section 4.2.5.
"""

from __future__ import annotations

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled
from steerageway.world.mesh import Mesh

MOST_VOXELS = 500_000
OFF_AXIS = 1e-7  # fraction of the size, so that rays do not hit edges


def centres(mesh: Mesh, edge: float) -> Floats:
    """Return the centres (n, 3) of the cubes whose centres are within the mesh [m].

    The grid starts from the centre of the mesh's bounding box. A point is within if a vertical ray
    leaves the body an odd number of times, for any shape.

    Raises:
        InvalidValue: more than ``MOST_VOXELS`` cubes, or none.
    """
    low, high = mesh.extent
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    counts = np.ceil(half / edge - 1e-9).astype(int) - 1  # points on the surface are outside
    if np.prod(2 * counts + 1) > 10 * MOST_VOXELS:
        raise InvalidValue(f"voxels of {edge:g} m: expected larger ones: at most {MOST_VOXELS}")
    axes = [m + edge * np.arange(-n, n + 1) for m, n in zip(middle, counts.tolist(), strict=True)]
    kept = []
    for x in axes[0]:
        for y in axes[1]:
            crossings = _crossings(mesh, x + OFF_AXIS * half[0], y + 1.7 * OFF_AXIS * half[1])
            above = np.searchsorted(crossings, axes[2])
            inside = axes[2][above % 2 == 1]
            kept += [(x, y, z) for z in inside]
    if not kept:
        raise InvalidValue(f"voxels of {edge:g} m: none is within the hull: expected smaller ones")
    return np.array(kept)


def _crossings(mesh: Mesh, x: float, y: float) -> Floats:
    """Return the heights, ascending, at which a vertical line crosses the mesh [m]."""
    a, b, c = (mesh.corners[:, i] for i in range(3))
    d1 = (b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (b[:, 1] - a[:, 1]) * (x - a[:, 0])
    d2 = (c[:, 0] - b[:, 0]) * (y - b[:, 1]) - (c[:, 1] - b[:, 1]) * (x - b[:, 0])
    d3 = (a[:, 0] - c[:, 0]) * (y - c[:, 1]) - (a[:, 1] - c[:, 1]) * (x - c[:, 0])
    # barycentric coordinates of one sign: the line passes inside the triangle, from either side
    hit = ((d1 > 0) & (d2 > 0) & (d3 > 0)) | ((d1 < 0) & (d2 < 0) & (d3 < 0))
    total = (d1 + d2 + d3)[hit]
    heights: Floats = (d2[hit] * a[hit, 2] + d3[hit] * b[hit, 2] + d1[hit] * c[hit, 2]) / total
    return np.sort(heights)


@compiled
def buoyed(
    nodes: Floats, zeta: Floats, edge: float, weight: float, out: Floats, whole: bool = False
) -> None:
    """Write force and moment about the nodes' origin, axes NED, and the displaced volume.

    Args:
        nodes: (3, n) centres of the cubes [m].
        zeta: (n,) elevation above them [m].
        edge: edge length of the cubes [m].
        weight: specific weight rho g [N/m³].
        out: at least (7,), results.
        whole: a cube is wet if its centre is, else dry.
    """
    for i in range(7):
        out[i] = 0.0
    for i in range(nodes.shape[1]):
        depth = nodes[2, i] + zeta[i]
        wet = min(max(depth + 0.5 * edge, 0.0), edge)
        if whole:
            wet = edge if depth >= 0.0 else 0.0
        volume = edge * edge * wet
        lift = -weight * volume
        out[2] += lift
        out[3] += nodes[1, i] * lift
        out[4] -= nodes[0, i] * lift
        out[6] += volume


def volume_below(centres: Floats, edge: float, z: float, *, cutting: bool = True) -> float:
    """Return the volume [m³] below still water of upright cubes with CO at depth z [m].

    Without ``cutting`` a cube is wet if its centre is, else dry.
    """
    depths = centres[:, 2] + z
    if not cutting:
        return float(edge**3 * np.count_nonzero(depths >= 0.0))
    wet = np.clip(depths + 0.5 * edge, 0.0, edge)
    return float(edge**2 * wet.sum())
