"""Current fields from files."""

from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steerageway.vessel.errors import InvalidValue
from steerageway.world.current_field import read

GRID = """\
# a corner of a bay
x, y, east, north
0, 0, 0.0, 1.0
10, 0, 1.0, 1.0
0, 20, 0.0, 3.0
10, 20, 1.0, 3.0
"""
DEEP = """\
north, t, depth, y, x, east
0, 0, 0, 0, 0, 1
0, 0, 5, 0, 0, 0.5
0, 100, 0, 0, 0, 3
0, 100, 5, 0, 0, 1.5
"""
BRAVO = """\

FieldName: Alpha
Radius: 15

// xpos, ypos, force, direction
45,-95,2.4, 130
55,-95,2.4, 115
65,-95,2.4, 100
80,-95,2.4, 85

45,-110,2.4, 190
"""


@pytest.fixture
def field(tmp_path):
    def make(text, suffix):
        path = tmp_path / f"field{suffix}"
        path.write_text(text)
        return read(path)

    return make


def test_grid_points_have_their_own_velocity(field):
    grid = field(GRID, ".csv")
    assert grid.at(10, 20, 0, 0) == (1.0, 3.0)
    assert grid.at(0, 0, 0, 0) == (0.0, 1.0)


def test_a_table_may_be_as_spreadsheets_write_it(tmp_path):
    path = tmp_path / "field.csv"
    header = GRID.index("x, y")
    path.write_bytes(b"\xef\xbb\xbf" + GRID[header:].replace("\n", "\r\n").encode())
    assert read(path).at(10, 20, 0, 0) == (1.0, 3.0)


def test_between_grid_points_velocity_is_linear(field):
    assert field(GRID, ".csv").at(2.5, 5, 0, 0) == pytest.approx((0.25, 1.5))


def test_beyond_the_grid_the_edge_holds(field):
    grid = field(GRID, ".csv")
    assert grid.at(-100, 5, 0, 0) == grid.at(0, 5, 0, 0)
    assert grid.at(5, 1e6, 0, 0) == grid.at(5, 20, 0, 0)


def test_depth_and_time_are_interpolated_too(field):
    grid = field(DEEP, ".csv")
    assert grid.at(0, 0, 0, 50)[0] == pytest.approx(2)
    assert grid.at(0, 0, 2.5, 50)[0] == pytest.approx(1.5)
    assert grid.at(0, 0, 99, 99e9)[0] == pytest.approx(1.5)


XS, YS, DEPTHS, TIMES = (-30.0, 10.0, 25.0, 90.0), (5.0, 7.0, 40.0), (2.0, 9.0), (60.0, 90.0, 600.0)


def streaming(x, y, depth, t):
    """Return a current that is linear in each coordinate, with a bend at a grid line of most."""
    x, y, t = abs(x - 10), abs(y - 7), abs(t - 90)
    return 0.01 * x * y - 0.002 * depth * t, 0.3 * x + 0.001 * y * t - depth


@pytest.mark.slow
@given(*(st.floats(axis[0], axis[-1]) for axis in (XS, YS, DEPTHS, TIMES)))
def test_every_cell_of_an_uneven_grid_has_its_own_velocities(tmp_path_factory, x, y, depth, t):
    path = tmp_path_factory.getbasetemp() / "uneven.csv"
    if not path.exists():
        points = product(XS, YS, DEPTHS, TIMES)
        rows = [",".join(map(repr, (*point, *streaming(*point)))) for point in points]
        path.write_text("\n".join(["x, y, depth, t, east, north", *rows]))
    assert read(path).at(x, y, depth, t) == pytest.approx(streaming(x, y, depth, t), abs=1e-9)


@pytest.mark.slow
@given(st.floats(-50, 50), st.floats(-50, 50))
@example(0.125, 20.0)  # where a weighted mean of equal velocities is rounded up
def test_interpolation_stays_within_the_given_velocities(tmp_path_factory, x, y):
    path = tmp_path_factory.getbasetemp() / "field.csv"
    path.write_text(GRID)
    east, north = read(path).at(x, y, 0, 0)
    rounding = 1e-15
    assert -rounding <= east <= 1 + rounding
    assert 1 - rounding <= north <= 3 + rounding


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("x, y, east\n", "1", "expected a header"),
        ("x, y, east, north, salt\n", "1", "expected a header"),
        ("x, x, y, east, north\n", "1", "expected a header"),
        ("", "0", "expected a header"),
        (GRID + "1, 2, 3\n", "7", "expected 4 numbers"),
        (GRID.replace("3.0", "three", 1), "5", "three: expected a number"),
        (GRID.replace("3.0", "nan", 1), "5", "nan: expected a number"),
        (GRID + "10, 20, 1, 3\n", "7", "expected each point once"),
    ],
)
def test_a_wrong_csv_names_its_line(field, text, line, expected):
    with pytest.raises(InvalidValue, match=rf"field\.csv:{line}: .*{expected}"):
        field(text, ".csv")


def test_a_hole_in_the_grid_is_named(field):
    with pytest.raises(InvalidValue, match="the point x = 10, y = 20, depth = 0, t = 0 is missing"):
        field(GRID.replace("10, 20, 1.0, 3.0\n", ""), ".csv")
    with pytest.raises(InvalidValue, match="at least one point"):
        field("x, y, east, north\n", ".csv")


def test_cfd_weights_agree_with_the_reference(field):
    """The reference program gives (1.040, -0.828) at the first vector of its bravo mission."""
    assert field(BRAVO, ".cfd").at(45, -95, 0, 0) == pytest.approx((1.040, -0.828), abs=5e-4)


def test_cfd_vectors_are_averaged_with_squared_weights(field):
    near = field("radius: 10\nx=0,y=0,mag=10,ang=90\nx=5,y=0,mag=10,ang=0\n20,0,100,90\n", ".cfd")
    assert near.at(0, 0, 0, 0) == pytest.approx((5.0, 1.25))


def test_cfd_vectors_reach_no_farther_than_the_radius(field):
    lone = field("radius: 10\n10,0,10,90\n", ".cfd")
    assert lone.at(0, 0, 0, 0) == (0, 0)
    assert lone.at(0.1, 0, 0, 0)[0] > 0


def test_cfd_radius_is_20_unless_given(field):
    lone = field("render_hint: vector_edge_color = yellow\n0,0,1,90\n", ".cfd")
    assert lone.at(10, 0, 0, 0)[0] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,2,3\n", "1: .*expected x,y,magnitude,direction"),
        ("1,2,3,x\n", "1: .*x: expected a number"),
        ("x=1,y=2,mag=3\n", "1: .*expected a number"),
        ("radius: 0\n1,2,3,4\n", "1: .*expected a radius of 1 m or more"),
        ("colour: red\n1,2,3,4\n", "1: .*expected FieldName, Radius, Render_Hint or a vector"),
        ("radius: 5\n", " expected at least one vector"),
    ],
)
def test_an_invalid_cfd_file_names_the_place(field, text, expected):
    with pytest.raises(InvalidValue, match=rf"field\.cfd:{expected}"):
        field(text, ".cfd")


def test_another_suffix_or_no_file_is_refused(field, tmp_path):
    with pytest.raises(InvalidValue, match=r"\.csv or \.cfd"):
        field(GRID, ".txt")
    with pytest.raises(InvalidValue, match="expected a readable text file"):
        read(tmp_path / "none.csv")
