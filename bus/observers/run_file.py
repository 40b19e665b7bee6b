"""``RunFile``: files by which consoles find a run.

They contain the token that clients need. ``run.json`` stays in the run's folder; a copy named after
the process is in the user's runtime folder while the run goes on.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from steerageway.bus.core.errors import ServerError
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runtime import is_there, runtime_folder
from steerageway.declarations import json_of

RUN_FILE = "run.json"
_OWNER_ONLY = 0o600


class RunFile:
    """The files of one run."""

    def __init__(self, plan: RunPlan, about: Mapping[str, Any], port: int) -> None:
        """Write them.

        Args:
            plan: the run's.
            about: what clients are told of the run.
            port: of its server.
        Raises:
            ServerError: the run's own folder cannot be written to, e.g. as the disk is full.
        """
        where = {"address": f"tcp://{plan.host}:{port}", "host": this_host()}
        how = {"token": plan.token} if plan.token else {"keys": True} if plan.keys else {}
        self._about = {**about, **where, **how, "parent": os.getppid()}
        self._kept = None if plan.run_folder is None else plan.run_folder / RUN_FILE
        text = _text(self._about)
        self._path = runtime_folder() / f"{os.getpid()}.json"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            _replace(self._path, text)
        except OSError as error:  # e.g. a full disk; the run continues without it
            print(f"no console will find this run by itself: {error}", file=sys.stderr)
        if self._kept is not None:
            try:
                _replace(self._kept, text)
            except OSError as error:
                self.remove()
                raise ServerError(f"{self._kept}: {error.strerror}") from error

    def finish(self, outcome: str) -> None:
        """Write how the run ended to the file that stays, and remove the other."""
        if self._kept is not None:
            with suppress(OSError):  # the folder may be gone
                _replace(self._kept, _text({**self._about, "outcome": outcome}))
        self.remove()

    def remove(self) -> None:
        """Remove the file in the runtime folder."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _text(about: Mapping[str, Any]) -> str:
    return json.dumps(about, indent=1) + "\n"


def this_host() -> str:
    """Return this machine's name, as several machines may share a user's folders."""
    return os.uname().nodename


def is_left(path: Path) -> bool:
    """Whether a file in the runtime folder is of a run on this machine that has ended."""
    try:
        about = json_of(path.read_text(encoding="utf-8"))
        return about.get("host", this_host()) == this_host() and not is_there(about["pid"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False


def _replace(path: Path, text: str) -> None:
    """Replace a file atomically, with access for the user only."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        fresh.replace(path)
    except OSError:
        fresh.unlink()
        raise
