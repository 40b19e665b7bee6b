"""``Gate``: the gateway's process: MOOSDB ports of a run, programs of its launch lists, links.

The launcher writes lines of JSON: the ports, and, once they are bound, the rest of what is to be
done. It closes the stream at the end. The gate answers with lines of JSON: ``ready`` or ``error``,
``failed`` for a program, ``report`` at the end.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from socket import create_server
from typing import Any

from steerageway.apps.shared.run_files import begun_by
from steerageway.bridges.moosdb.clock import SimulatedClock
from steerageway.bridges.moosdb.link import Link
from steerageway.bridges.moosdb.programs import Programs
from steerageway.bridges.moosdb.session import CLIENTS, House, Leave, Session
from steerageway.bus import BusError, Client, ControlError, is_name, sleep, wall

NAME = "pMOOSGate"  # of the gate itself, and in launch lists
LOOPBACK = "127.0.0.1"
LOOK = 0.05  # wall seconds between two questions for the run's time
TICK = 0.02  # wall seconds after which every session is attended to
MOST_POSTED = 4096  # posts taken between two of the broker's answers, so that mail keeps up
MOST_CONNECTIONS = 512  # of a port
REPORTS = ("DB_VARSUMMARY", "DB_RWSUMMARY", CLIENTS)


class Door:
    """The MOOSDB port of a community.

    Attributes:
        community: its name. port: of the loopback interface.
        sessions: the connections. house: what they share.
        clock: simulated time.
        left: names of the programs that have posted, with the number of their posts.
    """

    def __init__(self, community: str, port: int) -> None:
        """Bind the port; 0: any free one.

        Raises:
            OSError: it cannot be bound.
        """
        self.community = community
        self.listener = create_server((LOOPBACK, port), backlog=64)
        self.listener.setblocking(False)
        self.port = self.listener.getsockname()[1]
        self.sessions: list[Session] = []
        self.clock = SimulatedClock()
        self.left: dict[str, int] = {}
        self.paused = False

    def open(self, address: str, warp: float) -> None:
        """Connect to the run.

        Args:
            address: of its broker. warp: simulated seconds per wall second.
        Raises:
            BusError: it cannot be reached.
        """
        self._address = address
        self.bus = self.connect(NAME)
        self.bus.register(*REPORTS)
        self.bus.timeout = 1.0
        self.epoch = float(self.bus.about["epoch"])
        self.apps = set(self.bus.about["apps"][self.community])
        self._reports: dict[str, str] = {}
        self._asked = 0
        self._asked_at = -inf
        self.house = House(
            self.community,
            self.epoch,
            warp,
            time=lambda: self.epoch + self.clock.at(wall()),
            connect=self.connect,
            taken=self._why_taken,
            programs=self.names,
            summary=lambda name: self._reports.get(name, ""),
            clear=lambda: self.command("clear"),
        )
        self.look(wall())

    def connect(self, name: str) -> Client:
        """Return a new client of the community."""
        return Client.connect(self._address, name, community=self.community)

    def names(self) -> list[str]:
        """Return the names of the programs that are connected."""
        return [session.name for session in self.sessions if session.name]

    def command(self, verb: str) -> None:
        """Control the run; a refusal is counted."""
        try:
            self.bus.control(verb)
        except BusError as error:
            self.house.note(NAME, str(error))

    def look(self, now: float) -> None:
        """Ask for the run's time, and take the answer."""
        for message in self.bus.fetch(0.0):
            self._reports[message.name] = str(message.value)
        if self._asked:
            with suppress(ControlError):
                state = self.bus.answer(self._asked)
                if state is not None:
                    self._asked = 0
                    self.house.posted = 0
                    self.paused = state["paused"]
                    warp = inf if state["warp"] == "max" else float(state["warp"])
                    self.clock.look(now, state["time"], warp, paused=self.paused)
        if not self._asked and (now >= self._asked_at + LOOK or self.is_full):
            self._asked = self.bus.request("control", "status", ())
            self._asked_at = now

    @property
    def is_full(self) -> bool:
        """Whether programs have posted enough until the broker is heard again."""
        return self.house.posted >= MOST_POSTED

    def accept(self, now: float) -> Session | None:
        """Return the session of a new connection."""
        try:
            peer, _ = self.listener.accept()
        except OSError:
            return None
        session = Session(peer, self.house, now)
        self.sessions.append(session)
        return session

    def one_too_many(self) -> Session | None:
        """Return the session that gives way if there are too many: the first without a name."""
        if len(self.sessions) <= MOST_CONNECTIONS:
            return None
        self.house.note("MOOSDB", f"more than {MOST_CONNECTIONS} connections")
        # The last one at least has none: it was accepted in this look.
        return next(session for session in self.sessions if not session.name)

    def leave(self, session: Session, why: str) -> None:
        """End a session."""
        self.sessions.remove(session)
        if session.posts:
            name, full = session.name, len(self.left) >= MOST_CONNECTIONS
            name = "others" if full and name not in self.left else name
            self.left[name] = self.left.get(name, 0) + session.posts
        if why:
            self.house.note(session.name or "a connection", why)
        if session.bus is not None and session.bus.thinned:
            self.house.note(session.name, f"{session.bus.thinned} messages that it did not read")
        if session.bus is not None and not session.bus.ended:
            session.bus.ended = self.bus.ended  # of a run that is over nobody answers a goodbye
        session.close()

    def _why_taken(self, name: str) -> str:
        """Say why a program cannot have a name; "": it can."""
        if not is_name(name) or "," in name:
            return f'expected a printable name without commas, not "{name[:80]}"'
        if name in self.apps or name in self.names() or name.startswith("MOOSDB_"):
            return f'A client of this name ("{name}") already exists'
        return ""


