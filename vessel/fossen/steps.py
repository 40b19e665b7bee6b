"""Integration schemes of compiled right-hand sides: Runge-Kutta, Euler, adaptive, quaternion.

``of(derivative)`` makes a model's steps. numba cannot cache a compiled function that gets
another as an argument, so the bodies below use ``derivative``, ``before``, ``after``, ``smooth``
and ``scheme`` as globals, and ``of`` compiles a copy of each body in which these are the model's.
How long a step is, and how many an iteration has, is decided in ``craft`` (missions) and in
``time_step_limit`` (environments).

A scheme has its order only where the rates are smooth. An actuator that reaches its command or its
rate limit makes a kink in them: a step that contains kinks is made in parts, up to each.

All update ``x`` in place, ``steps`` times by ``dt``, and advance the time in ``surroundings``,
which is correct at each stage. They return the number of valid steps: fewer than requested if the
next state would not be finite or would leave the envelope; ``x`` is then the last valid state.
Work arrays are allocated once per call, not per step.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, inf, isfinite, pi, sqrt
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit

from steerageway.vessel.fossen.attitude import euler_of_quaternion, pose_rates, quaternion_of_euler
from steerageway.vessel.fossen.state import (
    MAX_RATE,
    MAX_SPEED,
    P_,
    PHI,
    Q_,
    R_,
    THETA,
    TIME,
    U_,
    V_,
    W_,
    Derivative,
    Hook,
    Model,
)
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part

MIN_COS_PITCH = 1e-9  # closer to a pitch of 90 degrees Euler angle rates are invalid


RTOL, ATOL = 1e-6, 1e-9  # of each adaptive substep
Tolerance = Callable[[Any, int, float], float]
Smooth = Callable[[Any, Floats, Floats], float]


@njit  # as ``unchanged``
def usual_tolerance(parameters: Any, i: int, size: float) -> float:
    """Return the error tolerance of any entry of a state in an adaptive substep."""
    return ATOL + RTOL * size


@compiled
def good(x: Floats) -> bool:
    """Whether a state is finite and within the envelope."""
    for i in range(x.size):
        if not isfinite(x[i]):
            return False
    speed2 = x[U_] * x[U_] + x[V_] * x[V_] + x[W_] * x[W_]
    rate2 = x[P_] * x[P_] + x[Q_] * x[Q_] + x[R_] * x[R_]
    return bool(speed2 <= MAX_SPEED**2 and rate2 <= MAX_RATE**2)


@compiled
def level(x: Floats) -> bool:
    """Whether the state is good and its pitch away from the singularity of Euler angles."""
    return abs(cos(x[THETA])) > MIN_COS_PITCH and good(x)


@compiled
def upright(x: Floats) -> bool:
    """Whether the state is level, and its heel at most 90 degrees."""
    return abs(x[PHI]) <= 0.5 * pi and level(x)


@njit  # not cached separately: the models' parameter types would accumulate in one index
def unchanged(parameters: Any, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Leave the actuator states unchanged."""


@njit  # likewise
def always(parameters: Any, x: Floats, command: Floats) -> float:
    """Return the time to the next kink of rates that have none."""
    return inf


C = np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
A = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
E = np.array([-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40])
"""Dormand-Prince pair of orders 5 and 4: nodes, weights, and weights of the error."""
SAFETY, LEAST_FACTOR, MOST_FACTOR = 0.9, 0.2, 10.0
NARROWEST = 1e-13  # fraction of a step: a shorter substep is a failure

tolerance: Tolerance = usual_tolerance
derivative: Derivative = unchanged  # called by the bodies below; ``of`` replaces it by the model's
before: Hook = unchanged
after: Hook = unchanged
smooth: Smooth = always
scheme: Any = unchanged  # likewise: advances one state, in batches and traces
first_substep: Any = unchanged  # likewise: parts of the adaptive step, with the model's tolerances
second_guess: Any = unchanged
substep: Any = unchanged
weighed_error: Any = unchanged


