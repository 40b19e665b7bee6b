"""Meshes of simple bodies: box, sphere, cylinder; and meshes as STL files."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from steerageway.declarations import write_whole
from steerageway.world.arrays import Floats
from steerageway.world.mesh import Mesh, indexed

GOLDEN = 0.5 * (1.0 + 5.0**0.5)


def of_corners(corners: Floats) -> Mesh:
    """Return a mesh of triangles (m, 3, 3); corners within 1e-9 m are merged into one vertex."""
    return indexed(np.round(corners, 9) + 0.0)


def box(length: float, beam: float, height: float, edge: float = np.inf) -> Mesh:
    """Return a box about CO; the shorter edges of its triangles are at most ``edge`` [m]."""
    size = np.array([length, beam, height])
    counts = np.maximum(1, np.ceil(size / edge - 1e-9)).astype(int)
    parts = []
    for normal in range(3):
        u, v = (normal + 1) % 3, (normal + 2) % 3
        a, b = (np.linspace(-0.5, 0.5, counts[axis] + 1) * size[axis] for axis in (u, v))
        low = np.stack(np.meshgrid(a[:-1], b[:-1], indexing="ij"), axis=-1).reshape(-1, 2)
        high = np.stack(np.meshgrid(a[1:], b[1:], indexing="ij"), axis=-1).reshape(-1, 2)
        for side in (-0.5, 0.5):
            face = np.empty((len(low), 4, 3))
            face[:, :, normal] = side * size[normal]
            for corner, (first, second) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
                face[:, corner, u] = (high if first else low)[:, 0]
                face[:, corner, v] = (high if second else low)[:, 1]
            if side < 0:
                face = face[:, ::-1]
            parts += [face[:, [0, 1, 2]], face[:, [0, 2, 3]]]
    return of_corners(np.concatenate(parts))


def sphere(radius: float, divisions: int = 3) -> Mesh:
    """Return an icosphere about CO of 20 · 4^divisions triangles with vertices on the sphere."""
    g = GOLDEN
    points: list[tuple[float, float, float]] = [
        (-1, g, 0),
        (1, g, 0),
        (-1, -g, 0),
        (1, -g, 0),
        (0, -1, g),
        (0, 1, g),
    ]
    points += [(0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4)]
    faces += [(11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8)]
    faces += [(3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    corners = np.array(points, np.float64)[np.array(faces)]
    for _ in range(divisions):
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        quarters = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
        corners = np.concatenate([np.stack(quarter, axis=1) for quarter in quarters])
    return of_corners(radius * corners / np.linalg.norm(corners, axis=2, keepdims=True))


def lofted(stations: Floats) -> Mesh:
    """Return a body lofted over cross-sections.

    Args:
        stations: (s, n, 3) points of each section [m], ordered from bow to stern, clockwise seen
            from astern (starboard, keel, port, deck).
    """
    count = stations.shape[1]
    parts = []
    for fore, aft in pairwise(stations):
        ahead, behind = np.roll(fore, -1, axis=0), np.roll(aft, -1, axis=0)
        parts += [np.stack((fore, aft, behind), axis=1), np.stack((fore, behind, ahead), axis=1)]
    for end, order in ((stations[0], 1), (stations[-1], -1)):
        middle = np.broadcast_to(end.mean(0), (count, 3))
        fan = np.stack((middle, end, np.roll(end, -1, axis=0)), axis=1)
        parts.append(fan[:, ::order])
    return of_corners(np.concatenate(parts))


def together(*bodies: Mesh) -> Mesh:
    """Return several bodies combined into one mesh."""
    offsets = np.cumsum([0, *(len(body.vertices) for body in bodies[:-1])])
    triangles = [body.triangles + k for body, k in zip(bodies, offsets, strict=True)]
    vertices = np.concatenate([body.vertices for body in bodies])
    return Mesh(vertices, np.concatenate(triangles))


def write_stl(mesh: Mesh, path: Path) -> None:
    """Write a mesh as a binary STL file."""
    write_whole(path, stl_of(mesh.corners))


def stl_of(corners: Floats, title: str = "steerageway") -> bytes:
    """Return triangles (m, 3, 3) as a binary STL file; the normal of one without area is 0."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals /= np.where(lengths > 0.0, lengths, 1.0)
    fields = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
    records = np.zeros(len(corners), fields)
    records["normal"], records["corners"] = normals, corners
    head = title.encode("ascii", "replace")[:79].ljust(80, b" ")
    return head + len(corners).to_bytes(4, "little") + records.tobytes()
