"""Grids over a region: their cells, values and texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.moos.grid import GridError, parse_grid

SQUARE = "pts={0,0:20,0:20,10:0,10},cell_size=5,cell_vars=x:0:y:1,cell_min=x:0,cell_max=x:3"


def test_cells_are_numbered_by_columns_from_the_southwest():
    grid = parse_grid(SQUARE)
    assert len(grid) == 8
    found = [grid.cell_at(point) for point in ((1, 1), (1, 6), (6, 1), (19, 9), (20.5, 1), (1, -1))]
    assert found == [0, 1, 2, 7, None, None]


def test_only_cells_that_share_an_area_with_the_region_count():
    triangle = parse_grid("pts={0,0:20,0:20,20},cell_size=5,cell_vars=x:0")
    assert len(triangle) == 4 + 3 + 2 + 1
    assert triangle.cell_at((1.0, 6.0)) is None


@settings(max_examples=15)
@given(x=st.floats(-30, 30), y=st.floats(-30, 30), size=st.floats(2, 15))
def test_every_point_inside_the_region_has_its_cell(x, y, size):
    grid = parse_grid(f"pts={{-30,-10:10,-30:30,10:-10,30}},cell_size={size:.3f},cell_vars=x:0")
    inside = grid.region.contains((x, y)) and grid.region.distance_to_edge((x, y)) > 1e-6
    assert not inside or grid.cell_at((x, y)) is not None


def test_values_stay_within_their_bounds_and_are_written():
    grid = parse_grid(SQUARE)
    assert [grid.add(7, 2.0), grid.add(7, 2.0), grid.add(7, 2.0)] == [2.0, 1.0, 0.0]
    assert grid.add(0, -1.0) == 0.0
    assert grid.text("psg") == f"{SQUARE},cell=7:x:3,label=psg"
    assert grid.delta_text("psg", {7: 1.0, 2: 2.0}) == "psg@7,x,1:2,x,2"
    grid.reset()
    assert grid.text("a") == f"{SQUARE},label=a"


@pytest.mark.parametrize(("init", "initial"), [("", "0"), (",init_val=2", "2")])
def test_a_grid_without_variables_has_one(init, initial):
    # string2ConvexGrid and XYConvexGrid::initialize of MOOS-IvP: 10 m, v, 0
    square = "pts={0,0:20,0:20,20:0,20}"
    text = parse_grid(square + init).text("a")
    assert text == f"{square},cell_size=10,cell_vars=v:{initial},label=a"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pts={0,0:9,0:9,9},cell_size=0,cell_vars=x:0", "cell_size = 0: expected a number above 0"),
        ("pts={0,0:9,0},cell_size=1,cell_vars=x:0", "expected at least 3 corners"),
        ("pts={0,0:9,0:9,9},cell_size=1,init_val=x", "init_val = x: expected a number"),
        ("pts={0,0:9,0:9,9},cell_size=1,cell_vars=x", "expected cell_vars=NAME:VALUE"),
        ("pts={0,0:9,0:9,9},cell_size=1,cell_vars=x:0,cell_max=y:3", "expected bounds of x only"),
        ("pts={0,0:9,0:9,9},cell_size=1,cell_vars=x:0,cell_min=x:3", "expected x to begin within"),
    ],
)
def test_an_invalid_grid_is_refused(text, expected):
    with pytest.raises(GridError, match=expected):
        parse_grid(text)
