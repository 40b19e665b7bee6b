"""A vessel's map from the helm's orders to its actuators: by its files and blocks, or by effect.

It only makes the map: ``commands`` limits orders, and ends them when none comes any more;
``vessel.bounds`` refuses what is not a number.

``actuator_map`` in ``vessel.yml`` or in a simulator's block gives an actuator a sum of the orders
of ``commands.ORDERS``: ``th_1:thrust+0.5*rudder, cs_2:-elevator``.

An actuator that is not in the map gets its orders by its effect: a control surface that mainly
yaws is a rudder, one that mainly pitches a stern plane; a thruster that pushes ahead propels. A
vessel without rudders steers by its azimuth angles, up to 35 degrees as rudders do; without these
by differential thrust.

The helm gives either rudder and thrust or the thrusts of two sides, and each pair stands for the
other, as in uSimMarineV22: left = thrust + rudder, right = thrust - rudder. An actuator whose sum
names only one of the pairs therefore follows the other, too; one that names both is a plain sum.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite, radians

import numpy as np
from numpy.typing import NDArray

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.commands import ELEVATOR, LEFT, ORDERS, RUDDER, THRUST, ActuatorMap
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import ACTUATORS, Channel

Floats = NDArray[np.float64]

SURGE, PITCH, YAW = 0, 4, 5
SMALL = 0.05  # of the largest effect: smaller ones do not define a function
DEEPER = 10.0  # below the start, where no thruster emerges [m]
MAX_AZIMUTH = radians(35.0)
EXPECTED = "expected <actuator>:<order>+<order>..., as th_1:thrust+0.5*rudder, cs_2:-elevator"
_TERM = re.compile(r"([+-]?)\s*(?:([0-9.]+)\s*\*\s*)?([a-z_]+)\s*")


def orders_of(vessel: Dynamics) -> ActuatorMap:
    """Return a vessel's map: by effect, and of the actuators that its ``actuator_map`` names by it.

    Raises:
        InvalidValue: a mapped actuator has no limits.
    """
    rows = dict(enumerate(_found_weights(vessel)))
    rows.update(mapped(vessel.actuator_map, vessel.commands))
    weights = np.array([_both_pairs(row) for row in rows.values()]).reshape(-1, len(ORDERS))
    channels = tuple(_in_range(channel) for channel in vessel.commands)
    for channel, row in zip(channels, weights, strict=True):
        if row.any() and not (isfinite(channel.low) and isfinite(channel.high)):
            raise InvalidValue(f"{channel.name}: no limits: expected some, for per cent")
    return ActuatorMap(channels, weights)


def mapped(text: str, commands: Sequence[Channel]) -> list[tuple[int, Floats]]:
    """Parse a map: for each command in it, its index and the weights (5,) of ``ORDERS``.

    Of several entries for one command the last is used: a block's, written after the files'.

    Raises:
        InvalidValue: unknown actuator or order.
    """
    names = [channel.name for channel in commands]
    rows = []
    for part in text.split(",") if text.strip() else ():
        name, _, form = (piece.strip() for piece in part.partition(":"))
        if not form:
            raise InvalidValue(f"{name}: {EXPECTED}")
        if name not in names:
            raise InvalidValue(f"{name}: no such actuator; {did_you_mean(name, names)}")
        rows.append((names.index(name), _weights(form)))
    return rows


def _weights(text: str) -> Floats:
    """Parse a sum of orders with optional factors."""
    weights, rest = np.zeros(len(ORDERS)), text
    while rest:
        term = _TERM.match(rest)
        if term is None or term[3] not in ORDERS:
            raise InvalidValue(f"{text}: {EXPECTED}; orders are {', '.join(ORDERS)}")
        weights[ORDERS.index(term[3])] += float(f"{term[1]}{term[2] or 1}")
        rest = rest[term.end() :]
    return weights


def _both_pairs(row: Floats) -> Floats:
    """Return a row of weights with those of the pair of orders that it does not name."""
    rudder, thrust, elevator, left, right = row
    if not row[LEFT:].any():
        left, right = (thrust + rudder) / 2, (thrust - rudder) / 2
    elif not row[:ELEVATOR].any():
        rudder, thrust = left - right, left + right
    return np.array([rudder, thrust, elevator, left, right])


def _found_weights(vessel: Dynamics) -> Floats:
    """Determine the orders (m, 5) of each command of a vessel by its effect."""
    drives = [c.name.startswith("th_") for c in vessel.commands]
    effect = effects(vessel)
    ahead = _purpose(effect[:, SURGE]) * drives
    yaws, pitches = _purpose(effect[:, YAW]), _purpose(effect[:, PITCH])
    planes = np.array([c.name.startswith("cs_") for c in vessel.commands])
    turning = np.array([c.name.startswith("az_") for c in vessel.commands])
    more_yaw = abs(effect[:, YAW]) >= abs(effect[:, PITCH])
    rudder = yaws * planes * more_yaw
    if not rudder.any():
        rudder = yaws * turning
    if not rudder.any():
        rudder = yaws * abs(ahead)
    weights = np.zeros((len(effect), len(ORDERS)))
    weights[:, RUDDER], weights[:, THRUST] = rudder, ahead
    weights[:, ELEVATOR] = -pitches * planes * ~more_yaw
    return weights


def _in_range(channel: Channel) -> Channel:
    """Return a command with the range that corresponds to an order of 100 %."""
    if channel.name.startswith("az_"):
        return channel._replace(
            low=max(channel.low, -MAX_AZIMUTH), high=min(channel.high, MAX_AZIMUTH)
        )
    return channel


def _purpose(effect: Floats) -> Floats:
    """Return the sign of each effect that is not small relative to the largest."""
    greatest = abs(effect).max(initial=0.0)
    signs: Floats = np.where(abs(effect) > SMALL * greatest, np.sign(effect), 0.0)
    return signs


def effects(vessel: Dynamics) -> Floats:
    """Return the accelerations (m, 6) caused by each command at the initial speed.

    A vessel that starts at rest is given 1 m/s. Thrusters go from half to full range ahead,
    the other actuators from 0 to half their range. A vehicle that starts with all thrusters out of
    the water is taken ``DEEPER``.
    """
    found = _effects(vessel, 0.0)
    drives = [c.name.startswith("th_") for c in vessel.commands]
    return _effects(vessel, DEEPER) if any(drives) and not found[drives].any() else found


def _effects(vessel: Dynamics, deeper: float) -> Floats:
    surroundings = vessel.surroundings()
    going = vessel.initial.copy()
    going[3:5] = 0.0
    going[2] += deeper
    going[6:12] = [max(going[6], 1.0), 0, 0, 0, 0, 0]
    drives = np.array([c.name.startswith("th_") for c in vessel.commands])
    half = np.array([_in_range(c).high / 2 for c in vessel.commands])
    base = np.where(drives, half, 0.0)
    before = acceleration(vessel, going, base, surroundings)
    rows = []
    for i in range(len(base)):
        command = base.copy()
        command[i] += half[i]
        rows.append(acceleration(vessel, going, command, surroundings) - before)
    return np.array(rows).reshape(-1, 6)


def acceleration(vessel: Dynamics, x: Floats, command: Floats, surroundings: Floats) -> Floats:
    """Return nu_dot (6,) of a state whose actuators have reached a command."""
    state = x.copy()
    state[ACTUATORS : ACTUATORS + len(command)] = command
    return vessel.derivative(state, command, surroundings)[6:12]
