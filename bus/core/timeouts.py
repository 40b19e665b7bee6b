"""Time limits of apps' answers."""

from __future__ import annotations

from math import inf

from steerageway.bus.core.plan import RunPlan

INTERRUPTED_TIMEOUT = 0.7  # wall seconds an app gets to answer after the run was interrupted


def timeout(plan: RunPlan, *, starting: bool, interrupted: bool) -> float:
    """Return the time limit of an activation or a start [wall s]; 0: none."""
    seconds = plan.start_timeout if starting else plan.grant_timeout
    return min(seconds or inf, INTERRUPTED_TIMEOUT) if interrupted else seconds


def no_answer(seconds: float, *, interrupted: bool) -> str:
    """Return the error text of an app that exceeded its time limit."""
    text = f"did not answer within {seconds:g} s of wall time"
    return (
        f"{text}, all that an interrupted run gives"
        if interrupted and seconds == INTERRUPTED_TIMEOUT
        else text
    )
