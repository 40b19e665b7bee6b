"""Obstacle files: contents and errors."""

from __future__ import annotations

import pytest

from steerageway.moos.errors import FormatError
from steerageway.moos.obstacle_file import parse_obstacle_file

TEXT = """\
// a field
region    = pts={-60,-60:60,-60:60,60:-60,60}
min_range = 10
min_size  = 4   // m
max_size  = 8
poly      = pts={3,4:9,4:6,9},label=rock
poly      = radial:20,20,4,6
"""


def test_lines_that_begin_with_a_hash_are_comments() -> None:
    found = parse_obstacle_file("# made by hand --amt=3\n  #poly = 1\n" + TEXT, "field.txt")
    assert found == parse_obstacle_file(TEXT, "field.txt")


def test_a_file_contains_region_sizes_and_obstacles():
    found = parse_obstacle_file(TEXT, "field.txt")
    assert (found.min_range, found.min_size, found.max_size) == (10.0, 4.0, 8.0)
    assert list(found.obstacles) == ["rock", "ob_1"]
    assert found.obstacles["rock"].points == ((3.0, 4.0), (9.0, 4.0), (6.0, 9.0))
    assert found.region is not None
    assert len(found.region.points) == 4
    assert found.missing == ()


def test_missing_and_unknown_keys_are_reported():
    found = parse_obstacle_file("poly = 0,0:1,0:1,1:label,a\nrange = 3", "field.txt")
    assert found.missing == ("region", "min_range", "min_size", "max_size")
    assert [line.where for line in found.unknown] == ["field.txt:2"]


def test_sizes_may_be_small_equal_or_partly_given() -> None:
    found = parse_obstacle_file("min_range = 0.5\nmin_size = 3\nmax_size = 3", "field.txt")
    assert (found.min_range, found.min_size, found.max_size) == (0.5, 3.0, 3.0)
    assert parse_obstacle_file("min_size = 3", "field.txt").missing[-1] == "max_size"
    with pytest.raises(FormatError) as caught:
        parse_obstacle_file("min_size = 0.6\nmax_size = 0.5", "field.txt")
    assert str(caught.value) == "field.txt: max_size = 0.5: expected at least min_size"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("poly = pts={0,0:1,0}", "expected at least 3 corners"),
        ("min_range = 0", "expected a number above 0"),
        ("max_size = big", "expected a number above 0"),
        ("max_size = 3", "expected at least min_size"),
        ("poly = pts={0,0:1,0:1,1},label=rock", "a label of its own: rock is taken"),
    ],
)
def test_an_invalid_line_is_reported(line, expected):
    with pytest.raises(FormatError, match=rf"field\.txt.*{expected}"):
        parse_obstacle_file(f"{TEXT}{line}\n", "field.txt")
