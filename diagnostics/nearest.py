"""Which known word somebody meant who wrote one that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

HINT = 0.55  # of difflib's ratio: a wrong word's nearest is worth telling from here on
ALIKE = 0.8  # and from here on a word that may be right is suspected to be misspelt
_FEW = 8  # known words that an error lists


def near(word: str, known: Iterable[str], least: float = HINT, most: int = 1) -> list[str]:
    """Return the known words a word is much like, the likest first; capitals make no difference."""
    spelt = {one.lower(): one for one in sorted(known)}
    return [spelt[one] for one in get_close_matches(word.lower(), spelt, most, least)]


def hint(word: str, known: Iterable[str], least: float = HINT, before: str = "; ") -> str:
    """Say behind an error which known word is nearest; nothing where none is near."""
    found = near(word, known, least)
    return f"{before}the nearest is {found[0]}" if found else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Say which known word is nearest; where none is, which there are."""
    words = sorted(known)
    more = f" and {len(words) - _FEW} more" if len(words) > _FEW else ""
    listed = f"there are {', '.join(words[:_FEW]) or 'none'}{more}"
    return hint(word, words, before="") or listed


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Ask for the known word that is nearest; where none is, say which there are.

    The only one that ends in the word, after an underscore, is near: its prefix was left out.
    """
    words = sorted(known)
    longer = [one for one in words if one.endswith(f"_{word}")]
    found = longer if len(longer) == 1 else near(word, words)
    return f"did you mean {found[0]}?" if found else f"expected one of {', '.join(words)}"
