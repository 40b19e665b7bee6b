"""Only the user who launched a run comes in, and that user's own tools without a word."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from house import RawClient
from networks import app_plan

from steerageway.apps.shared.runs import find_run
from steerageway.bus import App, Client, Outcome, Placement, RunPlan, new_token, run, sleep
from steerageway.bus.core.errors import Refused
from steerageway.bus.core.runtime import runtime_folder, token_for
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch

pytestmark = [pytest.mark.process, pytest.mark.wall]
PLACES = [*Placement, None]  # None: a free run


class Ticker(App):
    """Posts."""

    publishes = ("TICK",)

    def iterate(self) -> None:
        self.post("TICK", self.iteration)


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a runtime folder of the test's own."""
    (tmp_path / "runtime").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))
    return runtime_folder()


def visited(folder: Path, place: Placement | None, visit: Callable[[str], None]) -> Outcome:
    """Run an app with an observer, which gets the address."""
    apps = (app_plan(Ticker, "pTick", 0.0, "10"),)
    plan = RunPlan(("alpha",), apps, 10.0, port=0, run_folder=folder, token=new_token())
    plan = replace(plan, free_run=True) if place is None else replace(plan, placement=place)
    troubles: list[BaseException] = []

    def come() -> None:
        while not (folder / "run.json").exists():
            sleep(0.01)
        address = json.loads((folder / "run.json").read_text())["address"]
        try:
            visit(address)
        except BaseException as error:
            troubles.append(error)
        with Client.connect(address, "stopper") as client:
            client.control("stop")

    visitor = Thread(target=come)
    visitor.start()
    outcome = run(plan, lambda progress: None)
    visitor.join()
    if troubles:
        raise troubles[0]
    return outcome


@pytest.mark.parametrize("place", PLACES)
def test_our_own_clients_connect_without_options_and_others_do_not(
    place: Placement | None, tmp_path: Path, runtime: Path
) -> None:
    def visit(address: str) -> None:
        with Client.connect(address, "scope", timeout=20.0) as client:
            client.wait_for("TICK", lambda value: value > 0, timeout=20.0)
        for options in ({}, {"token": ""}, {"token": "x" * 1000}, {"token": "ä"}):
            with RawClient(address) as raw_client:
                answer = raw_client.handshake(**options)
                assert answer[0] == "refused"
                assert "run.json" in answer[1]
                raw_client.send("post", [["TICK", 1e6, None, ""]])
                raw_client.send("control", 1, "stop", [])
                error = raw_client.next_frame("error")
                assert error is not None
                assert error[1] == "hello"
        with RawClient(address) as raw_client:
            raw_client.send("who")
            about = raw_client.next_frame("broker")
            assert token_for(address) not in json.dumps(about)

    outcome = visited(tmp_path, place, visit)
    assert outcome.exit_reason == "stopped"
    assert outcome.values["alpha"]["TICK"] < 1e6
    assert list(runtime.glob("*.json")) == []


@pytest.mark.parametrize("place", PLACES)
def test_who_takes_the_identity_of_a_client_that_left_inherits_nothing(
    place: Placement | None, tmp_path: Path, runtime: Path
) -> None:
    def visit(address: str) -> None:
        for number in range(6):
            identity = b"victim %d" % number
            with RawClient(address, identity) as victim:
                token = token_for(address)
                assert victim.handshake(token=token, role="observer")[0] == "welcome"
                victim.send("register", [["TICK", "*", 0.0, True]])
                assert victim.next_frame("mail") is not None
            answer = None
            while answer is None:  # ZeroMQ ignores who comes while the victim's end is not noticed
                with RawClient(address, identity) as heir:
                    if number % 2:  # one that only listens gets no mail either
                        assert heir.next_frame("mail", "welcome", seconds=0.5) is None
                    heir.send("post", [["TICK", 1e6, None, ""]])
                    heir.send("control", 1, "stop", [])
                    answer = heir.next_frame("error", "reply", "mail", seconds=1.0)
                    assert answer is None or answer[:2] == ["error", "hello"]
                    assert answer is None or heir.handshake()[0] == "refused"

    outcome = visited(tmp_path, place, visit)
    assert outcome.exit_reason == "stopped"
    assert outcome.values["alpha"]["TICK"] < 1e6


def test_the_files_with_the_token_are_their_users_alone(tmp_path: Path, runtime: Path) -> None:
    def visit(address: str) -> None:
        (file,) = runtime.glob("*.json")
        for path in (file, tmp_path / "run.json"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert len(json.loads(path.read_text())["token"]) >= 32

    visited(tmp_path, Placement.PROCESS, visit)


def test_a_run_is_found_by_its_folder_where_the_runtime_folder_is_another(
    tmp_path: Path, runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def visit(address: str) -> None:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        try:
            with pytest.raises(Refused, match="token"):
                Client.connect(address, "lost")
            with find_run(str(tmp_path)).connect("scope") as client:
                assert client.control("status")["time"] >= 0.0
        finally:
            monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime.parent))

    visited(tmp_path, Placement.PROCESS, visit)


def test_the_token_of_a_finished_run_is_not_disclosed(tmp_path: Path, runtime: Path) -> None:
    runtime.mkdir(parents=True)
    about = {"address": "tcp://127.0.0.1:9000", "pid": 2**22 + 1, "token": "old"}
    (runtime / "1.json").write_text(json.dumps(about))
    (runtime / "2.json").write_text("{")
    (runtime / "3.json").write_text("[" * 10**5)
    assert token_for("127.0.0.1:9000") == ""
    assert token_for("10.0.0.1:9000") == ""


@pytest.mark.parametrize(
    ("options", "closed"), [((), True), (("--open",), False), (("--keys", "keys"), False)]
)
def test_a_launch_has_a_token_unless_it_is_open_or_has_keys(
    options: tuple[str, ...], closed: bool
) -> None:
    mission = str(Path(__file__).parents[2] / "missions/alpha")
    plans = [
        plan_launch(parse_options([mission, "--no-log", "--port", "auto", *options])).plan
        for _ in range(2)
    ]
    assert [bool(plan.token) for plan in plans] == [closed] * 2
    assert (plans[0].token != plans[1].token) is closed
