"""``Variable``: a named variable: its last value, its type, its posters and readers."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from steerageway.bus.core.message import Message, Row
from steerageway.bus.database.mailbox import Entry, Mailbox, Reader
from steerageway.declarations.posted import Value

Run: TypeAlias = tuple[int, int, str, str, int, Sequence[Row]]
"""The posts of one activation: its stamp, the app's rank and name, community, instant, posts."""


class Hook:
    """Is called with a variable's commits."""

    __slots__ = ()

    def committed(self, entry: Entry) -> None:
        """Process one committed entry."""
        raise NotImplementedError


class Variable:
    """One named variable.

    Attributes:
        kind: float, str or bytes; None until the first post.
        last: the entry committed last, without ``runs``; None until the first post.
        recent: the last entries, oldest first, for registrations at earlier stamps.
        runs: later activations that only repeated it; ``settle`` makes entries of their posts when
            needed. Without history the last two: no registration needs more.
        latest: the run added last, so that each is added once.
        readers: who subscribed, in the order of registration; call ``sort_readers`` after changes.
        unfiltered: the mailboxes of the readers that get every post.
        filtered: the other readers.
        sources: poster -> stamp of its first post.
        hooks: called with every committed entry.
        sole: the rank of its only possible poster, of its last one in a kernel that commits in
            order; None if there may be several.
        repeats: the rank of an app whose posts only repeat the last one, as long as their type is
            the same: it is the sole poster, the last one was its own, and none is held.
        held: entries that wait until no other poster can precede them, as a heap.
        complaints: poster -> the warning about its posts of another type.
    """

    __slots__ = (
        "_history",
        "complaints",
        "filtered",
        "held",
        "hooks",
        "kind",
        "last",
        "latest",
        "name",
        "readers",
        "recent",
        "repeats",
        "runs",
        "sole",
        "sources",
        "unfiltered",
    )  # fmt: skip

    def __init__(self, name: str, *, history: bool = True) -> None:
        self.name = name
        self._history = history
        self.runs: deque[Run] = deque(maxlen=None if history else 2)
        self.latest: Run | None = None
        self.kind: type | None = None
        self.last: Entry | None = None
        self.recent: list[Entry] = []
        self.readers: list[Reader] = []
        self.unfiltered: list[Mailbox] = []
        self.filtered: list[Reader] = []
        self.sources: dict[str, int] = {}
        self.hooks: tuple[Hook, ...] = ()
        self.sole: int | None = None
        self.repeats: int | None = None
        self.held: list[Entry] = []
        self.complaints: dict[str, str] = {}

    def sort_readers(self) -> None:
        """Separate the readers that get every post from the others."""
        self.unfiltered = [reader.mailbox for reader in self.readers if reader.plain]
        self.filtered = [reader for reader in self.readers if not reader.plain]

    def set_reader(self, mailbox: Mailbox) -> Reader | None:
        """Update a mailbox's reader to its registrations; return it, if there is any."""
        rules = mailbox.rules(self.name)
        if not rules and not self.readers:
            return None
        reader = next((r for r in self.readers if r.mailbox is mailbox), None)
        if not rules:
            if reader is not None:
                self.readers.remove(reader)
                self.sort_readers()
            return None
        if reader is None:
            reader = Reader(mailbox)
            self.readers.append(reader)
        reader.set_rules(rules)
        self.sort_readers()
        return reader

    @property
    def value(self) -> Value | None:
        """The last value; None until the first post."""
        self.settle()
        return None if self.last is None else self.last[3].value

    def remember(self, entry: Entry) -> None:
        """Make an entry the last; without history, drop those of stamps before the previous one."""
        last, self.last = self.last, entry
        if self._history or last is None or last[0] == entry[0]:
            self.recent.append(entry)
        else:
            self.recent = [last, entry]

    def settle(self) -> None:
        """Turn the posts in ``runs`` into entries."""
        for place, rank, source, community, instant, posts in self.runs:
            for sequence, (name, value, time, aux) in enumerate(posts):
                follows = self.last is not None and self.last[:3] < (place, rank, sequence)
                if name == self.name and type(value) is self.kind and follows:
                    message = Message(name, value, time, source, aux, community, instant)
                    self.remember((place, rank, sequence, message))
        self.runs.clear()

    def clash(self, value: Value) -> str:
        """Return the text that a value has another type than the variable."""
        kind = {float: "a number", str: "text"}.get(self.kind or bytes, "bytes")
        return f"{self.name} = {value!r:.80}: refused, this variable is {kind}"

    def complaint(self, entry: Entry) -> str:
        """Return the warning for a poster, always with its first such value: one text to count."""
        _, value, _, source, _, _, _ = entry[3]
        return self.complaints.setdefault(source, self.clash(value))

    def since(self, stamp: int) -> list[Entry]:
        """Return the entries committed at or after a stamp."""
        self.settle()
        return [entry for entry in self.recent if entry[0] >= stamp]

    def before(self, stamp: int) -> Entry | None:
        """Return the last entry before a stamp."""
        self.settle()
        return next((entry for entry in reversed(self.recent) if entry[0] < stamp), None)

    def prune(self, stamp: int) -> None:
        """Drop entries that no registration at or after a stamp can need."""
        inside = bisect_left(self.recent, (stamp,))  # a shorter tuple sorts first
        # The last entry before the stamp stays: it is the value a registration at the stamp gets.
        del self.recent[: max(0, inside - 1)]
        while len(self.runs) > 1 and self.runs[1][0] < stamp:
            self.runs.popleft()
        for reader in self.filtered:
            if len(reader.taken) > 1:
                kept = [taken for taken in reader.taken[:-1] if taken[0] >= stamp]
                behind = [taken for taken in reader.taken[:-1] if taken[0] < stamp]
                reader.taken = behind[-1:] + kept + reader.taken[-1:]
