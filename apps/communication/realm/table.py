"""Tables of variables as text, and the processes of a community that have them."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.communication.realm.request import Request
from steerageway.apps.shared.display import aligned
from steerageway.bus import Message, Value
from steerageway.moos.rw_summary import read_rw_summary
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


DATABASE_POSTS = (
    "DB_CLIENTS",
    "DB_EVENT",
    "DB_RWSUMMARY",
    "DB_TIME",
    "DB_UPTIME",
    "DB_VARSUMMARY",
)
HIDDEN = ("uQueryDB", "uPokeDB", "uXMS", "uMAC")


class ProcessTable:
    """The processes of a community.

    Attributes:
        subscribed: process -> variables and patterns it registered for.
        published: process -> variables it posted.
    """

    def __init__(self, database: str) -> None:
        self.subscribed: dict[str, tuple[str, ...]] = {database: ()}
        self.published: dict[str, tuple[str, ...]] = {database: DATABASE_POSTS}
        self._summary = ""

    def update(self, summary: str) -> bool:
        """Take a summary, see ``moos.rw_summary``; return whether it is new.

        Processes that have disconnected are kept, so that their last posts can still be shown.
        """
        if summary == self._summary:
            return False
        self._summary = summary
        for process, subscribed, published in read_rw_summary(summary):
            self.subscribed[process] = tuple(sorted(subscribed))
            self.published[process] = tuple(sorted(published))
        return True

    def channels(self) -> list[str]:
        """Return the processes that may be requested, in alphabetical order."""
        return sorted(name for name in self.subscribed if not any(part in name for part in HIDDEN))
