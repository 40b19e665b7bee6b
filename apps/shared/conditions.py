"""Reader of an app's conditions: ``condition = DEPLOY = true``, one a line."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.bus import Config, Entry
from steerageway.moos.condition import MACRO, Condition, ConditionError, doubts_of, parse_condition


def read_conditions(config: Config, names: Sequence[str] = ("condition",)) -> list[Condition]:
    """Read the conditions, all of which must hold.

    Args:
        names: of the parameter.
    Raises:
        ConfigError: a line does not follow the grammar.
    """
    lines = config.all(*names)
    for line in lines:
        if MACRO.search(line.value):
            config.warn(line, "nothing replaces its macro: it never holds")
    found = [read_condition(line) for line in lines]
    for line, condition in zip(lines, found, strict=True):
        for doubt in doubts_of(condition):
            config.warn(line, doubt)
    return found


def read_condition(entry: Entry) -> Condition:
    """Read one line.

    Raises:
        ConfigError: it does not follow the grammar.
    """
    try:
        return parse_condition(entry.value)
    except ConditionError as error:
        raise Config.error(entry, str(error)) from None
