"""``Reachability``: which apps may send mail to which, from declarations and registrations."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.bus.core.directory import Directory
from steerageway.bus.core.message import NANO
from steerageway.bus.core.stamps import stamp
from steerageway.bus.database.reports import REPORTS, SUMMARIES
from steerageway.bus.lockstep.slot import Slot
from steerageway.declarations.patterns import may_meet

LAG = stamp(NANO, 0) * 7 // 8  # how far others must be ahead before a recorder is granted anything


class Writers:
    """The apps that may post a variable, and those that may only as its ``<APP>_STATUS``."""

    __slots__ = ("_last_found", "_reporting", "_writers")

    def __init__(self, writers: Sequence[Slot], reporting: Sequence[Slot]) -> None:
        self._writers = writers
        self._reporting = reporting
        self._last_found: Slot | None = None  # the last one found: most often it still is

    def can_come(self, place: int, but: int | None = None) -> bool:
        """Whether an app, other than that of rank ``but``, can still post it up to a stamp."""
        last = self._last_found
        if last is not None and last.next <= place and last.rank != but:
            return True
        for slot in self._writers:
            if slot.next <= place and slot.rank != but:
                self._last_found = slot
                return True
        return any(slot.next_status <= place and slot.rank != but for slot in self._reporting)

    @property
    def sole(self) -> int | None:
        """The rank of the only writer; None if there are several or none."""
        everyone = (*self._writers, *self._reporting)
        return everyone[0].rank if len(everyone) == 1 else None


class Reachability:
    """Computes from which slots each slot of a run may receive mail.

    Attributes:
        enders: slots that may post a variable of the end conditions, here or in another community:
            no app may run past them.
    """

    def __init__(self, slots: Sequence[Slot], directory: Directory, ends: Sequence[str]) -> None:
        """Compute what does not change during the run.

        Args:
            slots: all of the run.
            directory: which communities listen where.
            ends: the variables of the end conditions.
        """
        self._directory = directory
        self._neighbours: dict[str, tuple[Slot, ...]] = {}
        for slot in slots:
            near = self._neighbours.get(slot.plan.community, ())
            self._neighbours[slot.plan.community] = (*near, slot)
        self._sharing = tuple(slot for slot in slots if slot.plan.sharing)
        self._found: dict[str, tuple[Slot, ...]] = {}  # what ``_guests`` has returned
        self.enders = tuple(slot for slot in slots if self._may_end(slot, ends)) if ends else ()

    def assume_all(self, slot: Slot) -> None:
        """Let a slot receive from every possible sender: its registrations are not known yet."""
        community = slot.plan.community
        slot.senders = self._with_enders((*self._near(slot), *self._guests(community)))

    def update(self, slot: Slot) -> None:
        """Compute the senders of a slot from its registrations.

        It need not wait for itself where only it can post: an app that posts a variable it is
        subscribed to gives the rest of its grant back.
        """
        patterns = [pattern for pattern, _ in slot.mailbox.registrations]
        near, guests = self._near(slot), self._guests(slot.plan.community)
        contested = bool(guests) and any(map(slot.may_post, patterns))
        # Its own posts matter if mail makes it due, or if others post the variable, too, as their
        # order then counts.
        if slot.plan.mode != 0 or contested or slot.receives_own_among(near, patterns):
            near += (slot,)
        senders = [other for other in near if any(map(other.posts, patterns))]
        slot.senders = self._with_enders((*senders, *(guests if patterns else ())))
        slot.status_senders = tuple(
            other
            for other in near
            if other not in senders and any(map(other.posts_status, patterns))
        )
        if slot.may_lag:
            # A recorder that reads another's posts lags behind it, by another second.
            slot.lag = LAG * (2 if any(other.may_lag for other in senders) else 1)
        slot.receives_reports = any(may_meet(p, name) for p in patterns for name in REPORTS)
        slot.reads_summaries = any(may_meet(p, name) for p in patterns for name in SUMMARIES)

    def writers(self, community: str, name: str) -> Writers:
        """Return the apps that may post a variable."""
        if name in SUMMARIES:
            return Writers((), ())  # posted by the database alone
        near = self._neighbours.get(community, ())
        writers = [slot for slot in near if slot.posts(name)]
        if self._directory.admits(community, name):
            writers += self._guests(community)
        reporting = [slot for slot in near if slot not in writers and slot.posts_status(name)]
        return Writers(writers, reporting)

    def _near(self, slot: Slot) -> tuple[Slot, ...]:
        return tuple(s for s in self._neighbours[slot.plan.community] if s is not slot)

    def _with_enders(self, slots: Sequence[Slot]) -> tuple[Slot, ...]:
        return (*slots, *(ender for ender in self.enders if ender not in slots))

    def _guests(self, community: str) -> tuple[Slot, ...]:
        """Return the apps of other communities that may share with a community."""
        if community not in self._found:
            sharing = self._sharing if self._directory.listens(community) else ()
            others = tuple(slot for slot in sharing if slot.plan.community != community)
            self._found[community] = others
        return self._found[community]

    def _may_end(self, slot: Slot, names: Sequence[str]) -> bool:
        if any(map(slot.may_post, names)):
            return True
        if not slot.plan.sharing:
            return False
        into = [name for name in self._neighbours if name != slot.plan.community]
        return any(self._directory.admits(community, n) for community in into for n in names)
