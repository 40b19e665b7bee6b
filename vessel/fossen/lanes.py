"""Batches of vessels, eight at a time: ``derivative`` of ``coefficient`` in lanes.

The texts of the forces are those of a single vessel, with eight numbers in each entry of their
arrays. States differ from those of a single vessel in the last digits.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import cos, inf
from typing import Any

import numpy as np

from steerageway.vessel.fossen import actuation, coefficient, hull, strips
from steerageway.vessel.fossen.attitude import eta_rates
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.layout import CLIP_COMMAND, DIRECT, LAG, TAU, THRUSTER, Parameters
from steerageway.vessel.fossen.plain import first_steps
from steerageway.vessel.fossen.state import (
    ACTUATORS,
    MAX_RATE,
    MAX_SPEED,
    P_,
    PHI,
    PSI,
    Q_,
    R_,
    SURROUNDINGS,
    THETA,
    TIME,
    U_,
    V_,
    W_,
)
from steerageway.vessel.fossen.steps import MIN_COS_PITCH
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part, pointer, record
from steerageway.world.formula import chosen
from steerageway.world.lanes import LANES, WIDEST, aligned, lanes


def in_lanes(vessel: Dynamics) -> Dynamics:
    """Return a vessel whose steps and batches are made in lanes, if it is simple; others as given.

    That is one that floats or is held, without payload, sails, wind and tables, with thrusters that
    do not turn and follow at once or with a lag. What lanes cannot do, its rates and a step that
    fails, is evaluated in Python: compiling the model of a single vessel would take longer than all
    of that.
    """
    if vessel.scheme("batch") is not coefficient.MODEL.rk4_batch or not _is_simple(vessel):
        return vessel
    single: Any = first_steps(vessel.model, "rk4")
    made: Any = {"rk4": partial(_step_one, single.rk4), "rk4_batch": partial(_step_all, single.rk4)}
    return replace(vessel, model=single._replace(**made))


def _is_simple(vessel: Dynamics) -> bool:
    p: Parameters = vessel.parameters  # type: ignore[assignment]
    s = p.scalars
    others = ("resistance_rows", "lift_area", "cross_rows", "load_form", "sails")
    airless = s["wind_front"] + s["wind_side"] == 0.0
    box = s["cross"] == 0 or s["cross_cd"] != 0.0
    simple = airless and box and s["restoring"] != 1 and all(s[name] == 0 for name in others)
    thrusters = p.effectors["kind"] == THRUSTER
    fixed = (p.effectors["azimuth"] < 0) & (p.effectors["height"] == 0.0)
    lags = (p.channels["mode"] == LAG) & (p.channels["clip"] == CLIP_COMMAND)
    follow = (p.channels["mode"] == DIRECT) | (lags & (p.channels["rate"] == inf))
    return bool(simple and (thrusters & fixed).all() and follow.all())


def _step_one(
    single: Any, p: Parameters, x: Floats, command: Floats, around: Floats, dt: float, steps: int
) -> int:
    if batch(p, x[None], command[None], around[None], dt, steps) < 0:
        return steps
    valid: int = single(p, x, command, around, dt, steps)
    return valid


def _step_all(
    single: Any, p: Parameters, xs: Floats, commands: Floats, around: Floats, dt: float, steps: int
) -> int:
    """Step every row; return the first that failed, or -1."""
    row = 0
    while (left := batch(p, xs[row:], commands[row:], around[row:], dt, steps)) >= 0:
        row += left
        if single(p, xs[row], commands[row], around[row], dt, steps) < steps:
            return row
        row += 1
    return -1


@part
def derivative(p: Parameters, x: Floats, u: Floats, count: int, around: Floats, d: Floats) -> None:
    """Write dx/dt as ``coefficient.derivative`` does, of vessels as ``in_lanes`` says."""
    s, m = record(pointer(p.scalars), 0), pointer(p.matrices)
    channels, effectors = pointer(p.channels), pointer(p.effectors)
    for i in range(6):
        d[TAU + i] = 0.0
    d[TAU] = s.push
    hull.relative_velocity(s, x, around, d)
    hull.coriolis(s, m, d, d)
    hull.damping(s, pointer(p.terms), pointer(p.values), len(p.values), x, d, d)
    if s.cross != 0:
        strips.box(s, s.cross_cd, d, d)
    if s.restoring == 2:
        hull.stiffness(s, m, x, d)
    for i in range(len(p.effectors)):
        E = record(effectors, i)
        by = actuation.value(channels, x, u, E.channel) if E.channel >= 0 else 0.0
        thrust = actuation.polynomial(E, by)
        actuation.add_force(E, thrust * E.ahead, thrust * E.across, thrust * E.down, d)
    hull.accelerate(s, m, x, d, d)
    actuation.rates(channels, count, x, u, d)
    eta_rates(x, d)


@part
def level(x: Floats, size: int) -> float:
    """Return 1 if a state is level, see ``steps``, and its angles are not too wide; else 0."""
    whole: float = chosen(abs(cos(x[THETA])) > MIN_COS_PITCH, 1.0, 0.0)
    for i in range(size):
        whole = chosen(abs(x[i]) < (WIDEST if PHI <= i <= PSI else inf), whole, 0.0)
    speed2 = x[U_] * x[U_] + x[V_] * x[V_] + x[W_] * x[W_]
    rate2 = x[P_] * x[P_] + x[Q_] * x[Q_] + x[R_] * x[R_]
    whole = chosen(speed2 <= MAX_SPEED**2, whole, 0.0)
    return chosen(rate2 <= MAX_RATE**2, whole, 0.0)


@part
def step(
    p: Parameters,
    x: Floats,
    u: Floats,
    around: Floats,
    dt: float,
    size: int,
    count: int,
    stage: Floats,
    k: Floats,
    total: Floats,
) -> None:
    """Advance ``x`` by one step of the scheme ``steps._rk4``; the last three are work arrays."""
    for i in range(count):
        channel = record(pointer(p.channels), i)
        if channel.mode == DIRECT:
            x[ACTUATORS + i] = actuation.within(u[i], channel.low, channel.high)
    for i in range(size):
        stage[i], total[i] = x[i], 0.0
    for n in range(4):
        derivative(p, stage, u, count, around, k)
        # weights 1, 2, 2, 1 of the four stages
        weight = dt / 6.0 if n == 0 or n == 3 else dt / 3.0
        reach = dt if n == 2 else 0.5 * dt
        for i in range(size):
            total[i] += weight * k[i]
            stage[i] = x[i] + reach * k[i]
    for i in range(size):
        x[i] += total[i]


@compiled
def batch(
    p: Parameters, xs: Floats, commands: Floats, surroundings: Floats, dt: float, steps: int
) -> int:
    """Step rows by ``steps._rk4`` up to the first that lanes cannot; return that, or -1."""
    size, count, rows = xs.shape[1], commands.shape[1], xs.shape[0]
    room = np.empty(LANES * (4 * size + count + SURROUNDINGS + 2))
    numbers = aligned(pointer(room))
    x, stage, k, total = (
        lanes(numbers, 0),
        lanes(numbers, size),
        lanes(numbers, 2 * size),
        lanes(numbers, 3 * size),
    )
    u, around = lanes(numbers, 4 * size), lanes(numbers, 4 * size + count)
    valid = LANES * (4 * size + count + SURROUNDINGS)
    for first in range(0, rows, LANES):
        for lane in range(LANES):
            row = min(first + lane, rows - 1)  # the last of them in lanes to spare
            for i in range(size):
                numbers[LANES * i + lane] = xs[row, i]
            for i in range(count):
                numbers[LANES * (4 * size + i) + lane] = commands[row, i]
            for i in range(SURROUNDINGS):
                numbers[LANES * (4 * size + count + i) + lane] = surroundings[row, i]
        whole = level(x, size)
        for _ in range(steps):
            step(p, x, u, around, dt, size, count, stage, k, total)
            whole = min(whole, level(x, size))
        lanes(numbers, 4 * size + count + SURROUNDINGS)[0] = whole
        for lane in range(min(LANES, rows - first)):
            row = first + lane
            if numbers[valid + lane] == 1.0:
                for i in range(size):
                    xs[row, i] = numbers[LANES * i + lane]
                surroundings[row, TIME] += steps * dt
            else:
                return row
    return -1
