"""Who may get mail from whom, by what apps declare: for a keeper that grants ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bus.message import NANO
from bus.patterns import may_meet
from bus.reports import SUMMARIES
from bus.seat import HOP, Seat
from bus.shares import Directory
from bus.stamps import ITERATE, NEVER, instant_of, stamp

LAG = stamp(NANO, 0) * 7 // 8  # how far others are ahead before a recorder is granted anything


class Writers(NamedTuple):
    """Who may post a variable, and who may as its ``<APP>_STATUS`` only."""

    at_will: tuple[Seat, ...]
    reporting: tuple[Seat, ...]

    def next_but(self, rank: int | None) -> int:
        """Give the stamp before which nobody can post it, but perhaps the seat of this rank."""
        sure = [seat.next for seat in self.at_will if seat.rank != rank]
        sure += [seat.next_status for seat in self.reporting if seat.rank != rank]
        return min(sure, default=NEVER)

    @property
    def sole(self) -> int | None:
        """The rank of the only one, if there is only one."""
        everyone = self.at_will + self.reporting
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
        return Writers(tuple(writers), tuple(reporting))

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
            heard = min((other.next for other in seat.hears), default=NEVER)
            status = min((other.next_status for other in seat.hears_status), default=NEVER)
            first = instant_of(min(sure, heard, status))
            bound = min(seat.due, stamp(max(first, seat.last_run) + HOP, ITERATE))
            moving = moving or bound < seat.next
            seat.next = bound
