"""A run's door to observers: opened with the run, looked at now and then, never waited for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import zmq

from steerageway.bus.core.context import terminate
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.lockstep.session import Session
from steerageway.bus.observers.door import Door
from steerageway.bus.observers.lobby import LINGER
from steerageway.bus.observers.signpost import Signpost


class Observers:
    """The door of a run, if it has one, and the files by which consoles find it."""

    def __init__(self, plan: RunPlan, session: Session) -> None:
        """Open the door if the plan asks for one.

        Raises:
            DoorError: the port is in use, or cannot be bound.
        """
        self._session = session
        self._context: zmq.Context[zmq.Socket[bytes]] | None = None
        self._door: Door | None = None
        self._signpost: Signpost | None = None
        if plan.port is None:
            return
        self._context = zmq.Context()
        self._door = Door(self._context, plan.host, plan.port, session, plan.keys)
        if self._door.port is not None:
            self._signpost = Signpost(plan, session.describe(), self._door.port)

    def before_welcome(self, prepare: Callable[[str], None]) -> None:
        """Have a community prepared before anybody who is to look at it is welcomed."""
        if self._door is not None:
            self._door.prepare = prepare

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
        """Say goodbye and close the door; note what came to it and was not taken."""
        if self._door is not None:
            self._door.close(reason)
            self._session.keeper.complaints += self._door.troubles()
        if self._context is not None:
            terminate(self._context, LINGER)
        if self._signpost is not None:
            self._signpost.remove()
