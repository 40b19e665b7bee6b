"""No frame of any client stops a run, starves it, or fills its memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgpack
import pytest
from house import FreeHouse, House, RawClient
from networks import app_plan
from serving import Serving

from steerageway.bus import App, RunPlan, sleep, stopwatch
from steerageway.bus.core.errors import ControlError, WireError
from steerageway.bus.core.stamps import NEVER
from steerageway.bus.observers import limits
from steerageway.bus.observers.limits import MOST_PATTERNS, MOST_REGISTERED, MOST_VARIABLES
from steerageway.bus.observers.peer import POST_WINDOW
from steerageway.bus.observers.server import LATE, MOST_HELD, REST
from steerageway.bus.transport.wire import LARGE_FRAME, unpack_foreign

pytestmark = [pytest.mark.process, pytest.mark.wall]  # real sockets, and patience


class Idler(App):
    """Ticks."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    apps = (app_plan(Idler, "pIdle", 0.0, "10"),)
    plan = RunPlan(("alpha",), apps, math.inf, stop_at=10**15, run_folder=tmp_path)
    with House(plan) as open_house:
        yield open_house


@pytest.mark.parametrize(
    ("verb", "args"),
    [
        ("warp", (1e300,)),
        ("warp", (1e-300,)),
        ("warp", (-1,)),
        ("warp", (2**64 - 1,)),
        ("warp", (math.nan,)),
        ("warp", (math.inf,)),
        ("warp", ("1e400",)),
        ("run_until", (1e300,)),
        ("run_until", (-1e300,)),
        ("run_until", (math.nan,)),
        ("step", (1e300,)),
        ("step", (2**63,)),
        ("step", (math.nan,)),
        ("step", (0,)),
        ("reset", (2**64 - 1,)),
        ("reset", (-(2**63),)),
        ("reset", (1.5,)),
        ("status", ("x" * 10**6,)),
        ("x" * 10**6, ()),
    ],
)
def test_a_control_beyond_bounds_is_refused_in_a_line(
    house: House, verb: str, args: tuple[object, ...]
) -> None:
    with house.visit() as observer:
        with pytest.raises(ControlError) as refused:
            observer.control(verb, *args)
        assert len(str(refused.value)) < 400
        assert observer.control("run_until", 1.0) is None
        assert house.is_alive()


def test_resets_that_wait_are_bounded(house: House) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake()
        for number in range(2000):
            raw_client.send("control", number, "reset", [])
            raw_client.send("control", number, "clear", [])
        raw_client.send("control", 5000, "status", [])
        while (reply := raw_client.next_frame("reply")) is not None and reply[1] != 5000:
            pass
        assert reply is not None


def test_patterns_with_endless_backtracking_delay_no_client(house: House) -> None:
    with house.visit() as observer:
        observer.post("a" * 250, 1.0)
        observer.control("run_until", 0.2)
        began = stopwatch()
        observer.register(*(f"{'*a' * (20 + n)}*b" for n in range(40)))
        observer.register("a" * 250, source="*?" * 30 + "b")
        observer.control("status")
        assert stopwatch() - began < 3.0


def test_a_client_has_a_limit_of_registrations(house: House) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake()
        names = MOST_REGISTERED - MOST_PATTERNS
        for most, here, pattern in (
            (MOST_PATTERNS, MOST_PATTERNS, "P{}*"),
            (MOST_REGISTERED, names, "N{}"),
        ):
            for number in range(here + 1):
                raw_client.send("register", [[pattern.format(number), "*", 0.0, True]])
            error = raw_client.next_frame("error")
            assert error is not None
            assert f"at most {most}" in error[2]
        (mailbox,) = [peer.mailbag for peer in house.server.peers.values()]
        assert len(mailbox.registrations) == MOST_REGISTERED
        raw_client.send("register", [[f"P{n}*", "*", 0.0, False] for n in range(MOST_PATTERNS)])
        raw_client.send("register", [["Q*", "*", 0.0, True]])
        assert raw_client.next_frame("error", seconds=0.3) is None


def test_clients_cannot_add_variables_for_ever(house: House) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake()
        for start in range(0, MOST_VARIABLES + 1000, 1000):
            names = range(start, start + 1000)
            raw_client.send("post", [[f"V{name}", 1.0, None, ""] for name in names])
            raw_client.send("control", start, "step", [])
            error = raw_client.next_frame("reply", "error")
            assert error is not None
            if error[0] == "error":
                break
        assert error[0] == "error"
        assert f"add none to {MOST_VARIABLES} variables" in error[2]
        assert len(house.kernel.state.databases["alpha"].variables) <= MOST_VARIABLES


