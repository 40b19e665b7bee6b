"""Slips in values: ``flase``, or two letters swapped in another value of a variable."""

from __future__ import annotations

from collections.abc import Sequence

LOGICAL = ("true", "false")
SHORTEST = 5  # least length of other values that are compared: short ones are too often similar


def meant_by(value: str, others: Sequence[str]) -> str:
    """Return the value of which another is probably a misspelling; "" for none."""
    word = value.lower()
    if word in (*LOGICAL, *(one.lower() for one in others)):
        return ""
    for known in LOGICAL:
        if is_slip(word, known) or _is_swap(word, known):
            return known
    for other in others:
        long = min(len(value), len(other)) >= SHORTEST
        if long and len(word) != len(other) and is_slip(word, other.lower()):
            return other
        if long and _is_swap(word, other.lower()):
            return other
    return ""


def is_slip(word: str, meant: str) -> bool:
    """Whether two words differ by one letter changed, missing or added, and end in no digit."""
    if word == meant or abs(len(word) - len(meant)) > 1:
        return False
    if word.rstrip("0123456789") != word or meant.rstrip("0123456789") != meant:
        return False
    # Behind the common start, the rests are equal but for a letter of both, of word, or of meant.
    same = 0
    while same < min(len(word), len(meant)) and word[same] == meant[same]:
        same += 1
    rests = word[same:], meant[same:]
    return any(rests[0][first:] == rests[1][second:] for first, second in ((1, 1), (1, 0), (0, 1)))


def _is_swap(word: str, meant: str) -> bool:
    """Whether two words differ by swapping two adjacent letters."""
    differ = [i for i, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b]
    if len(word) != len(meant) or len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    first, second = differ
    return word[first] == meant[second] and word[second] == meant[first]
