"""The page on architecture shows the sources as they are."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "docs" / "draw_architecture.py"
TOLD = "python docs/draw_architecture.py"  # what brings both up to date
DRAWN = runpy.run_path(str(SCRIPT))
PAGE = ROOT / DRAWN["PAGE"]
FILE = re.compile(r"`((?:apps|bus|launcher|moos|tests|docs)/[\w/]+\.\w+)`")
NAMED_WITH_FILE = re.compile(r"`(\w+)(?:\.\w+)?` \(`([\w/]+\.py)`")
order: Callable[[dict[str, frozenset[str]]], list[str]] = DRAWN["order"]


def test_the_drawing_of_imports_is_that_of_the_sources() -> None:
    assert (ROOT / DRAWN["PICTURE"]).read_text() == DRAWN["drawing"](ROOT), TOLD


def test_the_list_of_modules_is_that_of_the_sources() -> None:
    assert PAGE.read_text() == DRAWN["page"](ROOT), TOLD


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
    graph = DRAWN["imports_between"](packages, "steerageway")
    assert graph == {"one": {"two"}, "two": frozenset()}
