"""Waiting awake gives what waiting asleep does."""

from __future__ import annotations

from threading import Timer

import pytest

from bus.channel import Channel
from bus.vigil import AWAKE, Vigil


@pytest.mark.parametrize("delay", [0.0, AWAKE / 4, 20 * AWAKE])
def test_frames_come_however_late(delay: float) -> None:
    here, there = Channel.pair()
    vigil = Vigil()
    for number in range(3):
        timer = Timer(delay, there.send, ("answer", number))
        timer.start()
        frames = vigil.receive(here)
        timer.join()
        assert frames == [("answer", number)]
    here.close()
    there.close()


def test_what_came_in_parts_is_given_whole() -> None:
    here, there = Channel.pair()
    sender = Timer(0.0, there.send, ("answer", "x" * 2_000_000))
    sender.start()
    vigil = Vigil()
    frames = []
    while not frames:
        frames = vigil.receive(here)
    sender.join()
    assert frames == [("answer", "x" * 2_000_000)]
    here.close()
    there.close()


def test_the_other_sides_end_ends_the_wait() -> None:
    here, there = Channel.pair()
    there.close()
    assert Vigil().receive(here) == []
    assert here.closed
    here.close()
