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
from math import inf


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

    def of_model(self, model: str) -> bool:
        """Whether a model reads the key."""
        return not self.models or model in self.models

    @property
    def range(self) -> str:
        """Return the range as text; "" for any number."""
        least = f"above {self.above:g}" if self.above > -inf else ""
        if self.low > -inf:
            least = f"at least {self.low:g}"
        most = f"at most {self.high:g}" if self.high < inf else ""
        return ", ".join(part for part in (least, most) if part)


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
