"""``--check`` and ``--graph``: the apps that would start, and publishers and subscribers."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from textwrap import wrap
from typing import TypeVar

from steerageway.bus import (
    NANO,
    AppPlan,
    Outcome,
    Placement,
    RunPlan,
    any_matches,
    is_pattern,
    matches,
    run,
)
from steerageway.diagnostics.diagnostic import listed
from steerageway.launcher.missions import Community
from steerageway.launcher.plan import Launch
from steerageway.launcher.traffic import traffic

DRY_RUN = 6 * NANO  # long enough for the database to post DB_RWSUMMARY [ns]
_CLASH = "refused, this variable is"
_DECISION = "DESIRED_"
OF_EACH = "_<NAME>"  # replaces a community's name at the end of a variable
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Graph:
    """Publishers and subscribers of one community.

    Attributes:
        posters: variable -> the apps that post it, or declare that they may.
        listeners: variable or pattern -> the apps that registered for it.
        usual: app -> names and patterns that apps of its kind subscribe to in every mission.
        outside: variables that are posted by the database or the command line.
        clashes: "app: warning", if two apps disagree about a variable's type.
        free: apps that may post any variable.
    """

    posters: Mapping[str, Sequence[str]]
    listeners: Mapping[str, Sequence[str]]
    usual: Mapping[str, Sequence[str]]
    outside: Sequence[str]
    clashes: Sequence[str]
    free: Sequence[str]

    def unposted(self) -> list[str]:
        """Return the variables that have subscribers but no publisher."""
        return [
            name
            for name in self.listeners
            if not is_pattern(name) and not any_matches((*self.posters, *self.outside), name)
        ]

    def with_listeners(self, variables: Sequence[str]) -> list[str]:
        """Return a row for each of some variables with its subscribers."""
        return [f"{name}: {', '.join(self.listeners[name])}" for name in variables]

    def is_usual(self, variable: str) -> bool:
        """Whether all subscribers of a variable subscribe to it in every mission."""
        return all(
            any_matches(self.usual.get(app, ()), variable) for app in self.listeners[variable]
        )

    def listeners_of(self, variable: str) -> list[str]:
        """Return the subscribers of a variable, except those that subscribe to everything."""
        matching = (apps for p, apps in self.listeners.items() if p != "*" and matches(p, variable))
        return sorted({app for apps in matching for app in apps})


def check_text(launch: Launch) -> str:
    """Return the text of ``--check``: apps that would start, skipped ones, and warnings."""
    of = {one.name: list[AppPlan]() for one in launch.communities}
    for app in launch.plan.apps:
        of[app.community].append(app)
    groups = _alike(
        launch.communities,
        lambda one: (one.source, one.skipped, *map(_app_line, of[one.name])),
    )
    lines = [line for group in groups for line in _group_lines(group, of[group[0].name])]
    return "\n".join(
        (*launch.scripts, *lines, *(f"warning: {warning}" for warning in launch.warnings))
    )


def graph_text(launch: Launch) -> str:
    """Run the first seconds in memory; return the text of ``--graph``."""
    outcome = _dry_run(launch.plan)
    names = launch.plan.communities
    sections = {name: _sections(graph_of(name, launch.plan, outcome), names) for name in names}
    alike = {
        title: _alike(names, {name: frozenset(sections[name][title]) for name in names}.__getitem__)
        for title in sections[names[0]]
    }
    lines: list[str] = []
    for first in names:
        for title, groups in alike.items():
            for group in (group for group in groups if group[0] == first):
                lines += _section_lines(f"{listed(group)}: {title}", sections[first][title])
    return "\n".join(lines)


def graph_of(community: str, plan: RunPlan, outcome: Outcome) -> Graph:
    """Return the graph of a community from its apps' declarations and a trial run's outcome."""
    posters: dict[str, list[str]] = {}
    listeners: dict[str, list[str]] = {}
    here = [app for app in plan.apps if app.community == community]
    for app in here:
        for name in (
            *app.app.publishes,
            f"{app.name.upper()}_STATUS",
        ):  # posted by every app
            posters.setdefault(name, []).append(app.name)
    for name, subscribed, published in traffic(outcome.values[community]):
        for variable in subscribed:
            listeners.setdefault(variable, []).append(name)
        for variable in published:
            if name not in posters.setdefault(variable, []):
                posters[variable].append(name)
    free = posters.pop("*", [])
    outside = ["DB_*", *dict.fromkeys(i.name for i in plan.inputs if i.community == community)]
    clashes = [
        f"{app.name}: {warning}"
        for app in outcome.apps
        for warning in app.run_warnings
        if app.community == community and _CLASH in warning
    ]
    return Graph(
        posters=dict(sorted(posters.items())),
        listeners=dict(sorted(listeners.items())),
        usual={app.name: tuple(type(app.app).subscribes) for app in here},
        outside=outside,
        clashes=clashes,
        free=free,
    )


def _dry_run(plan: RunPlan) -> Outcome:
    """Run the first seconds of a plan in this process, without logs and observers."""
    latest = max(app.first_iteration for app in plan.apps)
    dry_run = replace(
        plan,
        placement=Placement.ONE,
        warp=inf,
        paused=False,
        until=(),
        fail_if=(),
        stop_at=latest + DRY_RUN,
        wall_limit=0.0,
        port=None,
        run_folder=None,
    )
    return run(dry_run, lambda progress: None)


def _alike(items: Iterable[_T], key: Callable[[_T], Hashable]) -> list[list[_T]]:
    """Return groups of items with equal keys, in the order of their first items."""
    groups: dict[Hashable, list[_T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def _group_lines(group: Sequence[Community], apps: Sequence[AppPlan]) -> Iterator[str]:
    """Return the lines of communities whose apps differ in nothing but their start times."""
    first = group[0]
    each = f" each, which start in {first.name} at" if len(group) > 1 else ""
    yield f"{listed([one.name for one in group])} ({first.source}): {len(apps)} apps{each}"
    for app in apps:
        yield f"  {app.start / NANO:8.3f} s  {_app_line(app)}"
    for name, why in first.skipped:
        yield f"  not started  {name:20} {why}"


def _app_line(app: AppPlan) -> str:
    """Return an app's name, frequency and class."""
    kind = type(app.app)
    pace = "by mail" if app.mode == 1 else f"{NANO * app.period[1] / app.period[0]:g} Hz"
    origin = "started by hand" if app.external else f"{kind.__module__}:{kind.__name__}"
    return f"{app.name:20} {pace:8}  {origin}"


