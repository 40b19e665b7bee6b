"""Lists of points in MOOS-IvP's notations: plain, abbreviated, or a survey pattern.

    pts={60,-40:60,-160:150,-160},label=survey       x and y [m]
    60,-40:60,-160:150,-160:label,survey
    zigzag:0,0,45,100,20,50,1
    format=lawnmower,x=0,y=40,width=100,height=80,lane_width=8,rows=ns,degs=45
    format=bowtie,x=0,y=0,height=80,wid1=10,wid2=20,wid3=30

A point may have a third number, its height, or a ``heading=90`` after it, as start positions do; in
braces any property. These are ignored. A separator at the end is ignored, too: programs that
concatenate lists leave one. Beside its points a list has only the properties of ``PROPERTIES``.
Anything else may be a mistyped point: in the abbreviated notation it is refused, in the others it
is ignored, as in MOOS-IvP, and a doubt.
A zigzag's numbers: start x, y, angle, length, period, amplitude, and optionally a grid to snap to.
Angles are compass degrees. Source: MOOS-IvP's XYFormatUtilsSegl and XYPatternBlock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, cos, hypot, radians, sin

from steerageway.declarations import Choice, Number, all_finite, finite
from steerageway.diagnostics.nearest import ALIKE, hint
from steerageway.moos.measures import Measures
from steerageway.moos.values import by_key, snap, split_first, split_outside

Point = tuple[float, float]

PROPERTIES = (
    *("active", "label", "msg", "source", "vsource", "id", "type", "time", "duration", "dur"),
    *("label_color", "edge_color", "vertex_color", "fill_color"),
    *("vertex_size", "edge_size", "fill_transparency"),
)
"""Properties of every drawn shape, those of MOOS-IvP's XYObject."""

_PLACES = (("x",), ("y",), ("z", "heading", "hdg"))  # possible keys of a point's numbers
_ROWS = {"ew": "ew", "east-west": "ew", "ns": "ns", "north-south": "ns"}
_LAWNMOWER = (
    *("x", "y", "width", "height", "lane_width", "degs", "startx", "starty", "snap", "rows"),
    "start",  # in MOOS-IvP's own example, and without effect there, too
)
MOST_MADE = 10_000  # turns or lanes of a pattern given by its measures
_OPTIONAL: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("degs", "startx", "starty"), Number()),
    "snap": Number(low=0.0),
    "rows": Choice(*_ROWS),
}
_BOWTIE = ("x", "y", "height", "wid1", "wid2", "wid3", "startx", "starty")


class SegListError(ValueError):
    """A text is no list of points; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class SegList:
    """Points in order.

    Attributes:
        points: (x, y) [m], at least one.
        fields: the properties in the text (label, colours, ...), by their names in lower case.
        doubts: what of the text is ignored, and why.
    """

    points: tuple[Point, ...]
    fields: Mapping[str, str]
    doubts: tuple[str, ...] = ()


def parse_seglist(text: str) -> SegList:
    """Parse a list of points in any of MOOS-IvP's notations.

    Raises:
        SegListError: it has none of them.
    """
    text = text.strip()
    if text.lower().startswith("zigzag:"):
        return SegList(_zigzag(text.split(":", 1)[1]), {})
    if text.lower().startswith("lawnmower:"):
        text = "format=lawnmower," + text.split(":", 1)[1]
    if "pts=" in text.replace(" ", ""):
        return _standard(text)
    if "format=" in text.replace(" ", "").lower():
        return _pattern(text)
    return _abbreviated(text)


def _standard(text: str) -> SegList:
    fields = by_key(text)
    points = fields.pop("pts", "")
    if not points.startswith("{"):
        raise SegListError("expected braces around the points: pts={x,y:x,y}")
    doubts = [] if points.endswith("}") else ["expected } behind the points"]
    listed = split_outside(points[1:].removesuffix("}"), ":") or [""]
    listed_points = tuple(_point(item, with_property=True) for item in listed)
    return SegList(listed_points, *_drawn(fields, (), doubts))


def _abbreviated(text: str) -> SegList:
    for prefix in ("pts:", "points:"):
        text = text.removeprefix(prefix)
    points: list[Point] = []
    fields: dict[str, str] = {}
    for item in split_outside(text, ":") or [""]:
        left, right = split_first(item, ",")
        if left.lower() in PROPERTIES and right:
            fields[left.lower()] = right
        else:
            points.append(_point(item))
    if not points:
        raise SegListError("expected at least one point x,y")
    return SegList(tuple(points), fields)


def _point(text: str, *, with_property: bool = False) -> Point:
    fields = split_outside(text, ",")
    numbers = [_coordinate(field, keys) for field, keys in zip(fields, _PLACES, strict=False)]
    if with_property:
        numbers[2:] = []
    elif len(fields) > len(_PLACES):
        numbers.append(None)
    if len(numbers) < 2 or None in numbers:
        name = fields[0] if fields and fields[0].isidentifier() else ""
        expected = f"expected points x,y separated by colons, found {text.strip()!r}"
        raise SegListError(f"{expected}{hint(name, PROPERTIES, ALIKE)}")
    return numbers[0] or 0.0, numbers[1] or 0.0


def _coordinate(text: str, keys: tuple[str, ...]) -> float | None:
    """Parse a number with or without one of some keys; None if it is none."""
    key, equals, value = (part.strip() for part in text.partition("="))
    given = value if equals and key in keys else text
    return finite(given)


def _pattern(text: str) -> SegList:
    fields = by_key(text)
    kind = fields.pop("format", "").lower()
    if "swath" in fields:
        fields["lane_width"] = fields.pop("swath")
    if kind not in ("lawnmower", "bowtie"):
        raise SegListError(f"expected format=lawnmower or format=bowtie, found {kind!r}")
    make, names = (_lawnmower, _LAWNMOWER) if kind == "lawnmower" else (_bowtie, _BOWTIE)
    doubts = _drop_unreadable(fields)
    return SegList(make(Measures(fields, SegListError)), *_drawn(fields, names, doubts))


def _drop_unreadable(fields: dict[str, str]) -> list[str]:
    """Remove optional measures of a pattern that are none, and return why."""
    doubts = []
    for key, readers in _OPTIONAL.items():
        try:
            readers(fields.get(key, "0" if key != "rows" else "ew"))
        except ValueError as error:
            doubts.append(f"{key} = {fields.pop(key)}: {error}; it is ignored")
    return doubts


def _drawn(
    fields: Mapping[str, str], measures: tuple[str, ...], doubts: list[str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the properties among the fields of a list, and the doubts about all others, too."""
    known = (*measures, *PROPERTIES)
    unknown = [key for key in fields if key not in known]
    doubts += [f"{key} is no field of it, and ignored{hint(key, known, ALIKE)}" for key in unknown]
    return {key: value for key, value in fields.items() if key in PROPERTIES}, tuple(doubts)


