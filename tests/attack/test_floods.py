"""An observer that posts as fast as it is let holds no time up, and all it posted is logged."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from disturbances import MEMORY, address_of, crowd, flood, token_of
from launches import Launch, logs_of

from steerageway.bus import Client, ControlError, wall

pytestmark = [pytest.mark.process, pytest.mark.wall]


@pytest.mark.parametrize("placement", ["process", "community", "one"])
def test_a_run_keeps_its_warp_during_a_flood_of_posts(placement: str, tmp_path: Path) -> None:
    result = flood(tmp_path, 4.0, placement)
    assert result["wrong"] == ""
    assert result["messages"] > 2048
    assert result["more_kib"] <= MEMORY


def test_a_hundred_clients_come_in_with_keys(tmp_path: Path) -> None:
    assert crowd(tmp_path, 100) == {"clients": 100, "wrong": ""}


def test_large_values_are_logged_whole_before_an_interrupt_ends_the_run(tmp_path: Path) -> None:
    launch = Launch(("missions/alpha", "--warp", "10"), tmp_path)
    launch.grow_to(1)
    value = "x" * 3_000_000
    address, token = address_of(launch), token_of(launch)
    with Client.connect(address, "large", token=token, timeout=60.0) as client:
        for _ in range(10):
            client.post("LARGE", value)
        client.control("status")  # what came before it was taken
    launch.process.send_signal(signal.SIGINT)
    assert launch.end() == 130
    assert launch.orphans() == []
    (log,) = logs_of(launch.log).values()
    sizes = [len(line) for line in log.lines if line.split(None, 2)[1] == b"LARGE"]
    assert len(sizes) == 10
    assert min(sizes) > len(value)


def _control(*request: str | float) -> Callable[[Client], None]:
    def ask(client: Client) -> None:
        for _ in range(20):
            client.request("control", request[0], request[1:])

    return ask


def _appcasts(client: Client) -> None:
    for _ in range(20):
        client.request("appcast", "pHelmIvP")
        client.request("appcast", "pMarinePIDV22")


def _posts(client: Client) -> None:
    for _ in range(500):
        client.post("NOTE", "note")
    client.flush()


ASKED: dict[str, Callable[[Client], None]] = {
    "clear": _control("clear"),
    "reset": _control("reset"),
    "resume": _control("resume"),
    "warp": _control("warp", 10.0),
    "status": _control("status"),
    "appcast": _appcasts,
    "register": lambda client: client.register("*"),
    "post": _posts,
}


def _warp_during(client: Client, ask: Callable[[Client], None]) -> float:
    """Return the warp that a run at 10 achieves while a client asks without end."""
    client.control("warp", 10.0)
    began, before = wall(), client.control("status")["time"]
    while wall() < began + 0.6:
        ask(client)
        with suppress(ControlError):
            client.fetch(0.0)
        client.control("status")  # what came before it was taken
    return float(client.control("status")["time"] - before) / (wall() - began)


@pytest.mark.parametrize(
    ("mission", "placement"),
    [
        ("missions/alpha", "one"),
        ("missions/alpha", "process"),
        ("missions/berta", "community"),  # each community has a window of its own
    ],
)
def test_whatever_is_asked_without_end_leaves_a_run_most_of_its_time(
    mission: str, placement: str, tmp_path: Path
) -> None:
    launch = Launch((mission, "--warp", "10", "--placement", placement, "--attach"), tmp_path)
    launch.grow_to(1)
    address, token = address_of(launch), token_of(launch)
    community = json.loads((launch.log / "run.json").read_text())["communities"][0]

    def connect() -> Client:
        return Client.connect(address, "asker", community=community, token=token, timeout=60.0)

    with connect() as client:
        left = {kind: _warp_during(client, ask) for kind, ask in ASKED.items()}
        left["hello"] = _warp_during(client, lambda _: connect().close())
    launch.process.send_signal(signal.SIGINT)
    assert launch.end() == 130
    assert min(left.values()) > 10.0 / 2, left
