"""Current in BODY for the published models, and its rate due to the vessel's rotation."""

from __future__ import annotations

from math import cos, sin

from steerageway.vessel import kinematics
from steerageway.vessel.fossen.attitude import eta_rates
from steerageway.vessel.fossen.state import (
    CURRENT_D,
    CURRENT_E,
    CURRENT_N,
    P_,
    PHI,
    PSI,
    Q_,
    R_,
    THETA,
    U_,
    V_,
    W_,
    X_,
    Y_,
)
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part

ned_to_body = part(kinematics.ned_to_body)


@compiled
def begin(x: Floats, surroundings: Floats, dx: Floats, turns: bool) -> tuple[float, float, float]:
    """Write the rate of eta, and the current's contribution to the rate of nu.

    Args:
        turns: whether the current turns with respect to the vessel; in some references it does not.
    Returns:
        velocity of the current in BODY [m/s].
    """
    eta_rates(x, dx)
    dx[6:12] = 0.0
    u_c, v_c, w_c = current_in_body(x, surroundings)
    if turns:
        add_current_rate(x, u_c, v_c, w_c, dx)
    return u_c, v_c, w_c


@compiled
def begin_rolling(x: Floats, surroundings: Floats, dx: Floats) -> tuple[float, float]:
    """Do what ``begin`` does, for a model of surge, sway, roll and yaw alone.

    z and theta are constant: the vessel rotates with phi_dot = p and psi_dot = r cos(phi). Its
    velocity w through the water is zero, so that w is the current's: then a uniform current does
    no more than carry the vessel, heeled or not.

    Returns: velocity of the current in BODY [m/s], ahead and to starboard.
    """
    dx[0:12] = 0.0
    cphi, sphi, cpsi, spsi = cos(x[PHI]), sin(x[PHI]), cos(x[PSI]), sin(x[PSI])
    aside = cphi * x[V_] - sphi * x[W_]
    dx[X_], dx[Y_] = cpsi * x[U_] - spsi * aside, spsi * x[U_] + cpsi * aside
    dx[PHI], dx[PSI] = x[P_], cphi * x[R_]
    ahead, starboard = current_by_heading(x, surroundings)
    dx[U_] = dx[PSI] * starboard
    dx[V_] = -cphi * dx[PSI] * ahead - sphi * x[P_] * starboard
    dx[W_] = sphi * dx[PSI] * ahead - cphi * x[P_] * starboard
    return ahead, cphi * starboard


@compiled
def begin_level(x: Floats, surroundings: Floats, dx: Floats) -> tuple[float, float, float]:
    """Write the rate of eta, for equations in level axes by the heading: z and theta are constant.

    Returns: velocity through the water ahead and to starboard [m/s], rate of the heading [rad/s].
    """
    dx[0:12] = 0.0
    cphi, sphi, cpsi, spsi = cos(x[PHI]), sin(x[PHI]), cos(x[PSI]), sin(x[PSI])
    aside, yaw_rate = cphi * x[V_] - sphi * x[W_], cphi * x[R_] + sphi * x[Q_]
    dx[X_], dx[Y_] = cpsi * x[U_] - spsi * aside, spsi * x[U_] + cpsi * aside
    dx[PHI], dx[PSI] = x[P_], yaw_rate
    ahead, starboard = current_by_heading(x, surroundings)
    dx[U_], dx[V_] = yaw_rate * starboard, -yaw_rate * ahead
    return x[U_] - ahead, aside - starboard, yaw_rate


@compiled
def end_level(x: Floats, v_dot: float, r_dot: float, dx: Floats) -> None:
    """Write the rates of v, w, q and r in BODY from those in level axes, after ``begin_level``."""
    cphi, sphi, p, v_dot = cos(x[PHI]), sin(x[PHI]), x[P_], dx[V_] + v_dot
    dx[V_], dx[W_] = cphi * v_dot + p * x[W_], -sphi * v_dot - p * x[V_]
    dx[Q_], dx[R_] = sphi * r_dot + p * x[R_], cphi * r_dot - p * x[Q_]


@compiled
def current_in_body(x: Floats, surroundings: Floats) -> tuple[float, float, float]:
    """Return the current's velocity in BODY [m/s]: R(phi, theta, psi) transposed times that in NED.

    Source: Fossen (2021), equations 2.31 and 10.150.
    """
    north, east, down = surroundings[CURRENT_N], surroundings[CURRENT_E], surroundings[CURRENT_D]
    cphi, sphi = cos(x[PHI]), sin(x[PHI])
    cth, sth = cos(x[THETA]), sin(x[THETA])
    return ned_to_body(north, east, down, cphi, sphi, cth, sth, cos(x[PSI]), sin(x[PSI]))


@compiled
def current_by_heading(x: Floats, surroundings: Floats) -> tuple[float, float]:
    """Return the current ahead and to starboard [m/s] of a level vessel."""
    cpsi, spsi = cos(x[PSI]), sin(x[PSI])
    north, east = surroundings[CURRENT_N], surroundings[CURRENT_E]
    return cpsi * north + spsi * east, cpsi * east - spsi * north


@compiled
def add_current_rate(x: Floats, u_c: float, v_c: float, w_c: float, dx: Floats) -> None:
    """Add to ``dx`` the rate of a constant current in BODY due to the vessel's rotation.

    Source: Fossen (2021), section 10.3: -S(omega) nu_c.
    """
    p, q, r = x[P_], x[Q_], x[R_]
    dx[U_] += r * v_c - q * w_c
    dx[V_] += p * w_c - r * u_c
    dx[W_] += q * u_c - p * v_c


@compiled
def direction_of_motion(u: float, full: float) -> float:
    """Return the direction of motion, from -1 astern to 1 ahead; linear between.

    A resistance that a source writes as an even power for motion ahead opposes motion
    astern too with this factor, which is 1 from ``full`` and is continuous.
    """
    return max(-1.0, min(1.0, u / full))