class Gate:
    """The gateway of a run: its doors, its programs, its links to other databases."""

    def __init__(self, doors: Sequence[Door], wanted: dict[str, Any]) -> None:
        """Prepare to serve.

        Args:
            doors: the ports.
            wanted: ``launcher`` (its process), ``warp``, ``programs``, ``links``, ``resume``
                (whether to begin once the programs have connected).
        """
        self._wanted = wanted
        self.doors = doors
        self._programs = Programs()
        self._links: list[Link] = []
        self._selector = selectors.DefaultSelector()
        self._over = False
        self._holds = bool(wanted["resume"])
        self._all_at = 0.0

    def run(self) -> None:
        """Serve until the run ends, or the launcher says so."""
        self._selector.register(sys.stdin.fileno(), selectors.EVENT_READ)
        address = self._address()
        if not address:
            return
        for door in self.doors:
            door.open(address, self._wanted["warp"])
            self._selector.register(door.listener, selectors.EVENT_READ, door)
            self._selector.register(door.bus, selectors.EVENT_READ)
        for about in self._wanted["links"]:
            door = next(d for d in self.doors if d.community == about["community"])
            self._links.append(Link(about, door.connect(NAME), door.house))
        try:
            self._start_programs()
            while not self._over:
                self._turn()
        finally:
            self._close()

    def report(self) -> dict[str, Any]:
        """Return what is to be told at the end."""
        faults = [
            f"{door.community}: {told}" + (f" ({count} times)" if count > 1 else "")
            for door in self.doors
            if hasattr(door, "house")
            for told, count in door.house.faults.items()
        ]
        paced = {
            f"{door.community}:{name}": n for door in self.doors for name, n in door.left.items()
        }
        return {"faults": faults, "paced": paced}

    def _address(self) -> str:
        """Return the broker's address, once the run has begun; "": it never will."""
        while not (address := begun_by(self._wanted["launcher"])):
            sleep(TICK)
            if self._selector.select(0):
                return ""
        return address

    def _start_programs(self) -> None:
        try:
            self._programs.start(self._wanted["programs"])
        except OSError as error:
            started = len(self._programs.all)
            name = self._wanted["programs"][started]["name"]
            self._fail(self.doors[0], name, f"cannot be started: {error.strerror}")

    def _turn(self) -> None:
        """Take what has come, and attend to those it concerns; to all now and then."""
        full = next((door for door in self.doors if door.is_full), None)
        if full is not None:  # nothing is read before the broker has kept up
            full.bus.fetch(TICK)
            events = self._selector.select(0)
        else:
            events = self._selector.select(TICK)
        now = wall()
        concerned: dict[Session, Door] = {}
        for key, mask in events:
            if isinstance(key.data, Door):
                if (session := key.data.accept(now)) is not None:
                    self._watch(key.data, session)
            elif isinstance(key.data, tuple):
                door, session = key.data
                concerned[session] = door
                if mask & selectors.EVENT_READ and key.fileobj is session and full is None:
                    self._tried(door, session, lambda s=session: s.receive(now))
            elif key.fd == sys.stdin.fileno():
                self._over = True
        self._attend(now, concerned)

    def _attend(self, now: float, concerned: dict[Session, Door]) -> None:
        """Attend to some sessions, or to all and to everything else."""
        for door in self.doors:
            door.look(now)
            if (session := door.one_too_many()) is not None:
                self._forget(session)
                door.leave(session, "")
            self._over = self._over or bool(door.bus.ended)
        if now >= self._all_at + TICK:
            self._all_at = now
            concerned = {session: door for door in self.doors for session in door.sessions}
            self._look_after_programs(now)
            for link in self._links:
                link.attend(now)
        for session, door in concerned.items():
            if session in door.sessions:
                self._tried(door, session, lambda s=session: s.attend(now))
            if session in door.sessions:
                self._watch(door, session)

    def _tried(self, door: Door, session: Session, act: Any) -> None:
        """Do something with a session, which may end by it."""
        named = bool(session.name)
        try:
            act()
        except Leave as why:
            self._forget(session)
            door.leave(session, str(why))
            return
        if session.bus is not None and not named:
            self._programs.connected(door.community, session.name)
            self._selector.register(session.bus, selectors.EVENT_READ, (door, session))

    def _watch(self, door: Door, session: Session) -> None:
        """Wait for what a session may do next."""
        mask = selectors.EVENT_READ * session.is_ready
        mask |= selectors.EVENT_WRITE * session.wants_to_send
        known = self._selector.get_map().get(session)
        if known is None and mask:
            self._selector.register(session, mask, (door, session))
        elif known is not None and not mask:
            self._selector.unregister(session)
        elif known is not None and known.events != mask:
            self._selector.modify(session, mask, (door, session))

    def _forget(self, session: Session) -> None:
        for one in (session, session.bus):
            if one is not None and one in self._selector.get_map():
                self._selector.unregister(one)

    def _look_after_programs(self, now: float) -> None:
        """Let time begin once the programs have connected; tell of those that have ended."""
        for program in self._programs.all:
            failed, how = program.ended()
            door = next(d for d in self.doors if d.community == program.community)
            if failed and not self._over:
                self._fail(door, program.name, how)
            elif how and not self._over:
                door.house.note(program.name, how)
        if self._holds and self._programs.are_ready(now):
            self._holds = False
            for program in self._programs.missing():
                door = next(d for d in self.doors if d.community == program.community)
                door.house.note(
                    program.name, "has not connected within 10 s, and was not waited for"
                )
            self.doors[0].command("resume")

    def _fail(self, door: Door, name: str, reason: str) -> None:
        """Tell that a program has failed, and end the run."""
        time = door.clock.at(wall())
        tell(
            {"failed": {"name": name, "community": door.community, "time": time, "reason": reason}}
        )
        self._over = True
        door.command("stop")

    def _close(self) -> None:
        """End everything."""
        self._programs.end()
        for link in self._links:
            link.close()
        for door in self.doors:
            for session in list(door.sessions):
                self._forget(session)
                door.leave(session, "")
            with suppress(BusError):
                door.bus.close()
            door.listener.close()


def tell(line: dict[str, Any]) -> None:
    """Write a line for the launcher."""
    with suppress(OSError):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def _read() -> dict[str, Any]:
    """Return the launcher's next line; {} at the end."""
    line = bytearray()
    # Byte by byte: nothing may stay in a buffer, where select does not see it.
    while (byte := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        line += byte
    return json.loads(line) if line else {}


def main() -> int:
    """Run the gate that the launcher asks for."""
    for number in (signal.SIGINT, signal.SIGTERM):  # it ends when the launcher closes its stream
        signal.signal(number, signal.SIG_IGN)
    try:
        doors = [Door(*one) for one in _read()["ports"].items()]
    except OSError as error:
        tell({"error": error.strerror})
        return 2
    tell({"ready": {door.community: door.port for door in doors}})
    wanted = _read()
    if not wanted:
        return 0
    gate = Gate(doors, wanted)
    try:
        gate.run()
    except BusError as error:
        tell({"lost": str(error)})
    tell({"report": gate.report()})
    return 0
