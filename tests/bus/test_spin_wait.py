"""Spin waits return the same frames as blocking ones."""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf
from threading import Timer

import pytest

from steerageway.bus.transport import spin_wait
from steerageway.bus.transport.channel import Channel, blocking
from steerageway.bus.transport.spin_wait import (
    BACKOFF_WINDOW,
    PREEMPTED,
    REST,
    SPIN_TIME,
    SpinWait,
    wait_at,
)

LATE = 0.05  # wall seconds: whoever waits has begun to, however busy the machine is


@pytest.fixture
def ends() -> Iterator[tuple[Channel, Channel]]:
    """Return both ends of a channel."""
    here, there = Channel.pair()
    yield here, there
    here.close()
    there.close()


def spinning() -> SpinWait:
    """Return a spin wait that is past the rest it begins with."""
    found = SpinWait()
    time.sleep(REST + BACKOFF_WINDOW)
    return found


def answer(keeping: SpinWait, here: Channel, there: Channel, number: int) -> None:
    """Have a spin wait wait for a frame that comes late."""
    timer = Timer(LATE, there.send, ("answer", number))
    timer.start()
    assert keeping.receive(here) == [("answer", number)]
    timer.join()


@pytest.mark.parametrize("delay", [0.0, SPIN_TIME / 4, 20 * SPIN_TIME])
def test_frames_come_however_late(ends: tuple[Channel, Channel], delay: float) -> None:
    here, there = ends
    keeping = spinning()
    for number in range(3):
        timer = Timer(delay, there.send, ("answer", number))
        timer.start()
        frames = keeping.receive(here)
        timer.join()
        assert frames == [("answer", number)]


def test_a_frame_received_in_parts_is_returned_whole(ends: tuple[Channel, Channel]) -> None:
    here, there = ends
    sender = Timer(0.0, there.send, ("answer", "x" * 2_000_000))
    sender.start()
    keeping = spinning()
    frames = []
    while not frames:
        frames = keeping.receive(here)
    sender.join()
    assert frames == [("answer", "x" * 2_000_000)]


def test_the_other_sides_end_ends_the_wait(ends: tuple[Channel, Channel]) -> None:
    here, there = ends
    there.close()
    assert spinning().receive(here) == []
    assert here.closed


def test_waits_sleep_once_another_process_uses_the_processor(
    ends: tuple[Channel, Channel], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = ends
    now, let_others = [0.0], []
    monkeypatch.setattr(spin_wait, "stopwatch", lambda: now[0])

    def take_long() -> None:
        now[0] += 2 * PREEMPTED
        let_others.append(now[0])

    monkeypatch.setattr(spin_wait, "_let_others", take_long)
    keeping = SpinWait()
    now[0] = REST + BACKOFF_WINDOW
    for number in range(3):
        answer(keeping, here, there, number)
    assert len(let_others) == 1


def test_rests_double_while_the_processor_is_busy_and_reset_when_it_is_calm(
    ends: tuple[Channel, Channel], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(spin_wait, "stopwatch", lambda: now[0])

    def take_long() -> None:
        now[0] += 2 * PREEMPTED

    monkeypatch.setattr(spin_wait, "_let_others", take_long)
    keeping, rests = SpinWait(), []
    for calm in (2 * BACKOFF_WINDOW, 0, 0, 0, 0, 0, 0, BACKOFF_WINDOW / 2, 2 * BACKOFF_WINDOW, 0):
        now[0] = keeping._rests_until + calm
        answer(keeping, *ends, 0)
        rests.append(round((keeping._rests_until - now[0]) / REST))
    assert rests == [1, 2, 4, 8, 16, 16, 16, 16, 1, 2]


def test_looks_end_when_something_stirs_or_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, found = [0.0], iter([False, False, True, *[False] * 99])
    monkeypatch.setattr(spin_wait, "stopwatch", lambda: now[0])

    def take_a_moment() -> None:
        now[0] += PREEMPTED / 4

    monkeypatch.setattr(spin_wait, "_let_others", take_a_moment)
    keeping = SpinWait(spin_time=PREEMPTED)
    assert not keeping.poll(lambda: next(found))
    assert now == [0.0]  # it begins with a rest
    now[0] = REST
    assert keeping.poll(lambda: next(found))
    assert now == [pytest.approx(REST + PREEMPTED / 2)]
    assert not keeping.poll(lambda: next(found))
    assert REST + 1.4 * PREEMPTED < now[0] < REST + 1.8 * PREEMPTED


def test_only_at_full_speed_are_processes_awake() -> None:
    assert wait_at(10.0) is blocking
    assert wait_at(inf) is not blocking
