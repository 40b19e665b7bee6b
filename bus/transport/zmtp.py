"""ZMTP 3.0, the protocol of ZeroMQ's sockets, as far as processes of one machine need it.

A socket of any ZeroMQ library may be at the other end (https://rfc.zeromq.org/spec/23). ZeroMQ's
own library passes each frame through a thread on either side, which costs more than the rest of a
round trip; here the protocol is spoken directly on the stream socket (``Channel``).

Both sides send a greeting and a READY command, and messages once they have the other's. Each is a
byte of flags, its length in one byte or eight, and its content. There are no keys, no heartbeats,
and no messages of several frames.
"""

from __future__ import annotations

from steerageway.bus.core.errors import WireError

DEALER, ROUTER = b"DEALER", b"ROUTER"  # types of sockets

_MORE, _LONG, _COMMAND = 1, 2, 4  # flags
_SIGNATURE, _MAJOR, _MECHANISM = slice(0, 10), 10, slice(12, 32)
_NULL = b"NULL".ljust(20, b"\0")
_GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + _NULL + bytes(32)
_SHORT_HEADS = [bytes((0, size)) for size in range(256)]


def opening(kind: bytes) -> bytes:
    """Return what a socket of this type sends at first: its greeting and its READY command."""
    body = b"\x05READY" + _property(b"Socket-Type", kind) + _property(b"Identity", b"")
    return _GREETING + bytes((_COMMAND, len(body))) + body


def head(size: int) -> bytes:
    """Return what precedes the content of a message of so many bytes."""
    return _SHORT_HEADS[size] if size < 256 else b"\x02" + size.to_bytes(8)


class Decoder:
    """Separates what arrives at a socket into messages.

    Attributes:
        ready: whether the other side has introduced itself, and may be sent messages.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._greeted = self.ready = False

    def feed(self, data: bytes) -> list[bytes | bytearray]:
        """Take what has arrived; return the contents of the messages that are complete now.

        Raises:
            WireError: the other side does not speak this protocol.
        """
        arrived: bytes | bytearray = data
        if self._rest:
            self._rest += data
            arrived = self._rest
        found: list[bytes | bytearray] = []
        place, length = 0, len(arrived)
        if not self._greeted and length >= len(_GREETING):
            _check_greeting(arrived)
            self._greeted, place = True, len(_GREETING)
        while self._greeted and length - place >= 2:
            flags, size, begin = arrived[place], arrived[place + 1], place + 2
            if flags & _LONG:
                begin = place + 9
                size = int.from_bytes(arrived[place + 1 : begin])
            if begin + size > length:
                break
            place = begin + size
            self._take(flags, arrived[begin:place], found)
        if arrived is data:
            self._rest += data[place:]
        else:
            del self._rest[:place]
        return found

    def _take(self, flags: int, content: bytes | bytearray, found: list[bytes | bytearray]) -> None:
        if flags & _COMMAND:
            self.ready = self.ready or content.startswith(b"\x05READY")
        elif not self.ready or flags & _MORE:
            raise WireError("a message is one frame, after the READY command")
        else:
            found.append(content)


def _check_greeting(arrived: bytes | bytearray) -> None:
    signature = arrived[_SIGNATURE]
    if signature[0] != 0xFF or signature[9] != 0x7F or arrived[_MAJOR] < 3:
        raise WireError("expected a peer that speaks ZMTP 3")
    if arrived[_MECHANISM] != _NULL:
        raise WireError("expected ZMTP's mechanism NULL")


def _property(name: bytes, value: bytes) -> bytes:
    return bytes((len(name),)) + name + len(value).to_bytes(4) + value
