"""Budget of bytes for the logs of failed runs, of which a campaign may have thousands."""

from __future__ import annotations

import shutil
from pathlib import Path

from steerageway.launcher.sweep.results import RUNS, log_folder

MEGA = 10**6


class LogBudget:
    """The bytes that logs of failed runs may still take."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        """Count the logs that are there.

        Args:
            folder: of the sweep.
            megabytes: of all logs in it.
        """
        self._folder = folder
        logs = [path for path in (folder / RUNS).glob("*") if path.is_dir()]
        self._left = megabytes * MEGA - sum(map(_size, logs))

    def take(self, number: int) -> None:
        """Count a run's logs, and remove them if they exceed the budget."""
        log = log_folder(self._folder, number)
        size = _size(log)
        if size > self._left:
            shutil.rmtree(log)
            self._left = 0
        else:
            self._left -= size

    @property
    def is_spent(self) -> bool:
        """Whether no further logs fit."""
        return self._left <= 0


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
