"""Instants of activations, their mail, and the order of commitment, in every placement."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from multiprocessing import Process
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import Recorder as Digester
from networks import network, run_serially
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

from steerageway.bus import Message, Setting
from steerageway.bus.core.app import App
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Outcome, Placement, RunPlan
from steerageway.bus.core.runner import Kind, Runner
from steerageway.bus.core.stamps import nth, tick_period
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.kernel import Kernel

MS = NANO // 1000


class CommonNames(CallRecorder):
    """Has its own attributes with common names."""

    publishes = ("COUNT",)

    def on_start(self) -> None:
        super().on_start()
        self._outbox = self._registrations = self._heard = self._posted = self._allowed = 0
        self._status = self._refuse = self._may_post = self._time = self._name = 0

    def iterate(self) -> None:
        super().iterate()
        self._posted += 1
        self.post("COUNT", self._posted)
        self.register("DB_TIME")


@everywhere
def test_an_app_may_name_its_own_attributes_as_it_likes(
    placement: Placement, tmp_path: Path
) -> None:
    own = cast(CommonNames, "own", tmp_path, hears="COUNT", tick="4")
    outcome = play(mission(own, seconds=1.0), placement)
    assert outcome.exit_reason == "for"
    mail = [m for note in read_notes(tmp_path / "own", "on_mail") for m in note.mail]
    assert [m.value for m in mail if m.name == "COUNT"] == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize("tick", ["3", "7", "3.3", "0.7", "12.5", "20", "999", "0.001", "1e2"])
def test_ticks_are_exact_however_long_the_run(tick: str) -> None:
    for count in (0, 1, 2, 3, 99, 1000, 86400, 10**7 + 1):
        assert nth(count, tick_period(tick)) == round(count * NANO / Fraction(tick))


@given(st.integers(0, 10**9), st.decimals("0.001", "1000", places=3))
def test_a_tick_is_rounded_half_to_even(count: int, tick: Any) -> None:
    assert nth(count, tick_period(str(tick))) == round(count * NANO / Fraction(tick))


@pytest.mark.parametrize("tick", ["0", "-1", "nan", "inf", "fast", ""])
def test_an_invalid_tick_is_an_error(tick: str) -> None:
    with pytest.raises(ValueError):
        tick_period(tick)


@everywhere
def test_each_app_starts_at_its_line_and_ticks_from_there(
    placement: Placement, tmp_path: Path
) -> None:
    ticks = ["3", "7", "3.3", "0.7"]
    apps = [
        cast(CallRecorder, f"p{k}", tmp_path, tick=tick, start=0.2 * k)
        for k, tick in enumerate(ticks)
    ]
    play(mission(*apps, seconds=20.0), placement)
    for k, tick in enumerate(ticks):
        assert instants(tmp_path / f"p{k}", "on_start") == [k * 200 * MS]
        due = [k * 200 * MS + round(n * NANO / Fraction(tick)) for n in range(1, 141)]
        assert instants(tmp_path / f"p{k}") == [at for at in due if at <= 20 * NANO]


class Starter(CallRecorder):
    """Posts when it starts, and subscribes to the others."""

    publishes = ("HERE",)

    def on_start(self) -> None:
        super().on_start()
        self.post("HERE", self.name)


@everywhere
def test_starts_run_alone_one_after_another(placement: Placement, tmp_path: Path) -> None:
    """Of two starts at one instant the second sees what the first posted."""
    apps = [cast(Starter, f"p{k}", tmp_path, hears="HERE", start=0.2) for k in range(3)]
    play(mission(*apps, seconds=0.35), placement)
    firsts = [read_notes(tmp_path / f"p{k}", "on_mail")[0].heard for k in range(3)]
    assert firsts[0] == [("HERE", f"p{k}") for k in range(3)]
    assert firsts[1] == [("HERE", f"p{k}") for k in range(3)]
    assert firsts[2] == [("HERE", f"p{k}") for k in (1, 2)]


class Talker(CallRecorder):
    """Posts how often it has iterated, in a separate variable."""

    def configure(self) -> None:
        super().configure()
        self.publishes = (self.name.upper(),)

    def iterate(self) -> None:
        super().iterate()
        self.post(self.name.upper(), self.iteration)


@everywhere
def test_apps_due_at_one_instant_do_not_see_each_others_posts(
    placement: Placement, tmp_path: Path
) -> None:
    left = cast(Talker, "left", tmp_path, tick="4", hears="RIGHT")
    right = cast(Talker, "right", tmp_path, tick="4", hears="LEFT")
    play(mission(left, right, seconds=2.0), placement)
    for name in ("left", "right"):
        mail = read_notes(tmp_path / name, "on_mail")
        assert [[m.value for m in note.mail] for note in mail] == [[float(k)] for k in range(1, 9)]
        assert [note.time for note in mail] == [k / 4 for k in range(2, 9)] + [2.0]
        assert mail[-1].time == read_notes(tmp_path / name, "on_stop")[0].time


class Late(CallRecorder):
    """Registers in its fourth iteration."""

    def on_start(self) -> None:
        pass

    def iterate(self) -> None:
        if self.iteration == 4:
            self.register("TALKER")


@everywhere
def test_a_registration_takes_effect_before_the_posts_of_its_instant(
    placement: Placement, tmp_path: Path
) -> None:
    """The value stored before comes, then the post of the same instant, then every other."""
    talker = cast(Talker, "talker", tmp_path, tick="4")
    late = cast(Late, "late", tmp_path, tick="4")
    play(mission(talker, late, seconds=2.0), placement)
    mail = [[m.value for m in note.mail] for note in read_notes(tmp_path / "late", "on_mail")]
    assert mail == [[3.0, 4.0], [5.0], [6.0], [7.0], [8.0]]


class MessageRecorder(Runner):
    """Records the app's messages, and answers them."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.said: list[tuple[int, str, Any, float]] = []

    def run(self, kind: Kind, instant: int, mail: Sequence[Message]) -> Any:
        answer = super().run(kind, instant, mail)
        self.said += [(instant, *row[:3]) for row in answer[0]]
        return answer


