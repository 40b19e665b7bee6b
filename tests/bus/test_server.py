"""The server in lockstep: observers see everything, may post and control, and delay no app."""

from __future__ import annotations

import json
import math
import shlex
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import zmq
from house import TIMEOUT, House, RawClient
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import app_plan, network, recorded, run_serially
from stage import PLACEMENTS

from steerageway.bus import App, Message
from steerageway.bus.core.clock import sleep, wall
from steerageway.bus.core.errors import ControlError, NoAnswer, PostRefused, Refused, ServerError
from steerageway.bus.core.plan import Outcome, Placement, RunPlan
from steerageway.bus.observers.connections import MAIL_INTERVAL, MOST_WAITING
from steerageway.bus.processes import broker, one
from steerageway.bus.processes.run import run
from steerageway.bus.transport import server_socket
from steerageway.bus.transport.client import Client
from steerageway.bus.transport.server_socket import ServerSocket
from steerageway.bus.transport.wire import LARGEST_FRAME, pack

pytestmark = [pytest.mark.process, pytest.mark.wall]  # real sockets, and timeout

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NO SUCH MECHANISM".ljust(52, b"\0")  # of ZMTP
READY = b"\x05READY" + b"\x0bSocket-Type" + b"\x00\x00\x00\x06DEALER"
HANDSHAKE = GREETING.replace(b"NO SUCH MECHANISM", b"NULL".ljust(17, b"\0"))
HANDSHAKE += bytes((4, len(READY))) + READY


class Counter(App):
    """Counts its iterations and remembers the last text it received."""

    publishes = ("COUNT", "ECHO")

    def on_start(self) -> None:
        self.register("WORD")
        self.word = "nothing"
        self.post("ECHO", "")

    def on_mail(self, mail: Sequence[Message]) -> None:
        self.word = str(mail[-1].value)
        self.post("ECHO", f"{mail[-1].source} said {self.word}")

    def iterate(self) -> None:
        self.post("COUNT", self.iteration)

    def report(self) -> list[str]:
        return [f"heard {self.word}"]


def counting(*communities: str) -> RunPlan:
    """Plan a counter in each community."""
    names = communities or ("alpha",)
    apps = tuple(app_plan(Counter, "pCounter", 0.0, "10", community=name) for name in names)
    return RunPlan(names, apps, math.inf, stop_at=10**15)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(replace(counting(), run_folder=tmp_path)) as open_house:
        yield open_house


def inputs(folder: Path) -> list[dict[str, Any]]:
    """Return the posts from outside, as recorded."""
    file = folder / "inputs.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_an_observer_sees_commits_in_order(house: House) -> None:
    with house.visit() as scope:
        scope.register("COUNT")
        scope.control("run_until", 1.0)
        seen: list[Message] = []
        while len(seen) < 10:
            seen += scope.fetch(5.0)
    assert [message.value for message in seen] == [float(n) for n in range(1, 11)]
    assert [message.instant for message in seen] == [n * 10**8 for n in range(1, 11)]
    assert {(m.source, m.community) for m in seen} == {("pCounter", "alpha")}


def test_registering_delivers_the_present_value_at_once(house: House) -> None:
    with house.visit() as scope:
        scope.control("run_until", 0.5)
        assert scope.wait_for("COUNT", lambda value: value == 5.0, 5.0).time == 0.5
        scope.register("COUNT")
        assert [message.value for message in scope.fetch(5.0)] == [5.0]


def test_an_interval_thins_by_simulated_time(house: House) -> None:
    with house.visit() as scope:
        scope.register("COUNT", interval=0.5)
        scope.control("run_until", 2.2)
        seen: list[Message] = []
        while len(seen) < 5:
            seen += scope.fetch(5.0)
        assert scope.fetch(0.1) == []
    assert [message.value for message in seen] == [1.0, 6.0, 11.0, 16.0, 21.0]


