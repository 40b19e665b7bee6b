"""Units and meanings of variables, from an app's declarations or ``VARIABLES.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from steerageway.bus import App, is_pattern, matches

PAGE = Path(__file__).resolve().parents[2] / "VARIABLES.md"
DEFAULT, USUAL = "USM_", "NAV_"  # the simulator's prefixes: the page documents the second
POSTED, HEARD = 7, 5  # cells of a row


class Meaning(NamedTuple):
    """A variable's unit and frame, "" for none, and its meaning."""

    unit: str
    what: str


ELSEWHERE = Meaning("", "see below")


def described(name: str, kind: type[App]) -> str:
    """Return a variable with its unit and meaning, or alone if neither app nor page has them."""
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
    """Read the page's tables; of several rows about a variable the first with a meaning is used."""
    found: dict[str, Meaning] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            for name, meaning in _of_row(line):
                if found.get(name, ELSEWHERE).what == ELSEWHERE.what:
                    found[name] = meaning
    return found


def _of_row(line: str) -> Iterator[tuple[str, Meaning]]:
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if len(cells) in (POSTED, HEARD):
        unit = cells[2].replace("`", "")
        for name in re.findall(r"`([^`]+)`", cells[0]):
            yield name, Meaning(unit, cells[-1].replace("`", ""))
