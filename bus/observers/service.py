"""``Observers``: a lockstep run's server for observers, polled now and then, never waited for."""

from __future__ import annotations

import select
from collections.abc import Callable, Mapping

import zmq

from steerageway.bus.core.clock import sleep, wall
from steerageway.bus.core.context import terminate
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runtime import allow_files
from steerageway.bus.lockstep.session import Session
from steerageway.bus.observers.connections import LINGER
from steerageway.bus.observers.limits import most_clients
from steerageway.bus.observers.run_file import RunFile
from steerageway.bus.observers.server import Server

FILES_EACH = 2  # that a run may open for each client, beside those of its apps
GLANCE = 0.001  # wall seconds between two checks for frames of observers while apps run


class Observers:
    """The server of a run, if it has one, and its run files."""

    def __init__(self, plan: RunPlan, session: Session) -> None:
        """Open the server if the plan has a port.

        Raises:
            ServerError: the port is in use, or cannot be bound.
        """
        self._session = session
        self._context: zmq.Context[zmq.Socket[bytes]] | None = None
        self._server: Server | None = None
        self._run_file: RunFile | None = None
        if plan.port is None:
            return
        allow_files(FILES_EACH * most_clients(len(plan.communities)))
        self._context = zmq.Context()
        self._server = Server(
            self._context, plan.host, plan.port, session, plan.keys, token=plan.token
        )
        if self._server.port is not None:
            self._run_file = RunFile(plan, session.describe(), self._server.port)
        self._signals = select.poll()
        self._signals.register(self._server.socket, select.POLLIN)
        self._glanced = wall()

    def welcome_when(self, has_values: Callable[[str], bool]) -> None:
        """Set what tells whether a community's values are here: its clients wait for them."""
        if self._server is not None:
            self._server.has_values = has_values

    def poll(self) -> None:
        """Handle observers' frames; send them what was committed."""
        if self._server is not None:
            self._server.poll()
            self._server.flush()
            self._session.watched = bool(self._server.peers)

    def serve(self) -> None:
        """Handle frames that have just come, and send idle observers their mail at once."""
        if self._server is not None:
            self._glanced = wall()
            # ZeroMQ signals a frame once, and not at all if a send noticed it first: ``poll`` is
            # called now and then in any case.
            if self._signals.poll(0):
                self._server.poll()
            if self._server.peers:
                self._server.flush_idle()

    def glance(self) -> None:
        """Serve observers if that was not done just before: cheap enough for every grant."""
        if self._server is not None and wall() - self._glanced >= GLANCE:
            self.serve()

    def put_off(self) -> None:
        """Leave what observers have sent for later; ``descriptor`` signals it no more."""
        if self._server is not None:
            self._server.put_off()

    def sleep(self, seconds: float) -> None:
        """Sleep for some wall time, or until an observer sends something."""
        if self._server is None:
            sleep(seconds)
        else:
            select.select([self._server.socket.fileno()], [], [], seconds)

    @property
    def descriptor(self) -> int | None:
        """Readable when observers have sent something; None without a server."""
        return None if self._server is None else self._server.socket.fileno()

    @property
    def communities(self) -> list[str]:
        """The communities that have clients."""
        peers = () if self._server is None else self._server.peers.values()
        return list(dict.fromkeys(peer.community for peer in peers))

    def send_speed(self, rate: float, loads: Mapping[tuple[str, str], float]) -> None:
        """Send observers, and them alone, the run's speed and where its time is spent.

        Args:
            rate: the achieved warp, posted as SIM_RTF.
            loads: (community, app) -> wall microseconds an activation, posted as <APP>_LOAD.
        """
        if self._server is None or not self._server.peers:
            return
        watched = self.communities
        for community in watched:
            self._server.publish_to_observers(community, "SIM_RTF", rate)
        for (community, app), load in loads.items():
            if community in watched:
                self._server.publish_to_observers(community, f"{app.upper()}_LOAD", load)

    def close(self, reason: str) -> None:
        """Say goodbye and close the server; add what it refused to the run's complaints."""
        if self._server is not None:
            self._server.close(reason)
            self._session.kernel.state.complaints += self._server.refusals()
        if self._context is not None:
            terminate(self._context, LINGER)
        if self._run_file is not None:
            self._run_file.finish(reason)
