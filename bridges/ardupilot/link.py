"""The link to the firmware: a frame to it, its next servo packet back, over UDP.

The firmware waits for each frame, and repeats its latest packet, with the same count, if none
comes. A run that waits and a firmware that waits stay in step whatever is lost: a repeated packet,
or silence, says that the frame has to be sent again.
"""

from __future__ import annotations

import socket
from contextlib import suppress

from steerageway.bridges.ardupilot.servos import NotServos, ServoPacket, read_packet
from steerageway.bridges.links import Address, Counts
from steerageway.bus import CannotGoOn, wall

REPEATED = 0.3  # wall seconds after a frame, from which on a repeated packet asks for it
START = 50.0  # wall seconds in which a firmware must appear
SILENCE = 2.0  # wall seconds without a packet, after which the frame is sent again
ADOPTION = 0.5  # wall seconds of silence, after which another firmware is taken instead
LONGEST = 4096  # bytes
MOST_WAITING = 1000  # datagrams read before a frame is sent, whoever sends more


class FirmwareLink:
    """Exchanges frames for servo packets.

    Attributes:
        troubles: what went wrong -> how often.
        peer: the firmware's address.
        patience: wall seconds without an answer that end the run.

    Raises:
        OSError: the address cannot be bound.
    """

    def __init__(self, address: Address, patience: float) -> None:
        self.troubles = Counts()
        self.peer: Address | None = None
        self.patience = patience
        self._count = -1
        self._restarted = self._repeated = False
        self._other: tuple[Address, ServoPacket] | None = None
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind(address)
        except OSError:
            self._socket.close()
            raise
        self._name = f"{address[0]}:{address[1]}"

    def await_first(self) -> ServoPacket:
        """Wait for a firmware, and return its first packet.

        Raises:
            CannotGoOn: none comes.
        """
        until = wall() + START
        while self._other is None:
            if wall() >= until:
                said = f"; what came: {', '.join(self.troubles)}" if self.troubles else ""
                raise CannotGoOn(
                    f"no firmware has sent to {self._name} within {START:g} s: expected "
                    f"sim_vehicle.py -v Rover --model JSON:127.0.0.1 to be started{said}"
                )
            self._next(ADOPTION)
        return self._adopt()

    def exchange(self, frame: bytes) -> tuple[ServoPacket, bool]:
        """Send a frame; return the packet that answers it, and whether the firmware was restarted.

        Raises:
            CannotGoOn: no answer comes.
        """
        for _ in range(MOST_WAITING):  # repeated while the run was paused
            if (waiting := self._datagram(0.0)) is None:
                break
            self._packet_of(*waiting)
        begun = sent = self._send(frame)
        before = self._count
        while (now := wall()) < begun + self.patience:
            found = self._next(ADOPTION / 2)
            if found is None and self._other is not None and now >= begun + ADOPTION:
                found = self._adopt()
            if found is not None:
                restarted, self._restarted = self._restarted, False
                if not restarted:
                    self._note_gap(before, found.count)
                return found, restarted
            if now >= sent + (REPEATED if self._repeated else SILENCE):
                sent = self._send(frame)
        raise CannotGoOn(f"the firmware has not answered for {self.patience:g} s of wall time")

    def close(self) -> None:
        """Close it; closing again does nothing."""
        self._socket.close()

    def _send(self, frame: bytes) -> float:
        """Send a frame; return the wall time."""
        self._repeated = False
        if self.peer is not None:
            with suppress(OSError):  # as a network that is down: the frame counts as lost
                self._socket.sendto(frame, self.peer)
        return wall()

    def _next(self, timeout: float) -> ServoPacket | None:
        """Return the firmware's next packet; None if none comes in time, or something else."""
        datagram = self._datagram(timeout)
        return None if datagram is None else self._packet_of(*datagram)

    def _datagram(self, timeout: float) -> tuple[bytes, Address] | None:
        self._socket.settimeout(timeout)
        try:
            return self._socket.recvfrom(LONGEST)
        except OSError:
            return None

    def _packet_of(self, data: bytes, address: Address) -> ServoPacket | None:
        """Return what a datagram holds if it is news of the firmware; note it if it is not."""
        try:
            packet = read_packet(data)
        except NotServos as error:
            self.troubles[str(error)] += 1
            return None
        if address != self.peer:
            self._other = address, packet
        elif packet.count == self._count:
            self._repeated = True
        elif packet.count > self._count or packet.count == 0:
            return self._news(packet)
        else:
            self.troubles["a servo packet came late"] += 1
        return None

    def _adopt(self) -> ServoPacket:
        """Take the other firmware for this one, which is silent."""
        assert self._other is not None
        (self.peer, packet), self._other = self._other, None
        return self._news(packet)

    def _news(self, packet: ServoPacket) -> ServoPacket:
        self._restarted = self._restarted or packet.count <= self._count
        self._count = packet.count
        return packet

    def _note_gap(self, before: int, count: int) -> None:
        if count > before + 1:
            self.troubles["servo packets were lost"] += count - before - 1
        if self._other is not None:
            (host, port), self._other = self._other[0], None
            self.troubles[f"a second firmware, at {host}:{port}, is not answered"] += 1
