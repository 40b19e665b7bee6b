"""An inspection by RexROV, along a slope and around a pile, with bounds on its errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import Entry, read_entries

pytestmark = pytest.mark.slow
pytest.importorskip("daqp")

MISSION = Path(__file__).parents[2] / "missions" / "rexrov_inspection"
RMS = {"altitude": 0.15, "depth": 0.1, "heading": 5.0, "radius": 1.0}
MOST = {"altitude": 0.3, "depth": 0.3, "heading": 10.0, "radius": 1.5}


@pytest.fixture(scope="module")
def inspected(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """Return the log of the unchanged mission."""
    folder = tmp_path_factory.mktemp("inspection") / "log"
    options = [str(MISSION), "--until", "INSPECTION = done", "--for", "600", "--placement", "one"]
    outcome = run(
        plan_launch(parse_options([*options, "--warp", "max", "--log", str(folder)])).plan,
        lambda progress: None,
    )
    assert outcome.exit_reason == "until"
    warnings = {app.name: (app.config_warnings, app.run_warnings) for app in outcome.apps}
    assert warnings == {app: ((), {}) for app in warnings}
    (log,) = folder.rglob("*.alog")
    return list(read_entries(log))


def values(entries: list[Entry], name: str) -> list[float]:
    return [float(entry.value) for entry in entries if entry.name == name]


def test_errors_are_reported_and_bounded(inspected: list[Entry]) -> None:
    (summary,) = [e.value for e in inspected if e.name == "INSPECTION_SUMMARY"]
    print(summary)
    found = re.findall(r"(\w+): rms ([\d.]+) \w+ max ([\d.]+)", str(summary))
    assert {name for name, _, _ in found} == set(RMS)
    for name, rms, most in found:
        assert float(rms) < RMS[name]
        assert float(most) < MOST[name]
        errors = values(inspected, f"INSPECTION_{name.upper()}_ERROR")
        assert max(map(abs, errors)) == pytest.approx(float(most), abs=1e-3)


def test_it_goes_all_the_way(inspected: list[Entry]) -> None:
    phases = [entry.value for entry in inspected if entry.name == "INSPECTION"]
    assert phases == ["transit", "climb", "pile", "done"]
    x, y = values(inspected, "NAV_X"), values(inspected, "NAV_Y")
    assert max(x) > 82.0  # beyond the pile
    assert min(y) < -10.0
    assert max(y) > 10.0
    depth = values(inspected, "NAV_DEPTH")
    assert max(depth) > 20.0  # at the end of the slope
    assert max(map(abs, values(inspected, "NAV_ROLL"))) < 0.05
