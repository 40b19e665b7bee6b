"""Atomic writing of files, and their digest."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def write(path: Path, data: bytes) -> None:
    """Write a file atomically, by renaming a temporary one; create its folder if necessary."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()
