"""Points and visual hints in behavior parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from steerageway.declarations import Doubted, Number, boolean, finite
from steerageway.helm.readers import color
from steerageway.helm.settings import repeated
from steerageway.moos import view
from steerageway.moos.polygon import parse_polygon
from steerageway.moos.seglist import Point, parse_seglist
from steerageway.moos.values import by_key, is_number, pairs, split_first

Hints = tuple[tuple[str, str], ...]


_SHIFTS = ("shiftx", "shifty")


def _one_point(text: str) -> tuple[Point, list[str]]:
    """Read a point as MOOS-IvP's string2Point does; also return what is doubtful.

    x=1,y=2,shiftx=3 is (4, 2); of 10:20 the colon is a comma. Other fields are ignored.
    """
    left, right = split_first(text, ":")
    if is_number(left) and is_number(right):
        return (float(left), float(right)), [f"expected x,y; {left},{right} counts"]
    fields = by_key(text)
    x, y = finite(fields.get("x", "")), finite(fields.get("y", ""))
    if x is not None and y is not None:
        doubts = [f"{key} is ignored" for key in fields if key not in ("x", "y", *_SHIFTS, "z")]
        wrong = [key for key in _SHIFTS if key in fields and finite(fields[key]) is None]
        doubts += [f"{key} = {fields[key]}: expected a number; it is ignored" for key in wrong]
        dx, dy = (finite(fields.get(key, "")) or 0.0 for key in _SHIFTS)
        return (x + dx, y + dy), doubts
    points = parse_seglist(text).points
    if len(points) != 1:
        raise ValueError("expected one point x,y")
    return points[0], []


point = Doubted(lambda text: _one_point(text)[0], lambda text: _one_point(text)[1])
"""Reads one point: x,y or x=1,y=2."""

convex_polygon = Doubted(parse_polygon, lambda text: parse_polygon(text).doubts)
"""Reads a convex polygon."""


@dataclass(frozen=True)
class HintReader:
    """Reads visual hints, key=value,key=value.

    Values of keys that end in color are colours, that of label is text, those of keys that begin
    with draw are true or false, others are numbers.
    In keys, lcolor and label_color are the same.
    MOOS-IvP's files contain hints that a behavior does not support: these are kept unchecked, and
    have no effect.

    Attributes:
        known: each supported hint with its default; empty: omitted.
        prefixes: permitted prefixes of a hint.
        undrawn: prefixes of hints for shapes that MOOS-IvP draws and this behavior does not.
        tolerant: whether a hint with an invalid value has no effect, instead of being an error: as
            each of MOOS-IvP's behaviors has it.
    """

    known: Mapping[str, str]
    prefixes: tuple[str, ...] = ()
    undrawn: tuple[str, ...] = ()
    tolerant: bool = False

    def __call__(self, text: str) -> Hints:
        """Return each hint and its value; ValueError if the value of a supported one is invalid."""
        invalid = self._invalid(text)
        if invalid and not self.tolerant:
            raise ValueError(next(iter(invalid.values())))
        return tuple(pair for pair in self._pairs(text) if pair not in invalid)

    def doubts(self, text: str) -> Iterator[str]:
        """Yield the hints that are invalid, or that nobody supports."""
        for (key, value), expected in self._invalid(text).items():
            yield f"{key}={value} has no effect: {expected}"
        for key, _ in self._pairs(text):
            if key not in self.known and not key.startswith(self.undrawn):
                yield f"hint {key} has no effect: expected one of {', '.join(self.known)}"

    def _pairs(self, text: str) -> list[tuple[str, str]]:
        return [(self._name(key.lower()), value) for key, value in pairs(text)]

    def _invalid(self, text: str) -> dict[tuple[str, str], str]:
        """Return the supported hints with invalid values, each with what was expected."""
        found = {}
        for key, value in self._pairs(text):
            if key in self.known and key != "label":
                try:
                    _reader_of(key)(value)
                except ValueError as error:
                    found[key, value] = str(error)
        return found

    def _name(self, key: str) -> str:
        prefix = next((one for one in self.prefixes if key.startswith(one)), "")
        name = key.removeprefix(prefix)
        names = (name, name.replace("lcolor", "label_color"), name.replace("label_color", "lcolor"))
        return next((one for one in names if one in self.known), key)


def _reader_of(key: str) -> Callable[[str], object]:
    if key.startswith("draw"):
        return boolean
    return color if key.endswith("color") else Number(low=0)


def hints(known: Mapping[str, str], *, tolerant: bool = False) -> Any:
    """Declare the parameter ``visual_hints`` with its known hints and their defaults."""
    text = "key=value,key=value: sizes and colours of drawings; repeatable"
    return repeated(HintReader(known, tolerant=tolerant), text)


def hinted(lines: tuple[Hints, ...], known: Mapping[str, str]) -> dict[str, str]:
    """Return each hint with its last value in the lines, or its default."""
    return {**known, **{key: value for line in lines for key, value in line}}


def look_of(hints: Mapping[str, str], label: str) -> str:
    """Return the look of a polygon or list of points with the usual hints."""
    return view.look(
        label=label,
        label_color=hints["label_color"],
        edge_color=hints["edge_color"],
        vertex_color=hints["vertex_color"],
        vertex_size=float(hints["vertex_size"]),
        edge_size=float(hints["edge_size"]),
    )
