"""Fixed steps of a compiled right-hand side.

``of(derivative)`` makes a model's steps. numba keeps no compiled function on disk that is given
another as an argument, so the bodies below name ``derivative``, ``before``, ``after`` and
``scheme`` as globals, and ``of`` compiles a copy of each body in which these are the model's.

All move ``x`` in place, ``steps`` times by ``dt``, and with it the time in ``surroundings``, which
each stage sees as it is then. They give how many steps were good: fewer than asked for when the
next state would not be finite or would leave the envelope; ``x`` is then the last good state.
Scratch arrays are made for each call, none for each step.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, isfinite
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit

from steerageway.vessel.fossen.attitude import euler_of_quaternion, pose_rates, quaternion_of_euler
from steerageway.vessel.fossen.compiled import compiled
from steerageway.vessel.fossen.dynamics import (
    MAX_RATE,
    MAX_SPEED,
    TIME,
    Derivative,
    Floats,
    Hook,
    Model,
)

MIN_COS_PITCH = 1e-9  # nearer to a pitch of 90 degrees, Euler angles' rates mean nothing


@compiled
def good(x: Floats) -> bool:
    """Say whether a state is finite and within the envelope."""
    for i in range(x.size):
        if not isfinite(x[i]):
            return False
    speed2 = x[6] ** 2 + x[7] ** 2 + x[8] ** 2
    rate2 = x[9] ** 2 + x[10] ** 2 + x[11] ** 2
    return bool(speed2 <= MAX_SPEED**2 and rate2 <= MAX_RATE**2)


@compiled
def level(x: Floats) -> bool:
    """Say whether the state is good and its pitch away from where Euler angles fail."""
    return abs(cos(x[4])) > MIN_COS_PITCH and good(x)


@njit  # not kept on disk by itself: the models' parameter types would gather in one index
def unchanged(parameters: Any, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Leave the actuator states as they are."""


derivative: Derivative = unchanged  # what the bodies below call; ``of`` puts the model's here
before: Hook = unchanged
after: Hook = unchanged
scheme: Any = unchanged  # likewise: what moves one state, in the bodies that go on from it


def of(derivative: Derivative, before: Hook = unchanged, after: Hook = unchanged) -> Model:
    """Make a model of its compiled right-hand side and hooks; see ``vessel.fossen.dynamics``."""
    names: dict[str, Any] = {"derivative": derivative, "before": before, "after": after}

    def bound(body: Callable[..., int], name: str = "", **own: Any) -> Callable[..., int]:
        source: Any = derivative
        code = body.__code__.replace(co_filename=source.py_func.__code__.co_filename)
        name = name or body.__name__
        copy = FunctionType(code, {**globals(), **names, **own}, name)
        copy.__qualname__ = f"{source.py_func.__module__.rpartition('.')[2]}_{name}"
        return compiled(copy)

    rk4, quaternion = bound(_rk4), bound(_quaternion)
    return Model(
        derivative,
        rk4,
        bound(_euler),
        quaternion,
        bound(_batch, "_rk4_batch", scheme=rk4),
        bound(_batch, "_quaternion_batch", scheme=quaternion),
        bound(_trace, "_rk4_trace", scheme=rk4),
        bound(_trace, "_quaternion_trace", scheme=quaternion),
    )


def _rk4(
    parameters: Any,
    x: Floats,
    command: Floats,
    surroundings: Floats,
    dt: float,
    steps: int,
) -> int:
    """Step by the classical fourth-order Runge-Kutta scheme."""
    size = x.size
    work = np.empty((4, size))
    last, stage, k, total = work[0], work[1], work[2], work[3]
    start = surroundings[TIME]
    for done in range(steps):
        last[:] = x
        surroundings[TIME] = start + done * dt
        before(parameters, x, command, surroundings, dt)
        derivative(parameters, x, command, surroundings, k)
        for i in range(size):
            total[i] = k[i]
            stage[i] = x[i] + 0.5 * dt * k[i]
        surroundings[TIME] = start + (done + 0.5) * dt
        derivative(parameters, stage, command, surroundings, k)
        for i in range(size):
            total[i] += 2.0 * k[i]
            stage[i] = x[i] + 0.5 * dt * k[i]
        derivative(parameters, stage, command, surroundings, k)
        for i in range(size):
            total[i] += 2.0 * k[i]
            stage[i] = x[i] + dt * k[i]
        surroundings[TIME] = start + (done + 1) * dt
        derivative(parameters, stage, command, surroundings, k)
        for i in range(size):
            x[i] += dt / 6.0 * (total[i] + k[i])
        after(parameters, x, command, surroundings, dt)
        if not level(x):
            x[:] = last
            return done
    return steps


