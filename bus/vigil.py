"""Waiting awake: for answers that come sooner than a sleeping processor would.

An app answers within some tens of microseconds. A processor that has gone idle meanwhile takes as
long again to come back, so for a moment the broker keeps looking. It lets others have the processor
between two looks; where they take it, the machine is busy, and sleeping is what helps everyone.
"""

from __future__ import annotations

import os
from typing import Any

from bus.channel import Channel
from bus.clock import stopwatch

AWAKE = 300e-6  # wall seconds of looking before going to sleep
TAKEN = 100e-6  # wall seconds after which somebody else has had the processor
REST = 256  # waits that are slept through once that has happened

_let_others = getattr(os, "sched_yield", lambda: None)


class Vigil:
    """Waits for frames, awake where that pays."""

    def __init__(self) -> None:
        self._rest = 0

    def receive(self, channel: Channel) -> list[tuple[Any, ...]]:
        """Give the next frames of a channel, as ``Channel.receive`` does that waits."""
        if self._rest:
            self._rest -= 1
            return channel.receive(wait=True)
        began = now = stopwatch()
        while now - began < AWAKE:
            frames = channel.receive()
            if frames or channel.closed:
                return frames
            before = now
            _let_others()
            now = stopwatch()
            if now - before > TAKEN:
                self._rest = REST
                break
        return channel.receive(wait=True)
