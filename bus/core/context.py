"""Termination of a ZeroMQ context with a timeout, since ``zmq_ctx_term`` may hang."""

from __future__ import annotations

from threading import Thread

import zmq

TIMEOUT = 1000  # ms beyond the linger


def terminate(context: zmq.Context[zmq.Socket[bytes]], linger: int = 0) -> bool:
    """Terminate a context whose sockets are closed; return whether it ended.

    libzmq 4.3.5 may wait forever in ``zmq_ctx_term``, whatever the linger, when the other end of a
    connection closed just while frames were being sent to it: about once in 500 tries. The thread
    that waits for it is then left behind and ends with the process.

    Args:
        context: all of its sockets are closed.
        linger: linger the sockets were closed with [ms].
    """
    thread = Thread(target=context.term, name="zmq-term", daemon=True)
    thread.start()
    thread.join((linger + TIMEOUT) / 1000)
    return not thread.is_alive()
