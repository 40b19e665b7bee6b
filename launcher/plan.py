"""Turns options into the plan of a run, or into everything that is wrong with them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from steerageway.bus import App, AppPlan, Input, RunPlan
from steerageway.launcher.crew import Circumstances, Muster
from steerageway.launcher.distance import Distance
from steerageway.launcher.errors import LaunchError, Problems
from steerageway.launcher.fleet import with_fleet, with_vessels
from steerageway.launcher.folders import RunFolder, check_summary_file, reserve_folder
from steerageway.launcher.missions import Community, read_communities
from steerageway.launcher.misspelt import misspelt, misspelt_pokes, warning_of
from steerageway.launcher.options import Options
from steerageway.launcher.origins import Origins, merged
from steerageway.launcher.panisim import with_missions
from steerageway.launcher.remarks import late_pokes, remarks, vain_waits
from steerageway.launcher.terms import Terms, read_terms
from steerageway.launcher.unplugged import how_to_plug, unplugged

SHOWN = ("NAV_X", "NAV_Y", "NAV_SPEED", "IVPHELM_STATE", "MODE")


@dataclass(frozen=True, slots=True)
class Launch:
    """A run that is ready to start.

    Attributes:
        plan: what the bus runs.
        communities: what the mission files said.
        warnings: what is doubtful about them.
        folder: reserved for the run.
        log_folders: community -> where its logs go; None for nowhere.
        poked: (community, variable) of each ``--set``; "" for all communities.
    """

    plan: RunPlan
    communities: tuple[Community, ...]
    warnings: tuple[str, ...]
    folder: RunFolder
    log_folders: dict[str, Path | None]
    poked: tuple[tuple[str, str], ...] = ()


def plan_launch(options: Options) -> Launch:
    """Read everything, build every app, start nothing.

    Raises:
        LaunchError: something is wrong; all of it at once.
    """
    options = with_vessels(options)
    name = Path(options.missions[0]).resolve().name if options.vessels else ""
    options = with_missions(with_fleet(options))
    problems = Problems()
    communities = read_communities(options, problems)
    problems.raise_any()
    terms = read_terms(options, communities, problems)
    for one in communities:
        problems.retell(one.origins.told)
    problems.raise_any()
    folder = reserve_folder(options, name or communities[0].mission.path.stem)
    try:
        check_summary_file(options.json)
        return _plan(options, communities, terms, folder)
    except BaseException:
        folder.release()
        raise


def _plan(
    options: Options, communities: tuple[Community, ...], terms: Terms, folder: RunFolder
) -> Launch:
    folders = {c.name: folder.of(c.name, len(communities)) for c in communities}
    apps, warnings = _build_apps(options, communities, terms, folders)
    plan = RunPlan(
        communities=tuple(folders),
        apps=tuple(apps),
        warp=terms.warp,
        placement=options.placement,
        free_run=options.free_run,
        paused=options.paused,
        until=terms.until,
        fail_if=terms.fail_if,
        stop_at=options.stop_at,
        inputs=(*_poked(terms, folders, apps), *terms.replayed),
        orders=terms.orders,
        shown=SHOWN,
        tap=Distance,
        port=terms.port,
        host=options.host,
        keys=options.keys,
        grant_timeout=options.grant_timeout,
        restarts=options.restarts,
        wall_limit=options.wall_limit,
        run_folder=folder.path,
        files={one.name: str(one.source.resolve()) for one in communities},
        seed=options.seed,
        epoch=terms.epoch,
    )
    poked = tuple((poke.community, poke.name) for poke in terms.pokes)
    return Launch(plan, communities, tuple(merged(warnings)), folder, folders, poked)


def _build_apps(
    options: Options,
    communities: Sequence[Community],
    terms: Terms,
    folders: dict[str, Path | None],
) -> tuple[list[AppPlan], list[str]]:
    """Build every app; give the plans, and what is doubtful.

    Raises:
        LaunchError: something is wrong.
    """
    problems = Problems()
    apps: list[AppPlan] = []
    warnings: list[str] = []
    poked = [poke.name for poke in terms.pokes] + [said.name for said in terms.replayed]
    for one in communities:
        given = Circumstances(options.seed, terms.epoch, folders[one.name], options.external)
        muster = Muster(one, terms.overrides, given)
        for folder in (one.home, one.mission.path.parent):
            _make_importable(folder)
        found = Problems(partial(how_to_plug, one))
        plans = muster.plans(found)
        found.retell(one.origins.told)
        for problem in found.found:
            problems.add(problem)
        meant = misspelt(plans, communities, poked)
        plans = [warning_of(plan, meant) for plan in plans]
        doubts = [*remarks(one, muster.shared, plans), *unplugged(one, plans)]
        warnings += map(one.origins.told, doubts)
        apps += [_retelling(plan, one.origins) for plan in plans]
    said = ((poke.community, poke.name) for poke in terms.pokes)
    ends = [name for end in (*terms.until, *terms.fail_if) for name in end.variables]
    warnings += misspelt_pokes(apps, communities, said, ends)
    warnings += late_pokes(terms.pokes, options.stop_at)
    warnings += vain_waits("--until", terms.until, apps)
    warnings += vain_waits("--fail-if", terms.fail_if, apps)
    for warning in warnings if options.strict else ():
        problems.add(warning)
    problems.raise_any()
    if not apps:
        raise LaunchError("no app is left to start")
    return apps, warnings


def _retelling(plan: AppPlan, origins: Origins) -> AppPlan:
    """Let an app's own warnings, and those of the apps made after it, name the user's files."""
    if origins.folder is None:
        return plan

    def retold(app: App) -> App:
        app.config_warnings = list(map(origins.told, app.config_warnings))
        return app

    return replace(plan, app=retold(plan.app), rebuild=lambda seed: retold(plan.rebuild(seed)))


def _make_importable(folder: Path | None) -> None:
    """Let a mission name classes of modules in its folder; ours are found first."""
    path = "" if folder is None else str(folder.resolve())
    if path and path not in sys.path:
        sys.path.append(path)


def _poked(terms: Terms, communities: Iterable[str], apps: Sequence[AppPlan]) -> list[Input]:
    """Give the posts of ``--set``, in the order they were given."""
    first = dict.fromkeys(communities, 0)
    for app in apps:
        first[app.community] = max(first[app.community], app.first_iteration)
    return [said for poke in terms.pokes for said in poke.enter(first, terms.epoch)]
