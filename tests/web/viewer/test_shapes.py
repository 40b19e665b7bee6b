"""Parsing of VIEW_* messages to shapes."""

from __future__ import annotations

from math import dist

import pytest

from steerageway.web.viewer.colors import css_color
from steerageway.web.viewer.shapes import KINDS, ShapeError, apply_delta, label_of, parse_shape

# One of each format that the field documents, and what of it is plain to see.
EXAMPLES = [
    ("VIEW_POINT", "x=1,y=2,active=true,label=a", {"x": 1, "y": 2, "label": "a"}),
    ("VIEW_POINT", "4,5:label,foo:msg,hi", {"x": 4, "y": 5, "label": "foo", "msg": "hi"}),
    ("VIEW_SEGLIST", "pts={0,0:3,4},label=q", {"pts": [[0, 0], [3, 4]]}),
    ("VIEW_SEGLIST", "0,0:3,4:label,q", {"pts": [[0, 0], [3, 4]], "label": "q"}),
    ("VIEW_POLYGON", "pts={0,0:1,1:0,2},label=p", {"pts": [[0, 0], [1, 1], [0, 2]]}),
    ("VIEW_POLYGON", "format=radial,x=0,y=0,radius=10,pts=8,label=r", {"label": "r"}),
    ("VIEW_CIRCLE", "x=1,y=2,radius=4,label=c", {"x": 1, "y": 2, "radius": 4}),
    ("VIEW_OVAL", "x=0,y=0,rad=5,len=30,ang=90,draw_degs=5", {}),
    (
        "VIEW_MARKER",
        "x=1,y=2,width=6,type=gateway,primary_color=red",
        {"shape": "gateway", "width": 6, "primary": "red"},
    ),
    ("VIEW_RANGE_PULSE", "x=1,y=2,radius=30,label=p", {"radius": 30, "fill": 0.25}),
    ("VIEW_COMMS_PULSE", "sx=0,sy=0,tx=9,ty=0,beam_width=7,label=p", {"tx": 9, "width": 7}),
    ("VIEW_VECTOR", "X=0,Y=0,ANG=90,MAG=12", {"angle": 90, "mag": 12}),
    ("VIEW_ARROW", "ctrx=0,ctry=0,ang=0,blen=20,hlen=10", {}),
    ("VIEW_WEDGE", "x=0,y=0,rad_low=5,rad_hgh=9,ang_low=350,ang_hgh=10", {}),
    ("VIEW_SEGLR", "pts={0,0:0,9},ray=45,ray_len=8,label=s", {"ray": 45, "ray_len": 8}),
    (
        "VIEW_TEXTBOX",
        'x=0,y=0,msg="hello, sea",msg="two",fsize=14,label=t',
        {"lines": ["hello, sea", "two"], "size": 14},
    ),
    (
        "VIEW_GRID",
        "pts={0,0:10,0:10,10:0,10},cell_size=5,cell_vars=x:1,cell=3:x:7,label=psg",
        {"size": 5, "cells": [[0, 0, 1], [0, 5, 1], [5, 0, 1], [5, 5, 7]]},
    ),
]


@pytest.mark.parametrize(("variable", "text", "shown"), EXAMPLES)
def test_every_documented_format_is_drawn(variable, text, shown):
    shape = parse_shape(variable, text)
    assert shape["active"]
    assert {key: shape[key] for key in shown} == shown


def test_all_kinds_have_an_example():
    assert {variable for variable, *_ in EXAMPLES} == KINDS.keys()


@pytest.mark.parametrize(("variable", "text", "shown"), EXAMPLES)
def test_a_label_is_found_without_reading_the_rest(variable, text, shown):
    assert label_of(variable, text) == parse_shape(variable, text)["label"]


def test_label_colours_are_no_labels():
    text = "x=0,y=0,label_color=red,label=mine"
    assert label_of("VIEW_POINT", text) == "mine"


@pytest.mark.parametrize("variable", ["VIEW_POLYGON", "VIEW_POINT", "VIEW_CIRCLE"])
def test_erasing_needs_no_geometry(variable):
    assert not parse_shape(variable, "label=x,active=false")["active"]


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("VIEW_POINT", "x=1"),
        ("VIEW_CIRCLE", "x=1,y=2"),
        ("VIEW_CIRCLE", "x=1,y=2,radius=3,edgecolor=red"),
        ("VIEW_POINT", "l4,5:label,foo"),
        ("VIEW_SEGLIST", "pts={a,b}"),
        ("VIEW_MARKER", "x=0,y=0,type=whale"),
        ("VIEW_POINT", ""),
    ],
)
def test_an_undrawable_shape_is_reported_with_the_expected_form(variable, text):
    with pytest.raises(ValueError, match="expected"):
        parse_shape(variable, text)


def test_a_polygon_that_is_not_convex_is_drawn_for_a_person_to_see():
    star = parse_shape("VIEW_POLYGON", "pts={0,0:10,0:1,1:0,10},label=star")
    assert len(star["pts"]) == 4


def test_an_oval_has_its_length_and_width():
    points = parse_shape("VIEW_OVAL", "x=3,y=4,rad=5,len=30,ang=90")["pts"]
    xs, ys = zip(*points, strict=True)
    assert (max(xs) - min(xs), max(ys) - min(ys)) == pytest.approx((30, 10))


def test_an_arrow_points_along_its_angle():
    points = parse_shape("VIEW_ARROW", "ctrx=0,ctry=0,ang=90,blen=20,hlen=10")["pts"]
    tip = max(points)
    assert tip == pytest.approx([15, 0])


def test_a_wedge_lies_between_its_radii():
    points = parse_shape("VIEW_WEDGE", "x=1,y=1,rad_low=5,rad_hgh=9,ang_low=350,ang_hgh=10")["pts"]
    ranges = {round(dist(point, (1, 1))) for point in points}
    assert ranges == {5, 9}
    assert all(y > 1 for _, y in points)


def test_grid_deltas_add_replace_and_average():
    text = "pts={0,0:10,0:10,10:0,10},cell_size=5,cell_vars=x:1,label=psg"
    grid = parse_shape("VIEW_GRID", text)
    apply_delta(grid, "psg@0,x,2:1,5")
    apply_delta(grid, "psg@replace@2,x,9")
    apply_delta(grid, "psg@avg@3,x,3")
    assert [value for *_, value in grid["cells"]] == [3, 6, 9, 2]
    with pytest.raises(ShapeError, match="cell's number"):
        apply_delta(grid, "psg@99,x,1")


@pytest.mark.parametrize(
    ("text", "css"),
    [
        ("red", "red"),
        ("Dodger_Blue", "dodgerblue"),
        ("navyblue", "#000080"),
        ("gray50", "rgb(127,127,127)"),
        ("hex:ff,0,80", "#ff0080"),
        ("1:0:0.5", "rgb(255,0,128)"),
        ("invisible", "none"),
        ("url(http://evil)", None),
        ("red;background:url(x)", None),
        ("", None),
    ],
)
def test_colours_are_converted_for_the_page_and_nothing_else_is(text, css):
    assert css_color(text) == css
