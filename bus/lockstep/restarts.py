"""What becomes of an app that failed: it leaves the run, and may come back a second later."""

from __future__ import annotations

from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Phase
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.outside_posts import OutsidePosts
from steerageway.bus.lockstep.slot import Slot


def leave(state: CaseState, outside: OutsidePosts, slot: Slot, instant: int) -> None:
    """Take an app out of the run that failed at an instant [ns].

    A grant it did not answer commits nothing. What others have yet to reach of the time before is
    as if it had not failed.
    """
    slot.close()
    state.databases[slot.plan.community].retire(slot.mailbox)
    outside.reports[slot.plan.community].disconnected(slot.plan.name, instant)


def restart(state: CaseState, outside: OutsidePosts, slot: Slot, instant: int) -> bool:
    """Let a failed app come back a simulated second later, or end the run; tell everybody.

    Returns: whether it comes back; it must then be made anew.
    """
    report, name = outside.reports[slot.plan.community], slot.plan.name
    order = slot.rank - len(state.slots)  # others may fail at this instant, in any order
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
