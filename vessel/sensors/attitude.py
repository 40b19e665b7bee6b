"""Vectorised attitudes: arrays of quaternions and rotation matrices.

Same conventions as ``vessel.kinematics``. Each function forms all products of components and sums
them by one matrix, as the overhead of NumPy's calls exceeds that of the sums.

Source: Fossen (2021), chapter 2.
"""

from __future__ import annotations

import numpy as np

from steerageway.vessel.sensors.truth import Array


def _matrix(shape: tuple[int, ...], *terms: tuple[int, ...]) -> Array:
    """Return the matrix from products to sums; a term is the indices of both, and its factor."""
    M = np.zeros(shape)
    for *place, factor in terms:
        M[tuple(place)] = factor
    return M.reshape(-1, shape[-1])


_QUATERNION = _matrix(
    (2, 2, 2, 4),  # cosine or sine of half of yaw, pitch, roll -> component of the quaternion
    *((0, 0, 0, 0, 1), (1, 1, 1, 0, 1), (0, 0, 1, 1, 1), (1, 1, 0, 1, -1)),
    *((0, 1, 0, 2, 1), (1, 0, 1, 2, 1), (1, 0, 0, 3, 1), (0, 1, 1, 3, -1)),
)
_WAVES = np.array(([0, 1] * 4, [2, 2, 3, 3] * 2, [4] * 4 + [5] * 4))
"""Columns of the factors by roll, pitch and yaw in each product, in [cos roll, sin roll, ...]."""
_ROTATION = _matrix(
    (4, 4, 10),  # component, component -> entry, row by row; last the squared length
    *((i, i, 9, 1) for i in range(4)),
    *((0, 0, i, 1) for i in (0, 4, 8)),
    *((1, 1, 0, 1), (2, 2, 0, -1), (3, 3, 0, -1)),
    *((1, 1, 4, -1), (2, 2, 4, 1), (3, 3, 4, -1)),
    *((1, 1, 8, -1), (2, 2, 8, -1), (3, 3, 8, 1)),
    *((1, 2, 1, 2), (0, 3, 1, -2), (1, 2, 3, 2), (0, 3, 3, 2)),
    *((1, 3, 2, 2), (0, 2, 2, 2), (1, 3, 6, 2), (0, 2, 6, -2)),
    *((2, 3, 5, 2), (0, 1, 5, -2), (2, 3, 7, 2), (0, 1, 7, 2)),
)


def quaternions(eul: Array) -> Array:
    """Return the unit quaternions (n, 4) of Euler angles (n, 3)."""
    waves = np.exp(eul * 0.5j).view(np.float64)
    roll, pitch, yaw = (waves.take(columns, axis=1) for columns in _WAVES)
    q: Array = (yaw * (pitch * roll)).dot(_QUATERNION)
    return q


def rotations(q: Array) -> Array:
    """Return the rotation matrices (n, 3, 3) of quaternions (n, 4), of any norm."""
    sums = (q[:, :, None] * q[:, None, :]).reshape(-1, 16).dot(_ROTATION)
    R: Array = sums[:, :9] / sums[:, 9:]
    return R.reshape(-1, 3, 3)
