"""Patterns of names with the wildcards * (any text) and ? (any one character)."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache


def is_pattern(name: str) -> bool:
    """Whether the name holds * or ?."""
    return "*" in name or "?" in name


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern's regular expression; it takes time O(pattern length * name length).

    Text between two stars needs to be tried at its first match only: if the rest does not match
    from there, it matches from no later place. The atomic groups express that; without them
    every combination of places would be tried.
    """
    first, *parts = [_literal(part) for part in re.split(r"\*+", pattern)]
    if not parts:
        return re.compile(first, re.DOTALL)
    *between, last = parts
    found = "".join(f"(?>.*?{part})" for part in between)
    return re.compile(f"{first}{found}.*{last}", re.DOTALL)


def _literal(part: str) -> str:
    return re.escape(part).replace(r"\?", ".")


def matches(pattern: str, name: str) -> bool:
    """Whether the pattern covers the name."""
    if pattern in ("*", name):
        return True
    return is_pattern(pattern) and _compiled(pattern).fullmatch(name) is not None


def any_matches(patterns: Collection[str], name: str) -> bool:
    """Whether any of the patterns covers the name."""
    return name in patterns or any(matches(pattern, name) for pattern in patterns)


def may_meet(one: str, other: str) -> bool:
    """Whether some name may be covered by both patterns; never wrongly False."""
    if not is_pattern(one):
        return matches(other, one)
    if not is_pattern(other):
        return matches(one, other)
    head, tail = _literal_ends(one)
    other_head, other_tail = _literal_ends(other)
    heads = head.startswith(other_head) or other_head.startswith(head)
    return heads and (tail.endswith(other_tail) or other_tail.endswith(tail))


def _literal_ends(pattern: str) -> tuple[str, str]:
    """Return the text before the first and after the last wildcard."""
    parts = re.split(r"[*?]", pattern)
    return parts[0], parts[-1]
