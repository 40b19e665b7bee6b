"""Reader of an app's conditions: ``condition = DEPLOY = true``, one a line."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.bus import Config, parsed
from steerageway.moos.condition import MACRO, Condition, doubts_of, parse_condition


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
    found = [parsed(line, parse_condition) for line in lines]
    for line, condition in zip(lines, found, strict=True):
        for doubt in doubts_of(condition):
            config.warn(line, doubt)
    return found