def of(
    derivative: Derivative,
    before: Hook = unchanged,
    after: Hook = unchanged,
    tolerance: Tolerance = usual_tolerance,
    holds: Callable[[Floats], bool] = level,
    smooth: Smooth | None = None,
) -> Model:
    """Return a model with compiled right-hand side and hooks; see ``vessel.fossen.dynamics``.

    Args:
        tolerance: returns the error tolerance of an adaptive substep for an entry of the state,
            given parameters, index and magnitude; 0 for an entry without error control.
        holds: whether a state is one of the model; ``upright`` if its forces hold in no other.
        smooth: returns the time from a state to the next kink of the rates [s], given parameters,
            state and command; None: there are none, or the steps are to ignore them.
    """
    names: dict[str, Any] = {"derivative": derivative, "before": before, "after": after}
    names |= {"tolerance": tolerance, "level": holds, "smooth": smooth or always}

    def bound(body: Callable[..., Any], name: str = "", **own: Any) -> Callable[..., Any]:
        # with the model's file name the copy's fingerprint is that of the model's folder
        source: Any = derivative
        code = body.__code__.replace(co_filename=source.py_func.__code__.co_filename)
        name = name or body.__name__
        copy = FunctionType(code, {**globals(), **names, **own}, name)
        copy.__qualname__ = f"{source.py_func.__module__.rpartition('.')[2]}_{name}"
        return compiled(copy)

    def in_parts(whole: Callable[..., Any]) -> Callable[..., Any]:
        return bound(_in_parts, f"{whole.__name__}_in_parts", scheme=whole) if smooth else whole

    rk4, quaternion = in_parts(bound(_rk4)), in_parts(bound(_quaternion))
    whole_adaptive = bound(
        _adaptive,
        first_substep=bound(_first_substep),
        second_guess=bound(_second_guess),
        substep=bound(_substep),
        weighed_error=bound(_weighed_error),
    )
    adaptive = in_parts(whole_adaptive)
    return Model(
        derivative,
        rk4,
        in_parts(bound(_euler)),
        quaternion,
        bound(_batch, "_rk4_batch", scheme=rk4),
        bound(_batch, "_quaternion_batch", scheme=quaternion),
        bound(_trace, "_rk4_trace", scheme=rk4),
        bound(_trace, "_quaternion_trace", scheme=quaternion),
        adaptive,
        bound(_batch, "_adaptive_batch", scheme=adaptive),
        bound(_trace, "_adaptive_trace", scheme=adaptive),
    )


def _in_parts(
    parameters: Any,
    x: Floats,
    command: Floats,
    surroundings: Floats,
    dt: float,
    steps: int,
) -> int:
    """Step by ``scheme``, those steps in parts that contain kinks of the rates."""
    start, done = surroundings[TIME], 0
    last = np.empty(x.size)
    while done < steps:
        kink = smooth(parameters, x, command)
        whole = steps - done if kink >= (steps - done) * dt else int(kink / dt)
        surroundings[TIME] = start + done * dt
        if whole > 0:
            valid: int = scheme(parameters, x, command, surroundings, dt, whole)
            done += valid
            if valid < whole:
                return done
            continue
        assign(x, last)
        gone = 0.0
        while gone < dt:
            part = min(smooth(parameters, x, command), dt - gone)
            surroundings[TIME] = start + done * dt + gone
            if scheme(parameters, x, command, surroundings, part, 1) < 1:
                assign(last, x)
                return done
            gone = dt if part >= dt - gone else gone + part  # exactly dt at the end
        done += 1
        surroundings[TIME] = start + done * dt
    return done


