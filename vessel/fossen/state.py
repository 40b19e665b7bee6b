"""The arrays that a compiled vessel is stepped with, and the functions of its model.

A *model module* (``coefficient``, and those in ``published``) defines with ``@compiled``:

- ``derivative(parameters, x, command, surroundings, dx)`` writes the time derivative of ``x``
    into ``dx``; it changes nothing else, keeps no state, allocates nothing.
- ``before(parameters, x, command, surroundings, dt)`` and ``after(...)`` may change actuator states
    in place at the start and end of each step: rate limiters, clipping as in reference programs.
- ``MODEL = steps.of(derivative, before, after)``, the steps; hooks without effect are omitted.

All quantities are SI. ``parameters`` is a NamedTuple of arrays and floats (each field costs 0.1 µs
a call: few arrays, few floats). ``x``, ``command``, ``surroundings`` are float64 arrays:

- ``x``: eta = [x y z phi theta psi] (NED [m], zyx Euler angles [rad], not wrapped),
    nu = [u v w p q r] (relative to ground, in BODY), then the actuator states.
- ``command``: one entry for each of ``Dynamics.commands``, in their units (rad, rad/s, N, 1).
- ``surroundings``: the entries below.
"""

from __future__ import annotations

from collections.abc import Callable
from math import degrees, inf, pi
from typing import Any, NamedTuple

from steerageway.world.arrays import Floats

# indices of x, with Fossen's symbols; X, Y, Z alone are forces, U alone is the speed
X_, Y_, Z_, PHI, THETA, PSI, U_, V_, W_, P_, Q_, R_ = range(12)
ETA = slice(0, 6)
NU = slice(6, 12)
ACTUATORS = 12  # index of the first actuator state

CURRENT_N, CURRENT_E, CURRENT_D = 0, 1, 2  # current velocity in NED [m/s]
WIND_N, WIND_E = 3, 4  # wind velocity (towards) in NED [m/s]
WATER_DEPTH = 5  # from surface to bottom [m]; inf in deep water
DENSITY, GRAVITY = 6, 7  # [kg/m³], [m/s²]; read only by models not built for a fixed density
TIME = 8  # [s]
SURROUNDINGS = 9

STATE_NAMES = ("x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r")
MAX_SPEED = 100.0  # envelope of every vessel: speed over ground [m/s]
MAX_RATE = 100.0  # likewise magnitude of the angular velocity [rad/s]


class Channel(NamedTuple):
    """One command or one actuator state; ``low`` and ``high`` are its effective limits.

    ``delay`` is the dead time until a command reaches the actuator [s], ``backlash`` the play
    between the two, in the unit: ``commands.Commands`` applies both; steps of ``Dynamics`` get what
    reaches the actuator.
    """

    name: str
    unit: str
    low: float = -inf
    high: float = inf
    delay: float = 0.0
    backlash: float = 0.0


SHOWN = {"rad": (degrees(1.0), "deg"), "rad/s": (30.0 / pi, "rpm")}
"""Display unit of each actuator unit: conversion factor and name."""


def shown(channel: Channel) -> tuple[float, str]:
    """Return the factor from a channel's unit to its display unit, and that unit's name."""
    return SHOWN.get(channel.unit, (1.0, channel.unit))


Derivative = Callable[[Any, Floats, Floats, Floats, Floats], None]
Hook = Callable[[Any, Floats, Floats, Floats, float], None]


class Model(NamedTuple):
    """Compiled functions of a model, made by ``vessel.fossen.steps.of``.

    ``derivative(parameters, x, command, surroundings, dx)``; the others take
    ``(parameters, x, command, surroundings, dt, steps)``, update ``x`` in place and return how many
    steps were valid; the batches take rows of each and return the first row that failed, or -1; the
    traces take rows (steps, 2, 12 + n) instead of ``steps`` and write states and their rates.
    """

    derivative: Derivative
    rk4: Callable[..., int]
    euler: Callable[..., int]
    quaternion: Callable[..., int]
    rk4_batch: Callable[..., int]
    quaternion_batch: Callable[..., int]
    rk4_trace: Callable[..., int]
    quaternion_trace: Callable[..., int]
    adaptive: Callable[..., int]
    adaptive_batch: Callable[..., int]
    adaptive_trace: Callable[..., int]
