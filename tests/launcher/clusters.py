"""A Dask cluster of real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from steerageway.bus import sleep, wall

PATIENCE = 120  # wall seconds
DASK = [sys.executable, "-m", "distributed.cli.dask_spec"]
QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class DaskProcesses:
    """A scheduler and two workers of one thread.

    Attributes:
        address: of the scheduler.
        workers: name -> process.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, file = folder, folder / "scheduler.json"
        options = {"port": 0, "dashboard": False, "scheduler_file": str(file)}
        self._scheduler = self._start({"cls": "dask.distributed.Scheduler", "opts": options})
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        deadline = wall() + PATIENCE
        while not (file.exists() and file.read_text().endswith("}")):
            assert wall() < deadline
            sleep(0.02)
        self.address = str(json.loads(file.read_text())["address"])
        for name in ("a", "b"):
            self.add(name)
        self.addresses()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for name in list(self.workers):
            self.kill(name)
        self._scheduler.kill()
        self._scheduler.wait()

    def add(self, name: str, **environment: str) -> None:
        """Start a further worker."""
        options = {"nthreads": 1, "dashboard": False, "name": name}
        spec = {"cls": "dask.distributed.Worker", "opts": options}
        self.workers[name] = self._start(spec, self.address, **environment)

    def kill(self, name: str) -> None:
        """Kill a worker."""
        process = self.workers.pop(name)
        process.kill()
        process.wait()

    def addresses(self) -> dict[str, str]:
        """Return the addresses of the workers by name, once all are there."""
        from distributed import Client

        with Client(self.address, timeout=PATIENCE) as client:
            client.wait_for_workers(len(self.workers), timeout=PATIENCE)
            found = client.scheduler_info()["workers"]
        return {one["name"]: address for address, one in found.items()}

    def _start(
        self, spec: dict[str, Any], *more: str, **environment: str
    ) -> subprocess.Popen[bytes]:
        command = [*DASK, "--spec", json.dumps(spec), *more]
        return subprocess.Popen(command, cwd=self._folder, env=os.environ | environment, **QUIET)
