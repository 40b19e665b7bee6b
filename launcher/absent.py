"""Apps and behaviors that a mission names and that are not started, and who waits for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from steerageway.apps.shared.registry import is_gone, is_known
from steerageway.bus import AppPlan, any_matches, is_pattern
from steerageway.diagnostics.diagnostic import Diagnostic, listed
from steerageway.launcher.missions import MISSING, SKIP, Community

_NAME = re.compile(r"\w+")
_BY_HAND = ("button", "action", "cmd", "left_context", "right_context")  # keys of viewers' lines


def missing_apps(community: Community) -> Iterator[Diagnostic]:
    """Warn of each app that is not started because it does not exist here."""
    reasons = dict(community.skipped)
    for run in community.antler.runs:
        if reasons.get(run.alias) == MISSING:
            yield Diagnostic(run.where, "Run", run.process, MISSING)


def waiting_for_nobody(
    community: Community, absent: Sequence[str], apps: Sequence[AppPlan], poked: Sequence[str]
) -> Iterator[Diagnostic]:
    """Warn of conditions and subscriptions of a community's apps that nobody posts for.

    Only where an app or a behavior is absent that might have posted: without one, a variable is
    posted by a person, or is not needed. Subscriptions that apps of a kind have in every mission do
    not count, nor do variables that a button of a viewer posts.

    Args:
        absent: see ``absent_posters``.
        apps: of the whole run: a variable may come from another community.
        poked: variables that the command line posts.
    """
    if not absent:
        return
    own = [plan for plan in apps if plan.community == community.name]
    heard = {name for plan in own for name in plan.app.subscribes}
    requests = (pair for plan in own for pair in plan.app.at_launch.requests)
    posted = [name for plan in apps for name in plan.app.publishes if name != "*"]
    posted += [
        *poked,
        "DB_*",
        *(f"{plan.name.upper()}_STATUS" for plan in apps),
        *_by_hand(community),
        *(name for name, request in requests if request in heard),
    ]
    for plan in own:
        waits = dict((*plan.app.at_launch.reads, *plan.app.at_launch.awaits))
        usual = type(plan.app).subscribes
        for name in plan.app.subscribes:
            if not is_pattern(name) and not any_matches(usual, name):
                waits.setdefault(name, Diagnostic(about=plan.name))
        for name, line in waits.items():
            if not any_matches(posted, name):
                nobody = f"{plan.name} waits for {name}, which no app here posts"
                yield replace(line, expected=f"{nobody}; missing: {listed(absent)}")


def absent_posters(communities: Iterable[Community], apps: Iterable[AppPlan]) -> list[str]:
    """Return the names of all apps and behaviors that do not exist here and might have posted."""
    names = [kind for plan in apps for kind in plan.app.at_launch.missing]
    for community in communities:
        reasons = dict(community.skipped)
        for run in community.antler.runs:
            reason = reasons.get(run.alias)
            skipped = reason == SKIP and not is_known(run.process)  # of a known app it is a choice
            if reason is not None and (reason == MISSING or skipped or is_gone(run.process)):
                names.append(run.alias)
    return list(dict.fromkeys(names))


def _by_hand(community: Community) -> set[str]:
    """Return the words in lines of viewers, whose variables a person posts."""
    lines = (line for line in community.mission.lines if line.key.lower().startswith(_BY_HAND))
    return {word for line in lines for word in _NAME.findall(line.value)}
