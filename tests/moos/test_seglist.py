"""Lists of points in each of MOOS-IvP's notations."""

from __future__ import annotations

from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.moos.seglist import SegListError, parse_seglist

ALPHA = ((60, -40), (60, -160), (150, -160), (180, -100), (150, -40))


@pytest.mark.parametrize(
    "text",
    [
        "60,-40:60,-160:150,-160:180,-100:150,-40",
        " 60,-40 : 60,-160 : 150,-160 : 180,-100 : 150,-40 ",
        "pts:60,-40:60,-160:150,-160:180,-100:150,-40",
        "points:60,-40:60,-160:150,-160:180,-100:150,-40",
        "pts={60,-40:60,-160:150,-160:180,-100:150,-40}",
        "pts = {60,-40:60,-160:150,-160:180,-100:150,-40}",
        "pts={x=60,y=-40:x=60, y=-160:150,-160:180,-100:150,-40}",
    ],
)
def test_points_are_read_from_every_plain_notation(text: str) -> None:
    seglist = parse_seglist(text)
    assert seglist.points == ALPHA
    assert not seglist.fields


@pytest.mark.parametrize(
    "text",
    [
        "pts={0,0:50,0},label=survey,edge_color=white",
        "label=survey,pts={0,0:50,0},edge_color=white",
        "label,survey:0,0:50,0:edge_color,white",
    ],
)
def test_other_fields_are_kept(text: str) -> None:
    seglist = parse_seglist(text)
    assert seglist.points == ((0, 0), (50, 0))
    assert seglist.fields == {"label": "survey", "edge_color": "white"}


def test_every_property_of_a_drawn_shape_of_moos_ivp_is_kept_in_each_notation() -> None:
    # XYObject::set_param of MOOS-IvP has these names, and no others.
    names = (
        *("label", "msg", "type", "id", "source", "vsource", "active", "time", "duration", "dur"),
        *("label_color", "vertex_color", "edge_color", "fill_color", "fill_transparency"),
        *("vertex_size", "edge_size"),
    )
    expected = dict.fromkeys(names, "1")
    for separator, equals, points in (
        (":", ",", "0,0:50,0"),
        (",", "=", "pts={0,0:50,0}"),
        (",", "=", "format=bowtie,x=0,y=0,height=9,wid1=1,wid2=2,wid3=3"),
        (",", "=", "format=lawnmower,x=0,y=0,width=9,height=9,swath=3"),
    ):
        given = [f"{name.upper()}{equals}1" for name in names]
        assert parse_seglist(separator.join([points, *given])).fields == expected


@pytest.mark.parametrize(
    "text",
    ["5,-6,90", "x=5,y=-6,heading=90", "x=5, y=-6, z=3", "pts={5,-6,90}", "pts={5,-6,hot,1}"],
)
def test_a_place_to_start_from_is_a_place_to_go_to(text: str) -> None:
    assert parse_seglist(text).points == ((5, -6),)


@pytest.mark.parametrize("text", ["5,-6:7,8:", "5,-6,:7,8,", "pts={5,-6:7,8:}", "pts={5,-6,:7,8,}"])
def test_a_trailing_separator_is_ignored(text: str) -> None:
    assert parse_seglist(text).points == ((5, -6), (7, 8))


def test_single_point_is_a_list() -> None:
    assert parse_seglist("0,-20").points == ((0, -20),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "points x,y"),
        ("60", "points x,y"),
        ("60,-40:6O,-160", "'6O,-160'"),
        ("60,-40:l60,-160:150,-160", "'l60,-160'"),
        ("O,0:60,-160:150,-160", "'O,0'"),
        ("60,-40:nan,0", "'nan,0'"),
        ("60,-40:x,5", "'x,5'"),
        ("60,-40:lable,survey", "the nearest is label"),
        ("60,-40::60,-160", "points x,y"),
        ("60,-40::", "points x,y"),
        ("1e,0", "points x,y"),
        ("pts={}", "points x,y"),
        ("60,-40,far", "points x,y"),
        ("60,-40,1,2", "points x,y"),
        ("pts={0,0:bad,5}", "'bad,5'"),
        ("pts=0,0:1,1", "braces"),
        ("pts=0,0:1,1}", "braces"),
        ("label,foo", "at least one point"),
        ("zigzag:0,0,90,100,20", "zigzag:x,y,angle"),
        ("zigzag:0,0,90,100,-20,10", "above 0"),
        ("zigzag:0,0,90,0,20,10", "above 0"),
        ("zigzag:0,0,90,100,20,10,-1", "snap of at least 0"),
        ("format=spiral,x=0,y=0", "found 'spiral'"),
        (
            "format=lawnmower,x=0,y=0,width=40,height=20",
            "lane_width is missing: expected a number above 0",
        ),
        (
            "format=lawnmower,x=0,y=0,width=0,height=20,swath=5",
            "width = 0: expected a number above 0",
        ),
        ("format=bowtie,x=0,y=0,height=80,wid1=10,wid2=20", "wid3 is missing: expected a number"),
    ],
)
def test_error_contains_the_expected_form(text: str, expected: str) -> None:
    with pytest.raises(SegListError, match=expected):
        parse_seglist(text)


LANES = "format=lawnmower,x=0,y=0,width=9,height=20,swath=5"


