"""Hints at ``--plug`` for behavior files that are unexpanded templates, or that templates make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from steerageway.bus import AppPlan
from steerageway.diagnostics.diagnostic import Diagnostic, diagnostics_of
from steerageway.launcher.errors import macros_of
from steerageway.launcher.missions import Community
from steerageway.launcher.templates import is_template

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
