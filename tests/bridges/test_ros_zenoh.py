"""``pRos2`` over Zenoh, with a second session in the place of ``rmw_zenoh``'s router and nodes.

Keys, tokens and attachments are written here as docs/design.md of github.com/ros2/rmw_zenoh shows
them for its demo nodes.
"""

from __future__ import annotations

import json
import re
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
import zenoh
from rosbags.typesys import Stores, get_typestore
from zenoh.ext import HistoryConfig, Int64, declare_advanced_subscriber, z_deserialize, z_serialize

from steerageway.bridges.ros.ros2 import Ros2
from steerageway.bus import sleep, wall
from tests.bridges.conftest import Drive, Driven, free_port

STRING = "std_msgs::msg::dds_::String_"
STRING_HASH = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
STORE = get_typestore(Stores.ROS2_JAZZY)
FLOAT = STORE.types["std_msgs/msg/Float64"]
HERE = {"NAV_X": 1.0, "NAV_Y": 2.0, "NAV_HEADING": 0.0, "MODE": "DRIVE"}
GARBAGE = 10_000


@contextmanager
def router(port: int = 0) -> Iterator[tuple[zenoh.Session, str]]:
    """Open a session that listens; yield it with its address."""
    address = f"tcp/127.0.0.1:{port or free_port(socket.SOCK_STREAM)}"
    config = zenoh.Config()
    for key, value in {
        "mode": "router",
        "listen/endpoints": [address],
        "scouting/multicast/enabled": False,
    }.items():
        config.insert_json5(key, json.dumps(value))
    session = zenoh.open(config)
    try:
        yield session, address
    finally:
        session.close()


def tick_until(driven: Driven, done: Callable[[], object], start: float = 1.0) -> None:
    """Let an app iterate until something holds."""
    deadline, time = wall() + 15.0, start
    while not done():
        assert wall() < deadline
        driven.tick(time, HERE)
        time += 0.25
        sleep(0.02)


@pytest.mark.process
def test_a_second_session_finds_hears_and_steers_the_vessel(drive: Drive) -> None:
    heard: list[zenoh.Sample] = []
    told: list[str] = []
    latched: list[Any] = []
    with router() as (session, address):
        tokens = session.liveliness().declare_subscriber(
            "@ros2_lv/7/**", lambda sample: told.append(str(sample.key_expr)), history=True
        )
        listener = session.declare_subscriber(f"7/mode/{STRING}/{STRING_HASH}", heard.append)
        block = f"transport = zenoh\ndomain = 7\nrouter = {address}\nservices = true"
        driven = drive(Ros2, f"{block}\npublish = MODE : /mode\ntopic = thrust : DESIRED_THRUST")
        entered: list[tuple[str, Any]] = []
        driven.app._intake.post = lambda name, value: entered.append((name, value))  # type: ignore[attr-defined]
        driven.tick(0.0, {"SENSORS": "[]"})
        tick_until(driven, lambda: heard and any("/%mode/" in one for one in told))
        payload = bytes(heard[-1].payload)
        assert STORE.deserialize_cdr(payload, "std_msgs/msg/String").data == "DRIVE"  # type: ignore[attr-defined]
        number, _, gid = z_deserialize(tuple[Int64, Int64, bytes], heard[0].attachment)  # type: ignore[arg-type]
        assert (number >= 1, len(gid)) == (True, 16)
        own = f"@ros2_lv/7/[0-9a-f]+/0/[0-9]+/MP/%/%otter/pBridge/%mode/{STRING}/{STRING_HASH}"
        assert any(re.fullmatch(f"{own}/::,10:,:,:,,", one) for one in told), told
        assert any(one.endswith("/NN/%/%otter/pBridge") for one in told)
        hashes = STORE.hash_rihs01("std_msgs/msg/Float64")
        key = f"7/otter/thrust/std_msgs::msg::dds_::Float64_/{hashes}"
        random = Random(5)
        for _ in range(GARBAGE):
            session.put(key, random.randbytes(random.randrange(30)))
        session.put(key, bytes(STORE.serialize_cdr(FLOAT(data=40.0), "std_msgs/msg/Float64")))
        tick_until(driven, lambda: ("DESIRED_THRUST", 40.0) in entered, 300.0)
        driven.tick(599.0, HERE)  # what came since the last iteration is told in the next
        assert any("no std_msgs/msg/Float64" in text for text in driven.app.run_warnings)
        # What was said before is heard by those who come later.
        late = declare_advanced_subscriber(
            session, "7/tf_static/**", latched.append, history=HistoryConfig()
        )
        tick_until(driven, lambda: latched, 600.0)
        del tokens, listener, late


@pytest.mark.process
def test_a_service_is_asked_with_an_attachment_and_answers_with_it(drive: Drive) -> None:
    with router() as (session, address):
        block = f"transport = zenoh\ndomain = 8\nrouter = {address}\nservices = true"
        driven = drive(Ros2, block)
        asked: list[str] = []
        driven.app._intake.control = lambda verb, *_: asked.append(verb) or ""  # type: ignore[attr-defined]
        token = z_serialize((Int64(3), Int64(4), bytes(range(16))))
        replies: list[zenoh.Reply] = []
        deadline = wall() + 15.0
        while not replies:
            assert wall() < deadline
            replies += session.get(
                "8/otter/pause/std_srvs::srv::dds_::Trigger_/*",
                payload=b"\0\1\0\0\0",
                attachment=token,
                timeout=1.0,
            )
        assert asked == ["pause"]
        (answer,) = replies
        assert answer.ok is not None
        assert bytes(answer.ok.payload) == b"\0\1\0\0\1\0\0\0\1\0\0\0\0"  # success, ""
        assert bytes(answer.ok.attachment or b"") == bytes(token)
        driven.stop(1.0)


@pytest.mark.process
def test_a_router_is_found_that_comes_later_than_one_that_speaks_garbage(drive: Drive) -> None:
    heard: list[zenoh.Sample] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(15.0)
        port = server.getsockname()[1]
        block = f"transport = zenoh\ndomain = 6\nrouter = tcp/127.0.0.1:{port}\n"
        began = wall()
        driven = drive(Ros2, block + "publish = MODE : /mode")
        assert wall() - began < 5.0  # nobody has answered yet
        link, _ = server.accept()
        with link:  # a reset, so that the port is free at once
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.sendall(Random(3).randbytes(5000))
    with router(port) as (session, _):
        listener = session.declare_subscriber(f"6/mode/{STRING}/{STRING_HASH}", heard.append)
        tick_until(driven, lambda: heard)
        driven.stop(900.0)
        del listener
