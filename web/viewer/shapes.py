"""Parser of ``VIEW_*`` messages (points, polygons, circles, grids ...) to shapes for the page.

A shape is a dict, see ``docs/viewer_protocol.md``. Outlines that need trigonometry (ovals, arrows,
wedges) are computed here, so that the page only connects points.

Source: MOOS-IvP's XYObject and its subclasses, from their documented formats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import atan2, cos, degrees, hypot, radians, sin
from typing import Any

from steerageway.declarations import decimal, finite, truth
from steerageway.moos.grid import GridError, parse_grid
from steerageway.moos.measures import Measures
from steerageway.moos.polygon import PolygonError, parse_polygon
from steerageway.moos.polygon_shapes import SHAPES
from steerageway.moos.seglist import (
    PROPERTIES,
    Point,
    SegListError,
    parse_seglist,
    project,
    properties,
)
from steerageway.moos.values import by_key, split_outside
from steerageway.web.viewer.colors import css_color

Shape = dict[str, Any]
Fields = Mapping[str, str]

MOST_POINTS = 20_000  # limit of points or cells of a shape
FARTHEST = 1e7  # limit of coordinates and lengths [m]: a quarter of the way round the earth
THICKEST = 200.0  # limit of sizes in pixels
LATEST = 1e12  # limit of times [s]
LARGEST = 1e12  # limit of the values of a grid's cells
LONGEST_TEXT = 200  # characters of a label or message that are shown
DIGITS = 3  # decimals of computed coordinates [m]
PULSE_LASTS, COMMS_LASTS = 15.0, 3.0  # default durations of range and comms pulses [s]
_ARC = 5.0  # angle between the points of a wedge's arc [deg]
_HEAD_BASE = 10.0  # default length of a vector's head [m]
_LABEL = re.compile(r"(?:^|,)\s*label\s*=\s*([^,]*)", re.IGNORECASE)
_SHORT_LABEL = re.compile(r"(?:^|:)\s*label\s*,\s*([^:]*)", re.IGNORECASE)
_PLACES = ("x", "y", "sx", "sy", "tx", "ty", "angle", "ray")
_LENGTHS = ("radius", "width", "range", "mag", "head", "ray_len")
_CIRCLE = ("x", "y", "radius", "rad", "vertices")
_MARKERS = ("circle", "square", "diamond", "triangle", "efield", "gateway")


class ShapeError(ValueError):
    """A text is not a shape; the message says what is expected."""


def parse_shape(variable: str, text: str) -> Shape:
    """Parse the value of a ``VIEW_*`` variable.

    Args:
        variable: one of ``KINDS``.
        text: its value.
    Returns:
        A dict with ``kind``, ``label``, ``msg``, ``active``, ``style``, ``time`` and ``duration``
        (None if not given), and the kind's own fields, which are absent if ``active`` is
        false.
    Raises:
        ShapeError: it cannot be drawn.
    """
    kind, read = KINDS[variable]
    fields = _fields_of(variable, text)
    shape: Shape = {"kind": kind, **_common(fields)}
    if shape["active"]:
        try:
            shape |= read(Measures(fields, ShapeError), text)
        except (PolygonError, SegListError, GridError) as error:
            raise ShapeError(str(error)) from error
        _check(shape)
    return shape


def _check(shape: Shape) -> None:
    """Refuse what cannot be drawn: too far, too large, too many, a negative length.

    Raises:
        ShapeError: what was expected.
    """
    for key in _PLACES:
        _check_range(key, shape.get(key), -FARTHEST, FARTHEST)
    for key in _LENGTHS:
        _check_range(key, shape.get(key), 0.0, FARTHEST)
    _check_range("fill", shape.get("fill"), 0.0, 1.0)
    for cell in shape.get("cells", ()):
        _check_range("a cell", cell[2], -LARGEST, LARGEST)
    points = [*shape.get("pts", ()), *filter(None, [shape.get("cpa")])]
    if len(points) > MOST_POINTS:
        raise ShapeError(f"expected at most {MOST_POINTS} points")
    for place in points:
        for number in place:
            _check_range("a point", number, -FARTHEST, FARTHEST)


def _check_range(name: str, number: float | None, low: float, high: float) -> None:
    if number is not None and not low <= number <= high:
        raise ShapeError(f"{name} = {number:g}: expected {low:g} to {high:g}")


def label_of(variable: str, text: str) -> str:
    """Return a shape's label without parsing the rest; "" if it has none."""
    if variable == "VIEW_GRID_DELTA":
        return text.partition("@")[0].strip()
    found = (_LABEL if "=" in text else _SHORT_LABEL).search(text)
    if found is not None:
        return found[1].strip()
    return "psg" if variable == "VIEW_GRID" else ""


