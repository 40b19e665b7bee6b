"""The clock: age of this process, and pacing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from steerageway.bus.core import clock
from steerageway.bus.core.clock import Pacer
from steerageway.bus.core.message import NANO

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


def test_faster_than_real_time_instants_run_together_every_twenty_milliseconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(clock, "wall", lambda: now)
    pacer = Pacer(10.0)  # twenty milliseconds are 0.2 s of simulated time
    now += 0.055
    assert pacer.allowed() == 0.4 * NANO
    assert pacer.wait(int(0.4 * NANO)) == 0.0
    assert pacer.wait(int(0.41 * NANO)) == pacer.wait(int(0.6 * NANO))
    assert pacer.wait(int(0.6 * NANO)) == pytest.approx(0.005)


def test_in_real_time_each_instant_runs_at_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(clock, "wall", lambda: now)
    pacer = Pacer(1.0)
    now += 0.0255
    assert pacer.allowed() == pytest.approx(0.0255 * NANO)
    assert pacer.wait(int(0.0265 * NANO)) == pytest.approx(0.001)


def test_a_warp_that_is_set_again_and_again_stops_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(clock, "wall", lambda: now)
    pacer = Pacer(10.0)
    for _ in range(1000):
        now += 0.001
        pacer.set_warp(10.0, 0)
    assert pacer.allowed() == pytest.approx(10 * NANO, rel=1e-6)
