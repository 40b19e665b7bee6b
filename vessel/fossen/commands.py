"""Commands of actuators: from the helm's orders, by name, or as an override; the latest applies.

Five orders: rudder, thrust, thrust_l and thrust_r in per cent of an actuator's range, elevator in
degrees of a plane (in per cent of other actuators). ``ActuatorMap`` makes commands of them, and
limits both. Without orders for ``command_timeout`` the commands end. Linkages delay commands on
the way to the actuators: dead time, backlash and faults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isnan, radians

import numpy as np
from numpy.typing import NDArray

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.bounds import check_orders
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.faults import (
    BACKLASH,
    BIAS,
    DELAY,
    JAM,
    LOSS,
    STUCK,
    Fault,
    read_faults,
)
from steerageway.vessel.fossen.state import Channel, shown
from steerageway.vessel.model import Inputs
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled

FULL = 100.0  # [%]
ORDERS = ("rudder", "thrust", "elevator", "thrust_l", "thrust_r")
RUDDER, THRUST, ELEVATOR, LEFT, RIGHT = range(5)


@compiled
def commanded(
    shares: Floats, angles: Floats, low: Floats, high: Floats, given: Floats, found: Floats
) -> None:
    """Write the commands (N, m) by orders (N, o), see ``ActuatorMap.commands_of``.

    Args:
        shares, angles: (m, o) share of its range, and angle [rad], of each full order.
        low, high: (m,) ranges. given: (N, o) shares of the full orders. found: (N, m).
    """
    for i in range(given.shape[0]):
        for k in range(low.size):
            share = angle = 0.0
            for j in range(given.shape[1]):
                share += shares[k, j] * given[i, j]
                angle += angles[k, j] * given[i, j]
            # without a branch, which processors would often predict wrongly
            command = max(share, 0.0) * high[k] - min(share, 0.0) * low[k] + angle
            found[i, k] = min(max(command, low[k]), high[k])


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

    def commands_of(self, given: Floats) -> Floats:
        """Return the commands (N, m) by shares (N, o), from -1 to 1, of the ``full_orders``."""
        found = np.empty((len(given), len(self.channels)))
        commanded(*self._by_shares, self.low, self.high, given, found)
        return found

    def serves(self, order: str) -> bool:
        """Whether an order moves any actuator."""
        return order in self._served

    def most(self, order: str) -> float:
        """Return the largest order that still increases its effect: per cent, or degrees."""
        return float(self._most[ORDERS.index(order)])

    @property
    def full_orders(self) -> dict[str, float]:
        """The largest rudder, thrust and elevator orders, of those that move anything."""
        return {name: self.most(name) for name in ORDERS[: ELEVATOR + 1] if self.serves(name)}

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
    def _by_shares(self) -> tuple[Floats, Floats]:
        """(m, o) share of its range, and angle [rad], of each of the ``full_orders``."""
        full = self.full_orders
        by_angle = np.array([name == ORDERS[ELEVATOR] for name in full]) * list(full.values())
        weights = self.weights[:, [ORDERS.index(name) for name in full]] * list(full.values())
        shares = (weights - np.outer(self._planes, by_angle)) / FULL
        return shares, np.outer(self._planes, np.radians(by_angle))

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


class Commands:
    """The commands of a vessel's actuators; the most recent one of each applies.

    Attributes:
        mapping: map from orders to commands.
        timeout: duration of an override that is not repeated [s].
    """

    def __init__(self, vessel: Dynamics, mapping: ActuatorMap, timeout: float = inf) -> None:
        self.mapping, self.timeout = mapping, timeout
        self._channels = vessel.commands
        self._names = [channel.name for channel in vessel.commands]
        self._command_timeout = vessel.command_timeout
        self._values = np.zeros(len(self._channels))
        self._moved = np.array(mapping.moved, bool)
        self._last_command = 0.0
        self._override: dict[int, float] = {}
        self._last_override = 0.0
        self._linkages = [Linkage(channel) for channel in vessel.commands]

    def order(self, orders: Sequence[float], now: float) -> None:
        """Apply the helm's five orders, see ``ActuatorMap``; other actuators keep theirs."""
        np.copyto(self._values, self.mapping.commands(*orders), where=self._moved)
        self._last_command = now

    def tell(self, values: Mapping[str, float], now: float) -> None:
        """Command actuators by name [deg, rpm, or their own unit]; the others keep their commands.

        A command beyond an actuator's limits is limited.

        Raises:
            InvalidValue: no such actuator; no command is changed.
        """
        for i, value in self._read(values).items():
            self._values[i] = value
        self._last_command = now

    def beyond(self, values: Mapping[str, float]) -> Iterator[tuple[str, str]]:
        """Return, for each command beyond its actuator's limits, the actuator and a warning."""
        for name, value in values.items():
            channel = self._channels[self._names.index(name)]
            factor, unit = shown(channel)
            unit = "" if unit == "1" else f" {unit}"
            low, high = channel.low * factor, channel.high * factor
            if not low <= value <= high:
                taken = low if value < low else high
                yield (
                    name,
                    f"{name} = {value:g}: outside {low:.6g} to {high:.6g}{unit}, taken for "
                    f"{taken:.6g} (told once)",
                )

    def override(self, values: Mapping[str, float], now: float) -> None:
        """Command actuators regardless of other commands, until released or timed out.

        Raises: as ``tell``.
        """
        self._override |= self._read(values)
        self._last_override = now

    def release(self) -> None:
        """End the override."""
        self._override.clear()

    def spans(self, inputs: Inputs, clock: float, now: float) -> Iterator[tuple[float, bool]]:
        """Set the commands in force in a vessel's inputs, from span to span of a time [s].

        Yields: the end of each span, the last at ``now``, and whether the commands change there.
        """
        until = -inf
        while until < now:
            inputs.commands = self.in_force(clock).tolist()
            end = self.next_end(clock)
            clock = until = min(now, end)
            yield until, until == end

    def next_end(self, now: float) -> float:
        """Return the next time after ``now`` at which commands change by themselves [s].

        A timeout expires, or a command arrives after its dead time. Call ``in_force`` first.
        """
        ends = [self._last_command + self._command_timeout]
        if self._override:
            ends.append(self._last_override + self.timeout)
        ends += [linkage.next(now) for linkage in self._linkages]
        return min((end for end in ends if end > now), default=inf)

    def in_force(self, now: float) -> Floats:
        """Return the commands that reach the actuators (m,) from ``now`` on.

        All are zero after the command timeout; each passes its ``Linkage``.
        """
        values = self._commanded(now)
        for i, linkage in enumerate(self._linkages):
            if not linkage.plain:
                values[i] = linkage.of(float(values[i]), now)
        return values

    def _commanded(self, now: float) -> Floats:
        if self._override and now - self._last_override >= self.timeout:
            self.release()
        silent = now - self._last_command >= self._command_timeout
        values = np.zeros_like(self._values) if silent else self._values.copy()
        for i, value in self._override.items():
            values[i] = value
        return values

    def fail(self, name: str, text: str, now: float, position: float = 0.0) -> None:
        """Set the faults of an actuator from ``now`` on, see ``read_faults``; ``none`` clears them.

        Args:
            position: present state of the actuator, in its own unit, for ``jam``.

        Raises:
            InvalidValue: no such actuator, or no such fault.
        """
        actuator = name.lower()
        if actuator not in self._names:
            meant = did_you_mean(actuator, self._names)
            raise InvalidValue(f"{actuator}: no such actuator; {meant}")
        i = self._names.index(actuator)
        faults = read_faults(text, 1.0 / shown(self._channels[i])[0])
        self._linkages[i].fail(faults, now, float(self._commanded(now)[i]), position)

    def _read(self, values: Mapping[str, float]) -> dict[int, float]:
        found = {}
        for name, value in values.items():
            if name not in self._names:
                meant = did_you_mean(name, self._names)
                raise InvalidValue(f"{name}: no such actuator; {meant}")
            check_orders(**{name: value})
            i = self._names.index(name)
            found[i] = value / shown(self._channels[i])[0]
        return found


