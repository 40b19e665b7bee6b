"""Triangulation of polygons in space: a fan for convex ones, ear clipping for others.

Source: Newell's normal, in Sutherland, Sproull and Schumacker (1974); Meisters (1975), Polygons
have ears.
"""

from __future__ import annotations

import numpy as np

from steerageway.world.arrays import Floats

FLAT = 1e-12  # fraction of the polygon's area: a smaller corner counts as straight


def triangles_of(corners: Floats) -> list[tuple[int, int, int]]:
    """Return the triangles of a simple polygon.

    Args:
        corners: (n, 3) in order, three or more, approximately in one plane.

    Returns: indices of corners, oriented as the polygon.
    """
    flat, area = _flattened(corners)
    count = len(flat)
    if count == 3 or _is_convex(flat, area):
        return [(0, i, i + 1) for i in range(1, count - 1)]
    left, found = list(range(count)), []
    while len(left) > 3:
        ear = next((k for k in range(len(left)) if _is_ear(flat, left, k, area)), 0)
        found.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    return [*found, (left[0], left[1], left[2])]


def fan_of(corners: Floats) -> bool:
    """Whether the mean of a polygon's corners (n, 3) sees all of them, so that a fan covers it."""
    flat, area = _flattened(corners)
    spokes = flat - flat.mean(0)
    return bool((_cross(spokes, np.roll(spokes, -1, axis=0)) > FLAT * area).all())


def _flattened(corners: Floats) -> tuple[Floats, float]:
    """Return a polygon (n, 2) in its plane, counterclockwise, and twice its area; Newell's."""
    centred = corners - corners.mean(0)
    normal = np.cross(centred, np.roll(centred, -1, axis=0)).sum(0)
    area = float(np.linalg.norm(normal))
    along = np.eye(3)[np.abs(normal).argmin()]
    u = np.cross(along, normal)
    axes = np.stack((u, np.cross(normal, u)), axis=1)
    lengths = np.linalg.norm(axes, axis=0)
    return centred @ (axes / np.where(lengths > 0.0, lengths, 1.0)), area


def _cross(a: Floats, b: Floats) -> Floats:
    """Return the cross products (n,) of vectors (n, 2)."""
    product: Floats = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return product


def _is_convex(flat: Floats, area: float) -> bool:
    ahead = np.roll(flat, -1, axis=0) - flat
    return bool((_cross(np.roll(ahead, 1, axis=0), ahead) >= -FLAT * area).all())


def _is_ear(flat: Floats, left: list[int], k: int, area: float) -> bool:
    """Whether a corner is convex and no other lies in its triangle or on its edges."""
    mine = [left[k - 1], left[k], left[(k + 1) % len(left)]]
    (ax, ay), (bx, by), (cx, cy) = flat[mine].tolist()
    if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) <= FLAT * area:
        return False
    corners = flat[mine]
    others = flat[[i for i in left if i not in mine]]
    edges = np.roll(corners, -1, axis=0) - corners
    apart = others[:, None] - corners
    inside = edges[:, 0] * apart[..., 1] - edges[:, 1] * apart[..., 0] >= -FLAT * area
    return not inside.all(axis=1).any()
