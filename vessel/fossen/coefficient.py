"""The coefficient-form vessel: six degrees of freedom after Fossen (2021), from files or arrays.

M nu_dot_r + C_RB(nu_r) nu_r + C_A(nu_r) nu_r + D(nu_r) nu_r + g(eta) = tau.
Source: Fossen (2021), equations 10.151 to 10.155.
"""

from __future__ import annotations

from vessel.fossen import actuation, hull, steps, strips
from vessel.fossen.compiled import compiled
from vessel.fossen.dynamics import Floats
from vessel.fossen.layout import PUSH, Parameters


@compiled
def derivative(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats) -> None:
    """Write dx/dt; until its last line the first half of ``dx`` holds nu_r."""
    nu_r, tau = dx[:6], dx[6:12]
    tau[:] = 0.0
    tau[0] = p.scalars[PUSH]
    hull.relative_velocity(p, x, surroundings, nu_r)
    hull.coriolis(p, nu_r, tau)
    hull.damping(p, x, nu_r, tau)
    hull.lift(p, nu_r, tau)
    strips.cross_flow(p, nu_r, tau)
    hull.restoring(p, x, tau)
    hull.wind(p, x, surroundings, tau)
    actuation.forces(p, x, command, nu_r, tau)
    hull.accelerate(p, x, nu_r, tau)
    actuation.rates(p, x, command, dx)
    hull.pose_rates(p, x, dx)


MODEL = steps.of(derivative, actuation.before, actuation.after)
