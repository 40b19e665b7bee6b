"""Frames between the coordinator and its groups: whole, in order, to and from any ZeroMQ socket."""

from __future__ import annotations

import math
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import msgpack
import pytest
import zmq

from steerageway.bus import fork, wall
from steerageway.bus.transport.channel import Channel, Frame
from steerageway.bus.transport.listener import Listener, address_in
from steerageway.bus.transport.spin_wait import wait_at
from steerageway.bus.transport.zmtp import DEALER, opening

TIMEOUT = 30.0  # wall seconds; only what fails takes so long
LARGE = 16 * 1024 * 1024


class Ends:
    """The coordinator's end, and the groups' as they connect."""

    def __init__(self, folder: Path) -> None:
        self.listener = Listener(folder)
        self.address = self.listener.address
        self.channels: list[Channel] = []
        self._came: list[tuple[Any, Frame | None]] = []

    def join(self, name: str = "group") -> tuple[Channel, Any]:
        """Connect a group; give both ends."""
        self._serve(lambda: self.channels.append(Channel.connect(self.address)))
        channel = self.channels[-1]
        channel.send("hello", name)
        return channel, self.arrivals(1, lambda frame: frame == ("hello", name))[0][0]

    def arrivals(
        self,
        count: int,
        expected: Callable[[Frame | None], bool] = lambda frame: True,
        awaited: Any = None,
    ) -> list[tuple[Any, Frame | None]]:
        """Return a number of expected arrivals; others stay for later."""
        deadline = wall() + TIMEOUT
        while True:
            found = [arrival for arrival in self._came if expected(arrival[1])][:count]
            if len(found) == count or wall() > deadline:
                for arrival in found:
                    self._came.remove(arrival)
                assert len(found) == count
                return found
            self._came += self.listener.receive(0.02, awaited)

    def read(self, channel: Channel, count: int) -> list[Frame]:
        """Return a number of frames that a group reads, while the coordinator listens."""
        found: list[Frame] = []
        self._serve(lambda: found.extend(take(channel, count)))
        return found

    def _serve(self, work: Callable[[], None]) -> None:
        """Listen while a group works."""
        worker = Thread(target=work, daemon=True)
        worker.start()
        deadline = wall() + TIMEOUT
        while worker.is_alive():
            assert wall() < deadline
            self._came += self.listener.receive(0.002)

    def close(self) -> None:
        """Close whatever is open."""
        for channel in self.channels:
            channel.close()
        self.listener.close()


@pytest.fixture
def ends(tmp_path: Path) -> Iterator[Ends]:
    """Return a coordinator's end that listens."""
    made = Ends(tmp_path)
    yield made
    made.close()


def take(channel: Channel, count: int) -> list[Frame]:
    """Return a number of next frames at a group's end."""
    return [frame for _, frame in zip(range(count), channel.frames(), strict=False)]


def test_frames_come_whole_and_in_order_both_ways(ends: Ends) -> None:
    channel, peer = ends.join()
    frames = [("frame", number, "x" * (number * 37 % 5000)) for number in range(500)]
    for frame in frames:
        ends.listener.send(peer, *frame)
    assert ends.read(channel, 500) == frames
    sender = Thread(target=lambda: [channel.send(*frame) for frame in frames])
    sender.start()
    assert ends.arrivals(500) == [(peer, frame) for frame in frames]
    sender.join()


def test_values_of_every_kind_arrive_unchanged(ends: Ends) -> None:
    channel, peer = ends.join()
    frame = ("kinds", 1, -0.0, math.inf, "ü", b"\0\xff", None, True, (1, (2.5,)), {"a": (), 3: 4})
    ends.listener.send(peer, *frame)
    assert take(channel, 1) == [frame]
    channel.send(*frame)
    assert ends.arrivals(1) == [(peer, frame)]


def test_large_frames_come_whole_both_ways(ends: Ends) -> None:
    channel, peer = ends.join()
    load = os.urandom(LARGE)
    ends.listener.send(peer, "large", load)
    ends.listener.send(peer, "small")
    assert ends.read(channel, 2) == [("large", load), ("small",)]
    sender = Thread(target=lambda: (channel.send("large", load), channel.send("small")))
    sender.start()
    assert ends.arrivals(2) == [(peer, ("large", load)), (peer, ("small",))]
    sender.join()


