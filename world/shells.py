"""Connected components (shells) of a mesh."""

from __future__ import annotations

import numpy as np

from steerageway.world.arrays import Floats, Whole


def shells(corners: Floats) -> list[Whole]:
    """Return the triangles of each connected component, the one with the most triangles first.

    Corners with equal coordinates are one vertex. The label of a triangle's
    corners becomes the minimum of the three until nothing changes (label propagation with path
    compression).

    Args:
        corners: (m, 3, 3), in any axes and unit.
    Returns:
        for each component the indices of its triangles, ascending.
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
