"""Returns of a scan that count: where they are in the world, and how far from the sensor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.tracker.options import Options
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.perception.measurement import Measurement

Floats = NDArray[np.float64]


class Returns(NamedTuple):
    """Returns that count.

    Attributes:
        points: (n, 2) north, east [m].
        reach: (n,) how near neighbours in a cluster are [m].
    """

    points: Floats
    reach: Floats


def returns_of(cloud: Measurement, options: Options) -> Returns:
    """Give the returns of a cloud that are neither the water's nor too high, near or far.

    Raises:
        ValueError: it is no cloud.
    """
    if cloud.data.ndim != 2 or tuple(cloud.fields[:3]) != ("x", "y", "z"):
        raise ValueError("expected a cloud, whose fields begin with x, y, z")
    local = cloud.data[:, :3].astype(np.float64)
    local = local[np.isfinite(local).all(axis=1)]
    pose = np.asarray(cloud.pose, dtype=np.float64)
    places = local @ eul_to_rotm(pose[3:]).T + pose[:3]
    ranges = np.hypot(places[:, 0] - pose[0], places[:, 1] - pose[1])
    (low, high), (near, far) = options.heights, options.ranges
    counts = (-places[:, 2] >= low) & (-places[:, 2] <= high)
    counts &= (ranges >= near) & (ranges <= far)
    reach = options.reach + options.reach_growth * ranges[counts]
    return Returns(places[counts, :2], reach)


def in_cells(points: Floats, size: float) -> dict[tuple[int, int], Floats]:
    """Give points by the square of the plane that they lie in, in the order of squares."""
    cells = np.floor(points / size).astype(np.int64)
    found, inverse = np.unique(cells, axis=0, return_inverse=True)
    return {
        (int(cell[0]), int(cell[1])): points[inverse.ravel() == k] for k, cell in enumerate(found)
    }
