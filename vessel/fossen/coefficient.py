"""Coefficient-form vessel model: six degrees of freedom after Fossen (2021).

M nu_dot_r + C_RB(nu_r) nu_r + C_A(nu_r) nu_r + D(nu_r) nu_r + g(eta) = tau.
Source: Fossen (2021), equations 10.151 to 10.155.
"""

from __future__ import annotations

from steerageway.vessel.fossen import actuation, hull, sails, steps, strips
from steerageway.vessel.fossen.layout import TAU, Parameters
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, pointer, record


@compiled
def derivative(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats) -> None:
    """Write dx/dt; until the last lines ``dx`` contains nu_r and the wrench, see ``layout.TAU``."""
    # bare pointers avoid reference counting at every call, see ``world.compiled``
    s, m, terms, values = (
        record(pointer(p.scalars), 0),
        pointer(p.matrices),
        pointer(p.terms),
        pointer(p.values),
    )
    channels, effectors, tables = pointer(p.channels), pointer(p.effectors), pointer(p.tables)
    xs, u, d, around = pointer(x), pointer(command), pointer(dx), pointer(surroundings)
    for i in range(6):
        d[TAU + i] = 0.0
    d[TAU] = s.push
    hull.relative_velocity(s, xs, around, d)
    hull.coriolis(s, m, d, d)
    hull.damping(s, terms, values, len(p.values), xs, d, d)
    hull.resistance(s, tables, d, d)
    hull.lift(s, d, d)
    strips.cross_flow(s, tables, d, d)
    hull.restoring(s, m, xs, d)
    hull.wind(s, xs, around, d)
    count = len(p.effectors)
    sails.forces(s, channels, effectors, count, tables, xs, u, around, d)
    actuation.forces(s.density, channels, effectors, 0, count, tables, xs, u, d, d)
    # from here on the wrench in dx is replaced by accelerations, then nu_r by the pose rates
    hull.accelerate(s, m, xs, d, d)
    actuation.rates(channels, len(command), xs, u, d)
    hull.pose_rates(s, m, xs, d)


MODEL = steps.of(derivative, actuation.before, actuation.after, smooth=actuation.smooth)
