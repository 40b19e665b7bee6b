"""Frames of the wire protocol: MessagePack arrays, packed, unpacked and checked.

The first element of a frame is its kind. ``docs/wire.md`` specifies frames for other languages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from reprlib import Repr
from typing import Any, NamedTuple

import msgpack

from steerageway.bus.core.app import Registration
from steerageway.bus.core.errors import Refused, WireError
from steerageway.bus.core.message import LONGEST_NAME, NANO, Message, is_name, is_postable
from steerageway.declarations.posted import Value

PROTOCOL = 1
LARGEST_FRAME = 16 * 1024 * 1024
LARGEST_VALUE = 4 * 1024 * 1024
MOST_ROWS = 4096
MOST_ELEMENTS = 9 * MOST_ROWS  # of a frame, nested ones included: a row has at most seven
LARGE_FRAME = 1024 * 1024  # bytes from which on elements are counted; less cannot grow to much
LATEST = 1e12  # s, of a post's stamp
LONGEST_AUX = 1024
CREDIT_UNIT = 1024  # bytes of a frame that cost as much as one message
OBSERVER, APP = "observer", "app"  # roles of clients
WIDEST_WINDOW = 65536  # credit a client may give the broker at once

_unpack_own = partial(msgpack.unpackb, use_list=False, strict_map_key=False)
# The limits bound memory before objects are built; no map keys but str and bytes, no extensions.
_unpack_foreign = partial(
    msgpack.unpackb, use_list=False, max_array_len=MOST_ROWS, max_map_len=64, max_ext_len=0
)
_HELLO_TYPES = (str, str, str, bool, int, str)
_packer = msgpack.Packer(autoreset=True)
_brief = Repr()
_brief.maxother = _brief.maxlong = 80


def _layout() -> list[tuple[int, int]]:
    """Return the length of an element for each possible first byte.

    Returns: (bytes of the element without its contents, how many of these hold their length).
    The items of arrays and maps count as elements of their own.
    """
    layout = [(1, 0)] * 256
    for mark in range(0xA0, 0xC0):  # short texts
        layout[mark] = (1 + (mark & 0x1F), 0)
    for place, size in enumerate((1, 2, 4)):  # bytes, extensions, texts
        layout[0xC4 + place] = layout[0xD9 + place] = (1 + size, size)
        layout[0xC7 + place] = (2 + size, size)
    for mark, size in zip(range(0xCA, 0xD4), (4, 8, 1, 2, 4, 8, 1, 2, 4, 8), strict=True):
        layout[mark] = (1 + size, 0)  # numbers
    for place in range(5):  # short extensions
        layout[0xD4 + place] = (2 + (1 << place), 0)
    for mark, size in zip(range(0xDC, 0xE0), (2, 4, 2, 4), strict=True):  # arrays and maps
        layout[mark] = (1 + size, 0)
    return layout


_LAYOUT = _layout()


def has_more_elements(frame: bytes, most: int) -> bool:
    """Whether a frame holds more than ``most`` elements; it may be truncated or garbage.

    A byte of MessagePack may become an object of sixty bytes: the memory that a frame will need
    follows from its number of elements, not from its length.
    """
    place = count = 0
    while place < len(frame) and count <= most:
        head, length_bytes = _LAYOUT[frame[place]]
        if length_bytes:
            head += int.from_bytes(frame[place + 1 : place + 1 + length_bytes])
        place += head
        count += 1
    return count > most


class Hello(NamedTuple):
    """A client's introduction.

    Attributes:
        name: source of its posts.
        role: ``OBSERVER`` or ``APP``.
        community: the one to connect to; "" where there is only one.
        whole: whether it is to be disconnected rather than miss a message.
        credit: cost of the mail it is ready for.
        token: the run's token.
    """

    name: str
    role: str = OBSERVER
    community: str = ""
    whole: bool = False
    credit: int = 0
    token: str = ""


def pack(*parts: Any) -> bytes:
    """Make a frame."""
    return _packer.pack(parts)  # type: ignore[no-any-return]


def unpack(frame: bytes | bytearray) -> tuple[Any, ...]:
    """Unpack a frame of this project's own processes.

    Raises:
        WireError: not one msgpack array that begins with a text.
    """
    return _read(frame, _unpack_own)


def unpack_foreign(frame: bytes) -> tuple[Any, ...]:
    """Unpack a frame of any client: its size is limited before anything is built.

    Raises:
        WireError: too large, or not one msgpack array that begins with a text.
    """
    if len(frame) > LARGEST_FRAME:
        raise WireError(f"{len(frame)} bytes: a frame holds at most {LARGEST_FRAME}")
    if len(frame) > LARGE_FRAME and has_more_elements(frame, MOST_ELEMENTS):
        raise WireError(f"a frame holds at most {MOST_ELEMENTS} elements, with those within others")
    return _read(frame, _unpack_foreign)


def cost(rows: int, size: int) -> int:
    """Return the credit that a frame of this many messages and bytes uses."""
    return max(rows, size // CREDIT_UNIT)


def as_messages(rows: Sequence[tuple[Any, ...]]) -> list[Message]:
    """Turn rows of a frame of the own broker into messages."""
    make = tuple.__new__
    return [make(Message, row) for row in rows]


def ungroup(groups: Sequence[tuple[str, str, int, Sequence[Any]]]) -> list[Message]:
    """Turn the groups of a mail frame into messages."""
    make = tuple.__new__
    messages: list[Message] = []
    for source, community, instant, rows in groups:
        now = instant / NANO
        messages += [
            make(
                Message,
                (name, value, now if time is None else time, source, aux, community, instant),
            )
            for name, value, time, aux in rows
        ]
    return messages


def take_apart(parts: tuple[Any, ...], *kinds: type | tuple[type, ...]) -> tuple[Any, ...]:
    """Return the elements after a frame's kind, checked to be of these types.

    Raises:
        WireError: another number of elements, or another type.
    """
    rest = parts[1:]
    if len(rest) != len(kinds):
        raise WireError(f"{parts[0]}: {len(kinds)} elements follow, not {len(rest)}")
    for place, (element, kind) in enumerate(zip(rest, kinds, strict=True), 1):
        if not isinstance(element, kind) or isinstance(element, bool):
            raise WireError(f"{parts[0]}: element {place} cannot be {_shown(element)}")
    return rest


def check_hello(parts: tuple[Any, ...]) -> Hello:
    """Check a hello frame.

    Raises:
        WireError: what is wrong with it.
        Refused: its protocol version differs; the rest of the frame may then, too.
    """
    if len(parts) > 1 and isinstance(parts[1], int) and parts[1] != PROTOCOL:
        raise Refused(f"protocol {parts[1]}: not supported; the broker uses version {PROTOCOL}")
    _, name, options = take_apart(parts, int, str, dict)
    if "," in check_name(name):
        raise WireError(f"{name}: a client's name holds no comma")
    hello = Hello(name, **{key: options[key] for key in Hello._fields[1:] if key in options})
    for field, value, kind in zip(Hello._fields, hello, _HELLO_TYPES, strict=True):
        if value.__class__ is not kind:
            raise WireError(f"hello: {field} is of type {kind.__name__}, not {_shown(value)}")
    if hello.community:
        check_name(hello.community)
    if hello.role not in (OBSERVER, APP):
        raise WireError(f"hello: role is {OBSERVER} or {APP}, not {_shown(hello.role)}")
    if not 0 <= hello.credit <= WIDEST_WINDOW:
        raise WireError(f"hello: credit is 0 to {WIDEST_WINDOW}, not {hello.credit}")
    return hello


def check_name(name: object) -> str:
    """Check a variable's or a client's name.

    Raises:
        WireError: not a text of 1 to 256 printable characters without blanks at its ends.
    """
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        raise WireError(f"{_shown(name)}: a name is a text of 1 to {LONGEST_NAME} characters")
    if not is_name(name):
        raise WireError(f"{_shown(name)}: a name is printable, without blanks at its ends")
    return name


def is_aux(aux: str) -> bool:
    """Whether a text is legal as aux."""
    return len(aux) <= LONGEST_AUX and (not aux or aux.isprintable())


def check_value(name: str, value: object) -> Value:
    """Check a posted value; whole numbers become floats.

    Raises:
        WireError: not a finite number, a text or bytes; too long.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, (float, str, bytes)):
        raise WireError(f"{name}: a value is a number, a text or bytes, not {_shown(value)}")
    if not is_postable(value):
        raise WireError(f"{name}: {value!r} is not a finite number")
    if not isinstance(value, float) and len(value) > LARGEST_VALUE // 4:  # bytes of a character
        size = len(value.encode() if isinstance(value, str) else value)
        if size > LARGEST_VALUE:
            raise WireError(f"{name}: a value of {size} bytes; at most {LARGEST_VALUE} go")
    return value


