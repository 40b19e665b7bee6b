"""``GroupProcesses``: the broker's record of host processes: which apps, connections, grants."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

from steerageway.bus.core.clock import sleep, wall
from steerageway.bus.lockstep.app_coordinator import Grant
from steerageway.bus.lockstep.slot import Slot, Tick
from steerageway.bus.transport.channel import Frame
from steerageway.bus.transport.listener import Listener
from steerageway.bus.transport.remote import RemoteListener

_INTRODUCTIONS = {"host": [int, tuple, int], "claim": [int, str, str, int]}
STACK_DUMP = 0.3  # wall seconds a hanging process gets to write its stacks


# Many methods: short ones, one for each thing that the broker asks of a process or sends to it.
class GroupProcesses:
    """The processes that host apps, connected to one listener.

    Attributes:
        pids: slot rank -> process id of its host; on another machine, its number in the run.
        granted: slot rank -> wall time of its unanswered grant.
        sender: the sender of the frame received last.
    """

    def __init__(self, listener: Listener | RemoteListener) -> None:
        self._listener: Any = listener  # which alone knows what a connection is
        self._arrived: deque[tuple[Hashable, Frame | None]] = deque()
        self._hosts: dict[int, Hashable] = {}
        self._introduced: set[Hashable] = set()
        self.pids: dict[int, int] = {}
        self.granted: dict[int, float] = {}
        self._former: set[tuple[int, int]] = set()
        self.sender: Hashable = None

    def receive(self, timeout: float, awaited: int | None = None) -> tuple[Any, ...] | None:
        """Wait for a frame; None when none came within so many wall seconds.

        Args:
            timeout: wall seconds.
            awaited: the rank whose answer is needed most.
        """
        if not self._arrived:
            wanted = None if awaited is None else self._hosts[awaited]
            self._arrived.extend(self._listener.receive(timeout, wanted))
        if not self._arrived:
            return None
        self.sender, parts = self._arrived.popleft()
        if parts is None:
            self._introduced.discard(self.sender)
            ranks = [rank for rank, host in self._hosts.items() if host == self.sender]
            for rank in ranks:
                del self._hosts[rank]
            return "left", ranks
        if not self._is_in_place(parts):
            self.reply("refused", f"{parts[0]}: expected of a process that hosts apps of this run")
            return None
        if parts[0] == "host":
            for rank in parts[2]:
                self.note_host(rank, parts[3])
        return parts

    @property
    def arrived(self) -> bool:
        """Whether ``receive`` returns at once, with a frame that has been read already."""
        return bool(self._arrived)

    def note_host(self, rank: int, pid: int) -> None:
        """Record that the sender of the last frame hosts an app."""
        if self.sender is not None:
            self._hosts[rank] = self.sender
            self._introduced.add(self.sender)
            self.pids[rank] = pid

    def has(self, rank: int) -> bool:
        """Whether an app's host is connected."""
        return rank in self._hosts

    def restart_time_limits(self) -> None:
        """Restart the time limits of the sender's other apps: they wait for their turn."""
        now = wall()
        for rank in self.granted:
            if self.is_from_host_of(rank):
                self.granted[rank] = now

    def is_from_host_of(self, rank: int) -> bool:
        """Whether the frame received last came from an app's present host."""
        return self._hosts.get(rank) == self.sender

    def send_grants(self, grants: Iterable[Grant]) -> None:
        """Send grants, one frame to each host."""
        rows = []
        for slot, ticks in grants:
            rows.append((slot.rank, (slot.rank, tuple(slot.warnings), ticks)))
            slot.warnings.clear()
        self.send_rows("grant", rows)

    def send_rows(self, kind: str, rows: Iterable[tuple[int, tuple[Any, ...]]]) -> None:
        """Send rows that apps are to answer, one frame to each host; their time limits begin."""
        frames: dict[Hashable, list[tuple[Any, ...]]] = {}
        now = wall()
        for rank, row in rows:
            self.granted[rank] = now
            frames.setdefault(self._hosts[rank], []).append(row)
        for host, its in frames.items():
            self._listener.send(host, kind, its)

    def send(self, rank: int, *parts: Any) -> None:
        """Send a frame to an app's host."""
        self._listener.send(self._hosts[rank], *parts)

    def reply(self, *parts: Any) -> None:
        """Send a frame to the sender of the last one."""
        if self.sender is not None:
            self._listener.send(self.sender, *parts)

    def send_rebuild(self, ticks: dict[int, Tick], number: int, seed: int) -> None:
        """Have every app rebuilt; those in ``ticks`` outlive the case and get their mail."""
        for host, ranks in self._grouped().items():
            rows = [(rank, *ticks[rank][1:]) if rank in ticks else (rank, 0, ()) for rank in ranks]
            self._listener.send(host, "rebuild", rows, number, seed)

    def rebuild_in_place(self, rank: int, seed: int) -> bool:
        """Have an app rebuilt in its process; return False if it hosts no other."""
        host = self._hosts.get(rank)
        if host is None or len(self._grouped()[host]) == 1:
            return False
        self._listener.send(host, "renew", rank, seed)
        return True

    def stop_hosts(self) -> None:
        """Tell every host that the run is over, and close the connections."""
        for host in self._grouped():
            self._listener.send(host, "stop")
        self._listener.close()

    def gone(self, rank: int) -> None:
        """Remove an app's host: its process has ended."""
        self._hosts.pop(rank, None)
        self.granted.pop(rank, None)
        if rank in self.pids:
            # The supervisor reports the death later: the app must not fail twice.
            self._former.add((rank, self.pids.pop(rank)))

    def is_former(self, rank: int, pid: int) -> bool:
        """Whether a process has hosted an app and is known not to any more."""
        return (rank, pid) in self._former

    def overdue(self, slot: Slot, timeout: float) -> bool:
        """Whether a granted app has not answered within so many wall seconds; 0: no limit."""
        return bool(timeout and slot.pending and self.awaited_for(slot.rank, timeout))

    def awaited_for(self, rank: int, seconds: float) -> bool:
        """Whether an app's grant has not been answered for so many wall seconds."""
        since = self.granted.get(rank)
        return since is not None and wall() - since > seconds

    def kill(self, pid: int, folder: Path, *, at_once: bool = False) -> str:
        """Kill a hanging host; return the stacks it wrote before, if there was time for that."""
        for rank in [rank for rank, its in self.pids.items() if its == pid]:
            self.granted.pop(rank, None)
        dump = folder / f"stacks-{pid}"
        try:
            if not at_once:
                # faulthandler writes the stacks even if the process hangs in C
                # (``host.set_up_host``).
                os.kill(pid, signal.SIGUSR1)
                sleep(STACK_DUMP)
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return ""
        return dump.read_text() if dump.exists() else ""

    def _grouped(self) -> dict[Hashable, list[int]]:
        """Return every host with the ranks it hosts."""
        found: dict[Hashable, list[int]] = {}
        for rank, host in sorted(self._hosts.items(), key=lambda entry: entry[0]):
            found.setdefault(host, []).append(rank)
        return found

    def _is_in_place(self, parts: Frame) -> bool:
        """Whether the sender may send this: it must introduce itself before it answers."""
        if self.sender in self._introduced:
            return True
        return [part.__class__ for part in parts[1:]] == _INTRODUCTIONS.get(parts[0])

    def read_all(self) -> None:
        """Read everything that hosts have sent so far; ``receive`` returns it later."""
        while arrivals := self._listener.receive(0.0):
            self._arrived.extend(arrivals)
