"""Where a run leaves its logs: a folder nobody has written in."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from launcher.errors import LaunchError
from launcher.options import Options


def reserve_folder(options: Options, mission: str) -> Path | None:
    """Make the folder of a run; None when it leaves nothing.

    Args:
        options: of which ``log``, ``no_log`` and ``check`` count.
        mission: the mission's name, for a folder of its own: ``logs/<mission>-001``.
    Raises:
        LaunchError: the folder that was asked for cannot be made, or something is in it.
    """
    if options.no_log or options.check:
        return None
    if options.log is None:
        return _next_free(Path("logs"), mission)
    try:
        options.log.mkdir(parents=True, exist_ok=True)
        if any(options.log.iterdir()):
            raise LaunchError(f"--log {options.log}: expected a new or empty folder")
    except OSError as error:
        raise LaunchError(f"--log {options.log}: {error.strerror}") from error
    return options.log


def check_summary_file(file: str) -> None:
    """Check before the run that its summary can be written.

    Args:
        file: of ``--json``.
    Raises:
        LaunchError: it cannot.
    """
    path = Path(file)
    if file not in ("", "-") and (path.is_dir() or not path.parent.is_dir()):
        raise LaunchError(f"--json {file}: expected a file in a folder that is there")


def release_folder(folder: Path | None) -> None:
    """Remove a reserved folder, when nothing was started."""
    if folder is not None:
        folder.rmdir()


def log_folder(folder: Path | None, community: str, among: int) -> Path | None:
    """Give the folder of one community's logs: the run's own if there are no others."""
    if folder is None or among == 1:
        return folder
    return folder / community


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
