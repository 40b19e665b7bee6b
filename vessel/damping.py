"""Hull damping from few parameters: time constants, ITTC friction line, wing lift and drag.

Cross-flow drag is in ``vessel.cross_flow``.

Source: Fossen (2021), sections 6.4 and 6.5; checked against MSS Dmtrx.m, forceLiftDrag.m.
"""

from __future__ import annotations

from math import cos, log10, pi, sin, sqrt

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array
from steerageway.world.constants import DENSITY, VISCOSITY
from steerageway.world.formula import formula

HEAVE_DAMPING_RATIO = 0.2


def Dmtrx(
    T_126: ArrayLike, zeta_45: ArrayLike, MRB: ArrayLike, MA: ArrayLike, hydrostatics: ArrayLike
) -> Array:
    """Return the diagonal linear damping (6, 6) for specified time constants and damping ratios.

    Args:
        T_126: (3,) time constants of surge, sway and yaw [s].
        zeta_45: (2,) damping ratios of roll and pitch.
        MRB, MA: (6, 6) rigid-body and added mass about CO.
        hydrostatics: G (6, 6) of a floating craft, whose damping ratio in heave is 0.2; or
            ``[W, *r_bg, *r_bb]`` (7,) of a neutrally buoyant one, whose time constant in heave
            is that of sway.

    Raises:
        InvalidValue: hydrostatics of another shape, or a craft unstable in roll or pitch.

    Source: Fossen (2021), section 6.4.1.
    """
    mass = np.diag(np.asarray(MRB, np.float64) + np.asarray(MA, np.float64))
    T1, T2, T6 = np.asarray(T_126, np.float64)
    stiffness = _stiffness(np.asarray(hydrostatics, np.float64))
    if not (stiffness >= 0).all():
        raise InvalidValue(f"stiffness {stiffness} in heave, roll, pitch: expected none below zero")
    frequency = np.sqrt(stiffness / mass[2:5])
    zeta = np.array([HEAVE_DAMPING_RATIO, *np.asarray(zeta_45, np.float64)])
    D = np.concatenate((mass[:2] / [T1, T2], 2 * zeta * frequency * mass[2:5], mass[5:] / T6))
    if stiffness[0] == 0:
        D[2] = mass[2] / T2
    return np.diag(D)


def _stiffness(hydrostatics: Array) -> Array:
    """Return the stiffness (3,) of heave, roll and pitch."""
    if hydrostatics.shape == (6, 6):
        return np.diag(hydrostatics)[2:5]
    if hydrostatics.shape == (7,):
        righting = hydrostatics[0] * (hydrostatics[3] - hydrostatics[6])
        return np.array([0.0, righting, righting])
    raise InvalidValue(f"hydrostatics of shape {hydrostatics.shape}: expected (6, 6) or (7,)")


def ittc57(reynolds: float) -> float:
    """Return the friction coefficient of a turbulent flat plate.

    Raises:
        InvalidValue: a Reynolds number of 100 or less, where the line is not defined.

    Source: ITTC (1957) model-ship correlation line.
    """
    if not reynolds > 100:
        raise InvalidValue(f"Reynolds number {reynolds:g}: expected more than 100")
    return ittc57_line(reynolds)


@formula
def ittc57_line(reynolds: float) -> float:
    """Return the friction coefficient of ``ittc57``, of a Reynolds number above its pole at 100."""
    return 0.075 / (log10(reynolds) - 2.0) ** 2


def friction(
    u_r: float,
    S: float,
    L: float,
    k: float = 0.1,
    rho: float = DENSITY,
    viscosity: float = VISCOSITY,
) -> float:
    """Return the surge force X [N] of friction on a hull; 0 at rest.

    Args:
        u_r: speed through the water [m/s].
        S, L: wetted surface [m²] and length [m].
        k: form factor: the hull's drag relative to a flat plate's, less 1.
        rho, viscosity: of the water [kg/m³, m²/s]; default: sea water of 15 °C.

    Source: Fossen (2021), equation 6.88, with the ITTC 1957 line.
    """
    if u_r == 0:
        return 0.0
    reynolds = max(abs(u_r) * L / viscosity, 1000.0)  # ITTC's line is singular at 100
    return -0.5 * rho * S * (1 + k) * ittc57(reynolds) * abs(u_r) * u_r


def coeffLiftDrag(
    b: float, S: float, CD_0: float, alpha: float, e: float = 0.3
) -> tuple[float, float]:
    """Return the lift and drag coefficients of a hull as a wing of small aspect ratio.

    Args:
        b, S: span [m] and area [m²].
        CD_0: drag coefficient at zero angle of attack.
        alpha: angle of attack [rad].
        e: Oswald efficiency factor. MSS takes 0.3, the Python Vehicle Simulator 0.7.

    Source: R. W. Beard and T. W. McLain (2012), Small Unmanned Aircraft, section 4.2.
    """
    return wing_coefficients(b**2 / S, CD_0, e, alpha)


def forceLiftDrag(
    b: float,
    S: float,
    CD_0: float,
    alpha: float,
    U_r: float,
    e: float = 0.3,
    rho: float = 1026.0,
) -> Array:
    """Return the lift and drag (6,) of a hull as a wing, X and Z, in BODY [N].

    Args:
        alpha: angle of attack, ``atan2(w_r, u_r)`` [rad].
        U_r: speed through the water in the plane of the angle [m/s].
        rho: density of water [kg/m³].
        b, S, CD_0, e: see ``coeffLiftDrag``.
    """
    CL, CD = coeffLiftDrag(b, S, CD_0, alpha, e)
    X, Z = wing_force(0.5 * rho * U_r**2 * S, CL, CD, alpha)
    return np.array([X, 0, Z, 0, 0, 0])


@formula
def wing_coefficients(aspect: float, CD_0: float, e: float, alpha: float) -> tuple[float, float]:
    """Return the lift and drag coefficients of a wing by aspect ratio; see ``coeffLiftDrag``."""
    CL = pi * aspect * alpha / (1.0 + sqrt(1.0 + (aspect / 2.0) * (aspect / 2.0)))
    return CL, CD_0 + CL * CL / (pi * e * aspect)


@formula
def wing_force(pressure: float, CL: float, CD: float, alpha: float) -> tuple[float, float]:
    """Return X and Z [N] in BODY of lift, perpendicular to the flow, and drag, along it.

    Args:
        pressure: 1/2 rho U_r² S [N].
        CL, CD: coefficients of lift and drag.
        alpha: angle of attack [rad].

    Source: Fossen (2021), section 8.3.
    """
    X = -pressure * (CD * cos(alpha) - CL * sin(alpha))
    Z = -pressure * (CD * sin(alpha) + CL * cos(alpha))
    return X, Z
