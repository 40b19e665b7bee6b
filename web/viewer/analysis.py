"""Analysis of logs for the viewer: curves, helm modes, IvP functions, comparison of runs, CSV."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steerageway.apps.shared.log_compare import first_difference
from steerageway.apps.shared.meanings import circle_of
from steerageway.ivp import Ipf, IpfError, read_ipf
from steerageway.ivp.ipf import joined
from steerageway.moos.alog import Entry
from steerageway.web.viewer.explain import costs, explained
from steerageway.web.viewer.log_set import LogSet, sampled
from steerageway.web.viewer.picture import SUMMARY, behaviors_in

MOST_BESIDE, LONGEST_BESIDE = 400, 160  # rows of two runs, characters of a value
CASTS_SEARCHED = 2000  # appcasts of all apps before a time, among which one is searched
POINTS = 4000  # limit of points of a distance curve
IPF = "BHV_IPF"
IPF_WITHIN = 1.0  # how far back from a time a helm's functions are searched [s]
_DECIDED = {"course": "DESIRED_HEADING", "speed": "DESIRED_SPEED", "depth": "DESIRED_DEPTH"}
ACTIVE = "IVPHELM_BHV_ACTIVE"
_CHANGES = ("IVPHELM_STATE", "MODE", ACTIVE)


def names_of(logs: LogSet, time: float) -> list[tuple[str, str, str, str]]:
    """Return community, name, "number" or "text", and source of each variable at a time."""
    return sorted(
        (one.community, one.name, "number" if isinstance(one.value, float) else "text", one.source)
        for one in logs.values(time, ["*"])
    )


def community_and_name(logs: LogSet, variable: str) -> tuple[str, str]:
    """Split henry:NAV_X into community and name; the default is the first community.

    Raises:
        ValueError: there is no such community.
    """
    community, colon, name = variable.partition(":")
    if not colon:
        community, name = next(iter(logs.indexes), ""), variable
    if community not in logs.indexes:
        raise ValueError(f"{variable}: expected one of the communities {', '.join(logs.indexes)}")
    return community, name


def history(logs: LogSet, variable: str, span: tuple[float, float], most: int) -> dict[str, Any]:
    """Return a variable over time, thinned to at most ``most`` points.

    Numbers are thinned to the mean, minimum and maximum of each interval, angles without a jump
    where they pass north; of texts the latest are kept.
    """
    community, name = community_and_name(logs, variable)
    low, high = (max(span[0], -1e9), min(span[1], 1e9))
    times, values = sampled(logs.history(community, name, low, high))
    result: dict[str, Any] = {"var": variable, "total": len(times)}
    circle = circle_of(name)
    if circle is not None:
        result["circle"] = list(circle)
    if any(isinstance(value, str) for value in values):
        return {**result, "t": list(times[-most:]), "v": values[-most:]}
    if len(times) <= most:
        return {**result, "t": list(times), "v": values}
    starts = np.linspace(0, len(times), max(2, most), endpoint=False).astype(np.intp)
    column = np.array(values, dtype=np.float64)
    if circle is not None:  # angles of an interval lie within half a turn of its first
        first = np.repeat(column[starts], np.diff([*starts, len(times)]))
        column = first + (column - first + circle.period / 2) % circle.period - circle.period / 2
    counts = np.diff([*starts, len(times)])
    return {
        **result,
        "t": np.array(times)[starts].tolist(),
        "v": (np.add.reduceat(column, starts) / counts).tolist(),
        "low": np.minimum.reduceat(column, starts).tolist(),
        "high": np.maximum.reduceat(column, starts).tolist(),
    }


def helm_history(logs: LogSet, community: str) -> dict[str, Any]:
    """Return the times at which a helm's mode and active behaviors changed, with their values.

    Raises:
        ValueError: there is no such community.
    """
    community_and_name(logs, f"{community}:")
    entries = sorted(
        (entry.time, order, entry.name, str(entry.value))
        for order, name in enumerate(_CHANGES)
        for entry in _changes(logs, community, name)
    )
    state = dict.fromkeys(_CHANGES, "")
    found: dict[str, list[Any]] = {"t": [], "mode": [], "active": []}
    for time, _, name, value in entries:
        if state[name] == value:
            continue
        state[name] = value
        mode = " ".join(filter(None, (state["IVPHELM_STATE"], state["MODE"])))
        active = [one for one in state[ACTIVE].split(",") if one]
        if found["t"] and found["t"][-1] == time:
            found["mode"][-1], found["active"][-1] = mode, active
        else:
            found["t"].append(time)
            found["mode"].append(mode)
            found["active"].append(active)
    iterations = len(logs.indexes[community].places.get(b"IVPHELM_ITER", ()))
    return {**found, "iterations": iterations}


def _changes(logs: LogSet, community: str, name: str) -> Iterator[Entry]:
    """Yield a variable's messages; the active behaviors from summaries if they are not posted."""
    index = logs.indexes[community]
    if name != ACTIVE or ACTIVE.encode() in index.places:
        yield from logs.history(community, name, -1e9, 1e9)
        return
    columns = [places for one, places in index.columns.items() if one.startswith(f"{SUMMARY} ")]
    for entry in logs.entries(community, sorted(place for places in columns for place in places)):
        active = behaviors_in(str(entry.value)).get("active")
        if active is not None:
            yield entry._replace(name=name, value=",".join(active))


