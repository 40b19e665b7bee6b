"""Posts from outside as lines of ``inputs.jsonl``: written while a run goes on, replayed later.

One JSON object a line: ``{"instant": 2500000000, "phase": 0, "community": "alpha", "name":
"DEPLOY", "value": "true", "source": "uPokeDB"}``, and ``time``, ``aux`` and ``case`` where there
are any.
``instant`` is in nanoseconds; a number is a JSON number, text a string, bytes ``{"base64": ...}``.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import Any

from bus.errors import ConfigError
from bus.message import Value, is_postable
from bus.plan import Input, Phase

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


def dump_input(said: Input) -> str:
    """Write a post as a line, without a line end."""
    value = said.value
    fields: dict[str, Any] = said._asdict()
    fields["value"] = {"base64": b64encode(value).decode()} if isinstance(value, bytes) else value
    if said.time is None:
        del fields["time"]
    if not said.aux:
        del fields["aux"]
    if said.case is None:
        del fields["case"]
    return json.dumps(fields, allow_nan=False)


def load_input(line: str, where: str = "inputs") -> Input:
    """Read a line.

    Args:
        line: the line.
        where: where it stands, for the error ("inputs.jsonl:3").
    Raises:
        ConfigError: it is not what ``dump_input`` writes.
    """
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise ConfigError(where, "", "", f"expected a JSON object: {error}") from error
    if not isinstance(fields, dict):
        raise ConfigError(where, "", "", "expected a JSON object")
    _check(fields, where)
    time = fields.get("time")
    fields["time"] = None if time is None else float(time)
    fields["value"] = _value(fields["value"], where)
    return Input(**fields)


def _check(fields: dict[str, Any], where: str) -> None:
    for key in _NEEDED:
        if key not in fields:
            raise ConfigError(where, key, "", "expected, and not there")
    for key, value in fields.items():
        if key not in _TYPES:
            raise ConfigError(where, key, str(value), f"expected one of {', '.join(_TYPES)}")
        if not isinstance(value, _TYPES[key]) or isinstance(value, bool):
            raise ConfigError(where, key, repr(value), "not of the type expected here")
    if fields["instant"] < 0:
        raise ConfigError(where, "instant", str(fields["instant"]), "expected 0 or more")
    if fields["phase"] not in (Phase.INPUT, Phase.AFTER):
        raise ConfigError(where, "phase", str(fields["phase"]), "expected 0 or 2")


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
    if not is_postable(float(value)):
        raise ConfigError(where, "value", str(value), "expected a finite number")
    return float(value)
