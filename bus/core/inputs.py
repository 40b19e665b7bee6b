"""``inputs.jsonl``: posts and orders from outside, written during a run and replayed later.

One JSON object a line: ``{"instant": 2500000000, "phase": 0, "community": "alpha", "name":
"DEPLOY", "value": "true", "source": "uPokeDB"}``, and ``time``, ``aux`` and ``case`` where there
are any.
``instant`` is in nanoseconds; a number is a JSON number, text a string, bytes ``{"base64": ...}``.

A reset or clear of a case is a line with a verb: ``{"instant": 2500000000, "case": 0, "verb":
"reset", "number": 1, "seed": 7}``, with ``first``, ``then``, ``community`` and ``source`` of the
case that followed where there are any, or ``{"instant": ..., "case": 0, "verb": "clear"}``.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable
from math import inf
from sys import float_info
from typing import Any

from steerageway.bus.core.cases import Case, Order
from steerageway.bus.core.errors import ConfigError, PostRefused
from steerageway.bus.core.message import is_postable
from steerageway.bus.core.plan import Input, Phase
from steerageway.declarations import json_of
from steerageway.declarations.posted import Value

LATEST = 10**18  # ns
_SHOWN = 80  # characters of a value that an error quotes
INPUTS_FILE = "inputs.jsonl"  # in a run's folder

_TYPES: dict[str, tuple[type, ...]] = {
    "instant": (int,),
    "phase": (int,),
    "community": (str,),
    "name": (str,),
    "value": (float, int, str, dict),
    "source": (str,),
    "time": (float, int, type(None)),
    "aux": (str,),
    "case": (int, type(None)),
}
_NEEDED = ("instant", "phase", "community", "name", "value")
_ORDER_TYPES: dict[str, tuple[type, ...]] = {"instant": (int,), "case": (int,), "verb": (str,)}
_RESET_TYPES: dict[str, tuple[type, ...]] = {
    **_ORDER_TYPES,
    "number": (int,),
    "seed": (int, type(None)),
    "first": (dict,),
    "then": (dict,),
    "community": (str,),
    "source": (str,),
}


def dump_order(order: Order) -> str:
    """Write a reset or clear as a line, without a line end."""
    fields: dict[str, Any] = {"instant": order.instant, "case": order.case, "verb": order.verb}
    if order.then is not None:
        case, usual = order.then, Case()
        fields |= {"number": case.number, "seed": case.seed}
        for posts in ("first", "then"):
            values = {name: _dumped(value) for name, value in getattr(case, posts).items()}
            fields |= {posts: values} if values else {}
        for key in ("community", "source"):
            value = getattr(case, key)
            fields |= {key: value} if value != getattr(usual, key) else {}
    return json.dumps(fields, allow_nan=False)


def dump_input(post: Input) -> str:
    """Write a post as a line, without a line end."""
    fields: dict[str, Any] = post._asdict()
    fields["value"] = _dumped(post.value)
    if post.time is None:
        del fields["time"]
    if not post.aux:
        del fields["aux"]
    if post.case is None:
        del fields["case"]
    return json.dumps(fields, allow_nan=False)


def load_inputs(
    lines: Iterable[str], where: str = "inputs"
) -> tuple[list[tuple[str, Input]], list[tuple[str, Order]]]:
    """Parse lines; empty ones are skipped.

    If the file begins cases, a post whose line names none belongs to the first.

    Args:
        lines: the lines.
        where: the file, for the error.
    Returns: the posts and the orders, each with its place ("inputs.jsonl:3").
    Raises:
        ConfigError: a line is not what ``dump_input`` or ``dump_order`` writes.
    """
    found: list[tuple[str, Input]] = []
    orders: list[tuple[str, Order]] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            place = f"{where}:{number}"
            fields = _fields(line, place)
            if "verb" in fields:
                orders.append((place, _order(fields, place)))
            else:
                found.append((place, _input(fields, place)))
    if any(order.then is not None for _, order in orders):
        found = [(place, s._replace(case=s.case or 0)) for place, s in found]
    return found, orders


def _fields(line: str, where: str) -> dict[str, Any]:
    try:
        fields = json_of(line)
    except ValueError as error:
        raise ConfigError(where, "", "", f"expected a JSON object: {error}") from error
    if not isinstance(fields, dict):
        raise ConfigError(where, "", "", "expected a JSON object")
    return fields


def _input(fields: dict[str, Any], where: str) -> Input:
    _check(fields, _NEEDED, _TYPES, where)
    if not 0 <= fields["instant"] <= LATEST:
        expected = f"expected 0 or more, up to {LATEST}"
        raise ConfigError(where, "instant", str(fields["instant"]), expected)
    if fields["phase"] not in (Phase.INPUT, Phase.AFTER):
        raise ConfigError(where, "phase", str(fields["phase"]), "expected 0 or 2")
    time = fields.get("time")
    # An int may exceed the range of a float.
    if time is not None and not abs(time) <= float_info.max:
        raise ConfigError(where, "time", str(time)[:_SHOWN], "expected a finite number of seconds")
    fields["time"] = None if time is None else float(time)
    fields["value"] = _value(fields["value"], where)
    return Input(**fields)


def _order(fields: dict[str, Any], where: str) -> Order:
    verb = fields["verb"]
    if verb not in ("reset", "clear"):
        raise ConfigError(where, "verb", str(verb), "expected reset or clear")
    needed, types = tuple(_ORDER_TYPES), _ORDER_TYPES
    if verb == "reset":
        needed, types = (*needed, "number", "seed"), _RESET_TYPES
    _check(fields, needed, types, where)
    instant, case = fields.pop("instant"), fields.pop("case")
    if not -1 <= instant <= LATEST:
        expected = f"expected -1 or more, up to {LATEST}"
        raise ConfigError(where, "instant", str(instant), expected)
    del fields["verb"]
    for posts in ("first", "then") if verb == "reset" else ():
        values = fields.get(posts, {})
        for name, value in values.items():
            _check_type(value, _TYPES["value"], name, where)
        fields[posts] = {name: _value(value, where) for name, value in values.items()}
    try:
        return Order(instant, case, Case(**fields) if verb == "reset" else None)
    except PostRefused as error:
        raise ConfigError(where, "", "", str(error)) from error


def _check(
    fields: dict[str, Any],
    needed: tuple[str, ...],
    types: dict[str, tuple[type, ...]],
    where: str,
) -> None:
    """Check that the fields are complete, known and of their types."""
    for key in needed:
        if key not in fields:
            raise ConfigError(where, key, "", "expected, but missing")
    for key, value in fields.items():
        if key not in types:
            raise ConfigError(where, key, str(value), f"expected one of {', '.join(types)}")
        _check_type(value, types[key], key, where)


def _check_type(value: object, kinds: tuple[type, ...], key: str, where: str) -> None:
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise ConfigError(where, key, repr(value), "not of the type expected here")


def _dumped(value: Value) -> object:
    return {"base64": b64encode(value).decode()} if isinstance(value, bytes) else value


def _value(value: float | str | dict[str, Any], where: str) -> Value:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        text = value.get("base64")
        if len(value) != 1 or not isinstance(text, str):
            raise ConfigError(where, "value", str(value), 'expected {"base64": "..."}')
        try:
            return b64decode(text, validate=True)
        except ValueError as error:
            raise ConfigError(where, "value", text, f"expected base64: {error}") from error
    try:
        number = float(value)
    except OverflowError:
        number = inf
    if not is_postable(number):
        raise ConfigError(where, "value", str(value)[:_SHOWN], "expected a finite number")
    return number
