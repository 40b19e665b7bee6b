"""Files written whole or not at all."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def write(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever reads half of it; its folder is made."""
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
    """Give the SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()
