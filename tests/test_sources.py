"""docs/sources.md has every figure and table of the plan, and quick ones match those stated."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.sources import (
    asv_cameras,
    asv_hull,
    asv_loops,
    asv_stereo,
    page,
    panisim,
    usim_marine,
    uuv,
)
from benchmarks.sources.finding import Value, by_formula
from benchmarks.sources.plan import DOCUMENTS, ROWS

ROOT = Path(__file__).parents[1]
# how many figures and tables each document numbers, or shows without a number
NUMBERED = {"panisim": 12, "usim_marine": 7, "asv": 42}


def test_the_page_has_every_row_of_the_plan() -> None:
    written = page.sections()
    assert [row.key for row in ROWS if not written.get(row.key)] == []
    assert len({row.key for row in ROWS}) == len(ROWS)
    assert {row.document for row in ROWS} == set(DOCUMENTS)


def test_writing_the_page_again_keeps_its_sections(tmp_path: Path) -> None:
    written = page.sections()
    page.write(written, tmp_path / "sources.md")
    assert page.sections(tmp_path / "sources.md") == written


def figures_of(document: str) -> set[int]:
    """Return the numbers of the figures that rows of a document stand for."""
    found: set[int] = set()
    for row in ROWS:
        if row.document == document and row.number.startswith("figure"):
            words = row.number.split(" and table")[0].replace(",", "").split()[1:]
            numbers = [int(word) for word in words if word.isdigit()]
            found |= set(range(numbers[0], numbers[-1] + 1) if "to" in words else numbers)
    return found


@pytest.mark.parametrize("document", sorted(NUMBERED))
def test_the_plan_has_every_numbered_figure(document: str) -> None:
    assert figures_of(document) == set(range(1, NUMBERED[document] + 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    "repeat",
    [
        usim_marine.thrust_map,
        usim_marine.default_map,
        asv_hull.allocation,
        asv_hull.one_voxel,
        asv_cameras.lenses,
        uuv.zero_order,
        uuv.first_order,
        uuv.two_lines,
    ],
)
def test_a_row_without_deviations_has_the_stated_result(repeat) -> None:
    stated = [value for value in repeat().values if value.stated is not None]
    assert stated
    for value in stated:
        assert value.here == pytest.approx(value.stated, rel=1e-9, abs=1e-12), value.what


@pytest.mark.slow
def test_depth_and_coloured_clouds_are_those_of_similar_triangles() -> None:
    for value in (*asv_cameras.depths().values, *asv_cameras.coloured().values):
        if value.stated is not None:
            assert value.here == pytest.approx(value.stated, abs=1e-5), value.what


def test_what_a_document_prints_and_its_formulas_have_columns_of_their_own() -> None:
    written = page.table(
        (Value("a", 1.0, 2.0, "m"), by_formula("b", 3.0, 3.0), Value("c", None, 4))
    )
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in written.splitlines()]
    assert rows[0] == ["", "printed in the document", "by its formula", "here", "difference"]
    assert rows[2:] == [
        *(["a", "1 m", "", "2 m", "1 m"], ["b", "", "3", "3", "0"], ["c", "", "", "4", ""]),
    ]


@pytest.mark.slow
def test_table_1_comes_out_to_the_digits_it_states() -> None:
    for value in asv_hull.table_1().values:
        assert value.stated is not None
        places = 0.006 if value.unit == "%" else 0.5e-4
        assert value.here == pytest.approx(value.stated, abs=places), value.what


@pytest.mark.slow
def test_deviations_have_the_documented_reason() -> None:
    by_name = {value.what: value.off for value in usim_marine.depth_rates().values}
    assert by_name.pop("at 0 m/s, by buoyancy alone") == pytest.approx(-0.05)
    assert [off for off in by_name.values() if off is not None and abs(off) > 1e-12] == []
    ends = [value for value in panisim.aerofoil().values if "19.75" in value.what]
    assert [abs(value.off or 0.0) < 1e-9 for value in ends] == [True, True, False, False]


def test_blocks_of_a_random_pattern_are_matched_where_it_was_moved() -> None:
    """Julesz (1960): a square of a random pattern is nearer, and hides what lies to its left."""
    pattern = np.random.default_rng(1).uniform(0.0, 255.0, (60, 140))
    left, right = pattern.copy(), np.roll(pattern, -4, axis=1)
    right[20:40, 60:90] = left[20:40, 69:99]  # 9 pixels further left
    found = asv_stereo.matched(left, right)
    inner = asv_stereo.REACH
    assert found[20 + inner : 40 - inner, 69 + inner : 99 - inner] == pytest.approx(9.0, abs=0.1)
    assert found[5:15, 60:130] == pytest.approx(4.0, abs=0.1)


def test_corners_are_matched_where_the_image_was_moved_and_not_in_another() -> None:
    rng = np.random.default_rng(2)
    one, other = (np.kron(rng.uniform(0.0, 255.0, (16, 24)), np.ones((10, 10))) for _ in range(2))
    here, moved, apart = (asv_loops.corners(i) for i in (one, np.roll(one, (3, -8), (0, 1)), other))
    found = asv_loops.matched(here, moved)
    assert len(found) > asv_loops.ENOUGH
    assert (found[:, 2:] - found[:, :2] == (-8, 3)).all()
    assert len(asv_loops.matched(here, apart)) < asv_loops.ENOUGH / 2
