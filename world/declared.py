"""What the keys of files are: each declared once, with unit, default, range and meaning.

A ``Key`` is its own name, so that it stands wherever a file's section is asked for a key; what the
section then needs to know of it, default and range, it takes from the key. Readers, forms, and the
pages that list keys have no other table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf


class Kind(StrEnum):
    """How a value is written."""

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
        name: as the file has it; a pattern's, as documents write it.
        kind: how its value is written.
        unit: of its numbers; "" for none.
        default: where the key is absent; None: there is none.
        usual: in words, what counts in its absence where that is no fixed value.
        meaning: one phrase.
        low, high, above: what a number is at least, at most, and above.
        size: how many numbers a vector or a row has, or rows and columns a square matrix; 0: any.
        choices: the words of a choice.
        keys: of a section, or of each item of a list.
        ours: whether Panisim's files do not have it.
        models: which models read it; () for all.
        pattern: a regular expression of the names it stands for; "": its own alone.
        aliases: other spellings of the same.
        suffixes: what a file that it names ends in.
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
        """Make the text that the key is."""
        return str.__new__(cls, name)

    def __repr__(self) -> str:
        """Give the name as text has it: errors show keys."""
        return str.__repr__(self)

    @property
    def required(self) -> bool:
        """Say whether it must be there."""
        return self.default is None and not self.usual

    def stands_for(self, name: str) -> bool:
        """Say whether a file's word is this key."""
        if self.pattern:
            return re.fullmatch(self.pattern, name) is not None
        return name == self.name or name in self.aliases

    def called(self, name: str) -> Key:
        """Give the key of one name that a pattern stands for."""
        return replace(self, name=name, pattern="")

    def of_model(self, model: str) -> bool:
        """Say whether a model reads it."""
        return not self.models or model in self.models

    @property
    def range(self) -> str:
        """Give the range in words; "" for any number."""
        least = f"above {self.above:g}" if self.above > -inf else ""
        if self.low > -inf:
            least = f"at least {self.low:g}"
        most = f"at most {self.high:g}" if self.high < inf else ""
        return ", ".join(part for part in (least, most) if part)


def found(keys: Sequence[Key], path: Sequence[str]) -> Key | None:
    """Give the key at a path of names; items of lists count from 1 and are passed over."""
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
    """Give the path of each key, sections before what they hold."""
    for key in keys:
        yield (*prefix, key)
        yield from flat(key.keys, (*prefix, key))
