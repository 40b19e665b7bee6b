"""Mode declarations: variables whose values follow from rules over other variables.

    set MODE = ACTIVE {
      DEPLOY = true
    } INACTIVE
    set MODE = LOITERING {
      MODE = ACTIVE
      LOITER = true
    } TRANSITING

The rules are tried in order, anew at every iteration. A rule whose conditions all hold sets its
value; if only those on the mode variable itself hold, it sets the value after its closing brace.
The value in a condition ``MODE = ACTIVE`` becomes a prefix: ``ACTIVE:LOITERING``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from steerageway.moos.condition import Condition, Lookup

_IS = re.compile(r'\s*[^\s=!<>,()]+\s*[=,]\s*"?([^\s"()]+)"?\s*')
_ROOT = "---"  # stands for "no parent" in a description


@dataclass(frozen=True)
class ModeRule:
    """One ``set`` declaration.

    Attributes:
        variable: the mode variable it sets.
        value, otherwise: the value if its conditions hold, and if not ("": none).
        conditions: those between the braces.
        where: "alpha.bhv:7".
    """

    variable: str
    value: str
    otherwise: str
    conditions: tuple[Condition, ...]
    where: str

    @cached_property
    def parent(self) -> str:
        """The value of the mode variable in its conditions; "" for none."""
        found = (_IS.fullmatch(condition.text) for condition in self._on_itself)
        return next((match[1] for match in found if match), "")

    @cached_property
    def _on_itself(self) -> tuple[Condition, ...]:
        return tuple(c for c in self.conditions if c.variables == (self.variable,))

    @cached_property
    def _on_others(self) -> tuple[Condition, ...]:
        return tuple(c for c in self.conditions if c.variables != (self.variable,))

    def result(self, lookup: Lookup, utc: float) -> str | None:
        """Return the value it sets; None if it sets none."""
        if not all(condition.holds(lookup, utc) for condition in self._on_itself):
            return None
        holds = all(condition.holds(lookup, utc) for condition in self._on_others)
        value = self.value if holds else self.otherwise
        return self._with_parent(value) if value else None

    def describe(self) -> str:
        """Return it as ``parent,value`` or ``parent,value#parent,otherwise``."""
        values = [value for value in (self.value, self.otherwise) if value]
        return "#".join(f"{self.parent or _ROOT},{value}" for value in values)

    @property
    def values(self) -> list[str]:
        """The full values that it may set."""
        return [self._with_parent(value) for value in (self.value, self.otherwise) if value]

    def _with_parent(self, value: str) -> str:
        return f"{self.parent}:{value}" if self.parent else value


class ModeSet:
    """All mode declarations of a helm, in order.

    Attributes:
        variables: the mode variables.
        watched: the other variables in its conditions.
        timed: whether a mode may change although no variable does.
        values: of the mode variables, after the last evaluation; "" if no rule set one.
    """

    def __init__(self, rules: Iterable[ModeRule] = ()) -> None:
        self.rules = tuple(rules)
        self.variables = tuple(dict.fromkeys(rule.variable for rule in self.rules))
        names = (name for rule in self.rules for c in rule.conditions for name in c.variables)
        self.watched = tuple(name for name in dict.fromkeys(names) if name not in self.variables)
        self.timed = any(c.timed for rule in self.rules for c in rule.conditions)
        self.values: dict[str, str] = {}

    def evaluate(self, lookup: Lookup, utc: float) -> dict[str, str]:
        """Apply all rules; return the mode variables' values.

        Args:
            lookup: returns the value of any other variable.
            utc: the present time [s].
        """
        values: dict[str, str] = dict.fromkeys(self.variables, "")

        # Rules see the values that earlier rules set in this evaluation.
        def look_up(name: str) -> float | str | bytes | None:
            return values[name] if name in values else lookup(name)

        for rule in self.rules:
            result = rule.result(look_up, utc)
            if result is not None:
                values[rule.variable] = result
        self.values = values
        return values

    def describe(self) -> str:
        """Return all declarations as a value of ``IVPHELM_MODESET``: ``MODE#---,ACTIVE#...``."""
        parts: list[str] = []
        for variable, rules in groupby(self.rules, attrgetter("variable")):
            parts += [variable, *(rule.describe() for rule in rules)]
        return "#".join(parts)

    def summary(self) -> str:
        """Return the present values: ``MODE@ACTIVE:LOITERING``, several joined by ``#``."""
        return "#".join(f"{variable}@{value}" for variable, value in self.values.items())
