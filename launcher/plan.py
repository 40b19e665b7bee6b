"""Planning of a launch: options to the plan of a run (apps, inputs, ends), or all errors."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import zip_longest
from pathlib import Path

from steerageway.apps.shared.run_files import MAIN_FILES
from steerageway.bus import AppPlan, Input, RunPlan, new_token
from steerageway.diagnostics.diagnostic import Diagnostic, merged
from steerageway.launcher.absent import absent_posters, missing_apps, waiting_for_nobody
from steerageway.launcher.app_builder import AppBuilder
from steerageway.launcher.buttons import button_lines
from steerageway.launcher.community_options import first_of_many
from steerageway.launcher.distance import NAVIGATION, distance_of, navigation_prefixes
from steerageway.launcher.errors import LaunchError, Problems
from steerageway.launcher.file_warnings import (
    calm_among_waves,
    file_warnings,
    late_pokes,
    same_starts,
)
from steerageway.launcher.fleet import with_fleet, with_vessels
from steerageway.launcher.folders import RunFolder, check_summary_file, reserve_folder
from steerageway.launcher.gateway import GatePlan, plan_gate
from steerageway.launcher.hints import how_to_plug, switch_lines, unexpanded
from steerageway.launcher.missions import Community, read_communities
from steerageway.launcher.options import ANY_PORT, Options
from steerageway.launcher.run_parameters import RunParameters, folder_of, read_run_parameters
from steerageway.launcher.scripted import with_scripts
from steerageway.launcher.spelling import (
    Posters,
    misspelt_pokes,
    misspelt_variables,
    unknown_parameters,
    warn_of_misspelt,
)
from steerageway.launcher.status import MOTION, shown_of
from steerageway.launcher.value_spelling import awaited_in_vain, misspelt_values, uses_of

PANISIM = "steerageway.peers.panisim.launching"


@dataclass(frozen=True, slots=True)
class Launch:
    """A run that is ready to start.

    Attributes:
        plan: what the bus runs.
        communities: from the mission files.
        diagnostics: warnings about them.
        folder: reserved for the run.
        log_folders: community -> folder of its logs; None for no logs.
        posters: who may post in the run.
        poked: (community, variable) of each ``--set``; "" for all communities.
        watch: hints for new users, at variables and buttons of the mission.
        scripts: a line about each launch script that was run.
        gate: the gateway to programs of MOOS; None: the run needs none.
    """

    plan: RunPlan
    communities: tuple[Community, ...]
    diagnostics: tuple[Diagnostic, ...]
    folder: RunFolder
    log_folders: dict[str, Path | None]
    posters: Posters
    poked: tuple[tuple[str, str], ...] = ()
    watch: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    gate: GatePlan | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings as texts; those shared by several instances of a template are merged."""
        return tuple(merged(self.diagnostics))


def plan_launch(options: Options) -> Launch:
    """Read the files and build the apps; nothing is started.

    Raises:
        LaunchError: with all errors of files and options.
    """
    argument = Path(options.missions[0])
    options = with_vessels(with_scripts(options))
    named = argument if argument.is_dir() else argument.parent  # of a script
    name = named.resolve().name if options.vessels or options.source_maps else ""
    options = with_fleet(options)
    if any(mission.endswith(MAIN_FILES) for mission in options.missions):
        options = import_module(PANISIM).with_missions(options)
    problems = Problems()
    communities = read_communities(options, problems)
    problems.raise_any()
    parameters = read_run_parameters(options, communities, problems)
    gate = plan_gate(options, communities, parameters, problems)
    problems.raise_any()
    if gate is not None and options.port is None:
        # Programs find a MOOSDB at a mission's ServerPort, consoles the broker anywhere.
        parameters = replace(parameters, port=ANY_PORT)
    # Last of the checks, as it creates a folder.
    folder = reserve_folder(options, name or communities[0].mission.path.stem)
    try:
        check_summary_file(options.json)
        return replace(_plan(options, communities, parameters, folder, gate), gate=gate)
    except BaseException:
        folder.release()
        raise


