"""Conditions of an app's block: ``condition = DEPLOY = true``, as many lines as there are."""

from __future__ import annotations

from bus import Config
from moos.condition import Condition, ConditionError, parse_condition


def read_conditions(config: Config) -> list[Condition]:
    """Read them; all must hold.

    Raises:
        ConfigError: a line does not follow the grammar.
    """
    found = []
    for entry in config.all("condition"):
        try:
            found.append(parse_condition(entry.value))
        except ConditionError as error:
            raise config.error(entry, str(error)) from None
    return found
