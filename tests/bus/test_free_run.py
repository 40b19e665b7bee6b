"""Free run: apps follow the wall clock, count missed ticks, connect and disconnect."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from house import TIMEOUT, FreeHouse, RawClient
from networks import app_plan
from stage import CallRecorder, Recorder, cast, eventually, mission, read_notes, recorded

from steerageway.bus import App, Message
from steerageway.bus.core.clock import sleep, wall
from steerageway.bus.core.errors import ControlError, NoAnswer, PostRefused
from steerageway.bus.core.plan import AppPlan, Condition, Input, Outcome, RunPlan
from steerageway.bus.core.runner import Runner
from steerageway.bus.free.app import FreeApp
from steerageway.bus.processes.run import run
from steerageway.bus.transport import spin_wait

pytestmark = [pytest.mark.process, pytest.mark.wall]
WIRE = Path(__file__).parents[2] / "docs" / "wire.md"


class Ticker(App):
    """Notes when it runs, and sleeps where configured."""

    publishes = ("TICK", "HEARD")

    def configure(self) -> None:
        self.pauses = {
            int(number): float(pause)
            for number, pause in (pair.split(":") for pair in self.config.text("pauses").split())
        }
        self.hears = self.config.text("hears").split()
        self.runs: list[tuple[str, float]] = []

    def on_start(self) -> None:
        self.register(*self.hears)
        self.runs.append(("start", self.time))

    def on_mail(self, mail: Sequence[Message]) -> None:
        self.runs.append(("mail", self.time))

    def iterate(self) -> None:
        self.runs.append(("iterate", self.time))
        self.post("TICK", self.iteration)
        sleep(self.pauses.get(self.iteration, 0.0))

    def on_stop(self) -> None:
        self.runs.append(("stop", self.time))

    def times(self, call: str) -> list[float]:
        """Return the times of its calls of a kind."""
        return [time for name, time in self.runs if name == call]


class Stumbler(Ticker):
    """Raises at its third iteration."""

    trouble: type[BaseException] = ValueError

    def iterate(self) -> None:
        super().iterate()
        if self.iteration == 3:
            raise self.trouble("stumbled")


class Quitter(Stumbler):
    """Ends Python at its third iteration."""

    trouble = SystemExit


class Interrupter(Stumbler):
    """Raises what Ctrl-C raises."""

    trouble = KeyboardInterrupt


class ExitPoster(App):
    """Says goodbye."""

    publishes = ("FAREWELL",)

    def on_stop(self) -> None:
        self.post("FAREWELL", self.name)


class Life(threading.Thread):
    """An app that lives in a thread of the test."""

    def __init__(self, house: FreeHouse, plan: AppPlan) -> None:
        super().__init__()
        self._house, self._plan = house, plan
        self.account: dict[str, Any] = {}
        self.start()

    def run(self) -> None:
        with self._house.visit(self._plan.name, role="app") as client:
            self.account = FreeApp(self._plan, client, Runner(self._plan.app)).run()
            client.close(self.account)


def ticker_of(plan: AppPlan) -> Ticker:
    """Return the app of a plan."""
    assert isinstance(plan.app, Ticker)
    return plan.app


def live_for(plan: AppPlan, ticks: int, *, warp: float = 1.0) -> tuple[Life, float]:
    """Run an app for a number of ticks; return its life and the wall seconds it had."""
    began = wall()
    with FreeHouse(RunPlan(("alpha",), (), warp)) as house:
        life = Life(house, plan)
        assert eventually(lambda: len(ticker_of(plan).times("iterate")) >= ticks, TIMEOUT)
    life.join(TIMEOUT)
    return life, wall() - began


def ticker(
    start: float = 0.0, tick: str = "20", mode: int = 0, most: float = 0.0, **config: str
) -> AppPlan:
    """Plan a ticker."""
    return app_plan(Ticker, "pTicker", start, tick, config, mode=mode, most=most)


@pytest.mark.parametrize("warp", [1.0, 10.0])
def test_ticks_follow_the_wall_clock_in_phase_with_the_start(warp: float) -> None:
    period = 0.05 * warp
    plan = ticker(start=0.1 * warp, tick=str(1 / period))
    life, elapsed = live_for(plan, 10, warp=warp)
    app = ticker_of(plan)
    times = app.times("iterate")
    assert len(times) <= elapsed / 0.05
    late = [(time - 0.1 * warp) % period for time in times]
    assert sorted(late)[len(late) // 4] < 0.2 * period
    assert app.times("start")[0] >= 0.1 * warp
    assert app.runs[-1][0] == "stop"
    assert life.account["grants"] == len(times) + 2


def test_missed_ticks_are_counted_and_never_run_in_a_burst() -> None:
    plan = ticker(tick="50", pauses="5:0.25")
    life, elapsed = live_for(plan, 20)
    times = ticker_of(plan).times("iterate")
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert life.account["missed_ticks"] >= 10
    assert "ticks missed: the app or the machine is too slow" in life.account["run_warnings"]
    assert max(gaps) >= 0.25
    after = [time for time in times if time > times[4] + 0.25]
    on_time = {int(time / 0.02 + 1e-6) for time in after[1:]}
    assert len(on_time) > 0.8 * len(after[1:])  # one that is held up runs into the next one's time
    assert len(times) + life.account["missed_ticks"] <= elapsed / 0.02


def test_mail_makes_an_app_of_mode_1_run_at_its_pace() -> None:
    plan = ticker(mode=1, most=20.0, hears="WORD")
    with FreeHouse() as house:
        life = Life(house, plan)
        with house.visit("poster", role="app") as poster:
            app = ticker_of(plan)
            while len(app.times("iterate")) < 6:
                poster.post("WORD", wall())
                poster.flush()
                sleep(0.01)
    life.join(TIMEOUT)
    times = app.times("iterate")
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert min(gaps) >= 0.05
    mail = [time for time in app.times("mail") if time <= times[-1]]
    assert mail == times  # what comes after the last of them is for on_stop


def test_mail_comes_between_the_ticks_of_an_app_of_mode_2() -> None:
    plan = ticker(tick="5", mode=2, hears="WORD")
    with FreeHouse() as house:
        life = Life(house, plan)
        with house.visit("poster", role="app") as poster:
            app = ticker_of(plan)
            assert eventually(lambda: bool(app.times("iterate")), TIMEOUT)
            for index in range(10):
                poster.post("WORD", index)
                poster.flush()
                assert eventually(lambda n=index: len(app.times("mail")) > n, TIMEOUT)
            assert eventually(lambda: len(app.times("iterate")) >= 3, TIMEOUT)
    life.join(TIMEOUT)
    ticks = app.times("iterate")
    assert len(app.times("mail")) == 10
    assert any(mail not in ticks for mail in app.times("mail"))
    assert len({int(tick / 0.2 + 1e-6) for tick in ticks}) >= len(ticks) - 1


def test_a_post_of_the_wrong_type_becomes_a_run_warning() -> None:
    plan = ticker()
    with FreeHouse() as house, house.visit("first", role="app") as first:
        first.post("TICK", "a text")
        first.control("status")
        life = Life(house, plan)
        assert eventually(lambda: len(ticker_of(plan).times("iterate")) >= 5, TIMEOUT)
    life.join(TIMEOUT)
    assert "TICK = 1.0: refused, this variable is text" in life.account["run_warnings"]


def test_an_appcast_is_given_while_the_app_runs() -> None:
    plan = ticker()
    with FreeHouse() as house:
        life = Life(house, plan)
        with house.visit() as scope:
            scope.wait_for("TICK", lambda value: value >= 3.0, TIMEOUT)
            assert scope.appcast("pTicker").startswith("proc=pTicker!@#iter=")
    life.join(TIMEOUT)


def test_an_appcast_of_an_unknown_app_is_refused_and_the_run_continues() -> None:
    with FreeHouse() as house, house.visit() as scope:
        with pytest.raises(ControlError, match="appcast pNobody: no such app in alpha"):
            scope.appcast("pNobody")
        assert scope.control("status")["case"] == 0


def test_a_new_client_receives_the_state_of_the_run_and_the_apps_of_each_community() -> None:
    with (
        FreeHouse(RunPlan(("alpha", "beta"), (), 10.0, seed=7)) as house,
        house.visit("pA", role="app", community="alpha"),
        house.visit("scope", community="beta") as scope,
    ):
        assert scope.about["apps"] == {"alpha": ("pA",), "beta": ()}
        assert (scope.about["mode"], scope.about["seed"], scope.about["warp"]) == ("free", 7, 10.0)
        before = scope.control("status")["time"]
        sleep(0.1)
        later = scope.control("status")["time"]
        assert 1.0 <= later - before < 10.0 * TIMEOUT


def test_posts_refused_by_the_database_and_by_apps_are_in_the_outcome() -> None:
    plan = RunPlan(("alpha",), (ticker(),), 1.0)
    with FreeHouse(plan) as house:
        with house.visit("pTicker", role="app") as app:
            app.post("X", 1.0)
            app.post("X", "a text")
            with pytest.raises(PostRefused):
                app.control("status")
            app.close({"refused": 2, "grants": 3})
        with house.visit() as scope:
            scope.control("stop")
    assert house.outcome["refused"] == 3
    assert house.outcome["values"]["alpha"]["X"] == 1.0


def test_an_app_whose_readers_do_not_read_reports_it_and_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Flood(App):
        def iterate(self) -> None:
            for index in range(3000):
                self.post("FLOOD", index)

    monkeypatch.setattr("steerageway.bus.free.app.POST_TIMEOUT", 0.1)
    plan = app_plan(Flood, "pFlood", 0.0, "20")
    with FreeHouse() as house, house.visit("pAsleep", role="app") as sleeper:
        sleeper.register("FLOOD")
        sleeper.control("status")
        life = Life(house, plan)
        sleep(0.8)
        with house.visit("stopper") as stopper:
            stopper.control("stop")
        life.join(TIMEOUT)
    assert not life.is_alive()
    (warning,) = [text for text in life.account["run_warnings"] if "to read" in text]
    assert warning == "posts waited 0.1 s for pAsleep to read; they are kept"
    assert life.account["unsent"] > 0
    assert house.outcome["lost"] == life.account["unsent"]


def test_the_database_reports_every_two_seconds() -> None:
    with (
        FreeHouse(RunPlan(("alpha",), (), 20.0, epoch=1e9)) as house,
        house.visit("pA", role="app") as app,
        house.visit("scope") as scope,
    ):
        scope.register("DB_*")
        app.post("X", 1.0)
        app.control("status")
        uptimes: list[Message] = []
        seen: dict[str, Any] = {}
        while len(uptimes) < 4:
            for message in scope.fetch(5.0):
                seen[message.name] = message.value
                uptimes += [message] * (message.name == "DB_UPTIME")
    values = [message.value for message in uptimes]
    assert [value for value in values if isinstance(value, float) and value % 2.0] == []
    assert values == sorted(set(values))
    assert all(0 <= message.instant / 1e9 - float(message.value) < 2.0 for message in uptimes)
    assert all(message.source == "MOOSDB_alpha" for message in uptimes)
    assert seen["DB_TIME"] == 1e9 + float(values[-1])
    assert seen["DB_CLIENTS"] == "pA,"
    assert seen["DB_OBSERVERS"] == "scope,"
    assert "X" in seen["DB_VARSUMMARY"].split(",")
    assert seen["DB_RWSUMMARY"] == "pA=&X"


def test_coming_and_going_are_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steerageway.bus.observers.connections.PROBE_INTERVAL", 0.1)
    with FreeHouse() as house, house.visit("scope") as scope:
        scope.register("DB_EVENT")
        with house.visit("pA", role="app"):
            pass
        with RawClient(house.address) as vanishing:
            vanishing.handshake("pB", role="app")
        events: list[float | str | bytes] = []
        while len(events) < 4:
            mail = scope.fetch(5.0)
            assert mail
            events += [message.value for message in mail]
    assert events == ["connected=pA", "disconnected=pA", "connected=pB", "disconnected=pB"]


def test_the_broker_waits_awake_after_a_frame_and_asleep_without_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[float] = []
    monkeypatch.setattr(spin_wait, "_let_others", lambda: looks.append(wall()))
    with FreeHouse() as house, house.visit() as scope:

        def looked() -> bool:
            scope.control("status")
            return bool(looks)

        def still() -> bool:
            before = len(looks)
            sleep(0.3)
            return len(looks) == before

        assert eventually(looked, TIMEOUT)
        assert eventually(still, TIMEOUT)


def test_an_app_that_still_reads_its_mail_is_waited_for() -> None:
    with FreeHouse() as house, RawClient(house.address) as slow:
        slow.handshake("slow", role="app", credit=1)
        slow.send("register", [["X", "*", 0.0, True]])
        slow.send("control", 1, "status", [])
        assert slow.next_frame("reply")
        with house.visit("poster", role="app", timeout=TIMEOUT) as poster:
            for number in range(3000):
                poster.post("X", number)
            poster.control("stop")
        seen: list[float] = []
        while (received := slow.next_frame("mail", "stop", "bye")) is not None and received[
            0
        ] == "mail":
            seen += [value for *_, rows in received[1] for _, value, _, _ in rows]
            sleep(0.5)  # four times: longer than any grace, and each time shorter
            slow.send("credit", len(seen) + 1)
        slow.send("bye", {})
    assert received == ["stop"]
    assert seen == [float(number) for number in range(3000)]


def test_a_hello_waits_until_the_run_begins() -> None:
    plan = RunPlan(("alpha",), (ticker(),), 1.0)
    with FreeHouse(plan) as house:
        with pytest.raises(NoAnswer):
            house.visit("early", timeout=0.5)
        with RawClient(house.address) as first, RawClient(house.address) as second:
            first.send("hello", 1, "pTicker", {"role": "app"})
            welcome = first.next_frame("welcome")
            assert welcome is not None
            assert welcome[2]["time"] < 0.5
            second.send("hello", 1, "pTicker", {"role": "app"})
            refusal = second.next_frame("refused")
            assert refusal == ["refused", "pTicker: there is an app of that name in alpha"]


def test_an_app_that_does_not_connect_ends_the_run() -> None:
    plan = RunPlan(("alpha",), (ticker(),), 1.0, start_timeout=0.2)
    with FreeHouse(plan) as house:
        house.join(TIMEOUT)
    assert house.outcome["exit_reason"] == "app_failed"
    assert house.outcome["failures"][0]["reason"] == "did not come within 0.2 s"


def test_an_app_started_by_hand_is_not_waited_for() -> None:
    plan = RunPlan(("alpha",), (replace(ticker(), external=True),), 1.0)
    with (
        FreeHouse(plan) as house,
        house.visit("scope") as scope,
        house.visit("pTicker", role="app"),
    ):
        assert scope.wait_for("DB_EVENT", lambda v: v == "connected=pTicker", TIMEOUT)
    assert not house.outcome["failures"]


def over(value: float) -> Condition:
    """Hold once X is above a value."""
    return Condition(f"X > {value:g}", ("X",), lambda see: float(see("X") or 0.0) > value)


@pytest.mark.parametrize(
    ("more", "reason", "condition"),
    [
        ({"until": (over(2.0),)}, "until", "X > 2"),
        ({"fail_if": (over(2.0),)}, "fail_if", "X > 2"),
        ({"stop_at": 300_000_000}, "for", ""),
        ({"wall_limit": 0.3}, "wall_limit", ""),
    ],
)
def test_the_run_ends_for_the_reason_given(
    more: dict[str, Any], reason: str, condition: str
) -> None:
    with FreeHouse(RunPlan(("alpha",), (), 1.0, **more)) as house:
        with house.visit("pA", role="app") as app:
            for value in (1.0, 2.0, 3.0):
                app.post("X", value)
            app.flush()
            while not app.stopping:
                app.fetch(1.0)
        house.join(TIMEOUT)
    assert (house.outcome["exit_reason"], house.outcome["condition"]) == (reason, condition)
    assert house.outcome["deterministic"] is False
    assert house.outcome["simulated_seconds"] < 5.0
    if reason == "for":
        assert house.outcome["simulated_seconds"] >= 0.3


def test_posts_known_beforehand_enter_at_their_time() -> None:
    post = Input(200_000_000, 0, "alpha", "DEPLOY", "true")
    plan = RunPlan(("alpha",), (), 1.0, inputs=(post,))
    with FreeHouse(plan) as house, house.visit("scope") as scope:
        message = scope.wait_for("DEPLOY", lambda value: value == "true", TIMEOUT)
    assert message.source == "uPokeDB"
    assert 0.2 <= message.time < 1.0


def test_taps_and_last_values_are_in_the_outcome() -> None:
    class Adder:
        names = ("X",)

        def __init__(self) -> None:
            self.total = 0.0

        def take(self, message: Message) -> None:
            self.total += float(message.value)

        def result(self) -> dict[str, Any]:
            return {"total": self.total}

    plan = RunPlan(("alpha",), (), 1.0, tap=lambda community: Adder())
    with FreeHouse(plan) as house, house.visit("pA", role="app") as app:
        for value in (1.0, 2.0, 4.0):
            app.post("X", value)
        app.control("status")
    assert house.outcome["taps"] == {"alpha": {"total": 7.0}}
    assert house.outcome["values"]["alpha"]["X"] == 4.0
    assert house.outcome["posted"] >= 3


def test_an_invalid_exit_report_disturbs_no_client() -> None:
    plan = RunPlan(("alpha",), (replace(ticker(), external=True),), 1.0)
    account = {"grants": -1, "run_warnings": [1], "missed_ticks": "many", "failure": 5, "x": {}}
    with FreeHouse(plan) as house, RawClient(house.address) as raw_client:
        raw_client.handshake("pTicker", role="app")
        raw_client.send("bye", account)
        assert house.eventually(lambda counts: counts.frames >= 2)
    (app,) = house.outcome["apps"]
    assert (app["grants"], app["run_warnings"]) == (0, {})
    assert house.outcome["missed_ticks"] == 0
    assert not house.outcome["failures"]


def play(plan: RunPlan, during: Callable[[], None] | None = None) -> Outcome:
    """Run a plan in processes by the wall clock; do something at the same time."""
    beside = threading.Thread(target=during) if during else None
    if beside:
        beside.start()
    outcome = run(replace(plan, free_run=True), lambda progress: None)
    if beside:
        beside.join(TIMEOUT)
    return outcome


def process_of(folder: Path, name: str) -> int:
    """Return the process id an app has noted."""
    return int((folder / f"{name}.pid").read_text())


class Marked(Ticker):
    """A ticker that writes its process id down."""

    def on_start(self) -> None:
        super().on_start()
        note = Path(self.config.text("folder")) / f"{self.name}.pid"
        fresh = note.with_suffix(".new")
        fresh.write_text(str(os.getpid()))
        fresh.replace(note)


def test_a_mission_of_processes_runs_by_the_wall_clock(tmp_path: Path) -> None:
    plan = mission(
        cast(Recorder, "pRecorder", tmp_path, tick="8"),
        cast(CallRecorder, "pWitness", tmp_path, tick="10", start=0.5, hears="TICK"),
        app_plan(Ticker, "pTicker", 1.0, "20"),
        app_plan(ExitPoster, "pFarewell", 0.0, "1"),
        seconds=20.0,
        warp=10.0,
    )
    began = wall()
    outcome = play(plan)
    assert 2.0 <= wall() - began < 20.0
    assert outcome.exit_reason == "for"
    assert 20.0 <= outcome.simulated_seconds < 25.0
    assert outcome.failures == []
    assert outcome.deterministic is False
    assert [app.name for app in outcome.apps] == ["pRecorder", "pWitness", "pTicker", "pFarewell"]
    ticks = read_notes(tmp_path / "pWitness", "iterate")
    assert len(ticks) + outcome.missed_ticks >= 150
    mail = recorded(tmp_path / "pRecorder")
    names = {message.name for message in mail}
    assert {"TICK", "DB_TIME", "DB_CLIENTS", "PTICKER_STATUS", "FAREWELL"} <= names
    values = [message.value for message in mail if message.name == "TICK"]
    first, last = int(values[0]), int(values[-1])  # it may have come after the first of them
    assert values == [float(n) for n in range(first, last + 1)]


def test_a_killed_app_ends_the_run_and_is_named(tmp_path: Path) -> None:
    plan = mission(
        cast(Recorder, "pRecorder", tmp_path),
        app_plan(Marked, "pMarked", 0.0, "20", {"folder": str(tmp_path)}),
        seconds=60.0,
        warp=1.0,
    )

    def kill() -> None:
        assert eventually((tmp_path / "pMarked.pid").exists, TIMEOUT)
        sleep(0.3)
        os.kill(process_of(tmp_path, "pMarked"), signal.SIGKILL)

    outcome = play(plan, kill)
    assert outcome.exit_reason == "app_failed"
    (failure,) = outcome.failures
    assert (failure.name, failure.reason) == ("pMarked", "its process was ended by SIGKILL")
    events = [m.value for m in recorded(tmp_path / "pRecorder") if m.name == "DB_EVENT"]
    assert "disconnected=pMarked" in events


@pytest.mark.parametrize("kind", [Stumbler, Quitter, Interrupter])
def test_an_app_that_raises_ends_the_run_and_the_place_is_reported(kind: type[Stumbler]) -> None:
    outcome = play(mission(app_plan(kind, "pStumbler", 0.0, "20"), seconds=60.0, warp=1.0))
    assert outcome.exit_reason == "app_failed"
    (failure,) = outcome.failures
    assert failure.reason.startswith(f"{kind.trouble.__name__}: stumbled (test_free_run.py:")
    assert "raise self.trouble" in failure.details


def test_a_killed_app_restarts_while_restarts_are_left(tmp_path: Path) -> None:
    plan = mission(
        app_plan(Marked, "pMarked", 0.0, "20", {"folder": str(tmp_path)}),
        seconds=5.0,
        warp=1.0,
        restarts=1,
    )
    pids: list[int] = []

    def kill() -> None:
        assert eventually((tmp_path / "pMarked.pid").exists, TIMEOUT)
        pids.append(process_of(tmp_path, "pMarked"))
        os.kill(pids[0], signal.SIGKILL)
        assert eventually(lambda: process_of(tmp_path, "pMarked") != pids[0], TIMEOUT)

    outcome = play(plan, kill)
    assert outcome.exit_reason == "for"
    assert [failure.name for failure in outcome.failures] == ["pMarked"]
    assert outcome.apps[0].grants > 5


def test_consoles_find_a_running_free_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))
    plan = mission(app_plan(Ticker, "pTicker", 0.0, "20"), seconds=60.0, warp=1.0)
    plan = replace(plan, port=0, run_folder=tmp_path)

    def stop() -> None:
        from steerageway.bus.transport.client import Client

        assert eventually((tmp_path / "run.json").exists, TIMEOUT)
        about = json.loads((tmp_path / "run.json").read_text())
        assert about["mode"] == "free"
        assert list((tmp_path / "runtime" / "steerageway").glob("*.json"))
        with Client.connect(about["address"], "console") as console:
            console.wait_for("TICK", lambda value: value >= 5.0, TIMEOUT)
            console.control("stop")

    assert play(plan, stop).exit_reason == "stopped"
    assert json.loads((tmp_path / "run.json").read_text())["outcome"] == "stopped"
    assert not list((tmp_path / "runtime" / "steerageway").glob("*.json"))


def test_a_client_written_from_the_wire_page_alone_works(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", WIRE.read_text(), re.DOTALL)
    assert "bus" not in re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE)
    script = tmp_path / "stranger.py"
    script.write_text(code)
    with (
        (tmp_path / "out").open("w") as out,
        (tmp_path / "err").open("w") as err,
        FreeHouse(RunPlan(("alpha",), (), 10.0)) as house,
        house.visit("pA", role="app") as app,
    ):
        command = [sys.executable, str(script), str(house.server.port)]
        raw_client = subprocess.Popen(command, cwd=tmp_path, stdout=out, stderr=err)
        assert (
            app.wait_for("GREETING", lambda value: value == "hello", TIMEOUT).source == "stranger"
        )
        assert app.wait_for("ANSWER", lambda value: value == 42.0, TIMEOUT)
        app.wait_for("DB_CLIENTS", lambda value: value == "pA,stranger,", TIMEOUT)
        for index in range(30_000):
            app.post("NAV_X", index)
        app.post("NAV_NAME", "alpha")
        app.control("stop")
    assert raw_client.wait(TIMEOUT) == 0
    assert (tmp_path / "err").read_text() == ""
    rows = [line.split() for line in (tmp_path / "out").read_text().splitlines()]
    assert [row[2] for row in rows if row[1] == "NAV_X"] == [str(float(n)) for n in range(30_000)]
    assert [row[2:] for row in rows if row[1] == "NAV_NAME"] == [["alpha", "pA"]]
    assert any(row[1] == "DB_TIME" for row in rows)
