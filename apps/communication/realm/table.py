"""Tables of variables with source, time, community and value, as text."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.communication.realm.request import Request
from steerageway.apps.shared.display import aligned
from steerageway.bus import Message, Value
from steerageway.moos.values import fixed, trimmed

VALUES_HIDDEN = ("APPCAST", "REALMCAST", "BHV_IPF", "DB_RWSUMMARY", "DB_VARSUMMARY")
RULE = "=" * 39


@dataclass(frozen=True, slots=True)
class Style:
    """Format of values and times.

    Attributes:
        wrap_length, trunc_length: characters of a line, and of a value.
        epoch: UTC of simulated time zero [s].
    """

    wrap_length: int
    trunc_length: int
    epoch: float


class Table:
    """Rows of variables, with the requested columns."""

    def __init__(self, request: Request, style: Style, started: float) -> None:
        """Begin a table; times that are not UTC count from ``started`` [s]."""
        self._request = request
        self._style = style
        self._offset = style.epoch if request.utc else -started
        self._rows: list[tuple[str, ...]] = []
        self._add("Variable", "Source", "Time", "Comm", "Value")

    def add(self, message: Message, *, shown: bool = True) -> None:
        """Add a variable's last message; ``shown`` false replaces a report's text by a note."""
        time = fixed(message.time + self._offset, 2)
        hidden = not shown and isinstance(message.value, str)
        value = "formatted report" if hidden else self._value(message.name, message.value)
        lines = self._wrapped(value)
        self._add(message.name, message.source, time, message.community, lines[0])
        for line in lines[1:]:
            self._add("", "", "", "", line)

    def add_unposted(self, name: str) -> None:
        """Add a variable that was never posted."""
        self._add(name, "-", "never", "-", "-")

    def lines(self) -> list[str]:
        """Return the lines of the table."""
        header, *rows = self._rows
        dashes = tuple("-" * len(title) for title in header)
        return aligned((header, dashes, *rows))

    def _add(self, name: str, source: str, time: str, community: str, value: str) -> None:
        request = self._request
        row = [name]
        if request.source:
            row.append(source)
        row.append(time)
        if request.community:
            row.append(community)
        self._rows.append((*row, value))

    def _value(self, name: str, value: Value) -> str:
        if isinstance(value, float):
            return trimmed(value, 6)
        if isinstance(value, bytes):
            return "binary"
        if self._request.truncate:
            value = value[: self._style.trunc_length]
        if name.endswith("_STATUS"):
            value = value.partition("MOOSName")[0]
        return value

    def _wrapped(self, value: str) -> list[str]:
        if not self._request.wrap:
            return [value]
        length = self._style.wrap_length
        return [value[i : i + length] for i in range(0, len(value), length)] or [""]
