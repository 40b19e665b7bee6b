"""``steerageway new``: its folders are formatted, run, and pass their own tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.starts.command import KINDS, begin, filled, main
from steerageway.vessel.__main__ import main as vessel_tool

ROOT = Path(__file__).parents[2]


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of Python's in a folder."""
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_name_is_put_in_its_places() -> None:
    assert filled("$NAME$ $UPPER$ $CLASS$ $[VAR] $(X)", "my_survey") == (
        "my_survey MY_SURVEY MySurvey $[VAR] $(X)"
    )


@pytest.mark.parametrize("name", ["Survey", "../x", "2nd", "json", "numpy", ""])
def test_a_name_that_cannot_be_a_modules_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="expected"):
        begin("app", name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_ever_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["mission", "survey"]) == 0
    assert "steerageway run survey" in capsys.readouterr().out
    assert main(["twin", "boat"]) == 0
    assert "steerageway vessel tune boat" in capsys.readouterr().out
    assert main(["mission", "survey"]) == 2
    assert (
        "survey: there is a folder or file of this name; expected an unused name"
        in capsys.readouterr().err
    )


def test_an_environment_is_begun_with_the_extra_that_its_libraries_are_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["env", "reach"]) == 0
    assert "import gymnasium" in Path("reach/reach.py").read_text()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    (named,) = re.findall(r'pip install "steerageway\[(\w+)\]"', capsys.readouterr().out)
    assert any(one.startswith("gymnasium") for one in extras[named])


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("kind", KINDS)
def test_a_start_passes_its_own_test_and_has_no_warnings(kind: str, tmp_path: Path) -> None:
    """Within a checkout, whose settings of pytest import the tests of a folder as its members."""
    if kind == "env":
        pytest.importorskip("gymnasium")
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    begin(kind, "my_first", tmp_path)
    tested = run("pytest", "-q", "my_first", folder=tmp_path)
    assert tested.returncode == 0, tested.stdout
    assert " passed" in tested.stdout
    checked = run("steerageway", "run", "my_first", "--check", "--strict", folder=tmp_path)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("kind", ["app", "behavior"])  # the tests of others run them
def test_a_start_runs_to_its_end(kind: str, tmp_path: Path) -> None:
    begin(kind, "my_first", tmp_path)
    ended = run(
        *("steerageway", "run", "my_first", "--warp", "max", "--until", "MISSION = complete"),
        *("--for", "900", "--port", "auto", "--placement", "one", "--fail-on", "warning"),
        folder=tmp_path,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.process
@pytest.mark.parametrize("kind", KINDS)
def test_the_code_of_a_start_is_as_tidy_as_the_projects(kind: str, tmp_path: Path) -> None:
    begin(kind, "my_first", tmp_path)
    options = ("--config", str(ROOT / "pyproject.toml"), "my_first")
    tidy = run("ruff", "check", "--no-cache", *options, folder=tmp_path)
    assert tidy.returncode == 0, tidy.stdout
    formed = run("ruff", "format", "--no-cache", "--check", *options, folder=tmp_path)
    assert formed.returncode == 0, formed.stdout


@pytest.mark.slow
@pytest.mark.process
def test_a_generated_sweep_makes_a_table_of_its_cases(tmp_path: Path) -> None:
    file = begin("sweep", "my_first", tmp_path) / "sweep.yml"
    assert "cases: 12\n" in file.read_text()
    file.write_text(file.read_text().replace("cases: 12\n", "cases: 3\n"))
    swept = run("steerageway", "sweep", "my_first", "--no-log", folder=tmp_path)
    assert swept.returncode == 0, swept.stdout + swept.stderr
    (table,) = tmp_path.rglob("*.csv")
    rows = table.read_text().splitlines()
    assert len(rows) == 1 + 3
    assert sum(",until," in row for row in rows) == 3


@pytest.mark.slow
@pytest.mark.process
def test_a_generated_environment_prints_what_its_training_gains(tmp_path: Path) -> None:
    """The most is the way from the start, 20 m about 0, 0, to 5 m from the goal, and 10."""
    pytest.importorskip("gymnasium")
    begin("env", "my_first", tmp_path)
    trained = run("my_first.my_first", folder=tmp_path)
    assert trained.returncode == 0, trained.stderr
    *_, last = trained.stdout.splitlines()
    before, after = map(float, re.findall(r"(-?\d+\.\d) (?:un)?trained", last))
    assert before + 10.0 < after < 72.2 + 28.3 - 5.0 + 10.0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["vessel", "twin"])
def test_a_generated_vessel_keeps_its_course_and_is_tuned(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At all speeds, Y_v N_r exceeds N_v (Y_r - m u): Fossen (2021), section 15.1.

    The lift of a skeg vanishes where v + x r does, and acts there: Y_ur = x Y_uv, N = x Y.
    """
    folder = begin(kind, "my_first", tmp_path)
    given = yaml.safe_load((folder / "hydrodynamics.yml").read_text())
    place = given["Y_ur"] / given["Y_uv"]
    assert given["N_uv"] == pytest.approx(place * given["Y_uv"], rel=0.01)
    assert given["N_ur"] == pytest.approx(place**2 * given["Y_uv"], rel=0.01)
    for u in (0.5, 1.0, 2.0, 4.0):
        swayed, munk = given["Y_v"] + given["Y_uv"] * u, (given["Y_vd"] - given["X_ud"]) * u
        turned, mass = given["N_r"] + given["N_ur"] * u, 250.0 - given["X_ud"]
        aside, about = (given["Y_ur"] - mass) * u, given["N_uv"] * u + munk
        assert swayed * turned > about * aside
    assert vessel_tool(["check", str(folder)]) == 0
    (checked,) = capsys.readouterr().out.splitlines()  # no warnings
    assert checked.endswith(": no errors; 2 commands, model of my_first")
    assert vessel_tool(["tune", str(folder)]) == 0
    assert "yaw_pid_kp" in capsys.readouterr().out
    assert vessel_tool(["show", str(folder)]) == 0
    assert capsys.readouterr().out.count(": overshoots of ") == 2  # of both zig-zags
