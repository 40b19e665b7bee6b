"""Routes of ``pShare``: parsers of Output and Input lines (variable, new name, address, limits).

src_name = X, dest_name = Y, route = localhost:9201 & multicast_8, max_shares = 3
X -> Y:localhost:9201 @ 2 & multicast_8, W* -> multicast_7
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from steerageway.bus import is_pattern, matches
from steerageway.declarations import Number, Whole, decimal, field_of
from steerageway.diagnostics.nearest import hint
from steerageway.moos.values import split_first

_GROUP = re.compile(r"multicast_(\d+)")
_MAX_GROUPS = 256
_LIMIT_KEYS = ("frequency", "duration", "max_shares")
_OUTPUT_KEYS = ("src_name", "dest_name", "route", *_LIMIT_KEYS)
_INPUT_KEYS = ("route", "white_list")
_CARET = "^"
_AT_LEAST_0, _ABOVE_0 = Number(low=0.0), Number(above=0.0)
T = TypeVar("T")


class RouteError(ValueError):
    """An invalid route; the text says what is expected."""


@dataclass(frozen=True, slots=True)
class Output:
    """A variable, or all variables of a pattern, forwarded to one address.

    Attributes:
        source: the variable's name or a pattern; app: its publisher, a name or a pattern.
        target: name at the destination; "" for the same. For a pattern it is a prefix, and ``^`` is
            replaced by the text that ``*`` matches.
        address: ``host:port`` or ``multicast_N``.
        interval: minimum time between two messages [s].
        duration: time after its start during which it is active [s]; None: unlimited.
        most: maximum number of forwarded messages; None: unlimited.
    """

    source: str
    address: str
    app: str = "*"
    target: str = ""
    interval: float = 0.0
    duration: float | None = None
    most: int | None = None

    def covers(self, name: str, app: str) -> bool:
        """Whether a variable posted by an app is forwarded."""
        return matches(self.source, name) and matches(self.app, app)

    def name_there(self, name: str) -> str:
        """Return the name of a variable at the destination."""
        if not is_pattern(self.source):
            return self.target or name
        if self.target == _CARET:
            head, _, tail = self.source.partition("*")
            return name[len(head) : len(name) - len(tail)]
        return self.target + name

    @property
    def names_there(self) -> str:
        """The names that ``name_there`` may return, as a pattern."""
        if not is_pattern(self.source):
            return self.target or self.source
        return "*" if self.target == _CARET else self.target + self.source

    @property
    def route(self) -> tuple[str, str, str, str]:
        """What, of whom, as what and where to: two outputs that agree in it are one."""
        return self.source, self.app, self.names_there, self.address

    @property
    def limited(self) -> bool:
        """Whether time, number or rate of its messages is."""
        return not (self.interval == 0.0 and self.duration is None and self.most is None)

    def is_active(self, age: float, count: int) -> bool:
        """Whether it is active at an age [s], after a number of forwarded messages."""
        if self.most is not None and count >= self.most:
            return False
        counted_only = self.duration == 0.0 and self.most is not None
        return self.duration is None or counted_only or age <= self.duration

    def __str__(self) -> str:
        """Return the output as it appears in ``PSHARE_OUTPUT_SUMMARY``."""
        shown = self.target or ("" if is_pattern(self.source) else self.source)
        source = self.source if self.app == "*" else f"{self.source}:{self.app}"
        return f"{source}->{shown}:{self.address}" if shown else f"{source}->{self.address}"


def read_outputs(text: str) -> list[Output]:
    """Parse an ``Output`` line in its long or its short form.

    Raises:
        RouteError: the line is invalid.
    """
    if re.match(r"\s*(\w+)\s*=", text):
        return list(_long_output(text))
    outputs: list[Output] = []
    for field in _fields(text, ","):
        key, value = split_first(field, "=")
        if outputs and key.lower() in _LIMIT_KEYS:  # as MOOS reads "X -> Y:h:1,duration=9"
            outputs[-1] = replace(outputs[-1], **_limits({key.lower(): value}))
        else:
            outputs += _short_output(field)
    return outputs


def read_inputs(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Parse an ``Input`` line: each address with the names it accepts.

    Raises:
        RouteError: the line is invalid.
    """
    if "=" not in text:
        return [(check_address(address), ("*",)) for address in _fields(text, ",")]
    fields = _read_fields(text, _INPUT_KEYS)
    names = tuple(_fields(fields.get("white_list", "*"), "&"))
    return [(check_address(address), names) for address in _fields(fields["route"], "&")]


