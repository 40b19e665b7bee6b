"""Four-quadrant propeller coefficients: thrust and torque ahead, astern, and either rotation.

With V the speed of advance, n the revolutions per second and D the diameter,

        beta = atan2(V, 0.7 pi n D)      advance angle at 0.7 of the radius
    T = C_T*(beta) 1/2 rho (V^2 + (0.7 pi n D)^2) pi/4 D^2
    Q = C_Q*(beta) 1/2 rho (V^2 + (0.7 pi n D)^2) pi/4 D^3

so that a stopped propeller, or one driven by the flow, has forces as well. The
coefficients are a Fourier series, a table over beta, or of the blade section at 0.7 radius.

Source: van Lammeren, van Manen and Oosterveld (1969), The Wageningen B-screw series, SNAME.
"""

from __future__ import annotations

from itertools import pairwise
from math import pi

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.world.arrays import Floats

AT = 0.7  # fraction of the radius of the representative blade section
HARMONICS = 4  # of a foil's series: products of one angle and twice another have no more
WIDEST = 45.0  # maximum interval between two points of a table [deg]
SIGNS = ((0.0, 1.0, "ahead"), (pi, -1.0, "astern"))
FLOWS = ((0.5 * pi, -1.0, "stopped, going ahead"), (-0.5 * pi, 1.0, "stopped, going astern"))


def foil_series(KT: float, KQ: float, pitch_ratio: float) -> tuple[Floats, Floats]:
    """Return the series (k, 2) of C_T* and C_Q* of a blade modelled as a flat plate in any flow.

    Its lift is C_L sin 2 alpha and its drag C_D (1 - cos 2 alpha), with alpha the blade's pitch
    angle minus beta; C_L and C_D are such that K_T and K_Q at rest result. Thrust ahead vanishes
    where J is the pitch ratio; astern is symmetric.

    Args:
        KT, KQ: at J = 0. pitch_ratio: pitch over diameter.

    Source: Healey, Rock, Cody, Miles and Brown (1995), Toward an improved understanding of thruster
        dynamics for underwater vehicles, IEEE Journal of Oceanic Engineering 20, equations 10-13.
    """
    pitch = np.arctan(pitch_ratio / (AT * pi))
    star = 8.0 / (pi * (AT * pi) ** 2)
    lift = KT * star / np.sin(2.0 * pitch)
    drag = KQ * star / (0.5 * AT * (1.0 - np.cos(2.0 * pitch)))
    beta = 2.0 * pi * np.arange(4 * HARMONICS) / (4 * HARMONICS)
    L, D = lift * np.sin(2.0 * (pitch - beta)), drag * (1.0 - np.cos(2.0 * (pitch - beta)))
    thrust = L * np.cos(beta) - D * np.sin(beta)
    torque = 0.5 * AT * (L * np.sin(beta) + D * np.cos(beta))
    return series(beta, thrust), series(beta, torque)


def series(beta: Floats, values: Floats) -> Floats:
    """Return cosine and sine coefficients (HARMONICS, 2) of values at equal steps over 2 pi."""
    k = np.arange(HARMONICS)[:, None] * beta
    both = np.array([np.cos(k) @ values, np.sin(k) @ values]).T * 2.0 / len(beta)
    both[0] *= 0.5
    return both


def of_series(coefficients: Floats, beta: float) -> float:
    """Return the sum of a_k cos k beta + b_k sin k beta, for rows (a_k, b_k) from k = 0."""
    k = np.arange(len(coefficients))
    return float(coefficients[:, 0] @ np.cos(k * beta) + coefficients[:, 1] @ np.sin(k * beta))


def closed(rows: Floats) -> Floats:
    """Return a table of beta [deg], C_T*, C_Q* as a periodic one from -pi to pi [rad].

    Raises:
        InvalidValue: an angle occurs twice, or an interval is too wide.
    """
    angles = (rows[:, 0] + 180.0) % 360.0 - 180.0
    order = np.argsort(angles)
    angles, values = angles[order], rows[order, 1:]
    after = np.append(angles, angles[0] + 360.0)
    for one, other in pairwise(after.tolist()):
        if not 0.0 < other - one <= WIDEST:
            raise InvalidValue(f"beta from {one:g} to {(other + 180) % 360 - 180:g} degrees")
    ends = [float(np.interp(180.0, after, np.append(v, v[0]))) for v in values.T]
    inner = angles > -180.0
    table = np.column_stack((np.radians(angles[inner]), values[inner]))
    first, last = [-pi, *ends], [pi, *ends]
    return np.vstack((first, table, last))


def wrong_side(thrust: list[float], torque: list[float]) -> str:
    """Return which thrust or torque of a propeller has the wrong sign; "": none.

    Args:
        thrust, torque: C_T* and C_Q* at the angles of ``SIGNS``, then of ``FLOWS``.
    """
    for (_, sign, how), T, Q in zip(SIGNS, thrust, torque, strict=False):
        if not (sign * T > 0.0 and sign * Q > 0.0):
            return f"turning {how} at rest it has C_T* {T:g} and C_Q* {Q:g}"
    for (_, sign, how), T in zip(FLOWS, thrust[len(SIGNS) :], strict=True):
        if not sign * T >= 0.0:
            return f"{how}, it has C_T* {T:g}"
    return ""