def _fields_of(variable: str, text: str) -> dict[str, str]:
    """Return the fields of a text except its points, by key in lower case."""
    if variable in ("VIEW_POINT", "VIEW_SEGLIST", "VIEW_POLYGON") and "=" not in text:
        return _abbreviated(text)
    fields = by_key(text.lower() if variable == "VIEW_VECTOR" else text)
    for alias, name in (("dur", "duration"), ("xpos", "x"), ("ypos", "y"), ("colour", "color")):
        if alias in fields:
            fields.setdefault(name, fields[alias])
    return fields


def _abbreviated(text: str) -> dict[str, str]:
    """Parse the short form ``4,5:label,foo:msg,hi``: x and y, then keys and values."""
    fields: dict[str, str] = {}
    for item in split_outside(text, ":"):
        left, _, right = (part.strip() for part in item.partition(","))
        if left.lower() in PROPERTIES:
            fields[left.lower()] = right
        elif "x" not in fields:
            fields["x"], fields["y"] = left, right
    if not fields.get("y"):  # x:y is also in use
        parts = [*split_outside(text, ":"), "", ""]
        fields["x"], fields["y"] = parts[:2]
    return fields


def _common(fields: Fields) -> Shape:
    return {
        "label": _short(fields.get("label", "")),
        "msg": _short(fields.get("msg", "").strip('"')),
        "active": truth(fields.get("active", "true")) is not False,
        "time": _within(fields.get("time", ""), LATEST),
        "duration": _within(fields.get("duration", ""), LATEST),
        "style": {
            "edge": css_color(fields.get("edge_color", "")),
            "vertex": css_color(fields.get("vertex_color", fields.get("color", ""))),
            "fill": css_color(fields.get("fill_color", "")),
            "labelcolor": css_color(fields.get("label_color", "")),
            "edge_size": _within(fields.get("edge_size", ""), THICKEST),
            "vertex_size": _within(fields.get("vertex_size", ""), THICKEST),
            "opacity": _within(fields.get("fill_transparency", ""), 1.0),
        },
    }


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def _within(text: str, high: float) -> float | None:
    """Read a number from 0 to ``high``; as MOOS-IvP does, use the default instead of others."""
    number = finite(text)
    return number if number is not None and 0 <= number <= high else None


def _place(m: Measures) -> Shape:
    return {"x": m.value("x"), "y": m.value("y")}


def _point(m: Measures, text: str) -> Shape:
    return _place(m)


def _seglist(m: Measures, text: str) -> Shape:
    return {"pts": _listed(parse_seglist(text).points)}


def _polygon(m: Measures, text: str) -> Shape:
    """Read a polygon; one that is not convex is drawn, too, so that the error can be seen."""
    try:
        points = parse_polygon(text).points
    except PolygonError:
        if "pts" not in m.fields:
            raise
        points = parse_seglist(text).points
    return {"pts": _listed(points)}


def _circle(m: Measures, text: str) -> Shape:
    properties(by_key(text), ShapeError, _CIRCLE)
    return {**_place(m), "radius": m.value("radius" if "radius" in m.fields else "rad")}


def _oval(m: Measures, text: str) -> Shape:
    return {"pts": _listed(SHAPES["oval"][0](m))}


