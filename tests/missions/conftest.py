"""Whole missions, launched as a user launches them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from steerageway.moos.alog import Entry, read_entries

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """A run that has ended: exit code, summary, and log folder."""

    code: int
    summary: dict[str, Any]
    folder: Path
    said: str

    def entries(self) -> list[Entry]:
        """Return all entries of the log."""
        (log,) = self.folder.rglob("*.alog")
        return list(read_entries(log))


Launch = Callable[..., Ended]


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    """Return a function that launches a mission as a separate process."""
    return launching(tmp_path)


def launching(place: Path) -> Launch:
    """Return a function that launches missions; the folders of their runs lie in a place."""
    count = 0

    def run(mission: Path, *arguments: str, logs: bool = True) -> Ended:
        nonlocal count
        count += 1
        folder, summary = place / f"run{count}", place / f"run{count}.json"
        log = ("--log", str(folder)) if logs else ("--no-log",)
        command = [sys.executable, str(ROOT / "launch.py"), str(mission), *log, *arguments]
        if "one" not in arguments:
            command += ["--port", "auto"]
        command += ["--json", str(summary)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        figures = json.loads(summary.read_text()) if summary.exists() else {}
        return Ended(ended.returncode, figures, folder, ended.stdout + ended.stderr)

    return run
