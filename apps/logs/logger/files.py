"""Log files that contain only whole lines, also when the disk is full.

If the process is killed during a write, the file may end with part of a line, which readers of logs
ignore (``moos.alog``).
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable
from pathlib import Path

from steerageway.bus import CannotGoOn

_GZIP = 31  # selects a gzip header in zlib


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
