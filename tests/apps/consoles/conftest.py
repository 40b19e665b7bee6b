"""A terminal for consoles, and running missions for them."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from math import nan
from pathlib import Path
from typing import NamedTuple, Self
from unittest import mock

import pyte
import pytest

from steerageway.bus import sleep, wall

ROOT = Path(__file__).parents[3]
PATIENCE = 60.0  # wall seconds; only what fails takes so long
WHOLE = 0.01  # wall seconds without output after which a picture is taken to be whole

BUSY = '''
from steerageway.bus import App


class Chatty(App):
    """Posts a hundred variables twice a second, and a few that are worth watching."""

    def on_start(self):
        self.register("DEPLOY", "USM_RESET", "DESIRED_*", "th_1", "ECHOED")
        self.post("DEPLOY", "false")
        self.post("MODE", "ACTIVE:SURVEYING")
        self.post("MOOS_MANUAL_OVERRIDE", "false")
        self.post("ODD", "one\\\\ntwo\\033[31m red")

    def on_mail(self, mail):
        for message in mail:
            if message.name != "ECHOED":
                self.post("ECHOED", f"{message.name}={message.value}")

    def iterate(self):
        for number in range(100):
            self.post(f"NOISE_{number:03}", self.iteration + number / 1000)
        self.post("COUNT", self.iteration)
'''
BEGINS = 'self.post("MOOS_MANUAL_OVERRIDE", "false")'
MISSION = """\
ServerPort = 9000
Community = {name}
ProcessConfig = ANTLER
{{
  MSBetweenLaunches = 100
  Run = MOOSDB
  Run = busy:Chatty
  Run = pLogger
}}
ProcessConfig = Chatty
{{
  AppTick = 2
}}
ProcessConfig = pLogger
{{
  WildCardLogging = true
}}
ProcessConfig = uPokeDB
{{
  poke = DEPLOY=true
  poke = SPEED=3
}}
"""


class Terminal:
    """A program in its own terminal, and the contents of its screen."""

    def __init__(self, command: list[str], columns: int, rows: int, env: dict[str, str]) -> None:
        self._master, self._slave = pty.openpty()
        self.screen = pyte.Screen(columns, rows)
        self.screen.write_process_input = lambda data: os.write(self._master, data.encode())
        self._stream = pyte.ByteStream(self.screen)
        self._resize(columns, rows)
        self.settings = termios.tcgetattr(self._slave)
        self.sent = 0  # bytes that the program has written
        self.process = subprocess.Popen(
            command,
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env={**env, "TERM": env.get("TERM", "xterm-256color")},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)
        os.close(self._slave)

    @property
    def lines(self) -> list[str]:
        """The lines of the screen, without blanks at their ends."""
        return [line.rstrip() for line in self.screen.display]

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._master, text.encode())

    def read(self, seconds: float) -> None:
        """Read the output of the program within some wall seconds, up to the end of a redraw."""
        deadline = wall() + seconds
        while select.select([self._master], [], [], max(WHOLE, deadline - wall()))[0]:
            data = os.read(self._master, 65536)
            self.sent += len(data)
            self._stream.feed(data)

    def see(
        self, expected: str | Callable[[list[str]], bool], seconds: float = PATIENCE
    ) -> list[str]:
        """Wait until a text is on the screen; return its lines."""
        seen = (
            (lambda lines: any(expected in line for line in lines))
            if isinstance(expected, str)
            else expected
        )
        deadline = wall() + seconds
        while not seen(self.lines):
            assert wall() < deadline, f"{expected} is not on the screen:\n" + "\n".join(self.lines)
            self.read(0.02)
        return self.lines

    def line(self, beginning: str) -> str:
        """Return the last line of the screen that starts with a text; "" while there is none."""
        return next((line for line in reversed(self.lines) if line.startswith(beginning)), "")

    def moves(self, beginning: str) -> None:
        """Wait until the line that starts with a text has changed."""
        before = self.line(beginning)
        self.see(lambda lines: self.line(beginning) not in ("", before))

    def number(self, name: str) -> float:
        """Return the value in a variable's line; nan while there is none."""
        line = self.line(f"{name}  ")
        return float(line.split()[-1]) if line else nan

    def resize(self, columns: int, rows: int) -> None:
        """Resize the terminal."""
        self.screen.resize(rows, columns)
        self._resize(columns, rows)

    def leave(self, keys: str) -> int:
        """Press keys after which the program ends; return its exit code."""
        self.type(keys)
        return self.end()

    def end(self, seconds: float = PATIENCE) -> int:
        """Wait for the program's end; return its exit code. The terminal must be restored."""
        deadline = wall() + seconds
        while self.process.poll() is None:
            assert wall() < deadline, "\n".join(self.lines)
            self.read(0.02)
        while select.select([self._master], [], [], 0)[0]:
            self.read(0)
        assert termios.tcgetattr(self._slave) == self.settings
        assert not self.screen.cursor.hidden
        return int(self.process.returncode)

    def _resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


