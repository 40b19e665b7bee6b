"""Rotation matrix of roll, pitch and heading (zyx convention)."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, radians, sin

import numpy as np

from steerageway.world.arrays import Floats


def rotation(roll: float, pitch: float, heading: float) -> Floats:
    """Return the matrix (3, 3) from BODY to NED for angles in [deg]."""
    angles = radians(roll), radians(pitch), radians(heading)
    return matrix([sin(angle) for angle in angles], [cos(angle) for angle in angles])


def matrix(sines: Iterable[float], cosines: Iterable[float]) -> Floats:
    """Return the matrix (3, 3) from BODY to NED by the sines and cosines of its angles.

    Args:
        sines, cosines: (3,) of roll, pitch and heading.

    Source: Fossen (2021), equation 2.31.
    """
    (sphi, sth, spsi), (cphi, cth, cpsi) = sines, cosines
    return np.array(
        [
            [cpsi * cth, cpsi * sth * sphi - spsi * cphi, cpsi * sth * cphi + spsi * sphi],
            [spsi * cth, spsi * sth * sphi + cpsi * cphi, spsi * sth * cphi - cpsi * sphi],
            [-sth, cth * sphi, cth * cphi],
        ]
    )
