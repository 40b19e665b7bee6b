"""The colours of the scope's rows: by variable, source or community; what is new is bold."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from steerageway.bus import Message, matches

COLORS = ("red", "green", "blue", "magenta", "cyan", "yellow")
NEW, VIRGIN = "bold", "ansibrightblack"
Colored = tuple[str, str]


def read_colored(text: str) -> Colored:
    """Read ``NAME, COLOUR``: what is coloured, a name or a pattern, and how.

    Raises:
        ValueError: it is not of this form, or there is no such colour.
    """
    name, comma, color = (part.strip() for part in text.rpartition(","))
    if not (name and comma) or color.lower() not in COLORS:
        raise ValueError(f"expected NAME, COLOUR; colours are {', '.join(COLORS)}")
    return name, color.lower()


def any_colored(names: Sequence[str]) -> Iterator[Colored]:
    """Give each of some names or patterns a colour of its own, as far as there are so many."""
    for number, name in enumerate(names):
        yield name, COLORS[number % len(COLORS)]


def style_of(
    name: str, message: Message | None, colored: Sequence[Colored], *, is_new: bool
) -> str:
    """Give a row's style.

    Args:
        name: the row's, which names the community where there are several.
        message: what it shows; None when nobody has posted it.
        colored: what has a colour; the first that fits the variable, its source or its community
            counts.
        is_new: whether its value is another than when it was last shown.
    """
    if message is None:
        return VIRGIN
    names = (name, message.name, message.source, message.community)
    found = (color for pattern, color in colored if any(matches(pattern, one) for one in names))
    color = next(found, "")
    return " ".join(filter(None, (f"ansi{color}" if color else "", NEW if is_new else "")))


def is_wanted(asked: bool | None) -> bool:
    """Whether there is to be colour: as asked for; else unless the user's NO_COLOR says not."""
    return not os.environ.get("NO_COLOR") if asked is None else asked
