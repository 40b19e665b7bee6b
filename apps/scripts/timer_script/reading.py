"""Parsers of a script's lines: events, random numbers, resets, delays and warps."""

from __future__ import annotations

from math import inf

from steerageway.apps.scripts.timer_script.draws import Draw, DrawnNumber, DrawnPlace, Key
from steerageway.apps.scripts.timer_script.script import Event, Range
from steerageway.declarations import Interval, Number, Whole, field_of
from steerageway.moos.polygon import PolygonError, parse_polygon
from steerageway.moos.values import by_key, is_number

_EVENT = "expected var=NAME, val=VALUE, time=T or T1:T2, and amt=N if it is to happen N times"
_DELAY, _WARP = Interval(Number(low=0.0)), Interval(Number(above=0.0))
_RESETS = Whole(low=0, words=dict.fromkeys(("any", "unlimited", "nolimit", "no_limit"), inf))
MOST_EVENTS = 100_000  # of a line
_WHEN_POSTED = ("end", "all-posted")
_RESET_TIME = Number(above=0.0, words=dict.fromkeys(("none", *_WHEN_POSTED), inf))
_GAUSSIAN = ("gaussian", "normal")


def parse_events(text: str) -> list[Event]:
    """Parse one line to its events."""
    written = by_key(text)
    fields = {key: _unquoted(value) for key, value in written.items()}
    quits = "quit" in fields or fields.get("var") == "quit"
    for key in fields:
        if key not in ("var", "val", "time", "amt", "quit"):
            raise ValueError(f"{_EVENT}, not {key}")
    if not (quits or (fields.get("var") and written.get("val"))):
        raise ValueError(_EVENT)
    time = Range(*field_of(fields, "time", _DELAY, "0"))
    amount = field_of(fields, "amt", Whole(1, MOST_EVENTS), "1")
    if quits:
        return [Event("", "", time)] * amount
    quoted = fields["val"] != written["val"]
    return [Event(fields["var"], fields["val"], time, quoted)] * amount


def parse_number_draw(text: str) -> Draw:
    """Parse a ``rand_var``."""
    expected = (
        "expected varname=X, min=A, max=B with A <= B, and key=at_start, at_reset or at_post, "
        "snap=STEP, type=gaussian, mu=M, sigma=S if wanted"
    )
    fields = by_key(text)
    fields |= {key: fields[key].lower() for key in ("type", "key") if key in fields}
    known = ("varname", "min", "max", "key", "snap", "type", "mu", "sigma")
    ends = [fields.get(key, "") for key in ("min", "max")]
    numbers = [*ends, *(fields.get(key, "0") for key in ("snap", "mu", "sigma"))]
    kind, key = fields.get("type", "uniform"), fields.get("key", Key.AT_START)
    if (
        any(name not in known for name in fields)
        or not fields.get("varname")
        or not all(map(is_number, numbers))
        or kind not in ("uniform", *_GAUSSIAN)
        or key not in tuple(Key)
    ):
        raise ValueError(expected)
    low, high, step, mean, sigma = map(float, numbers)
    if low > high or step < 0 or sigma < 0:
        raise ValueError(expected)
    bell = (mean, sigma) if kind in _GAUSSIAN else None
    return DrawnNumber(fields["varname"], low, high, Key(key), step, bell)


def parse_place_draw(text: str) -> Draw:
    """Parse a ``rand_pair``."""
    expected = "expected var1=X, var2=Y, type=poly, poly=POLYGON, and key=... if wanted"
    fields = {key: _unquoted(value) for key, value in by_key(text).items()}
    key = fields.get("key", Key.AT_START)
    names = fields.get("var1", ""), fields.get("var2", "")
    known = ("var1", "var2", "type", "poly", "key")
    right = all(names) and fields.get("type", "poly") == "poly" and key in tuple(Key)
    if not right or any(name not in known for name in fields):
        raise ValueError(expected)
    try:
        return DrawnPlace(names, parse_polygon(fields.get("poly", "")), Key(key))
    except PolygonError as error:
        raise ValueError(f"{expected}: {error}") from None


def parse_reset_max(text: str) -> float:
    """Parse the maximum number of resets."""
    return inf if text.strip().lower() in _RESETS.words else _RESETS(text)


def parse_reset_time(text: str) -> float | None:
    """Parse when a script resets itself [script s]; inf: never; None: when all is posted."""
    return None if text.lower() in _WHEN_POSTED else _RESET_TIME(text)


def parse_delay(text: str) -> Range:
    """Parse script seconds, or a range of them."""
    return Range(*_DELAY(text))


def parse_warp(text: str) -> Range:
    """Parse script seconds per simulated second, or a range of them."""
    return Range(*_WARP(text))


def _unquoted(text: str) -> str:
    """Remove the quotes around a field's value."""
    quoted = len(text) >= 2 and text[0] == text[-1] == '"'
    return text[1:-1] if quoted else text
