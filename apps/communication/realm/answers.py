"""Texts of ``pRealm``: REALMCAST tables and WATCHCAST records, from the latest messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from steerageway.apps.communication.realm.request import Request
from steerageway.apps.communication.realm.table import (
    RULE,
    VALUES_HIDDEN,
    ProcessTable,
    Style,
    Table,
)
from steerageway.bus import Message, matches
from steerageway.moos.values import trimmed

Sets = Mapping[str, tuple[str, ...]]


class Answers:
    """Stores messages and writes realmcasts.

    Attributes:
        values: variable -> its last message.
        history: variable of a history channel -> its last messages, newest first.
    """

    def __init__(
        self, community: str, processes: ProcessTable, sets: Sets, style: Style, length: int
    ) -> None:
        self._community = community
        self._processes = processes
        self._sets = sets
        self._style = style
        self.values: dict[str, Message] = {}
        self.history: dict[str, deque[Message]] = {
            name: deque(maxlen=length) for names in sets.values() for name in names
        }

    def take(self, message: Message) -> None:
        """Store a message."""
        self.values[message.name] = message
        if message.name in self.history:
            self.history[message.name].appendleft(message)

    def watchcast(self, name: str, started: float) -> str:
        """Return a WATCHCAST with a variable's last value; local times count from ``started``."""
        message = self.values.get(name)
        fields = [f"node={self._community}", f"var={name}"]
        if message is None:
            fields += ["src=n/a", "comm=n/a", "loc_time=-1", "utc_time=0", "sval=n/a"]
            return "!X!".join(fields)
        fields += [f"src={message.source}", f"comm={message.community}"]
        fields.append(f"loc_time={trimmed(message.time - started, 2)}")
        fields.append(f"utc_time={trimmed(message.time + self._style.epoch, 2)}")
        if isinstance(message.value, float):
            fields.append(f"dval={trimmed(message.value, 3)}")
        else:
            fields.append(f"sval={message.value if isinstance(message.value, str) else 'binary'}")
        return "!X!".join(fields)

    def table(self, request: Request, started: float) -> Iterator[str]:
        """Yield the lines of a REALMCAST about a process or a history channel."""
        channel, style = request.channel, self._style
        if channel in self._sets:
            yield f"History Channel [{channel}]: {','.join(self._sets[channel])}"
            yield RULE
            yield from self._history_table(Table(request, style, started), channel)
            return
        if request.subscriptions and channel in self._processes.subscribed:
            yield from ("Subscriptions", RULE)
            names, table = self._processes.subscribed[channel], Table(request, style, started)
            yield from self._values_table(table, names, silent=not request.masked)
            yield ""
        if channel in self._processes.published:
            yield from ("Publications", RULE)
            names, table = self._processes.published[channel], Table(request, style, started)
            yield from self._values_table(table, names, silent=False)

    def _history_table(self, table: Table, channel: str) -> list[str]:
        messages = [message for name in self._sets[channel] for message in self.history[name]]
        for message in sorted(messages, key=lambda m: -m.time):
            table.add(message)
        return table.lines()

    def _values_table(self, table: Table, patterns: Iterable[str], *, silent: bool) -> list[str]:
        shown: dict[str, None] = {}
        for pattern in patterns:
            names = sorted(name for name in self.values if matches(pattern, name))
            for name in names:
                if name not in shown:
                    table.add(self.values[name], shown=name not in VALUES_HIDDEN)
            shown |= dict.fromkeys(names)
            if silent and not names:
                table.add_unposted(pattern)
        return table.lines()


def cast(community: str, process: str, lines: Iterable[str]) -> str:
    """Return a REALMCAST text."""
    messages = "".join(f"{line}!Z!" for line in lines)
    return f"node={community}!Q!proc={process}!Q!messages={messages}"
