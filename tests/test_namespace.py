"""One package is installed: everything is imported from it, and old imports are explained."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import steerageway
from steerageway.apps.framework.registry import UnknownApp, load
from steerageway.apps.helm.kinds import Kinds, NotLoaded
from steerageway.bus import App
from steerageway.launcher import Mission

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "apps",
    "bus",
    "declarations",
    "diagnostics",
    "ivp",
    "launcher",
    "moos",
    "vessel",
    "world",
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


def test_every_package_is_linked_into_the_namespace() -> None:
    links = {link.name: link.resolve() for link in (ROOT / "steerageway").iterdir()}
    for name in (*PACKAGES, "inputs", "missions"):
        assert links[name] == ROOT / name


def test_a_user_writes_one_import() -> None:
    assert steerageway.App is App
    assert steerageway.Mission is Mission
    with pytest.raises(AttributeError, match="no attribute 'Ap'"):
        steerageway.Ap  # noqa: B018


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("from bus import App", "from steerageway.bus import App"),
        (
            "from bus.core.message import Message",
            "from steerageway.bus.core.message import Message",
        ),
        ("import bus", "from steerageway import bus"),
        ("import bus.core.plan as plan", "import steerageway.bus.core.plan as plan"),
    ],
)
def test_a_bare_import_in_a_users_app_is_an_error_that_names_its_replacement(
    written: str, right: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    name = f"mine_{abs(hash(written))}"
    (tmp_path / f"{name}.py").write_text(f"import math\n{written}\n")
    with pytest.raises(UnknownApp, match=re.escape(f"{name}.py:2: {written}: write {right}")):
        load(f"{name}:Odometer")


def test_a_bare_import_in_a_users_behavior_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("from apps.helm import Behavior\n")
    with pytest.raises(NotLoaded, match=r"write from steerageway.apps.helm import Behavior"):
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