@pytest.mark.parametrize("seed", range(25))
def test_every_post_is_recorded_exactly_once_in_order(seed: int) -> None:
    plan = network(seed)
    runners = [MessageRecorder(app.app) for app in plan.apps]
    kernel = Kernel(CaseState(plan, history=False), list(runners))
    while (instant := kernel.upcoming()) is not None:
        kernel.run_instant(instant)
    kernel.stop_all()
    for recorder in (app.app for app in plan.apps if isinstance(app.app, Digester)):
        near = [runner for runner in runners if runner.app.community == recorder.community]
        _check_record(recorder, near, kernel.state.slots[runners.index(near[0])].plan.start)


def _check_record(recorder: Digester, runners: Sequence[MessageRecorder], start: int) -> None:
    """Check a record of the messages of a community's apps against the messages."""
    kinds = {message.name: type(message.value) for message in recorder.lines}
    record = [m for m in recorder.lines if m.instant >= start]
    assert [m.instant for m in record] == sorted(m.instant for m in record)
    for runner in runners:
        source = runner.app.name
        mine = [(m.instant, m.name, m.value, m.time) for m in record if m.source == source]
        rows = [row for row in runner.said if row[0] >= start]
        assert mine == [row for row in rows if type(row[2]) is kinds.get(row[1])]


class Idler(App):
    """Does nothing, and may say so."""

    publishes = ()
    says_so = False

    def on_start(self) -> None:
        self.idles = self.says_so


class SaysSo(Idler):
    """Says that it does nothing."""

    says_so = True


@pytest.mark.parametrize("tick", ["8", "4", "3.2", "20", "0.3", "0.1", "7"])
def test_an_idle_app_posts_its_status_at_the_instants_of_its_ticks(
    tick: str, tmp_path: Path
) -> None:
    said, activations = [], []
    for kind in (Idler, SaysSo):
        plan = mission(cast(kind, "idler", tmp_path, tick=tick), seconds=31.0)
        runner = MessageRecorder(plan.apps[0].app)
        kernel = Kernel(CaseState(plan, history=False), [runner])
        while (instant := kernel.upcoming()) is not None:
            kernel.run_instant(instant)
        kernel.stop_all()
        said.append(runner.said)
        activations.append(runner.app.iteration)
    assert said[0] == said[1]
    assert len(said[0]) >= 3
    if tick in ("8", "4", "3.2", "20"):  # a whole number of ns
        assert 15 <= activations[1] <= 16


