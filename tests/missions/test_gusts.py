"""Survey lines in gusts: the gusts are those of the mission, and the lines are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import Entry, read_entries
from steerageway.vessel.drift import Drift

pytestmark = pytest.mark.slow

GUSTS = Path(__file__).parents[2] / "missions" / "gusts"
UNTIL = ("--until", "MISSION = complete", "--for", "900")


def sail(folder: Path, *words: str, ends: str = "until") -> list[Entry]:
    """Run the mission until a condition holds; return the log."""
    options = [str(GUSTS), *UNTIL, "--placement", "one", "--warp", "max", "--log", str(folder)]
    outcome = run(plan_launch(parse_options([*options, *words])).plan, lambda progress: None)
    assert outcome.exit_reason == ends
    warnings = {app.name: (app.config_warnings, app.run_warnings) for app in outcome.apps}
    assert warnings == {app: ((), {}) for app in warnings}
    (log,) = folder.rglob("*.alog")
    return list(read_entries(log))


@pytest.fixture(scope="module")
def gusty(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """Return the log of the unchanged mission."""
    return sail(tmp_path_factory.mktemp("gusts") / "log")


def farthest(entries: list[Entry]) -> float:
    """Return the distances from the nearer line, without corners [m]."""
    x, off = 0.0, []
    for entry in entries:
        if entry.name == "NAV_X":
            x = float(entry.value)
        elif entry.name == "NAV_Y" and 20 < x < 220:
            off.append(min(abs(float(entry.value)), abs(float(entry.value) + 60)))
    return max(off)


def script_of_the_manual(t: float) -> float:
    """Return the strength of the manual's gust: five steps of 0.25 m/s, one a second."""
    since = (t - 30) % 60 if t >= 30 else 60
    return 0.25 * max(0, min(int(since) + 1, 9 - int(since), 5))


def test_the_manuals_gust_and_squalls_from_the_north_west_blow(gusty: list[Entry]) -> None:
    drift, squalls = Drift(), []
    for entry in gusty:
        if entry.name == "DRIFT_VECTOR_ADD":
            direction, magnitude = map(float, str(entry.value).split(","))
            drift = drift.plus(Drift.towards(direction, magnitude))
            reported = Drift.towards(0, 0.2).plus(
                Drift.towards(137, script_of_the_manual(round(entry.time, 6)))
            )
            squalls.append(drift.plus(reported.times(-1)))
    strong = [squall for squall in squalls if squall.magnitude > 0.01]
    assert len(strong) > 100
    assert all(107 - 1e-3 < squall.direction < 167 + 1e-3 for squall in strong)
    assert 0.5 < max(squall.magnitude for squall in strong) <= 1.2 + 1e-6
    assert min(squall.magnitude for squall in squalls) < 1e-6


def test_the_lines_are_followed_in_gusts_but_less_accurately_than_in_calm(
    gusty: list[Entry], tmp_path: Path
) -> None:
    calm = sail(tmp_path, "--skip", "uDriftWormhole")
    assert farthest(calm) < 1 < farthest(gusty) < 10


def test_another_seed_brings_other_squalls_and_the_same_seed_the_same(
    gusty: list[Entry], tmp_path: Path
) -> None:
    """The helm is left out, as gusts do not depend on it."""

    def told(entries: list[Entry]) -> list[object]:
        names = ("DRIFT_VECTOR_ADD", "ROTATE_SPEED")
        return [(e.time, e.value) for e in entries if e.name in names and e.time < 100]

    quick = ("--only", "uDriftWormhole", "--only", "pLogger", "--for", "100")
    same = told(sail(tmp_path / "same", *quick, ends="for"))
    assert len(same) > 400
    assert same == told(gusty)
    assert told(sail(tmp_path / "other", *quick, "--seed", "7", ends="for")) != same


def test_the_readme_contains_the_command_to_run_it() -> None:
    readme = (GUSTS / "README.md").read_text()
    assert 'steerageway run gusts --warp max --until "MISSION = complete"' in readme
