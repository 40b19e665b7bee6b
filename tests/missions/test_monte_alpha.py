"""The sweep of alpha, a few of its runs: the table, and one run repeated."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from steerageway.launcher.command import main

MISSION = Path(__file__).parents[2] / "missions" / "monte_alpha"
CASES = 4
pytestmark = [pytest.mark.slow, pytest.mark.process]


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a few cases of the sweep; return its file."""
    folder = tmp_path_factory.mktemp("monte")
    file = folder / "sweep.yml"
    file.write_text((MISSION / "sweep.yml").read_text().replace("cases: 200", f"cases: {CASES}"))
    options = ["--no-log", "--results", str(folder / "out"), "--jobs", "2"]
    assert main([str(MISSION), "--sweep", str(file), *options]) == 0
    return folder


def rows(folder: Path) -> list[dict[str, str]]:
    """Read the table."""
    with (folder / "out" / "results.csv").open() as file:
        return list(csv.DictReader(file))


def test_every_craft_surveys_and_comes_home(sweep: Path) -> None:
    table = rows(sweep)
    assert [row["exit_reason"] for row in table] == ["until"] * CASES
    varied = [name for name in table[0] if name.startswith(("uSimMarine", "pMarinePID"))]
    assert len(varied) == 4
    assert all(len({row[name] for row in table}) == CASES for name in varied)
    for row in table:
        assert abs(float(row["x"])) < 6
        assert 500 < float(row["distance"]) < 700
    assert len({row["seconds"] for row in table}) > 1


def test_a_single_case_in_processes_gives_its_row(
    sweep: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--case", "3", "--warp", "max", "--port", "auto", "--log", str(tmp_path / "log")]
    assert main([str(MISSION), "--sweep", str(sweep / "sweep.yml"), *options]) == 0
    output = capsys.readouterr().out.split("\n\n")[-1].splitlines()
    fields = dict(line.split(" = ") for line in output)
    row = rows(sweep)[2]
    assert {name: fields[name] for name in row if row[name]} == {n: v for n, v in row.items() if v}
    assert list((tmp_path / "log").rglob("*.alog"))
