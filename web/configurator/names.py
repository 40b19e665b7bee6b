"""Valid names of vessels and their files; the files in a vessel's folder, and their digest."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath

from steerageway.declarations import write_whole

VESSEL = re.compile(r"[A-Za-z0-9][\w.\-]{0,63}")
PART = re.compile(r"[^\x00-\x1f/\\:*?\"<>|]{1,120}")
DEEPEST = 8  # folders of a file
MOST_FILES = 200
MOST_BYTES = 100 << 20  # of a vessel


class BadName(ValueError):
    """A name that is not valid; the text says which are."""


def vessel_name(name: str) -> str:
    """Return a vessel's name unchanged, if it is valid.

    Raises:
        BadName: it is not a folder name on every operating system.
    """
    if not VESSEL.fullmatch(name) or ".." in name:
        raise BadName(f"{name!r}: expected a name of letters, digits, - and _, at most 64")
    return name


def file_name(name: str) -> str:
    """Return a file's path relative to its vessel's folder, with slashes.

    Raises:
        BadName: it is outside of the folder, hidden, or nested too deep.
    """
    path = PurePosixPath(name)
    if (
        not path.parts
        or path.is_absolute()
        or len(path.parts) > DEEPEST
        or any(part.startswith(".") or not PART.fullmatch(part) for part in path.parts)
    ):
        raise BadName(f"{name!r}: expected a path below the vessel's folder, without . and ..")
    return str(path)


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files of a vessel's folder by name, without hidden ones and links.

    Raises:
        BadName: there are too many files, or they are too large.
    """
    found: dict[str, Path] = {}
    size = 0
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
        if hidden or path.is_symlink() or not path.is_file():
            continue
        found[file_name("/".join(parts))] = path
        size += path.stat().st_size
        if len(found) > MOST_FILES or size > MOST_BYTES:
            most = f"at most {MOST_FILES} files and {MOST_BYTES >> 20} MB"
            raise BadName(f"{folder}: expected a vessel's folder, {most}")
    return found


def write(path: Path, data: bytes) -> None:
    """Write a file whole, not through a link; create its folder if necessary."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data, follow=False)


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()
