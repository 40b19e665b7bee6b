"""Parameters of a whole run: warp, epoch, port, end conditions, overrides, replayed inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf
from pathlib import Path

from steerageway.bus import INPUTS_FILE, Condition, Input, Order, Placement, load_inputs
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import nearest
from steerageway.launcher.buttons import pressed
from steerageway.launcher.community_options import (
    Override,
    Poke,
    as_moos,
    parse_ending,
    parse_override,
    parse_poke,
)
from steerageway.launcher.epoch import chosen_epoch
from steerageway.launcher.errors import LaunchError, Problems
from steerageway.launcher.missions import Community
from steerageway.launcher.options import FAIL_ON, Options
from steerageway.moos.condition import ConditionError
from steerageway.moos.globals import server_port, time_warp
from steerageway.moos.lines import file_bytes
from steerageway.moos.mission import MissionFile

LARGEST_INPUTS = 1 << 30  # bytes
_Replayed = tuple[tuple[Input, ...], tuple[Order, ...]]


@dataclass(frozen=True, slots=True)
class RunParameters:
    """The parameters of a run; see ``RunPlan`` for those not explained.

    Attributes:
        overrides: lines of blocks from the command line.
        pokes: posts from the command line.
        replayed: posts of an earlier run, from ``--inputs``.
        orders: resets and clears of its cases.
    """

    warp: float
    epoch: float
    port: int | None
    until: tuple[Condition, ...]
    fail_if: tuple[Condition, ...]
    overrides: tuple[Override, ...]
    pokes: tuple[Poke, ...]
    replayed: tuple[Input, ...]
    orders: tuple[Order, ...]


def read_run_parameters(
    options: Options, communities: Sequence[Community], problems: Problems
) -> RunParameters:
    """Read the parameters of a run; errors are added to ``problems``."""
    problems.found += (Diagnostic(expected=conflict) for conflict in _conflicts(options))
    missions = [one.mission for one in communities]
    gates = {one.name: (one.gate.alias,) if one.gate else () for one in communities}
    apps = {one.name: (*one.launch_list, *gates[one.name]) for one in communities}
    nothing: _Replayed = ((), ())
    replayed, orders = problems.tried(lambda: _replayed(options, apps), nothing)
    return RunParameters(
        warp=problems.tried(lambda: _warp(options, missions), 1.0),
        epoch=problems.tried(lambda: chosen_epoch(options.epoch, missions), 0.0),
        port=problems.tried(lambda: _port(options, missions[0]), None),
        until=problems.each(lambda text: _ending("--until", text, apps), options.until),
        fail_if=problems.each(lambda text: _ending("--fail-if", text, apps), failing(options)),
        overrides=(
            *problems.each(lambda text: parse_override(text, apps), options.config),
            *([as_moos()] if options.as_moos else []),
        ),
        pokes=(
            *problems.each(lambda text: parse_poke(text, apps), options.pokes),
            *chain(*problems.each(lambda text: pressed(text, communities), options.buttons)),
        ),
        replayed=replayed,
        orders=orders,
    )


def failing(options: Options) -> tuple[str, ...]:
    """Return the conditions of --fail-if, and those that --fail-on selects."""
    named = (FAIL_ON[kind] for kind in options.fail_on)
    return (*options.fail_if, *(condition for condition in named if condition))


def _ending(option: str, text: str, apps: Mapping[str, Sequence[str]]) -> Condition:
    try:
        return parse_ending(option, text, apps)
    except ConditionError as error:
        raise LaunchError(f"{option}: {error}") from error


def _conflicts(options: Options) -> Iterator[str]:
    """Return an error for each pair of options that exclude each other."""
    if options.free_run and options.warp == inf:
        yield "--warp max: not with --free-run, which follows the wall clock; expected a number"
    if options.free_run and options.placement != Placement.PROCESS:
        yield f"--placement {options.placement}: not with --free-run, where each app is a process"
    if options.lockstep and options.free_run:
        yield "--lockstep: not with --free-run, which follows the wall clock"
    if options.paused and options.free_run:
        yield "--paused: not with --free-run, which follows the wall clock"
    if options.placement == Placement.CLUSTER:
        if not options.scheduler:
            yield "--placement cluster: expected --scheduler tcp://HOST:PORT as well"
        for name in ("external", "restarts", "exec_path", "lockstep"):
            if getattr(options, name):
                yield f"--{name.replace('_', '-')}: not with --placement cluster"
    if options.placement == Placement.ONE:
        alone = not options.attach and options.port is None
        if options.paused and alone:
            yield "--paused: no observers with --placement one; expected --attach or --port as well"
        if options.external:
            yield "--external: not with --placement one, where every app is in this process"
        if options.keys is not None and alone:
            yield "--keys: no observers with --placement one; expected --attach or --port as well"


def _warp(options: Options, missions: Sequence[MissionFile]) -> float:
    if options.warp is not None:
        return options.warp
    found = {time_warp(mission) for mission in missions}
    if len(found) > 1:
        raise LaunchError("MOOSTimeWarp: the mission files disagree; expected --warp to say which")
    return found.pop()


def _port(options: Options, first: MissionFile) -> int | None:
    """Return the broker's port; with --placement one None unless --attach or --port is given."""
    if options.port is not None:
        return options.port
    if options.placement == Placement.ONE and not options.attach:
        return None
    return server_port(first)


def folder_of(inputs: Path | None) -> Path | None:
    """Return the folder of the run that ``--inputs`` names, itself or by its file."""
    return inputs if inputs is None or inputs.is_dir() else inputs.parent


def _replayed(options: Options, communities: Mapping[str, object]) -> _Replayed:
    """Read the inputs of an earlier run: posts from outside, and orders."""
    file = options.inputs
    if file is None:
        return (), ()
    if file.is_dir():
        folder, file = file, file / INPUTS_FILE
        if not file.exists() and any(folder.rglob("*.alog")):
            return (), ()  # of a run that got no posts from outside
    try:
        lines = file_bytes(file, LARGEST_INPUTS).decode().splitlines()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise LaunchError(f"--inputs {file}: {why}") from error
    posts, orders = load_inputs(lines, str(file))
    for where, post in posts:
        _check_community(where, post.community, communities)
    for where, order in orders:
        if order.then is not None and order.then.community:
            _check_community(where, order.then.community, communities)
        _check_order(where, order, options, len(communities))
    return tuple(post for _, post in posts), tuple(order for _, order in orders)


def _check_community(where: str, name: str, communities: Mapping[str, object]) -> None:
    if name not in communities:
        expected = nearest(name, communities)
        raise LaunchError(f"{where}: community {name}: expected another, {expected}")


def _check_order(where: str, order: Order, options: Options, communities: int) -> None:
    """Check that an order can be replayed in this run."""
    if options.free_run:
        raise LaunchError(f"{where}: {order.verb}: replayed in lockstep only, not with --free-run")
    several = options.placement == Placement.COMMUNITY and communities > 1
    apart = several or options.placement == Placement.CLUSTER
    if order.verb == "reset" and apart:
        problem = "several communities, each in a process, have no cases"
        raise LaunchError(f"{where}: reset: {problem}; expected --placement process or one")