def test_a_post_is_committed_before_the_next_grants_and_recorded(
    house: House, tmp_path: Path
) -> None:
    with house.visit("uPokeDB") as poker:
        poker.post("WORD", "hello", aux="by hand")
        poker.control("run_until", 0.2)
        echo = poker.wait_for("ECHO", lambda value: value != "", 5.0)
    assert echo.value == "uPokeDB said hello"
    assert echo.instant == 10**8
    (post,) = inputs(tmp_path)
    assert post["instant"] == 10**8
    assert (post["name"], post["source"], post["aux"]) == ("WORD", "uPokeDB", "by hand")


def test_a_post_of_the_wrong_type_comes_back_and_enters_nothing(
    house: House, tmp_path: Path
) -> None:
    with house.visit() as scope:
        scope.register("COUNT")
        scope.control("run_until", 0.2)
        scope.wait_for("COUNT", lambda value: value > 0, 5.0)
        scope.post("COUNT", "a text")
        with pytest.raises(PostRefused, match=r"COUNT = 'a text': refused, .* a number"):
            scope.control("status")
    assert inputs(tmp_path) == []
    assert house.server.counts.posts_refused == 1


def test_bad_posts_of_a_batch_are_named_and_the_others_taken(house: House, tmp_path: Path) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake()
        rows = [["GOOD", 1.0, None, ""], ["BAD", math.nan, None, ""], ["WORSE", True, None, ""]]
        raw_client.send("post", [*rows, ["FINE", 2, 0.0, ""]])
        error = raw_client.next_frame("error")
    assert error is not None
    assert error[1] == "post"
    assert "BAD: nan is not a finite number" in error[2]
    assert "WORSE: a value is a number, a text or bytes, not True" in error[2]
    assert [post["name"] for post in inputs(tmp_path)] == ["GOOD", "FINE"]


def test_observers_are_listed_to_observers_alone(house: House) -> None:
    with house.visit("first") as first:
        first.register("*")
        assert first.wait_for("DB_OBSERVERS", lambda v: v == "first,", 5.0)
        with house.visit("second") as second:
            assert first.wait_for("DB_OBSERVERS", lambda v: v == "first,second,", 5.0)
            second.control("run_until", 2.0)
            assert second.wait_for("DB_CLIENTS", lambda v: v == "pCounter,", 5.0)
        assert first.wait_for("DB_OBSERVERS", lambda v: v == "first,", 5.0)
    assert house.kernel.state.databases["alpha"].value("DB_OBSERVERS") is None


def until_still(client: Client, look: Callable[[], object]) -> None:
    """Wait until a run has finished, or its time stands still for four looks: nothing is due."""
    quiet, before = 0, -1.0
    with suppress(NoAnswer):
        while quiet < 4:
            look()
            now = client.control("status")["time"]
            quiet, before = quiet + 1 if now == before else 0, now


@pytest.mark.parametrize("seed", range(12))
def test_attaching_an_observer_that_posts_nothing_changes_no_log(seed: int) -> None:
    expected, _ = run_serially(network(seed))
    plan = network(seed)
    with House(plan) as house, house.visit(community="alpha") as scope:
        scope.register("*")
        scope.register("V3", "NEVER_POSTED", interval=0.3)
        scope.control("run_until", 1.3)
        scope.fetch(1.0)
        scope.unregister("V3")
        scope.control("resume")
        until_still(scope, lambda: scope.fetch(0.05))
    house.kernel.stop_all()
    assert recorded(house.kernel.runners) == expected


def test_an_appcast_passes_outside_the_database(house: House) -> None:
    with house.visit() as scope:
        scope.post("WORD", "hello")
        scope.control("run_until", 0.2)
        scope.wait_for("COUNT", lambda value: value == 2.0, 5.0)
        assert "messages=heard hello" in scope.appcast("pCounter")
        with pytest.raises(ControlError, match="pNobody: no such app in alpha"):
            scope.appcast("pNobody")
    assert not any("APPCAST" in name for name in house.kernel.state.databases["alpha"].variables)


