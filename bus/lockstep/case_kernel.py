"""``CaseKernel``: what runs one case: common to ``Kernel`` and ``AppCoordinator``."""

from __future__ import annotations

from steerageway.bus.core.cases import Case
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Input, Phase, Poke
from steerageway.bus.database.ending import CASE, End
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.outside_posts import OutsidePosts
from steerageway.bus.lockstep.slot import Slot


class CaseKernel:
    """A case and the posts from outside, with what a session does to them.

    Attributes:
        state: state of the case.
        outside: posts that come from no app.
    """

    state: CaseState
    outside: OutsidePosts

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside, at the next instant not granted yet; None if there is none."""
        return self.outside.poke(poke)

    def next_instant(self) -> int | None:
        """Return the next instant with an activation not granted yet; None if there is none."""
        return self.outside.next_instant()

    def clear(self) -> None:
        """Remove all values and types."""
        self.state.clear()

    def stop(self, reason: str, text: str = "") -> None:
        """End the run after the last instant granted so far."""
        self.state.stop(reason, text)

    def next_case(self) -> Case | None:
        """Commit the rest of a case that ended with ``CASE_RESET``; return the one that follows."""
        if self.state.ended is None or self.state.ended.reason != CASE:
            return None
        self.outside.close()
        return self.state.following_case()

    def close_case(self, end: End, entered: int) -> None:
        """End the case at this point, after entering the posts from outside before a stamp."""
        self.outside.enter_before(entered)
        self.state.finish(end)
        self.next_case()

    def leave(self, slot: Slot, instant: int) -> None:
        """Remove an app that failed at an instant [ns] from the run.

        An unanswered grant commits nothing. For other apps, the time before the failure that they
        have yet to reach is as if it had not happened.
        """
        slot.close()
        slot.database.retire(slot.mailbox)
        self.outside.reports[slot.plan.community].disconnected(slot.plan.name, instant)

    def restart(self, slot: Slot, instant: int) -> bool:
        """Restart a failed app a simulated second later, or end the run; post DB_EVENTs of it.

        Returns: whether it is restarted; it must then be rebuilt.
        """
        state, outside, name = self.state, self.outside, slot.plan.name
        report = outside.reports[slot.plan.community]
        # Several may fail at one instant, noticed in any order: by rank.
        order = slot.rank - len(state.slots)
        outside.insert(report.event(f"disconnected={name}", instant, Phase.AFTER), order)
        used = state.restarts.get(slot.rank, 0)
        if state.over or state.ends_run or used >= state.plan.restarts:
            state.stop("app_failed", name)
            return False
        state.restarts[slot.rank] = used + 1
        slot.reopen(instant + NANO, used + 1)
        report.connected(name, instant + NANO)
        outside.insert(report.event(f"connected={name}", instant + NANO), order)
        return True
