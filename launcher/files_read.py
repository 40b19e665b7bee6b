"""Notes which files this process opens for reading, such as those that planning a run reads."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

_listeners: list[dict[Path, None]] = []


@contextmanager
def files_read() -> Iterator[dict[Path, None]]:
    """Collect the absolute paths of the files that this process opens for reading meanwhile."""
    _listen()
    opened: dict[Path, None] = {}
    _listeners.append(opened)
    try:
        yield opened
    finally:
        _listeners.remove(opened)


@cache
def _listen() -> None:
    sys.addaudithook(_note_opened)  # once: audit hooks cannot be removed


def _note_opened(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open" or not _listeners:
        return
    name, _, flags = arguments
    if isinstance(name, str | bytes | os.PathLike) and flags & os.O_ACCMODE == os.O_RDONLY:
        path = Path(os.path.abspath(os.fsdecode(name)))
        for opened in _listeners:
            opened[path] = None
