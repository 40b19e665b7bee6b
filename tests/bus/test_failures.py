"""Apps that raise, end, or hang: reported, removed, without commits; restarted if requested."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stage import (
    CallRecorder,
    Recorder,
    cast,
    everywhere,
    in_processes,
    instants,
    mission,
    play,
    read_notes,
    recorded,
)

from steerageway.bus import App
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import AppPlan, Condition, Failure, Outcome, Placement

MS = NANO // 1000
IMPATIENT = 1.0  # wall seconds: much more than any app takes that is well

pytestmark = pytest.mark.wall


class Failing(CallRecorder):
    """Fails as configured, in a given call and at a given time, in its first life."""

    publishes = ("GOOD", "HALF")

    def configure(self) -> None:
        super().configure()
        self.call = self.config.text("call", default="iterate")
        self.at = self.config.number("at", default=0.5)
        self.lives = self.config.number("lives", default=1)
        self.trouble = TROUBLES[self.config.text("trouble", default="raise")]

    def on_start(self) -> None:
        super().on_start()
        self.do("on_start")

    def iterate(self) -> None:
        super().iterate()
        self.post("GOOD", self.time)
        self.do("iterate")

    def on_stop(self) -> None:
        super().on_stop()
        self.do("on_stop")

    def do(self, call: str) -> None:
        lives = len(read_notes(self.path, "on_start"))
        if self.call == call and self.time >= self.at and lives <= self.lives:
            self.post("HALF", self.time)
            self.trouble()


def _raise() -> None:
    raise ValueError("broken")


def _hang() -> None:
    while True:
        time.sleep(0.01)


TROUBLES: dict[str, Callable[[], None]] = {
    "raise": _raise,
    "exit": lambda: (_ for _ in ()).throw(SystemExit(2)),
    "interrupt": lambda: (_ for _ in ()).throw(KeyboardInterrupt()),
    "other": lambda: (_ for _ in ()).throw(GeneratorExit("of no Exception")),
    "vanish": lambda: os._exit(3),
    "die": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "hang": _hang,
}
ENDINGS = {
    "raise": "ValueError: broken (test_failures.py:",
    "exit": "SystemExit: 2 (test_failures.py:",
    "interrupt": "KeyboardInterrupt",
    "other": "GeneratorExit: of no Exception (test_failures.py:",
    "vanish": "its process ended with exit status 3",
    "die": "its process was ended by SIGKILL",
    "hang": "did not answer within 1 s of wall time",
}
anyhow = pytest.mark.parametrize("trouble", ["raise", "exit", "interrupt", "other"])
however = pytest.mark.parametrize("trouble", ENDINGS)


def crew(folder: Path, trouble: str, **config: Any) -> list[AppPlan]:
    """Return a troubled app among others; each comes after one that it could be taken for."""
    return [
        cast(CallRecorder, "before", folder, hears="GOOD"),
        cast(Failing, "troubled", folder, trouble=trouble, **config),
        cast(CallRecorder, "after", folder, tick="20", hears="GOOD"),
        cast(Recorder, "log", folder),
    ]


@pytest.mark.slow
def test_an_app_that_hangs_in_the_process_of_the_time_kernel_is_named(tmp_path: Path) -> None:
    plan = replace(mission(*crew(tmp_path, "hang")), grant_timeout=IMPATIENT)
    failure = check_failed(play(plan, Placement.ONE), "hang", 0.5)
    assert "in _hang" in failure.details


def check_failed(outcome: Outcome, trouble: str, at: float) -> Failure:
    assert (outcome.exit_reason, outcome.condition) == ("app_failed", "troubled")
    assert not outcome.deterministic
    failure = next(f for f in outcome.failures if f.name == "troubled")
    assert failure.community == "alpha"
    assert failure.time == at or f"in its activation at {at:g} s" in failure.reason
    assert failure.reason.startswith(ENDINGS[trouble])
    return failure


@pytest.mark.parametrize(
    "blunder",
    [
        lambda app: app.post("GOOD", True),
        lambda app: json.loads("{"),
        lambda app: app.post(3.0, "GOOD"),
        lambda app: app.register("GOOD", 0),
        lambda app: app.register(["GOOD", "HALF"]),
        lambda app: app.register("GOOD", interval="1"),
        lambda app: app.register("GOOD", interval=-1),
        lambda app: app.register("GOOD", source=None),
    ],
    ids=["post", "Python's", "no name", "interval by place", "list", "text", "past", "no source"],
)
def test_a_library_error_is_reported_at_the_line_that_led_to_it(
    blunder: Callable[[App], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Failing, "do", lambda app, call: blunder(app))
    outcome = play(mission(*crew(tmp_path, "raise")), Placement.ONE)
    line = blunder.__code__.co_firstlineno
    assert outcome.failures[0].reason.endswith(f"({Path(__file__).name}:{line})")


@everywhere
@anyhow
def test_an_app_that_raises_is_named_and_commits_nothing(
    placement: Placement, trouble: str, tmp_path: Path
) -> None:
    outcome = play(mission(*crew(tmp_path, trouble)), placement)
    failure = check_failed(outcome, trouble, 0.5)
    assert "in iterate" in failure.details
    posts = [(m.name, m.value) for m in recorded(tmp_path / "log") if m.source == "troubled"]
    good = [value for name, value in posts if name == "GOOD"]
    assert good == [0.1, 0.2, 0.3, 0.4]
    assert "HALF" not in dict(posts)
    assert read_notes(tmp_path / "troubled")[-1].call == "iterate"


@everywhere
def test_the_others_finish_the_instant_and_stop_all(placement: Placement, tmp_path: Path) -> None:
    outcome = play(mission(*crew(tmp_path, "raise")), placement)
    end = outcome.simulated_seconds
    assert 0.5 <= end < 2.0
    for name in ("before", "after", "log"):
        notes = read_notes(tmp_path / name)
        assert [note.time for note in notes] == sorted(note.time for note in notes)
        assert (notes[-1].call, notes[-1].time) == ("on_stop", end)
    assert instants(tmp_path / "before")[-1] == round(end * 10) * 100 * MS


@in_processes
@however
def test_a_process_that_ends_or_hangs_is_named(
    placement: Placement, trouble: str, tmp_path: Path
) -> None:
    plan = mission(*crew(tmp_path, trouble), grant_timeout=IMPATIENT, seconds=1e6)
    outcome = play(plan, placement)
    failure = check_failed(outcome, trouble, 0.5)
    if trouble == "hang":
        assert "in _hang" in failure.details
        assert "in iterate" in failure.details
        beside = {f.reason for f in outcome.failures[1:]}
        shared = {"ended with troubled, in whose process it was"}
        assert beside == (shared if placement == Placement.COMMUNITY else set())
    if placement == Placement.PROCESS:
        assert [f.name for f in outcome.failures] == ["troubled"]
        values = [m.value for m in recorded(tmp_path / "log") if m.name == "GOOD"]
        assert set(values) <= {0.1, 0.2, 0.3, 0.4}


@pytest.mark.slow
@everywhere
def test_a_start_has_its_own_timeout(placement: Placement, tmp_path: Path) -> None:
    apps = crew(tmp_path, "hang", call="on_start", at="0")
    outcome = play(mission(*apps, grant_timeout=0.0, start_timeout=IMPATIENT), placement)
    check_failed(outcome, "hang", 0.0)


class Slow(CallRecorder):
    """Takes a while for each iteration."""

    def iterate(self) -> None:
        time.sleep(0.1)


@in_processes
def test_an_app_has_a_timeout_for_each_iteration(placement: Placement, tmp_path: Path) -> None:
    """Twenty iterations in one grant or eleven apps in one process take longer than that."""
    alone = mission(cast(Slow, "alone", tmp_path, tick="20"), seconds=1.0, grant_timeout=IMPATIENT)
    assert play(alone, placement).failures == []
    apps = [cast(Slow, f"p{k}", tmp_path, tick="1") for k in range(11)]
    assert play(mission(*apps, seconds=1.0, grant_timeout=IMPATIENT), placement).failures == []


@everywhere
@pytest.mark.parametrize("restarts", [0, 1])
def test_an_app_that_fails_at_its_shutdown_fails_the_run(
    placement: Placement, restarts: int, tmp_path: Path
) -> None:
    outcome = play(mission(*crew(tmp_path, "raise", call="on_stop"), restarts=restarts), placement)
    check_failed(outcome, "raise", 2.0)
    assert outcome.simulated_seconds == 2.0
    assert [len(read_notes(tmp_path / n, "on_stop")) for n in ("before", "after", "log")] == [1] * 3
    assert len(read_notes(tmp_path / "troubled", "on_start")) == 1


@everywhere
def test_a_run_that_has_reached_its_end_fails_with_an_app_that_fails_at_its_shutdown(
    placement: Placement, tmp_path: Path
) -> None:
    until = (Condition("GOOD > 0.2", ("GOOD",), lambda value: float(value("GOOD") or 0) > 0.2),)
    plan = mission(*crew(tmp_path, "raise", call="on_stop", at="0"), until=until)
    outcome = play(plan, placement)
    check_failed(outcome, "raise", 0.3)
    assert outcome.simulated_seconds == 0.3


@in_processes
def test_an_app_that_hangs_at_its_shutdown_is_not_waited_for(
    placement: Placement, tmp_path: Path
) -> None:
    apps = crew(tmp_path, "hang", call="on_stop")
    check_failed(play(mission(*apps, grant_timeout=IMPATIENT), placement), "hang", 2.0)
    assert read_notes(tmp_path / "log")[-1].call == "on_stop" or placement == Placement.COMMUNITY


def check_came_back(outcome: Outcome, folder: Path) -> None:
    """Check a life that ended at 0.5 s and one that began at 1.5 s, with a tick of 10 Hz."""
    assert outcome.exit_reason == "for"
    assert outcome.failures[0].name == "troubled"
    assert not outcome.deterministic
    assert instants(folder / "troubled", "on_start") == [0, 1500 * MS]
    ticks = instants(folder / "troubled")
    assert ticks == [k * 100 * MS for k in (*range(1, 6), *range(15, 31))]
    messages = [m for m in recorded(folder / "log") if m.name == "GOOD"]
    assert [m.value for m in messages] == [k / 10 for k in (*range(1, 5), *range(15, 31))]
    events = [(m.time, m.value) for m in recorded(folder / "log") if m.name == "DB_EVENT"]
    reconnections = [event for event in events if str(event[1]).endswith("connected=troubled")]
    assert reconnections == [(0.5, "disconnected=troubled"), (1.5, "connected=troubled")]


@everywhere
@anyhow
def test_an_app_restarts_a_second_later_in_its_phase(
    placement: Placement, trouble: str, tmp_path: Path
) -> None:
    outcome = play(mission(*crew(tmp_path, trouble), seconds=3.0, restarts=1), placement)
    check_came_back(outcome, tmp_path)
    assert len(outcome.failures) == 1
    assert outcome.apps[1].run_warnings == {"restarted, number 1": 1}
    for name, tick in (("before", 10), ("after", 20)):
        assert len(instants(tmp_path / name)) == 3 * tick
        assert len(read_notes(tmp_path / name, "on_start")) == 1


@everywhere
def test_a_waiting_app_is_told_in_time_that_another_is_gone_and_back(
    placement: Placement, tmp_path: Path
) -> None:
    """Two fail at the same instant, and another is yet to come."""
    apps = [
        cast(CallRecorder, "watch", tmp_path, hears="DB_EVENT"),
        cast(Failing, "first", tmp_path, at="2.5"),
        cast(Failing, "second", tmp_path, at="2.5"),
        cast(CallRecorder, "late", tmp_path, start=3.3),
    ]
    outcome = play(mission(*apps, seconds=5.0, restarts=1), placement)
    assert len(outcome.failures) == 2
    values = [
        (n.time, [m.value for m in n.mail]) for n in read_notes(tmp_path / "watch", "on_mail")
    ]
    assert values[-3:] == [
        (2.6, ["disconnected=first", "disconnected=second"]),
        (3.3, ["connected=late"]),
        (3.5, ["connected=first", "connected=second"]),
    ]


@everywhere
def test_a_log_contains_the_app_whose_failure_ends_the_run(
    placement: Placement, tmp_path: Path
) -> None:
    play(mission(*crew(tmp_path, "raise")), placement)
    events = [(m.time, m.value) for m in recorded(tmp_path / "log") if m.name == "DB_EVENT"]
    assert events[-1] == (0.5, "disconnected=troubled")


@pytest.mark.process
@pytest.mark.parametrize("trouble", ["vanish", "die", "hang"])
def test_a_process_that_ended_or_hung_is_replaced(trouble: str, tmp_path: Path) -> None:
    plan = mission(*crew(tmp_path, trouble), seconds=3.0, restarts=1, grant_timeout=IMPATIENT)
    outcome = play(plan, Placement.PROCESS)
    assert [f.name for f in outcome.failures] == ["troubled"]
    assert outcome.failures[0].reason.startswith(ENDINGS[trouble])
    assert instants(tmp_path / "troubled", "on_start") == [0, 1500 * MS]
    assert instants(tmp_path / "troubled")[-16:] == [k * 100 * MS for k in range(15, 31)]
    assert outcome.exit_reason == "for"


@pytest.mark.process
def test_all_apps_of_a_process_that_ended_restart(tmp_path: Path) -> None:
    plan = mission(*crew(tmp_path, "die"), seconds=3.0, restarts=1)
    outcome = play(plan, Placement.COMMUNITY)
    assert sorted(f.name for f in outcome.failures) == ["after", "before", "log", "troubled"]
    assert outcome.exit_reason == "for"
    for app in plan.apps:
        assert read_notes(tmp_path / app.name, "on_start")[-1].time >= 1.0
        assert read_notes(tmp_path / app.name)[-1].time == 3.0


@everywhere
def test_an_app_restarts_without_registrations_and_mail(
    placement: Placement, tmp_path: Path
) -> None:
    class RegistersOnce(Failing):
        """Registers in its first life only."""

        def on_start(self) -> None:
            if not self.path.exists():
                self.register("CLOCK")
            self.note("on_start")

    class Clock(CallRecorder):
        publishes = ("CLOCK",)

        def iterate(self) -> None:
            self.post("CLOCK", self.time)

    apps = [cast(Clock, "clock", tmp_path), cast(RegistersOnce, "troubled", tmp_path)]
    play(mission(*apps, seconds=3.0, restarts=1), placement)
    assert [note.time for note in read_notes(tmp_path / "troubled", "on_mail")] == [
        0.2,
        0.3,
        0.4,
        0.5,
    ]


@everywhere
@pytest.mark.parametrize("mode", [1, 2])
def test_an_app_that_runs_by_mail_restarts_too(
    placement: Placement, mode: int, tmp_path: Path
) -> None:
    apps = crew(tmp_path, "raise", hears="DB_UPTIME", at="2")
    again = cast(
        Failing, "troubled", tmp_path, trouble="raise", hears="DB_UPTIME", at="2", mode=mode
    )
    outcome = play(mission(apps[0], again, *apps[2:], seconds=6.5, restarts=1), placement)
    died = 2001 if mode == 1 else 2000
    assert instants(tmp_path / "troubled", "on_start") == [0, (died + 1000) * MS]
    assert outcome.exit_reason == "for"
    assert instants(tmp_path / "troubled")[-1] == (6001 if mode == 1 else 6500) * MS


@everywhere
def test_an_app_that_fails_too_often_fails_the_run(placement: Placement, tmp_path: Path) -> None:
    apps = crew(tmp_path, "raise", lives="2")
    outcome = play(mission(*apps, seconds=9.0, restarts=1), placement)
    assert [f.time for f in outcome.failures] == [0.5, 1.5]
    assert outcome.exit_reason == "app_failed"
    assert 1.5 <= outcome.simulated_seconds < 4.0


@everywhere
def test_an_app_that_cannot_be_recreated_fails_the_run(
    placement: Placement, tmp_path: Path
) -> None:
    def rebuild(seed: int) -> App:
        raise RuntimeError("no second life")

    apps = crew(tmp_path, "raise")
    apps[1] = replace(apps[1], rebuild=rebuild)
    outcome = play(mission(*apps, seconds=9.0, restarts=3), placement)
    assert outcome.exit_reason == "app_failed"
    assert {f.name for f in outcome.failures} == {"troubled"}
    assert len(outcome.failures) >= 2
    assert read_notes(tmp_path / "log")[-1].call == "on_stop"