def _rk4(
    parameters: Any,
    x: Floats,
    command: Floats,
    surroundings: Floats,
    dt: float,
    steps: int,
) -> int:
    """Step by the classical Runge-Kutta scheme of fourth order."""
    size = x.size
    work = np.empty((4, size))
    last, stage, k, total = work[0], work[1], work[2], work[3]
    start = surroundings[TIME]
    for done in range(steps):
        assign(x, last)
        # from the start, not by adding dt: rounding errors would accumulate
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
        # checked after each step: a state that is no number would only spread
        if not level(x):
            assign(last, x)
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

    Source: order of operations in Python Vehicle Simulator and TurtleBoat.
    """
    work = np.empty((2, x.size))
    last, k = work[0], work[1]
    start = surroundings[TIME]
    for done in range(steps):
        assign(x, last)
        surroundings[TIME] = start + done * dt
        before(parameters, x, command, surroundings, dt)
        derivative(parameters, x, command, surroundings, k)
        for i in range(6, x.size):
            x[i] += dt * k[i]
        # again, for the rate of eta with the new velocities
        derivative(parameters, x, command, surroundings, k)
        for i in range(6):
            x[i] += dt * k[i]
        surroundings[TIME] = start + (done + 1) * dt
        after(parameters, x, command, surroundings, dt)
        if not level(x):
            assign(last, x)
            return done
    return steps


def _adaptive(
    parameters: Any,
    x: Floats,
    command: Floats,
    surroundings: Floats,
    dt: float,
    steps: int,
) -> int:
    """Step by the Dormand-Prince pair, with as many substeps as the tolerances require.

    No step size is carried over to the next step, which depends only on the state.
    Source: Hairer, Nørsett and Wanner (1993), Solving Ordinary Differential Equations I, II.4, with
    the constants of SciPy's RK45.
    """
    size = x.size
    k, work = np.empty((7, size)), np.empty((2, size))
    last, new = work[0], work[1]
    start = surroundings[TIME]
    for done in range(steps):
        assign(x, last)
        begin = start + done * dt
        surroundings[TIME] = begin
        before(parameters, x, command, surroundings, dt)
        derivative(parameters, x, command, surroundings, k[0])
        for i in range(size):
            new[i] = x[i]
        h = first_substep(parameters, x, new, k, dt)
        surroundings[TIME] = begin + h
        derivative(parameters, new, command, surroundings, k[1])
        h = second_guess(parameters, x, k, h, dt)
        gone, rejected = 0.0, False
        while gone < dt:
            h = min(h, dt - gone)
            if h < NARROWEST * dt:  # stuck: ``gone`` stays below dt, which fails the step below
                break
            substep(parameters, x, new, command, surroundings, k, begin + gone, h)
            error = weighed_error(parameters, x, new, k, h)
            factor = substep_factor(error, rejected)
            if error < 1.0:
                gone = dt if h >= dt - gone else gone + h  # exactly dt at the end
                assign(new, x)
                assign(
                    k[6], k[0]
                )  # first same as last: the rate at the end starts the next substep
                rejected = False
            else:  # also an error that is not a number
                rejected = True
            h *= factor
        surroundings[TIME] = start + (done + 1) * dt
        after(parameters, x, command, surroundings, dt)
        if gone < dt or not level(x):
            assign(last, x)
            return done
    return steps


def _substep(
    parameters: Any,
    x: Floats,
    new: Floats,
    command: Floats,
    surroundings: Floats,
    k: Floats,
    start: float,
    h: float,
) -> None:
    """Write the rates ``k[1:]`` of a substep of ``h`` from ``start``, and ``new`` at its end."""
    for j in range(1, 7):
        for i in range(x.size):
            rise = 0.0
            for m in range(j):
                rise += A[j, m] * k[m, i]
            new[i] = x[i] + h * rise
        surroundings[TIME] = start + C[j] * h
        derivative(parameters, new, command, surroundings, k[j])


# Assignments to whole arrays would check shapes, with texts of errors that take seconds to compile.
@part
def assign(source: Floats, target: Floats) -> None:
    """Copy every entry of an array to another of the same size."""
    for i in range(target.size):
        target[i] = source[i]


@part
def clear(target: Floats) -> None:
    """Set every entry of an array to 0."""
    for i in range(target.size):
        target[i] = 0.0


@part
def substep_factor(error: float, rejected: bool) -> float:
    """Return the ratio of the next substep to this one; ``rejected``: the one before was."""
    if error < 1.0:
        most = 1.0 if rejected else MOST_FACTOR  # no growth right after a rejection
        return float(min(most, SAFETY * error**-0.2)) if error > 0.0 else most
    if isfinite(error):
        return float(max(LEAST_FACTOR, SAFETY * error**-0.2))
    return LEAST_FACTOR


def _first_substep(parameters: Any, x: Floats, new: Floats, k: Floats, dt: float) -> float:
    """Return a small first substep from the norms of state and rate; write ``new`` after it."""
    d0, d1, count = 0.0, 0.0, 0
    for i in range(x.size):
        scale = tolerance(parameters, i, abs(x[i]))
        if scale > 0.0:
            count += 1
            d0 += (x[i] / scale) ** 2
            d1 += (k[0, i] / scale) ** 2
    d0, d1 = sqrt(d0 / count), sqrt(d1 / count)
    h = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h = min(h, dt)
    for i in range(x.size):
        new[i] = x[i] + h * k[0, i]
    return h


def _second_guess(parameters: Any, x: Floats, k: Floats, h: float, dt: float) -> float:
    """Return the first substep from the change of the rate over a small one."""
    d1, d2, count = 0.0, 0.0, 0
    for i in range(x.size):
        scale = tolerance(parameters, i, abs(x[i]))
        if scale > 0.0:
            count += 1
            d1 += (k[0, i] / scale) ** 2
            d2 += ((k[1, i] - k[0, i]) / scale) ** 2
    d1, d2 = sqrt(d1 / count), sqrt(d2 / count) / h
    most = max(d1, d2)
    guess = max(1e-6, h * 1e-3) if most <= 1e-15 else (0.01 / most) ** 0.2
    return min(100.0 * h, guess, dt)


def _weighed_error(parameters: Any, x: Floats, new: Floats, k: Floats, h: float) -> float:
    """Return the root mean square of error over tolerance; below 1 the substep is accepted."""
    total, count = 0.0, 0
    for i in range(x.size):
        error = 0.0
        for j in range(7):
            error += E[j] * k[j, i]
        scale = tolerance(parameters, i, max(abs(x[i]), abs(new[i])))
        if scale > 0.0:
            count += 1
            total += (h * error / scale) ** 2
    return sqrt(total / count)


def _batch(
    parameters: Any,
    xs: Floats,
    commands: Floats,
    surroundings: Floats,
    dt: float,
    steps: int,
) -> int:
    """Step every row by ``scheme``; return the first row that failed, or -1."""
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
    """Step by ``scheme`` once for each of ``rows`` (n, 2, size), and write state and rate."""
    for done in range(rows.shape[0]):
        if scheme(parameters, x, command, surroundings, dt, 1) < 1:
            return done
        assign(x, rows[done, 0])
        derivative(parameters, x, command, surroundings, rows[done, 1])
    return len(rows)


@part
def add(total: Floats, factor: float, rate: Floats) -> None:
    """Add a multiple of a rate to a total."""
    for i in range(total.size):
        total[i] += factor * rate[i]


@part
def advance(start: Floats, by: float, rate: Floats, end: Floats) -> None:
    """Write the end of a step of length ``by`` at a constant rate."""
    for i in range(start.size):
        end[i] = start[i] + by * rate[i]


def _quaternion(
    parameters: Any,
    x: Floats,
    command: Floats,
    surroundings: Floats,
    dt: float,
    steps: int,
) -> int:
    """Step by Runge-Kutta with a unit quaternion instead of Euler angles.

    The Euler angles of the forces and of the result follow from the quaternion; yaw and
    roll are unwrapped.
    Source: Fossen (2021), section 2.2.2; the quaternion is normalised after each step.
    """
    size = x.size
    work = np.empty((5, size))
    last, stage, k, total, shown = work[0], work[1], work[2], work[3], work[4]
    turns = np.empty((4, 4))
    q, q_stage, q_rate, q_total = turns[0], turns[1], turns[2], turns[3]
    start = surroundings[TIME]
    for done in range(steps):
        assign(x, last)
        surroundings[TIME] = start + done * dt
        before(parameters, x, command, surroundings, dt)
        # made anew from the angles in each step: the state alone determines the next one
        quaternion_of_euler(x, q)
        clear(total)
        clear(q_total)
        assign(x, stage)
        assign(q, q_stage)
        for i in range(4):
            # weights 1, 2, 2, 1 of the four stages
            weight = 1.0 if i == 0 or i == 3 else 2.0
            reach = dt if i == 2 else 0.5 * dt
            surroundings[TIME] = start + (done + (0.0 if i == 0 else 1.0 if i == 3 else 0.5)) * dt
            derivative(parameters, stage, command, surroundings, k)
            pose_rates(stage, q_stage, k, q_rate)
            add(total, weight, k)
            add(q_total, weight, q_rate)
            if i < 3:
                advance(x, reach, k, stage)
                advance(q, reach, q_rate, q_stage)
                euler_of_quaternion(q_stage, x, stage)
        advance(x, dt / 6.0, total, shown)
        add(q, dt / 6.0, q_total)
        euler_of_quaternion(q, x, shown)
        assign(shown, x)
        after(parameters, x, command, surroundings, dt)
        if not good(x):
            assign(last, x)
            return done
    return steps
