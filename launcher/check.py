"""``--check``: what would be started, and with ``--graph`` who would talk to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from textwrap import wrap

from bus.message import NANO
from bus.patterns import is_pattern, matches
from bus.plan import AppPlan, Outcome, Placement, RunPlan
from bus.run import run
from launcher.missions import Community
from launcher.plan import Launch
from moos.values import bite

REHEARSAL = 6 * NANO  # long enough for the database to sum up who hears and posts what
_CLASH = "refused, this variable is"
_DECISION = "DESIRED_"


@dataclass(frozen=True, slots=True)
class Graph:
    """Who posts and who listens in one community.

    Attributes:
        posters: variable -> the apps that post it, or declare that they may.
        listeners: variable or pattern -> the apps that registered for it.
        usual: app -> what apps of its kind listen to in every mission, names or patterns.
        outside: variables that come from the database or the command line.
        clashes: "app: what was refused", where two apps disagree about a variable's type.
    """

    posters: Mapping[str, Sequence[str]]
    listeners: Mapping[str, Sequence[str]]
    usual: Mapping[str, Sequence[str]]
    outside: Sequence[str]
    clashes: Sequence[str]

    def unposted(self) -> list[str]:
        """Give the variables that somebody listens to and nobody posts."""
        return [
            name
            for name in self.listeners
            if not is_pattern(name)
            and not any(matches(known, name) for known in (*self.posters, *self.outside))
        ]

    def told(self, variables: Sequence[str]) -> list[str]:
        """Say who listens to each of some variables."""
        return [f"{name}: {', '.join(self.listeners[name])}" for name in variables]

    def is_usual(self, variable: str) -> bool:
        """Whether all who listen to a variable do so in every mission."""
        return all(
            any(matches(pattern, variable) for pattern in self.usual.get(app, ()))
            for app in self.listeners[variable]
        )

    def listeners_of(self, variable: str) -> list[str]:
        """Give who hears a variable, but for those that hear everything."""
        heard = (apps for p, apps in self.listeners.items() if p != "*" and matches(p, variable))
        return sorted({app for apps in heard for app in apps})


def check_text(launch: Launch) -> str:
    """Say what would be started, what is skipped, and what is doubtful."""
    lines: list[str] = []
    for one in launch.communities:
        apps = [app for app in launch.plan.apps if app.community == one.name]
        lines += _community_lines(one, apps)
    lines += [f"warning: {warning}" for warning in launch.warnings]
    return "\n".join(lines)


def graph_text(launch: Launch) -> str:
    """Rehearse the first seconds in memory, and say who posts and who listens."""
    outcome = _rehearse(launch.plan)
    lines: list[str] = []
    for name in launch.plan.communities:
        lines += _graph_lines(name, graph_of(name, launch.plan, outcome))
    return "\n".join(lines)


def graph_of(community: str, plan: RunPlan, outcome: Outcome) -> Graph:
    """Make the graph of a community from what its apps declare and what a rehearsal showed."""
    posters: dict[str, list[str]] = {}
    listeners: dict[str, list[str]] = {}
    for app in plan.apps:
        if app.community == community:
            for name in (*app.app.publishes, f"{app.name.upper()}_STATUS"):
                posters.setdefault(name, []).append(app.name)
    for name, heard, said in _summary_rows(str(outcome.values[community].get("DB_RWSUMMARY", ""))):
        for variable in heard:
            listeners.setdefault(variable, []).append(name)
        for variable in said:
            if name not in posters.setdefault(variable, []):
                posters[variable].append(name)
    posters.pop("*", None)
    outside = ["DB_*", *dict.fromkeys(i.name for i in plan.inputs if i.community == community)]
    clashes = [
        f"{app.name}: {warning}"
        for app in outcome.apps
        for warning in app.run_warnings
        if app.community == community and _CLASH in warning
    ]
    here = [app for app in plan.apps if app.community == community]
    return Graph(
        posters=dict(sorted(posters.items())),
        listeners=dict(sorted(listeners.items())),
        usual={app.name: tuple(type(app.app).subscribes) for app in here},
        outside=outside,
        clashes=clashes,
    )


def _rehearse(plan: RunPlan) -> Outcome:
    """Run the first seconds of a plan in this process, leaving nothing behind."""
    latest = max(app.first_iteration for app in plan.apps)
    rehearsal = replace(
        plan,
        apps=tuple(replace(app, external=False) for app in plan.apps),
        placement=Placement.ONE,
        warp=inf,
        until=(),
        fail_if=(),
        stop_at=latest + REHEARSAL,
        port=None,
        run_folder=None,
    )
    return run(rehearsal, lambda progress: None)


def _summary_rows(summary: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Read ``app=heard:heard&said:said,app=...``."""
    for row in filter(None, summary.split(",")):
        name, lists = bite(row, "=")
        heard, said = bite(lists, "&")
        yield name, [n for n in heard.split(":") if n], [n for n in said.split(":") if n]


def _community_lines(one: Community, apps: Sequence[AppPlan]) -> Iterator[str]:
    yield f"{one.name} ({one.source}): {len(apps)} apps"
    for app in apps:
        kind = type(app.app)
        rate = NANO * app.period[1] / app.period[0]
        pace = "by mail" if app.mode == 1 else f"{rate:g} Hz"
        origin = "started by hand" if app.external else f"{kind.__module__}:{kind.__name__}"
        yield f"  {app.start / NANO:8.3f} s  {app.name:20} {pace:8}  {origin}"
    for name, why in one.skipped:
        yield f"  not started  {name:20} {why}"


def _graph_lines(community: str, graph: Graph) -> Iterator[str]:
    heard = {name: graph.listeners_of(name) for name in graph.posters}
    alone = ", ".join(name for name, listeners in heard.items() if not listeners)
    unposted = graph.unposted()
    decisions = [name for name in unposted if name.startswith(_DECISION)]
    usual = [name for name in unposted if graph.is_usual(name) and name not in decisions]
    special = [name for name in unposted if name not in (*usual, *decisions)]
    sections = {
        "who posts -> who listens": [
            f"{name}: {', '.join(apps)} -> {', '.join(heard[name])}"
            for name, apps in graph.posters.items()
            if heard[name]
        ],
        "posted, and nobody listens to it by name": wrap(alone, 96),
        "listened to as in every mission, posted by nobody here": wrap(", ".join(usual), 96),
        "listened to in this mission, posted by nobody here": graph.told(special),
        "decisions nobody speaks for": graph.told(decisions),
        "type clashes": graph.clashes,
    }
    for title, rows in sections.items():
        yield f"{community}: {title}:" + ("" if rows else " none")
        yield from (f"  {row}" for row in rows)
