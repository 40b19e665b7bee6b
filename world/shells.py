"""The shells of a mesh: parts of it that share no corner with one another."""

from __future__ import annotations

import numpy as np

from steerageway.world.arrays import Floats, Whole


def shells(corners: Floats) -> list[Whole]:
    """Give the triangles of each connected part of a mesh, the part of most triangles first.

    Corners are one and the same where their coordinates are equal. The label of a triangle's
    corners becomes the least of the three until nothing changes (label propagation, with each
    label shortened to that of its label).

    Args:
        corners: (m, 3, 3), in any axes and unit.
    Returns:
        for each part the numbers of its triangles, in their order.
    """
    _, vertices = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    triangles = vertices.reshape(-1, 3)
    labels = np.arange(triangles.max(initial=-1) + 1)
    while True:
        least = labels[triangles].min(axis=1)
        after = labels.copy()
        np.minimum.at(after, triangles.ravel(), np.repeat(least, 3))
        after = after[after]
        if np.array_equal(after, labels):
            break
        labels = after
    of_triangle = labels[triangles[:, 0]] if len(triangles) else np.zeros(0, np.int64)
    parts = [np.flatnonzero(of_triangle == label) for label in np.unique(of_triangle)]
    return sorted(parts, key=lambda part: (-len(part), int(part[0])))
