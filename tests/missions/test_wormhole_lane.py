"""A lane with wormholes: one vessel along it, three across, and collisions counted."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import Entry, read_entries

LANE = Path(__file__).parents[2] / "missions" / "wormhole_lane"
FLEET = ("--vessels", "4", "--warp", "max")
CROSSING = ("ben", "cal", "deb")
Logs = dict[str, list[Entry]]


def sail(folder: Path, seconds: int, *words: str) -> Logs:
    """Run the mission for a time; return the log of each community."""
    options = [str(LANE), *FLEET, "--for", str(seconds), "--placement", "one"]
    launch = plan_launch(parse_options([*options, "--log", str(folder), *words]))
    outcome = run(launch.plan, lambda progress: None)
    assert outcome.exit_reason == "for"
    assert [(app.name, app.run_warnings) for app in outcome.apps if app.run_warnings] == []
    return {
        name: list(read_entries(next(Path(where).rglob("*.alog"))))
        for name, where in launch.log_folders.items()
        if where is not None
    }


def values(entries: list[Entry], name: str) -> list[tuple[float, Any]]:
    """Return (time, value) of a variable."""
    return [(entry.time, entry.value) for entry in entries if entry.name == name]


def fields(text: str) -> dict[str, str]:
    return dict(re.findall(r"(\w+)=([^,]+)", text))


@pytest.fixture(scope="module")
def careful(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """Return the logs of one passage of the lane with a lookout."""
    return sail(tmp_path_factory.mktemp("lane") / "log", 260)


@pytest.mark.slow
def test_a_vessel_with_collision_avoidance_hits_no_other(careful: Logs) -> None:
    shore = careful["shoreside"]
    assert {value for _, value in values(shore, "COLLISION_TOTAL")} == {0.0}
    assert {value for _, value in values(shore, "NEAR_MISS_TOTAL")} == {0.0}
    assert max(value for _, value in values(shore, "ENCOUNTER_TOTAL")) >= 1
    assert min(value for _, value in values(shore, "UCD_CLOSEST_RANGE_EVER")) > 10
    (passage,) = (fields(text) for _, text in values(careful["abe"], "WORMHOLE_PASSAGE"))
    assert (passage["tag"], passage["from"], passage["count"]) == ("lane", "madrid", "1")
    assert float(passage["exit_y"]) == pytest.approx(float(passage["y"]) - 410, abs=0.01)


@pytest.mark.slow
def test_a_vessel_without_collision_avoidance_has_three_collisions(tmp_path: Path) -> None:
    shore = sail(tmp_path, 160, "--skip", "pContactMgrV20")["shoreside"]
    reports = [(time, fields(text)) for time, text in values(shore, "UCD_REPORT")]
    assert [report["vname2"] for _, report in reports] == ["ben_1", "cal_1", "deb_1"]
    assert {report["rank"] for _, report in reports} == {"collision"}
    # Each starts so that both are there at 60, 100 and 140 s; a metre apart they have met
    assert [time for time, _ in reports] == pytest.approx([61, 101, 141], abs=1)
    assert values(shore, "COLLISION_TOTAL")[-1][1] == 3


@pytest.mark.slow
def test_traffic_crosses_every_105_seconds_under_a_new_name_each_time(careful: Logs) -> None:
    first = {"ben": 5, "cal": 45, "deb": 85}  # 10, 90 and 170 m at 2 m/s
    for name in CROSSING:
        events = [fields(text) for _, text in values(careful[name], "WORMHOLE_PASSAGE")]
        since = [float(passage["since"]) for passage in events]
        assert since[0] == pytest.approx(first[name], abs=2)  # under way when launched
        gaps = [after - before for before, after in pairwise(since)]
        # 210 m at 2 m/s, and at both ends up to the half metre of a tick
        assert gaps == pytest.approx([105] * len(gaps), abs=0.6)
        assert [passage["name"] for passage in events] == [
            f"{name}_{k + 1}" for k in range(len(events))
        ]
        assert {passage["from"] for passage in events} == {"weber" if name == "cal" else "madrid"}
        headings = {round(value, 3) for time, value in values(careful[name], "NAV_HEADING")}
        assert headings == {270.0 if name == "cal" else 90.0}


@pytest.mark.slow
def test_for_the_contact_manager_one_vessel_ends_and_another_begins(careful: Logs) -> None:
    lists = [
        (time, str(value).split(",")) for time, value in values(careful["abe"], "CONTACTS_LIST")
    ]
    for name in CROSSING:
        passages = values(careful[name], "WORMHOLE_PASSAGE")
        for count, (time, _) in enumerate(passages):
            if time > 250:
                continue  # the run ends before it is forgotten
            old, new = f"{name}_{count}" if count else name, f"{name}_{count + 1}"
            begins = next(t for t, names in lists if new in names)
            ends = next(t for t, names in lists if t > begins and old not in names)
            assert begins - time < 1.0
            assert 4.0 < ends - time < 6.5  # contact_max_age = 5
    retired = str(values(careful["abe"], "CONTACTS_RETIRED")[-1][1]).split(",")
    assert {"ben_1", "cal_1", "deb_1"} <= set(retired)
    spawned = re.findall(
        r"bname=avd_(\w+),\S*event=spawn",
        " ".join(str(text) for _, text in values(careful["abe"], "IVPHELM_LIFE_EVENT")),
    )
    assert "ben_1" in spawned


@pytest.mark.process
def test_the_lane_is_the_same_in_one_process_and_in_many(launch: Any) -> None:
    runs = [
        launch(LANE, *FLEET, "--for", "60", "--placement", placement)
        for placement in ("one", "community")
    ]
    assert [ended.code for ended in runs] == [0, 0]
    one, many = (
        {name: community["log_sha256"] for name, community in ended.summary["communities"].items()}
        for ended in runs
    )
    assert one == many
    assert len(one) == 5


def test_the_readme_contains_the_command_to_run_it() -> None:
    readme = (LANE / "README.md").read_text()
    assert "steerageway run wormhole_lane --vessels 4 --warp max --for 420" in readme


@pytest.mark.slow
def test_without_wormholes_all_vessels_turn_round_at_the_end_of_the_lane(tmp_path: Path) -> None:
    """The manual's figure without wormholes; the other tests use the one with wormholes."""
    logs = sail(tmp_path, 260, "--define", "WORMHOLES=no")
    for name in ("abe", *CROSSING):
        assert values(logs[name], "WORMHOLE_PASSAGE") == []
        places = [
            (x, y)
            for (_, x), (_, y) in zip(
                values(logs[name], "NAV_X"), values(logs[name], "NAV_Y"), strict=False
            )
        ]
        steps = [abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(places)]
        assert max(steps) < 2.0
    headings = {name: [h for _, h in values(logs[name], "NAV_HEADING")] for name in CROSSING}
    for name in CROSSING:
        assert any(80 < h < 100 for h in headings[name]), name
        assert any(260 < h < 280 for h in headings[name]), name
    assert values(logs["shoreside"], "COLLISION_TOTAL")[-1][1] == 0.0
