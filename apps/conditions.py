"""Conditions of an app's block: ``condition = DEPLOY = true``, as many lines as there are."""

from __future__ import annotations

from steerageway.bus import Config, Entry
from steerageway.moos.condition import Condition, ConditionError, parse_condition


def read_conditions(config: Config) -> list[Condition]:
    """Read them; all must hold.

    Raises:
        ConfigError: a line does not follow the grammar.
    """
    return [read_condition(entry) for entry in config.all("condition")]


def read_condition(entry: Entry) -> Condition:
    """Read one line.

    Raises:
        ConfigError: it does not follow the grammar.
    """
    try:
        return parse_condition(entry.value)
    except ConditionError as error:
        raise Config.error(entry, str(error)) from None
