"""Restoring forces (hydrostatics) of submerged and floating craft.

``g(eta)`` is on the left side of the equations of motion: the force on the body is its negative.
The centre of buoyancy of a stable submerged craft lies above the centre of gravity, z down.

Source: Fossen (2021), chapter 4; checked against MSS gvect.m, Gmtrx.m.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array
from steerageway.vessel.rigid_body import Hmtrx
from steerageway.world.constants import DENSITY, GRAVITY
from steerageway.world.formula import formula


def gvect(W: float, B: float, theta: float, phi: float, r_bg: ArrayLike, r_bb: ArrayLike) -> Array:
    """Return g(eta) (6,) of a submerged craft about CO [N, N m].

    Args:
        W, B: weight and buoyancy [N].
        theta, phi: pitch and roll [rad], in this order.
        r_bg, r_bb: (3,) centres of gravity and buoyancy from CO [m].

    Source: Fossen (2021), equation 4.6.
    """
    x, y, z = (W * np.asarray(r_bg, np.float64) - B * np.asarray(r_bb, np.float64)).tolist()
    attitude = cos(phi), sin(phi), cos(theta), sin(theta)
    return -np.array(weight_less_buoyancy(W - B, x, y, z, *attitude))


@formula
def weight_less_buoyancy(
    excess: float,
    moment_x: float,
    moment_y: float,
    moment_z: float,
    cphi: float,
    sphi: float,
    cth: float,
    sth: float,
) -> tuple[float, float, float, float, float, float]:
    """Return the wrench (X, Y, Z, K, M, N) of weight and buoyancy about CO, in BODY [N, N m].

    Args:
        excess: weight minus buoyancy, W - B [N].
        moment_x, moment_y, moment_z: W r_bg - B r_bb [N m].
        cphi, sphi, cth, sth: cosine and sine of roll, and of pitch.

    Source: Fossen (2021), equation 4.6, the negative of g(eta).
    """
    K = moment_y * cth * cphi - moment_z * cth * sphi
    M = -(moment_z * sth + moment_x * cth * cphi)
    N = moment_x * cth * sphi + moment_y * sth
    return -excess * sth, excess * cth * sphi, excess * cth * cphi, K, M, N


def Gmtrx(
    nabla: float,
    A_wp: float,
    GMT: float,
    GML: float,
    x_F: float,
    r_bP: ArrayLike = (0.0, 0.0, 0.0),
    rho: float = DENSITY,
    gravity: float = GRAVITY,
) -> Array:
    """Return G (6, 6) with ``g(eta) = G eta``, of a floating craft at small angles, about P.

    Args:
        nabla: displaced volume [m³].
        A_wp: area of the waterplane [m²].
        GMT, GML: transverse and longitudinal metacentric heights [m].
        x_F: centre of flotation, forward of CO [m].
        r_bP: (3,) reference point P of the matrix, from CO [m].

    Source: Fossen (2021), equations 4.21 to 4.31. (MSS Gmtrx.m gives the matrix about -r_bP.)
    """
    weight = rho * gravity * nabla
    G_CF = np.diag([0, 0, rho * gravity * A_wp, weight * GMT, weight * GML, 0])
    H = Hmtrx(np.array([x_F, 0.0, 0.0])) @ Hmtrx(-np.asarray(r_bP, np.float64))
    return H.T @ G_CF @ H


def munro_smith(L: float, B: float, C_w: float) -> float:
    """Return the transverse second moment of a ship's waterplane [m⁴] by its coefficient C_w.

    Source: Munro-Smith's formula, Fossen (2021), section 4.2.3.
    """
    return L * B**3 / 12 * 6 * C_w**3 / ((1 + C_w) * (1 + 2 * C_w))


def morrish(T: float, nabla: float, A_wp: float) -> float:
    """Return the height KB of the centre of buoyancy over the keel [m].

    Args:
        T: draft [m]. nabla: displaced volume [m³]. A_wp: area of the waterplane [m²].

    Source: Morrish's formula, Fossen (2021), section 4.2.3.
    """
    return (5 * T / 2 - nabla / A_wp) / 3


def metacentric_height(nabla: float, moment: float, KB: float, KG: float) -> float:
    """Return GM = BM + KB - KG [m], transverse or longitudinal by the second moment given.

    Args:
        nabla: displaced volume [m³].
        moment: second moment of the waterplane [m⁴].
        KB, KG: heights of the centres of buoyancy and gravity over the keel [m].

    Raises:
        InvalidValue: the volume is not positive.
    """
    if not nabla > 0:
        raise InvalidValue(f"displaced volume {nabla} m³: expected a number above zero")
    return moment / nabla + KB - KG
