"""Waiting awake: for frames that come sooner than a sleeping processor would.

Broker and apps answer each other within tens of microseconds to a few milliseconds. A processor
that has gone idle meanwhile takes a while to come back, and has lost what it had at hand; so
whoever waits keeps looking for a moment. It lets others have the processor between two looks. Where
a stranger takes it for long, sleeping is what helps everyone: for a moment if that happens now and
then, as on every machine, and the longer the sooner it happens again.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import inf

from steerageway.bus.core.clock import stopwatch
from steerageway.bus.transport.group_channel import Frame, GroupChannel, Wait, blocking

AWAKE = 0.002  # wall seconds of looking before going to sleep, in lockstep
TAKEN = 0.002  # wall seconds that nobody in a run has the processor for while another waits
REST = 0.02  # wall seconds in which all waits are slept through then, and at first
CALM = 0.1  # wall seconds after a rest in which another is the next one, and twice as long
LONGEST_REST = 16 * REST

_let_others = getattr(os, "sched_yield", lambda: None)


def wait_at(warp: float) -> Wait:
    """Return how an app's process is to wait: awake at full speed; paced, there is time to sleep."""
    return SpinWait().receive if warp == inf else blocking


class SpinWait:
    """Waits for frames, awake where that pays; at first it does not: more is being started."""

    def __init__(self, awake: float = AWAKE) -> None:
        """Begin.

        Args:
            awake: wall seconds of looking before going to sleep.
        """
        self._awake = awake
        self._rest = REST
        self._rests_until = stopwatch() + self._rest

    def receive(self, channel: GroupChannel) -> list[Frame]:
        """Return the next frames of a channel, as ``group_channel.blocking`` does."""
        return channel.receive(wait=not self.sees(channel.readable))

    def sees(self, readable: Callable[[], bool]) -> bool:
        """Keep looking as long as that pays; give whether something has come."""
        began = now = stopwatch()
        while self._rests_until <= now < began + self._awake:
            if readable():
                return True
            before = now
            _let_others()
            now = stopwatch()
            if now - before > TAKEN:
                self._lie_down(now)
        return False

    def _lie_down(self, now: float) -> None:
        """Rest from a wall time on."""
        again = now < self._rests_until + CALM
        self._rest = min(2 * self._rest, LONGEST_REST) if again else REST
        self._rests_until = now + self._rest