def _marker(m: Measures, text: str) -> Shape:
    fields = m.fields
    shape = fields.get("type", "circle").lower()
    if shape not in _MARKERS:
        raise ShapeError(f"expected type to be one of {', '.join(_MARKERS)}, found {shape}")
    first, _, second = fields.get("colors", "").partition(":")
    return {
        **_place(m),
        "width": m.value("width", m.value("scale", 5.0)),
        "shape": shape,
        "primary": css_color(fields.get("primary_color", fields.get("color", first))),
        "secondary": css_color(fields.get("secondary_color", second)),
        "range": finite(fields.get("range", "")),
    }


def _vector(m: Measures, text: str) -> Shape:
    angle, mag = m.value("ang", 0.0), m.value("mag", 0.0)
    along = project((0.0, 0.0), angle, mag)
    east, north = along[0] + m.value("xdot", 0.0), along[1] + m.value("ydot", 0.0)
    if "xdot" in m.fields or "ydot" in m.fields:
        mag, angle = hypot(east, north), degrees(atan2(east, north)) % 360
    return {**_place(m), "angle": angle, "mag": mag, "head": m.value("head_size", _HEAD_BASE)}


def _arrow(m: Measures, text: str) -> Shape:
    """Return the outline of an arrow: (ctrx, ctry) is the middle of its total length."""
    x, y, heading = m.value("ctrx"), m.value("ctry"), m.value("ang")
    body, length = m.value("bwid", 5.0), m.value("blen", 20.0)
    head, tip = m.value("hwid", 10.0), m.value("hlen", 10.0)
    half = (length + tip) / 2
    neck = half - tip
    across = ((-body, -half), (-body, neck), (-head, neck), (0.0, half))
    outline = [*across, *((-side, along) for side, along in reversed(across[:-1]))]
    return {"pts": [_turned(x, y, heading, side / 2, along) for side, along in outline]}


def _turned(x: float, y: float, heading: float, starboard: float, ahead: float) -> list[float]:
    angle = radians(heading)
    east = ahead * sin(angle) + starboard * cos(angle)
    north = ahead * cos(angle) - starboard * sin(angle)
    return [round(x + east, DIGITS), round(y + north, DIGITS)]


def _wedge(m: Measures, text: str) -> Shape:
    centre = m.value("x"), m.value("y")
    low, high = m.value("ang_low"), m.value("ang_hgh")
    near, far = m.value("rad_low", 0.0), m.value("rad_hgh")
    sweep = (high - low) % 360 or 360.0
    steps = max(2, round(sweep / _ARC) + 1)
    headings = [low + sweep * k / (steps - 1) for k in range(steps)]
    outer = [project(centre, heading, far) for heading in headings]
    inner = [project(centre, heading, near) for heading in reversed(headings)]
    return {"pts": _listed((*outer, *(inner if near > 0 else [centre])))}


def _seglr(m: Measures, text: str) -> Shape:
    cpa = [m.value("cpax", 0.0), m.value("cpay", 0.0)] if "cpax" in m.fields else None
    return {
        "pts": _listed(parse_seglist(f"pts={m.fields.get('pts', '')}").points),
        "ray": m.value("ray"),
        "ray_len": m.value("ray_len", 5.0),
        "head": m.value("head_size", 3.0),
        "cpa": cpa,
    }


def _textbox(m: Measures, text: str) -> Shape:
    fields = (field.partition("=") for field in split_outside(text, ","))
    lines = [value.strip().strip('"') for key, _, value in fields if key.strip().lower() == "msg"]
    return {
        **_place(m),
        "lines": [_short(line) for line in lines[:LONGEST_TEXT]],
        "size": _within(m.fields.get("fsize", ""), THICKEST),
        "color": css_color(m.fields.get("mcolor", "")),
    }


def _range_pulse(m: Measures, text: str) -> Shape:
    return {**_place(m), "radius": m.value("radius", 40.0), "fill": m.value("fill", 0.25)}


def _comms_pulse(m: Measures, text: str) -> Shape:
    ends = {key: m.value(key) for key in ("sx", "sy", "tx", "ty")}
    width, fill = m.value("beam_width", 10.0), m.value("fill", 0.35)
    return {**ends, "width": width, "fill": fill, "ptype": m.fields.get("ptype", "")}


