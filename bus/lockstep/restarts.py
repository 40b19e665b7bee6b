"""Failed apps in lockstep: removal from the run, and restart one simulated second later."""

from __future__ import annotations

from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Phase
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.outside_posts import OutsidePosts
from steerageway.bus.lockstep.slot import Slot


def leave(state: CaseState, outside: OutsidePosts, slot: Slot, instant: int) -> None:
    """Remove an app that failed at an instant [ns] from the run.

    An unanswered grant commits nothing. For other apps, the time before the failure that they have
    yet to reach is as if it had not happened.
    """
    slot.close()
    state.databases[slot.plan.community].retire(slot.mailbox)
    outside.reports[slot.plan.community].disconnected(slot.plan.name, instant)


def restart(state: CaseState, outside: OutsidePosts, slot: Slot, instant: int) -> bool:
    """Restart a failed app a simulated second later, or end the run; post DB_EVENTs of it.

    Returns: whether it is restarted; it must then be rebuilt.
    """
    report, name = outside.reports[slot.plan.community], slot.plan.name
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