class Sleeper(CallRecorder):
    """Takes its wall time."""

    def iterate(self) -> None:
        began = time.monotonic()
        time.sleep(0.4)
        self.note(repr(began))


@pytest.mark.process
@pytest.mark.wall
def test_apps_due_at_one_instant_run_in_parallel(tmp_path: Path) -> None:
    apps = [cast(Sleeper, name, tmp_path, tick="2") for name in ("one", "two")]
    play(mission(*apps, seconds=0.5), Placement.PROCESS)
    notes = [read_notes(tmp_path / name)[1] for name in ("one", "two")]
    began = min(float(note.call) for note in notes)
    assert max(note.wall for note in notes) - began < 0.75


class Delayed:
    """A runner that takes random wall time, and reports the recorder's digest when it exits."""

    def __init__(self, runner: Runner, most: float = 0.0) -> None:
        self._runner = runner
        self._most = most
        self._random = random.SystemRandom()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._runner, name)

    def run(self, kind: Kind, instant: int, mail: Sequence[Message]) -> Any:
        if self._most:
            time.sleep(self._random.uniform(0.0, self._most))
        app = self._runner.app
        if kind == Kind.STOP and isinstance(app, Digester):
            app.lines.extend(mail)
            app.post("RECORDED", app.digest())
            mail = []
        return self._runner.run(kind, instant, mail)


def played(plan: RunPlan, placement: Placement, most: float = 0.0) -> tuple[Any, ...]:
    """Run a made-up mission; give its recorders' digests and its counts."""
    wrap = lambda runner: Delayed(runner, most)  # noqa: E731
    outcome = play(replace(plan, wrap=wrap), placement)
    digests = [outcome.values[name].get("RECORDED") for name in plan.communities]
    return digests, _counted(outcome)


def _counted(outcome: Outcome) -> tuple[Any, ...]:
    apps = [(app.name, app.grants, app.refused, app.run_warnings) for app in outcome.apps]
    counts = outcome.posted, outcome.delivered, outcome.thinned, outcome.refused, outcome.lost
    ends = outcome.exit_reason, outcome.condition, outcome.simulated_seconds
    return counts, ends, apps, outcome.values


@in_processes
@pytest.mark.parametrize("seed", range(3, 9))
def test_separate_processes_leave_the_log_and_summary_of_one_process(
    seed: int, placement: Placement
) -> None:
    expected, _ = run_serially(network(seed))
    one = played(network(seed), Placement.ONE)
    assert one[0] == expected
    assert played(network(seed), placement) == one


def _burn() -> None:
    while True:
        pass


@pytest.mark.wall
@in_processes
def test_delays_and_a_loaded_machine_change_nothing(placement: Placement) -> None:
    """Delays of 0 to 50 ms in every grant, and two busy processes during the run."""
    expected = played(network(11, seconds=1.0), Placement.ONE)
    busy = [Process(target=_burn, daemon=True) for _ in range(2)]
    for process in busy:
        process.start()
    try:
        assert played(network(11, seconds=1.0), placement, most=0.05) == expected
    finally:
        for process in busy:
            process.kill()
            process.join()


class Sparse(CallRecorder):
    """Posts at chosen iterations of 10 ms."""

    publishes = ("CALL",)
    at = (10, 11, 12, 30, 31, 70)

    def iterate(self) -> None:
        if self.iteration in self.at:
            self.post("CALL", self.iteration)


@everywhere
def test_mail_makes_an_app_due_a_millisecond_later(placement: Placement, tmp_path: Path) -> None:
    sparse = cast(Sparse, "sparse", tmp_path, tick="100")
    called = cast(CallRecorder, "called", tmp_path, tick="4", hears="CALL", mode=1)
    play(mission(sparse, called, seconds=1.0), placement)
    assert instants(tmp_path / "called") == [10 * k * MS + MS for k in Sparse.at]
    mail = read_notes(tmp_path / "called", "on_mail")
    assert [[m.value for m in note.mail] for note in mail] == [[float(k)] for k in Sparse.at]


