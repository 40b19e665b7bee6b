"""Posts typed by a person, ``[NAME:]VAR=VALUE``, with values typed as in uPokeDB.

A value that reads as a number is a number; ``VAR:=1`` and ``VAR="1"`` are text; ``@UTC`` and
``@MOOSTIME`` become the time of the post, as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from steerageway.moos.values import Value, auto_value, fixed

FORM = "[NAME:]VAR=VALUE"

_POKE = re.compile(r"\s*(?:([^\s:=]+):)?([^\s:=]+)\s*(:?)=(.*)", re.DOTALL)
_NOW = re.compile(r"@(?:MOOSTIME|UTC)")


@dataclass(frozen=True, slots=True)
class Poke:
    """A post.

    Attributes:
        community: "" if none was given.
        name: the variable.
        value: returns what to post, given the UTC [s].
    """

    community: str
    name: str
    value: Callable[[float], Value]


def parse_poke(text: str) -> Poke | None:
    """Parse a post; None if the text has another form."""
    match = _POKE.fullmatch(text)
    if match is None:
        return None
    community, name, as_text, value = match.groups(default="")
    return Poke(community, name, _value(value, as_text=bool(as_text)))


def _value(text: str, *, as_text: bool) -> Callable[[float], Value]:
    if _NOW.search(text):
        return lambda utc: _NOW.sub(fixed(utc, 3), text)
    value = text.strip() if as_text else auto_value(text)
    return lambda utc: value
