"""A surveying fleet: reports its vessels receive, and their minimum distances."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from math import hypot, sqrt
from pathlib import Path
from typing import Any

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.summary import log_sha256
from steerageway.moos.alog import read_entries
from steerageway.moos.node_message import NodeMessage
from steerageway.moos.node_report import parse

pytestmark = pytest.mark.slow

FLEET = Path(__file__).parents[2] / "missions" / "fleet"
LEAST = 5.0  # no two may come nearer than this [m]
STEP = 0.25  # in which tracks are compared [s]


def sail(folder: Path, *arguments: str) -> Any:
    """Run the mission in this process and keep its logs; return the outcome."""
    options = [str(FLEET), *arguments, "--placement", "one", "--warp", "max", "--log", str(folder)]
    outcome = run(plan_launch(parse_options(options)).plan, lambda progress: None)
    assert (outcome.failures, outcome.refused, outcome.lost) == ([], 0, 0)
    assert [app.name for app in outcome.apps if app.run_warnings or app.config_warnings] == []
    return outcome


def logged(folder: Path, community: str, *names: str) -> Iterator[Any]:
    """Return the logged values of some variables in a community."""
    (log,) = (folder / community).rglob("*.alog")
    return (entry for entry in read_entries(log) if entry.name in names)


def track(folder: Path, vessel: str) -> dict[int, tuple[float, float]]:
    """Return a vessel's positions: number of the step -> (x, y) [m]."""
    places, x = {}, 0.0
    for entry in logged(folder, vessel, "NAV_X", "NAV_Y"):
        if entry.name == "NAV_X":
            x = float(entry.value)
        else:
            places[round(entry.time / STEP)] = (x, float(entry.value))
    return places


def closest(folder: Path, vessels: list[str]) -> float:
    """Return the minimum distance of any two vessels [m]."""
    tracks = [track(folder, vessel) for vessel in vessels]
    gaps = (
        hypot(one[step][0] - other[step][0], one[step][1] - other[step][1])
        for one, other in combinations(tracks, 2)
        for step in one.keys() & other.keys()
    )
    return min(gaps)


