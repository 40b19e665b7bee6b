"""Corners of polygons from the measures of a shape (radial, ellipse, wedge, ...).

Source: MOOS-IvP's XYFormatUtilsPoly.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, degrees, pi, radians, sin, tau

from steerageway.moos.measures import Measures
from steerageway.moos.seglist import Point, project

_ARC = 16  # points of a wedge's arc by default
MOST_CORNERS = 10_000  # of a polygon given by its measures
_OVAL_STEP = 15.0  # degrees between points of an oval's ends


class PolygonError(ValueError):
    """A text is no convex polygon; the message says what was expected."""


def _count(m: Measures, least: int, default: float | None = None) -> int:
    value = m.value("pts", default)
    if not least <= value <= MOST_CORNERS or value != int(value):
        raise PolygonError(f"expected pts to be a whole number, {least} to {MOST_CORNERS}")
    return int(value)


def _arc(centre: Point, radius: float, start: float, sweep: float, count: int) -> tuple[Point, ...]:
    headings = (start + sweep * k / (count - 1) for k in range(count))
    return tuple(project(centre, heading, radius) for heading in headings)


def _place(m: Measures) -> Point:
    return m.value("x"), m.value("y")


def _radial(m: Measures) -> tuple[Point, ...]:
    x, y = _place(m)
    centre = (x + m.value("shiftx", 0.0), y + m.value("shifty", 0.0))
    step, count = 360.0 / _count(m, 3), _count(m, 3)
    return tuple(project(centre, step / 2 + k * step, m.positive("radius")) for k in range(count))


def _ellipse(m: Measures) -> tuple[Point, ...]:
    (x, y), count = _place(m), _count(m, 4)
    a, b = m.positive("major") / 2, m.positive("minor") / 2
    turn = m.value("rads") if "rads" in m.fields else radians(m.value("degs"))
    angles = [-pi + tau * k / count for k in range(count)]
    return tuple(
        (
            x + a * cos(t) * cos(turn) - b * sin(t) * sin(turn),
            y + b * sin(t) * cos(turn) + a * cos(t) * sin(turn),
        )
        for t in angles
    )


def _wedge(m: Measures) -> tuple[Point, ...]:
    apex, left = _place(m), m.value("lang")
    sweep = (m.value("rang") - left) % 360
    arc = _arc(apex, m.positive("range"), left, sweep, _count(m, 2, _ARC))
    return (apex, *arc)


def _range_wedge(m: Measures) -> tuple[Point, ...]:
    apex, left = _place(m), m.value("lang")
    sweep = (m.value("rang") - left) % 360
    near, far = m.value("range_min", 0.0), m.positive("range_max")
    if not 0 <= near < far:
        raise PolygonError("expected range_min of 0 or more, below range_max")
    count = _count(m, 2, 2)
    inner = _arc(apex, near, left, sweep, count) if near > 0 else (apex,)
    return (*_arc(apex, far, left, sweep, count), *reversed(inner))


def _pylon(m: Measures) -> tuple[Point, ...]:
    one = (m.value("x1"), m.value("y1"))
    other = (m.value("x2"), m.value("y2"))
    heading = degrees(atan2(other[0] - one[0], other[1] - one[1]))
    along, across = m.value("axis_pad"), m.positive("perp_pad")
    ends = (project(one, heading + 180, along), project(other, heading, along))
    port, starboard = ([project(end, heading + s, across) for end in ends] for s in (-90, 90))
    return (*port, *reversed(starboard))


def _oval(m: Measures) -> tuple[Point, ...]:
    centre, heading = _place(m), m.value("ang")
    radius, length = m.positive("rad"), m.positive("len")
    if length < 2 * radius:
        raise PolygonError("expected len of twice rad or more")
    step = m.value("draw_degs", _OVAL_STEP)
    if not 1 <= step <= 180:
        raise PolygonError("expected draw_degs of 1 to 180")
    count = int(180 / step) + 1
    fore = project(centre, heading, length / 2 - radius)
    aft = project(centre, heading + 180, length / 2 - radius)
    bow = _arc(fore, radius, heading - 90, 180, count)
    stern = _arc(aft, radius, heading + 90, 180, count)
    return bow + (stern[1:-1] if length == 2 * radius else stern)  # in a circle, no corner twice


# Name of a shape -> function from measures to corners, names of the measures.
SHAPES: dict[str, tuple[Callable[[Measures], tuple[Point, ...]], tuple[str, ...]]] = {
    "radial": (_radial, ("x", "y", "radius", "pts", "shiftx", "shifty")),
    "ellipse": (_ellipse, ("x", "y", "major", "minor", "pts", "degs", "rads")),
    "wedge": (_wedge, ("x", "y", "lang", "rang", "range", "pts")),
    "piewedge": (_wedge, ("x", "y", "lang", "rang", "range", "pts")),
    "rangewedge": (_range_wedge, ("x", "y", "lang", "rang", "range_min", "range_max", "pts")),
    "pylon": (_pylon, ("x1", "y1", "x2", "y2", "axis_pad", "perp_pad")),
    "oval": (_oval, ("x", "y", "rad", "len", "ang", "draw_degs")),
}
