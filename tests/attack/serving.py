"""A server for observers of a run that stands still, to hand frames to."""

from __future__ import annotations

import zmq
from networks import app_plan

from steerageway.bus import App, RunPlan
from steerageway.bus.core.context import terminate
from steerageway.bus.core.runner import Runner
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.kernel import Kernel
from steerageway.bus.lockstep.session import Session
from steerageway.bus.observers.server import Server


class Idle(App):
    """Ticks, and posts its activity."""

    publishes = ("TICK",)

    def iterate(self) -> None:
        self.post("TICK", self.iteration)


class Serving:
    """The server, open while entered."""

    def __init__(self, warp: float = 1.0, *, paused: bool = True) -> None:
        apps = (app_plan(Idle, "pIdle", 0.0, "10"),)
        plan = RunPlan(("alpha",), apps, warp, paused=paused)
        kernel = Kernel(CaseState(plan, history=False), [Runner(a.app) for a in apps])
        session = Session(plan, kernel, lambda case: None)
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._server = Server(self._context, "127.0.0.1", 0, session)

    def __enter__(self) -> Server:
        return self._server

    def __exit__(self, *error: object) -> None:
        self._server.server_socket.close(0)
        terminate(self._context)
