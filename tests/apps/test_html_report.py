"""Self-contained HTML reports: hostile texts, and tracks to scale."""

from __future__ import annotations

import re
from math import dist, nan
from xml.etree import ElementTree

import pytest

from steerageway.apps.shared.html_report import Html, Track, element, link, page, table, tracks

HOSTILE = '<img src="http://evil.example/x" onerror="alert(1)">&amp;'


def test_no_text_becomes_markup() -> None:
    parts = [
        element("h2", HOSTILE),
        link(HOSTILE, HOSTILE),
        table([HOSTILE], [[HOSTILE], [3.0], [None]]),
        tracks(HOSTILE, [Track(HOSTILE, [(0.0, 0.0)])]),
        tracks(HOSTILE, []),
        element("p", element("b", HOSTILE)),
    ]
    for part in parts:
        read = ElementTree.fromstring(part)
        assert "img" not in {node.tag for node in read.iter()}
        assert HOSTILE in "".join(read.itertext())
    assert "<img" not in page(HOSTILE, parts)
    assert "script-src" not in page("a", [])
    assert "default-src 'none'" in page("a", [])


@pytest.mark.parametrize("side", [0.4, 37.0, 5200.0])
def test_a_square_is_drawn_square_north_up_and_as_long_as_the_scale_bar_says(side: float) -> None:
    way = [(90.0, -7.0), (90.0 + side, -7.0), (nan, 0.0), (90.0 + side, -7.0 + side)]
    svg = ElementTree.fromstring(tracks("a square", [Track("abe", way)])).find("svg")
    assert svg is not None
    (line,) = svg.iter("polyline")
    corners = [tuple(map(float, p.split(","))) for p in line.attrib["points"].split()]
    first, second, third = corners
    assert (second[0] > first[0], second[1]) == (True, first[1])  # east is to the right
    assert (third[1] < second[1], third[0]) == (True, second[0])  # north is up
    (bar,) = svg.iter("path")
    *_, text = svg.iter("text")
    start, end = map(float, re.findall(r"M(\S+) \S+H(\S+)", bar.attrib["d"])[0])
    metres = float(str(text.text).removesuffix(" m"))
    for length in (dist(first, second), dist(second, third)):
        assert length * metres / (end - start) == pytest.approx(side, rel=0.01)
    assert isinstance(tracks("a square", []), Html)
