"""``MailDriven``: bounds of the apps that mail makes due.

When such an app is due follows from mail that is still to come. Its bound (``Slot.next``) is the
earliest stamp at which mail could make it due: HOP after the first stamp at which any could be
posted, by an app that may send to it, from outside, or out of the posts that are held.
"""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.bus.core.stamps import ITERATE, NEVER, instant_of, stamp
from steerageway.bus.lockstep.held_posts import HeldPosts
from steerageway.bus.lockstep.outside_posts import OutsidePosts
from steerageway.bus.lockstep.slot import HOP, Slot


class MailDriven:
    """The mail-driven apps of a run whose apps are in other processes.

    Attributes:
        slots: theirs, also of those that have not started: these are not due by mail yet.
    """

    def __init__(self, slots: Sequence[Slot], outside: OutsidePosts, held: HeldPosts) -> None:
        self.slots = [slot for slot in slots if slot.plan.mode != 0]
        self._outside = outside
        self._held = held

    def any_active(self) -> bool:
        """Whether mail may make any app due: one that has started and has not left."""
        return any(slot.by_mail for slot in self.slots)

    def settle(self) -> None:
        """Update all slots after new mail."""
        for slot in self.slots:
            settle(slot)

    def raise_bounds(self, first: int) -> None:
        """Raise bounds: nothing happens before a stamp, so mail makes no app due within HOP."""
        bound = stamp(instant_of(first) + HOP, ITERATE)
        for slot in self.slots:
            if slot.open and not slot.pending:
                slot.next = max(slot.next, min(slot.due, bound))

    def bound_by_senders(self) -> None:
        """Bound each app by the earliest stamp at which a sender could make it due."""
        outside = min(self._outside.next_input, self._outside.next_summary)
        held = self._held.first_by_mailbox()
        waiting = []
        for slot in self.slots:
            if slot.open and not slot.pending:
                late = stamp(slot.last_run, 0) if slot.waits else NEVER
                waiting.append((slot, min(outside, late, held.get(slot.mailbox, NEVER))))
        bound_by_mail(waiting)


def settle(slot: Slot) -> None:
    """Update a slot; later mail may make it due earlier, but never before what was known."""
    known = slot.next
    slot.settle()
    if slot.by_mail and not slot.pending:
        slot.next = min(slot.next, max(known, stamp(slot.last_run + HOP, ITERATE)))


def bound_by_mail(waiting: Sequence[tuple[Slot, int]]) -> None:
    """Bound mail-driven apps by the earliest stamps at which a sender could make them due.

    Args:
        waiting: such apps without pending activations, each with the stamp of the first mail that
            may come from elsewhere.
    """
    # Greatest fixed point: from the highest possible bounds down to the certain ones. Each bound is
    # at least HOP above the one it depends on, so cycles of apps that wake each other terminate.
    for slot, _ in waiting:
        slot.next = slot.due
    moving = True
    while moving:
        moving = False
        for slot, sure in waiting:
            first = sure
            for other in slot.senders:  # loops, not min(): this runs at every answer
                if other.next < first:
                    first = other.next
            for other in slot.status_senders:
                if other.next < first:
                    first = min(first, other.next_status)
            called = max(instant_of(first), slot.last_run) + HOP
            bound = min(slot.due, stamp(called, ITERATE))
            moving = moving or bound < slot.next
            slot.next = bound
