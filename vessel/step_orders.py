"""Orders of the older simulators, which make one step in each iteration: means over the step.

A step takes each order for the time for which it was given, so a controller of a higher rate is not
sampled at one phase of its orders. The first order after a time without any acts on a whole step.

The elevator needs more. The older models change the pitch once in each step, by an amount that does
not depend on the length of the step, so with the gains of MOOS-IvP's missions the elevator goes
from limit to limit in a few steps, whatever the rates of both programs. Between programs whose
clocks drift it does so at changing phases, and its mean keeps the depth; with exact phases it
repeats one pattern, whose mean ignores the depth, and the vessel is lost. An elevator that follows
another one closely therefore starts to act at a random instant within the length of a step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import inf
from typing import Any

from steerageway.vessel.craft import Craft

CLOSELY = 1.5
"""Time between two elevators up to which the second one's instant is random [s]."""


class StepOrder:
    """One order, of which each step takes the mean.

    Args:
        random: returns numbers from 0 to 1; None: orders act from their own instants.
    """

    def __init__(self, random: Callable[[], float] | None = None) -> None:
        self._random = random
        self._value = self._last = 0.0
        self._changed = -inf
        self._coming: deque[tuple[float, float]] = deque()
        self._settled = True  # the value in force has acted on a whole step
        self._step = 0.0

    def give(self, value: float, instant: float, start: float) -> None:
        """Take an order.

        Args:
            value: the order. instant: when it was given [s]. start: of the next step [s].
        """
        begin = start if self._settled else max(instant, start)
        if self._random is not None and value != self._last:
            if instant - self._changed <= CLOSELY:
                begin += self._random() * self._step
            self._changed = instant
        self._last, self._settled = value, False
        while self._coming and self._coming[-1][0] >= begin:
            self._coming.pop()
        self._coming.append((begin, value))

    def over(self, start: float, end: float) -> float | None:
        """Return the mean over a step; None: as before."""
        self._step = end - start
        if self._settled:
            return None
        total, since = 0.0, start
        while self._coming and self._coming[0][0] < end:
            begin, value = self._coming.popleft()
            begin = max(begin, start)
            total += self._value * (begin - since)
            since, self._value = begin, value
        if since == start:
            self._settled = not self._coming
            return self._value
        return (total + self._value * (end - since)) / (end - start)


class StepOrders:
    """The orders of a vessel, one ``StepOrder`` for each."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._orders = {
            "rudder": StepOrder(),
            "thrust": StepOrder(),
            "elevator": StepOrder(random),
            "thrust_left": StepOrder(),
            "thrust_right": StepOrder(),
        }

    def give(self, name: str, value: float, instant: float, start: float) -> None:
        """Take an order, named as in ``Inputs``; see ``StepOrder.give``."""
        self._orders[name].give(value, instant, start)

    def apply(self, craft: Craft[Any], now: float) -> None:
        """Set a vessel's inputs for its step from its clock to an instant [s]."""
        if now <= craft.clock:
            return
        for name, order in self._orders.items():
            mean = order.over(craft.clock, now)
            if mean is not None:
                craft.order(name, mean, now)
