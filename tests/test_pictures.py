"""Pages that show motion have a picture of it, and what draws them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.draw_motion import PICTURES, draw

DOCS = Path(__file__).parents[1] / "docs"
SHOWN = re.compile(r"!\[([^\]]+)\]\(([^)]+)\)")
OF_MOTION = (
    "actuators",
    "behaviors",
    "contacts",
    "drift_and_wormholes",
    "field_apps",
    "fleets",
    "helm",
    "logs",
    "own_behaviors",
    "panisim",
    "pid",
    "sensors",
    "simulator",
    "sweeps",
    "tutorials/first_code",
    "tutorials/first_mission",
    "tutorials/first_vessel",
    "vessels",
    "viewer",
    "world",
)
LARGEST = 120_000  # bytes


def shown(page: str) -> dict[str, str]:
    """Return the captions of a page's pictures, by file."""
    return {file: text for text, file in SHOWN.findall((DOCS / page).read_text())}


@pytest.mark.parametrize("page", OF_MOTION)
def test_a_page_that_shows_motion_has_a_picture(page: str) -> None:
    assert any(not file.endswith(".svg") for file in shown(f"{page}.md"))


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_of_the_script_are_small_and_have_captions(name: str) -> None:
    page = PICTURES[name].page
    assert len(shown(page)[name].split()) >= 6, f"{page}: what is to be seen in {name}?"
    assert (DOCS / name).stat().st_size < LARGEST


@pytest.mark.slow
@pytest.mark.process
def test_the_script_draws_the_pictures_of_each_page(tmp_path: Path) -> None:
    from PIL import Image

    drawn = draw("panisim.png", tmp_path)
    with Image.open(drawn) as one, Image.open(DOCS / "panisim.png") as kept:
        assert one.size == kept.size
    assert drawn.stat().st_size < LARGEST
