"""Declarations of file keys: name, kind, unit, default, range and meaning of each, declared once.

A ``Key`` is a string, its own name, so that it is used wherever a section is asked for a key; the
section takes default and range from the key. Readers, forms and generated pages use no other
table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from inspect import cleandoc
from math import inf
from types import MappingProxyType

from steerageway.declarations.values import Number, Whole


class Kind(StrEnum):
    """Type of a value, as written in the file."""

    NUMBER = "number"
    WHOLE = "whole number"
    FLAG = "true or false"
    TEXT = "text"
    CHOICE = "one of"
    FILE = "file"
    VECTOR = "numbers"
    MATRIX = "matrix"
    ROWS = "rows of numbers"
    WORDS = "list of words"
    SECTION = "keys"
    LIST = "list of keys"


Value = float | bool | str | tuple[float, ...]
LARGEST: Mapping[str, float] = MappingProxyType({
    "m": 1e7, "m²": 1e14, "m³": 1e12, "m/s": 1e4, "m/s, rad/s": 1e4, "s": 1e10, "kg": 1e12,
    "N": 1e12, "Hz": 1e9, "rpm, or in the unit": 1e9,
})  # fmt: skip
"""Sizes by unit that nothing at sea has: of a quarter of the meridian, three centuries, a thousand
times the largest ship's mass and its weight."""
LARGEST_OTHER = 1e20  # of what has no or another unit: of such numbers, a 6-DOF model is finite


@dataclass(frozen=True, eq=False, repr=False)
class Key(str):
    """A key of a file.

    Attributes:
        name: as in the file; of a pattern, as documents write it.
        kind: type of the value.
        unit: unit of its numbers; "" for none.
        default: value if the key is absent; None: none.
        usual: description of the value used if the key is absent, where that is not fixed.
        meaning: one phrase.
        low, high, above: inclusive minimum, inclusive maximum, exclusive minimum of a number.
        size: length of a vector or a row, or order of a square matrix; 0: any.
        choices: permitted words of a choice.
        keys: keys of a section, or of each item of a list.
        ours: True if Panisim's files do not have the key.
        models: the models that read it; () for all.
        pattern: regular expression of the names it matches; "": only its own.
        suffixes: permitted suffixes of a file that it names.
    """

    name: str
    kind: Kind = Kind.NUMBER
    unit: str = ""
    default: Value | None = None
    meaning: str = ""
    usual: str = ""
    low: float = -inf
    high: float = inf
    above: float = -inf
    size: int = 0
    choices: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()
    ours: bool = False
    models: tuple[str, ...] = ()
    pattern: str = ""
    suffixes: tuple[str, ...] = ()

    def __new__(cls, name: str, *_: object, **__: object) -> Key:
        """Return the key's name as the string value; the dataclass sets the fields."""
        return str.__new__(cls, name)

    def __repr__(self) -> str:
        """Return the plain name: errors show keys."""
        return str.__repr__(self)

    @property
    def required(self) -> bool:
        """Whether the key must be present."""
        return self.default is None and not self.usual

    def stands_for(self, name: str) -> bool:
        """Whether a key of a file is this key."""
        if self.pattern:
            return re.fullmatch(self.pattern, name) is not None
        return name == self.name

    @property
    def largest(self) -> float:
        """The greatest size of its numbers, whatever their range."""
        return LARGEST.get(self.unit, LARGEST_OTHER)

    @cached_property
    def limits(self) -> Number:
        """The reader of its numbers."""
        kind = Whole if self.kind is Kind.WHOLE else Number
        return kind(self.low, self.high, self.above)


_NUMBER = r"-?[\w.]+"
_LINE = re.compile(
    r"(?P<name>\w+|'[^']+')(?P<sizes>(?:\[\d*\])*)(?P<ours> \+)?(?: @(?P<models>[\w,]+))?"
    r"(?: (?P<kind>whole|flag|text|words))?(?: (?P<words>(?:[^ |]+\|)+[^ |]*))?"
    r"(?P<suffixes>(?: \.\w+)*)"
    rf"(?: \[(?P<unit>[^\]]+)\])?(?: > (?P<above>{_NUMBER}))?"
    rf"(?: >= (?P<low>{_NUMBER}))?(?: <= (?P<high>{_NUMBER}))?"
    rf"(?: from (?P<least>{_NUMBER}) to (?P<most>{_NUMBER}))?"
    r"(?: = (?P<default>[^:(]+?))?(?: \((?P<usual>[^)]+)\))?(?P<required> required)?"
    r": (?P<meaning>.+)"
)
_KINDS = {"whole": Kind.WHOLE, "flag": Kind.FLAG, "text": Kind.TEXT, "words": Kind.WORDS}
_OPTIONAL = (Kind.SECTION, Kind.LIST, Kind.FILE)


