"""The coefficient-form vessel: six degrees of freedom after Fossen (2021), from files or arrays.

M nu_dot_r + C_RB(nu_r) nu_r + C_A(nu_r) nu_r + D(nu_r) nu_r + g(eta) = tau.
Source: Fossen (2021), equations 10.151 to 10.155.
"""

from __future__ import annotations

from vessel.fossen import actuation, hull, steps, strips
from vessel.fossen.compiled import compiled
from vessel.fossen.dynamics import Floats
from vessel.fossen.layout import DENSITY, PUSH, TAU, Parameters


@compiled
def derivative(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats) -> None:
    """Write dx/dt; until the last lines ``dx`` holds nu_r and the wrench, see ``layout.TAU``."""
    s, m, terms, values, channels, effectors, tables = p
    for i in range(6):
        dx[TAU + i] = 0.0
    dx[TAU] = s[PUSH]
    hull.relative_velocity(s, x, surroundings, dx)
    hull.coriolis(s, m, dx, dx)
    hull.damping(s, terms, values, x, dx, dx)
    hull.lift(s, dx, dx)
    strips.cross_flow(s, tables, dx, dx)
    hull.restoring(s, m, x, dx)
    hull.wind(s, x, surroundings, dx)
    actuation.forces(s[DENSITY], channels, effectors, tables, x, command, dx, dx)
    hull.accelerate(s, m, x, dx, dx)
    actuation.rates(channels, x, command, dx)
    hull.pose_rates(s, m, x, dx)


MODEL = steps.of(derivative, actuation.before, actuation.after)
