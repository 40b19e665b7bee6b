"""Cost grows with the input, not with its square, and a log is not kept in memory.

Operations and bytes are counted, not seconds, so that the results do not depend on the machine.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numpy.random import default_rng

from steerageway.apps.contacts.collision_detect.monitor import Monitor
from steerageway.apps.logs.alog.curves import read_curves
from steerageway.apps.logs.alog.overview import averages, helm_events, scan
from steerageway.apps.logs.alog.pick import find_columns, why_missing, write_csv
from steerageway.apps.logs.alog.tracks import read_track
from steerageway.geometry.encounter import Track
from steerageway.launcher.mission import Mission
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import EntryFormat, banner, read_entries
from steerageway.web.viewer.log_index import LogIndex

TENFOLD = 12.0  # largest ratio of costs of a tenfold input that is still linear
FLAT = 1.5  # largest ratio of memory that does not grow


def calls(run: Callable[[], object]) -> int:
    """Return the number of function calls while something runs."""
    count = 0

    def profile(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


def peak(run: Callable[[], object]) -> int:
    """Return the memory that something allocates at most [bytes]."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_new_variables_of_a_script_cost_the_same_each() -> None:
    def post(count: int) -> None:
        with Mission("alpha") as mission:
            mission.run_until(1.0)
            for k in range(count):
                mission.post(f"SCORE_{k}_OF_{count}", float(k))
            mission.step()

    few, many = calls(lambda: post(100)), calls(lambda: post(1000))
    assert many < TENFOLD * few


def test_watching_a_fleet_for_encounters_does_not_cost_the_square_of_its_size() -> None:
    """At a constant density: the strips that are swept grow with the root of the size."""

    def look(size: int) -> int:
        places = default_rng(1).uniform(0, 60 * size**0.5, (size, 2))
        tracks = {f"v{k}": Track(*place, 0.0, 0.0) for k, place in enumerate(places.tolist())}
        monitor = Monitor(20.0)
        monitor.look(tracks)
        return calls(lambda: monitor.look(tracks))

    assert look(1000) < 10**1.5 * 1.2 * look(100)


@pytest.mark.slow
def test_planning_a_fleet_costs_the_same_for_each_vessel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))

    def plan(vessels: int) -> int:
        options = parse_options(["fleet", "--vessels", str(vessels), "--check"])
        plan_launch(options)  # imports, and the files that are kept
        return calls(lambda: plan_launch(options))

    assert plan(12) < 4 * 1.1 * plan(3)


class Nowhere:
    """A stream that forgets what is written."""

    def write(self, text: str) -> int:
        return len(text)


def long_log(folder: Path, rows: int) -> Path:
    """Write a log in which a vessel's position comes 50 times, and its heading in each row."""
    path, line = folder / f"{rows}.alog", EntryFormat(0.0).line
    with path.open("w") as file:
        file.write(banner(path.name, 0.0, 0.0))
        for k in range(rows):
            if k % (rows // 50) == 0:
                file.write(line("NAV_X", float(k), float(k), "uSim"))
                file.write(line("NAV_Y", float(k), float(k), "uSim"))
            file.write(line("NAV_HEADING", k % 360.0, float(k), "uSim"))
            file.write(line("IVPHELM_SUMMARY", f"iter={k},modes=MODE@ACTIVE", float(k), "pHelmIvP"))
    return path


@pytest.mark.parametrize(
    "row",
    ["%% CASE {k} time={k}\n", "{k} TRAIL_RESET pShare all \n", "{k} VIEW_POINT p x={k},y=1 \n"],
)
def test_indexing_a_log_costs_the_same_for_each_of_its_messages_however_many_vessels_it_has(
    row: str, tmp_path: Path
) -> None:
    """Vessels appear, one after the other, between beginnings of cases, resets, drawings."""

    def indexed(count: int) -> LogIndex:
        path = tmp_path / f"{count}.alog"
        report = "{k} NODE_REPORT pShare NAME=v{k},X={k}.0,Y=1.0,SPD=1,HDG=0,TIME={k} \n"
        rows = ((row + report).format(k=k) for k in range(count))
        path.write_text(banner(path.name, 0.0, 0.0) + "".join(rows))
        index = LogIndex(path)
        index.read_on()
        return index

    few, many = (calls(lambda n=n: indexed(n)) for n in (50, 500))
    assert many < TENFOLD * few
    points = sum(len(track) for track in indexed(500).tracks.of.values())
    assert points <= 2 * 500


TOOLS: dict[str, Callable[[Path], Any]] = {
    "csv": lambda path: write_csv(path, ["NAV_X", "NAV_Y"], Nowhere()),  # type: ignore[arg-type]
    "csv of each row": lambda path: write_csv(path, ["NAV_HEADING"], Nowhere()),  # type: ignore[arg-type]
    "csv of fields": lambda path: write_csv(path, ["IVPHELM_SUMMARY.iter"], Nowhere()),  # type: ignore[arg-type]
    "avg": lambda path: averages(path, ["NAV_HEADING", "IVPHELM_SUMMARY.iter"]),
    "plot of curves": lambda path: read_curves(path, ["NAV_X"]),
    "plot of tracks": read_track,
    "scan": scan,
    "helm": lambda path: list(helm_events(path)),
    "names for replay": lambda path: find_columns(read_entries(path), ["NAV_X"]),
    "why a name is missing": lambda path: why_missing(path, "NAV_Z", "*"),
}


@pytest.mark.slow
@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_for_logs_needs_no_more_memory_for_a_longer_log(tool: str, tmp_path: Path) -> None:
    run = TOOLS[tool]
    short, long = long_log(tmp_path, 400), long_log(tmp_path, 4000)
    # What is made once (imports, caches, the interpreter's own) is made in the first run of each.
    _, small, _, large = (peak(lambda p=path: run(p)) for path in (short, short, long, long))
    assert large < FLAT * small + 20_000
