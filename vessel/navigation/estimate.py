"""State estimate of the navigation filter, with its error covariance and measurement update.

Source: Solà (2017), "Quaternion kinematics for the error-state Kalman filter", arXiv:1711.02508;
Fossen (2021), chapter 14.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from math import atan2, cos, sin, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SIZE = 17
POSITION, VELOCITY, ATTITUDE = slice(0, 3), slice(3, 6), slice(6, 9)
GYRO, FORCE, CURRENT = slice(9, 12), slice(12, 15), slice(15, 17)
ERRORS = slice(SIZE, None)


@cache
def identity(size: int) -> Array:
    """Return the identity matrix (size, size), not to be changed."""
    return np.eye(size)


@dataclass
class Estimate:
    """State estimate of the navigated point: the position of the IMU or, without one, CO.

    Attributes:
        time: [ns].
        position, velocity: (3,) in NED [m], over ground [m/s].
        R: (3, 3) from BODY to NED.
        gyro_bias: (3,) in BODY [rad/s]. force_bias: (3,) in BODY [m/s²].
        current: (2,) of the water, north and east [m/s].
        P: (17 + m, 17 + m) covariance of the error: position, velocity, attitude (a rotation
            vector in BODY), both biases, current, ``errors``. The truth is the estimate plus its
            error; for the attitude ``R exp(S(error))``.
        errors: (m,) lasting errors of the other measurements, see ``lasting``.
    """

    time: int
    position: Array
    velocity: Array
    R: Array
    gyro_bias: Array = field(default_factory=lambda: np.zeros(3))
    force_bias: Array = field(default_factory=lambda: np.zeros(3))
    current: Array = field(default_factory=lambda: np.zeros(2))
    P: Array = field(default_factory=lambda: np.zeros((SIZE, SIZE)))
    errors: Array = field(default_factory=lambda: np.zeros(0))

    def copy(self) -> Estimate:
        """Return a shallow copy: arrays are replaced, never modified in place."""
        return Estimate(**vars(self))

    def correct(self, gain: Array, residual: Array, H: Array, noise: Array) -> None:
        """Update the estimate by a measurement.

        Args:
            gain: (n, k), n the size of P. residual: (k,) measured minus predicted.
            H: (k, n) Jacobian of the measurement by the error. noise: (k, k) covariance.
        """
        error = gain @ residual
        self.position = self.position + error[POSITION]
        self.velocity = self.velocity + error[VELOCITY]
        self.R = self.R @ turned(error[ATTITUDE])
        self.gyro_bias = self.gyro_bias + error[GYRO]
        self.force_bias = self.force_bias + error[FORCE]
        self.current = self.current + error[CURRENT]
        self.errors = self.errors + error[ERRORS]
        rest = identity(len(self.P)) - gain @ H
        P = rest @ self.P @ rest.T + gain @ noise @ gain.T  # Joseph form: stays positive definite
        self.P = (P + P.T) / 2


def turned(vector: Array) -> Array:
    """Return the rotation matrix (3, 3) of a rotation vector (3,) [rad]: Rodrigues' formula."""
    x, y, z = vector.tolist()
    square = x * x + y * y + z * z
    angle = sqrt(square)
    a, b = (sin(angle) / angle, (1 - cos(angle)) / square) if angle > 1e-6 else (1.0, 0.5)
    return np.array(
        [
            [1 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y],
            [b * x * y + a * z, 1 - b * (x * x + z * z), b * y * z - a * x],
            [b * x * z - a * y, b * y * z + a * x, 1 - b * (x * x + y * y)],
        ]
    )


def rotation_vector(R: Array) -> Array:
    """Return the rotation vector (3,) of a rotation matrix, for angles below pi [rad]."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = R.tolist()
    x, y, z = (zy - yz) / 2, (xz - zx) / 2, (yx - xy) / 2
    sine = sqrt(x * x + y * y + z * z)
    ratio = atan2(sine, (xx + yy + zz - 1) / 2) / sine if sine > 1e-9 else 1.0
    return np.array([x * ratio, y * ratio, z * ratio])


def cross(one: Array, other: Array) -> Array:
    """Return the cross product of two vectors (3,)."""
    a, b, c = one.tolist()
    x, y, z = other.tolist()
    return np.array([b * z - c * y, c * x - a * z, a * y - b * x])
