"""Summary of a run: figures for JSON, text for the terminal, exit code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import isfinite
from pathlib import Path
from signal import Signals
from typing import Any

from steerageway.bus import AppOutcome, Condition, Goal, Outcome, Value
from steerageway.declarations import decimal
from steerageway.diagnostics.nearest import hint
from steerageway.launcher.distance import NAVIGATION, navigation_prefixes
from steerageway.launcher.plan import Launch
from steerageway.launcher.status import ERROR, MOST_SHOWN, printable, stop_text
from steerageway.launcher.traffic import misspelt_registrations, unread_pokes
from steerageway.moos.alog import data_hash, whole_lines
from steerageway.moos.errors import FormatError
from steerageway.moos.values import rounded360, trimmed

POSES = {
    "x": "NAV_X",
    "y": "NAV_Y",
    "heading": "NAV_HEADING",
    "speed": "NAV_SPEED",
    "depth": "NAV_DEPTH",
}
_HELM = {"helm": "IVPHELM_STATE", "all_stop": "IVPHELM_ALLSTOP"}
_COUNTS = ("posted", "delivered", "thinned", "refused", "lost", "missed_ticks")
MOST_APART = 3  # number of communities above which apps of one name share a line
_LIMITS = ("for", "wall_limit", "finished")
_FAILED = 1
_CODES = {"until": 0, "stopped": 0, "app_failed": 1, "broker_failed": 1, "fail_if": 4}


def exit_code(outcome: Outcome, *, waited_for: bool, bounded: bool = False) -> int:
    """Return the exit code of ``launch.py``; a vessel left at all-stop by an error is a failure.

    Args:
        outcome: of the run.
        waited_for: whether there was ``--until``.
        bounded: whether there was ``--for``.
    """
    if outcome.exit_reason in (*_LIMITS, "until", "stopped") and any(stopped_by_error(outcome)):
        return _FAILED
    if outcome.exit_reason in _LIMITS:
        too_soon = outcome.exit_reason == "wall_limit" and bounded
        return 3 if waited_for or too_soon else 0
    if outcome.exit_reason == "interrupted":
        return 128 + int(outcome.condition)
    return _CODES[outcome.exit_reason]


def stopped_by_error(outcome: Outcome) -> Iterator[str]:
    """Return the communities whose helm is at all-stop by an error at the end."""
    for name, values in outcome.values.items():
        if values.get(_HELM["all_stop"]) == ERROR:
            yield name


def figures(outcome: Outcome, launch: Launch, paced: Sequence[str] = ()) -> dict[str, Any]:
    """Return the figures of a run as JSON values; docs/launching.md lists the keys.

    Args:
        outcome: of the run.
        launch: what was run.
        paced: programs of MOOS that have posted at their own pace.
    """
    wall = outcome.wall_seconds
    prefixes = navigation_prefixes(launch.plan.apps)
    return {
        "exit_reason": outcome.exit_reason,
        "condition": outcome.condition,
        "simulated_seconds": outcome.simulated_seconds,
        "wall_seconds": wall,
        "startup_seconds": outcome.startup_seconds,
        "warp_achieved": outcome.simulated_seconds / wall if wall else 0.0,
        **{name: getattr(outcome, name) for name in _COUNTS},
        "deterministic": outcome.deterministic,
        "paced": list(paced),
        "seed": launch.plan.seed,
        "communities": {
            name: _community_figures(
                name, outcome, launch.log_folders[name], prefixes.get(name, NAVIGATION)
            )
            for name in launch.plan.communities
        },
        "apps": dict(_app_figures(app, launch.plan.communities) for app in outcome.apps),
        "failures": [
            {"app": f.name, "community": f.community, "time": f.time, "reason": f.reason}
            for f in outcome.failures
        ],
        "complaints": [
            *outcome.complaints,
            *(
                f"{name}: stopped at the end: {stop_text(outcome.values[name])}"
                for name in stopped_by_error(outcome)
            ),
            *_unmet(outcome, launch),
            *unread_pokes(outcome, launch),
            *misspelt_registrations(outcome, launch),
        ],
        "config_warnings": list(launch.warnings),
    }


def log_sha256(folder: Path | None) -> str | None:
    """Return the hash of a folder's logs without their comments; None if there is no log."""
    logs = sorted(folder.rglob("*.alog*")) if folder is not None else []
    return data_hash(chain.from_iterable(map(whole_lines, logs))) if logs else None


