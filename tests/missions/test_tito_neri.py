"""Three tugs in formation, by azimuths and bow thrusters."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import Entry, read_entries

pytestmark = pytest.mark.slow
pytest.importorskip("daqp")

MISSION = Path(__file__).parents[2] / "missions" / "tito_neri"
SECONDS = 70  # ahead, and half of the turn on the spot


def numbers(entries: list[Entry], name: str) -> list[float]:
    """Return the values of a variable."""
    return [float(entry.value) for entry in entries if entry.name == name]


def test_three_tugs_keep_their_places_ahead_and_in_a_turn(tmp_path: Path) -> None:
    words = [str(MISSION), "--vessels", "3", "--placement", "one", "--warp", "max"]
    words += ["--for", str(SECONDS), "--log", str(tmp_path)]
    launch = plan_launch(parse_options(words))
    outcome = run(launch.plan, lambda progress: None)
    warnings = {app.name: (app.config_warnings, app.run_warnings) for app in outcome.apps}
    assert warnings == {app: ((), {}) for app in warnings}
    logs = {
        name: list(read_entries(next(folder.rglob("*.alog"))))
        for name, folder in launch.log_folders.items()
        if folder is not None
    }
    assert numbers(logs["shoreside"], "UCD_CLOSEST_RANGE_EVER")[-1] > 1.0
    for name in ("abe", "ben", "cal"):
        off = numbers(logs[name], "FORMATION_ERROR")
        assert len(off) > 9 * SECONDS
        assert sqrt(sum(value * value for value in off) / len(off)) < 0.5
        orders = [str(entry.value) for entry in logs[name] if entry.name == "ACTUATOR_CMD"]
        used = [dict(part.split("=") for part in order.split(",")) for order in orders]
        for actuator in ("th_1", "th_2", "th_3", "az_1", "az_2"):
            values = [float(one[actuator]) for one in used]
            assert max(values) - min(values) > 0.02, f"{name}: {actuator} does nothing"
