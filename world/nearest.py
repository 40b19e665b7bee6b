"""Which known word somebody meant who wrote one that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

HINT = 0.55  # of difflib's ratio: a wrong word's nearest is worth telling from here on
ALIKE = 0.8  # and from here on a word that may be right is suspected to be misspelt


def near(word: str, known: Iterable[str], least: float = HINT) -> str | None:
    """Give the known word that is nearest, whatever its capitals; None where none is near."""
    spelt = {one.lower(): one for one in sorted(known)}
    found = get_close_matches(word.lower(), spelt, 1, least)
    return spelt[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Ask for the known word that is nearest; where none is, say which there are.

    The only one that ends in the word, after an underscore, is near: its prefix was left out.
    """
    words = sorted(known)
    longer = [one for one in words if one.endswith(f"_{word}")]
    found = longer[0] if len(longer) == 1 else near(word, words)
    return f"did you mean {found}?" if found else f"expected one of {', '.join(words)}"
