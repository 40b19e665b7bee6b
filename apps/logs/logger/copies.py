"""Copies of files that the logger keeps on request; only files of the mission and the run."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from steerageway.apps.logs.logger.files import LogError

LARGEST_COPY = 64 * 1024 * 1024  # bytes
_KEPT_SUFFIXES = {"": "_bak"}


class CopyRefused(Exception):
    """A file is not copied; the message says why."""


class Copies:
    """Keeps copies of files in the folder of a session."""

    def __init__(self, roots: Iterable[Path], named: Iterable[str]) -> None:
        """Set the files that may be copied.

        Args:
            roots: folders whose files may be copied.
            named: files named by the mission itself, anywhere.
        """
        self._roots = [root.resolve() for root in roots]
        self._named = frozenset(named)
        self._kept: dict[Path, tuple[int, int]] = {}  # copy -> inode and time of its original

    def keep(self, start: Path, name: str, folder: Path) -> Path:
        """Copy a file as ``NAME._EXT`` ("alpha.bhv" as "alpha._bhv"), with its mode.

        Args:
            start: folder of relative names.
            name: the file.
            folder: of the copy. The copy of an unchanged file is kept.
        Raises:
            CopyRefused: the file cannot be read, or may not be copied.
            LogError: the copy cannot be written.
        """
        try:
            path = (start / name).resolve(strict=True)
            self._check(path, name, path.stat())
            # Opening a FIFO must not block, and a link put in place of the resolved file must fail.
            source = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except (OSError, ValueError, RuntimeError) as error:
            raise CopyRefused(getattr(error, "strerror", None) or "no file's name") from error
        with os.fdopen(source, "rb") as file:
            status = os.fstat(source)  # checked again, as the file may have been replaced
            self._check(path, name, status)
            suffix = _KEPT_SUFFIXES.get(path.suffix, "_" + path.suffix[1:])
            copy = folder / f"{path.stem}.{suffix}"
            mark = (status.st_ino, status.st_mtime_ns)
            if self._kept.get(copy) != mark:
                _write(copy, file.read(LARGEST_COPY), status.st_mode & 0o777)
                self._kept[copy] = mark
        return copy

    def _check(self, path: Path, name: str, status: os.stat_result) -> None:
        """Check that a file may be copied.

        Raises:
            CopyRefused: it may not; the text says why.
        """
        below = any(path.is_relative_to(root) for root in self._roots)
        if not below and name not in self._named:
            raise CopyRefused("not below the mission's folder or the log's")
        if not stat.S_ISREG(status.st_mode):
            raise CopyRefused("not a file")
        if status.st_size > LARGEST_COPY:
            raise CopyRefused(f"more than {LARGEST_COPY} bytes")


def _write(copy: Path, data: bytes, mode: int) -> None:
    """Write a copy that is at no time readable by users who may not read the original."""
    fresh = copy.with_name(f".{copy.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        fresh.chmod(mode)
        fresh.replace(copy)
    except OSError as error:
        raise LogError(copy, error.strerror or str(error)) from error
