"""Nearest known word to an unknown or misspelt one, and hints with it for errors."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

HINT = 0.55  # of difflib's ratio: least similarity for a hint
ALIKE = 0.8  # least similarity at which a possibly correct word is suspected to be misspelt
_FEW = 8  # known words that an error lists


def near(word: str, known: Iterable[str], least: float = HINT, most: int = 1) -> list[str]:
    """Return the known words similar to a word, most similar first, ignoring case."""
    spelt = {one.lower(): one for one in sorted(known)}
    return [spelt[one] for one in get_close_matches(word.lower(), spelt, most, least)]


def hint(word: str, known: Iterable[str], least: float = HINT, before: str = "; ") -> str:
    """Return a hint at the nearest known word, to follow an error; "" if none is near."""
    found = near(word, known, least)
    return f"{before}the nearest is {found[0]}" if found else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return text that names the nearest known word; if none is near, the known words."""
    words = sorted(known)
    return hint(word, words, before="") or f"there are {_few(words) or 'none'}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question for the nearest known word; if none is near, a list of the known ones.

    A single word that ends in this one, after an underscore, is near: its prefix was left out.
    """
    words = sorted(known)
    longer = [one for one in words if one.endswith(f"_{word}")]
    found = longer if len(longer) == 1 else near(word, words)
    return f"did you mean {found[0]}?" if found else f"expected one of {_few(words)}"


def _few(words: list[str]) -> str:
    more = f" and {len(words) - _FEW} more" if len(words) > _FEW else ""
    return ", ".join(words[:_FEW]) + more
