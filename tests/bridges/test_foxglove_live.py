"""``--foxglove`` with a client written from the protocol's description.

github.com/foxglove/ws-protocol, docs/spec.md, with the subprotocol of Foxglove's present SDK.
"""

from __future__ import annotations

import json
import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from foxglove import Parameter
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from steerageway.bridges.foxglove_live import Orders, value_in
from steerageway.bus import BackPressure, sleep, wall
from steerageway.launcher.command import main as launch
from tests.bridges.conftest import MISSION, free_port

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.process


@dataclass
class Peer:
    """A client of the protocol.

    Attributes:
        texts: JSON frames by their op, the last of each.
        topics: topic -> channel.
        data: (subscription, UTC [ns], message) of every data frame.
        answers: of services, by call.
        assets: files that were asked for, by request; None: there is no such file.
        states: of a playback: status, UTC [ns], speed, whether it was sought, request.
    """

    socket: ClientConnection
    texts: dict[str, Any]
    topics: dict[str, dict[str, Any]]
    data: list[tuple[int, int, Any]]
    answers: dict[int, Any]
    states: list[tuple[int, int, float, bool, bytes]]
    assets: dict[int, bytes | None] = field(default_factory=dict)

    def say(self, **frame: Any) -> None:
        self.socket.send(json.dumps(frame))

    def until(self, done: Callable[[], object], timeout: float = 20.0) -> None:
        """Read frames until something holds."""
        deadline = wall() + timeout
        while not done():
            assert wall() < deadline, (self.texts.keys(), sorted(self.topics))
            try:
                self._take(self.socket.recv(timeout=0.5))
            except TimeoutError:
                continue

    def subscribe(self, *topics: str) -> None:
        """Subscribe to topics, by their places, and wait until each is subscribed to.

        The SDK advertises a channel before it knows it itself, and refuses who subscribes in
        between; that a subscription holds is told to who subscribes once more.
        """
        self.until(lambda: set(topics) <= set(self.topics))
        for number, topic in enumerate(topics):
            channel = self.topics[topic]["id"]
            held = f"already subscribed to channel: {channel};"
            while held not in self.texts.get("status", {}).get("message", ""):
                self.say(op="subscribe", subscriptions=[{"id": number, "channelId": channel}])
                self._take(self.socket.recv(timeout=20.0))

    def _take(self, frame: str | bytes) -> None:
        if isinstance(frame, str):
            one = json.loads(frame)
            self.texts[one["op"]] = one
            if one["op"] == "advertise":
                self.topics |= {channel["topic"]: channel for channel in one["channels"]}
        elif frame[0] == 1:
            number, at = struct.unpack_from("<IQ", frame, 1)
            self.data.append((number, at, json.loads(frame[13:])))
        elif frame[0] == 3:
            _, call, length = struct.unpack_from("<III", frame, 1)
            self.answers[call] = json.loads(frame[13 + length :])
        elif frame[0] == 4:
            request, failed, length = struct.unpack_from("<IBI", frame, 1)
            self.assets[request] = None if failed else frame[10 + length :]
        elif frame[0] == 5:
            *state, length = struct.unpack_from("<BQf?I", frame, 1)
            self.states.append((*state, frame[19 : 19 + length]))

    def call(self, service: str, number: int) -> Any:
        """Call a service; return its answer."""
        known = {one["name"]: one["id"] for one in self.texts["advertiseServices"]["services"]}
        head = struct.pack("<BIII", 2, known[service], number, 4)
        self.socket.send(head + b"json" + b"{}")
        self.until(lambda: number in self.answers)
        return self.answers[number]


@contextmanager
def peer_at(port: int) -> Iterator[Peer]:
    """Connect to a server once it is there."""
    deadline = wall() + 120.0
    while True:
        try:
            link = connect(f"ws://127.0.0.1:{port}", subprotocols=["foxglove.sdk.v1"])  # type: ignore[list-item]
            break
        except OSError:
            assert wall() < deadline
            sleep(0.05)
    with link:
        peer = Peer(link, {}, {}, [], {}, [])
        peer.until(lambda: "serverInfo" in peer.texts)
        yield peer


