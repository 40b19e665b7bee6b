"""Termination of a ZeroMQ context that hangs."""

from __future__ import annotations

import random
import threading

import pytest
import zmq

from steerageway.bus.core.clock import sleep, wall
from steerageway.bus.core.context import TIMEOUT, terminate


def test_a_context_that_has_nothing_left_to_do_ends() -> None:
    context = zmq.Context()
    context.socket(zmq.DEALER).close(0)
    assert terminate(context, 500)
    assert context.closed


@pytest.mark.slow
def test_a_context_that_never_ends_is_abandoned() -> None:
    context = zmq.Context()
    open_yet = context.socket(zmq.DEALER)  # ZeroMQ waits for it for ever
    begin = wall()
    assert not terminate(context, 200)
    assert 0.2 <= wall() - begin < (200 + TIMEOUT) / 1000 + 5
    open_yet.close(0)


@pytest.mark.slow
@pytest.mark.process
def test_a_context_that_sends_to_a_disconnecting_client_ends_in_bounded_time() -> None:
    rng = random.Random(1)
    for _ in range(1000):
        context, reference = zmq.Context(), zmq.Context()
        router, dealer = context.socket(zmq.ROUTER), reference.socket(zmq.DEALER)
        port = router.bind_to_random_port("tcp://127.0.0.1")
        dealer.connect(f"tcp://127.0.0.1:{port}")
        dealer.send(b"hello")
        identity = router.recv_multipart()[0]
        leaving = threading.Thread(target=_leave, args=(reference, dealer, rng.random() * 0.002))
        leaving.start()
        until = wall() + rng.random() * 0.002
        while wall() < until:
            router.send_multipart((identity, b"x" * 200))
        begin = wall()
        router.close(0)
        terminate(context)
        assert wall() - begin < TIMEOUT / 1000 + 5
        leaving.join()


def _leave(
    context: zmq.Context[zmq.Socket[bytes]], socket: zmq.Socket[bytes], after: float
) -> None:
    sleep(after)
    socket.close(0)
    terminate(context)
