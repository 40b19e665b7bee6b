"""Apps started by hand over TCP: they may take the slot reserved for them, and no other."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import zmq
from networks import app_plan

from steerageway.bus import App, RunPlan, Transport, wall
from steerageway.bus.processes.group_processes import GroupProcesses
from steerageway.bus.transport.group_channel import Frame, GroupChannel
from steerageway.bus.transport.transports import connect, listen
from steerageway.bus.transport.wire import PROTOCOL

TIMEOUT = 30.0  # wall seconds; only what fails takes so long
CLAIM = ("claim", PROTOCOL, "alpha", "pByHand", os.getpid())


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[GroupProcesses, str]]:
    """Return the coordinator's view of its groups, and where apps started by hand connect."""
    app = replace(app_plan(App, "pByHand", 0.0, "10"), external=True)
    plan = RunPlan(("alpha",), (app,), math.inf, transport=Transport.ZMQ, port=0)
    listener = listen(tmp_path, plan)
    groups = GroupProcesses(listener)
    yield groups, listener.apps_at.replace("*", "127.0.0.1")
    groups.stop_hosts()


def exchange(groups: GroupProcesses, *frame: object, by: GroupChannel) -> Frame | None:
    """Send a frame; return the frame the coordinator reads."""
    by.send(*frame)
    deadline = wall() + TIMEOUT
    before = groups.sender
    while (taken := groups.receive(0.02)) is None and wall() < deadline:
        if groups.sender is not before:
            return None
    return taken


def next_frame(groups: GroupProcesses) -> Frame | None:
    """Return the next frame that the coordinator receives."""
    deadline = wall() + TIMEOUT
    while (taken := groups.receive(0.02)) is None and wall() < deadline:
        pass
    return taken


def test_a_process_that_connected_by_tcp_cannot_replace_one_started_by_the_run(
    address: tuple[GroupProcesses, str],
) -> None:
    groups, where = address
    channel = connect(where)
    assert exchange(groups, "host", PROTOCOL, [0], os.getpid(), by=channel) is None
    assert channel.receive(wait=True)[0][0] == "refused"
    assert not groups.has(0)
    channel.close()


@pytest.mark.parametrize(
    "frame", [("claim",), ("claim", PROTOCOL, "alpha", "pByHand", "1"), ("answers", [(0,)])]
)
def test_first_frames_that_no_app_sends_are_refused(
    address: tuple[GroupProcesses, str], frame: tuple[object, ...]
) -> None:
    groups, where = address
    channel = connect(where)
    assert exchange(groups, *frame, by=channel) is None
    assert channel.receive(wait=True)[0][0] == "refused"
    channel.close()


def test_garbage_is_refused_and_disturbs_no_client(address: tuple[GroupProcesses, str]) -> None:
    groups, where = address
    with zmq.Context() as context, context.socket(zmq.DEALER) as raw_client:
        raw_client.setsockopt(zmq.LINGER, 0)
        raw_client.connect(where)
        raw_client.send(b"\xc1 no msgpack")
        deadline = wall() + TIMEOUT
        while not raw_client.poll(0) and wall() < deadline:
            assert groups.receive(0.02) is None
        assert b"refused" in raw_client.recv(zmq.DONTWAIT)
    assert next_frame(groups) == ("left", [])
    channel = connect(where)
    assert exchange(groups, *CLAIM, by=channel) == CLAIM
    channel.close()


def test_a_process_that_connected_by_tcp_is_not_ended_whatever_its_process_id(
    address: tuple[GroupProcesses, str], tmp_path: Path
) -> None:
    groups, where = address
    channel = connect(where)
    assert exchange(groups, *CLAIM, by=channel) == CLAIM
    groups.note_host(0, os.getpid())
    assert groups.has(0)
    assert groups.kill(groups.pids[0], tmp_path) == ""
    channel.close()
    assert next_frame(groups) == ("left", [0])
    assert not groups.has(0)


def test_a_run_without_apps_started_by_hand_opens_no_port(tmp_path: Path) -> None:
    plan = RunPlan(("alpha",), (), math.inf, transport=Transport.ZMQ, port=0)
    listener = listen(tmp_path, plan)
    assert listener.apps_at == ""
    listener.close()