@contextmanager
def running(tmp_path: Path, port: int, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Launch a vessel with a hull's mesh and a button; let it end by itself.

    It moves by a simple model, which takes the mesh for no more than a picture: nothing compiles.
    """
    mission = tmp_path / "otter.moos"
    block = (
        "platform_type = kayak\n}\nProcessConfig = pMarineViewer\n{\nbutton_one = GO ON # GO=1\n}\n"
    )
    text = MISSION.replace("prefix = NAV", "prefix = NAV\nvessel = inputs/wamv")
    mission.write_text(text.replace("BRIDGE", "pNodeReporter") + block)
    command = [sys.executable, "launch.py", str(mission), "--port", "auto", *arguments]
    command += ["--foxglove", str(port)]
    said = (tmp_path / "said").open("w")
    with (
        said,
        subprocess.Popen(command, cwd=ROOT, stderr=said, stdout=subprocess.PIPE, text=True) as run,
    ):
        try:
            yield run
        finally:
            if run.poll() is None:
                run.kill()


def check_hull(peer: Peer) -> None:
    """A hull is in its vessel's frame, and its file has the shape of the vessel's mesh, in FLU."""
    (hull,) = next(one for number, _, one in peer.data if number == 2)["entities"]
    (model,) = hull["models"]
    assert (hull["frame_id"], model["media_type"]) == ("otter", "model/stl")
    for request, uri in enumerate((model["url"], "package://../../etc/passwd/hull.stl")):
        peer.say(op="fetchAsset", uri=uri, requestId=request)
    peer.until(lambda: len(peer.assets) == 2)
    data = peer.assets[0] or b""
    assert peer.assets[1] is None
    own = (ROOT / "inputs" / "wamv" / "hull.stl").read_bytes()
    count = struct.unpack_from("<I", own, 80)
    assert (data[80:84], len(data)) == (own[80:84], 84 + 50 * count[0])
    facets = np.frombuffer(
        data[84:], np.dtype([("n", "<f4", 3), ("at", "<f4", (3, 3)), ("a", "<u2")])
    )
    corners = facets["at"].astype(float)
    assert np.ptp(corners, axis=(0, 1))[0] == pytest.approx(4.9, abs=0.1)  # WAM-V 16: 4.9 m
    volume = np.sum(np.cross(corners[:, 0], corners[:, 1]) * corners[:, 2]) / 6.0
    assert volume > 0.0  # outwards: turned, and not mirrored


def test_foxglove_sees_posts_and_poses_at_their_times(tmp_path: Path) -> None:
    port, log = free_port(socket.SOCK_STREAM), tmp_path / "log"
    options = ("--warp", "3", "--for", "90", "--log", str(log))
    with running(tmp_path, port, *options) as run:
        with peer_at(port) as peer:
            assert sorted(peer.texts["serverInfo"]["capabilities"]) == ["assets", "time"]
            wanted = ("/otter/NAV_SPEED", "/otter/pose", "/otter/hull")
            peer.subscribe(*wanted)
            assert peer.topics["/otter/pose"]["schemaName"] == "foxglove.PoseInFrame"
            peer.until(lambda: {number for number, *_ in peer.data} == {0, 1, 2})
            peer.until(lambda: len(peer.data) > 20)
            check_hull(peer)
        output, _ = run.communicate(timeout=120)
    assert run.returncode == 0, (tmp_path / "said").read_text()
    for number, at, message in peer.data:
        if number == 0:
            assert at == pytest.approx((1_767_225_600 + message["time"]) * 1e9, abs=1e3)
            assert message["source"] == "uSimMarineV22"
        elif number == 1:
            stamp = message["timestamp"]
            assert at == stamp["sec"] * 10**9 + stamp["nsec"]
    # A run that nobody has watched has the same log.
    command = [sys.executable, "launch.py", str(tmp_path / "otter.moos"), "--for", "90"]
    options = ("--warp", "max", "--placement", "one", "--log", str(tmp_path / "again"))
    again = subprocess.run(
        (*command, *options), cwd=ROOT, capture_output=True, text=True, check=False
    )
    digest = re.compile(r"log sha256 (\w+)")
    assert digest.findall(output) == digest.findall(again.stdout) != []


def test_with_open_foxglove_posts_pauses_and_sets_the_warp(tmp_path: Path) -> None:
    port, log = free_port(socket.SOCK_STREAM), tmp_path / "log"
    options = ("--warp", "5", "--for", "30", "--open", "--log", str(log))
    with running(tmp_path, port, *options) as run:
        with peer_at(port) as peer:
            peer.until(lambda: "advertiseServices" in peer.texts)
            channel = {"id": 7, "topic": "/otter/DEPLOY", "encoding": "json", "schemaName": "any"}
            peer.say(op="advertise", channels=[channel])
            for data in (b'{"value": "true"}', b"{", b"[]", b'{"value": NaN}', b"\xff"):
                peer.socket.send(struct.pack("<BI", 1, 7) + data)
            assert peer.call("/pause", 1)["success"]
            assert "paused" in peer.call("/pause", 2)["message"] or peer.answers[2]["success"]
            assert peer.call("/step", 3)["success"]
            assert peer.call("/resume", 4)["success"]
            assert peer.call("/otter/GO_ON", 5)["success"]
            fast = [{"name": "warp", "value": 50.0}]
            peer.say(op="setParameters", parameters=fast, id="fast")
            peer.until(lambda: "parameterValues" in peer.texts)
        run.communicate(timeout=120)
    assert run.returncode == 0, (tmp_path / "said").read_text()
    inputs = [json.loads(line) for line in (log / "inputs.jsonl").read_text().splitlines()]
    assert [(one["name"], one["value"], one["source"]) for one in inputs] == [
        ("DEPLOY", "true", "foxglove"),
        ("GO", 1.0, "foxglove"),
    ]


class _OfPeer(NamedTuple):
    """A client, or one of its channels, as Foxglove's library tells of it."""

    id: int
    topic: str = ""


def test_what_one_client_advertises_and_posts_leaves_room_for_others() -> None:
    posted: list[object] = []

    class Run:
        def post(self, name: str, value: object) -> None:
            if len(posted) == 3:
                raise BackPressure((), 3.0)
            posted.append((name, value))

        def discard(self) -> int:
            return 1

    orders: Any = Orders({"otter": Run()}, {})  # type: ignore[dict-item]
    hostile, honest = _OfPeer(1), _OfPeer(2)
    for number in range(10_000):
        orders.on_client_advertise(hostile, _OfPeer(number, f"/otter/V{number}"))
    orders.on_client_advertise(honest, _OfPeer(0, "/otter/GO"))
    for _ in range(5):
        orders.on_message_data(honest, 0, b'{"value": 1}')
    began = wall()
    orders.on_set_parameters(honest, [Parameter("warp", value=5.0)] * 1000)
    assert wall() < began + 1.0  # it waits for no answer of the run
    for _ in range(5):
        orders.waiting.get_nowait()()
    assert posted == [("GO", 1.0)] * 3
    assert orders.rejected == 2
    assert orders.waiting.qsize() == 1
    for number in range(10_000):
        orders.on_client_unadvertise(hostile, number)
    orders.on_client_advertise(hostile, _OfPeer(7, "/otter/STOP"))
    orders.on_message_data(hostile, 7, b'{"value": 1}')
    assert orders.waiting.qsize() == 2


def test_garbage_and_dead_peers_do_not_disturb_a_run(tmp_path: Path) -> None:
    port, random = free_port(socket.SOCK_STREAM), Random(2)
    options = ("--warp", "20", "--for", "300", "--open", "--log", str(tmp_path / "log"))
    with running(tmp_path, port, *options) as run:
        with peer_at(port) as peer:
            peer.until(lambda: "advertiseServices" in peer.texts)
        for _ in range(5):
            try:
                with peer_at(port) as peer:
                    for _ in range(200):
                        data = random.randbytes(random.randrange(64))
                        peer.socket.send(data if random.random() < 0.5 else data.decode("latin-1"))
                    peer.socket.socket.shutdown(socket.SHUT_RDWR)  # without goodbye
            except (ConnectionClosed, OSError):
                continue
        with socket.create_connection(("127.0.0.1", port)) as half:
            half.sendall(b"GET / HTTP/1.1\r\nUpgrade: webso")
        assert run.poll() is None
        with peer_at(port) as peer:  # it still serves
            assert peer.texts["serverInfo"]["name"] == "Steerageway"
        run.communicate(timeout=120)
    assert run.returncode == 0, (tmp_path / "said").read_text()
    assert not (tmp_path / "log" / "inputs.jsonl").exists()
    assert len((tmp_path / "said").read_text()) < 2000  # nobody can flood the terminal


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'{"value": 1}', 1.0),
        (b'{"data": "x"}', "x"),
        (b'{"value": true}', "true"),
        (b'{"value": 1e999}', None),
        (b'{"value": [1]}', None),
        (b"[" * 100_000, None),
        (b"1", None),
        (b'{"value": "' + b"x" * 70_000 + b'"}', None),
    ],
)
def test_only_numbers_and_texts_are_posted(data: bytes, value: object) -> None:
    assert value_in(data) == value


