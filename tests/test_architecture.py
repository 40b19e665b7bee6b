"""The page on architecture names the sources as they are; its drawing and lists show them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.draw_architecture import drawing, imports_between, listed, order

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
FILE = re.compile(r"`((?:apps|bus|launcher|moos|tests|docs)/[\w/]+\.\w+)`")
NAMED_WITH_FILE = re.compile(r"`(\w+)(?:\.\w+)?` \(`([\w/]+\.py)`")


@pytest.mark.slow
def test_every_package_and_layer_of_the_bus_is_in_the_drawing() -> None:
    picture = drawing(ROOT)
    for name in ("launch.py", "launcher", "bus", "vessel", "world", "lockstep", "transport"):
        assert picture.count(f">{name}</text>") == 1, name


@pytest.mark.slow
def test_every_module_test_and_mission_is_listed_once() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| \S", listed(ROOT), re.MULTILINE)
    assert len(rows) == len(set(rows)) > 800
    for one in ("bus/core/app.py", "vessel/pid.py", "tests/bus/", "missions/alpha/"):
        assert one in rows


def test_every_file_that_the_page_names_is_there() -> None:
    named = dict.fromkeys(FILE.findall(PAGE.read_text()))
    assert len(named) > 100
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_name_is_in_the_documented_file() -> None:
    found = NAMED_WITH_FILE.findall(PAGE.read_text())
    assert len(found) > 15
    lost = [
        (name, file)
        for name, file in found
        if not re.search(rf"^(?:class |def )?{name}\b", (ROOT / file).read_text(), re.MULTILINE)
    ]
    assert lost == []


def test_imported_modules_are_drawn_below_their_importers() -> None:
    graph = {"b": frozenset({"a"}), "a": frozenset[str](), "c": frozenset({"a", "b"})}
    assert order(graph) == ["c", "b", "a"]


def test_imports_in_a_circle_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="a, b"):
        order({"a": frozenset({"b"}), "b": frozenset({"a"}), "c": frozenset()})


def test_an_import_inside_a_function_is_drawn_like_any_other(tmp_path: Path) -> None:
    for name, text in {"one": "def f():\n    from steerageway import two\n", "two": ""}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "module.py").write_text(text)
    packages = {name: tmp_path / name for name in ("one", "two")}
    graph = imports_between(packages, "steerageway")
    assert graph == {"one": {"two"}, "two": frozenset()}
