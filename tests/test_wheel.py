"""The built and installed wheel: one package, one command, missions inside, no name conflicts."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from steerageway.bus import wall

ROOT = Path(__file__).parents[1]
PACKAGED = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ALONE = ("--version", "--help", "apps", "poke help", "vessel check otter")
NEIGHBOURS = ("launch", "apps")  # names that other projects install
FOREIGN = "raise ImportError('this package is another project')\n"
BUILD = "from setuptools import build_meta; print(build_meta.build_sdist('dist'))"

pytestmark = [pytest.mark.slow, pytest.mark.process]


def run(*command: str | Path, folder: Path) -> str:
    """Run a command independent of this checkout; return its output."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source distribution from a checkout on a machine without symbolic links."""
    copy = tmp_path_factory.mktemp("copy") / "checkout"
    clone = ("git", "clone", "--quiet", "--no-checkout", ROOT, copy)
    run(*clone, folder=copy.parent)
    run("git", "config", "core.symlinks", "false", folder=copy)
    run("git", "checkout", "--quiet", "HEAD", folder=copy)
    tracked = run("git", "ls-files", "-z", folder=ROOT).split("\0")
    for name in filter(None, tracked):  # as it is now, uncommitted changes included
        if (ROOT / name).is_file() and not (ROOT / name).is_symlink():
            shutil.copy(ROOT / name, copy / name)
    assert (copy / "steerageway" / "bus").read_text() == "../bus"
    run(sys.executable, "-c", BUILD, folder=copy)
    (found,) = (copy / "dist").iterdir()
    return found


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> Path:
    """Build the wheel from the source distribution, as an index's users do."""
    build = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    run(sys.executable, *build, "--wheel-dir", sdist.parent, sdist, folder=sdist.parent)
    (found,) = sdist.parent.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in an environment with foreign packages; return the environment.

    The dependencies are those of this environment.
    """
    environment = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", environment, folder=environment)
    python = environment / "bin" / "python"
    install = ("-m", "pip", "--python", python, "install", "--quiet", "--no-deps", wheel)
    run(sys.executable, *install, folder=environment)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    for name in NEIGHBOURS:
        (packages / name).mkdir()
        (packages / name / "__init__.py").write_text(FOREIGN)
    return environment


def test_every_tracked_file_of_the_packages_is_in_wheel_and_sdist(sdist: Path, wheel: Path) -> None:
    tracked = {Path(name) for name in run("git", "ls-files", folder=ROOT).splitlines()}
    folders = {
        name
        for name in tracked
        if f"steerageway.{name.parts[0]}" in PACKAGED and (ROOT / name).is_file()
    }
    expected = {
        *(f"steerageway/{name}" for name in folders),
        "steerageway/__init__.py",
        "steerageway/__main__.py",
    }
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == expected
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {str(name.relative_to("steerageway")) for name in map(Path, expected)} - names <= {
        "__init__.py",
        "__main__.py",
    }


def test_the_installed_command_runs_alpha_despite_packages_of_the_same_names(
    installed: Path, tmp_path: Path
) -> None:
    end = ("--warp", "max", "--until", "MISSION = complete", "--port", "auto", "--json", "-")
    outcome = json.loads(run(installed / "bin" / "steerageway", "alpha", *end, folder=tmp_path))
    assert outcome["exit_reason"] == "until"
    here = run(sys.executable, ROOT / "launch.py", "alpha", *end, folder=tmp_path)
    hashes = [run["communities"]["alpha"]["log_sha256"] for run in (outcome, json.loads(here))]
    assert hashes[0] == hashes[1] != ""


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


def test_every_command_of_the_readme_works_in_an_empty_folder(
    installed: Path, tmp_path: Path
) -> None:
    text = (ROOT / "README.md").read_text()
    lines = [line for block in COMMANDS.findall(text) for line in block.splitlines() if line]
    ran = 0
    for line in lines:
        if "ODOMETRY" in line:
            continue  # it needs the app that the page has the reader write
        program, *arguments = shlex.split(line)
        assert program == "steerageway", line
        own = ("--port", "auto") if arguments[0] == "run" else ()
        run(installed / "bin" / program, *arguments, *own, folder=tmp_path)
        ran += 1
    assert ran >= 6


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


def test_the_time_from_installation_to_the_first_mission_is_printed(
    wheel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = wall()
    run(sys.executable, "-m", "venv", tmp_path / "clean", folder=tmp_path)
    programs = tmp_path / "clean" / "bin"
    install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    run(programs / "python", *install, folder=tmp_path)
    installed = wall()
    end = ("--warp", "max", "--until", "MISSION = complete", "--port", "auto")
    assert "ended: until" in run(programs / "steerageway", "run", "alpha", *end, folder=tmp_path)
    with capsys.disabled():
        print(
            f"\nfrom nothing to the first finished mission: {wall() - begun:.0f} s,"
            f" {installed - begun:.0f} s of them by pip"
        )
