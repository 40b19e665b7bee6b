"""``run_script``: runs a launch script with bash, within limits of time, output and processes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from socketserver import BaseRequestHandler
from threading import Thread

from steerageway.bus import sleep
from steerageway.launcher.errors import LaunchError
from steerageway.peers.launch_script.commands import IDLE, LASTING, SERVED, Commands
from steerageway.peers.launch_script.mission_copy import MissionCopy

LONGEST = 120.0  # wall time of a script [s]
LONGEST_CPU = 30  # processor time of each of its processes [s]
LARGEST_FILE = 64 << 10  # of a file that it writes, its output included [KiB]
PROCESSES = 512  # more than the user has
SHOWN = 20  # last lines of its output that an error quotes
LINGER = 5.0  # how long processes that it leaves behind may go on [s]
ASK = Path(__file__).with_name("ask.py")
WAITS = 1000  # calls of sleep, or answers read, after which a script waits for the user

_IN_BASH = rf"""STEERAGEWAY_PIDS="$STEERAGEWAY_PIDS $$"; export STEERAGEWAY_PIDS
builtin read -r STEERAGEWAY_SHELLS < "$STEERAGEWAY_SCRIPT/shells"
echo $((STEERAGEWAY_SHELLS + 1)) > "$STEERAGEWAY_SCRIPT/shells"
RANDOM=$((STEERAGEWAY_SEED + 7919 * STEERAGEWAY_SHELLS))
steerageway_waits() {{
    STEERAGEWAY_WAITS=$((${{STEERAGEWAY_WAITS:-0}} + 1))
    if [ "$STEERAGEWAY_WAITS" -gt {WAITS} ]; then exit 0; fi
}}
sleep() {{ steerageway_waits; }}
kill() {{ return 0; }}
{" ".join(f"{name}() {{ exit 0; }};" for name in LASTING)}
case $- in *e*) trap 'echo "$0: line $LINENO: $BASH_COMMAND: exit code $?" >&2' ERR ;; esac
read() {{
    builtin read "$@" && return 0
    [ /dev/fd/0 -ef /dev/null ] || return 1
    steerageway_waits
}}
"""
"""What every bash of the script reads first: functions in place of builtin commands and consoles.
``read`` from the terminal is answered by an empty line. With ``bash -e``, the command that ends a
script is told."""

_LIMITED = 'ulimit -S -c 0 -t "$1" -f "$2"; test "$3" = 0 || ulimit -S -u "$3"; shift 3; exec "$@"'
_SHEBANG = re.compile(r"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?:ba)?sh(?P<flags>[ \t].*)?")
_PROBLEM = re.compile(r"(?P<file>\S[^:]*): line (?P<line>\d+): (?P<problem>.+)")


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """A script that has run.

    Attributes:
        code: its exit code; None if it was ended at the time limit.
        output: the last lines of what it printed.
        problems: lines of bash about the script: (file, line, problem).
    """

    code: int | None
    output: tuple[str, ...]
    problems: tuple[tuple[str, int, str], ...]

    @property
    def ending(self) -> str:
        """How it ended, and its output, as the end of an error."""
        how = f"exit code {self.code}" if self.code is not None else f"not over in {LONGEST:g} s"
        printed = "".join(f"\n    {line}" for line in self.output)
        return f"({how}); its output:{printed}" if printed else f"({how}), without output"


def run_script(script: Path, arguments: Sequence[str], commands: Commands) -> ScriptRun:
    """Run a script in the copy of its folder.

    Args:
        script: in the mission's folder.
        arguments: of the script.
        commands: record what it does.
    Raises:
        LaunchError: there is no bash, or the script cannot be read.
    """
    bash = shutil.which("bash")
    if bash is None or os.name != "posix":
        raise LaunchError(f"{script}: bash, which runs launch scripts, is not on this machine")
    copy = commands.copy
    place = copy.top / "script"
    _place_commands(place)
    command = [bash, *_flags(script), f"./{script.name}", *arguments]
    limits = (str(LONGEST_CPU), str(LARGEST_FILE), str(_most_processes()))
    with (
        _answering(place, commands.answer),
        (place / "output").open("wb") as output,
        (place / "errors").open("wb") as errors,
    ):
        process = subprocess.Popen(
            [bash, "-c", _LIMITED, "limited", *limits, *command],
            cwd=copy.folder,
            env=_environment(copy, place, commands.seed),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        code = _ended(process)
    printed = [_text(place / name, copy) for name in ("output", "errors")]
    lines = [line.rstrip() for text in printed for line in text.split("\n") if line.strip()]
    lines = [line for line, _ in groupby(lines)]
    return ScriptRun(code, tuple(lines[-SHOWN:]), tuple(_problems(printed[1])))


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    """Wait for a script and what it has started; return its exit code, None at the limit."""
    code: int | None = None
    try:
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(LONGEST)
            for _ in range(round(LINGER * 100)):
                os.killpg(process.pid, 0)
                sleep(0.01)
    except ProcessLookupError:
        return code
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return code


def _place_commands(place: Path) -> None:
    """Write the commands that are first on the script's path, and what bash reads first."""
    commands = place / "commands"
    commands.mkdir(parents=True)
    (place / "shells").write_text("0\n")
    (place / "first.bash").write_text(_IN_BASH)
    asking = f'#!/bin/sh\nexec "$STEERAGEWAY_PYTHON" -I -S "{ASK}" "${{0##*/}}" "$@"\n'
    for name, text, known in (("ask", asking, SERVED), ("idle", "#!/bin/sh\nexit 0\n", IDLE)):
        file = place / name
        file.write_text(text)
        file.chmod(0o700)
        for command in known:
            (commands / command).symlink_to(file)