def declared(
    table: str,
    *known: Key,
    ours: bool = False,
    models: tuple[str, ...] = (),
    patterns: Mapping[str, str] = MappingProxyType({}),
) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """Declare the keys of a file, one a line, those of a section indented below it.

        wake + @coefficients from -1 to 1 = 0: wake fraction number

    - The name, in quotes where it is more than a word; with ``[3]`` the key has so many numbers,
      with ``[]`` any; ``[6][6]`` is a matrix, ``[][2]`` are rows of two, ``[]`` above indented keys
      is a list of sections.
    - ``+``: not Panisim's; and so are the keys of a section. ``@``: the models that read it.
    - The kind of what are no numbers: ``whole``, ``flag``, ``text``, ``words``; the choices as
      ``pid|fixed``; the suffixes of a file as ``.csv``.
    - ``[unit]``, and the range as ``> 0``, ``>= 0``, ``<= 0``, ``> 0 <= 180``, ``from 0 to 1``.
    - ``= 0``: the default, or that of each of several numbers; or in parentheses what is used
      instead. Without, the key is required, but for kinds that have a default: false, no text, the
      first choice, no file, no section; ``required`` takes that away.
    - After a colon, what it means.

    A line of names alone, separated by commas, repeats keys that are known or declared above.

    Args:
        known: keys that lines may repeat.
        ours, models: of all keys.
        patterns: see ``Key``, by name.
    Returns: the keys of the file, and all that are declared in the order of their lines.
    Raises:
        ValueError: a line is no declaration.
    """
    every: list[Key] = []
    lines = [line for line in cleandoc(table).split("\n") if line.strip()]

    def block(depth: int, ours: bool) -> tuple[Key, ...]:
        keys: list[Key] = []
        while lines and (indent := len(lines[0]) - len(lines[0].lstrip())) >= depth:
            line = lines.pop(0)
            if indent > depth:
                raise ValueError(f"{line}: expected the indentation of the line above, or 4 more")
            if ":" not in line:
                named = {key.name: key for key in (*reversed(every), *known)}
                keys += [named[name] for name in line.strip(" ,").split(", ")]
                continue
            part = _parsed(line.strip())
            own, place = ours or bool(part["ours"]), len(every)
            key = replace(
                _made(part, block(depth + 4, own)),
                ours=own,
                models=_split(part["models"]) or models,
                pattern=patterns.get(part["name"].strip("'"), ""),
            )
            every.insert(place, key)
            keys.append(key)
        return tuple(keys)

    return block(0, ours), tuple(every)


def _parsed(line: str) -> dict[str, str]:
    """Return the parts of a declaration, "" for those that are absent."""
    if (match := _LINE.fullmatch(" ".join(line.split()))) is None:
        raise ValueError(f"{line}: expected a declaration of a key")
    return match.groupdict("")


def _split(text: str, at: str = ",") -> tuple[str, ...]:
    return tuple(filter(None, text.split(at)))


def _made(part: dict[str, str], inner: tuple[Key, ...]) -> Key:
    kind, words = _kind(part, inner), _split(part["words"], "|")
    size = int((re.findall(r"\d+", part["sizes"]) or "0")[-1])
    usual = part["usual"]
    if kind in _OPTIONAL and not part["required"]:
        usual = usual or "none"
    return Key(
        part["name"].strip("'"),
        kind,
        part["unit"],
        None if usual or part["required"] else _default(kind, part["default"], size, words),
        part["meaning"],
        usual,
        low=float(part["low"] or part["least"] or -inf),
        high=float(part["high"] or part["most"] or inf),
        above=float(part["above"] or -inf),
        size=size,
        choices=words,
        keys=inner,
        suffixes=tuple(part["suffixes"].split()),
    )


def _kind(part: dict[str, str], inner: Sequence[Key]) -> Kind:
    if inner:
        return Kind.LIST if part["sizes"] else Kind.SECTION
    if part["words"] or part["suffixes"]:
        return Kind.CHOICE if part["words"] else Kind.FILE
    if part["kind"]:
        return _KINDS[part["kind"]]
    table = Kind.ROWS if part["sizes"].startswith("[][") else Kind.MATRIX
    return (Kind.NUMBER, Kind.VECTOR, table)[part["sizes"].count("[")]


def _default(kind: Kind, text: str, size: int, words: Sequence[str]) -> Value | None:
    if kind in (Kind.TEXT, Kind.CHOICE):
        return text or "".join(words[:1])
    if kind is Kind.FLAG:
        return text == "true"
    numbers = tuple(map(float, text.split()))
    if kind is Kind.VECTOR and numbers:
        return numbers * size if len(numbers) == 1 else numbers
    return numbers[0] if numbers else None


def found(keys: Sequence[Key], path: Sequence[str]) -> Key | None:
    """Return the key at a path of names; list item numbers (from 1) in the path are skipped."""
    here: Key | None = None
    for name in path:
        if here is not None and here.kind is Kind.LIST and name.isdecimal():
            continue
        among = keys if here is None else here.keys
        here = next((key for key in among if key.stands_for(name)), None)
        if here is None:
            return None
    return here


def flat(keys: Sequence[Key], prefix: tuple[Key, ...] = ()) -> Iterator[tuple[Key, ...]]:
    """Return the path of each key, sections before their contents."""
    for key in keys:
        yield (*prefix, key)
        yield from flat(key.keys, (*prefix, key))