class Functions(NamedTuple):
    """The objective functions of a helm's iteration.

    Attributes:
        time: of the iteration [s].
        of: behavior -> function, in the helm's order.
        decision: variable -> value.
        halt: why the helm halted; "" if it did not.
    """

    time: float
    of: dict[str, Ipf]
    decision: dict[str, float]
    halt: str = ""


def ipf(found: Functions, behavior: str) -> dict[str, Any]:
    """Return a behavior's objective function over course and speed, or the sum of all.

    If the domain has further variables (depth), each value is the maximum over these.

    Raises:
        ValueError: there is no such behavior.
    """
    functions, decision = found.of, found.decision
    if behavior and behavior not in functions:
        raise ValueError(f"{behavior}: expected one of {', '.join(functions) or 'none, now'}")
    rows = costs(functions, decision)
    about = {
        "t": found.time,
        "chosen": {"course": decision.get("course"), "speed": decision.get("speed")},
        "behaviors": list(functions),
        "costs": rows,
        "explained": explained(rows, decision, found.halt),
    }
    chosen = {behavior} if behavior else functions
    parts = [one.function for name, one in functions.items() if name in chosen]
    if not parts:
        return about
    course = _axis(parts, "course")
    speed = _axis(parts, "speed")
    total = np.zeros((len(speed), len(course)))
    for part in parts:
        total += _over(part, behavior == "")
    return about | {
        "course": course.tolist(),
        "speed": speed.tolist(),
        "values": np.round(total, 3).tolist(),
        "low": float(total.min()),
        "high": float(total.max()),
    }


def posted_functions(logs: LogSet, community: str, time: float) -> Functions | None:
    """Return the functions that a helm posted last, shortly before a time; None without any.

    Raises:
        ValueError: there is no such community.
    """
    community_and_name(logs, f"{community}:")
    packets: dict[str, list[str]] = {}
    times: dict[str, float] = {}
    for entry in logs.history(community, IPF, time - IPF_WITHIN, time):
        fields = str(entry.value).split(",", 2)
        if len(fields) == 3:
            packets.setdefault(fields[1], []).append(str(entry.value))
            times[fields[1]] = entry.time
    if not times:
        return None
    last = max(times.values())
    of = functions_in({name: parts for name, parts in packets.items() if times[name] == last})
    decision = {
        axis: value
        for axis, name in _DECIDED.items()
        if (value := _last(logs, community, name, time)) is not None
    }
    return Functions(last, of, decision)


def functions_in(packets: Mapping[str, Sequence[str]]) -> dict[str, Ipf]:
    """Return functions, by behavior, of their packets, by behavior^iteration."""
    found = {}
    for called, parts in packets.items():
        try:
            found[called.rpartition("^")[0]] = read_ipf(joined(parts))
        except IpfError:
            continue  # not all of its packets are in the log yet
    return found


def helm_of(logs: LogSet, community: str, time: float) -> str:
    """Return the name of a community's helm at a time.

    Raises:
        ValueError: there is no such community, or it has no helm.
    """
    community_and_name(logs, f"{community}:")
    for one in logs.values(time, [f"{community}:IVPHELM_STATE"]):
        return one.source
    raise ValueError(f"{community}: no helm has reported yet")


def logged_appcast(logs: LogSet, community: str, app: str, time: float) -> str | None:
    """Return an app's last appcast in a log before a time; None if the log has none.

    Apps post their appcasts on request only, so those of MOOS-IvP's missions are in logs.
    """
    index = logs.indexes[community]
    places = index.places.get(b"APPCAST", ())
    end = bisect_left(places, logs.cuts(time)[community].place)
    for place in reversed(places[max(0, end - CASTS_SEARCHED) : end]):
        for entry in logs.entries(community, [place]):
            if str(entry.value).startswith(f"proc={app}!"):
                return str(entry.value)
    return None


def _axis(parts: Sequence[Any], name: str) -> Any:
    for part in parts:
        if name in part.domain.names:
            return np.array(part.domain[name].values)
    return np.zeros(1)


