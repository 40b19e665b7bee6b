"""Test servers: runs with an open server in a thread, in lockstep and in free run."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any, Self

import msgpack
import zmq

from steerageway.bus.core.cases import Case
from steerageway.bus.core.clock import sleep, wall
from steerageway.bus.core.context import terminate
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runner import Runner
from steerageway.bus.free.broker import FreeBroker, free_endpoint_in
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.kernel import Kernel
from steerageway.bus.lockstep.session import Session
from steerageway.bus.observers.connections import LINGER, Counts
from steerageway.bus.observers.server import Server
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.client import Client

TIMEOUT = 60.0  # wall seconds; only what fails takes so long


class _Resident(threading.Thread):
    """A thread that owns a server until the end of the test, and passes on its failure."""

    server: Server

    def __init__(self) -> None:
        super().__init__()
        self._error: BaseException | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.end()
        deadline = wall() + TIMEOUT
        while self.is_alive() and wall() < deadline:
            self.listen()
            self.join(0.005)
        assert not self.is_alive()
        if self._error is not None:
            raise self._error

    def run(self) -> None:
        try:
            self.live()
        except BaseException as error:
            self._error = error

    def live(self) -> None:
        """Run the thread's work."""
        raise NotImplementedError

    def end(self) -> None:
        """Request its end."""
        raise NotImplementedError

    def listen(self) -> None:
        """Handle frames while it ends."""

    @property
    def address(self) -> str:
        """The server's address."""
        return f"tcp://127.0.0.1:{self.server.port}"

    def visit(self, name: str = "scope", **options: Any) -> Client:
        """Connect a client."""
        return Client.connect(self.address, name, **options)

    def eventually(self, condition: Callable[[Counts], bool], seconds: float = TIMEOUT) -> bool:
        """Whether the server's counts satisfy a predicate within some wall seconds."""
        deadline = wall() + seconds
        while not condition(self.server.counts) and wall() < deadline:
            sleep(0.005)
        return condition(self.server.counts)


class House(_Resident):
    """A lockstep run in one process, paused at 0 s, with its server open."""

    def __init__(self, plan: RunPlan, keys: Path | None = None) -> None:
        super().__init__()
        self._over = False
        self.kernel = Kernel(CaseState(plan, history=False), [Runner(a.app) for a in plan.apps])
        self.session = Session(plan, self.kernel, self._begin_case)
        self.session.control("pause", ())
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.server = Server(self._context, "127.0.0.1", 0, self.session, keys)

    def live(self) -> None:
        while not self._over and self.kernel.state.ended is None:
            self.server.poll()
            self._run_what_may_run()
            self._answer_appcasts()
            self.server.flush()
            sleep(0.0005)
        self.session.close()
        self.server.close("finished")
        terminate(self._context, LINGER)

    def end(self) -> None:
        self._over = True

    def _run_what_may_run(self) -> None:
        for _ in range(200):
            instant = self.kernel.upcoming()
            if instant is None:
                return
            wait = self.session.wait(instant)
            if wait == inf:
                self.session.settled()
            if wait > 0:
                return
            self.kernel.run_instant(instant)
            self.server.flush()

    def _answer_appcasts(self) -> None:
        apps = {(r.app.community, r.app.name): r.app for r in self.kernel.runners}
        for name in self.session.appcasts.take(lambda name: name in apps or None):
            self.session.appcasts.answer(name, apps[name].appcast(), True, 0.0)

    def _begin_case(self, case: Case) -> None:
        old = self.kernel
        plan = self.session.plan.of_case(case, old.state.age)
        runners = [Runner(slot.plan.rebuild(case.seed or 0)) for slot in old.state.slots]
        self.kernel = Kernel(CaseState(plan, case, history=False), runners)
        self.kernel.follow(old)
        self.session.change_kernel(self.kernel)
        self.server.flush()


class FreeHouse(_Resident):
    """The broker of a free run, with its server open; the test provides the apps."""

    def __init__(self, plan: RunPlan | None = None, **options: Any) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.link, self._theirs = Channel.pair()
        plan = plan or RunPlan(("alpha",), (), 1.0)
        plan = replace(plan, free_run=True, port=0, **options)
        self.broker = FreeBroker(plan, Path(self._folder.name), self._theirs)
        self.server = self.broker.server
        self.local = free_endpoint_in(Path(self._folder.name))
        self.outcome: dict[str, Any] = {}

    def live(self) -> None:
        self.broker.serve()

    def end(self) -> None:
        self.link.send("signal", 15)

    def listen(self) -> None:
        for parts in self.link.receive():
            if parts[0] == "outcome":
                self.outcome = parts[1]

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self.listen()
        self.link.close()
        self._theirs.close()
        self._folder.cleanup()


class RawClient:
    """A client with nothing but ZeroMQ and MessagePack."""

    def __init__(self, address: str, identity: bytes = b"") -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.socket = self._context.socket(zmq.DEALER)
        if identity:
            self.socket.setsockopt(zmq.ROUTING_ID, identity)
        self.socket.connect(address)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.socket.close(0)
        terminate(self._context)

    def send(self, *parts: Any) -> None:
        """Send a frame."""
        self.socket.send(msgpack.packb(parts))

    def next_frame(self, *kinds: str, seconds: float = TIMEOUT) -> list[Any] | None:
        """Return the next frame of these kinds; None when none comes in time."""
        deadline = wall() + seconds
        while (left := deadline - wall()) > 0 and self.socket.poll(left * 1000):
            parts: list[Any] = msgpack.unpackb(self.socket.recv())
            if parts[0] in kinds:
                return parts
        return None

    def handshake(self, name: str = "stranger", **options: Any) -> list[Any]:
        """Say hello and wait for the welcome."""
        self.send("hello", 1, name, {"credit": 8192, **options})
        answer = self.next_frame("welcome", "refused")
        assert answer is not None
        return answer
