"""Two AUVs that hear of each other by sound: what their modems measure, and equal logs."""

from __future__ import annotations

from math import dist
from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.summary import log_sha256
from steerageway.moos.alog import read_entries
from steerageway.moos.values import by_key
from steerageway.world.acoustics import SoundSpeed

MISSION = Path(__file__).parents[2] / "missions" / "acoustic_pair"
PROFILE = SoundSpeed.read("0:1495, 10:1490, 20:1475, 40:1472")
STALE = 0.25  # age of a report at the water, with shares and ticks of 10 Hz [s]
ANSWERS = 1.5  # time from the first answer to the third, while the vehicle moves [s]
MEASURED = 4.0  # by range_sigma, and 1.5 % of 250 m by the speed of sound that modems assume [m]
FASTEST = 2.0  # of both together towards each other [m/s]


def sailed(folder: Path, placement: str) -> dict[str, Path]:
    """Run the mission, and return the log of each community."""
    words = [str(MISSION), "--vessels", "2", "--start", "line", "--for", "45", "--warp", "max"]
    words += ["--placement", placement, "--log", str(folder)]
    words += [] if placement == "one" else ["--port", "auto"]
    run(plan_launch(parse_options(words)).plan, lambda progress: None)
    return {name: next((folder / name).rglob("*.alog")) for name in ("shoreside", "abe", "ben")}


@pytest.mark.slow
@pytest.mark.process
def test_modems_measure_the_travel_time_between_the_vehicles_in_any_placement(
    tmp_path: Path,
) -> None:
    logs = sailed(tmp_path / "one", "one")
    again = sailed(tmp_path / "community", "community")
    for name, path in logs.items():
        assert log_sha256(path.parent) == log_sha256(again[name].parent), name
    places: dict[str, dict[float, list[float]]] = {"abe": {}, "ben": {}}
    for name, track in places.items():
        for entry in read_entries(logs[name]):
            if entry.name in ("NAV_X", "NAV_Y", "NAV_DEPTH"):
                row = track.setdefault(round(entry.time, 1), [0.0, 0.0, 0.0])
                row[("NAV_X", "NAV_Y", "NAV_DEPTH").index(entry.name)] = float(entry.value)
    measured, fixes = [], []
    for name in places:
        for entry in read_entries(logs[name]):
            row = (name, entry.time, by_key(str(entry.value)))
            if entry.name == "ACOUSTIC_RANGE" and row[2]["target"] in places:
                measured.append(row)
            elif entry.name == "ACOUSTIC_FIX":
                fixes.append(row)
    assert len(measured) >= 8
    assert {name for name, _, _ in measured} == {"abe", "ben"}
    for name, time, fields in measured:
        assert ("bearing" in fields) == (name == "ben")
        sent = round(time - 0.4, 1)  # 256 bits, and a tick
        here, there = places["abe"][sent], places["ben"][sent]
        heard = float(fields["travel"]) / PROFILE.slowness(here[2], there[2])
        assert heard == pytest.approx(dist(here, there), abs=FASTEST * STALE)
    assert {name for name, _, _ in fixes} == {"abe", "ben"}
    for name, time, fields in fixes:
        asked = round(time - 2.4, 1)  # three turns, both packets, and twice some 0.17 s of travel
        place = float(fields["x"]), float(fields["y"])
        assert dist(place, places[name][asked][:2]) < 2.0 * ANSWERS + MEASURED