def _over(part: Any, weighted: bool) -> Any:
    """Return a function's values with speeds as rows and courses as columns."""
    names = list(part.domain.names)
    table = np.asarray(part.table) * (part.weight if weighted else 1.0)
    for name in [one for one in names if one not in ("course", "speed")]:
        table = table.max(axis=names.index(name))
        names.remove(name)
    if names == ["course", "speed"]:
        return table.T
    return table[:, None] if names == ["speed"] else np.atleast_2d(table)


def _last(logs: LogSet, community: str, name: str, time: float) -> float | None:
    values = [one.value for one in logs.values(time, [f"{community}:{name}"])]
    return values[-1] if values and isinstance(values[-1], float) else None


def compare(here: LogSet, there: LogSet) -> dict[str, Any]:
    """Compare the logs of two runs, both starting at 0 s.

    Returns: for each vessel of the other run, its trail and the distance to the vessel of the same
        name here, None where one is missing; and the first message that differs.
    """
    common = [community for community in here.communities if community in there.communities]
    vessels = [
        one
        for one in (_apart(here, there, community) for community in there.communities)
        if one is not None
    ]
    return {"vessels": vessels, "first": _first(here, there, common)}


def beside(
    both: Sequence[LogSet], time: float, patterns: Sequence[str]
) -> list[tuple[str, str, float | str | None, float | str | None]]:
    """Return community, name and the values in two runs at a time; None where there is none."""
    here, there = (
        {(one.community, one.name): one.value for one in logs.values(time, patterns)}
        for logs in both
    )
    return [
        (*key, _shown(here.get(key)), _shown(there.get(key)))
        for key in sorted({*here, *there})[:MOST_BESIDE]
    ]


def _shown(value: object) -> float | str | None:
    """Return a value for a table: of a long text the beginning, of bytes their number."""
    if value is None or isinstance(value, float):
        return value
    return f"{len(value)} bytes" if isinstance(value, bytes) else str(value)[:LONGEST_BESIDE]


def _apart(here: LogSet, there: LogSet, community: str) -> dict[str, Any] | None:
    other = _positions(there, community)
    if other is None:
        return None
    times, east, north = (column[:: max(1, len(other[0]) // POINTS)] for column in other)
    mine = _positions(here, community) if community in here.communities else None
    apart: list[float | None] = [None] * len(times)
    if mine is not None:
        dx, dy = (
            np.interp(times, mine[0], column, np.nan, np.nan) - at
            for column, at in zip(mine[1:], (east, north), strict=True)
        )
        apart = [None if np.isnan(one) else round(float(one), 6) for one in np.hypot(dx, dy)]
    return {
        "name": community,
        "t": times.tolist(),
        "x": east.tolist(),
        "y": north.tolist(),
        "distance": apart,
    }


def _positions(logs: LogSet, community: str) -> tuple[Any, Any, Any] | None:
    """Return times, x and y of a community's vessel as columns; None if it has no positions."""
    x, y = (sampled(logs.history(community, name, -1e9, 1e9)) for name in ("NAV_X", "NAV_Y"))
    if not x[0] or not y[0]:
        return None
    times = np.array(x[0])
    return times, np.array(x[1], np.float64), np.interp(times, y[0], np.array(y[1], np.float64))


def _first(here: LogSet, there: LogSet, common: Sequence[str]) -> dict[str, Any] | None:
    """Return the earliest message that differs, over all communities."""
    found: list[dict[str, Any]] = []
    for community in common:
        difference = first_difference(here.indexes[community].path, there.indexes[community].path)
        if difference is not None:
            entry = difference.first
            sides = (difference.one.entry, difference.other.entry)
            names, values = (
                [None if side is None else getattr(side, part) for side in sides]
                for part in ("name", "value")
            )
            about: dict[str, Any] = {"community": community, "variable": entry.name}
            about |= {"here": values[0], "there": values[1]}
            about |= {"here_variable": names[0], "there_variable": names[1]}
            time = entry.time + here.indexes[community].start - here.epoch
            found.append({**about, "t": time, "log_time": entry.time})
    return min(found, key=lambda one: one["t"], default=None)


def csv_lines(logs: LogSet, variables: Sequence[str], low: float, high: float) -> Iterator[str]:
    """Return variables as lines of CSV: time, community, variable, value.

    Args:
        variables: as ``henry:NAV_X``, in the order of output.
        low, high: first and last time [s]; NaN: those of the logs.
    Raises:
        ValueError: there is no such community.
    """
    named = [community_and_name(logs, one) for one in variables]
    first, last = logs.span

    def lines() -> Iterator[str]:
        yield "time,community,variable,value\n"
        for community, name in named:
            span = (first if low != low else low, last if high != high else high)
            for entry in logs.history(community, name, *span):
                yield f"{entry.time:.5f},{community},{name},{_cell(entry.value)}\n"

    return lines()


def _cell(value: float | str) -> str:
    if isinstance(value, float):
        return repr(value)
    return '"' + value.replace('"', '""') + '"'
