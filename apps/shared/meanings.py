"""Units, ranges and meanings of variables: those of all apps are in a file.

``variables.json`` is written from what apps declare by ``make docs``, so that
asking one app does not import all others.
"""

from __future__ import annotations

import json
import re
from functools import cache
from math import pi, tau
from pathlib import Path
from typing import NamedTuple

from steerageway.bus import App, is_pattern, matches

FILE = Path(__file__).with_name("variables.json")
DEFAULT, USUAL = "USM_", "NAV_"  # the simulator's prefixes: the file has the second


_SPAN = re.compile(r"\[(-?[\d.]+), (-?[\d.]+)[\])]")
_TURNS = {"deg": 360.0, "rad": tau}
_ALMOST = 1e-3  # of a turn, which ranges in radians are rounded to


class Meaning(NamedTuple):
    """A variable's unit and frame, "" for none, its meaning, and its range, "" if not declared."""

    unit: str
    what: str
    range: str = ""


class Circle(NamedTuple):
    """The circle on which a variable's angles lie: its least angle, and a full turn."""

    low: float
    period: float

    def wrapped(self, angle: float) -> float:
        """Return an angle within the circle's range."""
        turned = (angle - self.low) % self.period
        return self.low + (turned if turned < self.period else 0.0)

    def turn(self, start: float, end: float) -> float:
        """Return the shorter turn between two angles."""
        turned = (end - start) % self.period
        return turned - self.period if turned > self.period / 2 else turned


_HEADING, _YAW, _LONGITUDE = Circle(0.0, 360.0), Circle(-pi, tau), Circle(-180.0, 360.0)
_FIELDS = {
    **dict.fromkeys(("heading", "hdg", "cog", "dir", "ang"), _HEADING),
    **dict.fromkeys(("start_heading", "default_hdg", "direction_from", "direction_to"), _HEADING),
    **dict.fromkeys(("phi", "psi", "yaw", "roll"), _YAW),
    **dict.fromkeys(("lon", "long"), _LONGITUDE),
}
"""Fields of texts and keys that are angles: of states, poses, reports, wind, current and drift."""
_COMPASS = ("heading", "hdg", "cog", "course", "bearing", "brg", "dir", "direction")
"""Last words of variables that no app here declares, and that are directions of a compass."""


def described(name: str, kind: type[App]) -> str:
    """Return a variable with its unit and meaning, or alone if neither app nor file has them."""
    meaning = _declared(kind).get(name) or meaning_of(name)
    if meaning is None:
        return name
    unit = f" [{meaning.unit}]" if meaning.unit else ""
    return f"{name}{unit}: {meaning.what}"


def _declared(kind: type[App]) -> dict[str, Meaning]:
    """Return the meanings that an app's class declares."""
    posted = {p.name: Meaning(p.unit, p.what.replace("`", ""), p.range) for p in kind.publications}
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
def circle_of(name: str) -> Circle | None:
    """Return the circle of a variable that is an angle, by its declared range; None for others.

    Args:
        name: a variable, ``USM_STATE.psi`` for a field of a text, ``APP.start_heading`` for a key.
            A simulator's variables may have any prefix instead of ``NAV_``.
    """
    if "." in name:
        return _FIELDS.get(name.rpartition(".")[2].lower())
    parts = name.split("_")
    tails = (f"{USUAL}{'_'.join(parts[k:])}" for k in range(1, len(parts)))
    meanings = [*filter(None, map(meaning_of, (name, *tails)))]
    if not meanings:  # of an app of a user
        return _HEADING if parts[-1].lower() in _COMPASS else None
    return next(filter(None, map(_circle_in, meanings)), None)


def _circle_in(meaning: Meaning) -> Circle | None:
    """Return the circle that a declared unit and range are of; None if they are of none."""
    span, unit = _SPAN.fullmatch(meaning.range), meaning.unit
    turn = _TURNS.get(unit[:3], 0.0) if unit[3:4] != "/" else 0.0
    if span is None or not turn:
        return None
    low, high = float(span[1]), float(span[2])
    is_whole = abs(high - low - turn) < _ALMOST * turn
    return Circle(0.0 if low == 0.0 else -turn / 2, turn) if is_whole else None


@cache
def _rows() -> dict[str, Meaning]:
    """Read the file: variable or pattern -> its meaning."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: Meaning(*row) for name, row in rows.items()}
