"""``pRosBridge`` with roslibpy, and with clients written from the protocol's description."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import cbor2
import pytest
from rosbags.typesys import Stores, get_typestore
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from steerageway.bridges.ros.ros_bridge import RosBridge
from steerageway.bridges.ros.websocket import MOST_STRANGERS
from steerageway.bus import CannotGoOn, sleep, wall
from tests.bridges.conftest import Drive, Driven, Sail, free_port

PEER = Path(__file__).parent / "roslib_peer.py"
HERE = {"NAV_X": 1.0, "NAV_Y": 2.0, "NAV_HEADING": 0.0, "NAV_SPEED": 1.5}
STORE = get_typestore(Stores.ROS2_JAZZY)
GARBAGE = 3000


def tick_until(driven: Driven, done: Callable[[], object]) -> None:
    """Let an app iterate until something holds."""
    deadline, time = wall() + 15.0, 1.0
    while not done():
        assert wall() < deadline
        driven.tick(time, HERE)
        time += 0.25
        sleep(0.002)


def say(link: ClientConnection, **order: Any) -> None:
    """Send an order."""
    link.send(json.dumps(order))


@pytest.mark.process
def test_roslibpy_steers_pauses_and_sets_the_warp_of_a_run(sail: Sail) -> None:
    port = free_port(socket.SOCK_STREAM)
    block = f"AppTick = 10\nport = {port}\ntoken = sesame\nmapping = cmd_vel\nservices = true"
    block += "\nreset = x=50,y=60"
    said: list[str] = []

    def peer() -> None:
        deadline = wall() + 60.0
        while not said:
            assert wall() < deadline
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)):
                    sleep(0.1)
                    continue
            command = (sys.executable, str(PEER), f"ws://127.0.0.1:{port}/sesame")
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            said.append(result.stdout or result.stderr)

    ran = sail("pRosBridge", block, "--warp", "2", "--for", "60", peer=peer)
    rows = dict(map(json.loads, said[0].splitlines()))
    assert rows["pose"]["header"]["frame_id"] == "map"
    assert rows["pose"]["child_frame_id"] == "otter"
    assert {"/clock", "/tf", "/otter/pose", "/otter/fix"} <= set(rows["topics"])
    assert rows["pause"] == rows["resume"] == {"success": True, "message": ""}
    assert rows["set_warp"] == {"results": [{"successful": True, "reason": ""}]}
    orders = [e for e in ran.entries() if e.name == "DESIRED_SPEED"]
    assert [(float(e.value), e.source) for e in orders] == [(1.25, "pRosBridge")]
    resets = [e for e in ran.entries() if e.name in ("USM_RESET", "USM_RESET_COUNT")]
    assert [entry.value for entry in resets] == ["x=50,y=60", 1.0]
    inputs = str(ran.folder / "inputs.jsonl")
    again = sail("pRosBridge", block, "--warp", "max", "--for", "60", "--inputs", inputs)
    assert again.digest == ran.digest


def test_who_may_not_come_in_is_refused(drive: Drive) -> None:
    port = free_port(socket.SOCK_STREAM)
    driven = drive(RosBridge, f"port = {port}\ntoken = sesame\norigin = http://localhost:8000")
    right = f"ws://127.0.0.1:{port}/sesame"
    for address, headers, why in (
        (f"ws://127.0.0.1:{port}/", {}, b"the path is not the token"),
        (right, {"Origin": "http://evil.example"}, b"pages of this site may not connect"),
        (right, {"Host": "evil.example"}, b"not a name of this server"),
    ):
        with (
            pytest.raises(InvalidStatus) as refused,
            connect(address, additional_headers=headers),
        ):
            pass
        assert refused.value.response.status_code == 403
        assert why in (refused.value.response.body or b"")
    with connect(right, additional_headers={"Origin": "http://localhost:8000"}):
        pass
    driven.tick(1.0)
    assert any("a client was refused: the path" in text for text in driven.app.run_warnings)
    with pytest.raises(CannotGoOn, match="in use"):
        drive(RosBridge, f"port = {port}")


@pytest.mark.slow
def test_any_number_of_strangers_leaves_room_for_the_token(drive: Drive) -> None:
    port = free_port(socket.SOCK_STREAM)
    drive(RosBridge, f"port = {port}\ntoken = sesame")
    strangers = []
    for _ in range(6):  # time and again, before the ones before are closed for their silence
        strangers += [socket.create_connection(("127.0.0.1", port)) for _ in range(MOST_STRANGERS)]
        assert threading.active_count() < 3 * MOST_STRANGERS  # each that is kept has a thread
        with connect(f"ws://127.0.0.1:{port}/sesame", open_timeout=5.0):
            pass
    for stranger in strangers:
        stranger.close()


def test_cbor_has_typed_arrays_and_the_bytes_of_ros(drive: Drive) -> None:
    port = free_port(socket.SOCK_STREAM)
    block = f"port = {port}\ntoken = t\ntopic = /joy sensor_msgs/Joy axes.1 : DESIRED_THRUST * 100"
    driven = drive(RosBridge, block)
    entered: list[tuple[str, Any]] = []
    driven.app._intake.post = lambda name, value: entered.append((name, value))  # type: ignore[attr-defined]
    address = f"ws://127.0.0.1:{port}/t"
    with connect(address) as typed, connect(address) as raw:
        say(typed, op="subscribe", topic="/otter/pose", compression="cbor")
        say(raw, op="subscribe", topic="/otter/pose", compression="cbor-raw")
        for link in (typed, raw):  # orders are obeyed in turn
            say(link, op="call_service", service="/rosapi/topics")
            assert json.loads(link.recv(timeout=5))["result"] is True
        joy = {"axes": cbor2.CBORTag(85, b"\0\0\0\0\0\0\0\x3f"), "buttons": []}  # 0, 0.5
        typed.send(cbor2.dumps({"op": "publish", "topic": "/joy", "msg": joy}))
        driven.tick(0.5, HERE)
        tick_until(driven, lambda: entered)
        got = cbor2.loads(typed.recv(timeout=5))["msg"]
        covariance = got["pose"]["covariance"]
        assert (covariance.tag, covariance.value) == (86, bytes(8 * 36))
        assert got["pose"]["pose"]["position"] == {"x": 1.0, "y": 2.0, "z": 0.0}
        content: Any = STORE.deserialize_cdr(
            cbor2.loads(raw.recv(timeout=5))["msg"]["bytes"], "nav_msgs/msg/Odometry"
        )
        assert content.pose.pose.position.y == 2.0
    assert entered == [("DESIRED_THRUST", 50.0)]


@pytest.mark.slow
def test_garbage_is_told_and_who_does_not_read_is_disconnected(drive: Drive) -> None:
    port = free_port(socket.SOCK_STREAM)
    block = f"port = {port}\ntoken = t\ntopic = /a geometry_msgs/Twist linear.x : X"
    driven = drive(RosBridge, block)
    address = f"ws://127.0.0.1:{port}/t"
    random = Random(7)
    orders = (
        {"op": "publish", "topic": "/a", "msg": {"linear": {"x": "fast"}}},
        {"op": "publish", "topic": "/a", "msg": {"linear": [1, 2]}},
        {"op": "publish", "topic": "/a", "msg": {"wings": 2}},
        {"op": "publish", "topic": "/b", "msg": {}},
        {"op": "advertise", "topic": "/a", "type": "std_msgs/String"},
        {"op": "subscribe", "topic": "/otter/pose", "compression": "png"},
        {"op": ["publish"]},
        {},
    )
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    small.connect(("127.0.0.1", port))
    asleep = connect(address, sock=small, max_queue=1, close_timeout=0.1)
    with connect(address) as link, asleep as sleeper:
        for order in orders:
            link.send(json.dumps(order))
            assert json.loads(link.recv(timeout=5))["level"] == "error", order
        link.send("[" * 100_000)
        assert json.loads(link.recv(timeout=5))["level"] == "error"
        say(sleeper, op="subscribe", topic="/otter/pose")
        for _ in range(GARBAGE // 100):
            for _ in range(100):
                link.send(random.randbytes(random.randrange(1, 60)))
            told = [json.loads(link.recv(timeout=5))["level"] for _ in range(100)]
            assert told == ["error"] * 100
        text = "a client that did not read was disconnected"
        tick_until(driven, lambda: any(text in one for one in driven.app.run_warnings))
    with connect(address) as link:
        say(link, op="call_service", service="/rosapi/topics", id="1")
        assert "/otter/pose" in json.loads(link.recv(timeout=5))["values"]["topics"]
    with connect(address) as link:
        link.send(b"x" * (1 << 21))  # larger than any frame may be
        with pytest.raises(ConnectionClosed):
            link.recv(timeout=5)