def _euler(
    parameters: Any,
    x: Floats,
    command: Floats,
    surroundings: Floats,
    dt: float,
    steps: int,
) -> int:
    """Step nu and actuators by explicit Euler, then eta with its rate at (old eta, new nu).

    Source: the order of Python Vehicle Simulator's loop and of TurtleBoat's.
    """
    work = np.empty((2, x.size))
    last, k = work[0], work[1]
    start = surroundings[TIME]
    for done in range(steps):
        last[:] = x
        surroundings[TIME] = start + done * dt
        before(parameters, x, command, surroundings, dt)
        derivative(parameters, x, command, surroundings, k)
        for i in range(6, x.size):
            x[i] += dt * k[i]
        derivative(parameters, x, command, surroundings, k)
        for i in range(6):
            x[i] += dt * k[i]
        surroundings[TIME] = start + (done + 1) * dt
        after(parameters, x, command, surroundings, dt)
        if not level(x):
            x[:] = last
            return done
    return steps


def _batch(
    parameters: Any,
    xs: Floats,
    commands: Floats,
    surroundings: Floats,
    dt: float,
    steps: int,
) -> int:
    """Step every row by ``scheme``; give the first row that failed, or -1."""
    for i in range(xs.shape[0]):
        x, command, around = xs[i], commands[i], surroundings[i]
        if scheme(parameters, x, command, around, dt, steps) < steps:
            return i
    return -1


def _trace(
    parameters: Any,
    x: Floats,
    command: Floats,
    surroundings: Floats,
    dt: float,
    rows: Floats,
) -> int:
    """Step by ``scheme`` once for each of ``rows`` (n, 2, size): the state, and its rate."""
    for done in range(rows.shape[0]):
        if scheme(parameters, x, command, surroundings, dt, 1) < 1:
            return done
        rows[done, 0] = x
        derivative(parameters, x, command, surroundings, rows[done, 1])
    return len(rows)


def _quaternion(
    parameters: Any,
    x: Floats,
    command: Floats,
    surroundings: Floats,
    dt: float,
    steps: int,
) -> int:
    """Step by Runge-Kutta with a unit quaternion in place of the Euler angles.

    The angles are taken from the quaternion for the forces, and for the result, where yaw and
    roll stay continuous.
    Source: Fossen (2021), section 2.2.2; the quaternion is made a unit one after each step.
    """
    size = x.size
    work = np.empty((5, size))
    last, stage, k, total, shown = work[0], work[1], work[2], work[3], work[4]
    turns = np.empty((4, 4))
    q, q_stage, q_rate, q_total = turns[0], turns[1], turns[2], turns[3]
    start = surroundings[TIME]
    for done in range(steps):
        last[:] = x
        surroundings[TIME] = start + done * dt
        before(parameters, x, command, surroundings, dt)
        quaternion_of_euler(x, q)
        total[:] = 0.0
        q_total[:] = 0.0
        stage[:] = x
        q_stage[:] = q
        for i in range(4):
            weight = 1.0 if i == 0 or i == 3 else 2.0
            reach = dt if i == 2 else 0.5 * dt
            surroundings[TIME] = start + (done + (0.0 if i == 0 else 1.0 if i == 3 else 0.5)) * dt
            derivative(parameters, stage, command, surroundings, k)
            pose_rates(stage, q_stage, k, q_rate)
            for j in range(size):
                total[j] += weight * k[j]
            for j in range(4):
                q_total[j] += weight * q_rate[j]
            if i < 3:
                for j in range(size):
                    stage[j] = x[j] + reach * k[j]
                for j in range(4):
                    q_stage[j] = q[j] + reach * q_rate[j]
                euler_of_quaternion(q_stage, x, stage)
        for j in range(size):
            shown[j] = x[j] + dt / 6.0 * total[j]
        for j in range(4):
            q[j] += dt / 6.0 * q_total[j]
        euler_of_quaternion(q, x, shown)
        x[:] = shown
        after(parameters, x, command, surroundings, dt)
        if not good(x):
            x[:] = last
            return done
    return steps
