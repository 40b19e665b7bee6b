"""The tutorials work as written: their commands, edits and programs, one after the other."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


@pytest.fixture(scope="module")
def follower() -> ModuleType:
    """Return the script of a page."""
    spec = spec_from_file_location("follow_tutorials", ROOT / "docs" / "follow_tutorials.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_works_as_written(page: Path, tmp_path: Path, follower: ModuleType) -> None:
    reader = follower.Reader(tmp_path)
    reader.follow(page.read_text())
    assert reader.done >= 8


def test_each_of_the_three_has_an_existing_picture() -> None:
    assert len(PAGES) == 3
    for page in PAGES:
        pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text())
        assert pictures
        assert all((page.parent / picture).is_file() for picture in pictures)
