"""Warnings about a community's files: unread lines, misspelt blocks, settings without effect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from steerageway.apps.shared.registry import is_shipped
from steerageway.bus import NANO, App, AppPlan, Config
from steerageway.declarations import unknown
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import ALIKE, hint, near
from steerageway.launcher.community_options import Poke
from steerageway.launcher.missions import Community
from steerageway.moos.antler import BLOCK_KEYS

CALLED = ("configure", "on_start", "on_mail", "iterate", "on_stop", "report")
_EXPANDED = re.compile(rb"\$\{([^{}]*)\}")


def file_warnings(
    community: Community, shared: Config, apps: Sequence[AppPlan]
) -> list[Diagnostic]:
    """Return the warnings about a community's files.

    Args:
        community: the community.
        shared: its mission file's global lines, after every app has read its own.
        apps: those of the community, configured.
    """
    return [
        *community.mission.warnings,
        *_nameless(community),
        *_launch_list_warnings(community),
        *_misspelt_blocks(community),
        *_global_warnings(community, shared),
        *(replace(one, about=app.name) for app in apps for one in app.app.diagnostics),
        *_unstarted_holds(apps),
        *(one for app in apps for one in _misspelt_methods(app)),
    ]


def late_pokes(pokes: Iterable[Poke], stop_at: int | None) -> Iterator[Diagnostic]:
    """Warn of posts of the command line after the run's last instant (``stop_at``) [ns]."""
    for poke in pokes:
        if poke.at is not None and stop_at is not None and poke.at > stop_at:
            ends = f"as --for {stop_at / NANO:g} ends the run before"
            late = f"never posted at {poke.at / NANO:g} s, {ends}"
            yield Diagnostic(about=f"--set {poke.name}", expected=late)


def same_starts(apps: Sequence[AppPlan]) -> Iterator[Diagnostic]:
    """Warn of simulators of several communities that start their vessels at one point."""
    found: dict[tuple[float, float, float], dict[str, AppPlan]] = {}
    for plan in apps:
        start = getattr(plan.app, "start_position", None)
        if start is not None:
            found.setdefault(start, {}).setdefault(plan.community, plan)
    for (x, y, depth), by_community in found.items():
        if len(by_community) > 1:
            names, (first, *_) = ", ".join(by_community), by_community.values()
            one_point = f"{names} start at one point, x = {x:g}, y = {y:g}, depth = {depth:g}"
            yield Diagnostic(about=first.name, expected=f"{one_point}: expected one for each")


def calm_among_waves(apps: Sequence[AppPlan]) -> Iterator[Diagnostic]:
    """Warn of simulators without an environment, in a run in which another's has waves."""
    rough = next((p for p in apps if getattr(p.app, "among_waves", False)), None)
    for plan in apps if rough is not None else ():
        if getattr(plan.app, "among_waves", None) is False and getattr(plan.app, "alone", False):
            assert rough is not None
            others = f"that of {rough.community} is in an environment with waves"
            calm = f"{plan.community} floats on calm water, {others}: expected the same lines"
            yield Diagnostic(about=plan.name, expected=f"{calm} environment")


def _nameless(community: Community) -> Iterator[Diagnostic]:
    """Warn of a mission file without the name of its community."""
    if community.mission.value("Community") is None:
        named = f"expected the vessel's name; without this line it is {community.name}, as in MOOS"
        yield Diagnostic(str(community.source), "Community", expected=named)


def _launch_list_warnings(community: Community) -> Iterator[Diagnostic]:
    for run in community.antler.runs:
        yield from run.warnings
    # A list without its } has the lines of the next block, too, which are known there.
    others = {
        line.where
        for block in community.mission.blocks
        if block.name.upper() != "ANTLER"
        for line in block.lines
    }
    for line in community.antler.unread:
        if line.where not in others:
            yield unknown(line.key, BLOCK_KEYS, line.where, line.value)


def _misspelt_blocks(community: Community) -> Iterator[Diagnostic]:
    """Warn of blocks without an app whose name is similar to an app without a block."""
    mission = community.mission
    names = {run.alias.lower() for run in community.antler.runs}
    there = {*mission.broken, *(block.name.lower() for block in mission.blocks)}
    without = [name for name in community.launch_list if name.lower() not in there]
    for block in mission.blocks:
        if block.name.lower() not in names:
            meant = near(block.name, without, ALIKE)
            if meant:
                what = f"no app of the launch list; {meant[0]} has no block"
                yield Diagnostic(block.where, "ProcessConfig", block.name, what)


def _unstarted_holds(apps: Sequence[AppPlan]) -> Iterator[Diagnostic]:
    """Warn of apps that another app waits for and that are not started."""
    there = {app.name for app in apps}
    for app in apps:
        for name, line in app.app.at_launch.holds_for:
            if name not in there:
                waits = f"{app.name} waits for {name}, which is not started"
                expected = f"{waits}{hint(name, there, ALIKE)}"
                yield Diagnostic(line.where, line.key, line.value, expected, about=app.name)


def _misspelt_methods(app: AppPlan) -> Iterator[Diagnostic]:
    """Warn of methods of a user's app whose name is similar to one that the bus calls."""
    kind = type(app.app)
    if is_shipped(kind):
        return
    own = [name for name in vars(kind) if not name.startswith("_") and not hasattr(App, name)]
    for name in own:
        meant = near(name, CALLED, ALIKE)
        if meant and getattr(kind, meant[0]) is getattr(App, meant[0]):
            problem = "this method is never called"
            yield Diagnostic(key=name, expected=problem, nearest=meant[0], about=app.name)


def _global_warnings(community: Community, shared: Config) -> Iterator[Diagnostic]:
    mission = community.mission
    outside = {line.where for line in mission.globals}
    expanded = _EXPANDED.findall(mission.path.read_bytes())  # names that lines use as ${NAME}
    meant_for_lines = {name.decode("utf-8", "replace") for name in expanded}
    labels = {value for run in community.antler.runs for _, value in run.extra}
    for entry in shared.unread():
        used = entry.key in meant_for_lines or entry.key in labels
        if entry.where in outside and not used:
            yield shared.unknown_key(entry)