def properties(
    fields: Mapping[str, str], error: type[ValueError], measures: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return the properties among the fields of a shape.

    Args:
        fields: name in lower case -> text.
        error: class of the error.
        measures: names of the shape's other fields.
    Raises:
        ValueError: of this class: a field is neither a measure nor a property.
    """
    others = {key: value for key, value in fields.items() if key not in measures}
    unknown = next((key for key in others if key not in PROPERTIES), None)
    if unknown is not None:
        known = (*measures, *PROPERTIES)
        own = f"{', '.join(measures)}, and " if measures else ""
        expected = f"expected only {own}properties as label and edge_color"
        raise error(f"{expected}, found {unknown}{hint(unknown, known, ALIKE)}")
    return others


def project(point: Point, heading: float, distance: float) -> Point:
    """Return the point at a distance on a compass heading [deg]."""
    angle = radians(heading)
    return point[0] + distance * sin(angle), point[1] + distance * cos(angle)


def _snapped(points: list[Point], step: float) -> tuple[Point, ...]:
    return tuple((snap(x, step), snap(y, step)) for x, y in points)


def _zigzag(text: str) -> tuple[Point, ...]:
    numbers = all_finite(text.split(","))
    if numbers is None or len(numbers) not in (6, 7):
        raise SegListError(
            "expected zigzag:x,y,angle,length,period,amplitude or the same and a snap value"
        )
    x, y, angle, length, period, amplitude, step = [*numbers, 0.0001][:7]
    if min(length, period, amplitude) <= 0 or step < 0:
        raise SegListError("expected length, period and amplitude above 0 and a snap of at least 0")
    if not 2 * length / period <= MOST_MADE:
        raise SegListError(f"expected at most {MOST_MADE} turns")
    points, side, along = [(x, y)], -90.0, period / 4
    while along < length:
        points.append(project(project((x, y), angle, along), angle + side, amplitude))
        side, along = -side, along + period / 2
    return _snapped(points, step)


def _lawnmower(m: Measures) -> tuple[Point, ...]:
    """Return lanes of equal length side by side, entered at the corner nearest startx, starty."""
    rows = _ROWS[m.fields.get("rows", "ew").lower()]
    centre = (m.value("x"), m.value("y"))
    across, along = m.positive("width"), m.positive("height")
    heading = m.value("degs", 0.0)
    if rows == "ew":
        across, along, heading = along, across, heading + 90
    lanes = _lanes(centre, heading, (across, along), m.positive("lane_width"))
    start = (m.value("startx", 0.0), m.value("starty", 0.0))
    corners = [*lanes[0], *lanes[-1]]
    entry = min(range(4), key=lambda i: hypot(corners[i][0] - start[0], corners[i][1] - start[1]))
    if entry >= 2:
        lanes.reverse()
    points: list[Point] = []
    for number, (one, other) in enumerate(lanes):
        points += [one, other] if (number + entry) % 2 == 0 else [other, one]
    return _snapped(points, m.value("snap", 0.00001))


def _lanes(
    centre: Point, heading: float, size: tuple[float, float], spacing: float
) -> list[tuple[Point, Point]]:
    """Return both ends of each lane, from port to starboard; the lanes are centred."""
    across, along = size
    if not across / spacing <= MOST_MADE:
        raise SegListError(f"expected at most {MOST_MADE} lanes")
    lanes = []
    # The tolerance keeps rounding from adding a lane when the width is a multiple of the spacing.
    for number in range(ceil(across / spacing - 1e-5) + 1):
        middle = project(centre, heading + 90, number * spacing - across / 2)
        lanes.append((project(middle, heading, along / 2), project(middle, heading, -along / 2)))
    return lanes


def _bowtie(m: Measures) -> tuple[Point, ...]:
    """Return the two wings of a bow tie; the first path leaves by the quarter of startx, starty."""
    x, y, half = m.value("x"), m.value("y"), m.value("height") / 2
    inner, outer, waist = (m.value(name) for name in ("wid1", "wid2", "wid3"))
    dx, dy = m.value("startx", x) - x, m.value("starty", y) - y
    north = dy > 0 or (dy == 0 and dx <= 0)
    west = dx < 0 or (dx == 0 and dy < 0)
    up = -half if north else half
    first = 1 if west else -1
    wing = [(inner, up), (outer, up), (waist, 0.0), (outer, -up), (inner, -up)]
    return tuple((x + side * across, y + rise) for side in (first, -first) for across, rise in wing)
