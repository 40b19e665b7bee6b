"""Where a run leaves its logs: a folder nobody has written in."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import Options

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class Lock:
    """A lock on a folder, held while this object is there; where there are none, nothing."""

    def __init__(self, folder: Path) -> None:
        """Take it.

        Raises:
            BlockingIOError: somebody holds it.
        """
        self._handle = -1
        if fcntl is None:
            return
        self._handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._handle)
            self._handle = -1
            raise

    def __del__(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of a run.

    Attributes:
        path: None when the run leaves nothing.
        made: whether it was made for this run.
        lock: keeps others from taking it for empty while nothing is in it yet.
    """

    path: Path | None = None
    made: bool = False
    lock: Lock | None = None

    def release(self) -> None:
        """Take the folder away again, when nothing was started."""
        if self.path is not None and self.made:
            self.path.rmdir()

    def of(self, community: str, among: int) -> Path | None:
        """Give where one community's logs go: the folder itself if there are no others."""
        if self.path is None or among == 1:
            return self.path
        return self.path / community


def reserve_folder(options: Options, mission: str) -> RunFolder:
    """Make the folder of a run.

    Args:
        options: of which ``log``, ``no_log`` and ``check`` count.
        mission: the mission's name, for a folder of its own: ``logs/<mission>-001``.
    Raises:
        LaunchError: the folder that was asked for cannot be made, or something is in it.
    """
    if options.no_log or options.check:
        return RunFolder()
    if options.log is None:
        return RunFolder(_next_free(Path("logs"), mission), made=True)
    made = not options.log.exists()
    try:
        options.log.mkdir(parents=True, exist_ok=True)
        lock = Lock(options.log)
        if any(options.log.iterdir()):
            raise LaunchError(f"--log {options.log}: expected a new or empty folder")
    except BlockingIOError:
        raise LaunchError(f"--log {options.log}: another launch is to write there") from None
    except OSError as error:
        raise LaunchError(f"--log {options.log}: {error.strerror}") from error
    return RunFolder(options.log, made, lock)


def check_summary_file(file: str) -> None:
    """Check before the run that its summary can be written.

    Args:
        file: of ``--json``.
    Raises:
        LaunchError: it cannot.
    """
    if file in ("", "-"):
        return
    path = Path(file)
    if path.is_dir() or not path.parent.is_dir():
        raise LaunchError(f"--json {file}: expected a file in a folder that is there")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise LaunchError(f"--json {file}: Permission denied")


def write_summary(file: str, text: str) -> None:
    """Write the summary of a run that is over.

    Raises:
        LaunchError: it cannot be written, as on a full disk.
    """
    try:
        Path(file).write_text(text + "\n")
    except OSError as error:
        raise LaunchError(f"--json {file}: {error.strerror}") from error


def _next_free(parent: Path, mission: str) -> Path:
    for number in count(1):
        folder = parent / f"{mission}-{number:03}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise LaunchError(f"{folder}: {error.strerror}; --log DIR, or --no-log") from error
        return folder
    raise AssertionError("unreachable: numbers do not end")
