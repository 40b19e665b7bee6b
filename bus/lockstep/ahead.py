"""A time keeper for apps that answer later: it grants all that nothing can reach any more.

An app may be granted its next runs as long as no app it may get mail from can still post before
them. Who may post what is declared (``App.publishes``), so some run ahead of others; the order of
commitment, and so every log, is that of one-at-a-time.

A variable's posts are committed once every app that may post it has passed their stamp. Apps that
only record (``App.may_lag``) are granted about a simulated second at a time at ``--warp max``.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from steerageway.bus.core.app import Registration
from steerageway.bus.core.cases import Case
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runner import Answer, Kind
from steerageway.bus.core.stamps import ITERATE, LAST, NEVER, instant_of, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry, Mailbox
from steerageway.bus.database.reports import SUMMARIES
from steerageway.bus.database.variable import Variable
from steerageway.bus.lockstep.hearing import Hearing, Writers, bound_by_mail
from steerageway.bus.lockstep.keeper import Keeper
from steerageway.bus.lockstep.seat import HOP, NEXT_OF, Seat, Tick

WINDOW = stamp(NANO, 0)  # how far ahead one grant may reach
MOST_AHEAD = 10 * WINDOW  # how far anyone may be ahead of the last: bounds the mail that waits
MOST_TICKS = 64


class Grant(NamedTuple):
    """Runs granted to one app."""

    seat: Seat
    ticks: list[Tick]


class _Late(NamedTuple):
    """A registration made at a stamp that not everyone has passed."""

    stamp: int
    seat: Seat
    registration: Registration


class Ahead(Keeper):
    """A time keeper that hands out grants and takes answers in any order."""

    def __init__(self, plan: RunPlan, case: Case | None = None) -> None:
        super().__init__(plan, case)
        self._hearing = Hearing(self.seats, self.directory, self.ending.names)
        self._held: dict[tuple[str, str], Variable] = {}
        self._writers: dict[tuple[str, str], Writers] = {}
        for database in self.databases.values():
            database.on_new = self._find_writers
            for variable in database.variables.values():
                self._find_writers(database.community, variable)
        self._late: list[_Late] = []
        self._by_mail = [seat for seat in self.seats if seat.plan.mode != 0]
        self._summaries_end = any(name in SUMMARIES for name in self.ending.names)
        self._paced = NEVER
        self._floor = self._recheck = -1
        self._slowest: Seat | None = None
        for seat in self.seats:
            self._hearing.anyone(seat)

    def grants(self, allowed: int | None, *, eager: bool) -> list[Grant]:
        """Grant everything that may run now.

        Args:
            allowed: the last instant that may run now [ns]; None: any.
            eager: whether recorders get what there is, or wait for a second's worth.
        """
        self._paced = NEVER if allowed is None else stamp(allowed, LAST)
        granted = self._round(self._floor_of_late(), eager)
        if granted or any(seat.flight and not seat.may_lag for seat in self.seats):
            return granted
        return self._round(self._catch_up(), eager=True)

    def accept(self, seat: Seat, answers: Sequence[Answer]) -> None:
        """Take the answers to a grant's runs; runs without one are taken back."""
        starting = bool(seat.flight) and seat.flight[0].kind == Kind.START
        for answer in answers:
            self.answer(seat, answer)
        seat.withdraw()
        self._settle(seat)
        if starting and not seat.waits:
            self._hearing.listen(seat)

    def in_flight(self) -> list[Seat]:
        """Give the seats that have not answered yet."""
        return [seat for seat in self.seats if seat.flight]

    @property
    def idle_until(self) -> int | None:
        """Give the earliest instant anyone is due at; None when nothing is left to run."""
        due = min((seat.due for seat in self.seats), default=NEVER)
        if any(seat.by_mail for seat in self._by_mail):
            due = min(due, self.next_input, self.next_summary)
        return None if due > self.end or due >= NEVER else instant_of(due)

    def enter_inputs(self, before: int) -> None:
        """Enter the posts that are known beforehand and lie before a stamp."""
        if self.next_input < before:
            self._judge(before)
        while self.next_input < before and self.next_input <= self.end:
            super().enter_inputs(self.next_input + 1)
            self._release_ready()
            self._judge(before)

    def register(self, seat: Seat, registration: Registration, place: int) -> None:
        """Note a registration once everyone has passed its stamp."""
        self._late.append(_Late(place, seat, registration))
        seat.waits = True

    def hold_or_commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        """Commit an entry at once if no app can post its variable before."""
        key = (database.community, variable.name)
        if variable.held or self._writers[key].can_come(entry[0], but=entry[1]):
            heappush(variable.held, entry)
            self._held[key] = variable
            variable.repeats = None
        else:
            self.commit(database, variable, entry)

    def leave(self, seat: Seat) -> None:
        """Take a failed app out of the run."""
        self._late = [late for late in self._late if late.seat is not seat]
        seat.waits = False
        super().leave(seat)

    def restart(self, seat: Seat, instant: int) -> bool:
        """Let a failed app come back, hearing everyone until it has started."""
        self._hearing.anyone(seat)
        return super().restart(seat, instant)

    def follow(self, old: Keeper) -> None:
        """Begin where an earlier case ended."""
        super().follow(old)
        for seat in self.seats:
            if seat.started:
                self._hearing.listen(seat)

    def next_case(self) -> Case | None:
        """Close the books of a case, with all that is held; give the one that follows."""
        case = super().next_case()
        if case is not None:
            self.flush()
        return case

    def flush(self) -> None:
        """Commit everything held: nobody will post any more."""
        for (community, _), variable in self._held.items():
            while variable.held:
                self.commit(self.databases[community], variable, heappop(variable.held))
        self._held.clear()
        self._settle_late(NEVER)

    def _round(self, floor: int, eager: bool) -> list[Grant]:
        """Look at every app once; grant what nothing can reach any more."""
        granted = []
        limit = min(self.end, self._paced, floor + MOST_AHEAD)
        for seat in self.seats:
            if seat.by_mail:
                self._settle(seat)
            due, blocker = seat.due, seat.blocker
            if blocker is not None and blocker.next < due:
                continue
            if due > limit or seat.flight or seat.waits:
                continue
            if due + seat.lag > self.reached and not eager:
                continue
            horizon = self._horizon(seat, limit)
            while seat.by_mail and self.next_input < seat.due <= horizon:
                self._enter_next(seat)
                horizon = self._horizon(seat, limit)
            if horizon < seat.due or self._ends_before(seat.due):
                continue
            granted.append(self._grant(seat, horizon))
            if seat.by_mail:
                self._catch_up()
        return granted

    def _floor_of_late(self) -> int:
        """Give a stamp that everyone has reached; the true one whenever something hangs on it."""
        idle = not (self._held or self._late or self._by_mail)
        if idle and (self.reached < self._recheck or self._floor_holds()):
            self._judge()
            return self._floor
        return self._catch_up()

    def _floor_holds(self) -> bool:
        """Whether nobody can have passed the floor, and no summary is due at it."""
        slowest = self._slowest
        return slowest is not None and slowest.next == self._floor < self.next_summary

    def _catch_up(self) -> int:
        """Commit, register, report and judge as far as everyone has come; give that stamp."""
        moving = True
        while moving:
            moving = self._bound_mail_driven()
            moving = self._release_ready() or moving
            self._judge()
            self._slowest = min(self.seats, key=NEXT_OF, default=None)
            floor = NEVER if self._slowest is None else self._slowest.next
            moving = self._settle_late(floor) or moving
            known = floor if floor < NEVER else self.reached
            moving = self.summarise(min(known, self._paced)) or moving
        self._judge()
        self._floor = floor
        self._recheck = min(self.next_summary, floor + MOST_AHEAD // 2)
        return floor

    def _judge(self, closed: int | None = None) -> None:
        """Look whether the run ends, as far as everyone has come who may say so.

        Args:
            closed: observers can post no more at the instants before this stamp's.
        """
        if self.ending.queue:
            closed = stamp(self.closed + 1, 0) if closed is None else closed
            before = min((gate.next for gate in self._hearing.gates), default=closed)
            before = min(before, closed)
            if self._summaries_end:
                before = min(before, self.next_summary)
            self.judge(min(before, self.next_input))

    def _horizon(self, seat: Seat, limit: int) -> int:
        """Give the stamp up to which nothing can reach a seat any more."""
        horizon, blocker = min(limit, seat.due + WINDOW), None
        for heard in seat.hears:
            if heard.next < horizon:
                horizon, blocker = heard.next, heard
        seat.blocker = blocker if horizon < seat.due else None
        for heard in seat.hears_status:
            if heard.next < horizon:
                horizon = min(horizon, heard.next_status)
        if seat.reads_summaries or self._summaries_end:
            horizon = min(horizon, self.next_summary)
        return horizon

    def _ends_before(self, place: int) -> bool:
        """Whether a run that is about to be granted lies after the end of all."""
        self.enter_inputs(place)
        self._judge(stamp(instant_of(place) + 1, 0))
        return self.end < place

    def _enter_next(self, seat: Seat) -> None:
        """Enter the next post from outside, which may make a seat due that nothing else can."""
        seat.next = seat.due
        self.enter_inputs(self.next_input + 1)
        self._settle(seat)

    def _grant(self, seat: Seat, horizon: int) -> Grant:
        horizon = min(horizon, self.end, max(seat.due, self._next_from_outside(seat)))
        one = seat.by_mail or not seat.started
        ticks = seat.grant(horizon, 1 if one else MOST_TICKS)
        self.reached = max(self.reached, seat.flight[-1].stamp)
        seat.settle()
        return Grant(seat, ticks)

    def _next_from_outside(self, seat: Seat) -> int:
        """Give the stamp of the next post from outside that a seat's grant may not reach past."""
        held = (v.held[0][0] for v in self._held.values() if v.sole == seat.rank)
        return min(self.next_input, min(held, default=NEVER))

    def _release_ready(self) -> bool:
        """Commit what no writer can come before any more; give whether anything was."""
        released = False
        for key, variable in list(self._held.items()):
            held, writers = variable.held, self._writers[key]
            while held and not writers.can_come(held[0][0]):
                self.commit(self.databases[key[0]], variable, heappop(held))
                released = True
            if not held:
                del self._held[key]
        return released

    def _settle_late(self, floor: int) -> bool:
        """Make the registrations whose stamp everyone has reached; give whether any was made."""
        ready = [late for late in self._late if late.stamp <= floor]
        if not ready:
            return False
        self._late = [late for late in self._late if late.stamp > floor]
        ready.sort(key=lambda late: (late.stamp, late.seat.rank))
        for place, seat, registration in ready:
            self.summarise(place)
            super().register(seat, registration, place)
        for seat in {late.seat.rank: late.seat for late in ready}.values():
            if not any(late.seat is seat for late in self._late):
                seat.waits = False
                self._hearing.listen(seat)
        return True

    def _find_writers(self, community: str, variable: Variable) -> None:
        writers = self._hearing.writers(community, variable.name)
        self._writers[community, variable.name] = writers
        variable.sole = writers.sole

    def _bound_mail_driven(self) -> bool:
        """Give apps that mail may wake the earliest stamp at which it could.

        Mail can come of a run that is still to be answered, a post that is held, a registration
        that is late, or from outside, and wakes nobody sooner than a hop after it.

        Returns: whether something from outside was entered, so that others may move, too.
        """
        if not self._by_mail:
            return False
        self._settle_by_mail()
        known = [s.flight[0].stamp if s.flight else s.due for s in self.seats]
        known += [variable.held[0][0] for variable in self._held.values()]
        known += [late.stamp for late in self._late]
        first = min(known)
        self._raise_mail_driven(min(first, self.next_input, self.next_summary))
        self._judge()
        entered = self.next_input < first and self.next_input <= min(self.end, self._paced)
        entered = entered and any(seat.by_mail for seat in self._by_mail)
        if entered:
            self._judge(self.next_input)
            entered = self.next_input <= self.end
        if entered:
            self.enter_inputs(self.next_input + 1)
            self._settle_by_mail()
        self._bound_by_what_they_hear()
        return entered and first < NEVER

    def _raise_mail_driven(self, first: int) -> None:
        """Note that nothing happens before a stamp, so that mail wakes nobody before."""
        bound = stamp(instant_of(first) + HOP, ITERATE)
        for seat in self._by_mail:
            if seat.open and not seat.flight:
                seat.next = max(seat.next, min(seat.due, bound))

    def _bound_by_what_they_hear(self) -> None:
        """Give each app that mail may wake the earliest stamp at which whom it hears could."""
        outside, held = min(self.next_input, self.next_summary), self._first_held()
        waiting = []
        for seat in self._by_mail:
            if seat.open and not seat.flight:
                late = stamp(seat.last_run, 0) if seat.waits else NEVER
                waiting.append((seat, min(outside, late, held.get(seat.mailbox, NEVER))))
        bound_by_mail(waiting)

    def _first_held(self) -> dict[Mailbox, int]:
        """Give the stamp of the first post that is made and may still come, by mailbox."""
        first: dict[Mailbox, int] = {}
        for variable in self._held.values():
            place = variable.held[0][0]
            for reader in variable.readers:
                if place < first.get(reader.mailbox, NEVER):
                    first[reader.mailbox] = place
        return first

    def _settle_by_mail(self) -> None:
        for seat in self._by_mail:
            self._settle(seat)

    @staticmethod
    def _settle(seat: Seat) -> None:
        """Bring a seat up to date; what mail may still do to it stays within what was known."""
        known = seat.next
        seat.settle()
        if seat.by_mail and not seat.flight:
            seat.next = min(seat.next, max(known, stamp(seat.last_run + HOP, ITERATE)))
