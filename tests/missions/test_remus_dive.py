"""The REMUS's dive: stern planes under the depth controller, and a minimum altitude."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MISSION = Path(__file__).parents[2] / "missions" / "remus_dive"


@pytest.mark.slow
def test_the_remus_keeps_each_depth_and_the_least_altitude(launch: Callable[..., Any]) -> None:
    words = ("--until", "MISSION = complete", "--for", "1000", "--warp", "max")
    ended = launch(MISSION, *words, "--placement", "one")
    assert ended.code == 0, ended.said
    leg, altitudes = "", []
    last: dict[str, float] = {}
    for entry in ended.entries():
        if entry.name == "LEG":
            leg = str(entry.value)
        elif entry.name == "NAV_DEPTH":
            last[leg] = float(entry.value)
        elif entry.name == "NAV_ALTITUDE":
            altitudes.append(float(entry.value))
    assert last["out"] == pytest.approx(10.0, abs=0.3)
    assert last["back"] == pytest.approx(17.0, abs=0.3)
    assert last["up"] == pytest.approx(1.0, abs=0.3)
    assert min(altitudes) > 7.0
