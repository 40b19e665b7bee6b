"""Many attitudes at once: quaternions, rotation matrices, and how they change.

As ``vessel.kinematics``, which has the conventions, for rows of them: each function forms the
products of components and adds them up by one matrix, since NumPy's calls cost more than its sums.

Source: Fossen (2021), chapter 2.
"""

from __future__ import annotations

import numpy as np

from vessel.sensors.truth import Array, cross


def _matrix(shape: tuple[int, ...], *terms: tuple[int, ...]) -> Array:
    """Give a map from products to sums; a term is the indices of both, and its factor."""
    M = np.zeros(shape)
    for *place, factor in terms:
        M[tuple(place)] = factor
    return M.reshape(-1, shape[-1])


_QUATERNION = _matrix(
    (2, 2, 2, 4),  # cosine or sine of half of yaw, pitch, roll -> component
    *((0, 0, 0, 0, 1), (1, 1, 1, 0, 1), (0, 0, 1, 1, 1), (1, 1, 0, 1, -1)),
    *((0, 1, 0, 2, 1), (1, 0, 1, 2, 1), (1, 0, 0, 3, 1), (0, 1, 1, 3, -1)),
)
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
_RATE = _matrix(
    (4, 3, 4),  # component, angular velocity -> twice the rate
    *((1, 0, 0, -1), (2, 1, 0, -1), (3, 2, 0, -1)),
    *((0, 0, 1, 1), (3, 1, 1, -1), (2, 2, 1, 1)),
    *((3, 0, 2, 1), (0, 1, 2, 1), (1, 2, 2, -1)),
    *((2, 0, 3, -1), (1, 1, 3, 1), (0, 2, 3, 1)),
)


def quaternions(eul: Array) -> Array:
    """Give the unit quaternions (n, 4) of Euler angles (n, 3)."""
    half = eul / 2
    waves = np.empty((len(eul), 3, 2))
    np.cos(half, out=waves[:, :, 0])
    np.sin(half, out=waves[:, :, 1])
    products = waves[:, 2, :, None, None] * (waves[:, 1, :, None] * waves[:, 0, None, :])[:, None]
    q: Array = products.reshape(-1, 8) @ _QUATERNION
    return q


def rotations(q: Array) -> Array:
    """Give the rotation matrices (n, 3, 3) of quaternions (n, 4), of any length."""
    sums = (q[:, :, None] * q[:, None, :]).reshape(-1, 16) @ _ROTATION
    R: Array = sums[:, :9] / sums[:, 9:]
    return R.reshape(-1, 3, 3)


def quaternion_rates(q: Array, w: Array) -> Array:
    """Give the rates (n, 4) of quaternions for angular velocities (n, 3) in BODY."""
    rates: Array = (q[:, :, None] * w[:, None, :]).reshape(-1, 12) @ _RATE / 2
    return rates


def turning(q0: Array, q1: Array) -> Array:
    """Give the rotation vectors (n, 3), in BODY, that lead from quaternions to others."""
    w0, e0, w1, e1 = q0[:, :1], q0[:, 1:], q1[:, :1], q1[:, 1:]
    cosine = w0 * w1 + np.sum(e0 * e1, axis=1)[:, None]
    axis = w0 * e1 - w1 * e0 - cross(e0, e1)
    sine = np.sqrt(np.sum(axis * axis, axis=1))[:, None]
    turns = sine > 0
    ratio = np.where(turns, 2 * np.arctan2(sine, cosine) / np.where(turns, sine, 1.0), 2.0)
    vectors: Array = ratio * axis
    return vectors
