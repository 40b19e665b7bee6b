"""The end of a ZeroMQ context, which ZeroMQ itself now and then does not bring about."""

from __future__ import annotations

from threading import Thread

import zmq

TIMEOUT = 1000  # ms beyond the linger


def terminate(context: zmq.Context[zmq.Socket[bytes]], linger: int = 0) -> bool:
    """End a context whose sockets are closed; say whether it ended.

    libzmq 4.3.5 may wait for ever in ``zmq_ctx_term``, whatever the linger, when the other end of
    a connection hung up in the very moments in which frames were sent to it: about one time in 500
    of trying. The thread that waits for it then stays behind, and goes with the process.

    Args:
        context: all of its sockets are closed.
        linger: what they were closed with [ms].
    """
    thread = Thread(target=context.term, name="zmq-term", daemon=True)
    thread.start()
    thread.join((linger + TIMEOUT) / 1000)
    return not thread.is_alive()
