"""What runs have written down of themselves, for consoles to find them by."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from steerageway.bus import is_there, runtime_folder, this_host

FIELDS = {"address": str, "communities": list, "pid": int}
_MANY = 4  # communities of a run that are all named


def runs_under_way() -> Iterator[dict[str, Any]]:
    """Give what the user's runs have written down of themselves, if they are still there."""
    for path in sorted(runtime_folder().glob("*.json")):
        about = read_run_file(path)
        if about is not None and is_alive(about):
            yield about


def read_run_file(path: Path) -> dict[str, Any] | None:
    """Read what a run has written down of itself; None if it has just ended, or it is damaged."""
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    is_whole = isinstance(about, dict) and all(
        isinstance(about.get(field), kind) for field, kind in FIELDS.items()
    )
    if not is_whole:
        return None
    return about if isinstance(about.get("files"), dict) else {**about, "files": {}}


def begun_by(pid: int) -> str:
    """Give the address of the run that a process has launched; "" while there is none.

    The broker is that process itself, or a child of it.
    """
    for about in runs_under_way():
        if pid in (about["pid"], about.get("parent")):
            return str(about["address"])
    return ""


def is_alive(about: Mapping[str, Any]) -> bool:
    """Whether a run is still there; one of another machine that shares our folders is not here."""
    return about.get("host", this_host()) == this_host() and is_there(about["pid"])


def communities_of(about: Mapping[str, Any], path: Path) -> list[str]:
    """Give the communities of a run that were launched from a file, or from one in a folder."""
    wanted = path.resolve()
    files = {name: Path(file) for name, file in about.get("files", {}).items()}
    return [name for name, file in files.items() if wanted in (file, file.parent)]


def listed(found: Sequence[Mapping[str, Any]]) -> str:
    """Name some runs."""
    return ", ".join(map(_line, found))


def _line(about: Mapping[str, Any]) -> str:
    """Name a run: its address, its communities, the files that it was launched from."""
    names = about["communities"]
    who = ", ".join(names) if len(names) <= _MANY else f"{names[0]} and {len(names) - 1} more"
    files = dict.fromkeys(_short(file) for file in about.get("files", {}).values())
    source = f" of {', '.join(files)}" if files else ""
    return f"{about['address'].removeprefix('tcp://')} ({who}{source})"


def _short(file: str) -> str:
    """Give a path as it can be typed here."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
