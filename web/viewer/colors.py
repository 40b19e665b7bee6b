"""Conversion of MOOS-IvP color names to CSS colors.

The page uses them in its canvas unchecked, so the result is always a word of letters, hex digits,
or ``rgb()`` of three numbers.
"""

from __future__ import annotations

import re

from steerageway.moos.view import is_color

NONE = "none"  # not drawn at all
_NO_COLOR = ("invisible", "off", "empty")
_GRAY = re.compile(r"gr[ae]y(\d{1,3})")
# Color names of MOOS-IvP that CSS does not have.
_OWN = {
    "lightgoldenrod": "#eedd82",
    "lightslateblue": "#8470ff",
    "macbeige": "#ffffdd",
    "macblue": "#001a99",
    "navyblue": "#000080",
    "violetred": "#d02090",
}


def css_color(text: str) -> str | None:
    """Return the CSS color; "none": invisible; None: not a color."""
    word = "".join(text.split()).lower().replace("_", "")
    if not word or not is_color(word):
        return None
    if word in _NO_COLOR:
        return NONE
    gray = _GRAY.fullmatch(word)
    if gray is not None:
        level = round(int(gray[1]) * 2.55)
        return f"rgb({level},{level},{level})"
    if word.startswith("hex:"):
        return "#" + "".join(part.rjust(2, "0") for part in word[4:].split(","))
    if ":" in word:
        parts = (round(float(part) * 255) for part in word.split(":"))
        return f"rgb({','.join(map(str, parts))})"
    return _OWN.get(word, word)
