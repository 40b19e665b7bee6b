"""A dinghy under the helm sails round its marks by the wind alone."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from pathlib import Path
from typing import Any

import pytest

MISSION = Path(__file__).parents[2] / "missions" / "dinghy_reach"


@pytest.mark.slow
def test_the_dinghy_passes_its_marks_in_turn_and_heels_to_leeward(
    launch: Callable[..., Any],
) -> None:
    until = ("--until", "MISSION = complete", "--for", "300", "--warp", "max")
    ended = launch(MISSION, *until, "--placement", "one")
    assert ended.code == 0, ended.said
    names = ("NAV_X", "NAV_Y", "NAV_ROLL")
    track: dict[str, list[float]] = {name: [] for name in names}
    for entry in ended.entries():
        if entry.name in track:
            track[entry.name].append(float(entry.value))
    places = list(zip(track["NAV_X"], track["NAV_Y"], strict=True))
    marks = ((120, 0), (80, -60), (0, 0))
    first, second = (
        next(k for k, place in enumerate(places) if dist(place, mark) < 8.0) for mark in marks[:2]
    )
    assert 0 < first < second
    assert dist(places[-1], marks[2]) < 8.0
    half = first // 2, (second + len(places)) // 2
    assert track["NAV_ROLL"][half[0]] > 0.05  # eastward, the wind from port
    assert track["NAV_ROLL"][half[1]] < -0.05
    assert not any(app.get("run_warnings") for app in ended.summary["apps"].values())