def test_a_control_that_does_not_fit_reports_it_and_changes_nothing(house: House) -> None:
    with house.visit() as scope:
        for verb, args, expected in [
            ("sing", (), "sing: expected one of pause, "),
            ("step", (math.inf,), "step inf: expected a whole number of instants"),
            ("warp", ("fast",), "warp fast: expected a number from 1e-06 to "),
            ("step", (1, 2), "step: expected a number of instants, or nothing, with it"),
            ("run_until", (math.inf,), r"run_until inf: expected a time \[s\], 0 to "),
            ("run_until", ("late",), r"run_until: expected a time \[s\] with it"),
            ("reset", (2.5,), "reset 2.5: expected a whole number of less than 64 bits"),
            ("reset", ("a",), "reset a: expected a whole number of less than 64 bits"),
        ]:
            with pytest.raises(ControlError, match=expected):
                scope.control(verb, *args)
        assert scope.control("status")["paused"] is True


def test_a_community_is_to_be_named_where_there_are_several() -> None:
    with House(counting("alpha", "beta")) as house:
        with pytest.raises(Refused, match="none named; expected one of alpha, beta"):
            house.visit()
        with pytest.raises(Refused, match="gamma; expected one of alpha, beta"):
            house.visit(community="gamma")
        with house.visit(community="beta") as scope:
            scope.register("COUNT")
            scope.control("run_until", 0.1)
            assert scope.fetch(5.0)[0].community == "beta"


