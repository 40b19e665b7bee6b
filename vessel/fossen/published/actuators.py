"""Actuators of published models: rudders, planes, shafts; one state per command, lag and stops."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from steerageway.vessel import bounds
from steerageway.vessel.fossen import steps
from steerageway.vessel.fossen.actuation import REACHED
from steerageway.vessel.fossen.layout import Record
from steerageway.vessel.fossen.state import ACTUATORS, Derivative, Hook, Model
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part

held = part(bounds.bounded)

COMMANDS, STATES, FORCES = 0, 1, 2  # what stops limit: commands; states, or forces only


class Actuators(NamedTuple):
    """Dynamics of each command's state, in the command's unit.

    Attributes:
        limit: (n,) stops, symmetric.
        rate_limit: (n,) per second.
        lag: (n,) time constants [s]; 0: no lag.
        stops: COMMANDS; or as in the references, where a command beyond the stops is approached
            faster: in Python Vehicle Simulator states are limited (STATES), in MSS's
            AUVs they exceed the stops (FORCES).
        in_parts: whether a step ends where a rate limit no longer holds one; not in the references.
    """

    limit: Floats
    rate_limit: Floats
    lag: Floats
    stops: int
    in_parts: bool


class Parameters(NamedTuple):
    """Parameters of a published model that needs no arrays: () of its SCALARS, and actuators."""

    scalars: Record
    actuators: Actuators


@compiled
def position(a: Actuators, x: Floats, command: Floats, i: int) -> float:
    """Return the position of the i-th actuator, limited by its stops; without lag its command."""
    return held(x[ACTUATORS + i] if a.lag[i] > 0.0 else command[i], a.limit[i])


@compiled
def speed(a: Actuators, command: float, state: float, lag: float, i: int) -> float:
    """Return the rate of the i-th actuator from a state towards its command."""
    limit, most = a.limit[i], a.rate_limit[i]
    if a.stops == COMMANDS:
        return held((held(command, limit) - state) / lag, most)
    inside = held(state, limit)
    answer = held((command - inside) / lag, most)
    return answer + inside - state if a.stops == STATES else answer


@compiled
def rates(a: Actuators, x: Floats, command: Floats, dx: Floats) -> None:
    """Write the rates of all actuator states."""
    for i in range(command.size):
        k = ACTUATORS + i
        dx[k] = speed(a, command[i], x[k], a.lag[i], i) if a.lag[i] > 0.0 else 0.0


@compiled
def smooth(parameters: Any, x: Floats, command: Floats) -> float:
    """Return the time until an actuator is no longer held by its rate limit [s]."""
    a, least = parameters.actuators, inf
    if a.in_parts:
        for i in range(command.size):
            rate = a.rate_limit[i]
            if a.lag[i] > 0.0 and rate < inf:
                wanted, state = held(command[i], a.limit[i]), x[ACTUATORS + i]
                rest = abs(wanted - state) - rate * a.lag[i]
                if rest > REACHED * (abs(wanted) + abs(state) + rate):
                    least = min(least, rest / rate)
    return least


@compiled
def before(parameters: Any, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Update the actuators without lag at the start of a step."""
    a = parameters.actuators
    for i in range(command.size):
        if a.lag[i] <= 0.0:
            x[ACTUATORS + i] = held(command[i], a.limit[i])


@compiled
def after(parameters: Any, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Replace a state beyond its stop by an Euler step from the stop.

    Source: Python Vehicle Simulator sets the state to its stop, then steps.
    """
    a = parameters.actuators
    if a.stops == STATES:
        for i in range(command.size):
            if a.lag[i] > 0.0:
                limit, k = a.limit[i], ACTUATORS + i
                high = limit + dt * speed(a, command[i], limit, a.lag[i], i)
                low = -limit + dt * speed(a, command[i], -limit, a.lag[i], i)
                x[k] = max(min(x[k], high), low)


def model(
    derivative: Derivative,
    before: Hook = before,
    holds: Callable[[Floats], bool] = steps.level,
) -> Model:
    """Return a published model's steps; references limit states in Euler steps only."""
    clipped = steps.of(derivative, before, after, holds=holds).euler
    return steps.of(derivative, before, holds=holds, smooth=smooth)._replace(euler=clipped)
