"""Allocation of the helm's orders (rudder, thrust, elevator) to a vessel's actuators.

The function of an actuator is determined by its effect: a control surface that mainly yaws is a
rudder, one that mainly pitches a stern plane; a thruster that pushes ahead propels. A vessel
without rudders steers by its azimuth angles, up to 35 degrees as rudders do; without these by
differential thrust, as uSimMarineV22: left = thrust + rudder, right =
thrust - rudder. ``actuator_map`` in ``vessel.yml`` overrides all
this: ``th_1:thrust+0.5*rudder, cs_2:-elevator``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import radians

import numpy as np
from numpy.typing import NDArray

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.bounds import check_orders
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import ACTUATORS, Channel, Dynamics

Floats = NDArray[np.float64]

SURGE, PITCH, YAW = 0, 4, 5
SMALL = 0.05  # of the largest effect: smaller ones do not define a function
MAX_AZIMUTH = radians(35.0)
ORDERS = ("rudder", "thrust", "elevator", "thrust_l", "thrust_r")
EXPECTED = "expected <actuator>:<order>+<order>..., as th_1:thrust+0.5*rudder, cs_2:-elevator"
_TERM = re.compile(r"([+-]?)\s*(?:([0-9.]+)\s*\*\s*)?([a-z_]+)\s*")


@dataclass(frozen=True)
class Orders:
    """Linear allocation of orders to commands.

    Attributes:
        rudder, thrust: (m,) fraction of each command's range for an order of 100 %.
        elevator: (m,) +1 or -1 for stern planes, else 0; positive orders pitch the bow down.
        low, high: (m,) ranges of the commands.
    """

    rudder: Floats
    thrust: Floats
    elevator: Floats
    low: Floats
    high: Floats

    def commands(self, rudder: float = 0.0, thrust: float = 0.0, elevator: float = 0.0) -> Floats:
        """Return the commands (m,).

        Args:
            rudder: to starboard [%]. thrust: ahead [%]. elevator: of the planes, down [deg].

        Raises:
            InvalidValue: an order is not a finite number.
        """
        check_orders(rudder=rudder, thrust=thrust, elevator=elevator)
        share = np.clip((self.rudder * rudder + self.thrust * thrust) / 100, -1, 1)
        command = np.where(share >= 0, share * self.high, -share * self.low)
        planes: Floats = np.clip(self.elevator * radians(elevator), self.low, self.high)
        return np.where(self.elevator != 0, planes, command)


def orders_of(vessel: Dynamics) -> Orders:
    """Return the allocation of a vessel's commands: from its files, or by their effects."""
    found = found_orders(vessel)
    for i, row in mapped(vessel.actuator_map, vessel.commands):
        left, right = (0.0, 0.0) if row[:2].any() else row[3:]
        found.rudder[i] = row[0] + left - right
        found.thrust[i] = row[1] + left + right
        found.elevator[i] = row[2]
    return found


def mapped(text: str, commands: Sequence[Channel]) -> list[tuple[int, Floats]]:
    """Parse a map: for each command in it, its index and the weights (5,) of ``ORDERS``.

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


def found_orders(vessel: Dynamics) -> Orders:
    """Determine the function of each command of a vessel by its effect."""
    low, high = np.array([_range(c) for c in vessel.commands]).reshape(-1, 2).T
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
    return Orders(rudder, ahead, -pitches * planes * ~more_yaw, low, high)


def _range(channel: Channel) -> tuple[float, float]:
    """Return the range that corresponds to an order of 100 %."""
    if channel.name.startswith("az_"):
        return max(channel.low, -MAX_AZIMUTH), min(channel.high, MAX_AZIMUTH)
    return channel.low, channel.high


def _purpose(effect: Floats) -> Floats:
    """Return the sign of each effect that is not small relative to the largest."""
    greatest = abs(effect).max(initial=0.0)
    signs: Floats = np.where(abs(effect) > SMALL * greatest, np.sign(effect), 0.0)
    return signs


def effects(vessel: Dynamics) -> Floats:
    """Return the accelerations (m, 6) caused by each command at the initial speed.

    A vessel that starts at rest is given 1 m/s. Thrusters go from half to full range ahead,
    the other actuators from 0 to half their range.
    """
    surroundings = vessel.surroundings()
    going = vessel.initial.copy()
    going[3:5] = 0.0
    going[6:12] = [max(going[6], 1.0), 0, 0, 0, 0, 0]
    drives = np.array([c.name.startswith("th_") for c in vessel.commands])
    half = np.array([_range(c)[1] / 2 for c in vessel.commands])
    base = np.where(drives, half, 0.0)
    before = _acceleration(vessel, going, base, surroundings)
    rows = []
    for i in range(len(base)):
        command = base.copy()
        command[i] += half[i]
        rows.append(_acceleration(vessel, going, command, surroundings) - before)
    return np.array(rows).reshape(-1, 6)


def _acceleration(vessel: Dynamics, x: Floats, command: Floats, surroundings: Floats) -> Floats:
    state = x.copy()
    state[ACTUATORS : ACTUATORS + len(command)] = command
    return vessel.derivative(state, command, surroundings)[6:12]
