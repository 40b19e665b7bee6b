"""Rotation matrix of roll, pitch and heading (zyx convention)."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from steerageway.world.arrays import Floats


def rotation(roll: float, pitch: float, heading: float) -> Floats:
    """Return the matrix (3, 3) from BODY to NED for angles in [deg].

    Source: Fossen (2021), equation 2.31.
    """
    (cr, sr), (cp, sp), (ch, sh) = (
        (cos(radians(angle)), sin(radians(angle))) for angle in (roll, pitch, heading)
    )
    return np.array(
        [
            [ch * cp, ch * sp * sr - sh * cr, ch * sp * cr + sh * sr],
            [sh * cp, sh * sp * sr + ch * cr, sh * sp * cr - ch * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
