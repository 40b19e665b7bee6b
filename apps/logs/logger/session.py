"""A logging session: one set of log files in its own folder."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from steerageway.apps.logs.logger.files import (
    CompressedLogFile,
    LogError,
    LogFile,
    LogInParts,
    PartLimit,
)
from steerageway.apps.logs.logger.sync import SyncTable
from steerageway.apps.shared.log_files import bridge
from steerageway.bus import Message
from steerageway.declarations import write_whole
from steerageway.moos.alog import banner


def stamped(stem: str, utc: float) -> str:
    """Append a date to a stem as MOOS-IvP does: ``LOG_2_6_2026_____01_38_39``, in UTC."""
    when = datetime.fromtimestamp(utc, UTC)
    return f"{stem}_{when.day}_{when.month}_{when.year}_____{when:%H_%M_%S}"


class Session:
    """The files of one session.

    Args:
        root: the folder of this run's logs.
        directory: the session's folder below it ("LOG_ALPHA_2_6_2026_____01_38_39"); its last part
            is also the stem of the files. The banners name nothing above it: a log has the same
            bytes wherever it is written.
        opened: UTC [s] now.
        start: UTC [s] of time zero.
        marks: whether values carry type marks.
        compressed: whether the .alog and the .xlog are compressed.
        exclusions: whether there is an .xlog.
        community: the community, if the .alog has a copy as .mcap; "": there is none.
        limit: of each part of the .alog; None: it is one file.

    Raises:
        LogError: a folder or a file cannot be created, or a file is not empty.
    """

    def __init__(
        self,
        root: Path,
        directory: str,
        *,
        opened: float,
        start: float,
        marks: bool,
        compressed: bool,
        exclusions: bool,
        community: str = "",
        limit: PartLimit | None = None,
    ) -> None:
        self.folder = root / directory
        self.directory = f"./{self.folder.relative_to(root).as_posix()}"
        self._opened, self._start, self._marks = opened, start, marks
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LogError(self.folder, error.strerror or str(error)) from error
        kind, ending = (CompressedLogFile, ".gz") if compressed else (LogFile, "")
        self._files: list[LogFile] = []
        path = self.path(".alog" + ending)
        alog = kind(path) if limit is None else LogInParts(path, kind, limit, self._banner)
        self._copy = self._copy_of(alog, community) if community else None
        self.alog = self._begin(alog)
        self.xlog = self._begin(kind(self.path(".xlog" + ending))) if exclusions else None
        self.ylog = self._begin(LogFile(self.path(".ylog")))
        self.slog: LogFile | None = None
        self._blog = LogFile(self.path(".blog"))
        self._files.append(self._blog)

    def path(self, suffix: str) -> Path:
        """Return the path of the session's file with a suffix."""
        return self.folder / f"{self.folder.name}{suffix}"

    def begin_sync(self, table: SyncTable, time: float) -> None:
        """Open the .slog with a table, at a log time [s]."""
        self.slog = self._begin(LogFile(self.path(".slog")))
        self.slog.lines += [table.legend(self.slog.size), table.labels(time)]
        self.slog.flush()

    def mark(self, comment: str) -> None:
        """Write a comment line to the .alog and the .xlog."""
        for file in (self.alog, self.xlog):
            if file is not None:
                file.lines.append(comment)
                file.flush()

    def name_in(self, summary: Path) -> None:
        """Write the session's folder to a summary file, by which others find the latest log."""
        try:
            write_whole(summary, f"LastOpenedLoggingDirectory={self.directory}\n")
        except OSError as error:
            raise LogError(summary, error.strerror or str(error)) from error

    def flush(self) -> None:
        """Write the pending lines of all files."""
        for file in self._files:
            file.flush()

    def close(self) -> None:
        """Write the pending lines, and close all files."""
        for file in self._files:
            file.close()
        if self._copy is not None:
            self._copy.close()

    def _copy_of(self, alog: LogFile, community: str) -> Any:
        """Return an MCAP file that gets the lines of the .alog."""
        path = self.path(".mcap")
        kind = bridge("mcap.file", "mcap", "mcap").LogCopy
        try:
            copy = kind(path, alog.path, community, self._start, marks=self._marks)
        except OSError as error:
            raise LogError(path, error.strerror or str(error)) from error
        alog.copy = copy.take
        return copy

    def keep_binary(self, head: str, value: bytes) -> tuple[str, int]:
        """Write a binary value to the .blog.

        Args:
            head: the text before the value in the .alog.
        Returns:
            The name of the .blog, and the value's offset in it.
        """
        start = head.encode("utf-8", "backslashreplace")
        offset = self._blog.size + len(start)
        self._blog.write(start + value + b"\n")
        return self._blog.path.name, offset

    def keep_mission(self, mission: Path) -> None:
        """Copy the mission file, with a banner before it.

        Raises:
            LogError: it cannot be read or written.
        """
        path = self.path("._moos")
        file = LogFile(path)
        file.lines.append(self._banner(path))
        file.flush()
        try:
            file.write(mission.read_bytes())
        except OSError as error:
            raise LogError(path, error.strerror or str(error)) from error
        finally:
            file.close()

    def note_system(self, message: Message, time: float) -> None:
        """Write a message to the .ylog.

        Args:
            time: of the message, since LOGSTART [s].
        """
        value = message.value
        text = f"{value:.7g}" if isinstance(value, float) else str(value).replace("\n", "")
        stamp = f"{time:.7g}"
        self.ylog.lines.append(f"{stamp:<10} {message.name:<20} {message.source:<20} {text:<20} \n")

    def _begin(self, file: LogFile) -> LogFile:
        self._files.append(file)
        file.lines.append(self._banner(file.path))
        file.flush()
        return file

    def _banner(self, path: Path) -> str:
        name = f"{self.directory}/{path.name}"
        return banner(name, self._opened, self._start, marks=self._marks)
