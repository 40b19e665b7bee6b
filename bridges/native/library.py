"""The preloaded library: compiled on first use, and kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("lockstep.c")
OPTIONS = ("-O2", "-shared", "-fPIC")
LIBRARIES = ("-ldl", "-lpthread")


class NoLibrary(Exception):
    """There is none; the text says why."""


def library() -> Path:
    """Return the library's file.

    Raises:
        NoLibrary: this is not Linux, there is no compiler, or it fails.
    """
    if sys.platform != "linux":
        raise NoLibrary("only Linux preloads libraries as this needs")
    source = SOURCE.read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "steerageway"
    name = hashlib.sha256(source + os.uname().machine.encode()).hexdigest()[:16]
    found = cache / f"lockstep-{name}.so"
    if not found.exists():
        _compile(found)
    return found


def _compile(result: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise NoLibrary("it needs a C compiler, cc")
    fresh = result.with_name(f".{result.name}.{os.getpid()}")
    command = [compiler, *OPTIONS, "-o", str(fresh), str(SOURCE), *LIBRARIES]
    try:
        result.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoLibrary(f"cc fails: {done.stderr.strip().splitlines()[-1]}")
        fresh.replace(result)
    except OSError as error:
        raise NoLibrary(f"{result}: {error.strerror}") from error


def check_program(path: Path) -> None:
    """Check that a program can be preloaded.

    Raises:
        NoLibrary: it is no binary of this system, as a script.
    """
    with path.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            raise NoLibrary("it is no dynamically linked binary")
