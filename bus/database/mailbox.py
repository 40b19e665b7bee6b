"""Mailboxes: a client's registrations and its undelivered mail.

An ``Entry`` is a message with its place in the run's order: (stamp, rank of the poster, sequence).
Entries of one stamp are not visible to activations at that stamp.
"""

from __future__ import annotations

from bisect import bisect_left

from steerageway.bus.core.app import Registration
from steerageway.bus.core.message import Message, nanoseconds
from steerageway.declarations.patterns import is_pattern, matches

Entry = tuple[int, int, int, Message]


class Mailbox:
    """The mail of one client, and what it registered for.

    Attributes:
        owner: the client's name.
        entries: undelivered mail in order of commitment, which is by stamp for each variable alone.
        registrations: (pattern, source) -> (interval [ns], stamp of the registration).
    """

    __slots__ = ("_rules", "_wild", "entries", "owner", "registrations")

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.entries: list[Entry] = []
        self.registrations: dict[tuple[str, str], tuple[int, int]] = {}
        self._rules: dict[str, dict[str, int]] = {}  # pattern -> source -> interval
        self._wild: dict[str, None] = {}  # the patterns with wildcards

    def note(self, registration: Registration, stamp: int) -> None:
        """Add a registration made at a stamp, or remove the one that it cancels."""
        pattern, source, seconds, active = registration
        if active:
            interval = nanoseconds(seconds)
            self.registrations[pattern, source] = (interval, stamp)
            self._rules.setdefault(pattern, {})[source] = interval
            if is_pattern(pattern):
                self._wild[pattern] = None
        elif self.registrations.pop((pattern, source), None) is not None:
            del self._rules[pattern][source]
            if not self._rules[pattern]:
                del self._rules[pattern]
                self._wild.pop(pattern, None)

    def close(self) -> None:
        """Stop delivery; the registrations remain known, for reports."""
        self.entries = []
        self._rules.clear()
        self._wild.clear()

    def patterns(self) -> int:
        """Return the number of registrations with a wildcard, or for one source only."""
        return sum(is_pattern(name) or source != "*" for name, source in self.registrations)

    def rules(self, name: str) -> list[tuple[str, int]]:
        """Return (source, interval [ns]) of each registration that covers a variable."""
        rules = list(self._rules[name].items()) if name in self._rules else []
        for pattern in self._wild:
            if matches(pattern, name):
                rules += self._rules[pattern].items()
        return rules

    def take(self, stamp: int) -> list[Entry]:
        """Remove and return the mail committed before a stamp, in the run's order."""
        entries = self.entries
        if not entries:
            return []
        # Different variables may be committed out of order: only now is the order that of the run.
        entries.sort()
        if entries[-1][0] < stamp:
            self.entries = []
            return entries
        cut = bisect_left(entries, (stamp,))  # a shorter tuple sorts first
        self.entries = entries[cut:]
        return entries[:cut]

    def put_back(self, entries: list[Entry]) -> None:
        """Put back mail that was taken but not read."""
        self.entries = entries + self.entries


class Reader:
    """One mailbox's subscription to one variable.

    Attributes:
        rules: (source, interval [ns]) of each registration that covers the variable.
        plain: whether every post is delivered: some rule has every source and interval 0.
        every: the least interval [ns] if all rules have every source, else -1.
        taken: (stamp, instant) of the last deliveries; kept only if an interval thins.
    """

    __slots__ = ("every", "mailbox", "plain", "rules", "taken")

    def __init__(self, mailbox: Mailbox) -> None:
        self.mailbox = mailbox
        self.taken: list[tuple[int, int]] = []
        self.rules: list[tuple[str, int]] = []
        self.plain = False
        self.every = -1

    def set_rules(self, rules: list[tuple[str, int]]) -> None:
        """Replace the rules."""
        self.rules = rules
        self.plain = ("*", 0) in rules
        takes_all = all(source == "*" for source, _ in rules)
        self.every = min((every for _, every in rules), default=-1) if takes_all else -1

    def covers(self, message: Message) -> bool:
        """Whether some rule covers the post's source."""
        return any(matches(source, message.source) for source, _ in self.rules)

    def wants(self, message: Message) -> bool | None:
        """Whether to deliver a post: True, False if thinned, None if no rule covers its source."""
        if self.plain:
            return True
        if self.every >= 0:
            return not self.taken or message.instant - self.taken[-1][1] >= self.every
        intervals = [every for source, every in self.rules if matches(source, message.source)]
        if not intervals:
            return None
        return not self.taken or message.instant - self.taken[-1][1] >= min(intervals)
