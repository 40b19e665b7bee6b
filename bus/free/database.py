"""``FreeDatabase``: the database in free run, which commits whole batches as they come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from steerageway.bus.core.app import Registration
from steerageway.bus.core.errors import WireError
from steerageway.bus.core.message import NANO, Message
from steerageway.bus.core.stamps import NEVER, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbag import Row
from steerageway.bus.database.mailbox import Entry, Mailbox, Reader
from steerageway.bus.database.variable import Variable
from steerageway.bus.free.mailbag import BatchBag
from steerageway.bus.observers.limits import LARGE, check_variable
from steerageway.bus.transport.wire import LATEST, check_post, is_aux

_new = tuple.__new__  # creates a named tuple in half the time


class Poster:
    """A source of posts.

    Attributes:
        name: of the source; community: its own, "" for that of the database.
        known: the variables it has posted.
        audience: the mailbags that get its posts, as of ``version`` of the database.
    """

    __slots__ = ("audience", "community", "known", "name", "version")

    def __init__(self, name: str, community: str = "") -> None:
        self.name = name
        self.community = community
        self.known: dict[str, Variable] = {}
        self.audience: tuple[BatchBag, ...] = ()
        self.version = -1


class FreeDatabase(Database):
    """A database without history, all of whose mailboxes are ``BatchBag``s.

    Attributes:
        version: changes whenever an audience may.
    """

    def __init__(self, community: str) -> None:
        super().__init__(community, history=False)
        self.version = 0
        self._sequence = 0

    def take(
        self,
        poster: Poster,
        posts: Sequence[Any],
        size: int,
        instant: int,
        send: Callable[[BatchBag], None] = lambda bag: None,
    ) -> list[str]:
        """Commit a batch of posts; return the errors of those that are refused.

        Args:
            poster: their source.
            posts: (name, value, time or None, aux) each, unchecked.
            size: bytes of the frame they came in.
            instant: the present [ns].
            send: called with each mailbag that got mail, before values are stored: readers wait.
        """
        complaints: list[str] = []
        known, source, short = poster.known, poster.name, size <= LARGE
        origin = poster.community or self.community
        last: dict[Variable, Row] = {}
        for post in posts:
            try:
                row = name, value, time, aux = post
                variable, kind = known[name], value.__class__
                # The usual post passes these inline tests; all others go through the full checks
                # below.
                usual = (
                    kind is variable.kind
                    and (kind is str or (kind is float and -inf < value < inf))
                    and (time is None or (time.__class__ is float and -LATEST < time < LATEST))
                    and (aux == "" or (aux.__class__ is str and is_aux(aux)))
                    and (short or kind is float or len(value) <= LARGE)
                )
            except (KeyError, TypeError, ValueError):
                usual = False
            if not usual:
                try:
                    variable, row = self._examine(poster, post, instant)
                except WireError as error:
                    complaints.append(str(error))
                    continue
            last[variable] = row
            for bag in variable.unfiltered:
                bag.rows.append(row)  # type: ignore[attr-defined]
            for reader in variable.filtered:
                if self._wants(reader, self._entry(row, source, instant, origin)):
                    reader.mailbox.rows.append(row)  # type: ignore[attr-defined]
            for hook in variable.hooks:
                hook.committed(self._entry(row, source, instant, origin))
        if poster.version != self.version:
            self._find_audience(poster)
        # One frame a reader for the whole batch; sent first, as readers wait for it.
        for bag in poster.audience:
            if bag.rows:
                self.delivered += len(bag.rows)
                bag.close_batch(source, origin, instant, size)
                send(bag)
        for variable, row in last.items():
            variable.last = self._entry(row, source, instant, origin)
        self.posted += len(posts) - len(complaints)
        self.refused += len(complaints)
        return complaints

    def commit(self, variable: Variable, entry: Entry) -> bool:
        """Make an entry the variable's value; return False when it has another type."""
        message = entry[3]
        row = (message.name, message.value, message.time, message.aux)
        return not self.take(Poster(message.source), [row], 0, message.instant)

    def register(self, mailbox: Mailbox, registration: Registration, stamp: int = NEVER) -> None:
        """Apply a registration; deliver the present values at once."""
        # Without history, ``take`` sets ``last`` alone; the base class delivers from ``recent``.
        for variable in self.variables.values():
            if variable.last is not None:
                variable.recent[:] = (variable.last,)
        super().register(mailbox, registration, stamp)
        self.version += 1

    def leave(self, mailbox: Mailbox) -> None:
        """Remove a client with its registrations and mail."""
        super().leave(mailbox)
        self.version += 1

    def _examine(self, poster: Poster, post: Any, instant: int) -> tuple[Variable, Row]:
        """Check a post that is its poster's first of a variable, or otherwise unusual.

        Raises:
            WireError: the post is wrong.
        """
        row = check_post(post)
        name, kind = row[0], row[1].__class__
        check_variable(self, name, row[1])
        variable = self.variable(name)
        if variable.kind is None:
            variable.kind = kind
        elif variable.kind is not kind:
            raise WireError(variable.clash(row[1]))
        if poster.known.get(name) is not variable:
            poster.known[name] = variable
            variable.sources.setdefault(poster.name, stamp(instant, 0))
            self.version += 1
        return variable, row

    def _find_audience(self, poster: Poster) -> None:
        """Find the mailbags that get a source's posts."""
        found = {id(r.mailbox) for v in poster.known.values() for r in v.readers}
        bags = [box for box in self.mailboxes if id(box) in found and isinstance(box, BatchBag)]
        poster.audience, poster.version = tuple(bags), self.version

    def _entry(self, row: Row, source: str, instant: int, community: str) -> Entry:
        """Return a row as an entry."""
        name, value, time, aux = row
        stamped = instant / NANO if time is None else time
        self._sequence += 1
        fields = (name, value, stamped, source, aux, community, instant)
        return stamp(instant, 0), 0, self._sequence, _new(Message, fields)

    def _wants(self, reader: Reader, entry: Entry) -> bool:
        """Whether a reader that does not get every post gets an entry."""
        wanted = reader.wants(entry[3])
        if wanted:
            reader.taken = [(entry[0], entry[3].instant)]
        self.thinned += wanted is False
        return wanted is True

    def _deliver(self, reader: Reader, entry: Entry) -> None:
        """Deliver a stored value to a reader that has just registered."""
        bag, message = reader.mailbox, entry[3]
        if isinstance(bag, BatchBag) and (reader.plain or self._wants(reader, entry)):
            bag.rows.append((message.name, message.value, message.time, message.aux))
            self.delivered += 1
            bag.close_batch(message.source, message.community, message.instant, 0)
