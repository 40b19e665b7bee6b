"""``--view`` and ``--foxglove``: processes that show the run."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from importlib.util import find_spec

from steerageway.apps.shared.user_code import program
from steerageway.launcher.errors import LaunchError

NEEDED = ("starlette", "uvicorn", "websockets")
STOP_TIMEOUT = 10.0  # shutdown timeout of the viewer [wall s]


class Viewer:
    """The viewer's process; the methods have no effect if there is none.

    Started from a terminal, it stays open after the run until Ctrl-C; else it ends with the run.
    """

    def __init__(self, process: subprocess.Popen[bytes] | None, *, stays: bool = True) -> None:
        self._process = process
        self._stays = stays and sys.stderr.isatty()

    def run_ends(self) -> None:
        """End the viewer with the run, unless started from a terminal."""
        if not self._stays:
            self._end()

    def wait(self) -> None:
        """Wait until the user ends the viewer."""
        if self._process is None or self._process.poll() is not None:
            return
        print("the viewer is still running; Ctrl-C ends it", file=sys.stderr)
        try:
            self._process.wait()
        except KeyboardInterrupt:
            self._end()

    def _end(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def begin_view(port: int | None) -> Viewer:
    """Start a viewer for the run of this process.

    Args:
        port: of its page; 0: any free one; None: no viewer.

    Raises:
        LaunchError: it cannot be started.
    """
    if port is None:
        return Viewer(None)
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise LaunchError(f"--view: needs {', '.join(missing)}; pip install 'steerageway[web]'")
    if port:
        _check_free(port)
    command = [*program("steerageway.web.viewer"), "--of", str(os.getpid())]
    command += ["--port", str(port or "auto")]
    return Viewer(subprocess.Popen(command))


def begin_foxglove(port: int | None, *, control: bool) -> Viewer:
    """Start a server for Foxglove for the run of this process; see ``begin_view``.

    Args:
        control: whether Foxglove may post and control.
    """
    if port is None:
        return Viewer(None)
    if find_spec("foxglove") is None:
        raise LaunchError("--foxglove: needs foxglove-sdk; pip install 'steerageway[foxglove]'")
    if port:
        _check_free(port, "--foxglove")
    command = [*program("steerageway.bridges.foxglove_live"), "--of", str(os.getpid())]
    command += ["--port", str(port), *(["--control"] if control else [])]
    return Viewer(subprocess.Popen(command), stays=False)


def _check_free(port: int, option: str = "--view") -> None:
    """Check that a port is free.

    Raises:
        LaunchError: it is in use.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            text = f"{option} {port}: {error.strerror}"
            text += "; --view alone takes any free port" if option == "--view" else ""
            raise LaunchError(text) from None
