"""``pRos2`` with programs that speak DDS and Zenoh as ROS 2 does, alone and in whole runs."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import pi
from pathlib import Path
from random import Random
from threading import Timer
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from steerageway.bridges.ros.dds import struct_of
from steerageway.bridges.ros.messages import message
from steerageway.bridges.ros.ros2 import Ros2
from steerageway.bridges.ros.transport import encoded
from steerageway.bus import CannotGoOn, ConfigError, sleep, wall
from tests.bridges.conftest import Drive, Driven, Sail

PEER = Path(__file__).parent / "ros_peer.py"
HERE = {"NAV_X": 1.0, "NAV_Y": 2.0, "NAV_HEADING": 0.0, "NAV_SPEED": 1.5, "NAV_DEPTH": 3.0}
TIME = {"sec": 7, "nanosec": 8}
HEAD = {"stamp": TIME, "frame_id": "otter"}


class Peer:
    """A program in a process of its own: what it says as rows, and its input."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.rows: list[list[Any]] = []

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def stand_still(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def hear(self) -> list[Any]:
        assert self._process.stdout is not None
        self.rows.append(json.loads(self._process.stdout.readline()))
        return self.rows[-1]


@contextmanager
def peer_in(domain: int) -> Iterator[Peer]:
    """Start the program in a domain; end it."""
    command = (sys.executable, str(PEER), str(domain))
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        limit = Timer(60.0, process.kill)
        limit.start()
        try:
            yield Peer(process)
        finally:
            limit.cancel()
            process.kill()


def listed(content: Any) -> Any:
    """Return a message with lists for arrays, as Cyclone takes them."""
    if isinstance(content, np.ndarray):
        return content.tolist()
    if isinstance(content, list):
        return [listed(one) for one in content]
    if hasattr(content, "__msgtype__"):
        return SimpleNamespace(**{name: listed(one) for name, one in vars(content).items()})
    return content


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("nav_msgs/msg/Odometry", {"header": HEAD, "child_frame_id": "o", "pose": {}}),
        ("sensor_msgs/msg/Imu", {"header": HEAD, "orientation": {"w": 1.0}}),
        ("sensor_msgs/msg/JointState", {"name": ["a", "bc"], "position": [1.0, 2.0]}),
        ("sensor_msgs/msg/PointCloud2", {"fields": [{"name": "x"}], "data": np.arange(5)}),
        ("tf2_msgs/msg/TFMessage", {"transforms": [{"header": HEAD, "child_frame_id": "c"}]}),
        ("visualization_msgs/msg/Marker", {"header": HEAD, "points": [{"x": 1.0}], "text": "é"}),
        ("vision_msgs/msg/Detection3DArray", {"detections": [{"id": "ben", "header": HEAD}]}),
        ("rcl_interfaces/msg/Parameter", {"name": "warp", "value": {"type": 3}}),
        ("rmw_dds_common/msg/Gid", {"data": list(range(16))}),
    ],
)
def test_the_bytes_are_those_that_cyclone_makes_of_its_own_types(
    kind: str, members: dict[str, Any]
) -> None:
    content = message(kind, members)
    assert encoded(kind, content) == struct_of(kind).__idl__.serialize(listed(content))


def tick_until(driven: Driven, done: Callable[[], object], timeout: float = 10.0) -> None:
    """Let an app iterate until something holds."""
    deadline, count = wall() + timeout, 0
    while not done():
        assert wall() < deadline
        driven.tick(0.25 * count, HERE)
        count += 1
        sleep(0.02)


