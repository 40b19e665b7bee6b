"""Convex polygons: every notation, and their geometry."""

from __future__ import annotations

from math import cos, dist, pi, radians, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.moos.polygon import Polygon, PolygonError, is_convex, parse_polygon

SQUARE = Polygon(((0, 0), (10, 0), (10, 10), (0, 10)))


def area(polygon: Polygon) -> float:
    """Return the area by the shoelace formula."""
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in polygon.edges)) / 2


@pytest.mark.parametrize(
    "text", ["pts={0,0:9,0:9,9},label=a", "0,0:9,0:9,9:label,a", " pts={ 0,0 : 9,0 : 9,9 },label=a"]
)
def test_points_are_read_with_their_label(text: str) -> None:
    polygon = parse_polygon(text)
    assert polygon.points == ((0, 0), (9, 0), (9, 9))
    assert polygon.fields["label"] == "a"


@pytest.mark.parametrize(
    "text",
    [
        "format=radial,x=5,y=6,radius=10,pts=4",
        "radial::x=5,y=6,radius=10,pts=4",
        "radial:5,6,10,4",
        "radial::x=4,y=4,shiftx=1,shifty=2,radius=10,pts=4",
    ],
)
def test_radial_has_its_corners_half_a_step_off_north(text: str) -> None:
    polygon = parse_polygon(text)
    side = 10 * sin(radians(45))
    expected = [(5 + side, 6 + side), (5 + side, 6 - side), (5 - side, 6 - side)]
    assert polygon.points[:3] == tuple(pytest.approx(point) for point in expected)
    assert all(dist(point, (5, 6)) == pytest.approx(10) for point in polygon.points)


def test_corners_are_snapped_unless_that_breaks_the_polygon() -> None:
    assert parse_polygon("radial:0,0,10,4,1").points[0] == (7, 7)
    assert parse_polygon("radial:0,0,10,4,100").points[0] == pytest.approx((7.0710678, 7.0710678))


@pytest.mark.parametrize("turn", ["degs=90", f"rads={pi / 2:.9f}", f"degs=3,rads={pi / 2:.9f}"])
def test_ellipse_is_turned_counter_clockwise_from_east(turn: str) -> None:
    polygon = parse_polygon(f"ellipse:x=0,y=0,major=20,minor=8,pts=4,{turn}")
    assert polygon.points[0] == pytest.approx((0, -10), abs=1e-6)
    assert polygon.points[1] == pytest.approx((4, 0), abs=1e-6)


def test_wedge_sweeps_clockwise_from_left_to_right() -> None:
    polygon = parse_polygon("wedge:x=1,y=2,lang=330,rang=30,range=10,pts=3")
    assert polygon.points[0] == (1, 2)
    assert polygon.points[2] == pytest.approx((1, 12))
    assert len(polygon.points) == 4


def test_range_wedge_begins_off_its_apex() -> None:
    polygon = parse_polygon("format=rangewedge,x=0,y=0,lang=-5,rang=5,range_min=20,range_max=30")
    expected = (30 * sin(radians(5)), 30 * cos(radians(5)))
    assert polygon.points[1] == pytest.approx(expected)
    assert min(y for _, y in polygon.points) == pytest.approx(20 * cos(radians(5)))


