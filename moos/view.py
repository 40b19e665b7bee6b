"""Texts of shapes and pulses drawn by a viewer (``VIEW_POINT``, ``VIEW_RANGE_PULSE`` ...), colours.

A later shape with the same label replaces a shape; ``active=false`` removes it.
Source: MOOS-IvP's XYObject, XYPoint, XYSegList, XYCommsPulse, XYRangePulse and ColorParse.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import dist

from steerageway.diagnostics.nearest import hint
from steerageway.moos.seglist import Point
from steerageway.moos.values import fixed, is_number, trimmed

MARKER_SHAPES = ("circle", "square", "diamond", "triangle", "efield", "gateway")
_NO_COLOR = ("invisible", "off", "empty")
_GRAY = re.compile(r"gr[ae]y(\d{1,2}|100)")
_HEX = re.compile(r"hex:\s*[0-9a-f]{1,2},\s*[0-9a-f]{1,2},\s*[0-9a-f]{1,2}")
_NAMES = frozenset(
    """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet
    brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan
    darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen
    darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey
    darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite
    forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
    hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue
    lightcoral lightcyan lightgoldenrod lightgoldenrodyellow lightgray lightgreen lightgrey
    lightpink lightsalmon lightseagreen lightskyblue lightslateblue lightslategray lightslategrey
    lightsteelblue lightyellow lime limegreen linen macbeige macblue magenta maroon
    mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
    mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin
    navajowhite navy navyblue oldlace olive olivedrab orange orangered orchid palegoldenrod
    palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple red
    rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
    slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise
    violet violetred wheat white whitesmoke yellow yellowgreen
    """.split()  # noqa: SIM905 (as a list these would be 180 lines)
)


def is_color(text: str) -> bool:
    """Whether MOOS-IvP accepts a colour: a name, ``gray40``, ``hex:ff,0,80``, ``1:0:.5``.

    Case and underscores are ignored.
    """
    word = text.strip().lower().replace("_", "")
    if word in _NAMES or word in _NO_COLOR or _GRAY.fullmatch(word) or _HEX.fullmatch(word):
        return True
    parts = word.split(":")
    return len(parts) == 3 and all(is_number(part) and 0 <= float(part) <= 1 for part in parts)


def color_of(text: str) -> str:
    """Return the colour in a line of a mission file, without blanks, as MOOS-IvP reads it.

    Raises:
        ValueError: it is no colour; the text names the nearest.
    """
    word = "".join(text.split())
    if not is_color(word):
        raise ValueError(f"expected a colour{near_color(word)}")
    return word


def near_color(text: str) -> str:
    """Return a hint at the nearest colour, to follow an error; "" if none is near."""
    return hint(text, _NAMES)


def look(
    *,
    label: str = "",
    msg: str = "",
    label_color: str = "",
    edge_color: str = "",
    vertex_color: str = "",
    vertex_size: float | None = None,
    edge_size: float | None = None,
) -> str:
    """Return the fields common to all shapes, in MOOS-IvP's order, without those not given.

    Args:
        label: identifies the shape; msg: text drawn instead of it.
        vertex_size, edge_size: of vertices and lines [pixels].
    """
    fields = {
        "label": label,
        "msg": msg,
        "label_color": label_color,
        "edge_color": edge_color,
        "vertex_color": vertex_color,
        "vertex_size": "" if vertex_size is None else trimmed(vertex_size, 1),
        "edge_size": "" if edge_size is None else trimmed(edge_size, 1),
    }
    return ",".join(f"{key}={value}" for key, value in fields.items() if value)


def point(where: Point, appearance: str, *, active: bool, z: float = 0.0) -> str:
    """Return the text of a ``VIEW_POINT``.

    Args:
        where: (x, y) [m].
        appearance: from ``look``.
        active: False removes the point with this label.
        z: a third number, not written if it is 0.
    """
    x, y = where
    state = "true" if active else "false"
    third = f",z={trimmed(z, 2)}" if z else ""
    return f"x={trimmed(x, 2)},y={trimmed(y, 2)}{third},active={state},{appearance}"


def marker(where: Point, *, label: str, shape: str, color: str, width: float) -> str:
    """Return the text of a ``VIEW_MARKER``.

    Args:
        where: (x, y) [m].
        label: identifies it.
        shape: one of ``MARKER_SHAPES``; color: of its inside; width: [m].
    """
    x, y = where
    return (
        f"x={trimmed(x, 2)},y={trimmed(y, 2)},width={trimmed(width, 2)},"
        f"primary_color={color},type={shape},label={label}"
    )


def seglist(points: Iterable[Point], appearance: str, *, digits: int = 1) -> str:
    """Return the text of a ``VIEW_SEGLIST``.

    Args:
        points: (x, y) [m].
        appearance: from ``look``.
        digits: decimals of the coordinates.
    """
    return f"pts={{{points_text(points, digits)}}},{appearance}"


def erased_seglist(label: str) -> str:
    """Return the text of a ``VIEW_SEGLIST`` that removes the one with this label."""
    return f"pts={{0,0:9,0:0,9}},active=false,label={label}"


def points_text(points: Iterable[Point], digits: int) -> str:
    """Return points as ``x,y:x,y``, with at most so many decimals."""
    return ":".join(f"{trimmed(x, digits)},{trimmed(y, digits)}" for x, y in points)


@dataclass(frozen=True, slots=True)
class CommsPulse:
    """A beam from one vessel to another.

    Attributes:
        start, end: (x, y) [m].
        label: a later pulse with this label replaces it.
        kind: its meaning, "nrep" or "msg".
        color: of its inside; fill: 0 transparent, 1 opaque.
        time, duration: start [UTC s] and duration [s] of drawing.
    """

    start: Point
    end: Point
    label: str
    kind: str
    color: str
    fill: float
    time: float
    duration: float

    def text(self) -> str:
        """Return it as text; its width at the end is a tenth of its length, at least 5 m."""
        (sx, sy), (tx, ty) = self.start, self.end
        width = max(5.0, 0.1 * dist(self.start, self.end))
        return (
            f"sx={trimmed(sx, 2)},sy={trimmed(sy, 2)},tx={trimmed(tx, 2)},ty={trimmed(ty, 2)},"
            f"beam_width={trimmed(width, 2)},fill={trimmed(self.fill, 2)},ptype={self.kind},"
            f"label={self.label},fill_color={self.color},"
            f"time={fixed(self.time, 2)},duration={fixed(self.duration, 2)}"
        )


def range_pulse(
    center: Point, radius: float, *, color: str, time: float, duration: float, label: str = ""
) -> str:
    """Return the text of a ring that grows and fades.

    Args:
        center: (x, y) [m].
        radius: the final one [m].
        color: of its edge and inside.
        time, duration: start [UTC s] and duration [s] of growing.
        label: a later pulse with this label replaces it; "" for none.
    """
    x, y = center
    named = f"label={label}," if label else ""
    return (
        f"x={trimmed(x, 2)},y={trimmed(y, 2)},radius={trimmed(radius, 2)},fill=0.25,{named}"
        f"edge_color={color},fill_color={color},time={fixed(time, 2)},"
        f"duration={fixed(duration, 2)},edge_size=1"
    )
