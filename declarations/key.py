"""Declarations of file keys: name, kind, unit, default, range and meaning of each, declared once.

A ``Key`` is a string, its own name, so that it is used wherever a section is asked for a key; the
section takes default and range from the key. Readers, forms and generated pages use no other
table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from math import inf
from typing import TypedDict, Unpack

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
        aliases: alternative spellings.
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
    aliases: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()

    def __new__(cls, name: str, *_: object, **__: object) -> Key:
        """Return the key's name as the string value; the dataclass sets the fields."""
        return str.__new__(cls, name)

    def __repr__(self) -> str:
        """Return the plain name: errors show keys."""
        return str.__repr__(self)

    def means(self, meaning: str) -> Key:
        """Return the key with its meaning, one phrase."""
        return replace(self, meaning=meaning)

    @property
    def required(self) -> bool:
        """Whether the key must be present."""
        return self.default is None and not self.usual

    def stands_for(self, name: str) -> bool:
        """Whether a key of a file is this key."""
        if self.pattern:
            return re.fullmatch(self.pattern, name) is not None
        return name == self.name or name in self.aliases

    def called(self, name: str) -> Key:
        """Return a copy of the key with a name that its pattern matches."""
        return replace(self, name=name, pattern="")

    @cached_property
    def limits(self) -> Number:
        """The reader of its numbers."""
        kind = Whole if self.kind is Kind.WHOLE else Number
        return kind(self.low, self.high, self.above)


class More(TypedDict, total=False):
    """Further properties of a key, see ``Key``."""

    usual: str
    low: float
    high: float
    above: float
    pattern: str
    aliases: tuple[str, ...]


@dataclass(frozen=True)
class Keys:
    """Declares keys: Panisim's or ours, that all models read or some; the rest see ``Key``.

    A key is declared with its name and, for numbers, their unit; then its default or what is used
    if it is absent (``usual``), else it is required. ``Key.means`` adds what it means.
    """

    ours: bool = False
    models: tuple[str, ...] = ()

    def number(
        self, name: str, unit: str = "", default: float | None = None, **more: Unpack[More]
    ) -> Key:
        """Declare a number."""
        return self._key(name, Kind.NUMBER, unit, _float(default), **more)

    def whole(self, name: str, default: float | None = None, **more: Unpack[More]) -> Key:
        """Declare a whole number."""
        return self._key(name, Kind.WHOLE, "", _float(default), **more)

    def flag(self, name: str, default: bool = False, **more: Unpack[More]) -> Key:
        """Declare a truth value."""
        return self._key(name, Kind.FLAG, "", None if "usual" in more else default, **more)

    def text(self, name: str, default: str = "", **more: Unpack[More]) -> Key:
        """Declare a text."""
        return self._key(name, Kind.TEXT, "", None if "usual" in more else default, **more)

    def choice(
        self,
        name: str,
        choices: tuple[str, ...],
        *,
        default: str = "",
        required: bool = False,
        **more: Unpack[More],
    ) -> Key:
        """Declare one of several words; the first is the default, unless there is another."""
        absent = None if required or "usual" in more else default or choices[0]
        return replace(self._key(name, Kind.CHOICE, "", absent, **more), choices=choices)

    def file(self, name: str, *suffixes: str, usual: str = "none") -> Key:
        """Declare the name of a file."""
        return replace(self._key(name, Kind.FILE, "", None, usual=usual), suffixes=suffixes)

    def vector(
        self,
        name: str,
        unit: str = "",
        size: int = 0,
        default: float | tuple[float, ...] | None = None,
        **more: Unpack[More],
    ) -> Key:
        """Declare a list of numbers; a single number is the default of each."""
        each = (float(default),) * size if isinstance(default, int | float) else default
        return replace(self._key(name, Kind.VECTOR, unit, each, **more), size=size)

    def matrix(self, name: str, unit: str, size: int, **more: Unpack[More]) -> Key:
        """Declare a square matrix."""
        return replace(self._key(name, Kind.MATRIX, unit, None, **more), size=size)

    def rows(self, name: str, unit: str, size: int, **more: Unpack[More]) -> Key:
        """Declare a list of rows of ``size`` numbers."""
        return replace(self._key(name, Kind.ROWS, unit, None, **more), size=size)

    def words(self, name: str, unit: str = "", size: int = 0, **more: Unpack[More]) -> Key:
        """Declare a list of words."""
        return replace(self._key(name, Kind.WORDS, unit, None, **more), size=size)

    def section(self, name: str, keys: tuple[Key, ...], usual: str = "none") -> Key:
        """Declare a section with its keys."""
        return replace(self._key(name, Kind.SECTION, "", None, usual=usual), keys=keys)

    def sections(self, name: str, keys: tuple[Key, ...], usual: str = "none") -> Key:
        """Declare a list of sections with the same keys."""
        return replace(self._key(name, Kind.LIST, "", None, usual=usual), keys=keys)

    def _key(
        self, name: str, kind: Kind, unit: str, default: Value | None, **more: Unpack[More]
    ) -> Key:
        return Key(name, kind, unit, default, ours=self.ours, models=self.models, **more)


def _float(default: float | None) -> float | None:
    return None if default is None else float(default)


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