@pytest.mark.parametrize("head", ["pylon:", "format=pylon,"])
def test_pylon_is_a_padded_segment(head: str) -> None:
    polygon = parse_polygon(head + "x1=0,y1=0,x2=30,y2=0,axis_pad=5,perp_pad=8")
    xs, ys = zip(*polygon.points, strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((-5, 35, -8, 8))


def test_a_pylon_lies_along_its_segment_in_any_direction() -> None:
    # From (10, 20) to (40, 60): ahead is (0.6, 0.8), to starboard (0.8, -0.6).
    polygon = parse_polygon("pylon:x1=10,y1=20,x2=40,y2=60,axis_pad=5,perp_pad=10")
    corners = [(-1, 22), (35, 70), (51, 58), (15, 10)]
    assert polygon.points == tuple(pytest.approx(corner) for corner in corners)


@pytest.mark.parametrize("degrees", [0, 30, 110, -75])
def test_every_corner_of_a_turned_ellipse_lies_on_it(degrees: int) -> None:
    text = f"ellipse:x=7,y=-3,major=20,minor=8,pts=12,degs={degrees}"
    turn, found = radians(degrees), parse_polygon(text).points
    for x, y in found:
        along = (x - 7) * cos(turn) + (y + 3) * sin(turn)
        across = (y + 3) * cos(turn) - (x - 7) * sin(turn)
        assert (along / 10) ** 2 + (across / 4) ** 2 == pytest.approx(1)
    assert len(found) == 12


def test_a_range_wedge_from_no_range_on_has_its_apex_once() -> None:
    polygon = parse_polygon("rangewedge:x=1,y=2,lang=0,rang=90,range_max=10")
    corners = [(1, 12), (11, 2), (1, 2)]
    assert polygon.points == tuple(pytest.approx(corner) for corner in corners)


@pytest.mark.parametrize("heading", [0, 30, 90, 200.5])
def test_an_oval_no_longer_than_wide_is_a_circle(heading: float) -> None:
    circle = parse_polygon(f"oval:x=3,y=4,rad=10,len=20,ang={heading}")
    assert len(circle.points) == 360 / 15
    assert all(dist(point, (3, 4)) == pytest.approx(10) for point in circle.points)


@pytest.mark.parametrize(("step", "corners"), [(180, 4), (90, 6), (1, 362)])
def test_the_ends_of_an_oval_have_a_corner_at_each_angle_step(step: int, corners: int) -> None:
    oval = parse_polygon(f"oval:x=0,y=0,rad=10,len=30,ang=0,draw_degs={step}")
    assert len(oval.points) == corners


def test_oval_has_its_length_and_width() -> None:
    polygon = parse_polygon("oval:x=5,y=0,rad=10,len=60,ang=90")
    xs, ys = zip(*polygon.points, strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((-25, 35, -10, 10))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0,0:9,0", "at least 3 corners"),
        ("0,0:5,0:9,0", "at least 3 corners"),
        ("0,0:10,0:2,2:0,10", "convex"),
        ("0,0:10,10:10,0:0,10", "convex"),
        ("pts={0,0:x,9}", "points x,y"),
        ("format=star,x=0,y=0", "format to be one of radial"),
        ("format=radial,x=0,y=0,radius=5,pts=2", "3 to 10000"),
        ("format=radial,x=0,y=0,radius=5,pts=4.5", "a whole number, 3 to 10000"),
        ("format=radial,x=0,y=0,radius=-5,pts=4", "radius = -5: expected a number above 0"),
        ("radial:0,0,5", "radial:x,y,radius,points"),
        ("0,0:9,0:9,9:l0,9", "'l0,9'"),
        ("radial::x=0,y=0,radius=5,pts=4,speed=2", "found speed"),
        ("oval:x=0,y=0,rad=10,len=15,ang=0", "twice rad"),
        ("oval:x=0,y=0,rad=10,len=30,ang=0,draw_degs=0", "draw_degs of 1 to 180"),
        ("oval:x=0,y=0,rad=10,len=30,ang=0,draw_degs=181", "draw_degs of 1 to 180"),
        (f"radial::x={'1' * 400},y=0,radius=10,pts=4", "x = 1+: expected a number"),
        ("rangewedge:x=0,y=0,lang=0,rang=5,range_min=9,range_max=5", "below range_max"),
        ("ellipse:x=0,y=0,major=2,minor=1,pts=8", "degs is missing: expected a number"),
    ],
)
def test_a_polygon_that_is_not_convex_is_refused(text: str, expected: str) -> None:
    with pytest.raises(PolygonError, match=expected):
        parse_polygon(text)


def test_star_that_turns_twice_is_not_convex() -> None:
    star = tuple((sin(radians(144 * k)), cos(radians(144 * k))) for k in range(5))
    assert not is_convex(star)


@pytest.mark.parametrize("polygon", [SQUARE, Polygon(SQUARE.points[::-1])])
def test_boundary_is_inside(polygon: Polygon) -> None:
    for inside in ((5, 5), (0, 5), (10, 10)):
        assert polygon.contains(inside)
    for outside in ((-0.01, 5), (5, 10.01)):
        assert not polygon.contains(outside)


def test_distances_are_to_the_nearest_point_of_the_boundary() -> None:
    assert SQUARE.distance_to_edge((4, 3)) == 3
    assert SQUARE.distance((4, 3)) == 0
    assert SQUARE.distance((13, 14)) == 5
    assert SQUARE.distance((5, -2)) == 2


def test_nearest_point_is_the_point_itself_inside_and_on_the_boundary_outside() -> None:
    assert SQUARE.nearest((4, 3)) == (4, 3)
    assert SQUARE.nearest((5, -2)) == (5, 0)
    assert SQUARE.nearest((14, 13)) == (10, 10)


@pytest.mark.parametrize("backwards", [False, True])
def test_corners_in_sight_are_those_of_edges_that_face_the_point(backwards: bool) -> None:
    points = SQUARE.points[::-1] if backwards else SQUARE.points
    seen = {p for p, s in zip(points, Polygon(points).in_sight((5, -3)), strict=True) if s}
    assert seen == {(0, 0), (10, 0)}
    seen = {p for p, s in zip(points, Polygon(points).in_sight((-5, -3)), strict=True) if s}
    assert seen == {(0, 0), (10, 0), (0, 10)}


def test_ray_meets_the_nearest_edge_ahead() -> None:
    assert SQUARE.ray_distance((-5, 5), 90) == pytest.approx(5)
    assert SQUARE.ray_distance((5, 5), 90) == pytest.approx(5)
    assert SQUARE.ray_distance((-5, 5), 270) is None
    assert SQUARE.ray_distance((-5, 15), 90) is None


def test_centres() -> None:
    triangle = Polygon(((0, 0), (9, 0), (0, 9)))
    assert triangle.centroid == pytest.approx((3, 3))
    assert triangle.center == (4.5, 4.5)
    assert triangle.moved(1, 2).center == (5.5, 6.5)


@settings(max_examples=40)
@given(
    by=st.floats(0.1, 50),
    count=st.integers(3, 9),
    backwards=st.booleans(),
)
def test_grown_polygon_is_larger_by_the_distance(by: float, count: int, backwards: bool) -> None:
    points = parse_polygon(f"radial:3,-4,20,{count}").points
    small = Polygon(points[::-1] if backwards else points)
    large = small.grown(by)
    assert all(small.distance(point) == pytest.approx(by) for point in large.points)
    perimeter = sum(dist(a, b) for a, b in small.edges)
    exact = area(small) + perimeter * by + pi * by**2
    assert area(large) <= exact <= area(large) + 0.02 * pi * by**2
