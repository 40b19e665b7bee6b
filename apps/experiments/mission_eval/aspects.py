"""Aspects by which a mission is evaluated, in order, each with lead, pass and fail conditions.

An aspect is evaluated once all its lead conditions hold: it passes if all its pass conditions hold
then, and none of its fail conditions. The mission fails with the first aspect that fails, and
passes with the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from steerageway.moos.condition import Condition, Lookup

PENDING, PASS, FAIL = "pending", "pass", "fail"
LEAD_KIND, PASS_KIND, FAIL_KIND = "lead", PASS, FAIL
KINDS = (LEAD_KIND, PASS_KIND, FAIL_KIND)


@dataclass(slots=True)
class Aspect:
    """One aspect of a mission.

    Attributes:
        leads: it is evaluated when they all hold; passes, fails: must then hold, must not hold.
    """

    leads: list[Condition] = field(default_factory=list)
    passes: list[Condition] = field(default_factory=list)
    fails: list[Condition] = field(default_factory=list)

    def judge(self, lookup: Lookup, utc: float) -> tuple[str, str]:
        """Return pending, pass or fail, and the first condition that decides it."""
        for condition in self.leads:
            if not condition.holds(lookup, utc):
                return PENDING, f"unmet_lead_cond: [{condition.text}]"
        for condition in self.passes:
            if not condition.holds(lookup, utc):
                return FAIL, f"unmet_pass_cond: [{condition.text}]"
        for condition in self.fails:
            if condition.holds(lookup, utc):
                return FAIL, f"met_fail_cond: [{condition.text}]"
        return PASS, PASS


def group_aspects(lines: Iterable[tuple[str, Condition]]) -> list[Aspect]:
    """Group conditions in the order of the file: a lead condition after others begins an aspect.

    Args:
        lines: a kind of ``KINDS``, and a condition of it.
    """
    aspects: list[Aspect] = []
    for kind, condition in lines:
        begun = bool(aspects) and not (aspects[-1].passes or aspects[-1].fails)
        if not aspects or (kind == LEAD_KIND and not begun):
            aspects.append(Aspect())
        aspect = aspects[-1]
        {LEAD_KIND: aspect.leads, PASS_KIND: aspect.passes, FAIL_KIND: aspect.fails}[kind].append(
            condition
        )
    return aspects


class Judge:
    """Evaluates a mission's aspects one after the other.

    Attributes:
        result: pending, pass or fail.
        index: the aspect to be evaluated next, or the last one evaluated; from 0.
        status: the condition it waits for, or that decided it.
    """

    def __init__(self, aspects: Sequence[Aspect]) -> None:
        self._aspects = aspects
        self.result = PENDING
        self.index = 0
        self.status = PENDING

    def look(self, lookup: Lookup, utc: float) -> None:
        """Evaluate the aspects whose lead conditions hold, in order."""
        while self.result == PENDING and self._aspects:
            verdict, self.status = self._aspects[self.index].judge(lookup, utc)
            if verdict == PASS and self.index + 1 < len(self._aspects):
                self.index += 1
                continue
            if verdict == PENDING:
                return
            self.result = verdict

    def summary(self) -> str:
        """Return the state in a line."""
        number = self.index + 1 if self._aspects else 0
        return f"aspect {number} of {len(self._aspects)}, {self.result}: {self.status}"
