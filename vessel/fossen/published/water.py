"""How the moving water meets a hull: the current seen in BODY, and what its turning adds."""

from __future__ import annotations

from math import cos, sin

from steerageway.vessel import kinematics
from steerageway.vessel.fossen.attitude import eta_rates
from steerageway.vessel.fossen.dynamics import CURRENT_D, CURRENT_E, CURRENT_N, Floats
from steerageway.world.compiled import compiled, part

ned_to_body = part(kinematics.ned_to_body)


@compiled
def begin(x: Floats, surroundings: Floats, dx: Floats) -> tuple[float, float, float]:
    """Write the rate of eta, and of nu what the current's turning makes of it.

    Returns: the current's velocity in BODY [m/s].
    """
    eta_rates(x, dx)
    dx[6:12] = 0.0
    u_c, v_c, w_c = current_in_body(x, surroundings)
    add_current_rate(x, u_c, v_c, w_c, dx)
    return u_c, v_c, w_c


@compiled
def current_in_body(x: Floats, surroundings: Floats) -> tuple[float, float, float]:
    """Give the current's velocity in BODY [m/s]: the transpose of R(phi, theta, psi) times it.

    Source: Fossen (2021), equations 2.31 and 10.150.
    """
    north, east, down = surroundings[CURRENT_N], surroundings[CURRENT_E], surroundings[CURRENT_D]
    cphi, sphi = cos(x[3]), sin(x[3])
    cth, sth = cos(x[4]), sin(x[4])
    return ned_to_body(north, east, down, cphi, sphi, cth, sth, cos(x[5]), sin(x[5]))


@compiled
def current_by_heading(x: Floats, surroundings: Floats) -> tuple[float, float]:
    """Give the horizontal current ahead and to starboard [m/s], as a level vessel meets it."""
    cpsi, spsi = cos(x[5]), sin(x[5])
    north, east = surroundings[CURRENT_N], surroundings[CURRENT_E]
    return cpsi * north + spsi * east, cpsi * east - spsi * north


@compiled
def add_current_rate(x: Floats, u_c: float, v_c: float, w_c: float, dx: Floats) -> None:
    """Add to ``dx`` how fast a constant current changes in BODY because the vessel turns.

    Source: Fossen (2021), section 10.3: -S(omega) nu_c.
    """
    p, q, r = x[9], x[10], x[11]
    dx[6] += r * v_c - q * w_c
    dx[7] += p * w_c - r * u_c
    dx[8] += q * u_c - p * v_c


@compiled
def way(u: float, full: float) -> float:
    """Give the direction of the way on, from -1 astern to 1 ahead; between in proportion.

    Resistance that a source writes as an even power for a ship with way on ahead opposes the
    motion astern too with this factor, which is 1 from ``full`` on and turns without a jump.
    """
    return max(-1.0, min(1.0, u / full))
