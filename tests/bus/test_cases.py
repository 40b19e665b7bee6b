"""Case resets: early ones, and time after them."""

from __future__ import annotations

import hashlib
from ast import literal_eval
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from time import sleep

import pytest
from networks import app_plan
from stage import (
    PLACEMENTS,
    CallRecorder,
    Recorder,
    Script,
    cast,
    direct,
    everywhere,
    instants,
    mission,
    passed,
    play,
    reached,
    recorded,
    until,
)

from steerageway.bus import App, Message
from steerageway.bus.core.cases import CASE_RESET, Case, read_case
from steerageway.bus.core.errors import PostRefused, ValueRefused
from steerageway.bus.core.message import nanoseconds
from steerageway.bus.core.plan import AppPlan, Placement, RunPlan
from steerageway.bus.lockstep.session import Session


def reset_at(time: float) -> Script:
    """Make a script that begins another case at a simulated time [s]."""

    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (time,))
        yield from reached(session, time)
        session.control("reset", ())
        yield

    return script


@everywhere
def test_a_recorder_that_a_reset_finds_asleep_starts_in_the_new_case(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    direct(monkeypatch, reset_at(0.2))
    apps = [
        cast(CallRecorder, "pSee", tmp_path, hears="NONE"),
        cast(Recorder, "pLog", tmp_path, start=0.5),
    ]
    play(mission(*apps, seconds=2.0), placement)
    assert instants(tmp_path / "pLog", "on_start") == [700_000_000]


@everywhere
def test_running_until_a_time_means_the_time_shown_in_the_status(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (0.2,))
        yield from reached(session, 0.2)
        session.control("reset", ())
        yield from until(lambda: session.status()["case"] == 1)
        session.control("run_until", (0.5,))
        yield from passed(0.3)
        (tmp_path / "held").write_text(str(session.status()["time"]))
        session.control("stop", ())
        session.control("resume", ())

    direct(monkeypatch, script)
    play(mission(cast(CallRecorder, "pSee", tmp_path, hears="NONE"), seconds=2.0), placement)
    assert float((tmp_path / "held").read_text()) == 0.5


class Breaks(CallRecorder):
    """Fails in its third iteration, and in the third of the next case."""

    def iterate(self) -> None:
        super().iterate()
        if len(instants(self.path)) in (3, 5):
            raise ValueError("broken")


@everywhere
def test_failures_of_a_case_stay_failures_and_its_restarts_are_used_up(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    direct(monkeypatch, reset_at(0.5))
    apps = [cast(Breaks, "pBreaks", tmp_path), cast(CallRecorder, "pSee", tmp_path)]
    outcome = play(mission(*apps, seconds=9.0, restarts=1), placement)
    assert [failure.name for failure in outcome.failures] == ["pBreaks", "pBreaks"]
    assert [failure.time for failure in outcome.failures] == [0.3, 0.7]
    assert (outcome.exit_reason, outcome.deterministic) == ("app_failed", False)


class Asks(App):
    """Asks for another case at 0.2 s of the first."""

    publishes = (CASE_RESET,)
    observes_case_reset = True
    number = 0

    def iterate(self) -> None:
        if self.number == 0 and self.time >= 0.2:
            self.post(CASE_RESET, Case(1).text())

    def on_case(self, number: int, seed: int) -> None:
        self.number = number


class BreaksLate(CallRecorder):
    """Fails at 0.2 s of its first life, after a while."""

    def iterate(self) -> None:
        super().iterate()
        if len(instants(self.path)) == 2:
            sleep(0.1)
            raise ValueError("broken")


@everywhere
@pytest.mark.parametrize(("restarts", "reason"), [(0, "app_failed"), (1, "for")])
def test_an_app_that_fails_at_the_end_of_a_case_is_restarted_for_the_next(
    tmp_path: Path, placement: Placement, restarts: int, reason: str
) -> None:
    apps = [cast(BreaksLate, "pBreaks", tmp_path), app_plan(Asks, "uSweep", 0.0, "10", {})]
    outcome = play(mission(*apps, seconds=1.0, restarts=restarts), placement)
    assert (outcome.exit_reason, [f.time for f in outcome.failures]) == (reason, [0.2])
    assert len(instants(tmp_path / "pBreaks")) == (10 if restarts else 2)


@everywhere
def test_the_status_shows_the_time_of_the_case_and_pauses(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[object] = []

    def script(session: Session) -> Iterator[None]:
        status = session.status
        session.control("run_until", (0.2,))
        received.append((status()["paused"], status()["until"]))
        yield from until(lambda: status()["paused"])
        received.append((status()["time"], status()["case_time"], status()["until"]))
        session.control("reset", ())
        yield from until(lambda: status()["case"] == 1)
        session.control("pause", ())
        received.append((status()["paused"], status()["until"]))
        session.control("step", (2,))
        received.append((status()["paused"], status()["until"]))
        yield from until(lambda: status()["paused"])
        received.append(round(status()["time"] - status()["case_time"], 9))
        (tmp_path / "told").write_text(repr(received))
        session.control("stop", ())
        session.control("resume", ())

    direct(monkeypatch, script)
    play(mission(cast(CallRecorder, "pSee", tmp_path, hears="NONE"), seconds=2.0), placement)
    assert literal_eval((tmp_path / "told").read_text()) == [
        (False, 0.2),
        (0.2, 0.2, None),
        (True, None),
        (False, None),
        0.2,
    ]


@everywhere
def test_every_reset_starts_a_separate_case(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (0.2,))
        yield from reached(session, 0.2)
        (tmp_path / "bounded").write_text(
            " ".join(str(session.control("reset", (seed,))) for seed in (7, 8))
        )
        yield from until(lambda: session.status()["case"] == 2)

    direct(monkeypatch, script)
    play(mission(cast(CallRecorder, "pSee", tmp_path, hears="NONE"), seconds=1.0), placement)
    assert (tmp_path / "bounded").read_text() == "1 2"
    assert len(instants(tmp_path / "pSee", "on_start")) >= 2


class Director(App):
    """Runs the cases that its configuration names, each until its app has ticked so often."""

    publishes = (CASE_RESET, "DONE")
    observes_case_reset = True

    def configure(self) -> None:
        self.left = [int(number) for number in self.config.text("cases").split()]
        self.path = Path(self.config.text("notes"))
        self.number = 0

    def on_start(self) -> None:
        self.register("DIGEST", "DB_CLIENTS")

    def on_mail(self, mail: Sequence[Message]) -> None:
        here = {message.name: message for message in mail}
        if self.number == 0 and "DB_CLIENTS" not in here:
            return
        if self.number and not ("DIGEST" in here and here["DIGEST"].value.endswith(" 20")):
            return
        if self.number:
            with self.path.open("a") as file:
                file.write(f"{self.number} {here['DIGEST'].value}\n")
        if not self.left:
            self.post("DONE", "true")
            return
        number = self.left.pop(0)
        case = Case(number, 100 + number, {"PLACE": 0.1 * number}, {"GO": "true"})
        self.post(CASE_RESET, case.text())

    def on_case(self, number: int, seed: int) -> None:
        assert seed == 100 + number
        self.number = number


class Digester(App):
    """Posts a digest of its mail, its random draws and its number of ticks."""

    publishes = ("DIGEST",)

    def on_start(self) -> None:
        self.heard, self.ticks, self.chance = hashlib.sha256(), 0, self.random()
        self.register("*")

    def on_mail(self, mail: Sequence[Message]) -> None:
        for message in mail:
            if message.name != CASE_RESET:
                self.heard.update(repr(message).encode())

    def iterate(self) -> None:
        self.ticks += 1
        self.heard.update(repr(self.chance.random()).encode())
        self.post("DIGEST", f"{self.heard.hexdigest()} {self.ticks}")


def swept(folder: Path, cases: str) -> RunPlan:
    """Plan a run of cases, with a recorder that lives through them."""
    folder.mkdir(exist_ok=True)
    lines = {"cases": cases, "notes": str(folder / "rows")}
    apps: list[AppPlan] = [
        cast(Recorder, "pLog", folder, start=0.1),
        app_plan(Director, "uSweep", 0.2, "3", lines),
        app_plan(Digester, "pDigest", 0.3, "7"),
        cast(CallRecorder, "pSee", folder, hears="DIGEST GO PLACE"),
    ]
    return mission(*apps, seconds=60.0)


@everywhere
def test_a_case_after_others_is_the_case_alone(tmp_path: Path, placement: Placement) -> None:
    long, alone = tmp_path / "long", tmp_path / "alone"
    outcome = play(swept(long, "1 2 9 4"), placement)
    assert outcome.failures == []
    play(swept(alone, "9"), placement)
    rows = (long / "rows").read_text().splitlines()
    assert [row.split()[0] for row in rows] == ["1", "2", "9", "4"]
    assert (alone / "rows").read_text().splitlines() == rows[2:3]
    assert len({row.split()[1] for row in rows}) == 4


@pytest.mark.process
def test_cases_are_the_same_in_every_placement(tmp_path: Path) -> None:
    received = []
    for placement in PLACEMENTS:
        folder = tmp_path / placement
        play(swept(folder, "3 1"), placement)
        received.append(((folder / "rows").read_text(), recorded(folder / "pLog")))
    assert received[0] == received[1] == received[2]


@everywhere
def test_a_pause_at_a_time_also_holds_in_a_later_case(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (6.5,))
        yield from until(lambda: session.status()["case"] == 2)
        yield from passed(0.3)
        status = session.status()
        (tmp_path / "held").write_text(f"{status['time']} {status['case']}")
        session.control("stop", ())
        session.control("resume", ())

    direct(monkeypatch, script)
    play(swept(tmp_path, "1 2 3"), placement)
    time, case = (tmp_path / "held").read_text().split()
    assert case == "2"
    assert 6.4 < float(time) <= 6.5


@everywhere
def test_a_run_of_cases_lasts_as_long_as_any_run(tmp_path: Path, placement: Placement) -> None:
    plan = replace(swept(tmp_path, "1 2 9 4"), stop_at=nanoseconds(5.0))
    outcome = play(plan, placement)
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("for", 5.0)
    assert instants(tmp_path / "pLog", "on_case 2")


def test_the_posts_of_a_case_go_to_the_requesting_community(tmp_path: Path) -> None:
    apps = [
        cast(Recorder, "pLogAbe", tmp_path, community="abe"),
        cast(Recorder, "pLogBen", tmp_path, community="ben"),
        app_plan(Director, "uSweep", 0.2, "3", {"cases": "5", "notes": str(tmp_path / "x")}, "ben"),
    ]
    play(mission(*apps), Placement.ONE)
    received = {
        name: [m.name for m in recorded(tmp_path / name)] for name in ("pLogAbe", "pLogBen")
    }
    assert "PLACE" in received["pLogBen"]
    assert "GO" in received["pLogBen"]
    assert not {"PLACE", "GO"}.intersection(received["pLogAbe"])


class Mentions(CallRecorder):
    """Posts what would ask for a case, and does not itself live through cases."""

    def configure(self) -> None:
        super().configure()
        self.publishes = (CASE_RESET,)

    def on_start(self) -> None:
        super().on_start()
        self.post(CASE_RESET, Case(1).text())


@everywhere
def test_only_apps_that_outlive_cases_may_request_one(tmp_path: Path, placement: Placement) -> None:
    apps = [cast(Mentions, "pMentions", tmp_path), cast(Recorder, "pLog", tmp_path)]
    outcome = play(mission(*apps), placement)
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("for", 2.0)
    assert [m.name for m in recorded(tmp_path / "pLog")].count(CASE_RESET) == 1
    assert instants(tmp_path / "pMentions", "on_start") == [0]


def test_the_posts_of_a_case_are_applied_first_and_after_every_app_has_ticked(
    tmp_path: Path,
) -> None:
    play(swept(tmp_path, "5"), Placement.ONE)
    posts = {m.name: m for m in recorded(tmp_path / "pLog") if m.name in ("PLACE", "GO")}
    begun = posts["PLACE"].instant
    assert (posts["PLACE"].value, posts["PLACE"].source) == (0.5, "uSweep")
    slowest = round(0.2e9 + 1e9 / 3)
    assert posts["GO"].instant - begun == slowest


def test_a_case_that_makes_no_sense_ends_the_run(tmp_path: Path) -> None:
    class BadReset(Director):
        def post(self, name: str, value: object, **more: object) -> None:
            super().post(name, "again" if name == CASE_RESET else value)

    plan = mission(app_plan(BadReset, "uSweep", 0.0, "3", {"cases": "1", "notes": ""}))
    outcome = play(plan, Placement.ONE)
    assert outcome.exit_reason == "app_failed"
    assert 'CASE_RESET = again: expected {"number"' in outcome.failures[0].reason


def test_the_posts_of_a_case_are_like_any_other_post() -> None:
    case = Case(first={"DEPTH": 3, "GO": "true"}, then={"SPEED": Fraction(1, 2)})
    assert (case.first, case.then) == ({"DEPTH": 3.0, "GO": "true"}, {"SPEED": 0.5})
    assert isinstance(case.first["DEPTH"], float)
    for value in (nan, inf, True, None, [1.0]):
        with pytest.raises(ValueRefused, match="DEPTH = "):
            Case(then={"DEPTH": value})
    for name in ("", " DEPTH", "DE\nPTH", 3):
        with pytest.raises(PostRefused, match=r".*: a name is printable"):
            Case(first={name: 1.0})


def test_an_invalid_case_is_refused_with_the_expected_form() -> None:
    for wrong in (
        {"number": "x"},
        {"number": True},
        {"first": ["A"]},
        {"then": None},
        {"source": 3},
    ):
        (key,) = wrong
        with pytest.raises(ValueError, match=rf"Case: {key} = .*: expected "):
            Case(**wrong)


def test_the_posts_of_a_requested_case_are_like_any_other_post() -> None:
    text = '{"number": 1, "seed": null, "first": {"DEPTH": 3}, "then": {"GO": "true"}}'
    case = read_case(text, "abe", "uSweep", 5)
    assert case == Case(1, 5, {"DEPTH": 3.0}, {"GO": "true"}, "abe", "uSweep")
    assert isinstance(case.first["DEPTH"], float)
    for value in ("NaN", "-Infinity", "1e999", "true", "null", "[]"):
        with pytest.raises(ValueError, match=r"CASE_RESET = .*DEPTH = "):
            read_case(text.replace("3", value), "abe", "uSweep", 5)
