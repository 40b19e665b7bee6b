"""The broker's view of the processes that host apps: who sits where, who answered, who hangs."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import zmq

from bus.ahead import Grant
from bus.clock import sleep, wall
from bus.seat import Seat, Tick
from bus.wire import pack, unpack

STACK_DUMP = 0.3  # wall seconds a hanging process gets to write its stacks down


class Crew:
    """The socket to the hosting processes.

    Attributes:
        pids: seat rank -> process id of its host.
        granted: seat rank -> wall time of its unanswered grant.
        sender: the host of the frame received last.
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoint: str) -> None:
        self.socket = context.socket(zmq.ROUTER)
        self.socket.setsockopt(zmq.SNDHWM, 0)
        self.socket.setsockopt(zmq.RCVHWM, 0)
        self.socket.setsockopt(zmq.LINGER, 500)
        self.socket.bind(endpoint)
        self.pids: dict[int, int] = {}
        self.granted: dict[int, float] = {}
        self._hosts: dict[int, bytes] = {}
        self._patience: int | None = None
        self.sender = b""

    def receive(self, timeout: float) -> tuple[Any, ...] | None:
        """Wait for a frame; None when none came within so many wall seconds."""
        milliseconds = max(1, int(timeout * 1000)) if timeout > 0 else 0
        if milliseconds != self._patience:
            self.socket.setsockopt(zmq.RCVTIMEO, milliseconds)
            self._patience = milliseconds
        try:
            self.sender = self.socket.recv()
            frame = self.socket.recv()
        except zmq.Again:
            return None
        parts = unpack(frame)
        if parts[0] == "host":
            for rank in parts[2]:
                self.seat(rank, parts[3])
        return parts

    def seat(self, rank: int, pid: int) -> None:
        """Note that the sender of the last frame hosts an app."""
        self._hosts[rank] = self.sender
        self.pids[rank] = pid

    def reply(self, *parts: Any) -> None:
        """Send a frame to the sender of the last one."""
        self.socket.send_multipart((self.sender, pack(*parts)))

    def has(self, rank: int) -> bool:
        """Whether an app's host has come."""
        return rank in self._hosts

    def send_grants(self, grants: Iterable[Grant]) -> None:
        """Send grants, one frame a host."""
        frames: dict[bytes, list[tuple[Any, ...]]] = {}
        now = wall()
        for seat, ticks in grants:
            frames.setdefault(self._hosts[seat.rank], []).append(
                (seat.rank, tuple(seat.warnings), ticks)
            )
            seat.warnings.clear()
            self.granted[seat.rank] = now
        for host, rows in frames.items():
            self.socket.send(host, zmq.SNDMORE)
            self.socket.send(pack("grant", rows))

    def send(self, rank: int, *parts: Any) -> None:
        """Send a frame to an app's host."""
        self.socket.send_multipart((self._hosts[rank], pack(*parts)))

    def hosts(self) -> dict[bytes, list[int]]:
        """Give every host with the ranks it hosts."""
        found: dict[bytes, list[int]] = {}
        for rank, host in sorted(self._hosts.items()):
            found.setdefault(host, []).append(rank)
        return found

    def send_rebuild(self, ticks: dict[int, Tick], number: int, seed: int) -> None:
        """Have every app made anew; those in ``ticks`` outlive the case and get their mail."""
        for host, ranks in self.hosts().items():
            rows = [(rank, *ticks[rank][1:]) if rank in ticks else (rank, 0, ()) for rank in ranks]
            self.socket.send_multipart((host, pack("rebuild", rows, number, seed)))

    def send_all(self, *parts: Any) -> None:
        """Send a frame to every host."""
        for host in self.hosts():
            self.socket.send_multipart((host, pack(*parts)))

    def gone(self, rank: int) -> None:
        """Forget an app's host: its process has ended."""
        self._hosts.pop(rank, None)
        self.pids.pop(rank, None)
        self.granted.pop(rank, None)

    def overdue(self, seat: Seat, patience: float) -> bool:
        """Whether a granted app has not answered within so many wall seconds; 0: never."""
        since = self.granted.get(seat.rank)
        return bool(patience and seat.flight and since and wall() - since > patience)

    def kill(self, rank: int, folder: Path) -> str:
        """End a hanging host; give the stacks it wrote down before."""
        pid = self.pids[rank]
        dump = folder / f"stacks-{pid}"
        try:
            os.kill(pid, signal.SIGUSR1)
            sleep(STACK_DUMP)
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return ""
        return dump.read_text() if dump.exists() else ""
