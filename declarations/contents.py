"""Contents of files and texts from outside."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import get_ident
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


def write_whole(path: Path, contents: str | bytes, *, follow: bool = True) -> None:
    """Write a file, see ``replacing``; a text is in UTF-8, with surrogates for other bytes.

    Args:
        follow: whether of a link the file that it names is replaced, or the link itself: the links
            of a mission's folder lead wherever its author likes.
    """
    if not follow and path.is_symlink():
        path.unlink()
    data = contents if isinstance(contents, bytes) else contents.encode(errors="surrogateescape")
    with replacing(path) as fresh:
        fresh.write_bytes(data)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the path of a file beside another, whose place it takes when the context ends well.

    So a full disk or a kill leaves the old one or the new one. A pipe or a device is written as it
    is; of a link, the file that it names is replaced.

    Raises:
        OSError: it cannot be written; it carries the file's name.
    """
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        whole = path.resolve()
        fresh = whole.with_name(f".{whole.name[:200]}.{os.getpid()}.{get_ident()}.part")
        try:
            yield fresh
            if whole.exists():
                shutil.copymode(whole, fresh)
            fresh.replace(whole)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error


def json_of(text: str | bytes) -> Any:
    """Return the value of a text in JSON.

    Raises:
        ValueError: it is not JSON, or nested deeper than can be read.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("expected JSON that is nested less deep") from None
