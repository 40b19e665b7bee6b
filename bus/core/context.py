"""ZeroMQ's contexts: one for many sockets, and termination with a timeout."""

from __future__ import annotations

import os
from functools import cache
from threading import Thread

import zmq

from steerageway.bus.core.runtime import allow_files

TIMEOUT = 1000  # ms beyond the linger
MOST_SOCKETS = 4096  # of the shared context
_FILES_OF_SOCKET = 2


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


def shared_context() -> zmq.Context[zmq.Socket[bytes]]:
    """Return the context that many sockets of this process share; it is never terminated.

    Each context has two threads and six files: an observer of hundreds of communities would need
    more than a process may open.
    """
    return _context_of(os.getpid())  # a fork needs one of its own


@cache
def _context_of(pid: int) -> zmq.Context[zmq.Socket[bytes]]:
    allow_files(_FILES_OF_SOCKET * MOST_SOCKETS)
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    context.set(zmq.MAX_SOCKETS, MOST_SOCKETS)
    return context
