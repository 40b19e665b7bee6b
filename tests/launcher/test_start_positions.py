"""Start positions of a fleet."""

from __future__ import annotations

from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.start_positions import start_positions


def least(found):
    """Return the least distance between any two [m]."""
    return min(dist(a[:2], b[:2]) for a, b in combinations(found, 2))


@settings(max_examples=15)
@given(
    kind=st.sampled_from(("line", "grid", "ring", "random")),
    count=st.integers(2, 25),
    spacing=st.floats(1, 200),
    seed=st.integers(0, 99),
)
def test_every_pattern_keeps_its_distance(kind, count, spacing, seed):
    found = start_positions(f"{kind}:{spacing}", count, seed)
    assert len(found) == count
    assert least(found) >= spacing * (1 - 1e-9)
    if kind != "random":
        assert least(found) == pytest.approx(spacing)


def test_patterns_lie_around_the_middle():
    for kind in ("line", "grid", "ring"):
        found = start_positions(f"{kind}:10", 4, 0)
        assert sum(start.x for start in found) == pytest.approx(0)
        assert sum(start.y for start in found) == pytest.approx(0)


def test_one_vessel_starts_in_the_middle_of_any_pattern():
    for kind in ("line", "grid", "ring"):
        assert start_positions(kind, 1, 0)[0][:2] == (0, 0)


def test_on_a_ring_bows_point_to_the_middle():
    north, east = start_positions("ring:10", 4, 0)[:2]
    assert (north.heading, east.heading) == (180, 270)
    assert east.x > 0
    assert north.y > 0


def test_random_starts_follow_from_the_seed_alone():
    assert start_positions("random", 20, 3) == start_positions("random", 20, 3)
    assert start_positions("random", 20, 3) != start_positions("random", 20, 4)


def test_random_starts_lie_in_a_square_around_the_middle_with_bows_all_round():
    found = start_positions("random:10", 400, 0)
    side = 1.6 * 10 * 20  # 1.6 spacings for each vessel of a row
    for places in ([start.x for start in found], [start.y for start in found]):
        assert 0.95 * side < max(places) - min(places) <= 1.1 * side
        assert abs(max(places) + min(places)) < 0.1 * side
    quarters = [int(start.heading // 90) for start in found]
    assert all(70 < quarters.count(quarter) < 130 for quarter in range(4))


def test_neighbours_are_forty_metres_apart_by_default():
    assert least(start_positions("grid", 20, 0)) == pytest.approx(40)


def test_a_file_has_a_line_for_each_vessel(tmp_path: Path):
    file = tmp_path / "places.csv"
    file.write_text("# x, y, heading\n1, 2, 90\n\n-3.5,4   # on its mooring\n5,6,7\n")
    assert start_positions(str(file), 2, 0) == [(1, 2, 90), (-3.5, 4, 0)]
    with pytest.raises(LaunchError, match=r"places\.csv: expected 4 lines, one a vessel: 3"):
        start_positions(str(file), 4, 0)


def test_a_file_may_be_as_spreadsheets_write_it_but_no_picture(tmp_path: Path):
    file = tmp_path / "places.csv"
    for raw in (b"\xef\xbb\xbf1,2\r\n3,4\r\n", b"1,2  # K\xfcste\r\n3,4\r\n"):
        file.write_bytes(raw)
        assert start_positions(str(file), 2, 0) == [(1, 2, 0), (3, 4, 0)]
    file.write_bytes(b"\x89PNG\r\n\0\0")
    with pytest.raises(LaunchError, match=r"places\.csv: expected lines .*; this is no text"):
        start_positions(str(file), 2, 0)


def test_utm_coordinates_are_refused_with_the_line_of_the_file(tmp_path: Path):
    file = tmp_path / "starts.txt"
    file.write_text("0,0\n359000,4870000,90\n")
    with pytest.raises(LaunchError) as refused:
        start_positions(str(file), 2, 0)
    assert str(refused.value) == (
        f"{file}:2: x=359000, y=4.87e+06 is more than 1000 km from the datum: "
        "are these UTM coordinates?"
    )


@pytest.mark.parametrize("line", ["1", "1,2,3,4", "1,north", "1,inf"])
def test_an_invalid_line_of_a_file_is_named(tmp_path: Path, line: str):
    file = tmp_path / "places.csv"
    file.write_text(f"0,0\n{line}\n")
    with pytest.raises(LaunchError, match=r"places\.csv:2: .*: expected x,y or x,y,heading"):
        start_positions(str(file), 2, 0)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("grid:0", "--start grid:0: expected line, grid, ring or random"),
        ("ring:wide", "--start ring:wide: expected line"),
        ("circle", "--start circle: expected line, grid, ring or random, .* or a file$"),
        ("rung", "--start rung: expected line, .* or a file; the nearest is ring$"),
        ("gird:20", "--start gird:20: expected line, .* or a file; the nearest is grid$"),
        ("/", "--start /: Is a directory$"),
    ],
)
def test_an_unknown_pattern_is_refused(given, expected):
    with pytest.raises(LaunchError, match=expected):
        start_positions(given, 2, 0)
