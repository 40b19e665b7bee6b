"""Attitude kinematics: Euler angles, quaternions, rotation matrices and rates.

Angles are ``eul = [phi theta psi]`` (roll, pitch, yaw; rotations about z, then y, then x), a
quaternion is ``[q_w q_x q_y q_z]`` of unit length, a rotation matrix ``R`` takes BODY vectors to
NED. Radians unless ``deg`` says otherwise. A quaternion and its negative are the same attitude.

Source: Fossen (2021), chapter 2, unless a function says otherwise.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steerageway.vessel.errors import InvalidValue
from steerageway.world import rotation
from steerageway.world.formula import formula

Array = NDArray[np.float64]

# Below this cos(theta) rounding errors are as large as the elements that determine roll and yaw.
GIMBAL = 1e-12


class GimbalLock(UserWarning):
    """Roll and yaw are not unique at this attitude."""


def eul_to_rotm(eul: ArrayLike, order: str = "ZYX", deg: bool = False) -> Array:
    """Return the rotation matrix (3, 3) of Euler angles, from BODY to NED (equation 2.31)."""
    return rotation.matrix(*_sines_cosines(eul, order, deg))


@formula
def ned_to_body(
    north: float,
    east: float,
    down: float,
    cphi: float,
    sphi: float,
    cth: float,
    sth: float,
    cpsi: float,
    spsi: float,
) -> tuple[float, float, float]:
    """Return a vector of NED in BODY: the transpose of R(phi, theta, psi) times it.

    Args:
        north, east, down: the vector.
        cphi, sphi, cth, sth, cpsi, spsi: cosine and sine of roll, pitch and yaw.

    Source: Fossen (2021), equation 2.31.
    """
    ahead, across = cpsi * north + spsi * east, cpsi * east - spsi * north
    below = sth * ahead + cth * down
    return cth * ahead - sth * down, cphi * across + sphi * below, cphi * below - sphi * across


def rotm_to_eul(
    rotm: ArrayLike,
    order: str = "ZYX",
    prev_eul: ArrayLike | None = None,
    deg: bool = False,
    silent: bool = True,
) -> Array:
    """Return Euler angles (3,) of a rotation matrix; they reproduce it at any pitch.

    Args:
        prev_eul: previous angles. Of the two solutions the one nearer to them is returned; in
            gimbal lock their roll is kept. Without them pitch is within 90 degrees, and roll is
            0 in gimbal lock.
        silent: False: warn (GimbalLock) if roll and yaw are not unique.

    Source: yaw from a rotation by the roll already found, which holds at any pitch: G. Slabaugh
    (1999), "Computing Euler angles from a rotation matrix", with atan2 throughout.
    """
    _check_order(order)
    R = np.asarray(rotm, np.float64)
    prev = (
        None if prev_eul is None else np.asarray(prev_eul, np.float64) * (np.pi / 180 if deg else 1)
    )
    cos_theta = np.hypot(R[2, 1], R[2, 2])
    if cos_theta > GIMBAL:
        phi = np.arctan2(R[2, 1], R[2, 2])
    else:
        phi = 0.0 if prev is None else prev[0]
        if not silent:
            warnings.warn("pitch is 90 degrees: roll and yaw are not unique", GimbalLock, 2)
    c, s = np.cos(phi), np.sin(phi)
    psi = np.arctan2(s * R[0, 2] - c * R[0, 1], c * R[1, 1] - s * R[1, 2])
    eul = np.array([phi, np.arctan2(-R[2, 0], cos_theta), psi])
    if prev is not None:
        other = ssa(np.array([eul[0] + np.pi, np.pi - eul[1], eul[2] + np.pi]))
        if np.sum(ssa(other - prev) ** 2) < np.sum(ssa(eul - prev) ** 2):
            eul = other
    return np.degrees(eul) if deg else eul


def eul_to_quat(eul: ArrayLike, order: str = "ZYX", deg: bool = False) -> Array:
    """Return the unit quaternion (4,) of Euler angles."""
    (sx, sy, sz), (cx, cy, cz) = _sines_cosines(np.asarray(eul, np.float64) / 2, order, deg)
    return np.array(
        [
            cz * cy * cx + sz * sy * sx,
            cz * cy * sx - sz * sy * cx,
            cz * sy * cx + sz * cy * sx,
            sz * cy * cx - cz * sy * sx,
        ]
    )


def quat_to_eul(
    quat: ArrayLike,
    order: str = "ZYX",
    deg: bool = False,
    prev_quat: ArrayLike | None = None,
    silent: bool = True,
) -> Array:
    """Return Euler angles (3,) of a quaternion; for ambiguities see ``rotm_to_eul``."""
    prev = None if prev_quat is None else quat_to_eul(prev_quat, order, deg)
    return rotm_to_eul(quat_to_rotm(quat), order, prev, deg, silent)


def quat_to_rotm(quat: ArrayLike) -> Array:
    """Return the rotation matrix (3, 3) of a quaternion, which is normalised first.

    Raises:
        InvalidValue: the quaternion is zero.
    """
    q = np.asarray(quat, np.float64)
    length = np.linalg.norm(q)
    if not length > 0:
        raise InvalidValue(f"quaternion {q}: expected one of unit length")
    w, *eps = q / length
    S = Smat(eps)
    R: Array = np.eye(3) + 2 * w * S + 2 * S @ S
    return R


def rotm_to_quat(rotm: ArrayLike) -> Array:
    """Return the unit quaternion (4,) of a rotation matrix, with q_w >= 0.

    The largest component is computed first, to avoid division by a small one.
    Source: S. W. Shepperd (1978), "Quaternion from rotation matrix", J. Guidance and Control 1(3).
    """
    R = np.asarray(rotm, np.float64)
    squares = np.array([np.trace(R), R[0, 0], R[1, 1], R[2, 2]])
    i = int(np.argmax(squares))
    outer = np.array(
        [
            [1 + np.trace(R), R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [0.0, 1 + 2 * R[0, 0] - np.trace(R), R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [0.0, 0.0, 1 + 2 * R[1, 1] - np.trace(R), R[1, 2] + R[2, 1]],
            [0.0, 0.0, 0.0, 1 + 2 * R[2, 2] - np.trace(R)],
        ]
    )
    row = np.concatenate((outer[:i, i], outer[i, i:]))  # 4 q_i q
    q: Array = row / np.linalg.norm(row)
    return -q if q[0] < 0 else q


def eul_rate_matrix(eul: ArrayLike, order: str = "ZYX", deg: bool = False) -> Array:
    """Return T (3, 3) with ``d eul/dt = T w`` for the body's angular velocity w (equation 2.41).

    Raises:
        InvalidValue: pitch is 90 degrees, where Euler rates are not defined.
    """
    (sx, sy, _), (cx, cy, _) = _sines_cosines(eul, order, deg)
    if abs(cy) < GIMBAL:
        raise InvalidValue(f"eul {np.asarray(eul)}: no Euler rates at a pitch of 90 degrees")
    return np.array([[1, sx * sy / cy, cx * sy / cy], [0, cx, -sx], [0, sx / cy, cx / cy]])


def quat_rate_matrix(quat: ArrayLike) -> Array:
    """Return E (4, 3) with ``d quat/dt = E w / 2`` for the body's angular velocity w."""
    w, x, y, z = np.asarray(quat, np.float64)
    return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])


