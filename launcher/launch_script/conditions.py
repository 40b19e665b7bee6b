"""Evaluation of shell conditions: ``[ "$JUST_MAKE" = "yes" -a -f clean.sh ]``, ``[[ ... ]]``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from steerageway.launcher.launch_script.errors import Unread
from steerageway.launcher.launch_script.words import Words, matches

_NUMBERS = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}
_OPEN = re.compile(r"(\[\[?|test)\s+(.*?)\s*(\]\]?)?", re.DOTALL)


def is_test(text: str) -> bool:
    """Whether a command is a test, as ``[ ... ]``."""
    return text.startswith(("[ ", "[[ ", "test "))


def holds(text: str, words: Words, folder: Path) -> bool:
    """Evaluate a condition.

    Raises:
        Unread: its form is not supported.
    """
    found = _OPEN.fullmatch(text.strip())
    if found is None:
        raise Unread(text)
    whole = words.fields(found[2].replace("&&", " -a ").replace("||", " -o "))
    return any(
        all(_term(term, text, folder) for term in _split(part, "-a"))
        for part in _split(whole, "-o")
    )


def _split(words: Sequence[str], joint: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == joint:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _term(words: Sequence[str], text: str, folder: Path) -> bool:
    if words[:1] == ["!"]:
        return not _term(words[1:], text, folder)
    if len(words) == 3:
        left, relation, right = words
        if relation in ("=", "=="):
            # [[ ]] compares with a pattern, [ ] with a text
            return left == right or (text.startswith("[[") and matches(left, right))
        if relation == "!=":
            return left != right
        if relation in _NUMBERS:
            try:
                return bool(_NUMBERS[relation](int(left), int(right)))
            except ValueError:
                return False
    if len(words) == 2:
        option, operand = words
        if option in ("-z", "-n"):
            return (operand == "") == (option == "-z")
        if option in ("-f", "-e", "-d", "-r", "-x", "-s"):
            place = folder / operand
            return place.is_dir() if option == "-d" else place.exists()
    if len(words) == 1:
        return words[0] not in ("", "-n")
    if not words:
        return False
    raise Unread(text)
