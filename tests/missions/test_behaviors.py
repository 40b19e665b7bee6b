"""Missions about one or two behaviors: each completes, and shows the effect of its behavior."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import dist, hypot
from pathlib import Path
from typing import Any

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import Entry, read_entries
from steerageway.moos.polygon import parse_polygon

pytestmark = pytest.mark.slow

MISSIONS = Path(__file__).parents[2] / "missions"
NAMES = ("loiter", "depth", "legs", "region", "bearing_line", "zigzag")
Sample = tuple[float, float]  # time, value
Place = tuple[float, float, float]  # time, x, y


class Log:
    """The log of a mission that has completed."""

    def __init__(self, name: str, folder: Path) -> None:
        options = [str(MISSIONS / name), "--until", "MISSION = complete", "--for", "1500"]
        options += ["--placement", "one", "--warp", "max", "--log", str(folder)]
        self.outcome = run(plan_launch(parse_options(options)).plan, lambda progress: None)
        (log,) = folder.rglob("*.alog")
        self.entries: list[Entry] = list(read_entries(log))

    def values(self, name: str) -> list[tuple[float, Any]]:
        """Return (time, value) of a variable."""
        return [(entry.time, entry.value) for entry in self.entries if entry.name == name]

    def track(self) -> list[Place]:
        """Return (time, x, y) of the vessel."""
        xs, ys = self.values("NAV_X"), self.values("NAV_Y")
        return [(time, x, y) for (time, x), (_, y) in zip(xs, ys, strict=True)]

    def when(self, name: str, value: object) -> float:
        """Return when a variable first had a value."""
        return next(time for time, found in self.values(name) if found == value)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Log]:
    """Return the log of a mission; each runs once."""
    known: dict[str, Log] = {}

    def log(name: str) -> Log:
        if name not in known:
            known[name] = Log(name, tmp_path_factory.mktemp(name) / "log")
        return known[name]

    return log


def between(samples: Iterable[Sample], start: float, end: float) -> list[float]:
    """Return the values in a time span."""
    return [value for time, value in samples if start <= time <= end]


@pytest.mark.parametrize("name", NAMES)
def test_mission_ends_complete_without_error_or_warning(
    name: str, logs: Callable[[str], Log]
) -> None:
    log = logs(name)
    assert log.outcome.exit_reason == "until"
    assert log.values("BHV_ERROR") == log.values("BHV_WARNING") == []
    warnings = {app.name: (app.config_warnings, app.run_warnings) for app in log.outcome.apps}
    assert warnings == {app: ((), {}) for app in warnings}
    stops = [value for _, value in log.values("IVPHELM_ALLSTOP")]
    assert set(stops) <= {"clear", "NothingToDo"}
    readme = (MISSIONS / name / "README.md").read_text()
    assert f'run {name} --warp max --until "MISSION = complete"' in readme


def test_loiter_goes_round_its_hexagon_and_keeps_station_in_a_current(
    logs: Callable[[str], Log],
) -> None:
    log = logs("loiter")
    hexagon = parse_polygon("format=radial, x=60, y=-80, radius=40, pts=6, snap=1")
    stable, leaving = log.when("LOITER_MODE", "stable"), log.when("STAGE", "station")
    round_it = [(x, y) for time, x, y in log.track() if stable <= time <= leaving]
    assert all(hexagon.distance_to_edge(place) < 12 for place in round_it)
    for corner in hexagon.points:
        assert min(dist(corner, place) for place in round_it) < 8
    corners = [int(value) for _, value in log.values("LOITER_INDEX")]
    assert len(corners) > 8
    end = log.when("MISSION", "complete")
    there = [hypot(x, y + 20) for time, x, y in log.track() if end - 120 <= time <= end]
    assert max(there) < 15


def test_vessel_stays_at_depth_and_comes_up_in_time(logs: Callable[[str], Log]) -> None:
    log = logs("depth")
    ups = [time for time, value in log.values("PERIODIC_ASCEND") if value == "true"]
    fixes = [time for time, _ in log.values("PSF_AT_SURFACE_TIMEOUT")]
    assert len(ups) >= 3
    for fix, up in zip(fixes, ups[1:], strict=False):
        assert up - fix == pytest.approx(150, abs=0.5)
    depths = [(time, float(value)) for time, value in log.values("NAV_DEPTH")]
    for up, fix in zip(ups, fixes, strict=False):
        assert all(abs(depth - 10) < 1 for depth in between(depths, up - 20, up))
        assert max(between(depths, fix - 19, fix)) < 1.0
    assert max(depth for _, depth in depths) < 11


def test_legs_follow_their_line_and_turns_are_next_to_it(logs: Callable[[str], Log]) -> None:
    log = logs("legs")
    modes = [(time, value) for time, value in log.values("LR_MODE") if value != "init"]
    assert [mode for _, mode in modes][:8] == ["leg1", "turn1", "leg2", "turn2"] * 2
    assert [value for _, value in log.values("LEGS")] == [1, 2, 3, 4]
    track = log.track()
    for (start, mode), (end, _) in pairwise(modes):
        off = [abs(y + 40) for time, _, y in track if start + 25 <= time <= end]
        if mode == "leg2":
            assert max(off) < 3
        whole = [abs(y + 40) for time, _, y in track if start <= time <= end]
        if mode.startswith("turn"):
            assert 14 < max(whole) < 26


def test_vessel_is_brought_back_into_its_region(logs: Callable[[str], Log]) -> None:
    log = logs("region")
    core = parse_polygon("-20,-20 : 120,-20 : 120,-120 : -20,-120")
    away = [(time, core.distance((x, y))) for time, x, y in log.track()]
    assert [value for _, value in log.values("BREACHED")] == ["false", "true", "false"]
    left = log.when("BREACHED", "true")
    back = next(time for time, value in log.values("BREACHED") if value == "false" and time > left)
    assert max(way for _, way in away) < 40
    assert max(between(away, left - 1, left)) >= 10
    assert min(between(away, back - 1, back)) <= 10
    assert max(between(away, back + 20, 1e9)) == 0


def test_line_leads_half_of_the_way_to_the_beacon(logs: Callable[[str], Log]) -> None:
    log = logs("bearing_line")
    lines = [value for _, value in log.values("VIEW_SEGLIST") if "abe_beacon" in value]
    assert len(lines) > 300
    for line in lines:
        pair = line.split("{")[1].split("}")[0].split(":")
        (x, y), (u, w) = (tuple(map(float, point.split(","))) for point in pair)
        assert (u, w) == pytest.approx(((x + 100) / 2, y / 2), abs=0.11)


def test_zig_zag_turns_to_both_sides_and_the_circle_is_round(logs: Callable[[str], Log]) -> None:
    log = logs("zigzag")
    assert [value for _, value in log.values("ZIGS")] == [1, 2, 3, 4, 5, 6]
    legs = [time for time, _ in log.values("ZIGS")]
    headings = [(time, float(value)) for time, value in log.values("NAV_HEADING")]
    for number, time in enumerate(legs):
        reached = between(headings, time - 1, time)
        assert min(reached) <= 60 if number % 2 == 0 else max(reached) >= 120
    (report,) = [value for _, value in log.values("FT_REPORT")]
    radius = float(report.split("avg_rad=")[1])
    stage = {value: time for time, value in log.values("STAGE")}
    ring = [(x, y) for time, x, y in log.track() if stage["circle"] <= time <= stage["stop"]]
    widest = max(dist(one, other) for one in ring for other in ring)
    assert widest == pytest.approx(2 * radius, rel=0.2)
    assert log.values("NAV_SPEED")[-1][1] < 0.1
