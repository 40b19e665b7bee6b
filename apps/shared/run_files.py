"""Run files (``run.json``), by which consoles find running missions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from steerageway.bus import is_there, runtime_folder, this_host
from steerageway.declarations import json_of
from steerageway.diagnostics.diagnostic import listed
from steerageway.vessel.fossen.keys.simulation import SUFFIXES

FIELDS = {"address": str, "communities": list, "pid": int}
MAIN_FILES = SUFFIXES  # of Panisim: a main file is launched like a mission file


def runs_under_way() -> Iterator[dict[str, Any]]:
    """Yield the contents of the user's run files whose runs still exist."""
    for path in sorted(runtime_folder().glob("*.json")):
        about = read_run_file(path)
        if about is not None and is_alive(about):
            yield about


def read_run_file(path: Path) -> dict[str, Any] | None:
    """Read a run file; None if it has just been removed, or is damaged."""
    try:
        about = json_of(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    is_whole = isinstance(about, dict) and all(
        isinstance(about.get(field), kind) for field, kind in FIELDS.items()
    )
    if not is_whole:
        return None
    return about if isinstance(about.get("files"), dict) else {**about, "files": {}}


def begun_by(pid: int) -> str:
    """Return the address of the run launched by a process; "" while there is none.

    The broker is that process itself, or a child of it.
    """
    for about in runs_under_way():
        if pid in (about["pid"], about.get("parent")):
            return str(about["address"])
    return ""


def is_alive(about: Mapping[str, Any]) -> bool:
    """Whether a run still exists, on this machine: folders may be shared between machines."""
    return about.get("host", this_host()) == this_host() and is_there(about["pid"])


def communities_of(about: Mapping[str, Any], path: Path) -> list[str]:
    """Return the communities of a run launched from a file, or from one in a folder."""
    resolved = path.resolve()
    files = {name: Path(file) for name, file in about.get("files", {}).items()}
    return [name for name, file in files.items() if resolved in (file, file.parent)]


def described(found: Iterable[Mapping[str, Any]]) -> str:
    """Return the descriptions of some runs as text."""
    return ", ".join(map(_line, found))


def _line(about: Mapping[str, Any]) -> str:
    """Return a run's description: its address, communities, mission files and log folder."""
    files = dict.fromkeys(_short(file) for file in about["files"].values())
    source = f" of {listed(list(files))}" if files else ""
    place = f", in {_short(about['folder'])}" if about.get("folder") else ""
    address = about["address"].removeprefix("tcp://")
    return f"{address} ({listed(about['communities'])}{source}{place})"


def _short(file: str) -> str:
    """Return a path relative to the working directory, if it is within."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
