"""What a round trip to a forked process costs: through ZeroMQ, and over a stream socket.

Run it as ``python -m benchmarks.channel``; it measures both in turns and prints their ratio.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import zmq

from steerageway.bus.transport.channel import Channel

ROUNDS, TRIPS = 5, 10_000
LOAD = "x" * 100


def fork(life: Callable[[], None]) -> int:
    """Fork a child that lives its life."""
    pid = os.fork()
    if pid == 0:
        life()
        os._exit(0)
    return pid


def zeromq(folder: Path) -> tuple[Callable[[], None], Callable[[], None]]:
    """Start an echo behind DEALER and ROUTER; give one round trip, and the end."""
    address = f"ipc://{folder}/echo"

    def echo() -> None:
        socket = zmq.Context().socket(zmq.DEALER)
        socket.connect(address)
        socket.send(b"here")
        while frame := socket.recv():
            socket.send(frame)

    pid = fork(echo)
    context = zmq.Context()
    router = context.socket(zmq.ROUTER)
    router.bind(address)
    sender, _ = router.recv_multipart()

    def trip() -> None:
        router.send_multipart((sender, LOAD.encode()))
        router.recv_multipart()

    def end() -> None:
        router.send_multipart((sender, b""))
        os.waitpid(pid, 0)
        context.destroy()

    return trip, end


def stream() -> tuple[Callable[[], None], Callable[[], None]]:
    """Start an echo behind a channel; give one round trip, and the end."""
    here, there = Channel.pair()

    def echo() -> None:
        here.close()
        for parts in there.frames():
            there.send(*parts)

    pid = fork(echo)
    there.close()

    def trip() -> None:
        here.send("grant", LOAD)
        here.receive(wait=True)

    def end() -> None:
        here.close()
        os.waitpid(pid, 0)

    return trip, end


def measure(trip: Callable[[], None]) -> float:
    """Give the microseconds of one round trip."""
    began = time.perf_counter()
    for _ in range(TRIPS):
        trip()
    return (time.perf_counter() - began) / TRIPS * 1e6


def main() -> None:
    """Measure in turns and print medians."""
    with tempfile.TemporaryDirectory() as folder:
        by_stream, end_stream = stream()
        by_zeromq, end_zeromq = zeromq(Path(folder))
        pairs = [(measure(by_zeromq), measure(by_stream)) for _ in range(ROUNDS)]
        end_zeromq()
        end_stream()
    slow, fast = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(
        f"ZeroMQ {slow:.1f} us, stream socket with msgpack {fast:.1f} us: {slow / fast:.1f} times"
    )


if __name__ == "__main__":
    main()
