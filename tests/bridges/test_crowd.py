"""``Crowd`` with real connections: too many of them, and a process that has grown."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from steerageway.bridges import crowd
from steerageway.bridges.crowd import Crowd

pytestmark = pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="the system lists no files")

GROWN = """
import sys
from steerageway.bridges import crowd
if "--port" not in sys.argv:
    crowd.LARGEST = -1
    crowd.Crowd(4711).limit()
print(sys.argv[1:])
"""


def test_of_too_many_connections_the_oldest_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "MOST_CONNECTIONS", 5)
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = server.getsockname()[1]
        limits = Crowd(port)
        clients = []
        for _ in range(8):
            one = socket.create_connection(("127.0.0.1", port), timeout=5.0)
            clients.append(stack.enter_context(one))
            accepted = stack.enter_context(server.accept()[0])
            limits.limit()
            accepted.sendall(b"!")
        closed = [one.recv(1) + one.recv(1) for one in clients[:3]]
        assert closed == [b"!"] * 3
        for one in clients[3:]:
            assert one.recv(1) == b"!"
        limits.close()
        assert [one.recv(1) for one in clients[3:]] == [b""] * 5


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system tells no size")
def test_a_program_that_grows_begins_anew_at_its_port() -> None:
    command = [sys.executable, "-c", GROWN, "of", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "['of', '7', '--port', '4711']\n"
    assert "a client has sent too much" in done.stderr
