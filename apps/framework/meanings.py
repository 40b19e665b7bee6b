"""Units and meanings of variables, for ``--interface``: those of all apps are in a file.

``variables.json`` is written from what apps declare by ``make docs``, so that
asking one app does not import all others.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from steerageway.bus import App, is_pattern, matches

FILE = Path(__file__).with_name("variables.json")
DEFAULT, USUAL = "USM_", "NAV_"  # the simulator's prefixes: the file has the second


class Meaning(NamedTuple):
    """A variable's unit and frame, "" for none, and its meaning."""

    unit: str
    what: str


def described(name: str, kind: type[App]) -> str:
    """Return a variable with its unit and meaning, or alone if neither app nor file has them."""
    meaning = _declared(kind).get(name) or meaning_of(name)
    if meaning is None:
        return name
    unit = f" [{meaning.unit}]" if meaning.unit else ""
    return f"{name}{unit}: {meaning.what}"


def _declared(kind: type[App]) -> dict[str, Meaning]:
    """Return the meanings that an app's class declares."""
    posted = {p.name: Meaning(p.unit, p.what.replace("`", "")) for p in kind.publications}
    subscribed = {
        n: Meaning(s.unit, s.what.replace("`", "")) for s in kind.subscriptions for n in s.names
    }
    return subscribed | posted


def meaning_of(name: str) -> Meaning | None:
    """Return the meaning of a variable, from its own row or that of a pattern."""
    rows = _rows()
    for other in (name, name.replace(DEFAULT, USUAL, 1) if name.startswith(DEFAULT) else name):
        if other in rows:
            return rows[other]
    fitting = [row for row in rows if is_pattern(row) and matches(row, name)]
    fitting = fitting or [row for row in rows if is_pattern(name) and matches(name, row)]
    return rows[max(fitting, key=len)] if fitting else None


@cache
def _rows() -> dict[str, Meaning]:
    """Read the file: variable or pattern -> its meaning."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: Meaning(*row) for name, row in rows.items()}
