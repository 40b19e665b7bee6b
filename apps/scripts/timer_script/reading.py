"""Reads a script from a block of a mission file."""

from __future__ import annotations

from math import inf

from steerageway.apps.scripts.timer_script.draws import Draw, Key, Number, Place
from steerageway.apps.scripts.timer_script.script import Awake, Event, Plan, Range
from steerageway.bus import Config, Entry
from steerageway.moos.polygon import PolygonError, parse_polygon
from steerageway.moos.values import bite, by_key, is_number, trimmed

_EVENT = "expected var=NAME, val=VALUE, time=T or T1:T2, and amt=N if it is to happen N times"
_RANGE = "expected a number of seconds, or two as 10:20"
_UNLIMITED = ("any", "unlimited", "nolimit", "no_limit")
_WHEN_POSTED = ("end", "all-posted")
_BELLS = ("gaussian", "normal")


def read_plan(config: Config) -> Plan:
    """Read the script.

    Raises:
        ConfigError: a line is wrong.
    """
    return Plan(
        name=config.text("script_name", default="unnamed"),
        events=[event for entry in config.all("event") for event in _read_events(entry)],
        draws=(
            *(_read_number(entry) for entry in config.all("rand_var", "randvar")),
            *(_read_place(entry) for entry in config.all("rand_pair", "randpair")),
        ),
        paused=config.flag("paused", default=False),
        atomic=config.flag("script_atomic", default=False),
        reset_max=_read_reset_max(config),
        reset_time=_read_reset_time(config),
        shuffle=config.flag("shuffle", default=True),
        delay_start=_read_range(config, "delay_start", 0.0),
        delay_reset=_read_range(config, "delay_reset", 0.0),
        warp=_read_range(config, "time_warp", 1.0, above=0.0),
        upon_awake=Awake(config.choice("upon_awake", default="n/a", among=tuple(Awake))),
    )


def _read_events(entry: Entry) -> list[Event]:
    """Read one line: as many events as it says."""
    written = by_key(entry.value)
    fields = {key: _bare(value) for key, value in written.items()}
    quits = "quit" in fields or fields.get("var") == "quit"
    for key in fields:
        if key not in ("var", "val", "time", "amt", "quit"):
            raise Config.error(entry, f"{_EVENT}, not {key}")
    if not (quits or (fields.get("var") and written.get("val"))):
        raise Config.error(entry, _EVENT)
    time = _as_range(fields.get("time", "0"))
    if time is None or time.low < 0:
        raise Config.error(entry, f"{_EVENT}, not time={fields['time']}")
    amount = fields.get("amt", "1")
    if not amount.isdecimal() or int(amount) < 1:
        raise Config.error(entry, f"{_EVENT}, not amt={amount}")
    if quits:
        return [Event("", "", time)] * int(amount)
    quoted = fields["val"] != written["val"]
    return [Event(fields["var"], fields["val"], time, quoted)] * int(amount)


def _read_number(entry: Entry) -> Draw:
    expected = (
        "expected varname=X, min=A, max=B with A <= B, and key=at_start, at_reset or at_post, "
        "snap=STEP, type=gaussian, mu=M, sigma=S if wanted"
    )
    fields = by_key(entry.value)
    fields |= {key: fields[key].lower() for key in ("type", "key") if key in fields}
    known = ("varname", "min", "max", "key", "snap", "type", "mu", "sigma")
    ends = [fields.get(key, "") for key in ("min", "max")]
    numbers = [*ends, *(fields.get(key, "0") for key in ("snap", "mu", "sigma"))]
    kind, key = fields.get("type", "uniform"), fields.get("key", Key.AT_START)
    if (
        any(name not in known for name in fields)
        or not fields.get("varname")
        or not all(map(is_number, numbers))
        or kind not in ("uniform", *_BELLS)
        or key not in tuple(Key)
    ):
        raise Config.error(entry, expected)
    low, high, step, mean, sigma = map(float, numbers)
    if low > high or step < 0 or sigma < 0:
        raise Config.error(entry, expected)
    bell = (mean, sigma) if kind in _BELLS else None
    return Number(fields["varname"], low, high, Key(key), step, bell)


def _read_place(entry: Entry) -> Draw:
    expected = "expected var1=X, var2=Y, type=poly, poly=POLYGON, and key=... if wanted"
    fields = {key: _bare(value) for key, value in by_key(entry.value).items()}
    key = fields.get("key", Key.AT_START)
    names = fields.get("var1", ""), fields.get("var2", "")
    known = ("var1", "var2", "type", "poly", "key")
    right = all(names) and fields.get("type", "poly") == "poly" and key in tuple(Key)
    if not right or any(name not in known for name in fields):
        raise Config.error(entry, expected)
    try:
        return Place(names, parse_polygon(fields.get("poly", "")), Key(key))
    except PolygonError as error:
        raise Config.error(entry, f"{expected}: {error}") from None


def _read_reset_max(config: Config) -> float:
    entry = config.entry("reset_max")
    if entry is None or entry.value.lower() in _UNLIMITED:
        return inf
    if not entry.value.isdecimal():
        raise Config.error(entry, f"expected a number of resets, or one of {', '.join(_UNLIMITED)}")
    return float(entry.value)


def _read_reset_time(config: Config) -> float | None:
    entry = config.entry("reset_time")
    if entry is None or entry.value.lower() == "none":
        return inf
    if entry.value.lower() in _WHEN_POSTED:
        return None
    if not is_number(entry.value) or float(entry.value) <= 0:
        expected = f"expected a number of seconds above 0, none, or {' or '.join(_WHEN_POSTED)}"
        raise Config.error(entry, expected)
    return float(entry.value)


def _read_range(config: Config, key: str, default: float, above: float | None = None) -> Range:
    entry = config.entry(key)
    if entry is None:
        return Range(default, default)
    found = _as_range(entry.value)
    if found is None or found.low < 0 or (above is not None and found.low <= above):
        bound = "at least 0" if above is None else f"greater than {trimmed(above)}"
        raise Config.error(entry, f"{_RANGE}, {bound}")
    return found


def _as_range(text: str) -> Range | None:
    """Read T or T1:T2; None for anything else, and for ends in the wrong order."""
    low, high = bite(text, ":") if ":" in text else (text.strip(), text.strip())
    if not (is_number(low) and is_number(high)) or float(low) > float(high):
        return None
    return Range(float(low), float(high))


def _bare(text: str) -> str:
    """Take the quotes around a field's value off."""
    quoted = len(text) >= 2 and text[0] == text[-1] == '"'
    return text[1:-1] if quoted else text
