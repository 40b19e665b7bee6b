"""Frames: what the sockets carry. One msgpack array a frame; its first element says what it is.

``docs/wire.md`` specifies them for clients in other languages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgpack

from bus.errors import WireError
from bus.message import Message, Value, is_postable

PROTOCOL = 1
MOST_BYTES = 64 * 1024 * 1024
LONGEST_NAME = 256

_packer = msgpack.Packer(autoreset=True)


def pack(*parts: Any) -> bytes:
    """Make a frame."""
    return _packer.pack(parts)  # type: ignore[no-any-return]


def unpack(frame: bytes) -> tuple[Any, ...]:
    """Read a frame.

    Raises:
        WireError: not one msgpack array that begins with a text.
    """
    try:
        parts = msgpack.unpackb(frame, use_list=False, strict_map_key=False)
    except (ValueError, msgpack.UnpackException, msgpack.exceptions.StackError) as error:
        raise WireError(f"not msgpack: {error or type(error).__name__}") from None
    if not isinstance(parts, tuple) or not parts or not isinstance(parts[0], str):
        raise WireError("a frame is an array that begins with its kind, a text")
    return parts


def as_messages(rows: Sequence[tuple[Any, ...]]) -> list[Message]:
    """Turn rows of a frame of our own broker into messages."""
    make = tuple.__new__
    return [make(Message, row) for row in rows]


def check_name(name: object) -> str:
    """Check a variable's or a client's name.

    Raises:
        WireError: not a text of 1 to 256 printable characters without blanks at its ends.
    """
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        raise WireError(f"{name!r}: a name is a text of 1 to {LONGEST_NAME} characters")
    if not name.isprintable() or name != name.strip():
        raise WireError(f"{name!r}: a name is printable, without blanks at its ends")
    return name


def check_value(name: str, value: object) -> Value:
    """Check a posted value; whole numbers become floats.

    Raises:
        WireError: not a finite number, a text or bytes.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, (float, str, bytes)):
        raise WireError(f"{name}: a value is a number, a text or bytes, not {value!r}")
    if not is_postable(value):
        raise WireError(f"{name}: {value!r} is not a finite number")
    return value
