"""Finds the logs of a path: the file itself, or the logs in a run's folder."""

from __future__ import annotations

from pathlib import Path

from steerageway.moos.errors import FormatError


def logs_at(path: Path) -> list[Path]:
    """Return a log, or all logs in a run's folder.

    Raises:
        FormatError: the folder contains no log.
    """
    if not path.is_dir():
        return [path]
    logs = sorted(log for log in path.rglob("*.alog*") if log.suffix in (".alog", ".gz"))
    if not logs:
        raise FormatError(str(path), "", "", "expected a folder with a log in it, found none")
    return logs


def log_at(path: Path) -> Path:
    """Return a log, or the only one in a run's folder.

    Raises:
        FormatError: the folder contains no log, or several.
    """
    logs = logs_at(path)
    if len(logs) != 1:
        found = ", ".join(str(log.relative_to(path)) for log in logs)
        expected = f"expected one log, as {logs[0]}"
        raise FormatError(str(path), "", "", f"{expected}; found {found}")
    return logs[0]
