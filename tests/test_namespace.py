"""One package is installed: everything is imported from it, and old imports are explained."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import steerageway
from steerageway.apps.shared.registry import UnknownApp, load
from steerageway.bus import App
from steerageway.helm.kinds import Kinds, NotLoaded
from steerageway.launcher import Mission

ROOT = Path(__file__).parents[1]
PACKAGES = (
    *(
        "apps",
        "bridges",
        "bus",
        "declarations",
        "diagnostics",
        "envs",
        "geometry",
        "helm",
        "ivp",
        "launcher",
        "moos",
        "peers",
        "vessel",
        "web",
        "world",
    ),
)
FOLDERS = (*PACKAGES, "benchmarks", "docs", "inputs", "missions", "tests")
BARE = re.compile(rf"^\s*(?:>>> )?(?:from|import) (?:{'|'.join(PACKAGES)})(?:\.\S+| import|\s*$)")
WRITTEN_WRONG = Path("tests/test_namespace.py")


def texts() -> list[Path]:
    """Return every file that may hold Python code."""
    found = [ROOT / "launch.py", ROOT / "README.md", *(ROOT / "steerageway").glob("*.py")]
    for folder in FOLDERS:
        found += [file for file in (ROOT / folder).rglob("*") if file.suffix in (".py", ".md")]
    return found


def test_nothing_is_imported_by_its_bare_name() -> None:
    files = [file for file in texts() if file.relative_to(ROOT) != WRITTEN_WRONG]
    assert len(files) > 900
    wrong = [
        f"{file.relative_to(ROOT)}:{number}: {line}"
        for file in files
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if BARE.match(line)
    ]
    assert wrong == []


@pytest.mark.slow
def test_a_breakpoint_at_the_documented_path_is_hit(tmp_path: Path) -> None:
    """By ``pdb``, in a run of a mission, at ``moos/mission.py`` as the pages name it."""
    file = ROOT / "moos" / "mission.py"
    lines = file.read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if text == "    return MissionFile(")
    typed = f"break {file}:{line}\ncontinue\nwhere\nquit\n"
    command = (sys.executable, "-m", "pdb", ROOT / "launch.py", "alpha", "--check")
    result = subprocess.run(command, cwd=tmp_path, input=typed, capture_output=True, text=True)
    assert f"> {file}({line})" in result.stdout


@pytest.mark.slow
def test_each_module_has_one_path_and_one_name() -> None:
    program = (
        "import sys, steerageway.launcher.command, steerageway.apps.helm\n"
        "own = {n: m.__file__ for n, m in sys.modules.items() if n.startswith('steerageway.')}\n"
        "print(*(f'{n} {f}' for n, f in own.items()), sep='\\n')\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    places = dict(zip(printed[::2], map(Path, printed[1::2]), strict=True))
    assert len(places) > 100
    for name, place in places.items():
        folder = ROOT.joinpath(*name.split(".")[1:])
        assert place in (folder / "__init__.py", folder.with_suffix(".py"))


def test_a_user_writes_one_import() -> None:
    assert steerageway.App is App
    assert steerageway.Mission is Mission
    with pytest.raises(AttributeError, match="no attribute 'Ap'"):
        steerageway.Ap  # noqa: B018


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_a_bare_import_is_an_error_that_names_its_replacement(package: str) -> None:
    for line in (f"import {package}", f"from {package}.any.module import Thing"):
        command = (sys.executable, "-c", line)
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        last = result.stderr.splitlines()[-1]
        assert last == f"ImportError: import {package}: write import steerageway.{package}"


def test_a_bare_import_in_a_users_app_names_the_users_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "with_bare.py").write_text("import math\nfrom bus import App\n")
    with pytest.raises(UnknownApp, match=r"write import steerageway\.bus \(with_bare\.py:2\)"):
        load("with_bare:Odometer")


def test_a_bare_import_in_a_users_behavior_names_the_users_line(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("from apps.helm import Behavior\n")
    with pytest.raises(NotLoaded, match=r"line 1: .*write import steerageway\.apps"):
        Kinds().load([file])


def test_a_users_own_package_of_the_same_name_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "vessel.py").write_text("NAME = 'mine'\n")
    (tmp_path / "with_own.py").write_text(
        "from steerageway import App\nfrom vessel import NAME\nclass Own(App): name = NAME\n"
    )
    assert vars(load("with_own:Own"))["name"] == "mine"


def test_an_app_is_found_without_the_launcher() -> None:
    program = (
        "import sys; from steerageway import App; "
        "print([m for m in sys.modules if m.startswith('steerageway.launcher')])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout == "[]\n"
