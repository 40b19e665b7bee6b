"""The mission of a thousand cases, a few of them: each equals the same case run separately."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from random import Random

import pytest

from steerageway.launcher import Mission
from steerageway.launcher.command import main
from steerageway.launcher.summary import log_sha256

MISSION = Path(__file__).parents[2] / "missions" / "reset_sweep"
CASES = 12
ONE = ("--placement", "one")
DIRTY = '''
"""An app that remembers everything: what it heard, drew and counted goes into what it posts."""

import hashlib

from steerageway.bus import App


class Hoarder(App):
    publishes = ("HOARD", "DRIFT_X")

    def on_start(self):
        self.register("*")
        self.memory, self.chance, self.drift = hashlib.sha256(), self.random(), 0.2

    def on_mail(self, mail):
        for message in mail:
            if message.name != "CASE_RESET":
                self.memory.update(repr(message).encode())

    def iterate(self):
        self.drift += self.chance.uniform(-0.05, 0.05)
        self.post("DRIFT_X", self.drift)
        self.post("HOARD", self.memory.hexdigest())
'''
pytestmark = pytest.mark.slow


def swept(mission: Path, logs: Path, only: str, *options: str) -> list[dict[str, str]]:
    """Run some cases; return the table."""
    command = [str(mission), "--warp", "max", "--until", "SWEEP = complete", "--log", str(logs)]
    assert main([*command, "--config", f"uSweep.only={only}", *options]) == 0
    with (logs / "sweep.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def mission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the mission with a rate-limited rudder, and a user-defined app."""
    folder = tmp_path_factory.mktemp("mission") / "reset_sweep"
    shutil.copytree(MISSION, folder)
    (folder / "hoarder.py").write_text(DIRTY)
    file = folder / "reset_sweep.moos"
    text = file.read_text().replace("Run = uSweep", "Run = hoarder:Hoarder\n  Run = uSweep")
    file.write_text(text.replace("turn_rate  =", "max_rudder_degs_per_sec = 30\n  turn_rate  ="))
    cases = folder / "cases.yml"
    cases.write_text(cases.read_text() + "  - HOARD\n")
    return folder


@pytest.fixture(scope="module")
def rows(mission: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """Return the first rows of the table."""
    logs = tmp_path_factory.mktemp("logs")
    return swept(mission, logs, f"1:{CASES}", "--placement", "one")


def test_the_craft_finds_its_way_from_everywhere(rows: list[dict[str, str]]) -> None:
    assert [int(row["case"]) for row in rows] == list(range(1, CASES + 1))
    assert {row["end"] for row in rows} == {"until"}
    for row in rows:
        assert abs(float(row["NAV_X"])) < 5
        assert abs(float(row["NAV_Y"])) < 5
        assert 0 < float(row["seconds"]) < 120
    assert len({row["HOARD"] for row in rows}) == CASES


def test_a_case_after_others_is_to_the_last_bit_the_case_alone(
    mission: Path, rows: list[dict[str, str]], tmp_path: Path
) -> None:
    for number in Random(1).sample(range(1, CASES + 1), 3):
        alone = swept(mission, tmp_path / str(number), str(number), "--placement", "one")
        assert alone == [rows[number - 1]]


@pytest.mark.process
@pytest.mark.parametrize("placement", ["process", "community"])
def test_the_table_is_the_same_in_processes(
    mission: Path, rows: list[dict[str, str]], tmp_path: Path, placement: str
) -> None:
    options = ("--placement", placement, "--port", "auto")
    assert swept(mission, tmp_path / "logs", "3:5", *options) == rows[2:5]


def test_a_post_into_one_of_its_cases_is_replayed_in_that_case(
    mission: Path, tmp_path: Path
) -> None:
    options = {"config": ["uSweep.only=1:3"], "until": "SWEEP = complete"}
    with Mission(mission, log=tmp_path / "posted", **options) as posted:
        for _ in range(2):  # what is before the first case, and the first
            assert not posted.run_until(500.0)
        posted.run_until(3.0)
        posted.post("USM_RESET", "x=1,y=2,heading=3,speed=1")
        while not posted.over:
            posted.run_until(500.0)
    inputs = tmp_path / "posted" / "inputs.jsonl"
    assert swept(mission, tmp_path / "replayed", "1:3", "--inputs", str(inputs), *ONE)
    assert log_sha256(tmp_path / "posted") == log_sha256(tmp_path / "replayed")


def test_resetting_only_the_vessel_leaves_the_rest_as_it_was(mission: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mission"
    shutil.copytree(mission, folder)
    cases = folder / "cases.yml"
    cases.write_text(cases.read_text() + "\nreset: vessel\nposts: {DEPLOY: 'true'}\n")
    lasting = folder / "reset_sweep.bhv"
    lasting.write_text(
        lasting.read_text().replace("pwt       = 100", "pwt = 100\n perpetual = true")
    )
    tables = [
        swept(folder, tmp_path / only.replace(":", "-"), only, "--placement", "one")
        for only in ("1:4", "4")
    ]
    assert [row["end"] for row in tables[0]] == ["until"] * 4
    assert tables[0][3]["HOARD"] != tables[1][0]["HOARD"]
