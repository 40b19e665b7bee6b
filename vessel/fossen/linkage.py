"""What lies between a command and its actuator: dead time, play, and faults."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan

from steerageway.vessel.fossen.dynamics import Channel
from steerageway.vessel.fossen.faults import BACKLASH, BIAS, DELAY, JAM, LOSS, STUCK, Fault


class Linkage:
    """The way from one actuator's command to the actuator.

    A command comes later by the dead time, then by what a fault adds to it; the actuator has some
    play after it; a share of it may be lost, something added, or the actuator be stuck. Without
    any of these a command is what reaches the actuator.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._faults: dict[str, float] = {}
        self._entered = self._reached = self._played = 0.0
        self._coming: list[tuple[float, float]] = []

    @property
    def plain(self) -> bool:
        """Whether it changes nothing."""
        own = self._channel
        return not (own.delay or own.backlash or self._faults or self._coming)

    def fail(self, faults: Sequence[Fault], now: float, command: float, position: float) -> None:
        """Let it have these faults from now on, in the place of those it had.

        Args:
            command: the one that is in force now. position: of the actuator.
        """
        if self.plain:
            self._entered = self._reached = self._played = command
        reaching = self.of(command, now)
        self._faults = {fault.kind: fault.amount for fault in faults}
        for kind, where in ((STUCK, reaching), (JAM, position)):
            if isnan(self._faults.get(kind, 0.0)):
                self._faults[kind] = where

    def of(self, command: float, now: float) -> float:
        """Give what reaches the actuator from now on, the command being in force now."""
        channel, faults = self._channel, self._faults
        reached = self._late(min(max(command, channel.low), channel.high), now)
        half = 0.5 * (channel.backlash + faults.get(BACKLASH, 0.0))
        self._played = min(max(self._played, reached - half), reached + half)
        for kind in (JAM, STUCK):
            if kind in faults:
                return faults[kind]
        return self._played * (1.0 - faults.get(LOSS, 0.0)) + faults.get(BIAS, 0.0)

    def next(self, now: float) -> float:
        """Give when, after now, another command reaches it [s]; inf: none is on its way."""
        return next((due for due, _ in self._coming if due > now), inf)

    def _late(self, command: float, now: float) -> float:
        if command != self._entered:
            self._entered = command
            due = now + self._channel.delay + self._faults.get(DELAY, 0.0)
            self._coming = [(then, value) for then, value in self._coming if then < due]
            self._coming.append((due, command))
        while self._coming and self._coming[0][0] <= now:
            self._reached = self._coming.pop(0)[1]
        return self._reached
