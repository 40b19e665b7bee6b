"""Rigid-body dynamics: mass matrix M_RB, Coriolis matrices, transformation from CG to CO.

Vectors are BODY, ``nu = [u v w p q r]``; matrices are 6 x 6 about CO unless said otherwise.

Source: Fossen (2021), chapter 3; checked against MSS rbody.m, m2c.m, Hmtrx.m.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array, Smat
from steerageway.world.formula import formula

DEGREES_OF_FREEDOM = ("surge", "sway", "heave", "roll", "pitch", "yaw")


def Hmtrx(r: ArrayLike) -> Array:
    """Return H(r) (6, 6): the velocity at a point r [m] from CO is ``H nu``.

    A matrix about that point becomes ``H' M H`` about CO, a force there ``H' tau``;
    ``H(r)^-1 = H(-r)``.
    """
    H = np.eye(6)
    H[:3, 3:] = Smat(r).T
    return H


def M_RB(m: float, r_bG: ArrayLike, gyration: ArrayLike) -> Array:
    """Return the rigid-body mass matrix (6, 6) about CO.

    Args:
        m: mass [kg].
        r_bG: (3,) centre of gravity from CO [m].
        gyration: (3,) radii of gyration R44, R55, R66 **about CG** [m].

    Raises:
        InvalidValue: a mass or a radius is not positive.
    """
    radii = np.asarray(gyration, np.float64)
    if not m > 0:
        raise InvalidValue(f"mass {m} kg: expected a number above zero")
    if not (radii > 0).all():
        raise InvalidValue(f"radii of gyration {radii} m: expected three numbers above zero")
    H = Hmtrx(r_bG)
    M_CG = np.diag(m * np.concatenate((np.ones(3), radii**2)))
    return H.T @ M_CG @ H


def rbody(
    m: float, R44: float, R55: float, R66: float, nu2: ArrayLike, r_bG: ArrayLike
) -> tuple[Array, Array]:
    """Return M_RB and C_RB (6, 6) about CO, with the C_RB that is independent of linear velocity.

    Args:
        nu2: (3,) angular velocity [rad/s].
        m, R44, R55, R66, r_bG: see ``M_RB``.

    Source: Fossen (2021), equations 3.53 to 3.60.
    """
    gyration = np.array([R44, R55, R66])
    return M_RB(m, r_bG, gyration), _C_RB_about_CO(m, m * gyration**2, nu2, r_bG)


def _C_RB_about_CO(m: float, inertia_CG: Array, nu2: ArrayLike, r_bG: ArrayLike) -> Array:
    w = np.asarray(nu2, np.float64)
    C_CG = np.zeros((6, 6))
    C_CG[:3, :3] = m * Smat(w)
    C_CG[3:, 3:] = -Smat(inertia_CG * w)
    H = Hmtrx(r_bG)
    return H.T @ C_CG @ H


def m2c(M: ArrayLike, nu: ArrayLike) -> Array:
    """Return the Coriolis and centripetal matrix of any mass matrix, skew-symmetric.

    M is symmetrised first, as measured and computed matrices are only nearly symmetric.

    Args:
        M: (6, 6) with nu (6,), or (3, 3) with nu = [u v r].

    Raises:
        InvalidValue: M has another shape.

    Source: Fossen (2021), equations 3.56 and 6.43; in three degrees of freedom the same.
    """
    given, velocity = np.asarray(M, np.float64), np.asarray(nu, np.float64)
    symmetric = (given + given.T) / 2
    if symmetric.shape == (6, 6):
        momentum = symmetric @ velocity
        C = np.zeros((6, 6))
        C[:3, 3:] = C[3:, :3] = -Smat(momentum[:3])
        C[3:, 3:] = -Smat(momentum[3:])
        return C
    if symmetric.shape == (3, 3):
        x, y, _ = symmetric @ velocity
        return np.array([[0, 0, -y], [0, 0, x], [y, -x, 0]])
    raise InvalidValue(f"mass matrix of shape {given.shape}: expected (6, 6) or (3, 3)")


@formula
def turning_wrench(
    a: float,
    b: float,
    c: float,
    d: float,
    e: float,
    f: float,
    u: float,
    v: float,
    w: float,
    p: float,
    q: float,
    r: float,
) -> tuple[float, float, float, float, float, float]:
    """Return the wrench -C(nu) nu (X, Y, Z, K, M, N) in BODY about CO [N, N m].

    Args:
        a, b, c, d, e, f: the momentum M nu, M symmetric [kg m/s, kg m²/s].
        u, v, w, p, q, r: nu.

    Source: Fossen (2021), equation 3.56: -C(nu) nu is the momentum's cross product with omega,
    and in the moments with the linear velocity, too. ``m2c`` is C itself.
    """
    K = b * w - c * v + e * r - f * q
    M = c * u - a * w + f * p - d * r
    N = a * v - b * u + d * q - e * p
    return b * r - c * q, c * p - a * r, a * q - b * p, K, M, N


@formula
def moment(
    x: float, y: float, z: float, X: float, Y: float, Z: float
) -> tuple[float, float, float]:
    """Return the moment (K, M, N) [N m] of a force (X, Y, Z) [N] at a place (x, y, z) [m]."""
    return y * Z - z * Y, z * X - x * Z, x * Y - y * X


def check_mass(M: ArrayLike) -> None:
    """Check that a mass matrix M = M_RB + M_A is positive definite.

    Raises:
        InvalidValue: the symmetric part of M (6, 6) is not; with the degree of freedom at fault.
    """
    matrix = np.asarray(M, np.float64)
    if not np.isfinite(matrix).all():
        raise InvalidValue(f"M = M_RB + M_A: expected finite numbers, not\n{matrix}")
    # Scaled to a unit diagonal, so that one tolerance holds for entries in kg and in kg m².
    diagonal = np.diag(matrix)
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2 * np.outer(scale, scale))
    if values[0] > 1e-12:
        return
    worst = int(np.argmax(abs(vectors[:, 0])))
    fault = "singular" if values[0] > -1e-12 else "indefinite"
    raise InvalidValue(
        f"M = M_RB + M_A is {fault} in {DEGREES_OF_FREEDOM[worst]} "
        f"(its diagonal there is {diagonal[worst]:g}): expected a positive definite matrix"
    )
