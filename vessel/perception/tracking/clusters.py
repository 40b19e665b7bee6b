"""Density-based clustering of points (DBSCAN), with a neighbourhood radius for each point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array  # type: ignore[import-untyped]
from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]
from scipy.spatial import cKDTree  # type: ignore[import-untyped]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NOISE = -1


def clusters(points: Floats, reach: Floats | float, least: int, counts: Ints | None = None) -> Ints:
    """Return the cluster of each point; clusters are numbered in order of their first points.

    Two points are neighbours if their distance exceeds the reach of neither. A point with ``least``
    or more neighbours, including itself, is a core point. Neighbouring core points share a cluster;
    another point with neighbouring core points belongs to the cluster of the nearest (of the first,
    if equally near).

    Args:
        points: (n, d) [m].
        reach: neighbourhood radius, (n,) or one for all [m].
        least: minimum number of neighbours of a core point, at least 1.
        counts: (n,) number of points that each represents; None: one.
    Returns:
        (n,) numbers from 0 on; -1 for points in no cluster.
    Source: M. Ester et al. (1996), A density-based algorithm for discovering clusters, KDD-96.
    """
    count = len(points)
    if not count:
        return np.empty(0, dtype=np.int64)
    reaches = np.broadcast_to(np.asarray(reach, dtype=float), (count,))
    pairs, apart = _neighbours(points, reaches)
    stands_for = np.ones(count) if counts is None else counts
    neighbours = np.bincount(pairs.ravel(), stands_for[pairs[:, ::-1]].ravel(), count) + stands_for
    core = neighbours >= least
    linked = pairs[core[pairs].all(axis=1)]
    links = coo_array((np.ones(len(linked)), (linked[:, 0], linked[:, 1])), shape=(count, count))
    _, labels = connected_components(links, directed=False)
    labels = np.where(core, labels, NOISE)
    _join_borders(labels, core, pairs, apart)
    return _by_first(labels)


def _neighbours(points: Floats, reaches: Floats) -> tuple[Ints, Floats]:
    """Return pairs of neighbours (k, 2) in a fixed order, and their distances (k,) [m]."""
    pairs = cKDTree(points).query_pairs(float(reaches.max()), output_type="ndarray")
    apart = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    near = apart <= reaches[pairs].min(axis=1)
    pairs, apart = pairs[near].astype(np.int64), apart[near]
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    return pairs[order], apart[order]


def _join_borders(labels: Ints, core: NDArray[np.bool_], pairs: Ints, apart: Floats) -> None:
    """Set the labels of border points to that of their nearest core point."""
    both = np.vstack((pairs, pairs[:, ::-1]))
    far = np.concatenate((apart, apart))
    joins = ~core[both[:, 0]] & core[both[:, 1]]
    border, beside, far = both[joins, 0], both[joins, 1], far[joins]
    order = np.lexsort((beside, far, border))
    border, beside = border[order], beside[order]
    first = np.unique(border, return_index=True)[1]
    labels[border[first]] = labels[beside[first]]


def _by_first(labels: Ints) -> Ints:
    """Return the labels renumbered in the order of the clusters' first points."""
    kept = labels >= 0
    found, first, inverse = np.unique(labels[kept], return_index=True, return_inverse=True)
    number = np.empty(len(found), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(found))
    numbered = np.full(len(labels), NOISE, dtype=np.int64)
    numbered[kept] = number[inverse]
    return numbered
