"""Mapping of the helm's orders (rudder, thrust, elevator) to a Fossen vessel's actuator commands.

Five orders: rudder, thrust, thrust_l and thrust_r in per cent of an actuator's range, elevator in
degrees of a plane (in per cent of other actuators). By default ``vessel.fossen.orders`` determines
each actuator's function; thrust_l and thrust_r act as mean thrust, and half their difference as
rudder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, radians

import numpy as np

from steerageway.vessel.bounds import check_orders
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Channel, Dynamics, Floats
from steerageway.vessel.fossen.orders import ORDERS, mapped, orders_of
from steerageway.vessel.model import Inputs

ELEVATOR = 2


@dataclass(frozen=True)
class ActuatorMap:
    """A linear map from orders to commands, limited to each actuator's range.

    Attributes:
        channels: (m,) commands, with the range that corresponds to an order of 100 %.
        weights: (m, 5) weight of each order in each command.
    """

    channels: tuple[Channel, ...]
    weights: Floats

    @classmethod
    def of(cls, vessel: Dynamics, text: str = "") -> ActuatorMap:
        """Return a vessel's map: the default, overridden by its files' and the text's entries.

        Args:
            vessel: the vessel.
            text: map that overrides that of its files.

        Raises:
            InvalidValue: the text has an unknown actuator or order, or an actuator without limits.
        """
        orders = orders_of(vessel)
        sides = (orders.thrust + orders.rudder) / 2, (orders.thrust - orders.rudder) / 2
        weights = np.array([orders.rudder, orders.thrust, orders.elevator, *sides]).T
        channels = tuple(
            channel._replace(low=float(low), high=float(high))
            for channel, low, high in zip(vessel.commands, orders.low, orders.high, strict=True)
        )
        for given in (vessel.actuator_map, text):
            for i, row in mapped(given, vessel.commands):
                weights[i] = row
        for channel, row in zip(channels, weights, strict=True):
            if row.any() and not (isfinite(channel.low) and isfinite(channel.high)):
                raise InvalidValue(f"{channel.name}: no limits: expected some, for per cent")
        return cls(channels, weights)

    @property
    def moved(self) -> Sequence[bool]:
        """Return for each actuator whether any order moves it."""
        return [bool(row.any()) for row in self.weights]

    def serves(self, order: str) -> bool:
        """Whether an order moves any actuator."""
        return order in self._served

    def commands(self, orders: Sequence[float]) -> Floats:
        """Return the commands (m,) for five orders, limited to each actuator's range.

        Raises:
            InvalidValue: an order is not a finite number.
        """
        check_orders(**dict(zip(ORDERS, orders, strict=True)))
        given = np.array(orders)
        shares = self.weights @ given / 100.0
        low, high, angles = self._limits
        angle = angles * radians(given[ELEVATOR])
        shares -= angles * (given[ELEVATOR] / 100.0)
        found: Floats = np.where(shares >= 0.0, shares * high, -shares * low) + angle
        bounded: Floats = np.minimum(np.maximum(found, low), high)
        return bounded

    def most(self, order: str) -> float:
        """Return the largest order that still increases its effect: per cent, or degrees."""
        planes = abs(self._limits[2])
        if order != ORDERS[ELEVATOR] or not planes.any():
            return 100.0
        reach = np.maximum(self._limits[1], -self._limits[0])[planes > 0] / planes[planes > 0]
        return float(np.degrees(reach.max()))

    @cached_property
    def _served(self) -> list[str]:
        return [order for i, order in enumerate(ORDERS) if self.weights[:, i].any()]

    @cached_property
    def _limits(self) -> Floats:
        """Return (3, m): low and high limits of moved actuators, and the elevator's weights."""
        moved = self.moved
        low = [c.low if m else 0.0 for c, m in zip(self.channels, moved, strict=True)]
        high = [c.high if m else 0.0 for c, m in zip(self.channels, moved, strict=True)]
        planes = [c.unit == "rad" for c in self.channels]
        return np.array((low, high, self.weights[:, ELEVATOR] * planes))


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