def test_observers_of_many_communities_find_room_in_proportion(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("steerageway.bus.observers.limits.LEAST_CLIENTS", 3)
    monkeypatch.setattr("steerageway.bus.observers.limits.CLIENTS_EACH", 2)
    for names, room in ((("alpha",), 3), (("alpha", "beta", "gamma"), 6)):
        with House(counting(*names)) as house, ExitStack() as clients:
            for k in range(room):
                clients.enter_context(house.visit(community=names[k % len(names)]))
            with pytest.raises(Refused, match=f"{room} clients are connected; no more"):
                house.visit(community="alpha")


def test_an_app_cannot_come_in_to_lockstep_and_learns_how_it_could(house: House) -> None:
    with pytest.raises(Refused, match="come as an observer") as refused:
        house.visit("pMine", role="app")
    assert refused.value.reason.endswith(f"{shlex.join(sys.orig_argv)} --external pMine")


def test_observers_stay_registered_through_a_case_reset(house: House) -> None:
    with house.visit() as scope:
        scope.register("COUNT")
        scope.control("run_until", 0.3)
        scope.wait_for("COUNT", lambda value: value == 3.0, 5.0)
        assert scope.control("reset") == 1
        scope.control("resume")
        found = scope.wait_for("COUNT", lambda value: value == 1.0, 5.0)
        assert found.instant == 10**8


def test_an_observer_that_does_not_read_gets_the_last_values_and_a_warning(house: House) -> None:
    with house.visit("sleeper") as sleeper, house.visit("watcher") as watcher:
        sleeper.register("COUNT", "ECHO")
        watcher.register("DB_UPTIME")
        watcher.control("run_until", 4000.0)
        watcher.wait_for("DB_UPTIME", lambda value: value == 4000.0, 60.0)
        assert house.eventually(lambda counts: counts.thinned > 0)
        seen: list[Message] = []
        while not seen or seen[-1].value != 40_000.0:
            seen += sleeper.fetch(5.0)
        assert sleeper.thinned == house.server.counts.thinned
        counts = [message.value for message in seen if message.name == "COUNT"]
        assert counts == sorted(counts)
        assert len(seen) + sleeper.thinned == 40_001
        assert len(seen) < 2 * MOST_WAITING


def test_an_observer_of_all_mail_is_disconnected_instead(house: House) -> None:
    with house.visit("sleeper", whole=True) as sleeper:
        sleeper.register("COUNT")
        sleeper.control("run_until", 4000.0)
        assert house.eventually(lambda counts: counts.refused == 1)
        values: list[float | str | bytes] = []
        while mail := sleeper.fetch(5.0):
            values += [message.value for message in mail]
    assert sleeper.ended == "disconnected: it subscribed to all mail and did not read it"
    assert values == [float(n) for n in range(1, len(values) + 1)]
    assert house.server.peers == {}


def test_an_observer_without_credit_gets_no_mail(house: House) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake(credit=0)
        raw_client.send("register", [["COUNT", "*", 0.0, True]])
        raw_client.send("control", 1, "run_until", [1.0])
        assert raw_client.next_frame("mail", seconds=0.3) is None
        raw_client.send("credit", 1)
        mail = raw_client.next_frame("mail")
        assert mail is not None
        assert sum(len(rows) for *_, rows in mail[1]) == 10


def test_a_client_that_vanishes_is_removed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steerageway.bus.observers.connections.PROBE_INTERVAL", 0.05)
    with house.visit("watcher") as watcher:
        with RawClient(house.address) as raw_client:
            raw_client.handshake("ghost")
            assert watcher.wait_for("DB_OBSERVERS", lambda v: v == "watcher,ghost,", 5.0)
        assert watcher.wait_for("DB_OBSERVERS", lambda v: v == "watcher,", 5.0)
    assert house.server.counts.gone == 1


def test_the_end_of_the_run_is_reported(house: House) -> None:
    with house.visit() as scope:
        scope.control("stop")
        assert scope.fetch(5.0) == []
        assert scope.ended == "finished"
        with pytest.raises(NoAnswer, match="finished"):
            scope.wait_for("COUNT", lambda value: True, 5.0)


def test_a_busy_port_is_an_error_that_names_the_holder(house: House) -> None:
    with zmq.Context() as context:
        with pytest.raises(
            ServerError, match=r"port \d+ is in use by the run of alpha \(process \d+\)"
        ):
            ServerSocket(context, "127.0.0.1", house.server.port)
        context.destroy(0)


def test_of_a_large_fleet_that_holds_a_port_four_communities_are_named() -> None:
    fleet = counting("shoreside", "abe", "ben", "cal", "deb", "eve")
    with House(fleet) as house, zmq.Context() as context:
        with pytest.raises(ServerError, match="the run of shoreside, abe, ben, cal and 2 more"):
            ServerSocket(context, "127.0.0.1", house.server.port)
        context.destroy(0)


@pytest.mark.parametrize("speaks", [False, True])
def test_silent_connections_give_way_to_clients(
    house: House, speaks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_socket, "MOST_STRANGERS", 20)
    first = house.visit("first")
    with ExitStack() as stack:

        def crowd() -> socket.socket:
            for _ in range(30):
                one = socket.create_connection(("127.0.0.1", house.server.port), timeout=TIMEOUT)
                stack.enter_context(one)
                if speaks:  # else it does not even greet
                    one.sendall(HANDSHAKE)
            return one

        last = crowd()
        second = house.visit("second")
        crowd()
        while last.recv(1000):  # the server's own greeting; then it is closed
            pass
        for client in (first, second, house.visit("third")):
            assert client.control("status")["time"] == 0.0
            client.close()
    assert house.server.counts.gone == 0


def test_a_port_held_by_another_program_is_reported() -> None:
    with zmq.Context() as context:
        other = context.socket(zmq.REP)
        port = other.bind_to_random_port("tcp://127.0.0.1")
        with pytest.raises(ServerError, match=f"port {port} is in use by another program"):
            ServerSocket(context, "127.0.0.1", port)
        context.destroy(0)


def test_beyond_loopback_the_broker_needs_keys() -> None:
    with zmq.Context() as context:
        with pytest.raises(ServerError, match=r"0\.0\.0\.0: .* only with keys: .*steerageway keys"):
            ServerSocket(context, "0.0.0.0", 0)
        context.destroy(0)


def test_the_broker_identifies_itself_without_a_hello(house: House) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.send("who")
        answer = raw_client.next_frame("broker")
    assert answer is not None
    assert answer[1:2] == [1]
    assert answer[2]["communities"] == ["alpha"]
    assert answer[2]["mode"] == "lockstep"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("post",), "post: 1 elements follow, not 0"),
        (("post", 5), "post: element 1 cannot be 5"),
        (("credit", -1), "credit -1: expected 8192 to"),
        (("credit", 2**60), "credit 1152921504606846976: expected 8192 to"),
        (("register", [["X", "*", -1.0, True]]), "X: an interval is"),
        (("control", "one", "status", []), "control: element 1 cannot be 'one'"),
        (("hello", 1, "again", {}), "hello: not a frame of clients"),
        (("bye", 5), "bye: element 1 cannot be 5"),
    ],
)
def test_a_malformed_frame_is_answered_and_the_connection_continues(
    house: House, parts: tuple[object, ...], expected: str
) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake()
        raw_client.send(*parts)
        error = raw_client.next_frame("error")
        assert error is not None
        assert error[1] == "malformed"
        assert expected in error[2]
        assert house.server.counts.malformed == 1
        raw_client.send("control", 7, "status", [])
        reply = raw_client.next_frame("reply")
        assert reply is not None
        assert reply[1:3] == [7, True]


