"""Shares between two free runs: brokers, sockets, and one of them killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import zmq
from stage import eventually

from steerageway.bus.core.clock import FreeClock
from steerageway.bus.core.errors import WireError
from steerageway.bus.core.shares import Copy, Inlet
from steerageway.bus.free.links import Links
from steerageway.bus.transport.client import Client
from steerageway.bus.transport.keys import add_client

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
PORTS = count(10_000 + os.getpid() % 200 * 100)
LAUNCH = (sys.executable, str(ROOT / "launch.py"))
FILE = """
Community = {name}
MOOSTimeWarp = 4
ProcessConfig = ANTLER
{{
  MSBetweenLaunches = 10
  Run = pShare
  Run = pEchoVar
}}
ProcessConfig = pEchoVar
{{
  Echo = SAID -> TOLD
}}
ProcessConfig = pShare
{{
  AppTick = 4
  {lines}
}}
"""


def free_port() -> int:
    """Return an unused port, below those that the kernel gives to connecting clients."""
    port = next(PORTS)
    while is_open(port):
        port = next(PORTS)
    return port


def is_open(port: int) -> bool:
    """Whether a port has a listener."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Launched:
    """A mission in free run, as a separate process."""

    def __init__(self, folder: Path, name: str, lines: str, *more: str) -> None:
        self.name = name
        self.client: Client | None = None
        self.folder = folder
        self.port = free_port()
        file = folder / f"{name}.moos"
        file.write_text(FILE.format(name=name, lines=lines))
        command = [*LAUNCH, str(file), *more, "--port", str(self.port), "--no-log"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
        )

    def visit(self) -> Client:
        """Come in as an observer, once it is there."""
        address = f"127.0.0.1:{self.port}"
        self.client = Client.connect(address, "test", community=self.name, timeout=60.0)
        return self.client

    def kill(self) -> None:
        """Kill all its processes at once."""
        if self.client is not None:
            self.client.discard()
            self.client.close()
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


@pytest.fixture
def launched(tmp_path: Path) -> Iterator[list[Launched]]:
    """Return a list; the missions put into it are killed in the end."""
    missions: list[Launched] = []
    yield missions
    for mission in missions:
        mission.kill()


def gets_through(sender: Client, receiver: Client, value: float) -> bool:
    """Whether something that is posted again and again gets over."""

    def arrives() -> bool:
        sender.post("SAID", value)
        sender.flush()
        return any(m.value == value and m.name == "HEARD" for m in receiver.fetch(0.1))

    receiver.register("HEARD")
    return eventually(arrives, 60.0)


def test_shares_come_back_after_one_side_or_the_other_was_killed(
    tmp_path: Path, launched: list[Launched]
) -> None:
    port = free_port()
    out, into = f"Output = SAID -> HEARD:localhost:{port}", f"Input = route = localhost:{port}"

    def start(name: str, lines: str) -> tuple[Launched, Client]:
        launched.append(Launched(tmp_path, name, lines, "--free-run"))
        return launched[-1], launched[-1].visit()

    sender, from_sender = start("abe", out)
    receiver, at_receiver = start("shore", into)
    assert gets_through(from_sender, at_receiver, 1.0)
    receiver.kill()
    receiver, at_receiver = start("shore", into)
    assert gets_through(from_sender, at_receiver, 2.0)
    sender.kill()
    sender, from_sender = start("abe", out)
    assert gets_through(from_sender, at_receiver, 3.0)
    message = at_receiver.wait_for("HEARD", lambda value: True, timeout=60.0)
    assert (message.source, message.community) == ("test", "abe")
    here = at_receiver.control("status")["time"]
    assert abs(message.time - here) < 60.0


def test_a_lockstep_run_does_not_share_with_a_free_one(
    tmp_path: Path, launched: list[Launched]
) -> None:
    port = free_port()
    launched.append(Launched(tmp_path, "shore", f"Input = localhost:{port}", "--free-run"))
    launched[-1].visit().close()
    assert eventually(lambda: is_open(port), 60.0)
    abe = Launched(tmp_path, "abe", f"Output = SAID -> localhost:{port}", "--for", "1")
    launched.append(abe)
    _, output = abe.process.communicate(timeout=60)
    assert abe.process.returncode == 2
    assert f"localhost:{port}" in output
    assert "--free-run" in output