class Output(NamedTuple):
    """Output and exit code of a program that has ended."""

    returncode: int
    stdout: str
    stderr: str


class Stage:
    """Starts missions and programs, and ends them all."""

    root = ROOT

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        self.env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_RUNTIME_DIR": str(folder / "runtime"),
            "XDG_STATE_HOME": str(folder / "state"),
            "TERM": "xterm-256color",
        }
        self.env.pop("NO_COLOR", None)

    def mission(self, name: str = "alpha", *, begins: str = BEGINS) -> Path:
        """Write a mission whose app starts with a text and posts two hundred variables a second."""
        (self.folder / "busy.py").write_text(BUSY.replace(BEGINS, begins))
        path = self.folder / f"{name}.moos"
        path.write_text(MISSION.format(name=name))
        return path

    def launch(self, *arguments: object) -> subprocess.Popen[str]:
        """Launch a mission and wait until consoles can find it."""
        command = [sys.executable, str(ROOT / "launch.py"), "--port", "auto", *map(str, arguments)]
        run = subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._stack.callback(_end, run)
        posts = self.folder / "runtime" / "steerageway"
        deadline = wall() + PATIENCE
        while not list(posts.glob("*.json")):
            assert run.poll() is None, run.communicate()[1]
            assert wall() < deadline
            sleep(0.01)
        return run

    def ready(self) -> None:
        """Wait until every app of the missions has started."""
        self.wait_for("COUNT > 0", "--community=alpha")

    def wait_for(self, condition: str, *where: object) -> None:
        """Wait until a condition holds: posts take effect once the apps before have answered."""
        requested = self.call(
            "apps.query", *where, f"--condition={condition}", f"--wait={PATIENCE}"
        )
        assert requested.returncode == 0, requested.stderr

    def terminal(
        self, module: str, *arguments: object, columns: int = 80, rows: int = 24, **env: str
    ) -> Terminal:
        """Start one of the programs in a terminal."""
        command = [sys.executable, "-m", module, *map(str, arguments)]
        return self._stack.enter_context(Terminal(command, columns, rows, {**self.env, **env}))

    def call(self, module: str, *arguments: object, typed: str = "") -> Output:
        """Run one of the programs in this process, without a terminal, to its end."""
        out, errors = StringIO(), StringIO()
        here = {"XDG_RUNTIME_DIR": self.env["XDG_RUNTIME_DIR"]}
        with (
            redirect_stdout(out),
            redirect_stderr(errors),
            chdir(self.folder),
            mock.patch.dict(os.environ, here),
            mock.patch.object(sys, "stdin", StringIO(typed)),
        ):
            try:
                code = import_module(f"steerageway.{module}.command").main(
                    list(map(str, arguments))
                )
            except SystemExit as end:
                code = int(str(end.code))
        return Output(code, out.getvalue(), errors.getvalue())


def _end(run: subprocess.Popen[str]) -> None:
    if run.poll() is None:
        run.terminate()
    try:
        run.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        raise


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with ExitStack() as stack:
        yield Stage(tmp_path, stack)


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """Restore the signal handlers that programs changed in this process."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