@pytest.mark.process
def test_another_node_hears_the_vessel_and_its_commands_become_variables(drive: Drive) -> None:
    block = (
        "domain = 61\nservices = true\nmapping = cmd_vel\ntopic = /thrust : DESIRED_THRUST * 0.5"
    )
    driven = drive(Ros2, block + "\npublish = MODE : /mode")
    entered: list[tuple[str, Any]] = []
    driven.app._intake.post = lambda name, value: entered.append((name, value))  # type: ignore[attr-defined]
    with peer_in(61) as peer:
        driven.tick(0.0, {"MODE": "DRIVE"})
        names: dict[str, Sequence[str]] = {}
        while not {"odometry", "clock", "graph"} <= names.keys():
            driven.tick(100.25, HERE)
            row = peer.hear()
            names[row[0]] = row
        for line in ("thrust nan", "cmd_vel 1.5 0.1", "thrust 40"):
            peer.say(line)
        tick_until(driven, lambda: len(entered) >= 3 and driven.app.run_warnings)
        driven.app._intake.control = lambda verb: f"no {verb}"  # type: ignore[attr-defined]
        peer.say("pause 5")
        while peer.hear()[0] != "answer":
            pass
        # rmw_cyclonedds knows its request by the client and the number that stand before.
        expected = {"client": 77, "number": 5, "success": False, "message": "no pause"}
        assert peer.rows[-1][1] == expected
        peer.stand_still()  # it reads nothing any more, and keeps nobody waiting
        began = wall()
        for count in range(500):
            driven.tick(1000.0 + count, HERE)
        assert wall() - began < 20.0
    writers = {row[1]: row[2:] for row in peer.rows if row[0] == "writer"}
    assert writers["rt/mode"] == [
        "std_msgs::msg::dds_::String_",
        # As the documentation of rmw_zenoh has it.
        "typehash=RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18;",
    ]
    odometry: Any = names["odometry"][1]
    assert odometry["header"] == {
        "stamp": {"sec": 1_767_225_700, "nanosec": 250_000_000},
        "frame_id": "map",
    }
    assert odometry["pose"]["pose"]["position"] == {"x": 1.0, "y": 2.0, "z": -3.0}
    turn = odometry["pose"]["pose"]["orientation"]  # north is a quarter turn left of east
    assert (turn["z"], turn["w"]) == pytest.approx((0.5**0.5, 0.5**0.5))
    assert odometry["twist"]["twist"]["linear"]["x"] == 1.5
    graph: Any = names["graph"][1]
    assert graph["node_entities_info_seq"][0]["node_name"] == "pBridge"
    # 0.1 rad/s to port; ROS turns anticlockwise, DESIRED_YAW_RATE clockwise.
    assert dict(entered) == {
        "DESIRED_SPEED": 1.5,
        "DESIRED_YAW_RATE": pytest.approx(-18.0 / pi),
        "DESIRED_THRUST": 20.0,
    }
    (warning,) = driven.app.run_warnings
    assert warning == "received: /thrust: a number that is not finite"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("topic = /thrust", "expected TOPIC [TYPE [MEMBER]] : VARIABLE [* FACTOR]"),
        ("topic = thr ust/ : X", "expected a type of messages"),
        ("topic = /a//b : X", "/a//b: expected a topic, as /wamv/odom"),
        ("topic = /a geometry_msgs/Twit : X", "the nearest is geometry_msgs/msg/Twist"),
        ("topic = /a geometry_msgs/Twist : X", "expected a MEMBER behind geometry_msgs/Twist"),
        ("topic = /a geometry_msgs/Twist linear.w : X", "whose members are linear, angular"),
        ("topic = /a : X * fast", "expected a number behind *"),
        ("publish = pose : /odom nav_msgs/Odometry", "expected no type: pose in lower case"),
        ("publish = NAV_X", "expected MESSAGE : TOPIC or VARIABLE : TOPIC"),
        ("mapping = vrxx", "the nearest is vrx"),
        ("mapping = cmd_vel\ntopic = cmd_vel : X", "expected geometry_msgs/msg/Twist, as in"),
        ("domain = 300", "expected a whole number from 0 to 232"),
    ],
)
def test_a_wrong_line_is_an_error_with_its_place_that_says_what_is_expected(
    drive: Drive, line: str, expected: str
) -> None:
    with pytest.raises(ConfigError) as error:
        drive(Ros2, line)
    assert expected in str(error.value)
    assert "test.moos:" in str(error.value)


def test_a_topic_keeps_its_first_type_and_has_a_name_of_ros(drive: Drive) -> None:
    block = "domain = 65\nnamespace = my boat-1\npublish = X : one\npublish = MODE : one"
    driven = drive(Ros2, block)
    driven.tick(0.0, {"X": 1.0, "MODE": "DRIVE"})
    topic, kinds = "/my_boat_1/one", ("std_msgs/msg/String", "std_msgs/msg/Float64")
    warning = f"{topic}: a {kinds[0]} was not sent: the topic has {kinds[1]}"
    assert driven.app.run_warnings == {warning: 1}
    assert f"         1 {topic}" in list(driven.app.report())


