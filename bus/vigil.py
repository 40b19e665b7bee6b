"""Waiting awake: for frames that come sooner than a sleeping processor would.

Broker and apps answer each other within tens of microseconds to a few milliseconds. A processor
that has gone idle meanwhile takes a while to come back, and has lost what it had at hand; so
whoever waits keeps looking for a moment. It lets others have the processor between two looks; where
a stranger takes it for long, the machine is busy, and sleeping is what helps everyone.
"""

from __future__ import annotations

import os
from math import inf
from typing import Any

from bus.channel import Channel, Wait, asleep
from bus.clock import stopwatch

AWAKE = 0.002  # wall seconds of looking before going to sleep
TAKEN = 0.002  # wall seconds that nobody in a run has the processor for while another waits
REST = 0.3  # wall seconds in which all waits are slept through once that has happened

_let_others = getattr(os, "sched_yield", lambda: None)


def at_speed(warp: float) -> Wait:
    """Give how an app's process is to wait: awake at full speed; paced, there is time to sleep."""
    return Vigil().receive if warp == inf else asleep


class Vigil:
    """Waits for frames, awake where that pays; at first it does not: a run is being set up."""

    def __init__(self) -> None:
        self._rests_until = stopwatch() + REST

    def receive(self, channel: Channel) -> list[tuple[Any, ...]]:
        """Give the next frames of a channel, as ``bus.channel.asleep`` does."""
        began = now = stopwatch()
        while self._rests_until <= now < began + AWAKE:
            frames = channel.receive()
            if frames or channel.closed:
                return frames
            before = now
            _let_others()
            now = stopwatch()
            if now - before > TAKEN:
                self._rests_until = now + REST
        return channel.receive(wait=True)
