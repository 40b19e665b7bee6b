"""The files by which consoles find a run.

They hold the token that clients need. ``run.json`` lies in the run's folder while it goes on and
after; a copy named after the process lies in the user's runtime folder while it goes on.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runtime import is_there, runtime_folder

RUN_FILE = "run.json"
_OWNER_ONLY = 0o600


class RunFile:
    """What a run has written down of itself."""

    def __init__(self, plan: RunPlan, about: Mapping[str, Any], port: int) -> None:
        """Write it down.

        Args:
            plan: the run's.
            about: what newcomers are told of it.
            port: of its server.
        """
        where = {"address": f"tcp://{plan.host}:{port}", "host": this_host()}
        token = {"token": plan.token} if plan.token else {}
        text = json.dumps({**about, **where, **token, "parent": os.getppid()}, indent=1) + "\n"
        self._path = runtime_folder() / f"{os.getpid()}.json"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            _replace(self._path, text)
        except OSError as error:  # a full disk, say: the run is none the worse for it
            print(f"no console will find this run by itself: {error}", file=sys.stderr)
        if plan.run_folder is not None:
            _replace(plan.run_folder / RUN_FILE, text)

    def remove(self) -> None:
        """Take back what is only for the time the run goes on."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def this_host() -> str:
    """Return this machine's name: several may share a user's folders."""
    return os.uname().nodename


def is_left(path: Path) -> bool:
    """Whether a file in the runtime folder is of a run of this machine that is no more."""
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        return about.get("host", this_host()) == this_host() and not is_there(about["pid"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False


def _replace(path: Path, text: str) -> None:
    """Write a file so that nobody ever reads half of it, and nobody else reads it at all."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)
