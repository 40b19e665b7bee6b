"""``Slot``: one app in lockstep: when it is due, what it was granted, who may send to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import ceil
from operator import attrgetter, itemgetter
from typing import NamedTuple

from steerageway.bus.core.app import Registration
from steerageway.bus.core.message import NANO, Message, shifted
from steerageway.bus.core.plan import AppPlan
from steerageway.bus.core.runner import STATUS_INTERVAL, Kind
from steerageway.bus.core.stamps import (
    ITERATE,
    LAST,
    NEVER,
    STOP,
    instant_of,
    nth,
    stamp,
    start_place,
)
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry, Mailbox
from steerageway.declarations.patterns import any_matches, is_pattern, matches, may_meet

_new = tuple.__new__  # creates a named tuple in half the time

# names, since looking a member up in its enum is slow
_START, _ITERATE, _CASE = Kind.START, Kind.ITERATE, Kind.CASE
_MESSAGE_OF = itemgetter(3)
NEXT_OF = attrgetter("next")  # sort key
# Lookahead of mail-driven apps: mail makes them due no sooner than this after its post [ns].
HOP = NANO // 1000


class Tick(NamedTuple):
    """One granted activation of an app."""

    kind: Kind
    instant: int
    mail: list[Message]


class PendingRun(NamedTuple):
    """A granted activation that is not answered yet."""

    stamp: int
    kind: Kind
    instant: int
    entries: list[Entry]


# Many methods: each changes the stamps of an app in step with its grants and its mail.
class Slot:
    """The bus's record of one app in lockstep.

    Attributes:
        name: the app's.
        rank: its place among all apps of the run: by community, then by launch list.
        due: stamp of the next activation not granted yet.
        next: stamp of the next activation not answered yet: a lower bound on all it will post.
        pending: granted and not answered, oldest first.
        senders: the slots it may get mail from; all of them until it has started.
        blocker: one of them whose ``next`` lay before ``due`` when last checked.
        may_lag: whether it only records (``App.may_lag``).
        lag: how far others must be ahead before it is granted anything, at full speed; negative for
            apps that do not lag.
        status_senders: slots from which it may get only their ``<APP>_STATUS``.
        receives_reports: whether it may get the database's own posts (``reports``).
        reads_summaries: whether it gets the database's summaries.
        offset: added to the times it sees [ns]: for apps that outlive cases, the age of the run.
        waits: whether it has registered something that is not in force yet, so it cannot go on.
        open: whether it takes part in the run; False once it has failed or stopped.
        by_mail: whether mail makes the app due; False until it has started.
    """

    __slots__ = (
        "_continues",
        "_count",
        "_exact",
        "_loose",
        "_mode",
        "_next_status",
        "_started",
        "_step",
        "answered",
        "blocker",
        "by_mail",
        "database",
        "due",
        "lag",
        "last_run",
        "mailbox",
        "may_lag",
        "name",
        "next",
        "offset",
        "open",
        "pending",
        "plan",
        "rank",
        "reads_summaries",
        "receives_reports",
        "senders",
        "status_senders",
        "waits",
        "warnings",
    )

    def __init__(self, plan: AppPlan, rank: int, database: Database) -> None:
        self.plan = plan
        self.name = plan.name
        self.rank = rank
        self.database = database
        self.mailbox: Mailbox = database.join(plan.name)
        self.pending: deque[PendingRun] = deque()
        self.senders: tuple[Slot, ...] = ()
        self.status_senders: tuple[Slot, ...] = ()
        self.blocker: Slot | None = None
        self.may_lag = plan.app.may_lag
        # Negative: it may be granted a second ahead of what the others have reached.
        self.lag = -stamp(NANO, 0)
        self._next_status = 0
        self.receives_reports = True
        self.reads_summaries = False
        self.waits = False
        self.open = True
        self.by_mail = False
        self.offset = 0
        self.answered = 0
        self.warnings: list[str] = []
        self.last_run = plan.start
        self._count = 0
        self._started = self._continues = False
        self._mode = plan.mode
        step, rest = divmod(plan.period[0], plan.period[1])
        # A period of whole nanoseconds is added to ``due``; others are computed by ``nth``.
        self._step = stamp(step, 0) if plan.mode == 0 and not rest else 0
        names = plan.app.publishes
        self._exact = dict.fromkeys(name for name in names if not is_pattern(name))
        self._loose = tuple(name for name in names if is_pattern(name))
        self.due = self.next = stamp(plan.start, start_place(rank))

    def declare(self, name: str) -> None:
        """Declare that the app may cause a post of this variable, by failing for example."""
        self._exact[name] = None

    @property
    def started(self) -> bool:
        """Whether the start has been granted, in this case or an earlier one."""
        return self._started or self._continues

    def may_post(self, pattern: str) -> bool:
        """Whether the app may post a variable that a name or pattern covers."""
        return self.posts(pattern) or self.posts_status(pattern)

    def posts(self, pattern: str) -> bool:
        """Whether a name or pattern covers a variable the app has declared to post."""
        if pattern in self._exact or any(may_meet(pattern, loose) for loose in self._loose):
            return True
        return is_pattern(pattern) and any(matches(pattern, name) for name in self._exact)

    def posts_status(self, pattern: str) -> bool:
        """Whether a name or pattern covers the app's ``<APP>_STATUS``."""
        return matches(pattern, f"{self.plan.name.upper()}_STATUS")

    def receives_own_among(self, others: Sequence[Slot], patterns: Sequence[str]) -> bool:
        """Whether it subscribed to a variable that both it and one of the others may post."""
        names = [*self._exact, f"{self.plan.name.upper()}_STATUS"]
        registered = [name for name in names if any_matches(patterns, name)]
        return any(may_meet(p, loose) for p in patterns for loose in self._loose) or any(
            other.may_post(name) for name in registered for other in others
        )

    @property
    def next_status(self) -> int:
        """Lower bound on the stamp of the next ``<APP>_STATUS``, which is posted only every 2 s."""
        return max(self.next, stamp(self._next_status, 0))

    def grant(self, limit: int, at_most: int) -> list[Tick]:
        """Grant the activations due up to a stamp, with the mail of each."""
        ticks: list[Tick] = []
        while self.due <= limit and len(ticks) < at_most:
            place, kind = self.due, self._kind()
            entries = self.mailbox.take(place) if kind is not _CASE else []
            instant = instant_of(place)
            self.pending.append(_new(PendingRun, (place, kind, instant, entries)))
            ticks.append(_new(Tick, (kind, instant + self.offset, self._read(entries))))
            self._advance(kind, instant)
        return ticks

    def activate(self, instant: int) -> tuple[Kind, int, list[Message]]:
        """Take the activation due at this instant, with its mail; it is answered at once."""
        mailbox = self.mailbox
        mail = []
        if mailbox.entries and not self._continues:
            mail = self._read(mailbox.take(self.due))
        if self._step and self._started:  # as in _advance, inline: most activations are such ticks
            kind = _ITERATE
            self._count += 1
            self.last_run = instant
            self.due += self._step
        else:
            kind = self._kind()
            self._advance(kind, instant)
        self.next = self.due
        self.answered += 1
        return kind, instant + self.offset, mail

    def idle(self) -> None:
        """Activate it only at the ticks of its status from now on; not with a fractional period."""
        if self._step:
            self._step *= ceil(STATUS_INTERVAL / instant_of(self._step))

    def grant_stop(self, instant: int) -> Tick:
        """Grant the last activation, with all mail that is left."""
        place = stamp(instant, LAST if self.plan.app.observes_case_reset else STOP)
        entries = self.mailbox.take(place)
        self.pending.append(PendingRun(place, Kind.STOP, instant, entries))
        return Tick(Kind.STOP, instant + self.offset, self._read(entries))

    def answered_run(self) -> PendingRun:
        """Remove the oldest unanswered activation from ``pending``: its answer has come."""
        flight = self.pending.popleft()
        self._note(flight.kind, flight.instant)
        return flight

    def settle(self) -> None:
        """Update ``due`` and ``next`` after an answer or new mail."""
        if self.pending:
            self.next = self.pending[0].stamp
            return
        if self.by_mail:
            self.due = self._due_by_mail()
        self.next = self.due

    def withdraw(self) -> None:
        """Take unanswered grants back: their mail returns, their activations are due again."""
        # Newest first, so that put_back restores the order of the mail.
        for flight in reversed(self.pending):
            self.mailbox.put_back(flight.entries)
            if flight.kind is _ITERATE:
                self._count -= 1
        if self.pending:
            self.due = self.pending[0].stamp
            self.pending.clear()

    def close(self) -> None:
        """Leave the run, for good unless it is reopened."""
        self.open = self.by_mail = False
        self.pending.clear()
        self.due = self.next = NEVER

    def reopen(self, instant: int, number: int) -> None:
        """Return after a failure: ``on_start`` at an instant, then ticks in the old phase."""
        self.open, self._started, self._count, self._next_status = True, False, 0, 0
        self._continues = self.by_mail = False
        while self.plan.start + nth(self._count, self.plan.period) < instant:
            self._count += 1
        self.mailbox = self.database.join(self.plan.name)
        self.last_run = instant
        self.due = self.next = stamp(instant, start_place(self.rank))
        self.warnings.append(f"restarted, number {number}")

    def instant_after(self, instant: int) -> int:
        """Return the first tick after an instant, not reached by the app yet [ns]."""
        if not self._started or self._mode == 1:
            return max(instant + HOP, instant_of(min(self.due, NEVER)))
        count = self._count
        while (tick := self.plan.start + nth(count, self.plan.period)) <= instant:
            count += 1
        return tick

    def continue_from(self, before: Slot, offset: int) -> None:
        """Take over from the slot of an earlier case, if its app was started: registered, in phase.

        Its posts are those it would make if this were the first case: its status is due at once. At
        the instant of its start it has an activation without mail that does nothing, so that the
        instant exists.
        """
        self.offset = offset
        if not before.started:
            return
        self._continues = True
        for (pattern, source), (interval, _) in before.mailbox.registrations.items():
            self.database.register(self.mailbox, Registration(pattern, source, interval / NANO), 0)

    def take_rest(self, age: int) -> Tick:
        """Return the rest of its mail: the case ends when the run has this age [ns]."""
        return Tick(Kind.CASE, age, self._read(self.mailbox.take(NEVER)))

    def _read(self, entries: list[Entry]) -> list[Message]:
        """Return the messages with times as the app sees them."""
        if not self.offset:
            return list(map(_MESSAGE_OF, entries))
        return [
            m._replace(time=shifted(m.time, self.offset), instant=m.instant + self.offset)
            for _, _, _, m in entries
        ]

    def register(self, registration: Registration, place: int) -> None:
        """Apply a registration made at a stamp."""
        self.database.register(self.mailbox, registration, place)

    def _note(self, kind: Kind, instant: int) -> None:
        """Count an answered activation."""
        self.answered += 1
        if instant >= self._next_status and kind is _ITERATE:
            self._next_status = instant + STATUS_INTERVAL

    def _kind(self) -> Kind:
        if not self._started:
            return _CASE if self._continues else _START
        if self._mode == 2 and self.due < self._tick():
            return Kind.MAIL
        return _ITERATE

    def _advance(self, kind: Kind, instant: int) -> None:
        self.last_run = instant
        if kind is _ITERATE:
            self._count += 1
            if self._step:
                self.due += self._step
                return
        elif not self._started:
            self._started, self._continues = True, False
            self.by_mail = self._mode != 0
            self._count = max(1, self._count)
        self.due = self._tick() if self._mode == 0 else self._due_by_mail()

    def _tick(self) -> int:
        """Return the stamp of the next iteration by AppTick."""
        if self._mode == 1:
            return NEVER
        return stamp(self.plan.start + nth(self._count, self.plan.period), ITERATE)

    def _due_by_mail(self) -> int:
        """Return the stamp at which mail, or else the tick, makes the app due."""
        entries = self.mailbox.entries
        if not entries:
            return self._tick()
        # Entries lie in order of commitment, so the oldest need not be the first.
        oldest = min(entries)[3].instant
        called = max(self.last_run + max(self.plan.least_gap, HOP), oldest + HOP)
        return min(self._tick(), stamp(called, ITERATE))
