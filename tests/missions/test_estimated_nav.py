"""An Otter navigated by its sensors: consistency and accuracy of the estimate."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from math import dist
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from steerageway.launcher import Mission
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.navigation.estimate import rotation_vector

Array = NDArray[np.float64]
MISSION = Path(__file__).parents[2] / "missions" / "estimated_nav"
SURVEY = ((60, -40), (60, -160))  # its first points
SEEDS, SETTLED, UNTIL, EVERY = range(8), 15.0, 40.0, 25
# 95 % of the means of 8 chi-square numbers of 9 degrees of freedom lie here: Bar-Shalom, Li and
# Kirubarajan (2001), "Estimation with applications to tracking and navigation", section 5.4.2
BAND = 6.303, 12.169


@pytest.mark.slow
def test_the_survey_is_followed_by_estimates_at_its_speed(launch: Callable[..., Any]) -> None:
    ended = launch(MISSION, "--for", "135", "--warp", "max", "--placement", "one")
    assert ended.code == 0, ended.said
    track: dict[str, list[float]] = {"USM_X": [], "USM_Y": []}  # the truth
    speeds = []
    for entry in ended.entries():
        if entry.name == "USM_SPEED" and 30.0 < entry.time < 130.0:
            speeds.append(float(entry.value))
        if entry.name in track:
            track[entry.name].append(float(entry.value))
    places = list(zip(track["USM_X"], track["USM_Y"], strict=True))
    passed = [
        next(k for k, place in enumerate(places) if dist(place, point) < 10.0) for point in SURVEY
    ]
    assert passed == sorted(passed)
    assert len(speeds) > 400
    assert np.allclose(speeds, 1.5, atol=0.2)  # the survey's speed in the .bhv


def squares(truth: dict[int, Array], reported: list[dict[str, Any]]) -> Iterator[float]:
    """Yield the normalised squared error of position, velocity and attitude at some times."""
    known = [one for one in reported if round(one["time"] * 1e9) in truth and one["time"] > SETTLED]
    for one in known[::EVERY]:
        row = truth[round(one["time"] * 1e9)]
        turn = eul_to_rotm(row[3:6])
        turned = rotation_vector(eul_to_rotm(one["attitude"]).T @ turn)
        parts = row[:3] - one["position"], turn @ row[6:9] - one["velocity"], turned
        error = np.concatenate(parts)
        covariance = np.array(one["covariance"]).reshape(11, 11)[:9, :9]
        yield error @ np.linalg.solve(covariance, error)


@pytest.mark.slow
def test_errors_over_eight_seeds_match_the_covariance() -> None:
    rows = []
    with Mission(MISSION, skip=["pLogger", "pNodeReporter"]) as mission:
        mission.register("USM_STATE", "NAV_SOLUTION")
        for seed in SEEDS:
            mission.reset(seed)
            mission.run_until(UNTIL)
            mail = mission.fetch()
            states = (re.findall(r"=([^,]*)", m.value) for m in mail if m.name == "USM_STATE")
            truth = {
                round(float(time) * 1e9): np.array(state[:12], float) for time, *state in states
            }
            record = [json.loads(m.value) for m in mail if m.name == "NAV_SOLUTION"]
            rows.append(list(squares(truth, record)))
    means = np.mean(rows, axis=0)
    assert len(means) >= 9
    assert BAND[0] < means.mean() < BAND[1]
    assert np.mean((BAND[0] < means) & (means < BAND[1])) > 0.6


@pytest.mark.process
def test_every_way_of_estimating_leaves_the_same_log(launch: Callable[..., Any]) -> None:
    digests = set()
    for placement in ("one", "process"):
        ended = launch(MISSION, "--for", "30", "--warp", "max", "--placement", placement)
        assert ended.code == 0, ended.said
        digests.add(ended.summary["communities"]["otter"]["log_sha256"])
    assert len(digests) == 1
    assert digests != {None}
