"""Finds the logs of a path: the file itself, the logs in a run's folder, or in its MCAP file."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from steerageway.moos.errors import FormatError

MCAP = ".mcap"


def bridge(module: str, package: str, extra: str) -> ModuleType:
    """Load a module of ``bridges/``, which needs a package of an extra.

    Raises:
        FormatError: the package is not installed.
    """
    if find_spec(package) is None:
        raise FormatError("", "", "", f"needs {package}: pip install 'steerageway[{extra}]'")
    return import_module(f"steerageway.bridges.{module}")


def logs_at(path: Path) -> list[Path]:
    """Return a log, or all logs in a run's folder, or copies of those in the MCAP file of a run.

    Raises:
        FormatError: the folder contains no log.
    """
    if path.suffix.lower() == MCAP:
        path = bridge("mcap.file", "mcap", "mcap").unpacked(path)
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
        root = path if path.is_dir() else logs[0].parents[2]
        found = ", ".join(str(log.relative_to(root)) for log in logs)
        expected = f"expected one log, as {logs[0]}"
        raise FormatError(str(path), "", "", f"{expected}; found {found}")
    return logs[0]