@everywhere
def test_the_maximum_tick_bounds_runs_by_mail(placement: Placement, tmp_path: Path) -> None:
    """Runs come at max(last run + 1 / MaxAppTick, post + 1 ms); the last run is at first the start.

    Posts at 100, 110, 120, 300, 310, 700 ms; at most 20 runs a second.
    """
    sparse = cast(Sparse, "sparse", tmp_path, tick="100")
    called = cast(CallRecorder, "called", tmp_path, hears="CALL", mode=1, most=20.0)
    play(mission(sparse, called, seconds=1.0), placement)
    due = [101, 151, 301, 351, 701]
    assert instants(tmp_path / "called") == [at * MS for at in due]
    mail = read_notes(tmp_path / "called", "on_mail")
    assert [[m.value for m in note.mail] for note in mail] == [[10], [11, 12], [30], [31], [70]]


@everywhere
def test_mode_two_reads_mail_between_its_ticks(placement: Placement, tmp_path: Path) -> None:
    sparse = cast(Sparse, "sparse", tmp_path, tick="100")
    called = cast(CallRecorder, "called", tmp_path, tick="4", hears="CALL", mode=2)
    play(mission(sparse, called, seconds=1.0), placement)
    assert instants(tmp_path / "called") == [250 * MS, 500 * MS, 750 * MS, NANO]
    assert instants(tmp_path / "called", "on_mail") == [10 * k * MS + MS for k in Sparse.at]


class Rally(CallRecorder):
    """Answers the other's call with another call."""

    publishes = ("PING", "PONG")

    def on_start(self) -> None:
        super().on_start()
        if self.name == "ping":
            self.post("PING", 0)

    def iterate(self) -> None:
        super().iterate()
        self.post(self.name.upper(), self.iteration)


@everywhere
def test_apps_that_call_each_other_let_time_pass(placement: Placement, tmp_path: Path) -> None:
    ping = cast(Rally, "ping", tmp_path, hears="PONG", mode=1)
    pong = cast(Rally, "pong", tmp_path, hears="PING", mode=1)
    play(mission(ping, pong, seconds=0.1), placement)
    assert instants(tmp_path / "pong") == [k * MS for k in range(1, 101, 2)]
    assert instants(tmp_path / "ping") == [k * MS for k in range(2, 101, 2)]


@everywhere
def test_summaries_call_as_any_mail_does(placement: Placement, tmp_path: Path) -> None:
    """The database's report at 2 s is received before others run at 2.5 s."""
    called = cast(Talker, "called", tmp_path, hears="DB_VARSUMMARY", mode=1)
    slow = cast(CallRecorder, "slow", tmp_path, tick="0.4", hears="CALLED")
    play(mission(called, slow, seconds=5.0), placement)
    assert instants(tmp_path / "called") == [MS, 2001 * MS, 4001 * MS]
    values = [(n.time, [m.value for m in n.mail]) for n in read_notes(tmp_path / "slow", "on_mail")]
    assert values == [(2.5, [1.0, 2.0]), (5.0, [3.0])]


@everywhere
def test_apps_driven_by_mail_alone_continue_as_mail_comes(
    placement: Placement, tmp_path: Path
) -> None:
    called = cast(CallRecorder, "called", tmp_path, hears="DB_UPTIME", mode=1)
    play(mission(called, seconds=5.0), placement)
    assert instants(tmp_path / "called") == [MS, 2001 * MS, 4001 * MS]


def _draws(name: str, community: str, seed: int, stream: str) -> list[float]:
    app = App(Setting(name=name, community=community, seed=seed))
    generator = app.random(stream)
    return [generator.random() for _ in range(3)]


def test_each_seed_community_app_and_stream_draws_its_own_numbers() -> None:
    keys = [
        (name, community, seed, stream)
        for name in ("pOne", "pTwo")
        for community in ("alpha", "beta")
        for seed in (0, 1)
        for stream in ("", "noise")
    ]
    draws = [_draws(*key) for key in keys]
    assert len({tuple(row) for row in draws}) == len(keys)
    assert draws == [_draws(*key) for key in keys]


class RandomDraws(CallRecorder):
    publishes = ("DRAW",)

    def iterate(self) -> None:
        self.post("DRAW", self.random(str(self.iteration)).random())


