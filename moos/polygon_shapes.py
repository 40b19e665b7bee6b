"""The corners of shapes that are told by their measures; see ``moos.polygon`` for how.

Source: the field's XYFormatUtilsPoly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import atan2, cos, degrees, pi, radians, sin, tau

from moos.seglist import Point
from moos.values import is_number

_ARC = 16  # points of a wedge's arc unless told otherwise
_OVAL_STEP = 15.0  # degrees between points of an oval's ends


class PolygonError(ValueError):
    """A text is no convex polygon; it says what was expected."""


def number(fields: Mapping[str, str], name: str, default: float | None = None) -> float:
    """Read one of the measures.

    Raises:
        PolygonError: it is no number, or missing without a default.
    """
    text = fields.get(name)
    if text is None and default is not None:
        return default
    if text is None or not is_number(text):
        raise PolygonError(f"expected a number for {name}")
    return float(text)


def _positive(fields: Mapping[str, str], name: str) -> float:
    value = number(fields, name)
    if value <= 0:
        raise PolygonError(f"expected {name} above 0")
    return value


def _count(fields: Mapping[str, str], least: int, default: float | None = None) -> int:
    value = number(fields, "pts", default)
    if value < least or value != int(value):
        raise PolygonError(f"expected pts to be a whole number, {least} or more")
    return int(value)


def _project(point: Point, heading: float, way: float) -> Point:
    return point[0] + way * sin(radians(heading)), point[1] + way * cos(radians(heading))


def _arc(centre: Point, radius: float, start: float, sweep: float, count: int) -> tuple[Point, ...]:
    headings = (start + sweep * k / (count - 1) for k in range(count))
    return tuple(_project(centre, heading, radius) for heading in headings)


def _place(fields: Mapping[str, str]) -> Point:
    return number(fields, "x"), number(fields, "y")


def _radial(fields: Mapping[str, str]) -> tuple[Point, ...]:
    x, y = _place(fields)
    centre = (x + number(fields, "shiftx", 0.0), y + number(fields, "shifty", 0.0))
    step, count = 360.0 / _count(fields, 3), _count(fields, 3)
    return tuple(
        _project(centre, step / 2 + k * step, _positive(fields, "radius")) for k in range(count)
    )


def _ellipse(fields: Mapping[str, str]) -> tuple[Point, ...]:
    (x, y), count = _place(fields), _count(fields, 4)
    a, b = _positive(fields, "major") / 2, _positive(fields, "minor") / 2
    turn = number(fields, "rads") if "rads" in fields else radians(number(fields, "degs"))
    angles = [-pi + tau * k / count for k in range(count)]
    return tuple(
        (
            x + a * cos(t) * cos(turn) - b * sin(t) * sin(turn),
            y + b * sin(t) * cos(turn) + a * cos(t) * sin(turn),
        )
        for t in angles
    )


def _wedge(fields: Mapping[str, str]) -> tuple[Point, ...]:
    apex, left = _place(fields), number(fields, "lang")
    sweep = (number(fields, "rang") - left) % 360
    arc = _arc(apex, _positive(fields, "range"), left, sweep, _count(fields, 2, _ARC))
    return (apex, *arc)


def _range_wedge(fields: Mapping[str, str]) -> tuple[Point, ...]:
    apex, left = _place(fields), number(fields, "lang")
    sweep = (number(fields, "rang") - left) % 360
    near, far = number(fields, "range_min", 0.0), _positive(fields, "range_max")
    if not 0 <= near < far:
        raise PolygonError("expected range_min of 0 or more, below range_max")
    count = _count(fields, 2, 2)
    inner = _arc(apex, near, left, sweep, count) if near > 0 else (apex,)
    return (*_arc(apex, far, left, sweep, count), *reversed(inner))


def _pylon(fields: Mapping[str, str]) -> tuple[Point, ...]:
    one = (number(fields, "x1"), number(fields, "y1"))
    other = (number(fields, "x2"), number(fields, "y2"))
    heading = degrees(atan2(other[0] - one[0], other[1] - one[1]))
    along, across = number(fields, "axis_pad"), _positive(fields, "perp_pad")
    ends = (_project(one, heading + 180, along), _project(other, heading, along))
    port, starboard = ([_project(end, heading + s, across) for end in ends] for s in (-90, 90))
    return (*port, *reversed(starboard))


def _oval(fields: Mapping[str, str]) -> tuple[Point, ...]:
    centre, heading = _place(fields), number(fields, "ang")
    radius, length = _positive(fields, "rad"), _positive(fields, "len")
    if length < 2 * radius:
        raise PolygonError("expected len of twice rad or more")
    count = int(180 / number(fields, "draw_degs", _OVAL_STEP)) + 1
    fore = _project(centre, heading, length / 2 - radius)
    aft = _project(centre, heading + 180, length / 2 - radius)
    return (
        *_arc(fore, radius, heading - 90, 180, count),
        *_arc(aft, radius, heading + 90, 180, count),
    )


# Each shape by its name: what makes its corners of its measures, and what these are called.
SHAPES: dict[str, tuple[Callable[[Mapping[str, str]], tuple[Point, ...]], tuple[str, ...]]] = {
    "radial": (_radial, ("x", "y", "radius", "pts", "shiftx", "shifty")),
    "ellipse": (_ellipse, ("x", "y", "major", "minor", "pts", "degs", "rads")),
    "wedge": (_wedge, ("x", "y", "lang", "rang", "range", "pts")),
    "piewedge": (_wedge, ("x", "y", "lang", "rang", "range", "pts")),
    "rangewedge": (_range_wedge, ("x", "y", "lang", "rang", "range_min", "range_max", "pts")),
    "pylon": (_pylon, ("x1", "y1", "x2", "y2", "axis_pad", "perp_pad")),
    "oval": (_oval, ("x", "y", "rad", "len", "ang", "draw_degs")),
}
