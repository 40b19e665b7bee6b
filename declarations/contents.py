"""Contents of files and texts from outside."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def bytes_of(path: Path, most: int) -> bytes:
    """Return the contents of a file, of one that is too large ``most`` + 1 bytes of them.

    A pipe that nobody writes is empty, so that a file's name makes nobody wait for ever.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        return file.read(most + 1)


def _without_waiting(path: str, flags: int) -> int:
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # Windows has none
    if os.name != "nt":
        os.set_blocking(handle, True)
    return handle


def json_of(text: str | bytes) -> Any:
    """Return the value of a text in JSON.

    Raises:
        ValueError: it is not JSON, or nested deeper than can be read.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("expected JSON that is nested less deep") from None