@everywhere
def test_draws_are_equal_in_all_placements(placement: Placement, tmp_path: Path) -> None:
    play(mission(cast(RandomDraws, "pG", tmp_path), cast(Recorder, "log", tmp_path)), placement)
    draws = [m.value for m in recorded(tmp_path / "log") if m.name == "DRAW"]
    assert draws == [_draws("pG", "alpha", 0, str(k))[0] for k in range(1, 21)]


@everywhere
def test_every_app_reports_its_status_every_two_seconds_without_the_machine(
    placement: Placement, tmp_path: Path
) -> None:
    apps = [cast(Talker, "left", tmp_path, hears="A B*"), cast(Recorder, "log", tmp_path)]
    play(mission(*apps, seconds=5.0), placement)
    statuses = [m[:4] for m in recorded(tmp_path / "log") if m.name == "LEFT_STATUS"]
    text = (
        "AppErrorFlag=false,Uptime={:.2f},cpuload=0,memory_kb=0,memory_max_kb=0,MOOSName=left,"
        'Publishing="LEFT,LEFT_STATUS,",Subscribing="A,B*,"'
    )
    times = (0.1, 2.1, 4.1)
    assert statuses == [("LEFT_STATUS", text.format(time), time, "left") for time in times]


@everywhere
def test_an_app_is_a_client_from_its_start_on(placement: Placement, tmp_path: Path) -> None:
    late = cast(Talker, "late", tmp_path, start=2.5)
    play(mission(cast(Recorder, "log", tmp_path), late, seconds=5.0), placement)
    received = [(m.time, m.value) for m in recorded(tmp_path / "log") if m.name == "DB_CLIENTS"]
    assert received == [(0.0, "log,"), (2.0, "log,"), (4.0, "log,late,")]
    events = [(m.time, m.value) for m in recorded(tmp_path / "log") if m.name == "DB_EVENT"]
    assert events == [(0.0, "connected=log"), (2.5, "connected=late")]


@everywhere
def test_the_warp_leaves_no_trace(placement: Placement) -> None:
    runs = [played(replace(network(4), warp=warp), placement) for warp in (inf, 20.0, 11.0)]
    assert runs[0] == runs[1] == runs[2]


@everywhere
def test_communities_count_from_zero_and_receive_nothing_from_each_other(
    placement: Placement, tmp_path: Path
) -> None:
    apps = [
        cast(kind, f"{name}{community}", tmp_path, community=community, start=start)
        for community in ("alpha", "beta")
        for kind, name, start in ((Talker, "talker", 0.2), (Recorder, "log", 0.0))
    ]
    play(mission(*apps), placement)
    for community in ("alpha", "beta"):
        assert instants(tmp_path / f"talker{community}")[0] == 300 * MS
        messages = recorded(tmp_path / f"log{community}")
        assert {m.community for m in messages} == {community}
        assert [m.value for m in messages if m.name == "DB_UPTIME"] == [0.0, 2.0]


@everywhere
def test_declaring_publications_changes_no_log(placement: Placement, tmp_path: Path) -> None:
    logs = []
    for index, undeclared in enumerate(((), ("left",), ("left", "right"))):
        folder = tmp_path / str(index)
        folder.mkdir()
        apps = [
            cast(Talker, "left", folder, tick="7", hears="RIGHT"),
            cast(Talker, "right", folder, tick="3", hears="*_STATUS LEFT"),
            cast(Recorder, "log", folder, tick="3.3"),
        ]
        for plan in apps:
            if plan.name in undeclared:
                plan.app.publishes = ("*",)
        play(mission(*apps, seconds=4.0), placement)
        logs.append(recorded(folder / "log"))
    assert logs[0] == logs[1] == logs[2]
    assert len(logs[0]) > 40


def test_a_run_that_is_stopped_before_its_first_instant_has_nothing_left_to_run() -> None:
    """An interrupt at instant 0, or right after a case reset, ended no run in one process."""
    plan = network(1)
    kernel = Kernel(CaseState(plan, history=False), [MessageRecorder(a.app) for a in plan.apps])
    assert kernel.upcoming() is not None
    kernel.stop("interrupted", "15")
    assert kernel.upcoming() is None
    kernel.stop_all()
    assert kernel.state.reached == -1
