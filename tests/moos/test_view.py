"""Texts for viewers, in MOOS-IvP's form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.moos import view
from steerageway.moos.seglist import parse_seglist


def test_drawing_hints_keep_the_moos_ivp_order_and_omit_unset_ones() -> None:
    assert view.look() == ""
    assert (
        view.look(
            vertex_size=5, label="alpha's nextpt", edge_size=1.25, vertex_color="yellow",
            msg="hi", label_color="gray70", edge_color="white",
        )
        == "label=alpha's nextpt,msg=hi,label_color=gray70,edge_color=white,vertex_color=yellow,"
        "vertex_size=5,edge_size=1.2"
    )  # fmt: skip


def test_point_has_two_decimals_at_most() -> None:
    assert (
        view.point((60.0, -40.126), "label=a", active=True) == "x=60,y=-40.13,active=true,label=a"
    )
    assert view.point((0, 0), "label=a", active=False) == "x=0,y=0,active=false,label=a"


def test_seglist_has_one_decimal_by_default() -> None:
    points = [(60.0, -40.0), (1.2345, 0.05)]
    assert view.seglist(points, "label=a") == "pts={60,-40:1.2,0.1},label=a"
    assert view.seglist(points, "label=a", digits=3) == "pts={60,-40:1.234,0.05},label=a"


def test_erased_seglist_names_its_label() -> None:
    assert view.erased_seglist("a_b") == "pts={0,0:9,0:0,9},active=false,label=a_b"


@pytest.mark.slow
@given(st.lists(st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4)), min_size=1, max_size=5))
def test_seglist_is_read_back_within_its_precision(points: list[tuple[float, float]]) -> None:
    read = parse_seglist(view.seglist(points, "label=a", digits=3)).points
    for one, other in zip(points, read, strict=True):
        assert other == pytest.approx(one, abs=0.00051)


@pytest.mark.parametrize(
    "text",
    ["yellow", "dodger_blue", "DodgerBlue", "gray70", "grey5", "gray100", "off", "invisible",
     "hex:ff,00,80", "1:0.5:0"],
)  # fmt: skip
def test_colour_is_known(text: str) -> None:
    assert view.is_color(text)


@pytest.mark.parametrize("text", ["", "yelow", "gray101", "hex:gg,0,0", "1:2:0", "1:0"])
def test_colour_is_unknown(text: str) -> None:
    assert not view.is_color(text)


def test_the_nearest_colour_is_named() -> None:
    assert view.near_color("yelow") == "; the nearest is yellow"
    assert view.near_color("mauvish") == ""
