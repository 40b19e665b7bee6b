"""Start page of the viewer: lists of missions, logs, vessels and running missions.

Missions, logs and vessels are searched in the folders of the command line; running missions are
found by their run files, as consoles do. Only what is listed here, or was named on the command
line, may be opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from steerageway.apps.shared.log_files import logs_at
from steerageway.apps.shared.run_files import runs_under_way
from steerageway.declarations import finite
from steerageway.moos.errors import FormatError
from steerageway.web.viewer.log_set import RUN_FILE, folder_of, homes_of, run_of
from steerageway.web.viewer.sources import title_of_run

MOST = 500  # limit of entries of each list
DEEPEST = 3  # depth of the search below a root
SKIPPED = ("node_modules", "__pycache__")
LOG = ".alog"
TAIL = 1 << 16  # bytes at the end of a log in which its last time is searched
VESSEL_FILE = "geometry.yml"


class StartPage:
    """The missions, logs and vessels below some folders, and the running missions.

    Args:
        roots: the folders.
        named: logs from the command line.
    """

    def __init__(self, roots: Sequence[Path], named: Sequence[Path] = ()) -> None:
        self.roots = [root.resolve() for root in roots if root.is_dir()]
        self._named = {str(path): path.resolve() for path in named}

    def allow(self, path: Path) -> None:
        """Allow opening a further log or run's folder."""
        self._named[str(path)] = path.resolve()

    def missions(self) -> list[dict[str, str]]:
        """List the missions: folders with a mission file that are not folders of runs or logs."""
        found: dict[Path, dict[str, str]] = {}
        for folder in self._folders():
            files = sorted(folder.glob("*.moos")) or sorted(folder.glob("simulation_input.yml"))
            if files and not ((folder / RUN_FILE).is_file() or any(folder.glob(f"*{LOG}"))):
                about = {"title": folder.name, "about": _about(folder)}
                found[folder] = {"path": str(folder), **about}
        return list(found.values())[:MOST]

    def runs(self) -> list[dict[str, Any]]:
        """List the running missions."""
        return [
            {
                "address": about["address"],
                "title": title_of_run(about),
                "communities": about["communities"],
            }
            for about in runs_under_way()
        ]

    def logs(self) -> list[dict[str, Any]]:
        """List the logged runs, the latest first."""
        found = {path: _logs_in(path) for path in self._named.values()}
        for folder in self._folders():
            for log in sorted((*folder.glob(f"*{LOG}"), *folder.glob(f"*{LOG}.gz"))):
                if not any(parent in self._named.values() for parent in log.parents):
                    found.setdefault(folder_of(log) or log, []).append(log)
        rows = [self._log(path, logs) for path, logs in found.items()]
        rows.sort(key=lambda row: str(row["modified"]), reverse=True)
        return rows[:MOST]

    def vessels(self) -> list[dict[str, Any]]:
        """List the vessels."""
        folders = [one for one in self._folders() if (one / VESSEL_FILE).is_file()]
        return [{"name": one.name, "path": str(one)} for one in folders][:MOST]

    def vessel(self, path: str) -> str:
        """Return the path of a vessel, or "", unchanged.

        Raises:
            PermissionError: the vessel is not listed.
        """
        if path and path not in {row["path"] for row in self.vessels()}:
            raise PermissionError(f"{path}: not among the vessels below the folders of the viewer")
        return path

    def mission(self, path: str) -> Path:
        """Return the path of a mission.

        Raises:
            PermissionError: the mission is not listed.
        """
        if path not in {row["path"] for row in self.missions()}:
            raise PermissionError(f"{path}: not among the missions below the folders of the viewer")
        return Path(path)

    def log(self, path: str) -> Path:
        """Return the path of a log or a run's folder.

        Raises:
            PermissionError: it is neither below the folders nor named on the command line.
        """
        if path in self._named:
            return self._named[path]
        real = Path(path).resolve()
        if real in self._named.values() or any(real.is_relative_to(root) for root in self.roots):
            return real
        raise PermissionError(f"{path}: not below the folders of the viewer")

    def run(self, address: str) -> str:
        """Return the address of a running mission unchanged.

        Raises:
            PermissionError: there is no running mission at this address.
        """
        if address not in {about["address"] for about in runs_under_way()}:
            raise PermissionError(f"{address}: no running mission at this address")
        return address

    def _folders(self) -> Iterator[Path]:
        """Yield the roots and the folders in them, in order, without hidden ones."""
        for root in self.roots:
            yield root
            for folder, names, _ in os.walk(root):
                depth = len(Path(folder).relative_to(root).parts)
                names[:] = sorted(
                    name for name in names if not name.startswith(".") and name not in SKIPPED
                )
                for name in names:
                    yield Path(folder) / name
                if depth + 1 >= DEEPEST:
                    names.clear()

    def _log(self, path: Path, logs: Sequence[Path]) -> dict[str, Any]:
        files = [log for log in logs if log.is_file()]
        sizes = [log.stat() for log in files]
        latest = max((one.st_mtime for one in sizes), default=0.0)
        return {
            "path": str(path),
            "title": path.name,
            "bytes": sum(one.st_size for one in sizes),
            "modified": datetime.fromtimestamp(latest, UTC).isoformat(timespec="seconds"),
            "files": len(files),
            "mission": _mission_of(path),
            "outcome": str(run_of(path).get("outcome", "")),
            "seconds": max((s for s in map(_length_of, files) if s is not None), default=None),
        }


def _mission_of(path: Path) -> str:
    """Return the mission of a run's log: the folder of its file; "" if it is not known."""
    return ", ".join(dict.fromkeys(home.name for home in homes_of(path).values()))


def _length_of(log: Path) -> float | None:
    """Return the time of a log's last message [s]; None if it is not known without unpacking."""
    if log.suffix != LOG:
        return None
    with log.open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - TAIL))
        lines = file.read().splitlines()
    times = (
        finite(line.split(None, 1)[0].decode("ascii", "replace"))
        for line in lines[1:]
        if line.strip()
    )
    return max((time for time in times if time is not None), default=None)


def _logs_in(path: Path) -> list[Path]:
    try:
        return logs_at(path)
    except FormatError:
        return []


def _about(folder: Path) -> str:
    """Return the first line of text in a mission's README, unquoted; "" without one."""
    readme = folder / "README.md"
    if not readme.is_file():
        return ""
    for line in readme.read_text("utf-8", "replace").splitlines():
        text = line.strip()
        if text and not text.startswith(("#", "!", "[", "|", "```")):
            return text.replace("`", "")
    return ""
