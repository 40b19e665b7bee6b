"""Vectors, attitudes and covariances in frames of other programs: ENU and FLU, as ROS has them.

Inside are NED (north, east, down) and FRD (forward, right, down). Source: ROS's REP-103.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.shared.foxglove import FLU, NED_TO_ENU
from steerageway.vessel.kinematics import quat_to_rotm, rotm_to_quat

Floats = NDArray[np.float64]


def flu(vector: object) -> list[float]:
    """Return a vector of FRD in FLU, or of FLU in FRD."""
    return [float(part) for part in FLU @ np.asarray(vector, dtype=float)]


def enu(vector: object) -> list[float]:
    """Return a vector of NED in ENU, or of ENU in NED."""
    return [float(part) for part in NED_TO_ENU @ np.asarray(vector, dtype=float)]


def turned_covariance(covariance: object, turn: Floats) -> list[float]:
    """Return a covariance (9) of a vector as that of the turned vector.

    Args:
        covariance: row by row.
        turn: (3, 3), as ``FLU`` or ``NED_TO_ENU``.
    """
    matrix = np.asarray(covariance, dtype=float).reshape(3, 3)
    return [float(part) for part in (turn @ matrix @ turn.T).ravel()]


def attitude_in_enu(quaternion: object) -> dict[str, float]:
    """Return the attitude of FRD axes in NED (w, x, y, z) as that of FLU axes in ENU."""
    turn = NED_TO_ENU @ quat_to_rotm(np.asarray(quaternion, dtype=float)) @ FLU
    return quaternion_of(turn)


def quaternion_of(turn: Floats) -> dict[str, float]:
    """Return a rotation matrix (3, 3) as ROS's quaternion."""
    w, x, y, z = (float(part) for part in rotm_to_quat(turn))
    return {"x": x, "y": y, "z": z, "w": w}
