"""Two boats of two communities that collide."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steerageway.moos.alog import Entry, read_entries

MISSION = Path(__file__).parents[2] / "missions" / "bump"
WORDS = ("--vessels", "2", "--for", "3", "--warp", "max", "--placement")
RESTITUTION = 0.5  # of the mission
BEFORE, AFTER = 0.5, 1.0  # [s] by the logs' time: the blow lies between


def speeds(entries: list[Entry]) -> dict[float, float]:
    """Return the speed ahead [m/s] by time [s]."""
    return {entry.time: float(entry.value) for entry in entries if entry.name == "NAV_SPEED"}


def at(found: dict[float, float], time: float) -> float:
    """Return the value with the nearest time."""
    return found[min(found, key=lambda each: abs(each - time))]


@pytest.mark.slow
def test_one_is_stopped_and_the_other_goes_ahead(launch: Callable[..., Any]) -> None:
    ended = launch(MISSION, *WORDS, "one")
    assert ended.code == 0, ended.said
    logs = {
        name: list(read_entries(next((ended.folder / name).rglob("*.alog"))))
        for name in ("abe", "ben")
    }
    for name, other in (("abe", "ben"), ("ben", "abe")):
        values = [e.value for e in logs[name] if e.name == "USM_CONTACT"]
        assert len(values) == 1
        assert values[0].startswith(f"what={other},")
    abe, ben = (speeds(logs[name]) for name in ("abe", "ben"))
    met, parted = at(abe, BEFORE) - at(ben, BEFORE), at(ben, AFTER) - at(abe, AFTER)
    assert parted / met == pytest.approx(RESTITUTION, abs=0.15)
    energy = [at(abe, t) ** 2 + at(ben, t) ** 2 for t in (BEFORE, AFTER)]
    assert energy[1] < energy[0] * (1 + RESTITUTION**2) / 2  # of equal masses, without damping
    assert at(abe, AFTER) + at(ben, AFTER) < at(abe, BEFORE) + at(ben, BEFORE)


@pytest.mark.process
@pytest.mark.slow
def test_placements_leave_the_same_logs(launch: Callable[..., Any]) -> None:
    digests = set()
    for placement in ("one", "community"):
        ended = launch(MISSION, *WORDS, placement)
        assert ended.code == 0, ended.said
        found = ended.summary["communities"]
        digests.add(tuple(found[name]["log_sha256"] for name in ("abe", "ben")))
    assert len(digests) == 1
