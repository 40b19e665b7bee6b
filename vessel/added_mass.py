"""Added mass of spheroids and ships, by formulas, regression and acceleration derivatives.

Matrices are 6 x 6 about CO. ``C_A`` is ``vessel.rigid_body.m2c`` of any of these.

Source: Fossen (2021), section 8.4; checked against MSS imlay61.m, spheroid.m, addedMassSurge.m.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array
from steerageway.vessel.rigid_body import m2c, rbody
from steerageway.world.constants import DENSITY

FORCES, RATES = "XYZKMN", "uvwpqr"


def imlay61(
    a: float, b: float, nu: ArrayLike, r44: float = 0.0, rho: float = 1026.0
) -> tuple[Array, Array]:
    """Return M_A and C_A of a prolate spheroid with CO at its centre.

    Args:
        a, b: half its length and half its diameter [m], a > b.
        nu: (6,) velocity relative to the water [m/s, rad/s].
        r44: added moment of inertia in roll over the hull's own; 0.2 to 0.4 with fins.
        rho: density of water [kg/m³].

    Raises:
        InvalidValue: the spheroid is not prolate.

    Source: F. H. Imlay (1961), DTMB Report 1528; H. Lamb (1932), Hydrodynamics.
    """
    m, I_x, I_y = _spheroid_inertia(a, b, rho)
    e2 = 1 - (b / a) ** 2
    e = sqrt(e2)
    spread = log((1 + e) / (1 - e))
    alpha_0 = 2 * (1 - e2) / e**3 * (spread / 2 - e)
    beta_0 = 1 / e2 - (1 - e2) / (2 * e**3) * spread
    k1, k2 = alpha_0 / (2 - alpha_0), beta_0 / (2 - beta_0)
    difference = beta_0 - alpha_0
    k_prime = e2**2 * difference / ((2 - e2) * (2 * e2 - (2 - e2) * difference))
    M_A = np.diag([m * k1, m * k2, m * k2, r44 * I_x, k_prime * I_y, k_prime * I_y])
    return M_A, m2c(M_A, nu)


def spheroid(
    a: float, b: float, nu2: ArrayLike, r_bG: ArrayLike, rho: float = DENSITY
) -> tuple[Array, Array]:
    """Return M_RB and C_RB of a neutrally buoyant prolate spheroid.

    Args:
        a, b: half its length and half its diameter [m], a > b.
        nu2: (3,) angular velocity [rad/s].
        r_bG: (3,) centre of gravity from CO [m].
        rho: density of water [kg/m³].

    Raises:
        InvalidValue: the spheroid is not prolate.

    Source: Fossen (2021), section 8.4.2.
    """
    m, I_x, I_y = _spheroid_inertia(a, b, rho)
    R44, R55 = sqrt(I_x / m), sqrt(I_y / m)
    return rbody(m, R44, R55, R55, nu2, r_bG)


def _spheroid_inertia(a: float, b: float, rho: float) -> tuple[float, float, float]:
    if not a > b > 0:
        raise InvalidValue(f"spheroid of semi-axes {a} and {b} m: expected a > b > 0")
    m = 4 / 3 * pi * rho * a * b**2
    return m, 2 / 5 * m * b**2, (a**2 + b**2) * m / 5


def addedMassSurge(m: float, L: float, rho: float = DENSITY) -> tuple[float, float]:
    """Return a ship's added mass in surge [kg], and its ratio to the ship's mass.

    Args:
        m: mass [kg]. L: length [m]. rho: density of water [kg/m³].

    Source: H. Söding (1982), "Prediction of ship steering capabilities", Schiffstechnik 29.
    """
    A11 = 2.7 * rho * (m / rho) ** (5 / 3) / L**2
    return A11, A11 / m


def M_A(derivatives: Mapping[str, float]) -> Array:
    """Return M_A (6, 6) from acceleration derivatives: ``Y_rd`` is -M_A in row Y, column r.

    Args:
        derivatives: names such as ``X_ud``, ``Y_rd``, ``N_vd``, dimensional
            [kg, kg m, kg m²]; omitted ones are 0.

    Raises:
        InvalidValue: a name is not of this form.
    """
    matrix = np.zeros((6, 6))
    for name, value in derivatives.items():
        force, _, rate = name.partition("_")
        if len(force) != 1 or force not in FORCES or rate not in [f"{r}d" for r in RATES]:
            raise InvalidValue(
                f"{name}: expected a force of X Y Z K M N, '_', a rate of u v w p q r and 'd'"
            )
        matrix[FORCES.index(force), RATES.index(rate[0])] = -value
    return matrix


def clarke83(L: float, B: float, T: float, C_b: float) -> tuple[list[float], list[float]]:
    """Return nondimensional (prime) added mass and damping of sway and yaw: 22, 23, 32, 33 of each.

    Args:
        L, B, T: length, beam and draft [m].
        C_b: block coefficient.

    Source: D. Clarke, P. Gedling and G. Hine (1983), The application of manoeuvring criteria in
    hull design using linear theory, Trans. RINA 125, table of multiple linear regressions.
    """
    S = pi * (T / L) ** 2
    added = [
        1 + 0.16 * C_b * B / T - 5.1 * (B / L) ** 2,
        0.67 * B / L - 0.0033 * (B / T) ** 2,
        1.1 * B / L - 0.041 * B / T,
        1 / 12 + 0.017 * C_b * B / T - 0.33 * B / L,
    ]
    damping = [
        1 + 0.4 * C_b * B / T,
        -1 / 2 + 2.2 * B / L - 0.08 * B / T,
        1 / 2 + 2.4 * T / L,
        1 / 4 + 0.039 * B / T - 0.56 * B / L,
    ]
    return [S * value for value in added], [S * value for value in damping]
