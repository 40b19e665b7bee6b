"""Pacing: simulated time follows wall time at its warp, never ahead, without catching up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stage import PLACEMENTS, CallRecorder, cast, direct, mission, passed, play, reached, read_notes

from steerageway.bus.core.plan import Placement, Progress
from steerageway.bus.lockstep.session import Session
from steerageway.bus.processes import broker
from steerageway.bus.processes.group_processes import GroupProcesses
from steerageway.bus.processes.run import run

pytestmark = [pytest.mark.process, pytest.mark.wall]  # wall time is what is measured

everywhere = pytest.mark.parametrize("placement", PLACEMENTS)

SLACK = 0.3  # wall seconds that time may run after what it missed, and by which a look may be late


class Staller(CallRecorder):
    """Takes more than its time once, as a machine that is suspended does."""

    def iterate(self) -> None:
        if abs(self.time - 1.0) < 1e-9:
            time.sleep(1.2)
        self.note("iterate")


def walls(path: Path) -> dict[float, float]:
    """Return simulated time -> wall time of a witness's iterations [s]."""
    return {note.time: note.wall for note in read_notes(path, "iterate")}


@everywhere
def test_no_instant_runs_before_its_time_at_the_warp(placement: Placement, tmp_path: Path) -> None:
    play(mission(cast(CallRecorder, "one", tmp_path), seconds=6.0, warp=10.0), placement)
    at = walls(tmp_path / "one")
    assert at[6.0] - at[0.1] > 0.59 - SLACK / 2


@everywhere
def test_time_lost_in_a_stall_is_not_caught_up(placement: Placement, tmp_path: Path) -> None:
    play(mission(cast(Staller, "one", tmp_path), seconds=6.0, warp=5.0), placement)
    at = walls(tmp_path / "one")
    assert at[1.0] - at[0.9] > 1.2
    assert at[6.0] - at[1.0] > 1.0 - SLACK


@everywhere
def test_time_lost_in_a_pause_is_not_caught_up(
    placement: Placement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        yield from reached(session, 1.0)
        session.control("pause", ())
        yield from passed(1.2)
        session.control("resume", ())

    direct(monkeypatch, script)
    play(mission(cast(CallRecorder, "one", tmp_path), seconds=6.0, warp=5.0), placement)
    at = walls(tmp_path / "one")
    stood, went_on = max(
        zip(at, list(at)[1:], strict=False), key=lambda two: at[two[1]] - at[two[0]]
    )
    assert at[went_on] - at[stood] > 1.2 - SLACK
    assert at[6.0] - at[went_on] > (6.0 - went_on) / 5.0 - SLACK


@everywhere
def test_another_warp_applies_from_its_request(
    placement: Placement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        yield from reached(session, 20.0)
        session.control("warp", (4.0,))

    direct(monkeypatch, script)
    play(mission(cast(CallRecorder, "one", tmp_path), seconds=24.0, warp=40.0), placement)
    at = walls(tmp_path / "one")
    assert at[24.0] - at[21.0] > 0.75 - SLACK
    assert at[24.0] - at[19.0] < 1.0 + 5 * SLACK  # 5.5 s if it counted from the start


class Slow(CallRecorder):
    """Takes five times as long as there is between its ticks."""

    def iterate(self) -> None:
        time.sleep(0.05)


def test_a_broker_sleeps_while_the_apps_that_are_due_have_not_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    polls, receive = tmp_path / "polls", GroupProcesses.receive

    def counted(self: GroupProcesses, timeout: float, awaited: int | None = None) -> Any:
        frame = receive(self, timeout, awaited)
        if frame is None and timeout < 0.001:
            polls.write_bytes(polls.read_bytes() + b".")
        return frame

    polls.touch()
    monkeypatch.setattr(GroupProcesses, "receive", counted)
    apps = [cast(Slow, f"slow{n}", tmp_path) for n in range(5)]
    play(mission(*apps, warp=10.0, seconds=1.0), Placement.PROCESS)
    assert len(polls.read_bytes()) < 50


@pytest.mark.parametrize(("patience", "named"), [(5.0, set()), (0.4, {("one",)})])
def test_only_an_app_that_takes_unusually_long_is_reported_as_awaited(
    patience: float, named: set[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine may keep healthy apps waiting for a second, and nothing is wrong then."""
    monkeypatch.setattr(broker, "PATIENCE", patience)
    apps = [cast(Staller, "one", tmp_path), cast(CallRecorder, "two", tmp_path, start=0.05)]
    reports: list[Progress] = []
    run(mission(*apps, warp=20.0), reports.append)
    assert {one.waiting_for for one in reports if one.waiting_for} == named
