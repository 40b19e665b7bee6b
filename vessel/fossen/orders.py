"""The map from the helm's orders (rudder, thrust, elevator) to a vessel's actuator commands.

Five orders: rudder, thrust, thrust_l and thrust_r in per cent of an actuator's range, elevator in
degrees of a plane (in per cent of other actuators). ``actuator_map`` in ``vessel.yml`` or in a
simulator's block gives each actuator a sum of them: ``th_1:thrust+0.5*rudder, cs_2:-elevator``.

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
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, radians

import numpy as np
from numpy.typing import NDArray

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.bounds import check_orders
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import ACTUATORS, Channel, Dynamics
from steerageway.vessel.model import Inputs

Floats = NDArray[np.float64]

SURGE, PITCH, YAW = 0, 4, 5
SMALL = 0.05  # of the largest effect: smaller ones do not define a function
FULL = 100.0  # [%]
MAX_AZIMUTH = radians(35.0)
ORDERS = ("rudder", "thrust", "elevator", "thrust_l", "thrust_r")
RUDDER, THRUST, ELEVATOR, LEFT, RIGHT = range(5)
EXPECTED = "expected <actuator>:<order>+<order>..., as th_1:thrust+0.5*rudder, cs_2:-elevator"
_TERM = re.compile(r"([+-]?)\s*(?:([0-9.]+)\s*\*\s*)?([a-z_]+)\s*")


@dataclass(frozen=True)
class ActuatorMap:
    """A linear map from orders to commands, limited to the orders' and the actuators' ranges.

    Attributes:
        channels: (m,) commands, with the range that corresponds to an order of 100 %.
        weights: (m, 5) weight of each of ``ORDERS`` in each command.
    """

    channels: tuple[Channel, ...]
    weights: Floats

    def commands(
        self,
        rudder: float = 0.0,
        thrust: float = 0.0,
        elevator: float = 0.0,
        thrust_l: float = 0.0,
        thrust_r: float = 0.0,
    ) -> Floats:
        """Return the commands (m,); an order beyond its range is taken for the end of the range.

        Args:
            rudder: to starboard [%]. thrust: ahead [%]. elevator: of the planes, down [deg].
            thrust_l, thrust_r: of the sides, ahead [%], instead of rudder and thrust.

        Raises:
            InvalidValue: an order is not a finite number.
        """
        orders = (rudder, thrust, elevator, thrust_l, thrust_r)
        check_orders(**dict(zip(ORDERS, orders, strict=True)))
        given = np.minimum(np.maximum(orders, -self._most), self._most)
        shares = self.weights @ given / FULL
        angles = self._planes * radians(given[ELEVATOR])
        shares -= self._planes * (given[ELEVATOR] / FULL)
        found: Floats = np.where(shares >= 0.0, shares * self.high, -shares * self.low) + angles
        bounded: Floats = np.minimum(np.maximum(found, self.low), self.high)
        return bounded

    def serves(self, order: str) -> bool:
        """Whether an order moves any actuator."""
        return order in self._served

    def most(self, order: str) -> float:
        """Return the largest order that still increases its effect: per cent, or degrees."""
        return float(self._most[ORDERS.index(order)])

    @property
    def rudder(self) -> Floats:
        """(m,) weights of the rudder order."""
        return self.weights[:, RUDDER]

    @property
    def thrust(self) -> Floats:
        """(m,) weights of the thrust order."""
        return self.weights[:, THRUST]

    @property
    def elevator(self) -> Floats:
        """(m,) weights of the elevator order; positive orders press the bow down."""
        return self.weights[:, ELEVATOR]

    @cached_property
    def moved(self) -> NDArray[np.bool_]:
        """(m,) whether any order moves an actuator."""
        moved: NDArray[np.bool_] = np.any(self.weights != 0.0, axis=1)
        return moved

    @cached_property
    def low(self) -> Floats:
        """(m,) lower ends of the ranges of moved actuators; 0 of others."""
        return np.where(self.moved, [c.low for c in self.channels], 0.0)

    @cached_property
    def high(self) -> Floats:
        """(m,) upper ends of the ranges of moved actuators; 0 of others."""
        return np.where(self.moved, [c.high for c in self.channels], 0.0)

    @cached_property
    def _planes(self) -> Floats:
        """(m,) weights of the elevator in actuators that it moves by degrees."""
        return self.elevator * [c.unit == "rad" for c in self.channels]

    @cached_property
    def _most(self) -> Floats:
        """(5,) the largest orders that still increase their effects."""
        most, weights = np.full(len(ORDERS), FULL), abs(self._planes)
        if weights.any():
            reach = np.maximum(self.high, -self.low)[weights > 0] / weights[weights > 0]
            most[ELEVATOR] = np.degrees(reach.max())
        return most

    @cached_property
    def _served(self) -> list[str]:
        return [order for i, order in enumerate(ORDERS) if self.weights[:, i].any()]


def orders_of(vessel: Dynamics, text: str = "") -> ActuatorMap:
    """Return a vessel's map: by effect, overridden by its files' entries, then by the text's.

    Args:
        vessel: the vessel. text: map that overrides that of its files.

    Raises:
        InvalidValue: the text has an unknown actuator or order, or an actuator without limits.
    """
    rows = dict(enumerate(_found_weights(vessel)))
    for given in (vessel.actuator_map, text):
        rows.update(mapped(given, vessel.commands))
    weights = np.array([_both_pairs(row) for row in rows.values()]).reshape(-1, len(ORDERS))
    channels = tuple(_in_range(channel) for channel in vessel.commands)
    for channel, row in zip(channels, weights, strict=True):
        if row.any() and not (isfinite(channel.low) and isfinite(channel.high)):
            raise InvalidValue(f"{channel.name}: no limits: expected some, for per cent")
    return ActuatorMap(channels, weights)


def orders_in(inputs: Inputs) -> tuple[float, float, float, float, float]:
    """Return the five active orders: of two thrusters in differential mode, else with rudder.

    In reverse mode the stern is steered, and left and right thruster are exchanged.
    """
    rudder, thrust = inputs.rudder, inputs.thrust
    left, right = inputs.thrust_left, inputs.thrust_right
    if inputs.reverse:
        rudder, thrust, left, right = -rudder, -thrust, -right, -left
    if inputs.differential:
        return 0.0, 0.0, inputs.elevator, left, right
    return rudder, thrust, inputs.elevator, 0.0, 0.0


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
    the other actuators from 0 to half their range.
    """
    surroundings = vessel.surroundings()
    going = vessel.initial.copy()
    going[3:5] = 0.0
    going[6:12] = [max(going[6], 1.0), 0, 0, 0, 0, 0]
    drives = np.array([c.name.startswith("th_") for c in vessel.commands])
    half = np.array([_in_range(c).high / 2 for c in vessel.commands])
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
