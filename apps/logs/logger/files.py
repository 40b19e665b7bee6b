"""Log files that contain only whole lines, also when the disk is full.

If the process is killed during a write, the file may end with part of a line, which readers of logs
ignore (``moos.alog``).
"""

from __future__ import annotations

import os
import re
import stat
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path

from steerageway.bus import CannotGoOn
from steerageway.declarations import finite
from steerageway.moos.alog import part_path

_GZIP = 31  # selects a gzip header in zlib
_LIMIT = re.compile(r"(\S+?)\s*([A-Za-z]+)")
_BYTES = {"kb": 1e3, "mb": 1e6, "gb": 1e9}
_SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}


class LogError(CannotGoOn):
    """A log cannot be written.

    Attributes: path, reason.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: cannot write the log: {reason}")


class LogFile:
    """A file that is written line by line, and to the disk with each ``flush``.

    Attributes:
        path: the file.
        lines: whole lines, with line ends, that the next flush will write.
        size: bytes written.
        copy: called with the lines of each flush; None: there is no copy.
    """

    def __init__(self, path: Path) -> None:
        """Create the file.

        Raises:
            LogError: it cannot be created, or is not empty.
        """
        self.path = path
        self.lines: list[str] = []
        self.size = 0
        self.copy: Callable[[str], None] | None = None
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise LogError(path, error.strerror or str(error)) from error
        status = os.fstat(self._file)
        self._can_be_cut = stat.S_ISREG(status.st_mode)
        if self._can_be_cut and status.st_size:
            os.close(self._file)
            raise LogError(
                path, "there is one already; expected a fresh folder for this run's logs"
            )

    def flush(self) -> None:
        """Write the pending lines.

        Raises:
            LogError: the disk is full; the file ends with the last complete line.
        """
        if self.lines:
            text = "".join(self.lines)
            self.lines.clear()
            if self.copy is not None:
                self.copy(text)
            self.write(text.encode("utf-8", "backslashreplace"))

    def write(self, data: bytes) -> None:
        """Write whole lines, or a whole record.

        Raises:
            LogError: as ``flush``.
        """
        done = 0
        try:
            while done < len(data):
                done += os.write(self._file, data[done:])
        except OSError as error:
            if self._can_be_cut:
                # Cut off the incomplete line, so that readers find whole lines only.
                os.ftruncate(self._file, self.size + self._whole(data[:done]))
            raise LogError(self.path, error.strerror or str(error)) from error
        self.size += done

    def rewrite(self, offset: int, data: bytes) -> None:
        """Overwrite the data at an offset."""
        os.pwrite(self._file, data, offset)

    def close(self) -> None:
        """Write the pending lines, and close the file."""
        self.flush()
        os.close(self._file)

    def _whole(self, written: bytes) -> int:
        """Return how many bytes of an interrupted write to keep."""
        return written.rfind(b"\n") + 1


class CompressedLogFile(LogFile):
    """A log file in gzip format; all flushed data can be read, even from an incomplete file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._squeeze = zlib.compressobj(wbits=_GZIP)

    def write(self, data: bytes) -> None:
        squeeze = self._squeeze
        super().write(squeeze.compress(data) + squeeze.flush(zlib.Z_SYNC_FLUSH))

    def close(self) -> None:
        self.flush()
        super().write(self._squeeze.flush(zlib.Z_FINISH))
        super().close()

    def _whole(self, written: bytes) -> int:
        # Part of a compressed block cannot be read at all.
        return 0


@dataclass(frozen=True, slots=True)
class PartLimit:
    """When a log goes on in another part: the limit is of its bytes or of its log time [s]."""

    size: float = inf
    seconds: float = inf


def parse_part_limit(text: str) -> PartLimit | None:
    """Parse ``200 MB`` or ``6 h``; None for an empty text.

    Raises:
        ValueError: the unit is unknown, or the number not above zero.
    """
    if not text.strip():
        return None
    match = _LIMIT.fullmatch(text.strip())
    value = finite(match[1]) if match else None
    unit = match[2].lower() if match else ""
    if value is None or value <= 0 or unit not in {**_BYTES, **_SECONDS}:
        units = ", ".join((*_BYTES, *_SECONDS))
        raise ValueError(f"expected a number above 0 with a unit: {units}")
    if unit in _BYTES:
        return PartLimit(size=value * _BYTES[unit])
    return PartLimit(seconds=value * _SECONDS[unit])


class LogInParts(LogFile):
    """A log that goes on in another file whenever a limit is reached.

    The lines alone decide, not when they are flushed, so the parts are the same however the
    messages arrive.
    """

    def __init__(
        self,
        path: Path,
        kind: Callable[[Path], LogFile],
        limit: PartLimit,
        banner: Callable[[Path], str],
    ) -> None:
        """Create the first part.

        Args:
            path: of the first part.
            kind: opens a file.
            limit: of each part.
            banner: returns the first lines of a part, from the second.

        Raises:
            LogError: it cannot be created, or is not empty.
        """
        self.path, self.lines, self.copy = path, [], None
        self._kind, self._limit, self._banner = kind, limit, banner
        self._part, self._number = kind(path), 1
        self._bytes, self._until, self._is_empty = 0, limit.seconds, True

    def flush(self) -> None:
        self._part.copy = self.copy
        for line in self.lines:
            size = len(line.encode("utf-8", "backslashreplace"))
            if self._is_full(line, size):
                self._begin_part()
            self._bytes += size
            self._is_empty = False
            self._part.lines.append(line)
        self.lines.clear()
        self._part.flush()

    def close(self) -> None:
        self.flush()
        self._part.close()

    def _is_full(self, line: str, size: int) -> bool:
        """Whether a line belongs to the next part; a part has at least one line."""
        if self._is_empty:
            return False
        if self._bytes + size > self._limit.size:
            return True
        stamp = finite(line.partition(" ")[0]) if self._until < inf else None
        if stamp is None or stamp < self._until:
            return False
        self._until = self._limit.seconds * (stamp // self._limit.seconds + 1)
        return True

    def _begin_part(self) -> None:
        self._part.flush()
        self._part.close()
        self._number += 1
        path = part_path(self.path, self._number)
        self._part = self._kind(path)
        banner = self._banner(path)
        self._part.lines.append(banner)
        self._part.flush()  # without the copy, which has one banner
        self._part.copy = self.copy
        self._bytes, self._is_empty = len(banner.encode()), True
