"""The clock: age of this process, and pacing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest

from steerageway.bus.core import clock
from steerageway.bus.core.clock import Pacer
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.stamps import stamp
from steerageway.bus.lockstep.session import Session

NAP = 0.2
CLOCK_TICK = 0.01  # what the system counts the starts of processes in [s]
ASK = (
    f"import time; time.sleep({NAP}); "
    "from steerageway.bus.core.clock import process_age; print(process_age())"
)


def test_the_age_of_a_process_is_set_by_the_process_that_started_it() -> None:
    began = monotonic()
    root = Path(__file__).parents[2]
    result = subprocess.run(
        [sys.executable, "-c", ASK], cwd=root, capture_output=True, text=True, check=True
    )
    lived = monotonic() - began
    assert NAP <= float(result.stdout) <= lived + CLOCK_TICK


class Hands:
    """A wall clock that a test moves [s]."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(clock, "wall", lambda: self.now)


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    return Hands(monkeypatch)


def test_faster_than_real_time_a_wait_ends_every_twenty_milliseconds(hands: Hands) -> None:
    pacer = Pacer(10.0)  # 20 ms of wall time are 0.2 s of simulated time
    hands.now += 0.055
    assert pacer.wait(int(0.56 * NANO), stepwise=True) == pytest.approx(0.005)
    assert pacer.wait(int(0.60 * NANO), stepwise=True) == pytest.approx(0.005)
    assert pacer.wait(int(0.61 * NANO), stepwise=True) == pytest.approx(0.025)
    assert pacer.wait(int(0.56 * NANO)) == pytest.approx(0.001)


def test_an_instant_may_run_at_its_own_time_whatever_ends_a_wait(hands: Hands) -> None:
    pacer = Pacer(10.0)
    hands.now += 0.055
    assert pacer.allowed() == pytest.approx(0.55 * NANO)
    assert pacer.wait(int(0.54 * NANO), stepwise=True) == 0.0
    pacer.set_warp(20.0, 0)
    assert pacer.allowed() == pytest.approx(0.55 * NANO)


def test_in_real_time_each_wait_ends_at_the_instant(hands: Hands) -> None:
    pacer = Pacer(1.0)
    hands.now += 0.0255
    assert pacer.wait(int(0.0265 * NANO), stepwise=True) == pytest.approx(0.001)


class Stub:
    """A kernel that has run up to an instant and has one every 50 ms."""

    def __init__(self) -> None:
        case = SimpleNamespace(number=0)
        self.state: Any = SimpleNamespace(case=case, reached=stamp(0, 0), complaints=[], offset=0)

    def next_instant(self) -> int:
        return NANO // 20


def session_at(warp: float) -> Session:
    return Session(RunPlan(("alpha",), (), warp), Stub(), lambda case: None)  # type: ignore[arg-type]


def test_a_request_waits_for_the_instants_whose_time_came_before_it(hands: Hands) -> None:
    session = session_at(10.0)
    hands.now += 0.015
    session.control("clear", ())
    hands.now += 0.010
    assert session.allowed() == pytest.approx(0.15 * NANO)  # what would have run without steps


def test_a_request_in_a_pause_waits_for_nothing(hands: Hands) -> None:
    session = session_at(10.0)
    session.control("pause", ())
    hands.now += 5.0
    session.control("clear", ())
    assert session.allowed() == 0


def test_a_request_after_a_stall_does_not_wait_for_the_time_that_was_lost(hands: Hands) -> None:
    session = session_at(10.0)
    hands.now += 5.0
    session.control("clear", ())
    assert session.allowed() == NANO // 20


def test_waits_are_not_prolonged_while_a_request_waits(hands: Hands) -> None:
    session = session_at(10.0)
    assert session.wait(NANO // 20) == pytest.approx(0.02)
    session.control("clear", ())
    session._share.take(1.0, 1.0)  # it must wait for its share of the time
    assert session.wait(NANO // 20) == pytest.approx(0.005)


def test_recorders_run_every_tenth_of_a_second_unless_somebody_watches(hands: Hands) -> None:
    session = session_at(10.0)
    hands.now += 0.155
    assert session.recorded() == pytest.approx(1.0 * NANO)
    session.watched = True
    assert session.recorded() is None
    session.watched = False
    session.control("pause", ())
    assert session.recorded() is None


@pytest.mark.parametrize("warp", [1.0, clock.inf])
def test_recorders_run_like_others_in_real_time_and_at_full_speed(warp: float) -> None:
    assert session_at(warp).recorded() is None
