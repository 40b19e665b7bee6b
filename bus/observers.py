"""A run's door to observers: opened with the run, looked at now and then, never waited for."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import zmq

from bus.door import Door
from bus.plan import RunPlan
from bus.session import Session, runtime_folder

RUN_FILE = "run.json"


class Observers:
    """The door of a run, if it has one, and the files by which consoles find it.

    ``run.json`` lies in the run's folder while it goes on and after; a copy named after the
    process lies in the user's runtime folder while it goes on.
    """

    def __init__(self, plan: RunPlan, session: Session) -> None:
        """Open the door if the plan asks for one.

        Raises:
            DoorError: the port is in use, or cannot be bound.
        """
        self._session = session
        self._context: zmq.Context[zmq.Socket[bytes]] | None = None
        self._door: Door | None = None
        self._found_by = runtime_folder() / f"{os.getpid()}.json"
        if plan.port is None:
            return
        self._context = zmq.Context()
        self._door = Door(self._context, plan.host, plan.port, session, plan.keys)
        about = session.describe()
        about["address"] = f"tcp://{plan.host}:{self._door.port}"
        self._write(about, plan.run_folder)

    def look(self) -> None:
        """Take what observers have sent; send them what was committed."""
        if self._door is not None:
            self._door.poll()
            self._door.flush()

    @property
    def communities(self) -> list[str]:
        """The communities somebody looks at."""
        peers = () if self._door is None else self._door.peers.values()
        return list(dict.fromkeys(peer.community for peer in peers))

    def tell_speed(self, rate: float, loads: Mapping[tuple[str, str], float]) -> None:
        """Tell observers, and nobody else, how fast it goes and where the time is spent.

        Args:
            rate: the achieved warp, posted as SIM_RTF.
            loads: (community, app) -> wall microseconds a turn, posted as <APP>_LOAD.
        """
        if self._door is None:
            return
        for community in self._door.asides:
            self._door.tell(community, "SIM_RTF", rate)
        for (community, app), load in loads.items():
            self._door.tell(community, f"{app.upper()}_LOAD", load)

    def close(self, reason: str) -> None:
        """Say goodbye and close the door."""
        if self._door is None or self._context is None:
            return
        self._door.close(reason)
        self._context.destroy(linger=500)
        self._found_by.unlink(missing_ok=True)

    def _write(self, about: dict[str, object], folder: Path | None) -> None:
        text = json.dumps(about, indent=1) + "\n"
        if folder is not None:
            _replace(folder / RUN_FILE, text)
        self._found_by.parent.mkdir(parents=True, exist_ok=True)
        _replace(self._found_by, text)


def _replace(path: Path, text: str) -> None:
    """Write a file so that nobody ever reads half of it."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
