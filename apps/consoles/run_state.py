"""Text of a run's status: simulated time, warp, pause, case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from steerageway.moos.values import trimmed


def state_text(status: Mapping[str, Any]) -> str:
    """Return the status: "12.50 s  warp 5  paused  case 3 (412.50 s of the run)".

    Args:
        status: of ``control("status")``; times are those of the present case.
    """
    warp = status["warp"]
    parts = [
        f"{case_time(status):.2f} s",
        f"warp {warp if warp == 'max' else trimmed(float(warp))}",
    ]
    if status["paused"]:
        parts.append("paused")
    elif status["until"] is not None:
        parts.append(f"until {trimmed(status['until'] - began(status), 2)} s")
    if status["case"]:
        parts.append(f"case {status['case']} ({status['time']:.2f} s of the run)")
    return "  ".join(parts)


def case_time(status: Mapping[str, Any]) -> float:
    """Return the time since the present case began [s]."""
    return float(status["case_time"])


def began(status: Mapping[str, Any]) -> float:
    """Return when the present case began [s of the run]."""
    return float(status["time"]) - case_time(status)