def test_what_is_no_share_costs_no_other_message_and_a_flood_ends() -> None:
    port, clock = free_port(), FreeClock(1.0)
    there, here = Links([Inlet(f"localhost:{port}")], clock, None), Links([], clock, None)
    copy = Copy("", "X", 1.0, 0.0, "pTest", "", "beta")
    stranger = zmq.Context.instance().socket(zmq.DEALER)
    stranger.setsockopt(zmq.LINGER, 0)
    stranger.connect(f"tcp://127.0.0.1:{port}")
    refused: list[WireError] = []
    taken: list[Any] = []
    over = threading.Event()

    def flood() -> None:
        while not over.is_set():
            with suppress(zmq.Again):
                stranger.send(b"no share" * 1000, zmq.NOBLOCK)

    flooding = threading.Thread(target=flood)
    flooding.start()
    try:
        for _ in range(5):
            assert eventually(lambda: not here.send(f"localhost:{port}", [copy]), 60.0)

        def came() -> bool:
            taken.extend(there.receive(refused.append))
            return len(taken) == 5 and bool(refused)

        assert eventually(came, 60.0)
    finally:
        over.set()
        flooding.join()
        stranger.close()
        there.close()
        here.close()


def test_a_port_beyond_this_machine_needs_keys(tmp_path: Path, launched: list[Launched]) -> None:
    lines = f"Input = 0.0.0.0:{free_port()}"
    summary = tmp_path / "summary.json"
    shore = Launched(tmp_path, "shore", lines, "--free-run", "--for", "5", "--json", str(summary))
    launched.append(shore)
    shore.process.communicate(timeout=60)
    assert shore.process.returncode == 1
    assert "keys" in json.dumps(json.loads(summary.read_text()))


def test_communities_of_one_free_run_share_through_its_broker(
    tmp_path: Path, launched: list[Launched]
) -> None:
    (tmp_path / "ben.moos").write_text(FILE.format(name="ben", lines="Input = multicast_8"))
    more = (str(tmp_path / "ben.moos"), "--free-run", "--set", "@2:abe:SAID=3", "--for", "60")
    until = ("--until", "ben:HEARD = 3")
    abe = Launched(tmp_path, "abe", "Output = SAID -> HEARD:multicast_8", *more, *until)
    launched.append(abe)
    abe.process.communicate(timeout=60)
    assert abe.process.returncode == 0


def address_of_this_machine() -> str:
    """Return an address that is not loopback; "" on a machine without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
        except OSError:
            return ""
        host: str = probe.getsockname()[0]
        return "" if host.startswith("127.") else host


@pytest.mark.skipif(not address_of_this_machine(), reason="has loopback only")
def test_beyond_this_machine_those_with_a_key_that_is_allowed_get_through(tmp_path: Path) -> None:
    host, port, clock = address_of_this_machine(), free_port(), FreeClock(1.0)
    carried = add_client(tmp_path / "shore", "abe").read_bytes()
    add_client(tmp_path / "other", "abe")
    for name, key in (("abe", carried), ("eve", (tmp_path / "other/clients/abe.key").read_bytes())):
        (tmp_path / name / "peers").mkdir(parents=True)
        (tmp_path / name / "peers" / f"{host}.key").write_bytes(key)
    shore = Links([Inlet(f"0.0.0.0:{port}")], clock, tmp_path / "shore")
    senders = {name: Links((), clock, tmp_path / name) for name in ("abe", "eve", "bob")}
    received: list[str] = []

    def arrives() -> bool:
        for name, links in senders.items():
            links.send(f"{host}:{port}", [Copy("", "X", 1.0, 0.0, "pTest", "", name)])
        received.extend(row[-1] for row in shore.receive(pytest.fail))
        return received.count("abe") > 20

    try:
        assert eventually(arrives, 60.0)
        assert set(received) == {"abe"}
        result = senders["bob"].send(f"{host}:{port}", [Copy("", "X", 1.0, 0.0, "p", "", "bob")])
        assert f"{host}.key" in result
    finally:
        for links in (shore, *senders.values()):
            links.close()