def _panisim_lines(options: Options, apps: Sequence[AppPlan]) -> list[str]:
    """Return how to watch the vessels of Panisim's main files; [] without any."""
    if not any(source.endswith(MAIN_FILES) for source in options.made_from.values()):
        return []
    lines: list[str] = import_module(PANISIM).watch_lines(options, apps)
    return lines


def _plan(
    options: Options,
    communities: tuple[Community, ...],
    parameters: RunParameters,
    folder: RunFolder,
    gate: GatePlan | None,
) -> Launch:
    folders = {c.name: folder.of(c.name, len(communities)) for c in communities}
    apps, posters, warnings = _build_apps(options, communities, parameters, folders)
    prefixes = navigation_prefixes(apps)
    known = dict.fromkeys((NAVIGATION, *prefixes.values()))
    navigation = [f"{prefix}{kind}" for prefix in known for kind in MOTION]
    plan = RunPlan(
        communities=tuple(folders),
        apps=tuple(apps),
        warp=parameters.warp,
        placement=options.placement,
        free_run=options.free_run,
        paused=options.paused or (gate is not None and gate.resume),
        until=parameters.until,
        fail_if=parameters.fail_if,
        stop_at=options.stop_at,
        inputs=(*_poked(parameters, folders, apps), *parameters.replayed),
        orders=parameters.orders,
        shown=() if options.quiet else shown_of(len(folders), navigation, sys.stderr),
        tap=partial(distance_of, prefixes),
        port=parameters.port,
        host=options.host,
        keys=options.keys,
        token="" if options.open or options.keys or parameters.port is None else new_token(),
        grant_timeout=options.grant_timeout,
        restarts=options.restarts,
        wall_limit=options.wall_limit,
        run_folder=folder.path,
        files={one.name: str(one.source.resolve()) for one in communities},
        generated={
            one.name: str(one.mission.path.resolve())
            for one in communities
            if one.mission.path != one.source
        },
        seed=options.seed,
        epoch=parameters.epoch,
    )
    poked = tuple((poke.community, poke.name) for poke in parameters.pokes)
    posted: dict[str, list[str]] = {name: [] for name in folders}
    for app in apps:
        posted[app.community] += app.app.publishes
    watch = (
        *_panisim_lines(options, apps),
        *button_lines(options, communities),
        *switch_lines(options, communities, apps),
        *first_of_many(parameters.until, posted),
    )
    found = plan, communities, tuple(warnings), folder, folders, posters
    return Launch(*found, poked, watch, options.scripts)


def _build_apps(
    options: Options,
    communities: Sequence[Community],
    parameters: RunParameters,
    folders: dict[str, Path | None],
) -> tuple[list[AppPlan], Posters, list[Diagnostic]]:
    """Build the apps; return their plans, who may post, and warnings.

    Raises:
        LaunchError: with all errors.
    """
    problems = Problems()
    apps: list[AppPlan] = []
    warnings: list[Diagnostic] = []
    poked = [poke.name for poke in parameters.pokes] + [post.name for post in parameters.replayed]
    earlier = RunFolder(folder_of(options.inputs))
    for one in communities:
        replays = earlier.of(one.name, len(communities))
        builder = AppBuilder(one, options, parameters, folders[one.name], replays)
        places = (one.home, one.mission.path.parent, one.source.parent)
        for folder in () if options.no_code else places:
            _make_importable(folder)
        found = Problems(partial(how_to_plug, one))
        plans = builder.plans(found)
        problems.take(found, one.source_map)
        warn_of_misspelt(plans, misspelt_variables(plans, communities, poked))
        diagnostics = [*file_warnings(one, builder.shared, plans), *unexpanded(one, plans)]
        warnings += map(one.source_map.own, diagnostics)
        apps += plans
    absent = absent_posters(communities, apps)
    for one in communities:
        waits = waiting_for_nobody(one, absent, apps, poked)
        warnings += (*missing_apps(one), *map(one.source_map.own, waits))
    posts = ((poke.community, poke.name) for poke in parameters.pokes)
    ends = [name for end in (*parameters.until, *parameters.fail_if) for name in end.variables]
    warnings += misspelt_pokes(apps, communities, posts, ends)
    written, poked_texts = uses_of(communities), _poked_texts(parameters)
    warnings += misspelt_values(written, poked_texts, _conditions(options))
    warnings += awaited_in_vain(written, communities, apps, poked_texts)
    warnings += (*same_starts(apps), *calm_among_waves(apps))
    warnings += late_pokes(parameters.pokes, options.stop_at)
    posters = _posters(options, communities, parameters, apps)
    if not problems.found:  # else the apps are not complete
        warnings += _unknown_names(options, parameters, posters, problems)
    problems.found += warnings if options.strict else ()
    problems.tried(lambda: _check_run_wide(apps), None)
    problems.raise_any()
    if not apps:
        raise LaunchError("no app is left to start")
    return apps, posters, warnings


