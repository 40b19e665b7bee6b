"""Hint at ``--as-moos`` for a mission that was written for MOOS-IvP's own programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from steerageway.bus import AppPlan
from steerageway.launcher.missions import Community
from steerageway.launcher.options import Options
from steerageway.moos.globals import AS_MOOS
from steerageway.moos.mission import MissionFile


def switch_lines(
    options: Options, communities: Sequence[Community], apps: Sequence[AppPlan]
) -> Iterator[str]:
    """Return one hint if a mission from elsewhere runs other than with MOOS-IvP's programs.

    A mission that states ``AsMOOS``, and one whose blocks leave nothing to it, gets none.
    """
    if options.as_moos:
        return
    asked = {
        one.name
        for one in communities
        if one.mission.value(AS_MOOS) is None and _is_from_elsewhere(one.mission)
    }
    if any(plan.community in asked and _is_changed(plan) for plan in apps):
        yield (
            f"written for MOOS-IvP: --as-moos, or {AS_MOOS} = true in the file, moves and decides"
            f" as its programs do; {AS_MOOS} = false omits this hint"
        )


def _is_from_elsewhere(mission: MissionFile) -> bool:
    """Whether a file has lines that only MOOS-IvP's programs use."""
    return any(
        key.lower() == "commstick" or (key.lower() == "run" and "newconsole" in value.lower())
        for key, value, _ in mission.lines
    )


def _is_changed(plan: AppPlan) -> bool:
    """Whether ``AsMOOS`` would change a line of an app's block."""
    return any(key not in plan.app.config for key in plan.app.peer_lines)
