"""Sensors in whole missions: rates, measurements, and equality of runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import degrees
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
SURVEY = ROOT / "missions" / "otter_survey"
BLOCK = """
ProcessConfig = uSensors
{
  AppTick      = 10
  sensors_file = inputs/mavymini/sensors.yml
  sensor = sensor_type=UWB, publish_rate=3, position_rms=0.5, dropout=0.1, latency=0.4
  sensor = sensor_type=compass, publish_rate=7
  sensor = sensor_type=speed_log, publish_rate=2, speed_drift_rms=0.1, speed_drift_time=60
}
"""


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """Return the Otter's survey with sensors, in a separate folder below the vessels."""
    text = (SURVEY / "otter_survey.moos").read_text()
    text = text.replace("Run = pHelmIvP", "Run = pHelmIvP\n  Run = uSensors")
    text = text.replace("  WildCardOmitPattern = USM_STATE\n", "")
    folder = tmp_path / "survey"
    folder.mkdir()
    (folder / "otter_survey.bhv").write_text((SURVEY / "otter_survey.bhv").read_text())
    (tmp_path / "inputs").symlink_to(ROOT / "inputs")
    (folder / "otter_survey.moos").write_text(text + BLOCK)
    return folder


def times_of(entries: list[Any], name: str) -> list[float]:
    return [entry.time for entry in entries if entry.name == name]


@pytest.mark.slow
def test_sensors_report_true_values_at_their_rates_and_change_no_track(
    survey: Path, launch: Callable[..., Any]
) -> None:
    how = ("--for", "30", "--warp", "max", "--placement", "one")
    ended, without = launch(survey, *how), launch(SURVEY, *how)
    assert ended.code == 0, ended.said
    entries = ended.entries()
    for key in ("x", "y", "heading"):
        one, other = (run.summary["communities"]["otter"][key] for run in (ended, without))
        assert one == other
    assert not any(app.get("run_warnings") for app in ended.summary["apps"].values())

    fixes = [json.loads(str(entry.value)) for entry in entries if entry.name == "GPS_DATA"]
    begun = fixes[0]["time"] - times_of(entries, "GPS_DATA")[0]  # a log's times are from its start
    for name, rate in (("IMU_AX", 50), ("DVL_VX", 50), ("GPS_X", 1), ("COMPASS_HEADING", 7)):
        counts = [(time + begun) * rate for time in times_of(entries, name)]
        first = round(counts[0])
        assert first <= 1.2 * rate  # the app is the sixth to be launched, after 1.2 s
        assert len(counts) >= 28 * rate
        assert counts == pytest.approx(range(first, first + len(counts)), abs=1e-3)

    states = {
        round(float(fields["time"]), 4): fields
        for entry in entries
        if entry.name == "USM_STATE"
        for fields in [dict(pair.split("=") for pair in str(entry.value).split(","))]
    }
    errors = [
        np.array(fix["position"]) - [float(states[fix["time"]][axis]) for axis in "xyz"]
        for fix in fixes
    ]
    assert np.abs(errors).max() < 4.5 * 3.0 + 1.1  # its noise, and its place on the foredeck
    assert 2.0 < np.std(errors) < 4.0
    for entry in entries:
        state = states.get(round(entry.time + begun, 4))
        if entry.name == "COMPASS_HEADING" and state is not None:
            heading = degrees(float(state["psi"])) % 360
            assert abs((float(entry.value) - heading + 180) % 360 - 180) < 1e-3


@pytest.mark.process
def test_a_mission_with_sensors_leaves_the_same_log_however_it_runs(
    survey: Path, launch: Callable[..., Any]
) -> None:
    digests = set()
    for placement in ("one", "community", "process"):
        ended = launch(survey, "--for", "8", "--warp", "max", "--placement", placement)
        assert ended.code == 0, ended.said
        digests.add(ended.summary["communities"]["otter"]["log_sha256"])
    other = launch(survey, "--for", "8", "--warp", "max", "--placement", "one", "--seed", "5")
    digest = other.summary["communities"]["otter"]["log_sha256"]
    assert len(digests) == 1
    assert digest not in {None, *digests}