def _environment(copy: MissionCopy, place: Path, seed: int) -> Mapping[str, str]:
    """Return the environment of a script: the user's, but for what names folders and commands."""
    foreign = ("BASH_ENV", "ENV", "CDPATH", "SHELLOPTS", "BASHOPTS", "OLDPWD", "PWD", "LANG")
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in foreign and not name.startswith(("BASH_FUNC_", "LC_"))
    }
    return {
        **kept,
        "PATH": f"{place / 'commands'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "HOME": str(copy.top / "home"),
        "TMPDIR": str(copy.top / "tmp"),
        "TERM": "xterm",
        "LC_ALL": "C",
        "BASH_ENV": str(place / "first.bash"),
        "STEERAGEWAY_SCRIPT": str(place),
        "STEERAGEWAY_PYTHON": sys.executable,
        "STEERAGEWAY_SEED": str(seed),
        "STEERAGEWAY_PIDS": "",
    }


@contextmanager
def _answering(place: Path, answer: Callable[[bytes], bytes]) -> Iterator[None]:
    """Answer the commands of a script for as long as the block runs."""
    from socketserver import UnixStreamServer  # Windows has none

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            asked = b"".join(iter(lambda: self.request.recv(1 << 16), b""))
            with suppress(OSError):  # its command was ended
                self.request.sendall(answer(asked))

    descriptor = os.open(place, os.O_RDONLY)
    try:
        short = Path(f"/proc/self/fd/{descriptor}")  # a socket's path is limited
        with UnixStreamServer(
            str((short if short.exists() else place) / "answers"), Handler
        ) as one:
            thread = Thread(target=one.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
            thread.start()
            try:
                yield
            finally:
                one.shutdown()
                thread.join()
    finally:
        os.close(descriptor)


def _flags(script: Path) -> list[str]:
    """Return the options of bash in a script's first line, as ``-e``."""
    try:
        with script.open("rb") as file:
            first = file.readline(1000).decode(errors="replace").strip()
    except OSError as error:
        raise LaunchError(f"{script}: {error.strerror}") from error
    found = _SHEBANG.fullmatch(first)
    return (found["flags"] or "").split() if found else []


def _most_processes() -> int:
    """Return the limit of the user's processes; 0 for none, where they cannot be counted."""
    count = 0
    for path in Path("/proc").glob("[0-9]*/task"):
        with suppress(OSError):
            count += len(os.listdir(path)) if path.stat().st_uid == os.getuid() else 0
    return count + PROCESSES if count else 0


def _text(path: Path, copy: MissionCopy) -> str:
    return copy.own_paths(path.read_bytes()[-100_000:].decode(errors="replace"))


def _problems(errors: str) -> Iterator[tuple[str, int, str]]:
    """Return the different lines in which bash names a line of a script."""
    found = filter(None, map(_PROBLEM.fullmatch, errors.split("\n")))
    yield from dict.fromkeys((one["file"], int(one["line"]), one["problem"]) for one in found)