def text(run: Mapping[str, Any]) -> str:
    """Return the summary as text."""
    lines = [
        _ended(run),
        f"simulated {run['simulated_seconds']:.3f} s in {run['wall_seconds']:.3f} s"
        f" (warp {run['warp_achieved']:.1f}, start-up {run['startup_seconds']:.3f} s)",
        ", ".join(f"{run[name]} {name.replace('_', ' ')}" for name in _COUNTS),
    ]
    if not run["deterministic"]:
        why = "the effects of a failure may vary" if run["failures"] else "free run"
        if run["paced"]:
            posted = f"{', '.join(run['paced'])} posted at their own pace"
            why = f"{posted}; --inputs FOLDER replays that"
        lines.append(f"not deterministic: {why}")
    for name, community in run["communities"].items():
        lines += ["", *_community_text(name, community)]
    lines += ["", *_app_text(run["apps"], together=len(run["communities"]) > MOST_APART)]
    return "\n".join([*lines, *wrong(run)])


def wrong(run: Mapping[str, Any]) -> Iterator[str]:
    """Return the lines of a run's complaints and failures."""
    yield from run["complaints"]
    for failed in run["failures"]:
        yield f"failed at {failed['time']:.3f} s: {failed['app']}: {failed['reason']}"


def _ended(run: Mapping[str, Any]) -> str:
    """Return the reason why a run ended."""
    reason, what = run["exit_reason"], run["condition"]
    if reason == "interrupted" and decimal(what) is not None:
        what = f"by {Signals(int(what)).name}"
    return f"ended: {reason} {what}".rstrip()


def values_of(outcome: Outcome, launch: Launch) -> str:
    """Return the values by which a ``--fail-if`` held at the end, or an ``--until`` never did.

    "" if neither is why the run ended.
    """
    failed = [one for one in launch.plan.fail_if if one.text == outcome.condition]
    if outcome.exit_reason == "fail_if" and failed:
        goal = _goal_of(failed[0], outcome)
        states = [
            (name, _state(failed[0], outcome.values[name]))
            for name in goal.communities
            if name in goal.held
        ]
    else:
        found = list(_unmet_in(outcome, launch))
        states = [(name, f"{one.text}: {_state(one, outcome.values[name])}") for one, name in found]
    several = len(outcome.values) > 1
    return "; ".join(f"{name}: {state}" if several else state for name, state in states)


def _unmet(outcome: Outcome, launch: Launch) -> Iterator[str]:
    """Return a complaint for each ``--until`` that was not reached, with its variables' values."""
    for condition, name in _unmet_in(outcome, launch):
        state = _state(condition, outcome.values[name])
        yield f"--until {condition.text}: did not hold in {name} at the end: {state}"


def _unmet_in(outcome: Outcome, launch: Launch) -> Iterator[tuple[Condition, str]]:
    """Yield each ``--until`` that was not reached, and the communities where it did not hold."""
    if outcome.exit_reason not in _LIMITS or not any(outcome.values.values()):
        return
    for condition in launch.plan.until:
        goal = _goal_of(condition, outcome)
        if not goal.reached:
            yield from ((condition, name) for name in goal.communities if name not in goal.held)


def _goal_of(condition: Condition, outcome: Outcome) -> Goal:
    """Return where a condition holds at the end."""
    goal = Goal(condition, tuple(outcome.values))
    for name in goal.communities:
        goal.look(name, outcome.values[name].get)
    return goal


def _state(condition: Condition, values: Mapping[str, Value]) -> str:
    return ", ".join(_variable_text(variable, values) for variable in condition.variables)


