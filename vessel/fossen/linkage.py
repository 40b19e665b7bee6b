"""Linkage between a command and its actuator: dead time, backlash, and faults."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan

from steerageway.vessel.fossen.dynamics import Channel
from steerageway.vessel.fossen.faults import BACKLASH, BIAS, DELAY, JAM, LOSS, STUCK, Fault


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
