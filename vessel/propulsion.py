"""Propellers: Wageningen B-series, thrust and torque by advance ratio.

Source: M. M. Barnitsas, D. Ray, P. Kinley (1981), "K_T, K_Q and efficiency curves for the
Wageningen B-series propellers", University of Michigan, Report 237; checked against MSS
wageningen.m.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array
from steerageway.world.constants import DENSITY
from steerageway.world.formula import formula

PITCHES, AREAS, BLADES = (0.5, 1.4), (0.3, 1.05), (2, 7)  # P/D, A_E/A_0, z of the series

# Coefficient, then the powers of J, P/D, A_E/A_0 and the number of blades.
_K_T = np.array(
    [
        (0.00880496, 0, 0, 0, 0), (-0.204554, 1, 0, 0, 0), (0.166351, 0, 1, 0, 0),
        (0.158114, 0, 2, 0, 0), (-0.147581, 2, 0, 1, 0), (-0.481497, 1, 1, 1, 0),
        (0.415437, 0, 2, 1, 0), (0.0144043, 0, 0, 0, 1), (-0.0530054, 2, 0, 0, 1),
        (0.0143481, 0, 1, 0, 1), (0.0606826, 1, 1, 0, 1), (-0.0125894, 0, 0, 1, 1),
        (0.0109689, 1, 0, 1, 1), (-0.133698, 0, 3, 0, 0), (0.00638407, 0, 6, 0, 0),
        (-0.00132718, 2, 6, 0, 0), (0.168496, 3, 0, 1, 0), (-0.0507214, 0, 0, 2, 0),
        (0.0854559, 2, 0, 2, 0), (-0.0504475, 3, 0, 2, 0), (0.010465, 1, 6, 2, 0),
        (-0.00648272, 2, 6, 2, 0), (-0.00841728, 0, 3, 0, 1), (0.0168424, 1, 3, 0, 1),
        (-0.00102296, 3, 3, 0, 1), (-0.0317791, 0, 3, 1, 1), (0.018604, 1, 0, 2, 1),
        (-0.00410798, 0, 2, 2, 1), (-0.000606848, 0, 0, 0, 2), (-0.0049819, 1, 0, 0, 2),
        (0.0025983, 2, 0, 0, 2), (-0.000560528, 3, 0, 0, 2), (-0.00163652, 1, 2, 0, 2),
        (-0.000328787, 1, 6, 0, 2), (0.000116502, 2, 6, 0, 2), (0.000690904, 0, 0, 1, 2),
        (0.00421749, 0, 3, 1, 2), (5.65229e-05, 3, 6, 1, 2), (-0.00146564, 0, 3, 2, 2),
    ]
)  # fmt: skip
_K_Q = np.array(
    [
        (0.00379368, 0, 0, 0, 0), (0.00886523, 2, 0, 0, 0), (-0.032241, 1, 1, 0, 0),
        (0.00344778, 0, 2, 0, 0), (-0.0408811, 0, 1, 1, 0), (-0.108009, 1, 1, 1, 0),
        (-0.0885381, 2, 1, 1, 0), (0.188561, 0, 2, 1, 0), (-0.00370871, 1, 0, 0, 1),
        (0.00513696, 0, 1, 0, 1), (0.0209449, 1, 1, 0, 1), (0.00474319, 2, 1, 0, 1),
        (-0.00723408, 2, 0, 1, 1), (0.00438388, 1, 1, 1, 1), (-0.0269403, 0, 2, 1, 1),
        (0.0558082, 3, 0, 1, 0), (0.0161886, 0, 3, 1, 0), (0.00318086, 1, 3, 1, 0),
        (0.015896, 0, 0, 2, 0), (0.0471729, 1, 0, 2, 0), (0.0196283, 3, 0, 2, 0),
        (-0.0502782, 0, 1, 2, 0), (-0.030055, 3, 1, 2, 0), (0.0417122, 2, 2, 2, 0),
        (-0.0397722, 0, 3, 2, 0), (-0.00350024, 0, 6, 2, 0), (-0.0106854, 3, 0, 0, 1),
        (0.00110903, 3, 3, 0, 1), (-0.000313912, 0, 6, 0, 1), (0.0035985, 3, 0, 1, 1),
        (-0.00142121, 0, 6, 1, 1), (-0.00383637, 1, 0, 2, 1), (0.0126803, 0, 2, 2, 1),
        (-0.00318278, 2, 3, 2, 1), (0.00334268, 0, 6, 2, 1), (-0.00183491, 1, 1, 0, 2),
        (0.000112451, 3, 2, 0, 2), (-2.97228e-05, 3, 6, 0, 2), (0.000269551, 1, 0, 1, 2),
        (0.00083265, 2, 0, 1, 2), (0.00155334, 0, 2, 1, 2), (0.000302683, 0, 6, 1, 2),
        (-0.0001843, 0, 0, 2, 2), (-0.000425399, 0, 3, 2, 2), (8.69243e-05, 3, 3, 2, 2),
        (-0.0004659, 0, 6, 2, 2), (5.54194e-05, 1, 6, 2, 2),
    ]
)  # fmt: skip


def wageningen(Ja: ArrayLike, PD: float, AEAO: float, z: int) -> tuple[Array, Array]:
    """Return K_T and K_Q of a B-series propeller turning ahead.

    The polynomials are for open water at a Reynolds number of 2e6.

    Args:
        Ja: advance ratios ``V_a / (n D)``, any shape.
        PD: pitch over diameter, 0.5 to 1.4.
        AEAO: blade area ratio, 0.3 to 1.05.
        z: number of blades, 2 to 7.

    Raises:
        InvalidValue: a propeller outside of the series.
    """
    _check(PD, AEAO, z)
    J = np.asarray(Ja, np.float64)
    return _polynomial(_K_T, J, PD, AEAO, z), _polynomial(_K_Q, J, PD, AEAO, z)


def wageningen_cubics(PD: float, AEAO: float, z: int) -> tuple[Array, Array]:
    """Return K_T and K_Q of a B-series propeller as coefficients (4,) of J^0 to J^3.

    Args and errors: as for ``wageningen``.
    """
    _check(PD, AEAO, z)
    K_T, K_Q = (
        np.array([terms[table[:, 1] == power].sum() for power in range(4)])
        for table, terms in ((table, _terms(table, PD, AEAO, z)) for table in (_K_T, _K_Q))
    )
    return K_T, K_Q


def _check(PD: float, AEAO: float, z: int) -> None:
    (P_low, P_high), (A_low, A_high), (z_low, z_high) = PITCHES, AREAS, BLADES
    if not (P_low <= PD <= P_high and A_low <= AEAO <= A_high and z_low <= z <= z_high):
        raise InvalidValue(
            f"propeller of P/D {PD}, A_E/A_0 {AEAO}, {z} blades: expected {P_low:g} to {P_high:g}, "
            f"{A_low:g} to {A_high:g}, {z_low} to {z_high}"
        )


def _terms(table: Array, PD: float, AEAO: float, z: int) -> Array:
    coefficients, _, t, u, v = table.T
    terms: Array = coefficients * PD**t * AEAO**u * float(z) ** v
    return terms


def _polynomial(table: Array, J: Array, PD: float, AEAO: float, z: int) -> Array:
    total: Array = J[..., np.newaxis] ** table[:, 1] @ _terms(table, PD, AEAO, z)
    return total


Curve = Callable[[float], tuple[float, float]]


def thrust_and_torque(
    n: float, V_a: float, D: float, curve: Curve, rho: float = DENSITY
) -> tuple[float, float]:
    """Return thrust [N] and torque [N m] of a propeller.

    Turning astern while going astern, the propeller is taken as in ahead operation; where it turns
    against the flow, in a crash stop, the coefficients are those of J = 0: the series was measured
    for ahead operation only.

    Args:
        n: revolutions per **second**, negative astern.
        V_a: speed of advance, ``(1 - w) u_r`` [m/s].
        D: diameter [m].
        curve: function of the advance ratio that returns (K_T, K_Q).
        rho: density of water [kg/m³].
    """
    advance = measured_advance(n, V_a, D)
    K_T, K_Q = curve(advance / n if n != 0.0 else 0.0)
    return thrust_of(rho, D, K_T * n * abs(n)), torque_of(rho, D, K_Q * n * abs(n))


@formula
def measured_advance(n: float, V_a: float, D: float) -> float:
    """Return J n = V_a / D [1/s] where the propeller advances in the direction of its thrust.

    There measured curves are valid, ahead, or taken as valid, astern. Elsewhere it is 0.

    Args:
        n: revolutions per second, negative astern.
        V_a: speed of advance [m/s], negative for inflow from behind.
        D: diameter [m].
    """
    advance = V_a / D
    if n == 0.0 or (n < 0.0) != (advance < 0.0):
        advance = 0.0
    return advance


@formula
def by_line(n: float, advance: float, K_0: float, K_slope: float) -> float:
    """Return K n|n| [1/s²] of a coefficient K = K_0 + K_slope J.

    Args:
        n: revolutions per second.
        advance: J n [1/s].

    Source: Fossen (2021), equations 9.7 and 9.8.
    """
    return K_0 * n * abs(n) + K_slope * advance * abs(n)


@formula
def by_cubic(
    n: float, advance: float, J_end: float, K_0: float, K_1: float, K_2: float, K_3: float
) -> float:
    """Return K n|n| [1/s²] of a coefficient that is cubic in J up to J_end, then its tangent.

    Args:
        n: revolutions per second.
        advance: J n [1/s].
        J_end: start of the tangent, as the zero of K_T.
        K_0, K_1, K_2, K_3: of J^0 to J^3, as returned by ``wageningen_cubics``.
    """
    J = min(advance / n, J_end) if n != 0.0 else 0.0
    beyond = advance - J * n
    total = (K_0 + J * (K_1 + J * (K_2 + J * K_3))) * (n * abs(n))
    if beyond * n > 0.0:
        total += (K_1 + J * (2.0 * K_2 + J * 3.0 * K_3)) * beyond * abs(n)
    return total


@formula
def thrust_of(rho: float, D: float, K_T_square: float) -> float:
    """Return a propeller's thrust [N] from K_T n|n| [1/s²].

    A thrust deduction is applied as a factor on the density.
    """
    return rho * (D * D * D * D) * K_T_square


@formula
def torque_of(rho: float, D: float, K_Q_square: float) -> float:
    """Return a propeller's torque [N m] from K_Q n|n| [1/s²]."""
    return rho * (D * D * D * D) * D * K_Q_square
