"""Parsers of a script's lines: events, random numbers, resets, delays and warps."""

from __future__ import annotations

from math import inf

from steerageway.apps.scripts.timer_script.draws import Draw, Key, Number, Place
from steerageway.apps.scripts.timer_script.script import Event, Range
from steerageway.moos.polygon import PolygonError, parse_polygon
from steerageway.moos.values import by_key, is_number, split_first

_EVENT = "expected var=NAME, val=VALUE, time=T or T1:T2, and amt=N if it is to happen N times"
_RANGE = "expected a number of seconds, or two as 10:20"
_UNLIMITED = ("any", "unlimited", "nolimit", "no_limit")
_WHEN_POSTED = ("end", "all-posted")
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
    time = _as_range(fields.get("time", "0"))
    if time is None or time.low < 0:
        raise ValueError(f"{_EVENT}, not time={fields['time']}")
    amount = fields.get("amt", "1")
    if not amount.isdecimal() or int(amount) < 1:
        raise ValueError(f"{_EVENT}, not amt={amount}")
    if quits:
        return [Event("", "", time)] * int(amount)
    quoted = fields["val"] != written["val"]
    return [Event(fields["var"], fields["val"], time, quoted)] * int(amount)


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
    return Number(fields["varname"], low, high, Key(key), step, bell)


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
        return Place(names, parse_polygon(fields.get("poly", "")), Key(key))
    except PolygonError as error:
        raise ValueError(f"{expected}: {error}") from None


def parse_reset_max(text: str) -> float:
    """Parse the maximum number of resets."""
    if text.lower() in _UNLIMITED:
        return inf
    if not text.isdecimal():
        raise ValueError(f"expected a number of resets, or one of {', '.join(_UNLIMITED)}")
    return float(text)


def parse_reset_time(text: str) -> float | None:
    """Parse when a script resets itself [script s]; inf: never; None: when all is posted."""
    if text.lower() == "none":
        return inf
    if text.lower() in _WHEN_POSTED:
        return None
    if not is_number(text) or float(text) <= 0:
        expected = f"expected a number of seconds above 0, none, or {' or '.join(_WHEN_POSTED)}"
        raise ValueError(expected)
    return float(text)


def parse_delay(text: str) -> Range:
    """Parse script seconds, or a range of them."""
    found = _as_range(text)
    if found is None or found.low < 0:
        raise ValueError(f"{_RANGE}, at least 0")
    return found


def parse_warp(text: str) -> Range:
    """Parse script seconds per simulated second, or a range of them."""
    found = _as_range(text)
    if found is None or found.low <= 0:
        raise ValueError(f"{_RANGE}, greater than 0")
    return found


def _as_range(text: str) -> Range | None:
    """Parse T or T1:T2; None for other texts, and for ends in the wrong order."""
    low, high = split_first(text, ":") if ":" in text else (text.strip(), text.strip())
    if not (is_number(low) and is_number(high)) or float(low) > float(high):
        return None
    return Range(float(low), float(high))


def _unquoted(text: str) -> str:
    """Remove the quotes around a field's value."""
    quoted = len(text) >= 2 and text[0] == text[-1] == '"'
    return text[1:-1] if quoted else text
