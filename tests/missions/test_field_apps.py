"""The shore of missions/berta with obstacles, sensors, a search grid and pMissionEval."""

from __future__ import annotations

from collections.abc import Callable
from math import dist, hypot
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from steerageway.moos.alog import Entry, read_entries
from steerageway.moos.values import pairs

pytestmark = pytest.mark.process

BERTA = Path(__file__).parents[2] / "missions" / "berta"
BEACON = (0.0, -120.0)
APPS = {
    "pMissionHash": "",
    "pAutoPoke": "flag = DEPLOY_ALL = true\nflag = MOOS_MANUAL_OVERRIDE_ALL = false\n"
    "required_nodes = 2",
    "uLoadWatch": "thresh = app=ANY,gapthresh=1.5",
    "uFldDelve": "",
    "uFldObstacleSim": "obstacle_file = field.txt",
    "uFldBeaconRangeSensor": "beacon = x=0,y=-120,label=01\nnode_push_dist = nolimit\n"
    "ping_wait = default=5\nreport_vars = long",
    "uFldContactRangeSensor": "ping_wait = 5\nreport_vars = long\nrn_algorithm = gaussian,sigma=1",
    "uFldGenericSensor": "source_point = x=0,y=-60,label=01\nsensor_config = range=150\n"
    "min_sensor_interval = 5",
    "pSearchGrid": "grid_config = pts={-150,-150:150,-150:150,150:-150,150}\n"
    "grid_config = cell_size=10,cell_vars=x:0",
    "pMissionEval": "lead_condition = DB_UPTIME >= 60\npass_condition = UFSB_NODE_COUNT = 2\n"
    "report_file = results.txt\nreport_column = $[MHASH_SHORT]\nreport_column = $[GRADE]",
}
ASKING = ("BRS_RANGE_REQUEST", "CRS_RANGE_REQUEST", "UGS_SENSOR_REQUEST")
ANSWERS = ("BRS_RANGE_REPORT", "CRS_RANGE_REPORT", "UGS_SENSOR_REPORT")


def block(name: str, lines: str) -> str:
    return f"\nProcessConfig = {name}\n{{\n  AppTick = 2\n{lines}\n}}\n"


def after(text: str, line: str, more: str) -> str:
    assert line in text
    return text.replace(line, f"{line}{more}", 1)


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy berta, with these apps on its shore and vessels that request ranges."""
    folder = copytree(BERTA, tmp_path_factory.mktemp("field") / "berta")
    shore, vessel = folder / "meta_shoreside.moos", folder / "meta_vehicle.moos"
    text = shore.read_text().replace("  Run = uTimerScript\n", "")
    text = after(text, "  Run = pShare\n", "".join(f"  Run = {name}\n" for name in APPS))
    text = after(text, "RETURN, MOOS_MANUAL_OVERRIDE, NODE_REPORT", f", {', '.join(ANSWERS)}")
    text = after(text, "alias = UP_LOITER\n", "  bridge = src = GIVEN_OBSTACLE\n")
    shore.write_text(text + "".join(block(name, lines) for name, lines in APPS.items()))
    text = vessel.read_text()
    text = after(text, "  Run = pShare\n", "  Run = uTimerScript\n  Run = pObstacleMgr\n")
    bridges = "".join(f"\n  bridge = src = {name}" for name in ASKING)
    text = after(text, "alias = ARRIVED_%(VNAME)", bridges)
    events = "\n".join(
        f'event = var={name},val="{key}=$(VNAME)",time=20:50,amt=4'
        for name, key in zip(ASKING, ("name", "name", "vname"), strict=True)
    )
    text += block("uTimerScript", events) + block("pObstacleMgr", "given_max_duration = off")
    vessel.write_text(text)
    (folder / "field.txt").write_text("poly = pts={90,90:99,90:99,99},label=rock\n")
    return folder


def run(launch: Callable[..., Any], mission: Path, placement: str) -> Any:
    ended = launch(
        *(mission, "--vessels", "2", "--until", "shoreside:MISSION_EVALUATED = true"),
        *("--fail-if", "shoreside:MISSION_RESULT = fail", "--for", "80", "--warp", "max"),
        *("--placement", placement),
    )
    assert ended.code == 0, ended.said
    return ended


def entries(ended: Any, name: str) -> list[Entry]:
    (log,) = [p for p in ended.folder.rglob("*.alog") if name in str(p.parent).lower()]
    return list(read_entries(log))


def test_a_shore_with_all_of_them_is_the_same_in_every_placement(launch, mission: Path) -> None:
    results = [run(launch, mission, placement) for placement in ("one", "community")]
    hashes = [
        {name: one["log_sha256"] for name, one in ended.summary["communities"].items()}
        for ended in results
    ]
    assert hashes[0] == hashes[1]
    texts = [next(ended.folder.rglob("results.txt")).read_text() for ended in results]
    assert texts[0] == texts[1]
    assert texts[0].endswith("]  pass\n")
    assert not list(mission.rglob("results.txt"))
    shore, abe = entries(results[0], "shoreside"), entries(results[0], "abe")
    assert {entry.value for entry in abe if entry.name == "GIVEN_OBSTACLE"} == {
        "pts={90,90:99,90:99,99},label=rock"
    }
    assert [e.value for e in shore if e.name == "ULW_BREACH"] == ["false"]
    _check_ranges(abe)
    cells = [str(e.value) for e in shore if e.name == "VIEW_GRID_DELTA"]
    reports = sum(e.name == "NODE_REPORT" for e in shore)
    counted = sum(int(item.split(",")[2]) for t in cells for item in t.split("@")[1].split(":"))
    assert 0.9 * reports < counted <= reports


def _check_ranges(vessel: list[Entry]) -> None:
    """Compare the ranges a vessel received with its positions."""
    here: dict[str, float] = {}
    ranges, places = [], []
    for entry in vessel:
        if entry.name in ("NAV_X", "NAV_Y"):
            here[entry.name] = float(entry.value)
        elif entry.name == "BRS_RANGE_REPORT":
            away = dist((here["NAV_X"], here["NAV_Y"]), BEACON)
            ranges.append(float(dict(pairs(str(entry.value)))["range"]) - away)
        elif entry.name == "UGS_SENSOR_REPORT":
            fields = dict(pairs(str(entry.value)))
            places.append(hypot(float(fields["x"]), float(fields["y"]) + 60.0))
    assert len(ranges) >= 2
    assert max(map(abs, ranges)) < 3.0  # m, that it makes until the answer is there
    assert places
    assert max(places) < 4 * 150 / 4
    assert any(entry.name == "CRS_RANGE_REPORT" for entry in vessel)
