"""The built and installed wheel: one package, one command, missions inside, no name conflicts."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.installation import Installation, run

ROOT = Path(__file__).parents[1]
PACKAGED = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
ALONE = ("--version", "--help", "help sweeps", "apps", "poke help", "vessel check otter")

pytestmark = [pytest.mark.slow, pytest.mark.process]


def test_every_tracked_file_of_the_packages_is_in_wheel_and_sdist(
    installation: Installation,
) -> None:
    sdist, wheel, _ = installation
    tracked = {Path(name) for name in run("git", "ls-files", folder=ROOT).splitlines()}
    tracked = {name for name in tracked if name.parts[0] != "docs" or name.suffix in (".md", ".py")}
    own = Path("steerageway")  # its __init__.py and __main__.py, and the packages inside
    expected = {
        str(name if name.is_relative_to(own) else own / name)
        for name in tracked
        if (ROOT / name).is_file()  # no link to a folder
        and (name.is_relative_to(own) or f"steerageway.{name.parts[0]}" in PACKAGED)
    }
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == expected
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    inside = {str(name.relative_to(own)) for name in map(Path, expected - names)}
    assert inside - names == set()


def test_the_installed_command_runs_alpha_despite_packages_of_the_same_names(
    installed: Path, tmp_path: Path
) -> None:
    end = ("--warp", "max", "--until", "MISSION = complete", "--port", "auto", "--json", "-")
    outcome = json.loads(run(installed / "bin" / "steerageway", "alpha", *end, folder=tmp_path))
    assert outcome["exit_reason"] == "until"
    here = run(sys.executable, ROOT / "launch.py", "alpha", *end, folder=tmp_path)
    hashes = [run["communities"]["alpha"]["log_sha256"] for run in (outcome, json.loads(here))]
    assert hashes[0] == hashes[1] != ""


def test_a_users_type_checker_reads_the_types(installed: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from steerageway import App, Mission\n"
        "class Own(App):\n"
        "    def iterate(self) -> None:\n"
        "        self.post('X', self.time)\n"
        "with Mission('alpha') as alpha:\n"
        "    place: bytes = alpha.time\n"
    )
    python = installed / "bin" / "python"
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", python, script],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert [line for line in checked.stdout.splitlines() if "error" in line] == [
        "script.py:6: error: Incompatible types in assignment "
        '(expression has type "float", variable has type "bytes")  [assignment]',
        "Found 1 error in 1 file (checked 1 source file)",
    ]


def test_an_extra_is_added_to_an_installation_without_an_index(
    installed: Path, tmp_path: Path
) -> None:
    extra = ("--no-index", "--dry-run", "steerageway[plot]")
    python = ("--python", installed / "bin" / "python")
    said = run(sys.executable, "-m", "pip", *python, "install", *extra, folder=tmp_path)
    assert "already satisfied: steerageway[plot]" in said
    assert "matplotlib" in said


def test_an_installed_script_finds_app_and_mission(installed: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import steerageway\n"
        "from steerageway import App, Mission\n"
        "with Mission('alpha') as alpha:\n"
        "    alpha.run_until(5.0)\n"
        "    print(alpha.get('NAV_X') is not None)\n"
        "print(steerageway.__file__)\n"
    )
    posted, place = run(installed / "bin" / "python", script, folder=tmp_path).splitlines()
    assert posted == "True"
    assert Path(place).is_relative_to(installed)


@pytest.mark.parametrize("arguments", ALONE)
def test_a_tool_works_without_any_other_package(
    arguments: str, installed: Path, tmp_path: Path
) -> None:
    result = run(installed / "bin" / "steerageway", *arguments.split(), folder=tmp_path)
    assert len(result) > 10
    assert list(tmp_path.iterdir()) == []


def test_files_made_by_new_run_from_the_installation(installed: Path, tmp_path: Path) -> None:
    steerageway = installed / "bin" / "steerageway"
    run(steerageway, "new", "app", "counter", folder=tmp_path)
    end = ("--warp", "max", "--until", "COUNTER_COUNT = 1", "--port", "auto")
    assert "ended: until" in run(steerageway, "run", "counter", *end, folder=tmp_path)


def test_code_compiled_by_one_command_is_not_compiled_again(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    compiled = tmp_path / "cache" / "steerageway" / "compiled"

    def kept() -> dict[Path, int]:
        """Return every file of machine code, and when it was written."""
        return {file: file.stat().st_mtime_ns for file in compiled.rglob("*.nb?")}

    run(installed / "bin" / "steerageway", "warm", "clarke83", folder=tmp_path)
    first = kept()
    assert len(first) > 10
    run(installed / "bin" / "steerageway", "vessel", "show", "clarke83", folder=tmp_path)
    script = (
        "from steerageway import load; v = load('clarke83');"
        "v.trace(v.initial, [0.0] * len(v.commands), v.surroundings(), 0.01, 5)"
    )
    run(installed / "bin" / "python", "-c", script, folder=tmp_path)
    run(sys.executable, "-m", "steerageway.vessel", "check", "clarke83", folder=tmp_path)
    assert kept() == first, "by another command, a script, or another installation"