def test_a_group_that_sends_more_than_is_read_waits_and_nothing_is_lost(ends: Ends) -> None:
    channel, peer = ends.join()
    count, sent = 2000, []

    def send_frames() -> None:
        for number in range(count):
            channel.send("much", number, b"x" * 50_000)
            sent.append(number)

    sender = Thread(target=send_frames)
    sender.start()
    sender.join(0.5)
    assert 0 < len(sent) < count
    for number in range(count):
        ((who, frame),) = ends.arrivals(1)
        assert (who, frame) == (peer, ("much", number, b"x" * 50_000))
    sender.join()


def test_the_coordinator_never_waits_for_a_slow_reader_nor_loses_what_it_reads_late(
    ends: Ends,
) -> None:
    slow, slow_peer = ends.join("slow")
    quick, quick_peer = ends.join("quick")
    count = 20_000
    for number in range(count):
        ends.listener.send(slow_peer, "late", number, "x" * 500)
    ends.listener.send(quick_peer, "soon")
    assert take(quick, 1) == [("soon",)]
    quick.send("answer")
    assert ends.arrivals(1) == [(quick_peer, ("answer",))]
    assert [frame[1] for frame in ends.read(slow, count)] == list(range(count))


def test_others_are_served_while_one_is_awaited(ends: Ends) -> None:
    _, silent = ends.join("silent")
    talker, peer = ends.join("talker")
    talker.send("here")
    assert ends.arrivals(1, awaited=silent) == [(peer, ("here",))]


def test_new_clients_are_served_while_others_send(ends: Ends) -> None:
    talker, peer = ends.join("talker")
    for number in range(20):
        ends.listener.send(peer, "ask", number)
        assert take(talker, 1) == [("ask", number)]
        talker.send("answer", number)
        newcomer, its = ends.join(f"newcomer {number}")
        assert ends.arrivals(1, lambda frame: frame is not None) == [(peer, ("answer", number))]
        ends.listener.send(its, "welcome")
        assert take(newcomer, 1) == [("welcome",)]


def test_a_group_that_closes_has_left_after_its_last_frame(ends: Ends) -> None:
    channel, peer = ends.join()
    channel.send("first", "x" * 50_000)
    channel.send("last")
    channel.close()
    assert ends.arrivals(3)[1:] == [(peer, ("last",)), (peer, None)]
    ends.listener.send(peer, "too late")
    assert ends.listener.receive(0.05) == []


def test_each_of_many_that_come_and_go_has_left_once(ends: Ends) -> None:
    _, stays = ends.join("stays")
    for number in range(30):  # descriptors are used again
        channel, peer = ends.join(f"guest {number}")
        channel.close()
        assert ends.arrivals(1, awaited=stays) == [(peer, None)]
    assert ends.listener.receive(0.05) == []