def test_it_waits_for_a_run_as_long_as_the_process_that_launches_it_is_there() -> None:
    """A fresh machine compiles first, which takes longer than a launch otherwise would."""
    with subprocess.Popen(["sleep", "2"]) as launcher:
        command = [sys.executable, "-m", "steerageway.bridges.foxglove_live", "--of"]
        with subprocess.Popen(
            [*command, str(launcher.pid)], cwd=ROOT, stderr=subprocess.PIPE, text=True
        ) as shown:
            launcher.wait()
            assert shown.poll() is None
            _, said = shown.communicate(timeout=15)  # less than any time limit of its own
    assert (shown.returncode, said) == (1, "--foxglove: the run has not begun\n")


PLAYING, PAUSED, ENDED = 0, 1, 3


def test_a_log_is_played_paused_and_sought_as_foxglove_requests(tmp_path: Path) -> None:
    """Requests and states as the SDK has them: an op, the command or status, time, speed."""
    short = ["--placement", "one", "--warp", "max", "--for", "30", "--port", "auto"]
    assert launch(["alpha", *short, "--log", str(tmp_path / "run")]) == 0
    (log,) = (tmp_path / "run").rglob("*.alog")
    lines = log.read_text().splitlines()
    rows = [line.split() for line in lines if " NAV_X " in line]
    (began,) = [float(line.split()[-1]) for line in lines if "LOGSTART" in line]
    start, port = 1_767_225_600, free_port()  # the usual epoch, 2026
    command = [sys.executable, "-m", "apps.alog", "foxglove", str(tmp_path / "run")]
    process = subprocess.Popen([*command, "--port", str(port)], cwd=ROOT, stderr=subprocess.DEVNULL)

    def ask(command: int, speed: float, seek: float | None, name: bytes) -> None:
        at = 0 if seek is None else round((start + seek) * 10**9)
        head = struct.pack("<BBf?QI", 3, command, speed, seek is not None, at, len(name))
        peer.socket.send(head + name)
        peer.until(lambda: name in [state[-1] for state in peer.states])

    try:
        with peer_at(port) as peer:
            ends = [
                peer.texts["serverInfo"][f"data{which}Time"]["sec"] for which in ("Start", "End")
            ]
            assert ends == [start, start + 30]
            peer.subscribe("/alpha/NAV_X")
            ask(1, 5.0, 20.0, b"pause at 20")
            assert peer.states[-1] == (PAUSED, (start + 20) * 10**9, 5.0, True, b"pause at 20")
            last = [float(row[3]) for row in rows if began + float(row[0]) <= start + 20.0][-1]
            peer.until(lambda: peer.data and peer.data[-1][2]["value"] == last)
            ask(0, 50.0, 10.0, b"play from 10")
            assert peer.states[-1][0] == PLAYING
            peer.until(lambda: peer.states[-1][0] == ENDED)
            assert peer.states[-1][1] == (start + 30) * 10**9
            peer.until(lambda: peer.data[-1][2]["value"] == float(rows[-1][3]))  # states go first
            played = [one[2]["value"] for one in peer.data][-len(rows) // 3 :]
            assert played == [float(row[3]) for row in rows][-len(played) :]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