def test_an_interface_that_is_not_there_ends_the_run_with_its_name(drive: Drive) -> None:
    with pytest.raises(CannotGoOn, match="interface nosuch0"):
        drive(Ros2, "domain = 64\ninterface = nosuch0")


OTTER = """
Community = otter
LatOrigin = 59.9075
LongOrigin = 10.7200

ProcessConfig = ANTLER
{
  MSBetweenLaunches = 100
  Run = MOOSDB
  Run = pLogger
  Run = uSimMarineV22
  Run = pVelocityPID
  Run = pThrustAllocation
  Run = BRIDGE
}
ProcessConfig = pLogger
{
  WildCardLogging = true
}
ProcessConfig = uSimMarineV22
{
  AppTick = 10
  prefix    = NAV
  model     = fossen
  vessel    = inputs/otter
  start_pos = x=0, y=0, heading=0, speed=0
}
ProcessConfig = pVelocityPID
{
  AppTick = 10
  surge_kp = 200
  surge_ki = 20
  yaw_kp   = 300
  yaw_ki   = 100
}
ProcessConfig = pThrustAllocation
{
  AppTick = 10
  vessel = inputs/otter
}
ProcessConfig = BRIDGE
{
"""
PACED = ("--warp", "8", "--for", "45")
QUICK = ("--warp", "max", "--for", "45")


def helmsman(domain: int, line: str) -> Callable[[], None]:
    """Return a peer that says a line at each tick that it hears, until 35 s of the mission.

    It comes after the bridge: a node that is there first is heard only when it tells again that it
    is, up to half a minute later.
    """
    command = (sys.executable, str(PEER), str(domain), line)

    def speak() -> None:
        sleep(1.0)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, timeout=60)

    return speak


@pytest.mark.process
def test_a_node_steers_an_otter_and_the_run_repeats_without_it(sail: Sail) -> None:
    block = "AppTick = 10\ndomain = 62\nmapping = own, cmd_vel"
    peer = helmsman(62, "cmd_vel 1.0 -0.05")
    start = ("--set", "MOOS_MANUAL_OVERRIDE=false")
    first = sail("pRos2", block, *PACED, *start, peer=peer, text=OTTER)
    entries = first.entries()
    orders = [entry for entry in entries if entry.name == "DESIRED_YAW_RATE"]
    assert {entry.source for entry in orders} == {"pRos2"}
    end = orders[-1].time  # the controller has long settled
    headings = [e for e in entries if e.name == "NAV_HEADING" and end - 10.0 < e.time < end]
    before, after = headings[0], headings[-1]
    rate = (float(after.value) - float(before.value)) % 360.0 / (after.time - before.time)
    assert rate == pytest.approx(9.0 / pi, rel=0.1)  # 0.05 rad/s to starboard
    inputs = str(first.folder / "inputs.jsonl")
    again = sail("pRos2", block, *QUICK, *start, "--inputs", inputs, text=OTTER)
    assert again.digest == first.digest


def attacker(domain: int) -> None:
    """Say what is no number, then send packets that are none of RTPS to the ports of a domain."""
    helmsman(domain, "thrust nan")()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in range(1000):
            data = b"RTPS\x02\x01" + Random(number).randbytes(number % 150)
            for port in (0, 1, 10, 11):  # RTPS 2.5, 9.6.2.3: of discovery and of data
                sender.sendto(data, ("127.0.0.1", 7400 + 250 * domain + port))


@pytest.mark.process
def test_a_node_that_only_listens_or_sends_garbage_changes_no_log(
    sail: Sail, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = "mapping = own, cmd_vel\ntopic = /thrust : DESIRED_THRUST"
    block = "AppTick = 10\ndomain = {}\n" + lines
    alone = sail("pRos2", block.format(63), *QUICK)
    listening = sail("pRos2", block.format(66), *PACED, peer=helmsman(66, ""))
    attacked = sail("pRos2", block.format(67), *PACED, peer=partial(attacker, 67))
    assert alone.digest == listening.digest == attacked.digest
    assert (alone.warnings("pRos2"), listening.warnings("pRos2")) == ([], [])
    assert attacked.warnings("pRos2") == ["received: /thrust: a number that is not finite"]
    assert "malformed" not in capfd.readouterr().err  # of Cyclone, a line for each packet
