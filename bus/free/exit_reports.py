"""Exit reports of the apps of a free run: their figures, and failures.

They come over the wire from any client: a field that is not as expected counts as missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any

from steerageway.bus.core.plan import AppOutcome, AppPlan, Failure

ExitReport = dict[str, Any]

LARGEST_COUNT = 10**15
LONGEST_TEXT = 1000  # characters of a warning or a reason
LONGEST_DETAILS = 100_000
MOST_WARNINGS = 100


class ExitReports:
    """The exit reports of the planned apps.

    Attributes:
        missed_ticks: iterations left out because their time had passed.
        unsent: posts never sent, because a reader did not read.
    """

    def __init__(self, apps: tuple[AppPlan, ...]) -> None:
        self._apps = apps
        self._planned = {(plan.community, plan.name) for plan in apps}
        self._given: dict[tuple[str, str], ExitReport] = {}
        self.missed_ticks = 0
        self.unsent = 0

    def take(self, community: str, app: str, report: ExitReport) -> Failure | None:
        """Take an app's report; return its failure, if it stopped because of one."""
        if (community, app) in self._planned:
            self._given[community, app] = report
        self.missed_ticks = min(self.missed_ticks + _count(report, "missed_ticks"), LARGEST_COUNT)
        self.unsent = min(self.unsent + _count(report, "unsent"), LARGEST_COUNT)
        reason = report.get("failure")
        if not isinstance(reason, str):
            return None
        details = report.get("details")
        traceback = details[:LONGEST_DETAILS] if isinstance(details, str) else ""
        time = _seconds(report, "time")
        return Failure(app, community, time, reason[:LONGEST_TEXT], traceback)

    def forget(self, community: str, app: str) -> None:
        """Remove an app's report: the app has come back."""
        self._given.pop((community, app), None)

    def has(self, community: str, app: str) -> bool:
        """Whether a planned app has stopped and reported."""
        return (community, app) in self._given

    def outcomes(self) -> list[AppOutcome]:
        """Return the figures of every planned app."""
        return [
            _outcome(plan, self._given.get((plan.community, plan.name), {})) for plan in self._apps
        ]


def _outcome(plan: AppPlan, report: ExitReport) -> AppOutcome:
    warnings, config = report.get("run_warnings"), report.get("config_warnings")
    return AppOutcome(
        name=plan.name,
        community=plan.community,
        grants=_count(report, "grants"),
        wall_seconds=_seconds(report, "wall_seconds"),
        refused=_count(report, "refused"),
        run_warnings=_warnings(warnings) if isinstance(warnings, dict) else {},
        config_warnings=tuple(_texts(config)) if isinstance(config, tuple) else (),
    )


def _count(report: ExitReport, key: str) -> int:
    value = report.get(key)
    return value if value.__class__ is int and 0 <= value <= LARGEST_COUNT else 0


def _seconds(report: ExitReport, key: str) -> float:
    value = report.get(key)
    return value if isinstance(value, float) and 0 <= value < inf else 0.0


def _texts(found: Iterable[Any]) -> list[str]:
    return [text[:LONGEST_TEXT] for text in found if isinstance(text, str)][:MOST_WARNINGS]


def _warnings(found: dict[Any, Any]) -> dict[str, int]:
    return {text: _count(found, text) for text in _texts(found) if _count(found, text)}
