"""Hints at options: ``--plug`` for templates of behavior files, ``--as-moos`` for missions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from steerageway.bus import AppPlan
from steerageway.diagnostics.diagnostic import Diagnostic, diagnostics_of
from steerageway.launcher.errors import macros_of
from steerageway.launcher.missions import Community
from steerageway.launcher.options import Options
from steerageway.launcher.templates import is_template
from steerageway.moos.globals import AS_MOOS
from steerageway.moos.mission import MissionFile

_FILE = re.compile(r"[^\s/:]+")  # in the mission's folder, with a name that needs no quotes
_LINE = re.compile(r"(?:.*/)?(?P<file>[^\s/:]+\.bhv):\d+")


def unexpanded(community: Community, apps: Sequence[AppPlan]) -> Iterator[Diagnostic]:
    """Warn of behavior files whose directives are read as comments, as they were not expanded."""
    for app in apps:
        for line in app.app.config.all("behaviors"):
            path = community.mission.path.parent / line.value
            if path.name not in community.source_map.files and is_template(path):
                expands = f"{_plug(path.name)} expands them"
                what = f"directives (#ifdef, ...) are read as comments; {expands}"
                yield Diagnostic(line.where, "behaviors", line.value, what, about=app.name)


def how_to_plug(community: Community, error: Exception) -> str:
    """Return a hint for an error in a behavior file: the option that expands it; "" for none."""
    missing = [one for one in getattr(error, "missing", ()) if _FILE.fullmatch(one)]
    if missing:
        source = _template_of(missing[0], community.source.parent)
        return f"; perhaps {_plug(source, missing[0], community)}" if source else ""
    plugged = {Path(origin.name).name for origin in community.source_map.files.values()}
    for one in diagnostics_of(error):
        line = _LINE.fullmatch(one.where)
        if line is not None and macros_of(one) and line["file"] not in plugged:
            return f"; macros are replaced with {_plug(line['file'])}"
    return ""


def _template_of(target: str, folder: Path) -> str:
    """Return the likely template of a behavior file: the only one, or the one named alike."""
    found = sorted(path.name for path in folder.glob("meta*.bhv"))
    alike = [name for name in found if name.removeprefix("meta") == target.removeprefix("targ")]
    one = found if len(found) == 1 else alike
    return one[0] if one else ""


def _plug(source: str, target: str = "", community: Community | None = None) -> str:
    instance = community.source_map.instance if community is not None else ""
    return f"--plug {source}={target or source}" + (f"@{instance}" if instance else "")


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
