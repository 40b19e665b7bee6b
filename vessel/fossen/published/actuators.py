"""Rudders, planes, shafts: one state for each command, that follows with a lag and has stops."""

from __future__ import annotations

from typing import Any, NamedTuple

from steerageway.vessel.fossen import steps
from steerageway.vessel.fossen.dynamics import ACTUATORS, Derivative, Floats, Hook, Model
from steerageway.world.compiled import compiled

COMMANDS, STATES, FORCES = 0, 1, 2  # what stops bound: commands; states, or forces alone


class Actuators(NamedTuple):
    """How each command's state follows it, in the command's unit.

    Attributes:
        limit: (n,) stops, plus and minus.
        rate_limit: (n,) per second.
        lag: (n,) time constants [s]; 0 for at once.
        stops: COMMANDS, or as the peers have it: a command beyond the stops is approached faster,
            and in Python Vehicle Simulator states are taken back to the stops (STATES), in MSS's
            AUVs they run on (FORCES).
    """

    limit: Floats
    rate_limit: Floats
    lag: Floats
    stops: int


@compiled
def held(value: float, limit: float) -> float:
    """Give the value within plus and minus the limit."""
    return max(-limit, min(limit, value))


@compiled
def position(a: Actuators, x: Floats, command: Floats, i: int) -> float:
    """Give where the i-th actuator is, within its stops; one without a lag is where it shall be."""
    return held(x[ACTUATORS + i] if a.lag[i] > 0.0 else command[i], a.limit[i])


@compiled
def speed(a: Actuators, command: float, state: float, lag: float, i: int) -> float:
    """Give how fast the i-th actuator moves from a state towards its command."""
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
def before(parameters: Any, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Move at the start of a step what has no lag."""
    a = parameters.actuators
    for i in range(command.size):
        if a.lag[i] <= 0.0:
            x[ACTUATORS + i] = held(command[i], a.limit[i])


@compiled
def after(parameters: Any, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Take a state from beyond its stop to where an Euler step from the stop leads.

    Source: Python Vehicle Simulator puts the state to its stop, then steps on.
    """
    a = parameters.actuators
    if a.stops == STATES:
        for i in range(command.size):
            if a.lag[i] > 0.0:
                limit, k = a.limit[i], ACTUATORS + i
                high = limit + dt * speed(a, command[i], limit, a.lag[i], i)
                low = -limit + dt * speed(a, command[i], -limit, a.lag[i], i)
                x[k] = max(min(x[k], high), low)


def model(derivative: Derivative, before: Hook = before) -> Model:
    """Make a published model's steps; the peers' handling of states belongs to Euler's alone."""
    return steps.of(derivative, before)._replace(euler=steps.of(derivative, before, after).euler)
