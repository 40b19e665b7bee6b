"""All-stop of the helm: its reasons, and when they are posted (``IVPHELM_ALLSTOP``).

Without navigation the helm does not decide at all: ``apps.helm.control``; a stale value stops the
vessel in ``vessel.pid``.
"""

from __future__ import annotations

from steerageway.helm.report import Report
from steerageway.ivp import Domain

CLEAR = "clear"
MANUAL_OVERRIDE = "ManualOverride"
DISABLED_BY_STANDBY = "DisabledByStandbyHelm"
BEHAVIOR_ERROR = "BehaviorError"
NOTHING_TO_DO = "NothingToDo"
NO_GOAL = "NoGoalBehavior"
MISSING = "MissingDecVars:"

_GRACED = (NOTHING_TO_DO, NO_GOAL, MISSING)


class AllStop:
    """The reason of the all-stop that was declared last.

    An empty or incomplete decision is tolerated for one iteration, so that a change of modes does
    not stop the vessel.

    Attributes:
        declared: the reason, or "clear"; "" before the first.
    """

    def __init__(self) -> None:
        self.declared = ""
        self._tolerated = False

    def repeat(self) -> None:
        """Declare the next reason even if it equals the last one."""
        self.declared = ""

    def declare(self, reason: str) -> str | None:
        """Update by an iteration's reason; return the reason if it must be declared now."""
        graced = reason.startswith(_GRACED)
        if graced and not self._tolerated:
            self._tolerated = True
            return None
        self._tolerated = graced
        if reason == self.declared:
            return None
        self.declared = reason
        return reason


def reason_to_stop(report: Report, domain: Domain, *, goals_mandatory: bool) -> str:
    """Return the reason to stop after an iteration; "clear" if the decision is valid."""
    if report.halt:
        return BEHAVIOR_ERROR
    if goals_mandatory and not report.has_goal:
        return NO_GOAL
    if not report.objectives:
        return NOTHING_TO_DO
    missing = [v.name for v in domain if not v.optional and v.name not in report.decision]
    return MISSING + ",".join(missing) if missing else CLEAR
