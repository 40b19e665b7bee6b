"""Points and visual hints in behavior parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from steerageway.declarations import Number, boolean, finite
from steerageway.helm.readers import color
from steerageway.helm.settings import repeated
from steerageway.moos import view
from steerageway.moos.seglist import Point, parse_seglist
from steerageway.moos.values import pairs

Hints = tuple[tuple[str, str], ...]


def point(text: str) -> Point:
    """Read x,y or x=1,y=2."""
    fields = dict(pairs(text))
    x, y = finite(fields.pop("x", "")), finite(fields.pop("y", ""))
    if not fields and x is not None and y is not None:
        return x, y
    points = parse_seglist(text).points
    if len(points) != 1:
        raise ValueError("expected one point x,y")
    return points[0]


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
    """

    known: Mapping[str, str]
    prefixes: tuple[str, ...] = ()
    undrawn: tuple[str, ...] = ()

    def __call__(self, text: str) -> Hints:
        """Return each hint and its value; ValueError if the value of a supported one is invalid."""
        found = tuple((self._name(key.lower()), value) for key, value in pairs(text))
        for key, value in found:
            if key in self.known and key != "label":
                _reader_of(key)(value)
        return found

    def unknown(self, text: str) -> list[str]:
        """Return the hints that neither this behavior nor MOOS-IvP supports."""
        given = (key for key, _ in self(text) if key not in self.known)
        return [key for key in given if not key.startswith(self.undrawn)]

    def _name(self, key: str) -> str:
        prefix = next((one for one in self.prefixes if key.startswith(one)), "")
        name = key.removeprefix(prefix)
        names = (name, name.replace("lcolor", "label_color"), name.replace("label_color", "lcolor"))
        return next((one for one in names if one in self.known), key)


def _reader_of(key: str) -> Callable[[str], object]:
    if key.startswith("draw"):
        return boolean
    return color if key.endswith("color") else Number(low=0)


def hints(known: Mapping[str, str]) -> Any:
    """Declare the parameter ``visual_hints`` with its known hints and their defaults."""
    text = "key=value,key=value: sizes and colours of drawings; repeatable"
    return repeated(HintReader(known), text)


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
