"""Repair of a hull's mesh: doubled corners merged, holes capped, triangles turned outward.

Meshes are in any unit and axes; every function returns another mesh and leaves its own unchanged.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from steerageway.world.arrays import Flags, Floats, Whole
from steerageway.world.mesh import Mesh, connected, edges_of, indexed, shells, without_degenerate
from steerageway.world.triangulation import fan_of, triangles_of

CLOSE = 1e-4  # corners nearer than this fraction of the mesh's diagonal are one
MOST_EARS = 60  # corners of a ring whose ears are cut, which takes the square of them
REPAIRS = ("merge", "cap", "flip")


def repairs_of(corners: Floats) -> list[str]:
    """Return which repairs change a mesh of triangles (m, 3, 3), in the order of ``REPAIRS``."""
    exact, joined = indexed(corners), merged(corners)
    closed = capped(joined)
    changes = (
        (_uses(exact)[1] != 2).sum() > (_uses(joined)[1] != 2).sum(),
        len(closed.triangles) > len(joined.triangles),
        not np.array_equal(outward(closed).triangles, closed.triangles),
    )
    return [name for name, change in zip(REPAIRS, changes, strict=True) if change]


def repaired(corners: Floats, repair: str) -> Mesh:
    """Return the mesh of triangles (m, 3, 3) after one of ``REPAIRS``; corners are merged first."""
    joined = merged(corners)
    if repair == "merge":
        return joined
    closed = capped(joined)
    if repair == "cap":
        return closed
    turned = outward(closed).triangles[: len(joined.triangles)]  # an open hull stays open
    return Mesh(joined.vertices, turned)


def merged(corners: Floats) -> Mesh:
    """Return a mesh whose corners closer than ``CLOSE`` are one vertex, without doubled triangles.

    Corners are compared in eight grids of twice that distance, each moved by half a cell: two that
    are close lie in the same cell of at least one.
    """
    mesh = indexed(corners)
    points = mesh.vertices
    if len(mesh.triangles) < 2:
        return mesh
    cells = (points - points.min(0)) / (2.0 * CLOSE * float(np.linalg.norm(np.ptp(points, axis=0))))
    pairs = []
    for shift in product((0.0, 0.5), repeat=3):
        columns = np.floor(cells + shift).astype(np.int64)
        code = np.ravel_multi_index(tuple(columns.T), tuple(columns.max(0) + 1))
        order = np.argsort(code, kind="stable")
        same = code[order[1:]] == code[order[:-1]]
        pairs.append(np.stack((order[:-1][same], order[1:][same]), axis=1))
    labels = connected(np.concatenate(pairs), len(points))
    kept, places = np.unique(labels, return_inverse=True)
    triangles = without_degenerate(places[mesh.triangles])
    _, first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)
    return Mesh(points[kept], triangles[np.sort(first)])


def capped(mesh: Mesh) -> Mesh:
    """Return the mesh with a lid over each ring of open edges, behind its own triangles.

    A lid is a fan about the mean of the ring's corners if that sees all of them, or there are many.
    """
    edges, uses = _uses(mesh)
    points, lids = [mesh.vertices], [mesh.triangles]
    count = len(mesh.vertices)
    for ring in _rings(edges[uses == 1]):
        places = mesh.vertices[ring]
        if len(ring) > MOST_EARS or (len(ring) > 4 and fan_of(places)):
            lids.append(np.stack((ring, np.roll(ring, -1), np.full(len(ring), count)), axis=1))
            points.append(places.mean(0, keepdims=True))
            count += 1
        else:
            lids.append(np.array(ring)[triangles_of(places)])
    return Mesh(np.concatenate(points), np.concatenate(lids))


def outward(mesh: Mesh) -> Mesh:
    """Return the mesh with neighbours turned alike, and every shell of a positive volume."""
    turned = _against_neighbours(mesh.triangles)
    triangles = np.where(turned[:, None], mesh.triangles[:, ::-1], mesh.triangles)
    for shell in shells(mesh.vertices[mesh.triangles]):
        if Mesh(mesh.vertices, triangles[shell]).volume < 0.0:
            triangles[shell] = triangles[shell][:, ::-1]
    return Mesh(mesh.vertices, triangles)


def _uses(mesh: Mesh) -> tuple[Whole, Whole]:
    """Return the edges (3 m, 2) of all triangles, and how many triangles each belongs to (3 m,)."""
    edges = edges_of(mesh.triangles)
    ends = np.sort(edges, axis=1)
    _, place, count = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    return edges, count[place.reshape(-1)]


def _rings(edges: Whole) -> list[list[int]]:
    """Return the closed rings of open edges, each against the way of its first edge."""
    beside: dict[int, list[int]] = {}
    for a, b in edges.tolist():
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    rings = []
    for a, b in edges.tolist():
        if b not in beside[a]:
            continue  # part of a ring already
        ring = [b]
        at, following = b, a
        while following is not None:
            beside[at].remove(following)
            beside[following].remove(at)
            at = following
            ring.append(at)
            following = beside[at][0] if at != b and beside[at] else None
        if ring[0] == ring[-1] and len(ring) > 3:
            rings.append(ring[:-1])
    return rings


def _against_neighbours(triangles: Whole) -> Flags:
    """Return for each triangle whether it must turn to agree with the first of its shell.

    Neighbours agree if they go along their edge in opposite ways. Every triangle is two nodes of a
    graph, as it is and turned; those that agree are connected, so that a shell is two components.
    """
    edges = edges_of(triangles)
    of = np.tile(np.arange(len(triangles)), 3)
    ascending = edges[:, 0] < edges[:, 1]
    ends = np.sort(edges, axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    same = (ends[order[1:]] == ends[order[:-1]]).all(1)
    one, other = order[:-1][same], order[1:][same]
    odd = (ascending[one] == ascending[other]).astype(np.int64)
    pairs = [
        np.stack((2 * of[one] + side, 2 * of[other] + (side ^ odd)), axis=1) for side in (0, 1)
    ]
    labels = connected(np.concatenate(pairs), 2 * len(triangles))
    turned: Flags = labels[::2] % 2 == 1
    return turned