def check_address(text: str) -> str:
    """Check an address, and return it in its normal form.

    Raises:
        RouteError: it is invalid.
    """
    address = text.strip().removesuffix(":udp")
    group = _GROUP.fullmatch(address)
    if group is not None and (number := decimal(group[1], _MAX_GROUPS)) is not None:
        return f"multicast_{number}"
    host, _, port = address.rpartition(":")
    if (
        not host.strip()
        or any(mark in host for mark in "=,&>")
        or not (port_number := decimal(port, 65536))
    ):
        raise RouteError(f"{text.strip()}: expected host:port or multicast_0 to multicast_255")
    return f"{host.strip()}:{port_number}"


def _long_output(text: str) -> Iterator[Output]:
    fields = _read_fields(text, _OUTPUT_KEYS)
    source, app = split_first(fields.get("src_name", ""), ":")
    limits = _limits(fields)
    for address in _fields(fields["route"], "&"):
        yield _checked(
            Output(
                source=source,
                app=app or "*",
                target=fields.get("dest_name", ""),
                address=check_address(address),
                **limits,
            )
        )


def _limits(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the attributes of an ``Output`` that limit it."""
    limits: dict[str, Any] = {}
    if frequency := _optional(fields, "frequency", _AT_LEAST_0):
        limits["interval"] = 1 / frequency
    if (duration := _optional(fields, "duration", _AT_LEAST_0)) is not None:
        limits["duration"] = duration
    if (most := _optional(fields, "max_shares", Whole(low=0))) is not None:
        limits["most"] = most
    return limits


def _short_output(text: str) -> Iterator[Output]:
    left, arrow, right = text.partition(">")
    source, app = split_first(left.rstrip("- "), ":")
    if not arrow:
        raise RouteError("expected src_name = X, route = host:port, or X -> Y:host:port")
    for way in _fields(right, "&"):
        route, rate = split_first(way, "@")
        frequency = _optional({"frequency": rate} if rate else {}, "frequency", _ABOVE_0)
        parts = [part.strip() for part in route.removesuffix(":udp").split(":")]
        length = 1 if _GROUP.fullmatch(parts[-1]) else 2
        yield _checked(
            Output(
                source=source,
                app=app or "*",
                target=":".join(parts[:-length]),
                address=check_address(":".join(parts[-length:])),
                interval=1 / frequency if frequency else 0.0,
            )
        )


def _checked(output: Output) -> Output:
    if not output.source or " " in output.source + output.target:
        raise RouteError("expected the name of a variable as src_name, without blanks")
    ends = output.source.strip("*")
    if output.target == _CARET and (is_pattern(ends) or len(output.source) != len(ends) + 1):
        raise RouteError("dest_name = ^: expected a src_name with one * at its start or end")
    return output


def _read_fields(text: str, known: tuple[str, ...]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for field in _fields(text, ","):
        key, value = split_first(field, "=")
        if key.lower() not in known:
            raise RouteError(f"{field}: expected one of {', '.join(known)}{hint(key, known)}")
        fields[key.lower()] = value
    if not fields.get("route"):
        raise RouteError("expected a route = host:port or multicast_N")
    return fields


def _optional(fields: Mapping[str, str], key: str, read: Callable[[str], T]) -> T | None:
    """Return the value of a field, None if there is none."""
    try:
        return field_of(fields, key, read) if key in fields else None
    except ValueError as error:
        raise RouteError(str(error)) from None


def _fields(text: str, separator: str) -> list[str]:
    return [field.strip() for field in text.split(separator) if field.strip()]