def ssa(ang: ArrayLike, deg: bool = False) -> Array:
    """Return angles wrapped to (-pi, pi], or (-180, 180] with ``deg``; exact for those within."""
    a, half = np.asarray(ang, np.float64), 180.0 if deg else np.pi
    turned: Array = np.where((-half < a) & (a <= half), a, half - np.mod(half - a, 2 * half))
    return turned


def clip(value: ArrayLike, threshold: float) -> Array:
    """Return values clipped to [-threshold, threshold].

    Raises:
        InvalidValue: the threshold is negative.
    """
    if threshold < 0:
        raise InvalidValue(f"threshold {threshold}: expected zero or more")
    return np.clip(np.asarray(value, np.float64), -threshold, threshold)


def Smat(vec: ArrayLike) -> Array:
    """Return S (3, 3) with ``S(a) b = a x b``."""
    x, y, z = np.asarray(vec, np.float64)
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def _sines_cosines(eul: ArrayLike, order: str, deg: bool) -> tuple[Array, Array]:
    _check_order(order)
    angles = np.asarray(eul, np.float64)
    if deg:
        angles = np.radians(angles)
    return np.sin(angles), np.cos(angles)


def _check_order(order: str) -> None:
    if order != "ZYX":
        raise InvalidValue(f"order {order!r}: expected ZYX, the only one that is used")
