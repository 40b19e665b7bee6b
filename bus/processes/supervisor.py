"""``Supervisor``: starts and watches the processes of a run: the broker and hosts of apps.

This process has loaded every app's modules and built every app, and holds no socket and no thread,
so it forks in a millisecond, and no lock is held in a child forever. It then only watches:
children that end, signals, the broker's messages.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from zmq import ZMQError

from steerageway.bus.core.clock import process_age, sleep, wall
from steerageway.bus.core.errors import PortInUse, ServerError
from steerageway.bus.core.interrupts import Interrupts, ignore_end_signals
from steerageway.bus.core.plan import (
    AppOutcome,
    AppPlan,
    Failure,
    Outcome,
    Placement,
    Progress,
    RunPlan,
)
from steerageway.bus.lockstep.community_coordinator import in_windows
from steerageway.bus.observers.leftovers import OwnFolder, clear_leftovers
from steerageway.bus.processes.broker import Broker
from steerageway.bus.processes.children import check_files, cores, fork, how_it_ended
from steerageway.bus.processes.group_host import run_group_host
from steerageway.bus.processes.host import run_host
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.listener import Listener, address_in
from steerageway.bus.transport.spin_wait import wait_at

if TYPE_CHECKING:
    from steerageway.bus.free.broker import FreeBroker

LOOK = 0.1  # wall seconds between checks of the children
GRACE = 2.0  # wall seconds that processes get to end by themselves
LAST_RESORT = 10.0  # wall seconds after an interrupt that the broker is waited for


# Many methods: starting, watching and ending are about the same children.
class Supervisor:
    """The launcher's side of a run in processes."""

    def __init__(self, plan: RunPlan, watch: Callable[[Progress], None]) -> None:
        """Make the run's folder.

        Raises:
            ServerError: the system refuses.
        """
        self._plan = plan
        self._watch = watch
        self._in_windows = in_windows(plan)
        try:
            self._own = OwnFolder()
        except OSError as error:  # e.g. a full disk
            raise ServerError(f"no folder for the run's sockets: {error}") from error
        self._folder = self._own.path
        self._address = address_in(self._folder)
        self._link, self._broker_link = Channel.pair()
        self._broker = 0
        self._hosts: dict[int, list[int]] = {}
        self._outcome: Outcome | None = None
        self._startup = 0.0

    def run(self) -> Outcome:
        """Run to the end; leave no process and no file behind.

        Raises:
            ServerError: the server for observers cannot be opened; nothing has run.
        """
        with Interrupts() as interrupts:
            try:
                self._start_all()
                clear_leftovers()  # while the others start
                self._watch_over(interrupts)
            finally:
                self._end_all()
                self._own.remove()
            if self._outcome is None:
                clear_leftovers()  # the broker did not remove its run file
            return self._outcome or _without_broker(interrupts.caught)

    def _start_all(self) -> None:
        """Start every process.

        Raises:
            ServerError: the system refuses.
        """
        check_files(len(self._plan.apps))
        try:
            self._start()
        except OSError as error:
            raise ServerError(f"no process can be started: {error.strerror}") from error

    def _start(self) -> None:
        self._broker = fork(self._run_broker, "broker")
        # The broker alone holds its end now: end-of-file at ours means that it has ended.
        self._broker_link.close()
        for ranks in self._groups():
            self._start_host(ranks, None)

    def _groups(self) -> list[list[int]]:
        """Return the groups of ranks that share a process."""
        ranks = [rank for rank, app in enumerate(self._plan.apps) if not app.external]
        if self._plan.placement == Placement.PROCESS:
            return [[rank] for rank in ranks]
        shared: dict[str, list[int]] = {}
        for rank in ranks:
            shared.setdefault(self._plan.apps[rank].community, []).append(rank)
        groups = list(shared.values())
        if not self._in_windows:
            return groups
        # More processes than processors would only evict each other from the caches.
        processes = min(len(groups), cores())
        shares = [groups[place::processes] for place in range(processes)]
        return [[rank for group in share for rank in group] for share in shares]

    def _start_host(self, ranks: list[int], seed: int | None) -> None:
        life = self._run_free_app if self._plan.free_run else self._run_host
        title = _title([self._plan.apps[rank] for rank in ranks])
        pid = fork(lambda: life(ranks, seed), title)
        self._hosts[pid] = ranks

    def _run_host(self, ranks: list[int], seed: int | None) -> None:
        # The child's copy of the launcher's end: the broker could not see the launcher end
        # otherwise. See ``set_up_host`` for why by a system call.
        os.close(self._link.fileno())
        if self._in_windows:
            communities = list(dict.fromkeys(self._plan.apps[rank].community for rank in ranks))
            run_group_host(self._address, self._plan, communities)
            return
        run_host(self._address, self._plan, ranks, rebuilt_with=seed)

    def _run_free_app(self, ranks: list[int], seed: int | None) -> None:
        from steerageway.bus.free.main import free_endpoint_in, run_free_app

        self._link.close()
        (rank,) = ranks
        address = free_endpoint_in(self._folder)
        plan = self._plan.apps[rank]
        if not run_free_app(plan, address, rebuilt_with=seed, run=self._plan):
            sys.exit(1)

    def _run_broker(self) -> None:
        self._link.close()
        ignore_end_signals()
        try:
            broker = self._make_broker()
        except (ServerError, OSError, ZMQError) as error:
            self._broker_link.send("closed", isinstance(error, PortInUse), str(error))
            return
        broker.serve()

    def _make_broker(self) -> Broker | FreeBroker:
        if not self._plan.free_run:
            listener = Listener(self._folder, wait_at(self._plan.warp))
            return Broker(self._plan, self._folder, self._broker_link, listener)
        from steerageway.bus.free.main import make_free_broker

        return make_free_broker(self._plan, self._folder, self._broker_link)

    def _watch_over(self, interrupts: Interrupts) -> None:
        signalled = inf
        while self._outcome is None and self._broker and wall() < signalled + LAST_RESORT:
            select.select([self._link], [], [], LOOK)
            for parts in self._link.receive():
                self._handle(parts)
            self._reap()
            if interrupts.caught and signalled == inf:
                self._link.send("signal", interrupts.caught)
                signalled = wall()

    def _handle(self, parts: tuple[Any, ...]) -> None:
        if parts[0] == "ready":
            self._startup = process_age()
        elif parts[0] == "progress":
            self._watch(Progress(*parts[1:]))
        elif parts[0] == "respawn":
            self._respawn(parts[1], parts[2])
        elif parts[0] == "closed":
            raise (PortInUse if parts[1] else ServerError)(parts[2])
        elif parts[0] == "outcome":
            self._outcome = self._read_outcome(parts[1])

    def _respawn(self, rank: int, seed: int) -> None:
        """Replace the process of a failed app; the others it hosted fail with it."""
        for pid, ranks in list(self._hosts.items()):
            if rank in ranks:
                _kill(pid)
                del self._hosts[pid]
                if others := [other for other in ranks if other != rank]:
                    self._link.send("died", others, "its process had to be ended", pid)
        try:
            self._start_host([rank], seed)
        except OSError as error:
            how = f"its process cannot be started again: {error.strerror}"
            self._link.send("died", [rank], how, 0)

    def _reap(self) -> None:
        """Handle children that have ended; other children of this process are not waited for."""
        if self._broker and os.waitpid(self._broker, os.WNOHANG)[0]:
            self._broker = 0
            for parts in self._link.receive():
                self._handle(parts)
        for pid in list(self._hosts):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._link.send("died", self._hosts.pop(pid), how_it_ended(status), pid)

    def _end_all(self) -> None:
        """Wait a little for the children to end by themselves, then kill them."""
        deadline = wall() + (GRACE if self._outcome is not None else 0.0)
        while (self._hosts or self._broker) and wall() < deadline:
            self._reap()
            sleep(0.002)
        for pid in [*self._hosts, *([self._broker] if self._broker else [])]:
            _kill(pid)
        self._link.close()

    def _read_outcome(self, fields: dict[str, Any]) -> Outcome:
        fields["apps"] = [AppOutcome(**app) for app in fields["apps"]]
        fields["failures"] = [Failure(**failure) for failure in fields["failures"]]
        outcome = Outcome(**fields)
        outcome.startup_seconds = self._startup
        return outcome


def _title(apps: list[AppPlan]) -> str:
    """Return the process title for some apps."""
    if len(apps) == 1:
        return apps[0].name
    first, *others = dict.fromkeys(app.community for app in apps)
    return f"{first} +{len(others)}" if others else first


def _without_broker(number: int) -> Outcome:
    """Return the outcome of a run without the broker's: interrupted by a signal, or 0."""
    if number:
        failure = Failure("broker", "", 0.0, "did not answer, and was ended")
        return Outcome("interrupted", str(number), deterministic=False, failures=[failure])
    failure = Failure("broker", "", 0.0, "the broker's process ended unexpectedly")
    return Outcome("broker_failed", deterministic=False, failures=[failure])


def _kill(pid: int) -> None:
    """Kill a child and wait for its end; nothing happens if it has ended."""
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        return
