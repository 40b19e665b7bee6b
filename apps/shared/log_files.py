"""Finds the logs of a path: the file itself, the logs in a run's folder, or in its MCAP file."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from steerageway.diagnostics.diagnostic import listed
from steerageway.moos.alog import logs_in, only_log
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

    ``run.mcap/abe`` are those of one community in such a file.

    Raises:
        FormatError: the folder contains no log, or the file no such community.
    """
    for file in (path, *path.parents):
        if file.suffix.lower() == MCAP and (file == path or file.is_file()):
            whole = bridge("mcap.file", "mcap", "mcap").unpacked(file)
            part = whole / path.relative_to(file)
            if ".." in part.parts or not part.exists():
                names = listed(sorted(one.name for one in whole.iterdir()))
                raise FormatError(str(path), "", "", f"expected {file}/NAME, NAME one of {names}")
            path = part
            break
    return logs_in(path) if path.is_dir() else [path]


def log_at(path: Path) -> Path:
    """Return a log, or the only one in a run's folder.

    Raises:
        FormatError: the folder contains no log, or several.
    """
    return only_log(logs_at(path), path)