def test_clients_cannot_fill_the_memory_with_large_values(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_LARGE", 300_000)
    known = house.kernel.state.databases["alpha"].variables
    with RawClient(house.address) as raw_client:
        raw_client.handshake()
        for number, size in enumerate((100_000, 100_000, 90_000, 90_000, 20_000)):
            raw_client.send("post", [[f"V{number}", "x" * size, None, ""]])
            raw_client.send("control", number, "step", [])
            if number == 3:
                assert raw_client.next_frame("error") is not None
            assert raw_client.next_frame("reply") is not None
        # The fourth is one too many; the last is not large, and always taken.
        assert {"V0", "V1", "V2", "V4"} <= known.keys()
        assert "V3" not in known
        raw_client.send("post", [["V0", "y" * 85_000, None, ""]])  # in place of the one before
        assert raw_client.next_frame("error", seconds=0.3) is None


def test_a_frame_that_would_grow_large_is_refused_before_it_is_made() -> None:
    maps = b"\xdc\x0f\xff" + (b"\xdc\x0f\xf0" + b"\x80" * 0xFF0) * 4095
    with pytest.raises(WireError, match="at most 36864 elements"):
        unpack_foreign(b"\x92\xa4post" + maps)
    small = msgpack.packb(("post", [("N", bytes(LARGE_FRAME), None, "")] * 5))
    assert len(unpack_foreign(small)[1]) == 5


@pytest.mark.parametrize("depth", [100, 900, 1100, 10**5])
def test_frames_within_frames_are_answered(house: House, depth: int) -> None:
    deep = b"\x91" * depth + b"\xc0"
    with RawClient(house.address) as raw_client:
        raw_client.handshake()
        for head in (b"\x92\xa4post\x91", b"\x92\xa8register\x91", b"\x92\xa6credit"):
            raw_client.socket.send(head + deep)
            assert raw_client.next_frame("error") is not None
    assert house.is_alive()


@pytest.mark.parametrize("aux", ["a\nNAV_X 1 2 3", "\x1b[2J", "a" * 2000])
def test_an_invalid_auxiliary_text_is_refused(house: House, aux: str) -> None:
    with RawClient(house.address) as raw_client:
        raw_client.handshake()
        raw_client.send("post", [["X", 1.0, None, aux], ["X", 1.0, 1e300, ""]])
        error = raw_client.next_frame("error")
        assert error is not None
        assert "aux is printable" in error[2]
        assert "X: a time is -1e+12 to 1e+12 s" in error[2]


def test_a_client_posts_up_to_a_limit_while_paused_and_the_rest_afterwards(
    house: House,
) -> None:
    with RawClient(house.address) as raw_client, house.visit("other") as other:
        raw_client.handshake()
        rows = [["X", 1.0, None, ""]] * 1024
        allowed, sent = POST_WINDOW, 0
        while sent < allowed:
            raw_client.send("post", rows)
            sent += len(rows)
            while (credit := raw_client.next_frame("credit", seconds=1.0)) is not None:
                allowed = credit[1]
                if sent < allowed:
                    break
        assert MOST_HELD <= sent < MOST_HELD + 2 * POST_WINDOW
        other.control("run_until", 1.0)
        while (credit := raw_client.next_frame("credit")) is not None and credit[1] <= allowed:
            pass
        assert credit is not None
        assert house.kernel.state.databases["alpha"].posted >= MOST_HELD


@pytest.mark.parametrize(("warp", "taken"), [(math.inf, 1), (1e6, 0)])
def test_late_time_leaves_less_of_it_for_posts_of_observers(warp: float, taken: int) -> None:
    with (
        Serving(warp, paused=False) as server,
        RawClient(f"tcp://127.0.0.1:{server.port}") as raw_client,
    ):
        raw_client.send("hello", 1, "flood", {"credit": 0})
        while not server.peers:
            server.poll()
        for _ in range(3):
            raw_client.send("post", [["X", 1.0, None, ""]] * 512)
        sleep(2 * LATE)  # nothing runs here, so there is time that is late
        before, took = server.counts.frames, 0.0
        while server.counts.frames == before:
            began = stopwatch()
            server.poll()
            took = stopwatch() - began
        before = server.counts.frames
        sleep(2 * REST * took)
        server.poll()
        assert (server.counts.frames > before) == taken


def test_no_exit_report_of_an_unknown_client_ends_a_free_run() -> None:
    most = {"missed_ticks": 2**64 - 1, "unsent": 2**64 - 1, "grants": 2**64 - 1}
    odd = {"run_warnings": {b"x": 2**64 - 1, "y": True}, "config_warnings": (b"x", 5, "z" * 10**6)}
    with FreeHouse() as house:
        for name in ("one", "two", "three"):
            client = house.visit(name, role="app")
            client.close({**most, **odd, "failure": "x" * 10**6, "time": math.nan})
        assert house.eventually(lambda counts: counts.frames >= 6)
    assert house.outcome["missed_ticks"] == 0


def test_a_free_run_ignores_exit_reports_that_are_too_large(tmp_path: Path) -> None:
    apps = (app_plan(Idler, "pIdle", 0.0, "10"),)
    plan = replace(RunPlan(("alpha",), apps, 1.0), start_timeout=0.0)
    with FreeHouse(plan) as house, RawClient(house.address) as raw_client:
        raw_client.send("hello", 1, "pIdle", {"role": "app"})
        assert raw_client.next_frame("welcome") is not None
        raw_client.send("bye", {"missed_ticks": 2**64 - 1, "grants": 7, "unsent": 3})
        assert house.eventually(lambda counts: counts.frames >= 2)
    (app,) = house.outcome["apps"]
    assert (app["grants"], house.outcome["missed_ticks"]) == (7, 0)
    assert house.outcome["lost"] == 3


def test_never_is_later_than_any_time_of_a_control(house: House) -> None:
    with house.visit() as observer:
        observer.control("run_until", 1e9)
        observer.control("step", 1e9)
        observer.control("warp", 1e6)
        observer.control("pause")
    assert house.kernel.state.reached < NEVER
