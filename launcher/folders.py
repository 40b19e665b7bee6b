"""Log folder of a run, new or empty and locked, and the file of its summary."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from steerageway.declarations import write_whole
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import Options

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class Lock:
    """A file lock on a folder, held as long as this object exists; no effect on Windows."""

    def __init__(self, folder: Path) -> None:
        """Acquire the lock.

        Raises:
            BlockingIOError: another process holds it.
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
        path: None if the run writes no logs.
        made: whether it was created for this run.
        lock: keeps other launches from using it while it is still empty.
    """

    path: Path | None = None
    made: bool = False
    lock: Lock | None = None

    def release(self) -> None:
        """Remove a created folder again if the run was not started."""
        if self.path is not None and self.made:
            with suppress(OSError):  # not empty: what is there already stays
                self.path.rmdir()

    def of(self, community: str, among: int) -> Path | None:
        """Return the log folder of a community; the run's folder if it is the only one."""
        if self.path is None or among == 1:
            return self.path
        return self.path / community


def reserve_folder(options: Options, mission: str) -> RunFolder:
    """Create the folder of a run.

    Args:
        options: of which ``log``, ``no_log`` and ``check`` are used.
        mission: its name, for the default folder ``logs/<mission>-001``.

    Raises:
        LaunchError: the folder cannot be created, is not empty, or is in use by another launch.
    """
    if options.no_log or options.check:
        return RunFolder()
    if options.log is None:
        return RunFolder(_next_free(usual_logs(options), mission), made=True)
    made = not options.log.exists()
    try:
        options.log.mkdir(parents=True, exist_ok=True)
        lock = Lock(options.log)
        if any(options.log.iterdir()):
            raise LaunchError(f"--log {options.log}: expected a new or empty folder")
    except BlockingIOError:
        raise LaunchError(f"--log {options.log}: in use by another launch") from None
    except OSError as error:
        raise LaunchError(f"--log {options.log}: {error.strerror}") from error
    return RunFolder(options.log, made, lock)


def usual_logs(options: Options) -> Path:
    """Return the folder of logs without ``--log``: ``logs`` in the current folder.

    Raises:
        LaunchError: it is a link in a mission's own folder, which would choose where logs go.
    """
    folder, here = Path("logs"), Path.cwd()
    given = [Path(one) for one in options.made_from.values() or options.missions]
    places = {(one if one.is_dir() else one.parent).resolve() for one in given}
    if folder.is_symlink() and here in places:
        raise LaunchError(f"logs: a link in the mission's folder {here}; expected --log DIR")
    return folder


def check_summary_file(file: str, option: str = "--json") -> None:
    """Check before the run that its summary can be written.

    Args:
        file: value of the option.
        option: its name.

    Raises:
        LaunchError: it cannot be written.
    """
    if file in ("", "-"):
        return
    path = Path(file)
    if path.is_dir() or not path.parent.is_dir():
        raise LaunchError(f"{option} {file}: expected a file in an existing folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise LaunchError(f"{option} {file}: Permission denied")


def write_summary(file: str, text: str) -> None:
    """Write the summary of a run to a file.

    Raises:
        LaunchError: it cannot be written, e.g. as the disk is full.
    """
    try:
        write_whole(Path(file), text + "\n")
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
