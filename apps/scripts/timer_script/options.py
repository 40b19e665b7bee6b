"""The parameters of ``uTimerScript``: events, random numbers, resets, delays and warps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf

from steerageway.apps.scripts.timer_script.script import Awake, Event, Plan, Range
from steerageway.apps.scripts.timer_script.values import Draw, DrawnNumber, DrawnPlace, Key
from steerageway.apps.shared.block_readers import parse_variable, read_conditions
from steerageway.bus import Config, Entry, Options, declare
from steerageway.declarations import Interval, Number, Whole, field_of
from steerageway.moos.condition import Condition
from steerageway.moos.polygon import PolygonError, parse_polygon
from steerageway.moos.values import by_key, is_number

SCRIPT_START, DB_START = "script_start", "db_start"


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


def read_block_on(config: Config, names: Sequence[str]) -> list[tuple[str, Entry]]:
    """Read the names of apps, each with its line."""
    return [
        (name.strip(), line)
        for line in config.all(*names)
        for name in line.value.replace(":", ",").split(",")
        if name.strip()
    ]


@dataclass(frozen=True)
class ScriptOptions(Options):
    """Parameters of the configuration block."""

    event: tuple[list[Event], ...] = declare.lines(
        parse_events, "var=NAME,val=VALUE,time=T or T1:T2[,amt=N]; quit[,time=T]"
    )
    rand_var: tuple[Draw, ...] = declare.lines(
        parse_number_draw,
        "varname=X,min=A,max=B[,key=at_start|at_reset|at_post][,snap=S]",
        aliases=("randvar",),
    )
    rand_pair: tuple[Draw, ...] = declare.lines(
        parse_place_draw, "var1=X,var2=Y,type=poly,poly=POLYGON[,key=...]", aliases=("randpair",)
    )
    paused: bool = declare.flag(False, "true: start paused")
    condition: list[Condition] = declare.custom(
        read_conditions, "condition without which the script's clock stops; repeatable"
    )
    script_atomic: bool = declare.flag(False, "true: once started, conditions do not stop it")
    reset_max: float = declare.value("any", parse_reset_max, "maximum number of resets; or any")
    reset_time: float | None = declare.value(
        "none", parse_reset_time, "when it resets itself: none, all-posted, or script time [s], > 0"
    )
    shuffle: bool = declare.flag(True, "redraw the times of events at each reset")
    delay_start: Range = declare.value(
        "0", parse_delay, "delay of the events [script s], or a range"
    )
    delay_reset: Range = declare.value(
        "0", parse_delay, "delay of the events after a reset [script s], or a range"
    )
    time_warp: Range = declare.value(
        "1", parse_warp, "script seconds per simulated second, or a range, > 0"
    )
    time_zero: str = declare.choice(
        SCRIPT_START, {SCRIPT_START: "", DB_START: ""}, "start of its clock"
    )
    upon_awake: str = declare.choice(
        Awake.NOTHING, {word.value: "" for word in Awake}, "action when conditions hold again"
    )
    block_on: list[tuple[str, Entry]] = declare.custom(
        read_block_on, "apps that must be connected before it starts; repeatable"
    )
    script_name: str = declare.text("unnamed", "name in the status")
    forward_var: str = declare.value(
        "UTS_FORWARD",
        parse_variable,
        "variable to skip script seconds; 0 or less: to the next event",
        aliases=("forward_variable",),
    )
    reset_var: str = declare.value(
        "UTS_RESET",
        parse_variable,
        "variable to reset it by true or reset",
        aliases=("reset_variable",),
    )
    pause_var: str = declare.value(
        "UTS_PAUSE",
        parse_variable,
        "variable to pause it by true, false or toggle",
        aliases=("pause_variable",),
    )
    status_var: str = declare.text("UTS_STATUS", "variable of its status; or silent")
    verbose: bool = declare.flag(True, "accepted and without effect: there is no terminal")

    def plan(self) -> Plan:
        """Return the script."""
        return Plan(
            name=self.script_name,
            events=list(chain(*self.event)),
            draws=(*self.rand_var, *self.rand_pair),
            paused=self.paused,
            atomic=self.script_atomic,
            reset_max=self.reset_max,
            reset_time=self.reset_time,
            shuffle=self.shuffle,
            delay_start=self.delay_start,
            delay_reset=self.delay_reset,
            warp=self.time_warp,
            upon_awake=Awake(self.upon_awake),
        )
