"""``LateRegistrations``: registrations at stamps that not every app has passed yet.

A registration delivers the values before its stamp, so all that precedes it must be committed
first. Until then its app is granted nothing (``Slot.waits``): its mail is not known.
"""

from __future__ import annotations

from typing import NamedTuple

from steerageway.bus.core.app import Registration
from steerageway.bus.lockstep.outside_posts import OutsidePosts
from steerageway.bus.lockstep.reachability import Reachability
from steerageway.bus.lockstep.slot import Slot


class _Late(NamedTuple):
    stamp: int
    slot: Slot
    registration: Registration


class LateRegistrations:
    """Registrations that wait until every app has reached their stamp.

    Attributes:
        waiting: in the order in which they were received.
    """

    def __init__(self, outside: OutsidePosts, reach: Reachability) -> None:
        self._outside = outside
        self._reach = reach
        self.waiting: list[_Late] = []

    def add(self, place: int, slot: Slot, registration: Registration) -> None:
        """Take a registration that an app made at a stamp."""
        self.waiting.append(_Late(place, slot, registration))
        slot.waits = True

    def apply(self, floor: int) -> bool:
        """Apply those whose stamp every app has reached; return whether any."""
        ready = [late for late in self.waiting if late.stamp <= floor]
        if not ready:
            return False
        self.waiting = [late for late in self.waiting if late.stamp > floor]
        # In the order of their stamps, with the summaries between them in their place.
        ready.sort(key=lambda late: (late.stamp, late.slot.rank))
        for place, slot, registration in ready:
            self._outside.summarise(place)
            slot.register(registration, place)
        for slot in {late.slot.rank: late.slot for late in ready}.values():
            if not any(late.slot is slot for late in self.waiting):
                slot.waits = False
                self._reach.update(slot)
        return True

    def drop(self, slot: Slot) -> None:
        """Remove those of a failed app; they are still reported."""
        for late in self.waiting:
            # DB_RWSUMMARY lists what a client has registered for.
            if late.slot is slot and late.registration.active:
                slot.mailbox.note(late.registration, late.stamp)
        self.waiting = [late for late in self.waiting if late.slot is not slot]
        slot.waits = False