def test_a_connection_without_a_coordinator_fails(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Channel.connect(address_in(tmp_path))
    Listener(tmp_path).close()
    with pytest.raises(ConnectionRefusedError):
        Channel.connect(address_in(tmp_path))


def test_the_coordinators_end_ends_the_wait_of_a_group_after_its_last_frame(ends: Ends) -> None:
    channel, peer = ends.join()
    ends.listener.send(peer, "stop")
    ends.listener.close()
    assert list(channel.frames()) == [("stop",)]
    assert channel.closed
    channel.send("nobody is there")
    assert channel.receive() == channel.receive(wait=True) == []


def test_a_readable_frame_is_read_at_once(ends: Ends) -> None:
    channel, peer = ends.join()
    assert not channel.readable()
    assert channel.receive() == []
    ends.listener.send(peer, "here")
    deadline = wall() + TIMEOUT
    while not channel.readable() and wall() < deadline:
        pass
    assert channel.receive() == [("here",)]


@pytest.mark.process
@pytest.mark.parametrize("warp", [1.0, math.inf])
def test_a_killed_process_has_left_and_the_others_continue(ends: Ends, warp: float) -> None:
    children = [fork(lambda name=name: echo(ends.address, name, warp)) for name in "ab"]
    try:
        peers = {frame[1]: who for who, frame in ends.arrivals(2) if frame is not None}
        os.kill(children[0], signal.SIGKILL)
        assert ends.arrivals(1, awaited=peers["a"]) == [(peers["a"], None)]
        ends.listener.send(peers["b"], "ask")
        assert ends.arrivals(1, awaited=peers["b"]) == [(peers["b"], ("ask",))]
    finally:
        end(children)


@pytest.mark.process
def test_a_killed_coordinator_ends_a_groups_wait(tmp_path: Path) -> None:
    coordinator = fork(lambda: serve(Ends(tmp_path)))
    try:
        channel = connect_late(address_in(tmp_path))
        channel.send("hello", "group")
        frames = channel.frames(wait_at(math.inf))
        assert next(frames) == ("welcome",)
        os.kill(coordinator, signal.SIGKILL)
        assert list(frames) == []
        channel.close()
    finally:
        end([coordinator])


# Lengths around those at which ZeroMQ writes a frame's length in another way, and a large one.
LOADS = [b"x" * size for size in (0, 1, 240, 248, 249, 250, 251, 252, 300, 70_000, LARGE)]


def test_a_dealer_of_zeromqs_library_takes_part_as_a_group_does(ends: Ends) -> None:
    with zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        dealer.connect(ends.address)
        dealer.send(msgpack.packb(("hello", "stranger")))
        ((peer, frame),) = ends.arrivals(1)
        assert frame == ("hello", "stranger")
        for load in LOADS:
            dealer.send(msgpack.packb(("load", load)))
            assert ends.arrivals(1) == [(peer, ("load", load))]
            ends.listener.send(peer, "back", load)
            while not dealer.poll(0):  # what is too much for the socket is sent by ``receive``
                assert ends.listener.receive(0.002) == []
            assert msgpack.unpackb(dealer.recv(), use_list=False) == ("back", load)
    assert ends.arrivals(1) == [(peer, None)]


def test_a_group_connects_to_a_router_of_zeromqs_library(tmp_path: Path) -> None:
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        router.bind(address_in(tmp_path))
        for _ in range(20):  # each begins while ZeroMQ still shakes hands
            channel = Channel.connect(address_in(tmp_path))
            channel.send("hello", 1)
            peer, frame = router.recv_multipart()
            assert msgpack.unpackb(frame) == ["hello", 1]
            router.send_multipart([peer, msgpack.packb(("welcome",))])
            assert next(channel.frames()) == ("welcome",)
            channel.close()


MULTIPART = b"\x01\x01a\x00\x01b"
NO_MSGPACK = b"\x00\x03\xc1\xc1\xc1"


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html, application/xhtml+xml\r\n\r\n",
        opening(DEALER)[:10] + b"\x01" + opening(DEALER)[11:],
        opening(DEALER).replace(b"NULL", b"CURV"),
        opening(DEALER)[:64] + NO_MSGPACK,
        opening(DEALER) + MULTIPART,
        opening(DEALER) + NO_MSGPACK,
    ],
    ids=["http", "version 1", "keys", "no READY", "several frames", "no msgpack"],
)
def test_garbage_ends_its_connection_and_disturbs_no_other(ends: Ends, sent: bytes) -> None:
    channel, peer = ends.join()
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(ends.address.removeprefix("ipc://"))
        raw.sendall(sent)
        ((garbled, _),) = ends.arrivals(1, lambda frame: frame is None)
        assert garbled is not peer
    channel.send("here")
    assert ends.arrivals(1) == [(peer, ("here",))]


def echo(address: str, name: str, warp: float) -> None:
    """Be a group that echoes its frames."""
    channel = Channel.connect(address)
    channel.send("hello", name)
    for frame in channel.frames(wait_at(warp)):
        channel.send(*frame)


def serve(ends: Ends) -> None:
    """Be a coordinator that welcomes every group, until it is killed."""
    while True:
        for peer, frame in ends.listener.receive(TIMEOUT):
            if frame is not None:
                ends.listener.send(peer, "welcome")


def connect_late(address: str) -> Channel:
    """Connect once there is a listener."""
    deadline = wall() + TIMEOUT
    while wall() < deadline:
        with suppress(OSError):
            return Channel.connect(address)
    raise TimeoutError(address)


def end(children: list[int]) -> None:
    """End processes, and wait for them."""
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
