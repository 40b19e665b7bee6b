"""Spin wait: polling briefly for a frame before sleeping, which is faster than being woken.

Broker and apps answer each other within tens of microseconds to a few milliseconds. An idle
processor takes time to wake up, and has lost its caches; so a waiting process polls for a moment,
and yields the processor between two polls. If another process then keeps it for long, the machine
is busy and sleeping is better for everyone: all waits sleep for a while, and for longer the sooner
it happens again (exponential backoff).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import inf

from steerageway.bus.core.clock import stopwatch
from steerageway.bus.transport.channel import Channel, Frame, Wait, blocking

SPIN_TIME = 0.002  # wall seconds of polling before sleeping, in lockstep
PREEMPTED = 0.002  # wall seconds without the processor that mean the machine is busy
REST = 0.02  # wall seconds in which waits sleep at once then, and at the start
BACKOFF_WINDOW = 0.1  # wall seconds after a rest within which the next one is twice as long
LONGEST_REST = 16 * REST

_let_others = getattr(os, "sched_yield", lambda: None)


def wait_at(warp: float) -> Wait:
    """Return how an app's process waits: spinning at full speed; paced, there is time to sleep."""
    return SpinWait().receive if warp == inf else blocking


class SpinWait:
    """Waits for frames, spinning where that pays; at first it sleeps, as processes still start."""

    def __init__(self, spin_time: float = SPIN_TIME) -> None:
        """Begin.

        Args:
            spin_time: wall seconds of polling before sleeping.
        """
        self._spin_time = spin_time
        self._rest = REST
        self._rests_until = stopwatch() + self._rest

    def receive(self, channel: Channel) -> list[Frame]:
        """Return the next frames of a channel, as ``channel.blocking`` does."""
        return channel.receive(wait=not self.poll(channel.readable))

    def poll(self, readable: Callable[[], bool]) -> bool:
        """Poll for as long as that pays; return whether something has come."""
        began = now = stopwatch()
        while self._rests_until <= now < began + self._spin_time:
            if readable():
                return True
            before = now
            _let_others()
            now = stopwatch()
            if now - before > PREEMPTED:
                self._back_off(now)
        return False

    def _back_off(self, now: float) -> None:
        """Sleep instead of polling from a wall time on."""
        again = now < self._rests_until + BACKOFF_WINDOW
        self._rest = min(2 * self._rest, LONGEST_REST) if again else REST
        self._rests_until = now + self._rest
