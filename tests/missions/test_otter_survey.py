"""The Otter's survey as a whole: Fossen physics under the helm."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from pathlib import Path
from typing import Any

import pytest

MISSION = Path(__file__).parents[2] / "missions" / "otter_survey"
COMPLETE = ("--until", "MISSION = complete", "--for", "1000", "--warp", "max")
SURVEY = ((60, -40), (60, -160), (150, -160), (180, -100), (150, -40))


@pytest.mark.slow
def test_the_otter_visits_its_points_in_turn_and_comes_home(launch: Callable[..., Any]) -> None:
    ended = launch(MISSION, *COMPLETE, "--placement", "one")
    assert ended.code == 0, ended.said
    track: dict[str, list[float]] = {"NAV_X": [], "NAV_Y": []}
    for entry in ended.entries():
        if entry.name in track:
            track[entry.name].append(float(entry.value))
    places = list(zip(track["NAV_X"], track["NAV_Y"], strict=True))
    passed = [
        next(k for k, place in enumerate(places) if dist(place, point) < 8.0) for point in SURVEY
    ]
    assert passed == sorted(passed)
    home = ended.summary["communities"]["otter"]
    assert dist((home["x"], home["y"]), (0, -20)) < 5.0
    warnings = [app.get("run_warnings") for app in ended.summary["apps"].values()]
    assert not any(warnings)


@pytest.mark.process
def test_the_otter_leaves_the_same_log_however_it_runs(launch: Callable[..., Any]) -> None:
    digests = set()
    for placement in ("one", "process"):
        ended = launch(MISSION, "--for", "30", "--warp", "max", "--placement", placement)
        assert ended.code == 0, ended.said
        digests.add(ended.summary["communities"]["otter"]["log_sha256"])
    assert len(digests) == 1
    assert digests != {None}
