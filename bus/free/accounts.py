"""What became of the apps of a free run, by their own account when they take leave.

An account comes over the wire, from anyone: what is not as expected counts as not said.
"""

from __future__ import annotations

from math import inf
from typing import Any

from steerageway.bus.core.plan import AppOutcome, AppPlan, Failure

Account = dict[str, Any]


class Accounts:
    """The accounts of the planned apps.

    Attributes:
        missed_ticks: iterations left out because their time had passed.
        unsent: posts that never left, because somebody did not read.
    """

    def __init__(self, apps: tuple[AppPlan, ...]) -> None:
        self._apps = apps
        self._given: dict[tuple[str, str], Account] = {}
        self.missed_ticks = 0
        self.unsent = 0

    def take(self, community: str, app: str, account: Account) -> Failure | None:
        """Take an app's account; give its failure, if that is why it left."""
        self._given[community, app] = account
        self.missed_ticks += _count(account, "missed_ticks")
        self.unsent += _count(account, "unsent")
        reason = account.get("failure")
        if not isinstance(reason, str):
            return None
        details = account.get("details")
        text = details if isinstance(details, str) else ""
        return Failure(app, community, _seconds(account, "time"), reason, text)

    def forget(self, community: str, app: str) -> None:
        """Forget an app's account: it comes back."""
        self._given.pop((community, app), None)

    def has(self, community: str, app: str) -> bool:
        """Whether an app has taken leave."""
        return (community, app) in self._given

    def outcomes(self) -> list[AppOutcome]:
        """Sum up every planned app."""
        return [
            _outcome(plan, self._given.get((plan.community, plan.name), {})) for plan in self._apps
        ]


def _outcome(plan: AppPlan, account: Account) -> AppOutcome:
    warnings, config = account.get("run_warnings"), account.get("config_warnings")
    return AppOutcome(
        name=plan.name,
        community=plan.community,
        grants=_count(account, "grants"),
        wall_seconds=_seconds(account, "wall_seconds"),
        refused=_count(account, "refused"),
        run_warnings=_warnings(warnings) if isinstance(warnings, dict) else {},
        config_warnings=tuple(map(str, config)) if isinstance(config, tuple) else (),
    )


def _count(account: Account, key: str) -> int:
    value = account.get(key)
    return value if value.__class__ is int and value >= 0 else 0


def _seconds(account: Account, key: str) -> float:
    value = account.get(key)
    return value if isinstance(value, float) and 0 <= value < inf else 0.0


def _warnings(counts: dict[Any, Any]) -> dict[str, int]:
    return {str(text): count for text, count in counts.items() if isinstance(count, int)}