def test_a_frame_without_a_hello_is_answered(house: House) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.send("post", [["X", 1.0, None, ""]])
        error = raw_client.next_frame("error")
        assert error is not None
        assert error[1] == "hello"


def test_oversized_frames_are_refused_or_end_the_connection(house: House) -> None:
    with RawClient(house.address) as raw_client, house.visit() as scope:
        raw_client.handshake()
        raw_client.socket.send(bytes(LARGEST_FRAME + 1))
        error = raw_client.next_frame("error")
        assert error is not None
        assert f"{LARGEST_FRAME + 1} bytes: a frame holds at most" in error[2]
        raw_client.socket.send(bytes(4 * LARGEST_FRAME + 1))
        raw_client.send("control", 1, "status", [])
        error = raw_client.next_frame("error", "reply")
        assert error is None or error[1] == "hello"
        assert scope.control("status")["time"] == 0.0


def test_several_frames_in_one_message_are_malformed(house: House) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake()
        raw_client.socket.send_multipart([pack("control", 1, "status", ()), b"more"])
        error = raw_client.next_frame("error")
        assert error is not None
        assert "2 frames: a message is one frame" in error[2]


KINDS = ("hello", "post", "credit", "register", "control", "appcast", "bye", "who", "reported")
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
    ),
    max_leaves=8,
)
FRAMES = st.binary(max_size=60) | st.builds(
    lambda kind, rest: pack(kind, *rest), st.sampled_from(KINDS), st.lists(ANYTHING, max_size=4)
)


def test_no_frame_of_an_unknown_client_ends_the_broker(house: House) -> None:
    with house.visit("watcher") as watcher:

        @settings(max_examples=40)
        @given(st.lists(FRAMES, min_size=1, max_size=10), st.booleans())
        def bother(frames: list[bytes], welcomed: bool) -> None:
            before = house.server.counts.frames
            with RawClient(house.address) as raw_client:
                if welcomed:
                    raw_client.handshake()
                for frame in frames:
                    raw_client.socket.send(frame)
                expected = before + welcomed + len(frames)
                assert house.eventually(lambda counts: counts.frames >= expected)

        bother()
        assert house.is_alive()
        assert watcher.control("status")["case"] >= 0
    assert house.server.counts.malformed > 0


@pytest.mark.parametrize("greeting", [b"GET / HTTP/1.1\r\n\r\n" * 10, GREETING])
def test_bytes_that_are_not_zeromq_disturb_no_client(house: House, greeting: bytes) -> None:
    with socket.create_connection(("127.0.0.1", house.server.port or 0)) as stream:
        stream.sendall(greeting)
        if greeting is GREETING:
            assert house.eventually(lambda counts: house.server.denied > 0)
        with house.visit() as scope:
            assert scope.control("status")["paused"] is True


