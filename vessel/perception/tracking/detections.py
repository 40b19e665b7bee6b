"""Detections of a scan: clusters of returns with position and bounding box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.perception.tracking.clusters import clusters

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """A cluster of returns in a scan.

    Attributes:
        place: (2,) centre of its box: north, east [m].
        length: longer side of its box [m].
        breadth: shorter side [m].
        angle: of the longer side from north, clockwise, -pi/2 to pi/2 [rad].
        points: (n, 2) its returns [m].
    """

    place: Floats
    length: float
    breadth: float
    angle: float
    points: Floats


def detections(
    points: Floats, reach: Floats | float, least: int, counts: Ints | None = None
) -> list[Detection]:
    """Return the clusters among returns.

    Args:
        points: (n, 2) north, east [m].
        reach: neighbourhood radius, (n,) or one for all [m]; see ``clusters``.
        least: minimum number of points of a cluster, at least 1.
        counts: (n,) number of returns that each point represents; None: one.
    """
    labels = clusters(points, reach, least, counts)
    count = int(labels.max(initial=-1)) + 1
    return [boxed(points[labels == k]) for k in range(count)]


def boxed(points: Floats) -> Detection:
    """Return the detection of points, with the box of smallest area among 90 directions.

    Source: X. Zhang et al. (2017), Efficient L-shape fitting for vehicle detection using laser
    scanners, IEEE IV 2017: search over directions, with the area as the criterion.
    """
    angles = np.radians(np.arange(0.0, 90.0))
    along = np.array((np.cos(angles), np.sin(angles))).T  # (90, 2)
    across = along[:, ::-1] * (-1.0, 1.0)
    u, v = points @ along.T, points @ across.T
    low, high = (np.array((f(u, axis=0), f(v, axis=0))) for f in (np.min, np.max))
    sides = high - low
    best = int(np.argmin(np.round(sides[0] * sides[1], 9) + 1e-6 * np.round(sides.sum(axis=0), 9)))
    middle = (low + high)[:, best] / 2.0
    length, breadth = float(sides[0, best]), float(sides[1, best])
    angle = float(angles[best])
    if breadth > length:
        length, breadth, angle = breadth, length, angle - np.pi / 2.0
    place = middle[0] * along[best] + middle[1] * across[best]
    return Detection(place, length, breadth, angle, points)
