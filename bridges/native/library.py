"""The preloaded library: shipped in a wheel, or compiled on first use and kept in the cache.

Run as a script, it compiles the library beside its source, for a wheel.
"""

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
    name = _file_name()
    shipped = SOURCE.with_name(name)
    if shipped.exists():
        return shipped
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "steerageway"
    if not (cache / name).exists():
        _compile(cache / name)
    return cache / name


def _file_name() -> str:
    """Return the library's name, which is that of its source and of the kind of machine."""
    parts = SOURCE.read_bytes() + os.uname().machine.encode()
    return f"lockstep-{hashlib.sha256(parts).hexdigest()[:16]}.so"


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


if __name__ == "__main__":
    _compile(SOURCE.with_name(_file_name()))
