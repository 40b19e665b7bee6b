"""Pieces of a text that are replaced, and the way back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Splice(NamedTuple):
    """Characters of a text, and what takes their place.

    Attributes:
        at: the first character.
        old: what stands there.
        new: what will.
    """

    at: int
    old: str
    new: str

    @property
    def back(self) -> Splice:
        """The way back."""
        return Splice(self.at, self.new, self.old)


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Give a text with pieces replaced, one after the other.

    Raises:
        ValueError: what a splice replaces does not stand there.
    """
    for splice in splices:
        end = splice.at + len(splice.old)
        if text[splice.at : end] != splice.old:
            raise ValueError(f"{splice.old!r} does not stand at {splice.at}")
        text = text[: splice.at] + splice.new + text[end:]
    return text


def difference(old: str, new: str) -> list[Splice]:
    """Give the one splice that leads from a text to another; none if they are equal."""
    if old == new:
        return []
    most = min(len(old), len(new))
    first = next((i for i in range(most) if old[i] != new[i]), most)
    last = next(
        (i for i in range(most - first) if old[len(old) - 1 - i] != new[len(new) - 1 - i]),
        most - first,
    )
    return [Splice(first, old[first : len(old) - last], new[first : len(new) - last])]
