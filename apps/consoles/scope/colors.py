"""Colours of the scope's rows: by variable, source or community; new values are bold."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from steerageway.bus import Message, matches

COLORS = ("red", "green", "blue", "magenta", "cyan", "yellow")
NEW, UNPOSTED = "bold", "ansibrightblack"
Colored = tuple[str, str]


def read_colored(text: str) -> Colored:
    """Parse ``NAME, COLOUR``: a name or a pattern and its colour.

    Raises:
        ValueError: the text has another form, or the colour is unknown.
    """
    name, comma, color = (part.strip() for part in text.rpartition(","))
    if not (name and comma) or color.lower() not in COLORS:
        raise ValueError(f"expected NAME, COLOUR; colours are {', '.join(COLORS)}")
    return name, color.lower()


def assign_colors(names: Sequence[str]) -> Iterator[Colored]:
    """Yield each name or pattern with a colour; colours repeat if there are more names."""
    for number, name in enumerate(names):
        yield name, COLORS[number % len(COLORS)]


def style_of(
    name: str, message: Message | None, colored: Sequence[Colored], *, is_new: bool
) -> str:
    """Return a row's style.

    Args:
        name: of the row, with the community if there are several.
        message: of the row; None if it was never posted.
        colored: names or patterns and their colours; the first that matches the variable, its
            source
            or its community is used.
        is_new: whether its value has changed since it was last shown.
    """
    if message is None:
        return UNPOSTED
    names = (name, message.name, message.source, message.community)
    found = (color for pattern, color in colored if any(matches(pattern, one) for one in names))
    color = next(found, "")
    return " ".join(filter(None, (f"ansi{color}" if color else "", NEW if is_new else "")))


def use_colors(asked: bool | None) -> bool:
    """Whether to use colour: as requested; by default unless NO_COLOR is set."""
    return not os.environ.get("NO_COLOR") if asked is None else asked
