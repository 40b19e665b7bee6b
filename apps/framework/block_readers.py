"""Readers of what several blocks have: numbers and times that may be off, colours, variables."""

from __future__ import annotations

from math import inf
from typing import Any

from steerageway.apps.contacts.contact import parse_decay
from steerageway.bus import Config, Entry, declare
from steerageway.moos.view import color_of
from steerageway.vessel.encounter import Decay

ABLE = ("disable", "enable", "expunge")  # what mail may ask to be done to behaviors


def read_or_off(config: Config, *keys: str, default: float) -> float:
    """Read a number above 0, by any of its names; ``off`` is infinite.

    Raises:
        ConfigError: neither.
    """
    if config.text(*keys).strip().lower() == "off":
        return inf
    return config.number(*keys, default=default, above=0.0)


def read_color(config: Config, *keys: str, default: str) -> str:
    """Read a colour, by any of its names.

    Raises:
        ConfigError: it is none.
    """
    entry = config.entry(*keys)
    if entry is None:
        return default
    try:
        return color_of(entry.value)
    except ValueError as error:
        raise Config.error(entry, str(error)) from None


def color(default: str, meaning: str, *, aliases: tuple[str, ...] = ()) -> Any:
    """Declare a colour."""
    return declare.value(default, color_of, meaning, aliases=aliases)


def variable(default: str, meaning: str) -> Any:
    """Declare the name of a variable."""
    return declare.value(default, parse_variable, meaning)


def read_decay(config: Config, *, default: Decay | None) -> Decay | None:
    """Read ``decay``; see ``parse_decay``.

    Raises:
        ConfigError: neither BEGIN,END nor ``off``.
    """
    entry = config.entry("decay")
    if entry is None:
        return default
    try:
        return parse_decay(entry.value)
    except ValueError as error:
        raise Config.error(entry, str(error)) from error


def read_able_vars(config: Config) -> dict[str, str]:
    """Read the variables that ask for a verb of ``ABLE``: variable -> verb.

    Raises:
        ConfigError: one is no name.
    """
    lines = {verb: config.entry(f"{verb}_var") for verb in ABLE}
    return {variable_in(line): verb for verb, line in lines.items() if line is not None}


def variable_in(entry: Entry) -> str:
    """Give the variable that a line names.

    Raises:
        ConfigError: empty, or with blanks.
    """
    try:
        return parse_variable(entry.value)
    except ValueError as error:
        raise Config.error(entry, str(error)) from None


def parse_variable(text: str) -> str:
    """Give the variable that a text names.

    Raises:
        ValueError: empty, or with blanks.
    """
    if not text.strip() or " " in text.strip():
        raise ValueError("expected a variable's name")
    return text.strip()