@pytest.mark.parametrize(
    ("text", "meant", "doubt"),
    [
        ("pts={0,0:50,0},edgecolor=red", "0,0:50,0", "edgecolor is no field of it, and ignored"),
        ("pts={0,0:50,0},60,-160", "0,0:50,0", "60 is no field"),
        ("pts={0,0:50,0", "0,0:50,0", "expected } behind the points"),
        (f"{LANES},deg=45", LANES, "the nearest is degs"),
        (f"{LANES},degs=north", LANES, "degs = north: expected a number; it is ignored"),
        (f"{LANES},rows=up", f"{LANES},rows=ew", "rows = up: expected one of ew, east-west, ns"),
        (f"{LANES},snap=-1", LANES, "snap = -1: expected a number at least 0; it is ignored"),
        (
            "format=bowtie,x=0,y=0,height=9,wid1=1,wid2=2,wid3=3,wid4=4",
            "format=bowtie,x=0,y=0,height=9,wid1=1,wid2=2,wid3=3",
            "wid4 is no field",
        ),
    ],
)
def test_what_moos_ivp_ignores_in_a_list_is_ignored_and_a_doubt(
    text: str, meant: str, doubt: str
) -> None:
    found = parse_seglist(text)
    assert found.points == parse_seglist(meant).points
    assert any(doubt in one for one in found.doubts)
    assert not parse_seglist(meant).doubts


def test_zigzag_swings_a_quarter_period_after_its_start_and_every_half_then() -> None:
    assert parse_seglist("zigzag:10,20,90,50,20,5").points == (
        (10, 20), (15, 25), (25, 15), (35, 25), (45, 15), (55, 25)
    )  # fmt: skip


def test_a_zigzag_may_be_as_small_as_one_likes() -> None:
    assert parse_seglist("zigzag:0,0,0,0.5,1,0.25,0").points == ((0, 0), (-0.25, 0.25))


def test_without_a_start_a_lawnmower_enters_at_the_corner_nearest_the_origin() -> None:
    block = "format=lawnmower,x={},y={},width=40,height=20,swath=10"
    for x, y, corner in ((50, 50, (30, 40)), (-50, -50, (-30, -40)), (50, -50, (30, -40))):
        first = parse_seglist(block.format(x, y).replace("format", "FORMAT")).points[0]
        assert first == pytest.approx(corner)


def test_zigzag_snaps_to_the_grid_it_names() -> None:
    points = parse_seglist("zigzag:0,0,45,100,40,10,5").points
    assert all(x % 5 == 0 and y % 5 == 0 for x, y in points)


def test_lawnmower_lays_lanes_over_the_block() -> None:
    text = "format=lawnmower,x=0,y=0,width=40,height=20,lane_width=10,rows={},startx={},starty={}"
    assert parse_seglist(text.format("ns", -20, 10)).points == (
        (-20, 10), (-20, -10), (-10, -10), (-10, 10), (0, 10),
        (0, -10), (10, -10), (10, 10), (20, 10), (20, -10),
    )  # fmt: skip
    assert parse_seglist(text.format("ew", -20, 10)).points == (
        (-20, 10), (20, 10), (20, 0), (-20, 0), (-20, -10), (20, -10)
    )  # fmt: skip


@pytest.mark.parametrize("corner", [(-20, -10), (-20, 10), (20, -10), (20, 10)])
@pytest.mark.parametrize("rows", ["north-south", "east-west"])
def test_lawnmower_enters_at_the_corner_nearest_its_start(
    corner: tuple[float, float], rows: str
) -> None:
    points = parse_seglist(
        f"lawnmower:x=0,y=0,width=40,height=20,swath=10,rows={rows},"
        f"startx={corner[0] * 2},starty={corner[1] * 2}"
    ).points
    assert points[0] == corner


@given(st.integers(0, 359))
def test_turned_lawnmower_is_the_plain_one_turned(degrees: int) -> None:
    text = "format=lawnmower,x=3,y=4,width=40,height=20,swath=9,startx=3,starty=4,degs={}"
    turn = radians(degrees)
    plain = sorted(
        (
            round(3 + (x - 3) * cos(turn) + (y - 4) * sin(turn), 3),
            round(4 + (y - 4) * cos(turn) - (x - 3) * sin(turn), 3),
        )
        for x, y in parse_seglist(text.format(0)).points
    )
    turned = sorted(
        (round(x, 3), round(y, 3)) for x, y in parse_seglist(text.format(degrees)).points
    )
    for one, other in zip(plain, turned, strict=True):
        assert one == pytest.approx(other, abs=0.0021)


BOWTIE = {
    "ne": [(-10, -40), (-20, -40), (-30, 0), (-20, 40), (-10, 40),
           (10, -40), (20, -40), (30, 0), (20, 40), (10, 40)],
    "se": [(-10, 40), (-20, 40), (-30, 0), (-20, -40), (-10, -40),
           (10, 40), (20, 40), (30, 0), (20, -40), (10, -40)],
    "sw": [(10, 40), (20, 40), (30, 0), (20, -40), (10, -40),
           (-10, 40), (-20, 40), (-30, 0), (-20, -40), (-10, -40)],
    "nw": [(10, -40), (20, -40), (30, 0), (20, 40), (10, 40),
           (-10, -40), (-20, -40), (-30, 0), (-20, 40), (-10, 40)],
}  # fmt: skip


@pytest.mark.parametrize(
    ("start", "quarter"),
    [
        ("", "ne"),
        (",startx=40,starty=40", "ne"),
        (",startx=0,starty=40", "ne"),
        (",startx=40,starty=0", "se"),
        (",startx=40,starty=-40", "se"),
        (",startx=0,starty=-40", "sw"),
        (",startx=-40,starty=-40", "sw"),
        (",startx=-40,starty=0", "nw"),
        (",startx=-40,starty=40", "nw"),
    ],
)
def test_bowtie_goes_round_both_wings_by_the_quarter_of_its_start(start: str, quarter: str) -> None:
    text = f"format=bowtie,x=0,y=0,height=80,wid1=10,wid2=20,wid3=30{start},label=bow"
    seglist = parse_seglist(text)
    assert list(seglist.points) == BOWTIE[quarter]
    assert seglist.fields == {"label": "bow"}
