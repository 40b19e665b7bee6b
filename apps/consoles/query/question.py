"""Conditions over the variables of a run, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from steerageway.bus import Value, is_pattern, matches
from steerageway.moos.condition import parse_typed_condition


class Verdict(Enum):
    """What the conditions come to."""

    HOLDS = auto()
    FAILS = auto()  # and waiting does not help
    NOT_YET = auto()


class Question:
    """Conditions that must hold, and those that must not.

    Attributes:
        names: the variables it is about, those that are only to be told included: names, or
            patterns with * and ?.
    """

    def __init__(
        self, wanted: Sequence[str], unwanted: Sequence[str], shown: Sequence[str]
    ) -> None:
        """Read the conditions.

        Raises:
            ConditionError: one leaves the grammar.
        """
        self._wanted = [parse_typed_condition(text) for text in wanted]
        self._unwanted = [parse_typed_condition(text) for text in unwanted]
        looked_at = [n for c in (*self._wanted, *self._unwanted) for n in c.variables]
        self.names = list(dict.fromkeys((*looked_at, *shown)))

    def judge(self, values: Mapping[str, Value], utc: float) -> Verdict:
        """Look whether it is so.

        Args:
            values: of the variables that have been posted.
            utc: the present time [s], for conditions on elapsed times.
        """
        if any(condition.holds(values.get, utc) for condition in self._unwanted):
            return Verdict.FAILS
        known = all(meant(name, values) for name in self.names)
        holds = all(condition.holds(values.get, utc) for condition in self._wanted)
        return Verdict.HOLDS if known and holds else Verdict.NOT_YET


def meant(name: str, values: Mapping[str, Value]) -> list[str]:
    """Give the variables that a name or a pattern stands for, of those that have been posted."""
    if is_pattern(name):
        return sorted(one for one in values if matches(name, one))
    return [name] if name in values else []
