"""What the helm's orders do to a Fossen vessel's actuators.

Five orders: rudder, thrust, thrust_l and thrust_r in per cent of an actuator's range, elevator in
degrees of a plane (in per cent of anything else). By default ``vessel.fossen.orders`` finds what
each actuator is for, and two thrusts act as their mean thrust and half their difference as rudder.
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
    """A linear map from orders to commands, bounded by each actuator's range.

    Attributes:
        channels: (m,) the commands, with the range an order of 100 % means.
        weights: (m, 5) by which each order enters each command.
    """

    channels: tuple[Channel, ...]
    weights: Floats

    @classmethod
    def of(cls, vessel: Dynamics, text: str = "") -> ActuatorMap:
        """Make a vessel's map: the default one, but for what its files and the text name.

        Args:
            vessel: it.
            text: counts before the map of its files.

        Raises:
            InvalidValue: the text names no actuator or order of its own, or one without limits.
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
                raise InvalidValue(f"{channel.name}: it has no limits: orders of per cent of what?")
        return cls(channels, weights)

    @property
    def moved(self) -> Sequence[bool]:
        """Say of each actuator whether any order moves it."""
        return [bool(row.any()) for row in self.weights]

    def serves(self, order: str) -> bool:
        """Say whether an order moves anything."""
        return order in self._served

    def commands(self, orders: Sequence[float]) -> Floats:
        """Give the commands (m,) for five orders; each stays within its actuator's range.

        Raises:
            InvalidValue: an order is no finite number.
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
        """Give the size from which on an order has no more effect: per cent, or degrees."""
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
        """Give (3, m): the ranges of what is moved, and the elevator's weights on planes."""
        moved = self.moved
        low = [c.low if m else 0.0 for c, m in zip(self.channels, moved, strict=True)]
        high = [c.high if m else 0.0 for c, m in zip(self.channels, moved, strict=True)]
        planes = [c.unit == "rad" for c in self.channels]
        return np.array((low, high, self.weights[:, ELEVATOR] * planes))


def orders_in(inputs: Inputs) -> tuple[float, float, float, float, float]:
    """Give the five orders in force: by two thrusters in differential mode, else by rudder.

    In reverse mode the stern is what they steer, and the left thruster is the other one.
    """
    rudder, thrust = inputs.rudder, inputs.thrust
    left, right = inputs.thrust_left, inputs.thrust_right
    if inputs.reverse:
        rudder, thrust, left, right = -rudder, -thrust, -right, -left
    if inputs.differential:
        return 0.0, 0.0, inputs.elevator, left, right
    return rudder, thrust, inputs.elevator, 0.0, 0.0
