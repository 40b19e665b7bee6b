"""Invertible text edits: splices, their application, and the difference of two texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Splice(NamedTuple):
    """A replacement of characters in a text.

    Attributes:
        at: offset of the first character.
        old: the characters that are replaced.
        new: their replacement.
    """

    at: int
    old: str
    new: str

    @property
    def back(self) -> Splice:
        """The inverse splice."""
        return Splice(self.at, self.new, self.old)


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Apply splices one after the other: offsets refer to the text after those before.

    Raises:
        ValueError: the text at a splice's offset is not its ``old``.
    """
    for splice in splices:
        end = splice.at + len(splice.old)
        if text[splice.at : end] != splice.old:
            raise ValueError(f"{splice.old!r} does not stand at {splice.at}")
        text = text[: splice.at] + splice.new + text[end:]
    return text


def difference(old: str, new: str) -> list[Splice]:
    """Return the shortest single splice that turns one text into another; none if equal."""
    if old == new:
        return []
    most = min(len(old), len(new))
    first = next((i for i in range(most) if old[i] != new[i]), most)
    last = next(
        (i for i in range(most - first) if old[len(old) - 1 - i] != new[len(new) - 1 - i]),
        most - first,
    )
    return [Splice(first, old[first : len(old) - last], new[first : len(new) - last])]