def _unknown_names(
    options: Options, parameters: RunParameters, posters: Posters, problems: Problems
) -> Iterator[Diagnostic]:
    """Yield warnings of names in options that nothing here may know; collect errors."""
    nothing: list[Diagnostic] = []
    failing = [one for one in parameters.fail_if if one.text in options.fail_if]
    for option, conditions in (("--until", parameters.until), ("--fail-if", failing)):
        names = [name for one in conditions for name in one.variables]
        yield from problems.tried(partial(posters.check, option, names), nothing)
    unmeasured = posters.unmeasured()
    if options.allow_unknown:
        yield from unmeasured
    else:
        problems.found += (*unmeasured, *unknown_parameters(posters.apps))


def _posters(
    options: Options,
    communities: Sequence[Community],
    parameters: RunParameters,
    apps: Sequence[AppPlan],
) -> Posters:
    """Return who may post in a run: its apps, its command line, and perhaps observers."""
    posted = {one.name for one in parameters.pokes} | {one.name for one in parameters.replayed}
    others = options.allow_unknown or options.stepped or parameters.port is not None
    return Posters(apps, communities, posted, others)


def _poked_texts(parameters: RunParameters) -> list[tuple[str, str]]:
    """Return the variables and texts that ``--set`` and ``--button`` post."""
    values = ((poke.name, poke.value(parameters.epoch)) for poke in parameters.pokes)
    return [(name, value) for name, value in values if isinstance(value, str)]


def _conditions(options: Options) -> list[str]:
    """Return the conditions of the command line, as written there."""
    ends = [f"--until {text}" for text in options.until]
    return [*ends, *(f"--fail-if {text}" for text in options.fail_if)]


def _check_run_wide(apps: Sequence[AppPlan]) -> None:
    """Check that apps agree about what a run has once, such as the environment.

    Raises:
        LaunchError: two of them differ.
    """
    first: dict[str, AppPlan] = {}
    for plan in apps:
        shared: Mapping[str, str] = getattr(plan.app, "run_wide", {})
        for what, value in shared.items():
            other = first.setdefault(what, plan)
            known = getattr(other.app, "run_wide", {})[what]
            if value != known:
                raise LaunchError(
                    f"{plan.name} of {plan.community} and {other.name} of {other.community} name "
                    f"different worlds ({what}): {_first_difference(value, known)}:"
                    " expected one for all"
                )


def _first_difference(one: str, other: str) -> str:
    """Return the first parts that differ in two texts of parts separated by semicolons."""
    pairs = zip_longest(one.split("; "), other.split("; "), fillvalue="nothing")
    mine, theirs = next((a, b) for a, b in pairs if a != b)
    return f"{mine!r} and {theirs!r}"


def _make_importable(folder: Path | None) -> None:
    """Append a mission's folder to the import path, so that it can name classes of its modules."""
    path = "" if folder is None else str(folder.resolve())
    if path and path not in sys.path:
        sys.path.append(path)


def _poked(
    parameters: RunParameters, communities: Iterable[str], apps: Sequence[AppPlan]
) -> list[Input]:
    """Return the posts of ``--set`` and ``--button``, in the order of the command line."""
    first = dict.fromkeys(communities, 0)
    for app in apps:
        first[app.community] = max(first[app.community], app.first_iteration)
    return [post for poke in parameters.pokes for post in poke.enter(first, parameters.epoch)]
