"""Packets of the MOOSDB protocol: read from a stream of bytes, and written.

Little-endian: a packet is its length, its number of messages, a byte for compression (always 0),
and the messages. A message is its length, an id, a letter for its type and one for its data's, four
strings (source, aux, community, name), three doubles (time, number, second number) and a string. A
string is its length and its bytes. All lengths are signed and of 32 bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from struct import Struct, error
from typing import NamedTuple

from steerageway.bus import Message, Value

GREETING = b"ELKS CAN'T DANCE 2/8/10".ljust(32, b"\0")
LARGEST = 16 * 1024 * 1024  # bytes of a packet: four times the bus's largest value
ANSWER = -2  # id of requests to the database, and of its answers

HELLO, WELCOME, POISON = b"i", b"W", b"K"
NOTIFY, REGISTER, UNREGISTER = b"N", b"R", b"U"
REGISTER_PATTERN, UNREGISTER_PATTERN = b"*", b"/"
TIMING, FILLER, REQUEST = b"T", b".", b"Q"
DOUBLE, STRING, BINARY = b"D", b"S", b"B"
ASYNCHRONOUS = "asynchronous"
HOST = "hostname=steerageway"  # not the machine's own: the program would keep its own time

_PACKET = Struct("<iib")
_HEAD = Struct("<iicci")  # with the length of the first string
_SIZE = Struct("<i")
_REST = Struct("<dddi")  # with the length of the last string
_FIXED = 54  # bytes of a message without its strings


class BadPacket(Exception):
    """What a peer has sent is not of the protocol; the text says why."""


class MoosMessage(NamedTuple):
    """One message of a packet.

    Attributes:
        kind, data: letters for its type and its data's.
        name: the variable, or a word of the protocol.
        time: MOOS time [s]; -1: none.
        number: the value of a ``DOUBLE``. text: the value of a ``STRING`` or ``BINARY``.
        number2: seldom used.
        identity: a number; ``ANSWER`` in requests and their answers.
    """

    kind: bytes
    data: bytes = DOUBLE
    name: str = ""
    time: float = -1.0
    number: float = -1.0
    text: bytes = b""
    source: str = ""
    aux: str = ""
    community: str = ""
    number2: float = -1.0
    identity: int = -1

    @property
    def value(self) -> Value:
        """The value of a notification."""
        if self.data == DOUBLE:
            return self.number
        return self.text if self.data == BINARY else text_of(self.text)

    def packed(self) -> bytes:
        """Return its bytes."""
        strings = _strings(self.source, self.aux, self.community, self.name)
        return b"".join(
            (
                _SIZE.pack(_FIXED + len(strings) - 16 + len(self.text)),
                _SIZE.pack(self.identity),
                self.kind,
                self.data,
                strings,
                _REST.pack(self.time, self.number, self.number2, len(self.text)),
                self.text,
            )
        )


def welcome(community: str, time: float, skew: float) -> bytes:
    """Return the packet by which a database takes a program in.

    Args:
        community: of the database. time: of the program's introduction [s].
        skew: to be added to its clock [s].
    """
    return packet(
        [
            MoosMessage(
                WELCOME,
                time=time,
                number=skew,
                text=ASYNCHRONOUS.encode(),
                source=f"MOOSDB_{community}",
                aux=HOST,
                community=community,
            ).packed()
        ]
    )


def delivery(message: Message, epoch: float) -> bytes:
    """Return a message of the bus as the bytes of a notification.

    Args:
        message: of the bus.
        epoch: UTC of simulated time zero [s].
    """
    value = message.value
    strings = _strings(message.source, message.aux, message.community, message.name)
    if isinstance(value, float):
        data, number, text = b"ND", value, b""
    elif isinstance(value, str):
        data, number, text = b"NS", -1.0, value.encode()
    else:
        data, number, text = b"NB", -1.0, value
    head = _SIZE.pack(_FIXED + len(strings) - 16 + len(text)) + b"\xff\xff\xff\xff" + data
    return head + strings + _REST.pack(epoch + message.time, number, -1.0, len(text)) + text


def packet(messages: Iterable[bytes]) -> bytes:
    """Return a packet of messages' bytes."""
    parts = list(messages)
    body = b"".join(parts)
    return _PACKET.pack(_PACKET.size + len(body), len(parts), 0) + body


def take_packets(stream: bytearray) -> Iterator[list[MoosMessage]]:
    """Take the whole packets from the beginning of a stream.

    Raises:
        BadPacket: what comes next is none.
    """
    while len(stream) >= _PACKET.size:
        total, count, compression = _PACKET.unpack_from(stream)
        if not _PACKET.size <= total <= LARGEST or count < 0 or compression:
            raise BadPacket(f"a packet of {total} bytes, {count} messages, kind {compression}")
        if len(stream) < total:
            return
        messages = unpacked(bytes(memoryview(stream)[:total]), count)
        del stream[:total]
        yield messages


def unpacked(content: bytes, count: int) -> list[MoosMessage]:
    """Return the messages of one whole packet.

    Raises:
        BadPacket: the lengths in it do not fit each other.
    """
    messages, at = [], _PACKET.size
    try:
        for _ in range(count):
            length, identity, kind, data, size = _HEAD.unpack_from(content, at)
            here, sizes = at + _HEAD.size, [size]
            strings = [content[here : here + size]]
            for _ in range(3):
                here += size
                (size,) = _SIZE.unpack_from(content, here)
                here += 4
                sizes.append(size)
                strings.append(content[here : here + size])
            time, number, number2, size = _REST.unpack_from(content, here + size)
            here += sizes[3] + _REST.size
            at += length
            if min(*sizes, size) < 0 or here + size != at or at > len(content):
                raise BadPacket("a message whose lengths do not add up")
            source, aux, community, name = map(text_of, strings)
            text = content[here:at]
            messages.append(
                MoosMessage(
                    kind, data, name, time, number, text, source, aux, community, number2, identity
                )
            )
    except error:
        raise BadPacket("a message that ends behind its packet") from None
    if at != len(content):
        raise BadPacket("more bytes than its messages have")
    return messages


def text_of(content: bytes) -> str:
    """Return bytes as text: UTF-8, or what is none, as Latin-1. MOOS has no encoding."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


@lru_cache(4096)
def _strings(*texts: str) -> bytes:
    """Return the four strings of a message; those of a variable recur."""
    coded = (text.encode() for text in texts)
    return b"".join(_SIZE.pack(len(one)) + one for one in coded)
