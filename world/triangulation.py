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
    count = len(corners)
    normal = _newell(corners)
    if count == 3 or _is_convex(corners, normal):
        return [(0, i, i + 1) for i in range(1, count - 1)]
    left, found = list(range(count)), []
    while len(left) > 3:
        ear = next((k for k in range(len(left)) if _is_ear(corners, left, k, normal)), 0)
        found.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    return [*found, (left[0], left[1], left[2])]


def _newell(corners: Floats) -> Floats:
    """Return the normal (3,), whose length is twice the area."""
    centred = corners - corners.mean(0)
    total: Floats = np.cross(centred, np.roll(centred, -1, axis=0)).sum(0)
    return total


def _is_convex(corners: Floats, normal: Floats) -> bool:
    ahead = np.roll(corners, -1, axis=0) - corners
    turns = np.cross(np.roll(ahead, 1, axis=0), ahead) @ normal
    return bool((turns >= -FLAT * (normal @ normal)).all())


def _is_ear(corners: Floats, left: list[int], k: int, normal: Floats) -> bool:
    """Whether a corner is convex and no other lies in its triangle or on its edges."""
    a, b, c = (corners[left[(k + i) % len(left)]] for i in (-1, 0, 1))
    if np.cross(b - a, c - b) @ normal <= FLAT * (normal @ normal):
        return False
    mine = {left[(k + i) % len(left)] for i in (-1, 0, 1)}
    others = corners[[i for i in left if i not in mine]]
    sides = [np.cross(q - p, others - p) @ normal for p, q in ((a, b), (b, c), (c, a))]
    return not np.all(np.array(sides) >= -FLAT * (normal @ normal), axis=0).any()
