"""Mailbags: mailboxes packed into frames for a client, with weight, and thinned when not read."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from steerageway.bus.database.mailbox import Entry, Mailbox
from steerageway.bus.transport.wire import CREDIT_UNIT, LARGEST_FRAME, pack

BATCH = 1024  # most messages in a mail frame, unless they came in one batch

Row = tuple[Any, ...]  # name, value, time, aux
Group = tuple[str, str, int, list[Row]]  # source, community, instant and the messages of these


class Mailbag(Mailbox):
    """A mailbox whose mail is sent in frames."""

    __slots__ = ()

    @abstractmethod
    def pack(self) -> bytes | None:
        """Pack the oldest mail, if there is any; it stays until ``remove_sent``."""

    @abstractmethod
    def remove_sent(self) -> int:
        """Remove the mail packed last, as it was sent; return its number of messages."""

    @abstractmethod
    def weight(self) -> int:
        """Return the approximate cost of the waiting mail."""

    @abstractmethod
    def thin(self) -> int:
        """Keep the last message of each variable; return the number of others."""


class EntryBag(Mailbag):
    """A mailbag of single entries, as lockstep commits them."""

    __slots__ = ("_packed", "_weighed", "_weight")

    def __init__(self, owner: str) -> None:
        super().__init__(owner)
        self._packed = self._weighed = self._weight = 0

    def pack(self) -> bytes | None:
        """Pack the oldest mail, if there is any; it stays until ``remove_sent``."""
        if not self.entries:
            return None
        self._packed = min(len(self.entries), BATCH)
        frame = pack("mail", _groups(self.entries[:BATCH]))
        while len(frame) > LARGEST_FRAME and self._packed > 1:
            self._packed //= 2
            frame = pack("mail", _groups(self.entries[: self._packed]))
        return frame

    def remove_sent(self) -> int:
        """Remove the mail packed last, as it was sent; return its number of messages."""
        self._weight -= self._weight * self._packed // len(self.entries)
        self._weighed = max(0, self._weighed - self._packed)
        del self.entries[: self._packed]
        return self._packed

    def weight(self) -> int:
        """Return the approximate cost of the waiting mail."""
        fresh = self.entries[self._weighed :]
        texts = [len(e[3].value) for e in fresh if not isinstance(e[3].value, float)]
        self._weighed += len(fresh)
        self._weight += len(fresh) + sum(texts) // CREDIT_UNIT
        return self._weight

    def thin(self) -> int:
        """Keep the last message of each variable; return the number of others."""
        before, last = len(self.entries), dict[str, Entry]()
        for entry in reversed(self.entries):
            last.setdefault(entry[3].name, entry)
        self.entries = list(reversed(last.values()))
        self._weighed = self._weight = 0
        return before - len(last)


def _groups(entries: list[Entry]) -> list[Group]:
    """Group neighbours of one source, community and instant, which a frame names once."""
    groups: list[Group] = []
    before: tuple[str, str, int] | None = None
    for _, _, _, (name, value, time, source, aux, community, instant) in entries:
        shared = (source, community, instant)
        if shared != before:
            groups.append((*shared, []))
            before = shared
        groups[-1][3].append((name, value, time, aux))
    return groups
