"""The files that this process changes, from its audit events."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_CHANGED = {  # event -> index of the path that it changes
    **dict.fromkeys(("os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod"), 0),
    **dict.fromkeys(("os.rename", "os.symlink", "os.link"), 1),
}
_listening: list[dict[str, None]] = []


@contextmanager
def changed_files() -> Iterator[dict[str, None]]:
    """Collect what is created, written, renamed, linked or removed in the context: real paths.

    Python keeps no compiled modules meanwhile: which are new depends on the tests before.
    """
    _listen()
    found: dict[str, None] = {}
    _listening.append(found)
    keeps_no_modules, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield found
    finally:
        sys.dont_write_bytecode = keeps_no_modules
        _listening.remove(found)


def outside(found: dict[str, None], *folders: Path) -> list[str]:
    """Return the changed files that are in none of these folders."""
    inside = [folder.resolve() for folder in folders]
    return [p for p in found if not any(Path(p).is_relative_to(one) for one in inside)]


@cache
def _listen() -> None:
    sys.addaudithook(_note)  # once: audit hooks cannot be removed


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if not _listening:
        return
    if event == "open" and arguments[2] & _WRITES:
        path = arguments[0]
        real = os.path.realpath(path) if isinstance(path, str | bytes) else ""
    elif event in _CHANGED:
        path = os.fsdecode(arguments[_CHANGED[event]])
        descriptor = -1 if event == "os.truncate" else arguments[-1]  # of the folder; -1: none
        here = os.path.realpath(f"/proc/self/fd/{descriptor}") if descriptor >= 0 else ""
        folder, name = os.path.split(os.path.abspath(os.path.join(here, path)))
        real = os.path.join(os.path.realpath(folder), name)
    else:
        return
    if real and os.fsdecode(real) != os.devnull:
        for found in _listening:
            found[os.fsdecode(real)] = None