def test_a_mission_with_an_unknown_client_at_its_port_keeps_its_log() -> None:
    expected, _ = run_serially(network(3))
    with House(network(3)) as house, RawClient(house.address) as raw_client:
        raw_client.socket.send(b"\xc1garbage")
        raw_client.handshake(community="alpha")
        raw_client.send("control", 1, "resume", [])
        for _ in range(50):
            raw_client.socket.send(b"\x93garbage")
        with house.visit("watcher") as watcher:
            until_still(watcher, lambda: raw_client.next_frame("error", seconds=0.05))
    house.kernel.stop_all()
    assert recorded(house.kernel.runners) == expected


@pytest.mark.parametrize("placement", [*PLACEMENTS, None])
def test_refused_frames_and_posts_are_reported_at_the_end(
    placement: Placement | None, tmp_path: Path
) -> None:
    plan = replace(counting(), warp=10.0, port=0, run_folder=tmp_path)
    plan = replace(plan, free_run=True) if placement is None else replace(plan, placement=placement)

    def visit() -> None:
        address = address_in(tmp_path)
        with RawClient(address) as raw_client:
            raw_client.socket.send(b"\xc1")
            assert raw_client.next_frame("error") is not None
        with Client.connect(address, "scope") as scope:
            scope.wait_for("COUNT", lambda value: value > 0)
            scope.post("COUNT", "a text")
            with pytest.raises(PostRefused):
                scope.control("status")
            scope.control("stop")

    outcome = visited(plan, visit)
    expected = "refused from outside: malformed frames: 1; posts refused: 1"
    assert [*outcome.complaints] == [expected]


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_the_pace_of_the_run_is_reported_to_observers_only(
    placement: Placement, tmp_path: Path
) -> None:
    plan = replace(counting(), warp=20.0, port=0, run_folder=tmp_path, placement=placement)

    def visit() -> None:
        with Client.connect(address_in(tmp_path), "scope") as scope:
            scope.register("*_LOAD")
            scope.wait_for("SIM_RTF", lambda value: 10.0 < value < 30.0)
            if placement is not Placement.ONE:
                scope.wait_for("PCOUNTER_LOAD", lambda value: 0.0 < value < 1e5)
            scope.control("stop")

    outcome = visited(plan, visit)
    assert not {"SIM_RTF", "PCOUNTER_LOAD"} & set(outcome.values["alpha"])


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_a_poke_reaches_an_idle_console_without_waiting_for_a_regular_check(
    placement: Placement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The app's next activation is 20 s away, and the regular checks are 2 s apart.
    for module in (broker, one):
        monkeypatch.setattr(module, "LOOK", 2.0)
    idle = app_plan(App, "pIdle", 0.0, "0.05")
    plan = RunPlan(
        ("alpha",), (idle,), 1.0, port=0, run_folder=tmp_path, placement=placement, wall_limit=60.0
    )
    took = []

    def visit() -> None:
        with Client.connect(address_in(tmp_path), "scope") as scope:
            scope.register("POKED")
            for number in range(10):
                sleep(MAIL_INTERVAL)
                began = wall()
                scope.post("POKED", number)
                scope.wait_for("POKED", lambda value, posted=number: value == posted)
                took.append(wall() - began)
            scope.control("stop")

    visited(plan, visit)
    assert sorted(took)[len(took) // 2] < 0.2


def visited(plan: RunPlan, visit: Callable[[], None]) -> Outcome:
    """Run a plan that an observer stops."""
    visitor = Thread(target=visit)
    visitor.start()
    outcome = run(plan, lambda progress: None)
    visitor.join()
    assert outcome.exit_reason == "stopped"
    return outcome


def address_in(folder: Path) -> str:
    """Return where the run of this folder listens, once it does."""
    while not (folder / "run.json").exists():
        sleep(0.01)
    return str(json.loads((folder / "run.json").read_text())["address"])