def _sections(graph: Graph, communities: Sequence[str]) -> dict[str, list[str]]:
    """Return the sections of a graph's text: title -> a row for each variable.

    With several communities, variables that end with the name of one share a row.
    """
    listeners = {name: graph.listeners_of(name) for name in graph.posters}
    unposted = graph.unposted()
    decisions = [name for name in unposted if name.startswith(_DECISION)]
    usual = [name for name in unposted if graph.is_usual(name) and name not in decisions]
    special = [name for name in unposted if name not in (*usual, *decisions)]
    may = f" ({', '.join(graph.free)} may post it)" if graph.free else ""
    sections = {
        "publishers -> subscribers": [
            f"{name}: {', '.join(apps)} -> {', '.join(listeners[name])}"
            for name, apps in graph.posters.items()
            if listeners[name]
        ],
        "posted, but not subscribed to by name": [n for n, apps in listeners.items() if not apps],
        "subscribed to as in every mission, but not posted by any app": usual,
        "subscribed to in this mission, but not posted by any app": [
            f"{row}{may}" for row in graph.with_listeners(special)
        ],
        "decisions without a publisher": graph.with_listeners(decisions),
        "type clashes": list(graph.clashes),
    }
    if len(communities) == 1:
        return sections
    name = re.compile(rf"_(?:{'|'.join(map(re.escape, communities))})\b", re.IGNORECASE)
    return {
        title: list(dict.fromkeys(name.sub(OF_EACH, row) for row in rows))
        for title, rows in sections.items()
    }


def _section_lines(title: str, rows: Sequence[str]) -> Iterator[str]:
    yield f"{title}:" + ("" if rows else " none")
    bare = not any(": " in row for row in rows)
    yield from (f"  {row}" for row in (wrap(", ".join(rows), 96) if bare else rows))
