"""Conditions on the variables of a run, and their evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from steerageway.bus import Value, is_pattern, matches
from steerageway.moos.condition import parse_typed_condition


class Verdict(Enum):
    """Result of the conditions."""

    HOLDS = auto()
    FAILS = auto()  # final: waiting cannot change it
    NOT_YET = auto()


class Question:
    """Conditions that must hold, and conditions that must not.

    Attributes:
        names: all variables used, including those only to be printed: names, or patterns with * and
            ?.
    """

    def __init__(
        self, required: Sequence[str], forbidden: Sequence[str], shown: Sequence[str]
    ) -> None:
        """Parse the conditions.

        Raises:
            ConditionError: a condition does not follow the grammar.
        """
        self._required = [parse_typed_condition(text) for text in required]
        self._forbidden = [parse_typed_condition(text) for text in forbidden]
        looked_at = [n for c in (*self._required, *self._forbidden) for n in c.variables]
        self.names = list(dict.fromkeys((*looked_at, *shown)))

    def judge(self, values: Mapping[str, Value], utc: float) -> Verdict:
        """Evaluate the conditions.

        Args:
            values: of the variables that have been posted.
            utc: the present time [s], for conditions on elapsed times.
        """
        if any(condition.holds(values.get, utc) for condition in self._forbidden):
            return Verdict.FAILS
        known = all(matching(name, values) for name in self.names)
        holds = all(condition.holds(values.get, utc) for condition in self._required)
        return Verdict.HOLDS if known and holds else Verdict.NOT_YET


def matching(name: str, values: Mapping[str, Value]) -> list[str]:
    """Return the posted variables that a name or a pattern matches."""
    if is_pattern(name):
        return sorted(one for one in values if matches(name, one))
    return [name] if name in values else []
