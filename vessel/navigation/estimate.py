"""State estimate of the navigation filter, with its error covariance and measurement update.

Source: Solà (2017), "Quaternion kinematics for the error-state Kalman filter", arXiv:1711.02508;
Fossen (2021), chapter 14.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from math import atan2, cos, hypot, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.kinematics import Smat, eul_rate_matrix, eul_to_rotm, rotm_to_eul

Array = NDArray[np.float64]

SIZE = 17
POSITION, VELOCITY, ATTITUDE = slice(0, 3), slice(3, 6), slice(6, 9)
TURNED = slice(3, 9)  # velocity and attitude
GYRO, FORCE, CURRENT = slice(9, 12), slice(12, 15), slice(15, 17)
ERRORS = slice(SIZE, None)
STEEP = np.pi / 3  # pitch above which Euler angles are not used [rad]


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
        in_body: whether instruments measure the velocity in BODY; an update then turns it with
            the attitude.
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
    in_body: bool = False

    def copy(self) -> Estimate:
        """Return a shallow copy: arrays are replaced, never modified in place."""
        return Estimate(**vars(self))

    def correct(self, gain: Array, residual: Array, H: Array, noise: Array) -> None:
        """Update the estimate by a measurement.

        It is exact for what is measured as it is kept: position, Euler angles, and the velocity in
        NED or in BODY. In other coordinates a large correction of the attitude would spoil what is
        known of heading and velocity: the next heading would then be taken for a measurement of
        roll and pitch, too, and their covariance would become far too small.

        Args:
            gain: (n, k), n the size of P. residual: (k,) measured minus predicted.
            H: (k, n) Jacobian of the measurement by the error. noise: (k, k) covariance.

        Source: as for the invariant filters of Barrau and Bonnabel (2017), "The invariant extended
        Kalman filter as a stable observer", doi:10.1109/TAC.2016.2594085.
        """
        error = gain @ residual
        R, velocity, carried = self.R, self.velocity, np.eye(6)
        self.R, carried[3:, 3:] = corrected(R, error[ATTITUDE])
        self.position = self.position + error[POSITION]
        self.velocity = velocity + error[VELOCITY]
        if self.in_body:
            before = R.T @ velocity
            after = R.T @ self.velocity + cross(before, error[ATTITUDE])
            self.velocity = self.R @ after
            carried[:3, :3] = self.R @ R.T
            carried[:3, 3:] = self.R @ (Smat(before) - Smat(after) @ carried[3:, 3:])
        self.gyro_bias = self.gyro_bias + error[GYRO]
        self.force_bias = self.force_bias + error[FORCE]
        self.current = self.current + error[CURRENT]
        self.errors = self.errors + error[ERRORS]
        rest = identity(len(self.P)) - gain @ H
        P = rest @ self.P @ rest.T + gain @ noise @ gain.T  # Joseph form: stays positive definite
        P[TURNED] = carried @ P[TURNED]
        P[:, TURNED] = P[:, TURNED] @ carried.T
        self.P = (P + P.T) / 2


def corrected(R: Array, error: Array) -> tuple[Array, Array]:
    """Return an attitude corrected in Euler angles, and the matrix that carries its error over.

    Near the vertical, where these are not unique, it is corrected by a rotation vector.

    Args:
        R: (3, 3) from BODY to NED. error: (3,) rotation vector in BODY [rad].
    Returns: (3, 3) from BODY to NED; (3, 3) from small errors before to those after, in BODY.
    """
    angles = rotm_to_eul(R)
    if abs(angles[1]) < STEEP:
        rates = eul_rate_matrix(angles)
        after = angles + rates @ error
        if abs(after[1]) < STEEP:
            R_after = eul_to_rotm(after)
            return R_after, rates_of_angles(R_after) @ rates
    return R @ turned(error), identity(3)


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


def rates_of_angles(R: Array) -> Array:
    """Return the matrix (3, 3) from Euler angle rates to angular velocity in the rotated axes."""
    down, starboard_down, keel_down = R[2].tolist()
    level = hypot(starboard_down, keel_down)
    return np.array(
        [
            [1.0, 0.0, down],
            [0.0, keel_down / level, starboard_down],
            [0.0, -starboard_down / level, keel_down],
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
