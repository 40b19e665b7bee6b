"""Measures of sweeps."""

from __future__ import annotations

import pytest
from scipy.stats import circmean, circstd

from steerageway.apps.experiments.sweep.measures import Measures
from steerageway.bus import Message


def measured(*texts: str, posts: list[tuple[str, float | str | bytes]]) -> dict[str, object]:
    """Return the results of measures for some posts."""
    measures = Measures(texts)
    for name, value in posts:
        measures.take(Message(name, value, 0.0, "pTest"))
    return measures.result()


def test_a_variable_has_a_last_minimum_maximum_and_mean_value_and_a_count() -> None:
    posts = [("A", 2.0), ("B", "x"), ("A", -1.0), ("A", 5.0)]
    texts = ("A", "last A", "min A", "max A", "mean A", "count A", "B")
    found = measured(*texts, posts=posts)
    assert list(found) == list(texts)
    assert list(found.values()) == [5.0, 5.0, -1.0, 5.0, 2.0, 3.0, "x"]


def test_a_variable_has_a_standard_deviation() -> None:
    values = [1e6 + x for x in (2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0)]
    found = measured("std A", posts=[("A", "far"), *(("A", x) for x in values)])
    assert found["std A"] == pytest.approx(2.0, rel=1e-9)
    assert measured("std A", posts=[]) == {"std A": None}


def test_mean_and_deviation_of_an_angle_are_those_of_directions() -> None:
    headings = [350.0, 20.0, 355.0, 359.0]
    texts = ("mean NAV_HEADING", "std NAV_HEADING", "min NAV_HEADING", "mean NAV_X")
    posts = [(name, h) for h in headings for name in ("NAV_HEADING", "NAV_X")]
    mean, deviation, least, plain = measured(*texts, posts=posts).values()
    assert mean == pytest.approx(circmean(headings, high=360), abs=1e-9)
    assert deviation == pytest.approx(circstd(headings, high=360), abs=1e-9)
    assert (least, plain) == (20.0, pytest.approx(271.0))
    opposite = [("NAV_HEADING", 90.0), ("NAV_HEADING", 270.0)]
    assert measured("mean NAV_HEADING", posts=opposite) == {"mean NAV_HEADING": None}


def test_a_variable_never_posted_has_no_value_but_a_count() -> None:
    assert measured("A", "min A", "mean A", "count A", posts=[]) == {
        "A": None,
        "min A": None,
        "mean A": None,
        "count A": 0.0,
    }


def test_texts_have_no_extremes_and_bytes_are_shown() -> None:
    found = measured("max A", "B", "count A", posts=[("A", "far"), ("B", b"\x00"), ("A", "near")])
    assert found == {"max A": None, "B": "b'\\x00'", "count A": 2.0}


@pytest.mark.parametrize("text", ["", "median A", "min A B"])
def test_anything_else_is_no_measure(text: str) -> None:
    with pytest.raises(ValueError):
        Measures((text,))
