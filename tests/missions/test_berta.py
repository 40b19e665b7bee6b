"""Two vessels deployed, swapped and recalled by a shore, with the apps that connect communities."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from pathlib import Path

import pytest

from steerageway.moos.alog import read_entries

pytestmark = pytest.mark.slow

BERTA = Path(__file__).parents[2] / "missions" / "berta"
EAST, WEST = (60.0, -60.0), (-60.0, -60.0)
HOME = [f"--until=shoreside:ARRIVED_{name} = true" for name in ("ABE", "BEN")]


def track(log: Path) -> Callable[[float], tuple[float, float]]:
    """Return a vessel's position at a time, from its log."""
    rows = [(e.time, e.name, e.value) for e in read_entries(log) if e.name in ("NAV_X", "NAV_Y")]

    def at(time: float) -> tuple[float, float]:
        known = {name: float(value) for when, name, value in rows if when <= time}
        return known["NAV_X"], known["NAV_Y"]

    return at


def test_they_loiter_swap_swap_back_and_return_without_collision(launch) -> None:
    ended = launch(
        BERTA, "--vessels", "2", *HOME, "--for", "900", "--warp", "max", "--placement", "one"
    )
    assert ended.code == 0, ended.said
    logs = {log: str(log.relative_to(ended.folder)).lower() for log in ended.folder.rglob("*.alog")}
    abe, ben = (track(next(p for p, n in logs.items() if name in n)) for name in ("abe", "ben"))
    for time, of_abe, of_ben in ((145, EAST, WEST), (295, WEST, EAST), (445, EAST, WEST)):
        assert dist(abe(time), of_abe) == pytest.approx(25, abs=8)
        assert dist(ben(time), of_ben) == pytest.approx(25, abs=8)
    end = ended.summary["simulated_seconds"]
    assert dist(abe(end), abe(9)) < 6
    assert dist(ben(end), ben(9)) < 6
    assert min(dist(abe(t), ben(t)) for t in range(30, int(end))) > 6


@pytest.mark.process
def test_the_logs_are_the_same_in_every_placement(launch) -> None:
    reported = [
        launch(BERTA, "--vessels=2", "--for=20", "--warp=max", "--placement", placement)
        for placement in ("one", "process")
    ]
    assert [ended.code for ended in reported] == [0, 0]
    hashes = [
        {name: one["log_sha256"] for name, one in ended.summary["communities"].items()}
        for ended in reported
    ]
    assert hashes[0] == hashes[1]
    assert len(set(hashes[0].values())) == 3