def check_post(row: object) -> tuple[str, Value, float | None, str]:
    """Check one row of a post frame: name, value, time or None, aux.

    Raises:
        WireError: what is wrong with it.
    """
    if not isinstance(row, tuple) or len(row) != 4:
        raise WireError(f"{_shown(row)}: a post is [name, value, time or nil, aux]")
    name, value, time, aux = row
    check_name(name)
    if "*" in name or "?" in name:
        raise WireError(f"{name}: a variable's name holds no * or ?")
    if not isinstance(aux, str):
        raise WireError(f"{name}: aux is a text, not {_shown(aux)}")
    if not is_aux(aux):
        raise WireError(f"{name}: aux is printable, of at most {LONGEST_AUX} characters")
    if time is not None:
        if not isinstance(time, (int, float)) or isinstance(time, bool) or not is_postable(time):
            raise WireError(f"{name}: a time is a finite number or nil, not {_shown(time)}")
        if abs(time) > LATEST:
            raise WireError(f"{name}: a time is {-LATEST:g} to {LATEST:g} s, not {time:g}")
        time = float(time)
    return name, check_value(name, value), time, aux


def check_registration(row: object) -> Registration:
    """Check one row of a register frame.

    Raises:
        WireError: what is wrong with it.
    """
    if not isinstance(row, tuple) or len(row) != 4:
        raise WireError(f"{_shown(row)}: a registration is [pattern, source, interval, active]")
    pattern, source, interval, active = row
    check_name(pattern)
    check_name(source)
    if interval.__class__ not in (int, float) or not 0 <= interval < 1e9:
        raise WireError(f"{pattern}: an interval is a number of seconds, not {_shown(interval)}")
    if not isinstance(active, bool):
        raise WireError(f"{pattern}: active is true or false, not {_shown(active)}")
    return Registration(pattern, source, float(interval), active)


def _read(
    frame: bytes | bytearray, unpacked: Callable[[bytes | bytearray], Any]
) -> tuple[Any, ...]:
    try:
        parts = unpacked(frame)
    except (ValueError, msgpack.UnpackException) as error:
        raise WireError(f"not msgpack: {error or type(error).__name__}") from None
    if not isinstance(parts, tuple) or not parts or not isinstance(parts[0], str):
        raise WireError("a frame is an array that begins with its kind, a text")
    return parts


def _shown(value: object) -> str:
    """Return a foreign value as text, cut short in length and depth."""
    text = repr(value[:80]) if isinstance(value, (str, bytes)) else _brief.repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
