"""Station keeping in wind, waves and current, with and without the controller."""

from __future__ import annotations

from functools import cache
from math import hypot, sqrt
from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries

pytestmark = pytest.mark.slow
pytest.importorskip("daqp")

MISSION = Path(__file__).parents[2] / "missions" / "station_keeping"
ARRIVED, LASTS, HEADING = 30.0, 200.0, 200.0


def rms(values: list[float]) -> float:
    return sqrt(sum(v * v for v in values) / len(values))


def kept(folder: Path, *words: str, lasts: float = LASTS) -> tuple[float, float]:
    """Run the mission; return the RMS of distance [m] and heading error [deg] after arrival."""
    options = [str(MISSION), "--for", str(ARRIVED + lasts), "--placement", "one", "--warp", "max"]
    outcome = run(
        plan_launch(parse_options([*options, "--log", str(folder), *words])).plan,
        lambda progress: None,
    )
    assert outcome.exit_reason == "for"
    warnings = {app.name: (app.config_warnings, app.run_warnings) for app in outcome.apps}
    assert warnings == {app: ((), {}) for app in warnings}
    (log,) = folder.rglob("*.alog")
    place: dict[str, float] = {}
    distances, turned = [], []
    for entry in read_entries(log):
        if entry.name in ("NAV_X", "NAV_Y", "NAV_HEADING"):
            place[entry.name] = float(entry.value)
            if entry.name == "NAV_HEADING" and entry.time >= ARRIVED:
                distances.append(hypot(place["NAV_X"], place["NAV_Y"]))
                turned.append((place["NAV_HEADING"] - HEADING + 180.0) % 360.0 - 180.0)
    assert len(distances) > 9 * lasts
    return rms(distances), rms(turned)


def test_it_keeps_its_station_through_the_strongest_gusts(tmp_path: Path) -> None:
    """In the third minute; benchmarks/station_keeping.py runs ten minutes of ten seeds."""
    distance, heading = kept(tmp_path, "--seed", "1")
    assert distance < 1.0
    assert heading < 5.0


def test_without_the_controller_it_is_soon_far_away(tmp_path: Path) -> None:
    distance, _ = kept(tmp_path, "--skip", "pDynamicPositioning", lasts=30.0)
    assert distance > 10.0


@cache
def short(folder: Path, *words: str) -> bytes:
    """Return the first twelve seconds' log, without its header."""
    options = [str(MISSION), "--for", "12", "--warp", "max", "--log", str(folder), *words]
    run(plan_launch(parse_options(options)).plan, lambda progress: None)
    (log,) = folder.rglob("*.alog")
    return b"\n".join(row for row in log.read_bytes().split(b"\n") if row[:2] != b"%%")


def test_the_same_seed_is_the_same_log(tmp_path: Path) -> None:
    one = short(tmp_path / "one", "--placement", "one")
    assert short(tmp_path / "again", "--placement", "one") == one
    assert short(tmp_path / "other", "--placement", "one", "--seed", "5") != one


@pytest.mark.process
def test_in_processes_it_is_the_same_log(tmp_path: Path) -> None:
    one = short(tmp_path / "one", "--placement", "one")
    assert short(tmp_path / "apart", "--placement", "process", "--port", "auto") == one
