"""Who may get mail from whom, by what apps declare: for a keeper that grants ahead."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.bus.core.message import NANO
from steerageway.bus.core.patterns import may_meet
from steerageway.bus.core.shares import Directory
from steerageway.bus.core.stamps import ITERATE, instant_of, stamp
from steerageway.bus.database.reports import REPORTS, SUMMARIES
from steerageway.bus.lockstep.seat import HOP, Seat

LAG = stamp(NANO, 0) * 7 // 8  # how far others are ahead before a recorder is granted anything


class Writers:
    """Who may post a variable, and who may as its ``<APP>_STATUS`` only."""

    __slots__ = ("_at_will", "_in_the_way", "_reporting")

    def __init__(self, at_will: Sequence[Seat], reporting: Sequence[Seat]) -> None:
        self._at_will = at_will
        self._reporting = reporting
        self._in_the_way: Seat | None = None  # who was when last looked at: often still is

    def can_come(self, place: int, but: int | None = None) -> bool:
        """Whether anyone, but perhaps the seat of a rank, can still post it up to a stamp."""
        last = self._in_the_way
        if last is not None and last.next <= place and last.rank != but:
            return True
        for seat in self._at_will:
            if seat.next <= place and seat.rank != but:
                self._in_the_way = seat
                return True
        return any(seat.next_status <= place and seat.rank != but for seat in self._reporting)

    @property
    def sole(self) -> int | None:
        """The rank of the only one, if there is only one."""
        everyone = (*self._at_will, *self._reporting)
        return everyone[0].rank if len(everyone) == 1 else None


class Hearing:
    """Works out whom each seat of a run may hear.

    Attributes:
        gates: those who may post, here or elsewhere, what the run's end hangs on: nobody may run
            past them.
    """

    def __init__(self, seats: Sequence[Seat], directory: Directory, ends: Sequence[str]) -> None:
        """Work out what does not change.

        Args:
            seats: everyone.
            directory: who listens where.
            ends: the variables that the run's end hangs on.
        """
        self._seats = seats
        self._directory = directory
        self._neighbours: dict[str, tuple[Seat, ...]] = {}
        for seat in seats:
            near = self._neighbours.get(seat.plan.community, ())
            self._neighbours[seat.plan.community] = (*near, seat)
        self._guests = {name: self._sharers_into(name) for name in self._neighbours}
        self.gates = tuple(seat for seat in seats if self._may_end(seat, ends))

    def anyone(self, seat: Seat) -> None:
        """Let a seat hear everyone who might be heard: it has not said yet what it hears."""
        community = seat.plan.community
        seat.hears = self._with_gates((*self._near(seat), *self._guests[community]))

    def listen(self, seat: Seat) -> None:
        """Work out whom a seat may get mail from, by what it has registered.

        Of its own posts it need not wait for those nobody else can make: an app that posts what it
        hears gives the rest of its grant back.
        """
        patterns = [pattern for pattern, _ in seat.mailbox.registrations]
        near, guests = self._near(seat), self._guests[seat.plan.community]
        contested = bool(guests) and any(map(seat.may_post, patterns))
        if seat.plan.mode != 0 or contested or seat.hears_itself_among(near, patterns):
            near += (seat,)
        heard = [other for other in near if any(map(other.posts, patterns))]
        seat.hears = self._with_gates((*heard, *(guests if patterns else ())))
        seat.hears_status = tuple(
            other for other in near if other not in heard and any(map(other.posts_status, patterns))
        )
        if seat.may_lag:
            seat.lag = LAG * (2 if any(other.may_lag for other in heard) else 1)
        seat.hears_reports = any(may_meet(p, name) for p in patterns for name in REPORTS)
        seat.reads_summaries = any(may_meet(p, name) for p in patterns for name in SUMMARIES)

    def writers(self, community: str, name: str) -> Writers:
        """Work out who may post a variable."""
        if name in SUMMARIES:
            return Writers((), ())
        near = self._neighbours.get(community, ())
        writers = [seat for seat in near if seat.posts(name)]
        if self._directory.admits(community, name):
            writers += self._guests.get(community, ())
        reporting = [seat for seat in near if seat not in writers and seat.posts_status(name)]
        return Writers(writers, reporting)

    def _near(self, seat: Seat) -> tuple[Seat, ...]:
        return tuple(s for s in self._neighbours[seat.plan.community] if s is not seat)

    def _with_gates(self, seats: Sequence[Seat]) -> tuple[Seat, ...]:
        return (*seats, *(gate for gate in self.gates if gate not in seats))

    def _sharers_into(self, community: str) -> tuple[Seat, ...]:
        """Give the apps of other communities that may hand something on to a community."""
        if not self._directory.listens(community):
            return ()
        others = (seat for seat in self._seats if seat.plan.community != community)
        return tuple(seat for seat in others if seat.plan.app.shares)

    def _may_end(self, seat: Seat, names: Sequence[str]) -> bool:
        if any(map(seat.may_post, names)):
            return True
        into = [community for community, guests in self._guests.items() if seat in guests]
        return any(self._directory.admits(community, n) for community in into for n in names)


def bound_by_mail(waiting: Sequence[tuple[Seat, int]]) -> None:
    """Give each app that mail may wake the earliest stamp at which whom it hears could.

    Args:
        waiting: such apps that are at rest, each with the stamp of the first mail that is sure to
            come from elsewhere.
    """
    for seat, _ in waiting:
        seat.next = seat.due
    moving = True
    while moving:
        moving = False
        for seat, sure in waiting:
            first = sure
            for other in seat.hears:  # loops, not min(): it happens at every answer
                if other.next < first:
                    first = other.next
            for other in seat.hears_status:
                if other.next < first:
                    first = min(first, other.next_status)
            called = max(instant_of(first), seat.last_run) + HOP
            bound = min(seat.due, stamp(called, ITERATE))
            moving = moving or bound < seat.next
            seat.next = bound
