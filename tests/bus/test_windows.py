"""Communities in windows, each in a process: failures, and observers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from stage import (
    CallRecorder,
    Recorder,
    cast,
    direct,
    mission,
    passed,
    play,
    reached,
    recorded,
    until,
)

from steerageway.bus.core.errors import ControlError
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import AppPlan, Placement, Poke
from steerageway.bus.core.stamps import ITERATE, stamp
from steerageway.bus.lockstep.community_coordinator import CommunityCoordinator, in_windows
from steerageway.bus.lockstep.session import Session

pytestmark = [pytest.mark.process, pytest.mark.wall]


class Ticker(CallRecorder):
    """Counts; at 1 s it performs the configured action."""

    publishes = ("COUNT",)

    def iterate(self) -> None:
        self.post("COUNT", self.iteration)
        if self.time == 1.0 and self.config.text("then") == "raise":
            raise ValueError("stumbled")
        if self.time == 1.0 and self.config.text("then") == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.time == 1.0 and self.config.text("then") == "sleep":
            time.sleep(0.6)
        while self.time == 1.0 and self.config.text("then") == "hang":
            pass


class ProcessReporter(CallRecorder):
    """Posts the process it is in."""

    publishes = ("PID",)

    def iterate(self) -> None:
        self.post("PID", os.getpid())


def share_cores(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let communities share this many processes."""
    monkeypatch.setattr("steerageway.bus.processes.supervisor.cores", lambda: number)


def pair(notes: Path, then: str = "") -> list[AppPlan]:
    """Plan two communities that count, the second of which may come to grief."""
    return [
        plan
        for name, does in (("abe", ""), ("ben", then))
        for plan in (
            cast(Recorder, f"pLogger_{name}", notes, tick="2", community=name),
            cast(Ticker, f"pTicker_{name}", notes, tick="10", community=name, then=does),
        )
    ]


@pytest.mark.parametrize(
    ("then", "reason"),
    [
        ("raise", "ValueError: stumbled"),
        ("die", "its process was ended by SIGKILL"),
        ("hang", "did not answer within 1 s of wall time"),
    ],
)
@pytest.mark.parametrize("processes", [1, 2])
def test_an_app_that_fails_is_named_and_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str, reason: str, processes: int
) -> None:
    share_cores(monkeypatch, processes)
    plan = mission(*pair(tmp_path, then), seconds=1000, grant_timeout=1.0, start_timeout=60.0)
    outcome = play(plan, Placement.COMMUNITY)
    first = outcome.failures[0]
    assert (outcome.exit_reason, outcome.deterministic) == ("app_failed", False)
    assert (first.name, first.community) == ("pTicker_ben", "ben")
    assert first.time == 1.0 or "in its activation at 1 s" in first.reason
    assert reason in first.reason


def test_communities_share_processes_where_there_are_fewer_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_cores(monkeypatch, 2)
    names = ("abe", "ben", "cal", "deb", "eve")
    apps = [cast(ProcessReporter, f"pTeller_{name}", tmp_path, community=name) for name in names]
    values = play(mission(*apps, seconds=2.0), Placement.COMMUNITY).values
    abe, ben, cal, deb, eve = (values[name]["PID"] for name in names)
    assert abe == cal == eve
    assert ben == deb
    assert abe != ben


@pytest.mark.parametrize("remote", [False, True])
def test_each_app_in_a_process_has_the_time_of_its_own_grant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: bool
) -> None:
    share_cores(monkeypatch, 1)
    if remote:  # the broker cannot read what a process on another machine is at
        reads = "steerageway.bus.processes.community_groups.read_activation"
        monkeypatch.setattr(reads, lambda folder, pid: (-1, -1))
    apps = [
        cast(Ticker, f"pTicker_{name}", tmp_path, tick="10", community=name, then="sleep")
        for name in ("abe", "ben", "cal")
    ]
    plan = mission(*apps, seconds=2.0, grant_timeout=1.5, start_timeout=1.5)
    assert play(plan, Placement.COMMUNITY).exit_reason == "for"


def test_an_observer_sees_everything_and_may_post(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        yield from reached(session, 1.0)
        with pytest.raises(ControlError, match="--placement process"):
            session.control("reset", ())
        database = session.databases["abe"]
        yield from until(lambda: (database.value("COUNT") or 0) > 20)
        session.poke(Poke("ben", "POKED", 7.0))

    direct(monkeypatch, script)
    monkeypatch.setattr("steerageway.bus.observers.service.Observers.communities", ["abe"])
    outcome = play(mission(*pair(tmp_path), seconds=6.0, warp=4.0), Placement.COMMUNITY)
    assert outcome.values["ben"]["POKED"] == 7.0
    (poked,) = [m for m in recorded(tmp_path / "pLogger_ben") if m.name == "POKED"]
    assert 2.0 < poked.time < 6.0


def test_pauses_and_steps_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("alone", "stepped"):
        (tmp_path / folder).mkdir()
    play(mission(*pair(tmp_path / "alone"), seconds=4.0), Placement.ONE)

    def script(session: Session) -> Iterator[None]:
        yield from reached(session, 1.0)
        session.control("pause", ())
        paused = session.status()["time"]
        yield from passed(0.2)
        assert session.status()["time"] <= paused + 0.2
        session.control("step", (3,))
        yield from until(lambda: session.status()["time"] > paused + 0.2)
        session.control("run_until", (3.0,))
        yield from reached(session, 3.0)
        session.control("resume", ())

    direct(monkeypatch, script)
    outcome = play(
        mission(*pair(tmp_path / "stepped"), seconds=4.0, warp=20.0), Placement.COMMUNITY
    )
    assert outcome.exit_reason == "for"
    for name in ("pLogger_abe", "pLogger_ben"):
        assert recorded(tmp_path / "stepped" / name) == recorded(tmp_path / "alone" / name)


def test_plans_that_need_one_time_kernel_get_one(tmp_path: Path) -> None:
    apps = pair(tmp_path)
    assert in_windows(mission(*apps, placement=Placement.COMMUNITY))
    assert not in_windows(mission(*apps, placement=Placement.PROCESS))
    assert not in_windows(mission(*apps, placement=Placement.COMMUNITY, restarts=1))
    assert not in_windows(mission(*apps[:2], placement=Placement.COMMUNITY))


def test_what_the_broker_keeps_of_a_watched_community_does_not_grow_with_time() -> None:
    coordinator = CommunityCoordinator(mission(cast(Ticker, "pTick", Path(), then="")))
    kept = []
    for instant in range(1, 3001):
        message = Message("COUNT", float(instant), 0.0, "pTick", "", "alpha", instant)
        coordinator.mirror("alpha", [(stamp(instant, ITERATE), 0, 0, message)])
        variable = coordinator.state.databases["alpha"].variables["COUNT"]
        kept.append(len(variable.recent) + len(variable.runs))
    assert variable.value == 3000.0
    assert max(kept) <= 2
