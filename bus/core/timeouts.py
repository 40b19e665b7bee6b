"""How long an app may take to answer."""

from __future__ import annotations

from math import inf

from steerageway.bus.core.plan import RunPlan

HASTE = 0.7  # wall seconds an app gets to answer once the run is interrupted


def timeout(plan: RunPlan, *, starting: bool, interrupted: bool) -> float:
    """Return the wall seconds that an app gets for a turn, or for its start; 0: any."""
    seconds = plan.start_timeout if starting else plan.grant_timeout
    return min(seconds or inf, HASTE) if interrupted else seconds


def no_answer(seconds: float, *, interrupted: bool) -> str:
    """Say that an app took longer than it may: which limit that was."""
    text = f"did not answer within {seconds:g} s of wall time"
    return (
        f"{text}, all that an interrupted run gives" if interrupted and seconds == HASTE else text
    )
