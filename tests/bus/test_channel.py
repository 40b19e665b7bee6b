"""Frames over a socket come whole, in order, and none gets lost."""

from __future__ import annotations

from steerageway.bus.transport.channel import Channel


def test_frames_that_come_together_wait_for_whoever_took_the_first_of_them() -> None:
    here, there = Channel.pair()
    here.send("seated", 3)
    here.send("grants", 1)
    here.send("grants", 2)
    here.close()
    assert next(there.frames()) == ("seated", 3)
    assert list(there.frames()) == [("grants", 1), ("grants", 2)]
    there.close()