def test_a_crowded_fleet_surveys_to_its_end_and_no_vessels_come_too_near(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    crowd = ("--vessels", "3", "--start", "ring:30", "--until", "MISSION = complete")
    outcome = sail(folder, *crowd, "--for", "900")
    assert outcome.exit_reason == "until"
    vessels = ["abe", "ben", "cal"]
    assert closest(folder, vessels) >= LEAST
    for vessel in vessels:
        modes = {str(entry.value) for entry in logged(folder, vessel, "AVD_STATUS")}
        assert "avoiding" in modes
    crowding = [entry.value for entry in logged(folder, "shoreside", "FLEET_CONTACTS")]
    assert 0.5 < crowding[-1] <= 3.0
    totals = [entry.value for entry in logged(folder, "shoreside", "COLLISION_TOTAL")]
    assert totals == [0.0]


def test_reports_are_lost_late_and_limited_as_the_shore_is_configured(tmp_path: Path) -> None:
    folder, loss, delay = tmp_path / "log", 0.3, 1.5
    lines = {"drop_percentage": 100 * loss, "comms_delay": delay, "critical_range": 0}
    config = [
        word
        for key, value in lines.items()
        for word in ("--config", f"shoreside:uFldNodeComms.{key}={value}")
    ]
    still = ("--set", "DEPLOY=false", "--start", "line:50", "--for", "150")
    sail(folder, "--vessels", "3", *still, *config)
    received = {
        (parse(str(entry.value)).name, vessel)
        for vessel in ("abe", "ben", "cal")
        for entry in logged(folder, vessel, "NODE_REPORT")
    }
    assert received == {("abe", "ben"), ("ben", "abe"), ("ben", "cal"), ("cal", "ben")}
    late, count = [], 0
    for vessel in ("abe", "cal"):
        sent = list(logged(folder, vessel, "NODE_REPORT_LOCAL"))
        times = {parse(str(entry.value)).time: entry.time for entry in sent}
        got = [
            (parse(str(entry.value)), entry.time) for entry in logged(folder, "ben", "NODE_REPORT")
        ]
        mine = [(report, time) for report, time in got if report.name == vessel]
        late += [time - times[report.time] for report, time in mine]
        count += len([entry for entry in sent if entry.time < 150 - delay - 1])
    assert delay < min(late)
    assert max(late) < delay + 0.25 + 0.1  # a tick of the shore, and the way there and back
    expected, sigma = count * (1 - loss), sqrt(count * loss * (1 - loss))
    assert abs(len(late) - expected) < 4 * sigma


TALKER = """\
Community = $(VNAME)
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = uSimMarineV22
  Run = pNodeReporter
  Run = uFldMessageHandler
  Run = pShare
}
ProcessConfig = uSimMarineV22
{
  start_pos = $(START_POS)
  prefix = NAV
}
ProcessConfig = pShare
{
  Input = route = localhost:$(PSHARE_PORT)
  Output = NODE_REPORT_LOCAL -> NODE_REPORT:localhost:$(SHORE_PSHARE)
  Output = NODE_MESSAGE_LOCAL -> NODE_MESSAGE:localhost:$(SHORE_PSHARE)
}
"""
RELAY = """\
Community = shoreside
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = uFldNodeComms
  Run = pShare
}
ProcessConfig = pShare
{
  Input = route = localhost:$(PSHARE_PORT)
  Output = NODE_MESSAGE_ABE -> NODE_MESSAGE:localhost:9201
  Output = NODE_MESSAGE_BEN -> NODE_MESSAGE:localhost:9202
  Output = NODE_MESSAGE_CAL -> NODE_MESSAGE:localhost:9203
}
"""


def test_a_message_reaches_its_addressees_within_range(tmp_path: Path) -> None:
    (tmp_path / "meta_vehicle.moos").write_text(TALKER)
    (tmp_path / "meta_shoreside.moos").write_text(RELAY)
    message = NodeMessage("HELLO", "there", source="abe", to="ben:cal").text()
    arguments = [str(tmp_path), "--vessels", "3", "--start", "line:60", "--for", "20"]
    arguments += ["--set", f"@10:abe:NODE_MESSAGE_LOCAL={message}", "--no-log"]
    arguments += ["--placement", "one", "--warp", "max"]
    for until, reason in (("ben:HELLO = there", "until"), ("cal:HELLO = there", "for")):
        options = parse_options([*arguments, "--until", until])
        assert run(plan_launch(options).plan, lambda progress: None).exit_reason == reason


@pytest.mark.process
def test_a_fleet_leaves_the_same_logs_in_any_placement(
    tmp_path: Path, launch: Callable[..., Any]
) -> None:
    crowd = ("--vessels", "3", "--start", "ring:25", "--for", "40")
    sail(tmp_path / "one", *crowd)
    ended = launch(FLEET, *crowd, "--placement", "community", "--warp", "max")
    assert ended.code == 0, ended.said
    for name, community in ended.summary["communities"].items():
        assert community["log_sha256"] == log_sha256(tmp_path / "one" / name), name
    assert set(ended.summary["communities"]) == {"shoreside", "abe", "ben", "cal"}
    assert not re.search(r"warning", ended.said)


def test_more_vessels_than_letters_run(tmp_path: Path) -> None:
    sail(tmp_path / "log", "--vessels", "28", "--for", "3")
    received = list(logged(tmp_path / "log", "zoe", "NODE_REPORT_LOCAL"))
    assert received
    reports = list(logged(tmp_path / "log", "shoreside", "NODE_REPORT"))
    assert len({parse(str(entry.value)).name for entry in reports}) == 28


NOTING_IMPORTS = """
import os, sys
from steerageway.bus.processes import supervisor
from steerageway.launcher.command import main

def noting(address, plan, ranks, **options):
    before = set(sys.modules)
    run_host(address, plan, ranks, **options)
    line = f"{plan.apps[ranks[0]].name} {sorted(set(sys.modules) - before)}\\n"
    os.write(1, line.encode())

run_host, supervisor.run_host = supervisor.run_host, noting
sys.exit(main())
"""


@pytest.mark.process
def test_processes_of_a_fleet_share_all_modules(tmp_path: Path) -> None:
    """What a process imports by itself, it has for itself."""
    options = ["--vessels", "2", "--placement", "process", "--warp", "max", "--for", "20"]
    command = [sys.executable, "-c", NOTING_IMPORTS, str(FLEET), *options, "--port", "auto"]
    done = subprocess.run(
        [*command, "--quiet", "--log", str(tmp_path / "log")],
        capture_output=True,
        text=True,
        check=True,
    )
    shares = done.stdout.splitlines()
    assert len(shares) == 2 * 7 + 5, done.stdout
    assert [line for line in shares if not line.endswith(" []")] == []
