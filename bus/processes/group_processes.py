"""The broker's view of the processes that host apps: who sits where, who answered, who hangs."""

from __future__ import annotations

import os
import selectors
import signal
import socket
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from steerageway.bus.core.clock import sleep, wall
from steerageway.bus.lockstep.app_coordinator import Grant
from steerageway.bus.lockstep.slot import Slot, Tick
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.spin_wait import SpinWait

TIMEOUT = 0.02  # wall seconds to wait for one host before a look at the others
OTHERS = 5  # frames of awaited hosts between two looks at the others
STACK_DUMP = 0.3  # wall seconds a hanging process gets to write its stacks down


class GroupProcesses:
    """The sockets to the hosting processes.

    Attributes:
        pids: slot rank -> process id of its host.
        granted: slot rank -> wall time of its unanswered grant.
        sender: where the frame received last came from.
    """

    def __init__(self, path: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(path)
        self._listener.listen(socket.SOMAXCONN)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        self._arrived: deque[tuple[Channel, tuple[Any, ...]]] = deque()
        self._hosts: dict[int, Channel] = {}
        self.pids: dict[int, int] = {}
        self.granted: dict[int, float] = {}
        self._former: set[tuple[int, int]] = set()
        self.sender: Channel | None = None
        self._turns = 0
        self._spin = SpinWait()

    def receive(self, timeout: float, awaited: int | None = None) -> tuple[Any, ...] | None:
        """Wait for a frame; None when none came within so many wall seconds.

        Args:
            timeout: wall seconds.
            awaited: the rank whose answer is wanted most. To wait for one socket rather than for
                any lets the kernel hand the processor over from one process to the next, which
                halves the cost of a grant; the others are read now and then, or when it takes long.
        """
        if not self._arrived:
            self._turns += 1
            if awaited is not None:
                self._read(self._hosts[awaited], wait=True)
                timeout = 0.0
            if not self._arrived or self._turns % OTHERS == 0:
                self._look(timeout)
        if not self._arrived:
            return None
        self.sender, parts = self._arrived.popleft()
        if parts[0] == "host":
            for rank in parts[2]:
                self.note_host(rank, parts[3])
        elif parts[0] == "left":  # behind everything that it had answered before
            parts = ("left", [rank for rank, host in self._hosts.items() if host is self.sender])
            for rank in parts[1]:
                del self._hosts[rank]
        return parts

    def note_host(self, rank: int, pid: int) -> None:
        """Note that the sender of the last frame hosts an app."""
        assert self.sender is not None
        self._hosts[rank] = self.sender
        self.pids[rank] = pid

    def has(self, rank: int) -> bool:
        """Whether an app's host has come, and is there."""
        return rank in self._hosts

    def note_life(self) -> None:
        """Let the time of the sender's other apps begin anew: they wait for their turn."""
        now = wall()
        for rank in self.granted:
            if self.is_said_by(rank):
                self.granted[rank] = now

    def is_said_by(self, rank: int) -> bool:
        """Whether the frame received last came from an app's present host."""
        return self._hosts.get(rank) is self.sender

    def send_grants(self, grants: Iterable[Grant]) -> None:
        """Send grants, one frame a host."""
        rows = []
        for slot, ticks in grants:
            rows.append((slot.rank, (slot.rank, tuple(slot.warnings), ticks)))
            slot.warnings.clear()
        self.send_rows("grant", rows)

    def send_rows(self, kind: str, rows: Iterable[tuple[int, tuple[Any, ...]]]) -> None:
        """Send rows that apps are to answer, one frame a host; their time begins."""
        frames: dict[Channel, list[tuple[Any, ...]]] = {}
        now = wall()
        for rank, row in rows:
            self.granted[rank] = now
            frames.setdefault(self._hosts[rank], []).append(row)
        for channel, its in frames.items():
            self._send(channel, kind, its)

    def send(self, rank: int, *parts: Any) -> None:
        """Send a frame to an app's host."""
        self._send(self._hosts[rank], *parts)

    def reply(self, *parts: Any) -> None:
        """Send a frame to the sender of the last one."""
        assert self.sender is not None
        self._send(self.sender, *parts)

    def send_rebuild(self, ticks: dict[int, Tick], number: int, seed: int) -> None:
        """Have every app made anew; those in ``ticks`` outlive the case and get their mail."""
        for channel, ranks in self._grouped().items():
            rows = [(rank, *ticks[rank][1:]) if rank in ticks else (rank, 0, ()) for rank in ranks]
            self._send(channel, "rebuild", rows, number, seed)

    def renew(self, rank: int, seed: int) -> bool:
        """Have an app made anew where it is; False when nobody else lives in its process."""
        channel = self._hosts.get(rank)
        shared = channel is not None and len(self._grouped()[channel]) > 1
        if channel is not None and shared:
            self._send(channel, "renew", rank, seed)
        return shared

    def dismiss(self) -> None:
        """Tell every host that the run is over."""
        for channel in self._grouped():
            self._send(channel, "stop")

    def gone(self, rank: int) -> None:
        """Forget an app's host: its process has ended."""
        self._hosts.pop(rank, None)
        self.granted.pop(rank, None)
        if rank in self.pids:
            self._former.add((rank, self.pids.pop(rank)))

    def is_former(self, rank: int, pid: int) -> bool:
        """Whether a process has hosted an app and is known not to do so any more."""
        return (rank, pid) in self._former

    def overdue(self, slot: Slot, timeout: float) -> bool:
        """Whether a granted app has not answered within so many wall seconds; 0: never."""
        since = self.granted.get(slot.rank)
        return bool(timeout and slot.pending and since and wall() - since > timeout)

    def waits(self, seconds: float) -> bool:
        """Whether some app has not answered for so many wall seconds."""
        return any(wall() - since > seconds for since in self.granted.values())

    def kill(self, pid: int, folder: Path, *, at_once: bool = False) -> str:
        """End a hanging host; give the stacks it wrote down before, if there is time for that."""
        for rank in [rank for rank, its in self.pids.items() if its == pid]:
            self.granted.pop(rank, None)
        dump = folder / f"stacks-{pid}"
        try:
            if not at_once:
                os.kill(pid, signal.SIGUSR1)
                sleep(STACK_DUMP)
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return ""
        return dump.read_text() if dump.exists() else ""

    def _grouped(self) -> dict[Channel, list[int]]:
        """Give every host with the ranks it hosts."""
        found: dict[Channel, list[int]] = {}
        for rank, channel in sorted(self._hosts.items()):
            found.setdefault(channel, []).append(rank)
        return found

    def _send(self, channel: Channel, *parts: Any) -> None:
        if not channel.offer(*parts) and not channel.closed:
            both = selectors.EVENT_READ | selectors.EVENT_WRITE
            self._selector.modify(channel, both, channel)

    def read_all(self) -> None:
        """Read everything that hosts have said so far, for ``receive`` to give."""
        while self._look(0.0):
            pass

    def _look(self, timeout: float) -> bool:
        """Read what any host says within so many wall seconds; let newcomers in.

        Returns: whether there was anything to read.
        """
        said = False
        for key, events in self._selector.select(timeout):
            said = said or bool(events & selectors.EVENT_READ)
            if key.data is None:
                self._accept()
            else:
                self._serve(key.data, events)
        return said

    def _accept(self) -> None:
        stream, _ = self._listener.accept()
        channel = Channel(stream)
        channel.limit_wait(TIMEOUT)
        self._selector.register(channel, selectors.EVENT_READ, channel)

    def _serve(self, channel: Channel, events: int) -> None:
        """Read what a host says; send what its socket did not take before."""
        if events & selectors.EVENT_WRITE and channel.flush():
            self._selector.modify(channel, selectors.EVENT_READ, channel)
        if events & selectors.EVENT_READ:
            self._read(channel, wait=False)

    def _read(self, channel: Channel, *, wait: bool) -> None:
        frames = self._spin.receive(channel) if wait else channel.receive()
        self._arrived.extend((channel, parts) for parts in frames)
        if channel.closed:
            self._selector.unregister(channel)
            self._arrived.append((channel, ("left",)))
