"""Wormholes in whole runs: the simulator's, and those of uDriftWormhole."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin
from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import Entry, read_entries

pytestmark = pytest.mark.slow

MOUTHS = "madrid_poly={0,90:20,90:20,110:0,110}, weber_poly={0,-10:20,-10:20,10:0,10}"
MISSION = """
ServerPort = 9000
Community  = abe

ProcessConfig = ANTLER
{{
  MSBetweenLaunches = 10
  Run = MOOSDB
  Run = pLogger
  Run = uSimMarineV22
  Run = uTimerScript
  Run = pNodeReporter
  {run}
}}
ProcessConfig = pLogger
{{
  AppTick = 8
  WildCardLogging = true
}}
ProcessConfig = uSimMarineV22
{{
  AppTick    = {sim_tick}
  prefix     = NAV
  start_pos  = x=12,y=61.3,heading=357,speed=2,depth=4
  thrust_map = 100:5
  buoyancy_rate = 0
  {sim}
}}
ProcessConfig = uTimerScript
{{
  AppTick = 10
  event = var=DESIRED_THRUST,val=40,time=0
  event = var=DESIRED_RUDDER,val=0.1,time=0
}}
ProcessConfig = pNodeReporter
{{
  AppTick = 5
}}
ProcessConfig = uDriftWormhole
{{
  AppTick = {tick}
  {manager}
}}
"""
NAVIGATION = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED", "NAV_DEPTH")


@dataclass(frozen=True)
class Fix:
    """Its posted positions."""

    time: float
    values: dict[str, float]


@pytest.fixture
def sail(tmp_path: Path) -> Callable[..., list[Entry]]:
    """Return ``sail(sim=, manager=, seconds=, ...) -> log``."""
    count = 0

    def run_it(
        *,
        sim: str = "",
        manager: str = "",
        seconds: float = 60,
        sim_tick: str = "4",
        tick: str = "4",
        placement: str = "one",
        more: str = "",
    ) -> list[Entry]:
        nonlocal count
        count += 1
        name = "Run = uDriftWormhole" if manager else ""
        text = MISSION.format(run=name, sim=sim, manager=manager, sim_tick=sim_tick, tick=tick)
        mission, log = tmp_path / f"lane{count}.moos", tmp_path / f"log{count}"
        mission.write_text(text)
        words = [str(mission), "--for", str(seconds), "--log", str(log)]
        words += ["--placement", placement, "--warp", "max", "--port", "auto", *more.split()]
        outcome = run(plan_launch(parse_options(words)).plan, lambda progress: None)
        assert outcome.exit_reason == "for", outcome
        (file,) = log.rglob("*.alog")
        return list(read_entries(file))

    return run_it


def fixes(entries: list[Entry]) -> list[Fix]:
    """Return its positions at each post."""
    found: dict[float, dict[str, float]] = {}
    for entry in entries:
        if entry.name in NAVIGATION:
            found.setdefault(entry.time, {})[entry.name] = float(entry.value)
    return [Fix(time, values) for time, values in found.items() if len(values) == 5]


def passages(entries: list[Entry]) -> list[dict[str, str]]:
    """Return the fields of each posted passage."""
    reported = [str(entry.value) for entry in entries if entry.name == "WORMHOLE_PASSAGE"]
    return [dict(re.findall(r"(\w+)=([^,]+)", text)) for text in reported]


def first_out(track: list[Fix]) -> int:
    """Return the index of the first position after a passage."""
    pairs = pairwise(track)
    return next(
        k for k, (a, b) in enumerate(pairs, 1) if a.values["NAV_Y"] - b.values["NAV_Y"] > 50
    )


@pytest.mark.parametrize(
    ("sim_tick", "tick", "more"),
    [
        ("4", "4", ""),
        ("4", "1", ""),
        ("10", "4", ""),
        ("2", "7", ""),
        ("4", "2", ", delay=3"),
        ("10", "3", ", delay=1.5, fade=1"),
        ("4", "3", ", fade=2"),
    ],
)
def test_the_managers_passage_equals_the_simulators_except_for_latency(
    sail: Callable[..., list[Entry]], sim_tick: str, tick: str, more: str
) -> None:
    hole = f"wormhole = tag=one, {MOUTHS}{more}"
    ticks = {"sim_tick": sim_tick, "tick": tick}
    own = sail(sim=hole, **ticks)
    managed = sail(manager=f"{hole}\n  arrows = false", **ticks)
    (one, *_), (two, *_) = passages(own), passages(managed)
    places = ("tag", "from", "since", "x", "y", "exit_x", "exit_y", "count")
    assert [one[key] for key in places] == [two[key] for key in places]
    tracks = fixes(own), fixes(managed)
    outs = [first_out(track) for track in tracks]
    late = tracks[1][outs[1]].time - tracks[0][outs[0]].time
    assert -1e-9 <= late <= 1 / float(tick) + 1 / float(sim_tick) + 1e-9
    last = min(len(track) - out for track, out in zip(tracks, outs, strict=True))
    assert last > 80
    heading = {track[out].values["NAV_HEADING"] for track, out in zip(tracks, outs, strict=True)}
    turned = max(heading) - min(heading)  # it has turned a little while it waited
    for after in range(min(last, 120)):
        a, b = (track[out + after] for track, out in zip(tracks, outs, strict=True))
        for name in ("NAV_SPEED", "NAV_DEPTH"):
            assert b.values[name] == pytest.approx(a.values[name], abs=1e-9)
        assert b.values["NAV_HEADING"] - a.values["NAV_HEADING"] == pytest.approx(turned, abs=1e-9)


def test_with_a_steady_course_both_tracks_are_one(sail: Callable[..., list[Entry]]) -> None:
    hole = f"wormhole = tag=one, {MOUTHS}"
    straight = "\n  turn_rate = 0"
    own = fixes(sail(sim=hole + straight, tick="2", seconds=75))
    managed = fixes(sail(sim=straight.strip(), manager=hole, tick="2", seconds=75))
    outs = first_out(own), first_out(managed)
    assert outs[1] - outs[0] in (0, 1, 2, 3)
    for one, two in zip(own[outs[0] :], managed[outs[1] :], strict=False):
        for name in ("NAV_HEADING", "NAV_SPEED", "NAV_DEPTH"):
            assert two.values[name] == pytest.approx(one.values[name], abs=1e-8)
        ahead = radians(one.values["NAV_HEADING"])
        dx, dy = (two.values[name] - one.values[name] for name in ("NAV_X", "NAV_Y"))
        assert dx * cos(ahead) - dy * sin(ahead) == pytest.approx(0.0, abs=1e-5)
        # The manager's order acts between two of the simulator's ticks.
        assert abs(dx * sin(ahead) + dy * cos(ahead)) <= one.values["NAV_SPEED"] / 4
        if one.values["NAV_Y"] > 88:
            break
    else:
        pytest.fail("it never came back to the mouth")


def test_a_thousand_passages_by_the_manager_are_neither_stuck_nor_doubled(
    sail: Callable[..., list[Entry]],
) -> None:
    short = "madrid_poly={0,10:20,10:20,14:0,14}, weber_poly={0,0:20,0:20,4:0,4}"
    sim = "start_pos = x=10,y=6,heading=0,speed=5\n  thrust_map = 100:12.5\n  turn_rate = 0"
    hole = f"wormhole = tag=one, {short}, connection=both, id_change=true"
    calm = "--skip pNodeReporter --config uTimerScript.AppTick=1 --config pLogger.AppTick=1"
    entries = sail(sim=sim, manager=hole, seconds=2750, tick="3", more=calm)
    events = passages(entries)
    # 10 m at 5 m/s are 2 s; the order and its answer take up to 1/3 s and 1/4 s, and up to 1/4 s
    # passes before it is found in the mouth
    assert len(events) >= 1000
    assert [int(passage["count"]) for passage in events] == list(range(1, len(events) + 1))
    assert {passage["from"] for passage in events} == {"madrid"}
    since = [float(passage["since"]) for passage in events]
    gaps = [after - before for before, after in pairwise(since)]
    assert 1.99 < min(gaps) <= max(gaps) < 2.01 + 1 / 3 + 1 / 4 + 1 / 4
    orders = [entry for entry in entries if entry.name == "USM_TELEPORT"]
    counts = [entry.value for entry in entries if entry.name == "USM_TELEPORT_COUNT"]
    assert len(orders) - len(events) in (0, 1)
    assert counts == [float(k + 1) for k in range(len(counts))]
    assert "USM_RESET_COUNT" not in {entry.name for entry in entries}


@pytest.mark.parametrize("where", ["sim", "manager"])
@pytest.mark.parametrize("delay", [0, 2])
def test_a_vessel_ends_under_one_name_and_begins_under_another(
    sail: Callable[..., list[Entry]], where: str, delay: int
) -> None:
    hole = f"wormhole = tag=one, {MOUTHS}, id_change=true, delay={delay}"
    entries = sail(**{where: hole}, seconds=80, tick="5")
    reports = [
        (entry.time, *re.findall(r"NAME=(\w+),.*?Y=([-\d.]+)", str(entry.value))[0])
        for entry in entries
        if entry.name == "NODE_REPORT_LOCAL"
    ]
    assert list(dict.fromkeys(name for _, name, _ in reports)) == ["abe", "abe_1", "abe_2"]
    old = [(time, float(y)) for time, name, y in reports if name == "abe"]
    new = [(time, float(y)) for time, name, y in reports if name == "abe_1"]
    assert 0 < new[0][0] - old[-1][0] - delay < 1.0
    assert old[-1][1] > 89
    assert new[0][1] < 0
    assert new[-1][1] > 89


def test_a_lane_is_the_same_in_every_placement(sail: Callable[..., list[Entry]]) -> None:
    block = f"wormhole = tag=one, {MOUTHS}, delay=1, fade=1\n"
    block += "  drift = type=gusts,dir=80,mag=0.1:0.3,every=5,spread=40\n"
    block += "  rotate = type=gauss_markov,sigma=0.2,tau=10"
    received = []
    for placement in ("one", "process"):
        entries = sail(manager=block, placement=placement)
        received.append([(e.time, e.name, e.source, e.value) for e in entries])
    assert len(passages(entries)) == 1
    assert received[0] == received[1]