def _grid(m: Measures, text: str) -> Shape:
    _check_cells(m, text)
    grid = parse_grid(text)
    first = grid.counted
    values = dict(_cells(text, first.name))
    known = [
        finite(m.fields.get(f"cell_{which}", "").partition(":")[2]) for which in ("min", "max")
    ]
    corners = list(grid.corners())
    cells = [[x, y, values.get(number, first.initial)] for number, (x, y) in enumerate(corners)]
    return {
        "pts": _listed(grid.region.points),
        "size": grid.cell_size,
        "cells": cells,
        "variable": first.name,
        "low": known[0],
        "high": known[1],
    }


def _check_cells(m: Measures, text: str) -> None:
    """Refuse a grid of too many cells, before they are made."""
    xs, ys = zip(*parse_polygon(f"pts={m.fields.get('pts', '')}").points, strict=True)
    size = m.positive("cell_size")
    if (max(xs) - min(xs)) * (max(ys) - min(ys)) > MOST_POINTS * size * size:
        raise ShapeError(f"expected at most {MOST_POINTS} cells")


def _cells(text: str, variable: str) -> list[tuple[int, float]]:
    """Read the ``cell=3:x:2:y:1`` of a grid: pairs of cell index and value of one variable."""
    found = []
    for field in split_outside(text, ","):
        key, _, value = field.partition("=")
        words = value.split(":")
        place = decimal(words[0], MOST_POINTS)
        if key.strip() == "cell" and place is not None:
            named = dict(zip(words[1::2], words[2::2], strict=False))
            number = finite(named.get(variable, ""))
            if number is not None:
                found.append((place, number))
    return found


def apply_delta(grid: Shape, text: str) -> None:
    """Apply a ``VIEW_GRID_DELTA`` to the cells of a grid.

    Args:
        grid: a shape of kind ``grid``; its cells are replaced.
        text: ``label@[replace@|avg@|delta@]ix,var,value:ix,value``.
    Raises:
        ShapeError: it is not of this form.
    """
    parts = text.split("@")
    how = parts[1].strip() if len(parts) == 3 else "delta"
    if len(parts) not in (2, 3) or how not in ("replace", "avg", "delta"):
        raise ShapeError("expected LABEL@CELL,VARIABLE,CHANGE:..., perhaps with replace@ or avg@")
    cells = [list(cell) for cell in grid["cells"]]
    for item in parts[-1].split(":"):
        words = [word.strip() for word in item.split(",")]
        place, value = decimal(words[0], len(cells)), finite(words[-1])
        if place is None or value is None:
            raise ShapeError(f"expected a cell's number and a change, found {item}")
        if len(words) == 2 or words[1] == grid["variable"]:
            cell = cells[place]
            cell[2] = _changed(cell[2], value, how)
            _check_range("a cell", cell[2], -LARGEST, LARGEST)
    grid["cells"] = cells


def _changed(before: float, value: float, how: str) -> float:
    return {"replace": value, "avg": (before + value) / 2, "delta": before + value}[how]


def _listed(points: tuple[Point, ...] | list[Point]) -> list[list[float]]:
    return [[round(x, DIGITS), round(y, DIGITS)] for x, y in points]


KINDS: dict[str, tuple[str, Callable[[Measures, str], Shape]]] = {
    "VIEW_POINT": ("point", _point),
    "VIEW_SEGLIST": ("seglist", _seglist),
    "VIEW_POLYGON": ("polygon", _polygon),
    "VIEW_CIRCLE": ("circle", _circle),
    "VIEW_OVAL": ("oval", _oval),
    "VIEW_MARKER": ("marker", _marker),
    "VIEW_VECTOR": ("vector", _vector),
    "VIEW_ARROW": ("arrow", _arrow),
    "VIEW_WEDGE": ("wedge", _wedge),
    "VIEW_SEGLR": ("seglr", _seglr),
    "VIEW_TEXTBOX": ("textbox", _textbox),
    "VIEW_RANGE_PULSE": ("range_pulse", _range_pulse),
    "VIEW_COMMS_PULSE": ("comms_pulse", _comms_pulse),
    "VIEW_GRID": ("grid", _grid),
}