def _variable_text(variable: str, values: Mapping[str, Value]) -> str:
    """Return a variable's value as text, or that it was never posted."""
    if variable in values:
        value = values[variable]
        told = trimmed(value) if isinstance(value, float) else repr(value[:MOST_SHOWN])
        return f"{variable} = {told}"
    return f"{variable} was never posted{hint(variable, values)}"


def _community_figures(
    name: str, outcome: Outcome, folder: Path | None, prefix: str
) -> dict[str, Any]:
    values = outcome.values.get(name, {})
    posed = {key: variable.replace(NAVIGATION, prefix, 1) for key, variable in POSES.items()}
    pose = {key: _of_type(float, values.get(variable)) for key, variable in posed.items()}
    helm = {key: _of_type(str, values.get(variable)) for key, variable in _HELM.items()}
    distance = outcome.taps.get(name, {}).get("distance")
    told = {
        **pose,
        **helm,
        "distance": distance if distance is None or isfinite(distance) else None,
    }
    try:
        return {**told, "log_sha256": log_sha256(folder)}
    except FormatError as error:  # e.g. a line longer than our readers take
        return {**told, "log_sha256": None, "log_error": str(error)}


def _of_type(kind: type, value: Value | None) -> Value | None:
    """Return a value if it is of the variable's usual type: an observer may post another."""
    return value if isinstance(value, kind) else None


def _app_figures(app: AppOutcome, communities: Sequence[str]) -> tuple[str, dict[str, Any]]:
    name = app.name if len(communities) == 1 else f"{app.community}:{app.name}"
    return name, {
        "grants": app.grants,
        "wall_us_per_tick": 1e6 * app.wall_seconds / app.grants if app.grants else 0.0,
        "refused": app.refused,
        "run_warnings": dict(app.run_warnings),
        "config_warnings": list(app.config_warnings),
    }


def _community_text(name: str, figures: Mapping[str, Any]) -> list[str]:
    numbers = {key: value for key, value in figures.items() if isinstance(value, float)}
    if "heading" in numbers:
        numbers["heading"] = rounded360(numbers["heading"], 2)
    pose = ", ".join(f"{key} {value:z.2f}" for key, value in numbers.items())
    nowhere = "no position was posted" if figures["helm"] else "no vessel"
    lines = [f"{name}: {pose or nowhere}"]
    if figures["helm"]:
        stop = figures["all_stop"]
        said = f"  helm {figures['helm']}, {f'all-stop {stop}' if stop else 'no decision'}"
        lines.append(printable(said))
    if figures["log_sha256"]:
        lines.append(f"  log sha256 {figures['log_sha256']}")
    if "log_error" in figures:
        lines.append(f"  {figures['log_error']}")
    return lines


def _app_text(apps: Mapping[str, Mapping[str, Any]], *, together: bool) -> list[str]:
    """Return a line for each app, and its warnings.

    Args:
        together: whether apps of one name in several communities share a line.
    """
    kinds: dict[str, dict[str, Mapping[str, Any]]] = {}
    for name, app in apps.items():
        community, _, kind = name.rpartition(":")
        kinds.setdefault(kind if together else name, {})[community] = app
    width = max(map(len, kinds), default=0)
    lines = []
    for kind, group in kinds.items():
        activations = sum(app["grants"] for app in group.values())
        costs = [app["wall_us_per_tick"] for app in group.values()]
        most = f" to {max(costs):.1f}" if len(group) > 1 else ""
        among = f", in {len(group)} communities" if len(group) > 1 else ""
        lines.append(
            f"  {kind:{width}}  {activations:8} activations  {min(costs):8.1f}{most} us{among}"
        )
        for community, app in group.items():
            who = f"{community}: " if together and community else ""
            for warning, count in app["run_warnings"].items():
                times = "once" if count == 1 else f"{count} times"
                lines.append(f"  {'':{width}}  {who}run warning, {times}: {warning}")
    return lines