class Linkage:
    """Linkage of one actuator.

    A command is delayed by the dead time, and by a fault's delay; the actuator follows it with
    backlash; a fraction of it may be lost, a bias added, or the actuator be stuck. Without
    any of these the command is unchanged.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._faults: dict[str, float] = {}
        self._entered = self._reached = self._played = 0.0
        self._coming: list[tuple[float, float]] = []

    @property
    def plain(self) -> bool:
        """Whether it leaves commands unchanged."""
        own = self._channel
        return not (own.delay or own.backlash or self._faults or self._coming)

    def fail(self, faults: Sequence[Fault], now: float, command: float, position: float) -> None:
        """Replace its faults from ``now`` on.

        Args:
            command: present command. position: present state of the actuator.
        """
        if self.plain:
            self._entered = self._reached = self._played = command
        reaching = self.of(command, now)
        self._faults = {fault.kind: fault.amount for fault in faults}
        for kind, where in ((STUCK, reaching), (JAM, position)):
            if isnan(self._faults.get(kind, 0.0)):
                self._faults[kind] = where

    def of(self, command: float, now: float) -> float:
        """Return the value that reaches the actuator from ``now`` on, for the present command."""
        channel, faults = self._channel, self._faults
        reached = self._late(min(max(command, channel.low), channel.high), now)
        half = 0.5 * (channel.backlash + faults.get(BACKLASH, 0.0))
        self._played = min(max(self._played, reached - half), reached + half)
        for kind in (JAM, STUCK):
            if kind in faults:
                return faults[kind]
        return self._played * (1.0 - faults.get(LOSS, 0.0)) + faults.get(BIAS, 0.0)

    def next(self, now: float) -> float:
        """Return the next time after ``now`` at which a delayed command arrives [s]; inf: none."""
        return next((due for due, _ in self._coming if due > now), inf)

    def _late(self, command: float, now: float) -> float:
        if command != self._entered:
            self._entered = command
            due = now + self._channel.delay + self._faults.get(DELAY, 0.0)
            # after a shorter delay the new command overtakes those still on their way
            self._coming = [(then, value) for then, value in self._coming if then < due]
            self._coming.append((due, command))
        while self._coming and self._coming[0][0] <= now:
            self._reached = self._coming.pop(0)[1]
        return self._reached
