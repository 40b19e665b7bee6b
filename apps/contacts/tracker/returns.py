"""Filters and thins the returns of a LiDAR scan, and sorts them into cells of the plane."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.contacts.tracker.options import TrackerOptions
from steerageway.vessel.perception.measurement import Measurement

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
THIN = 0.15  # returns in a square of this size are merged into one point [m]
ROW = 1 << 32  # number of squares in a row of the plane, with the datum in its middle


class Returns(NamedTuple):
    """Filtered returns, merged per small square of the plane.

    Attributes:
        points: (n, 2) north, east [m].
        reach: (n,) maximum distance of neighbours in a cluster [m].
        counts: (n,) number of returns merged into each point.
    """

    points: Floats
    reach: Floats
    counts: Ints


def returns_of(cloud: Measurement, options: TrackerOptions) -> Returns:
    """Return the returns of a cloud within the limits of height and range."""
    plane, ranges, kept = options.clouds.above_water(cloud)
    _, first, counts = np.unique(keys(plane[kept], THIN), return_index=True, return_counts=True)
    reach = options.reach + options.reach_growth * ranges[kept][first]
    return Returns(plane[kept][first], reach, counts.astype(np.int64))


def keys(points: Floats, size: float, north: int = 0, east: int = 0) -> Ints:
    """Return a number for the square of the plane that contains each point.

    Args:
        points: (n, 2) [m].
        size: of squares [m].
        north, east: offset to a neighbouring square, in squares.
    """
    cells = np.floor(points / size).astype(np.int64)
    return (cells[:, 0] + north) * ROW + cells[:, 1] + east + ROW // 2


def in_cells(points: Floats, size: float) -> dict[tuple[int, int], Floats]:
    """Return points by the square of the plane that contains them: (index north, index east)."""
    found, inverse = np.unique(keys(points, size), return_inverse=True)
    return {
        (int(key) // ROW, int(key) % ROW - ROW // 2): points[inverse == k]
        for k, key in enumerate(found)
    }
