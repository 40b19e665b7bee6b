"""Base class of contact behaviors whose weight grows as the range falls."""

from __future__ import annotations

from typing import TypeVar

from steerageway.apps.helm.behaviors.contact import utility
from steerageway.apps.helm.behaviors.contact.alerted import AlertedBehavior
from steerageway.apps.helm.behaviors.contact.settings import RangedSettings
from steerageway.moos.values import trimmed

AnyRangedSettings = TypeVar("AnyRangedSettings", bound=RangedSettings)

BEYOND = 1.1  # it completes beyond this multiple of completed_dist


class RangedBehavior(AlertedBehavior[AnyRangedSettings]):
    """A contact behavior weighted by range, spawned by alerts."""

    def check(self, settings: AnyRangedSettings, fields: frozenset[str]) -> None:
        super().check(settings, fields)
        settings.check_order("pwt_inner_dist", "pwt_outer_dist")
        settings.check_order("pwt_outer_dist", "completed_dist")
        settings.check_order("min_util_cpa_dist", "max_util_cpa_dist")

    def graded(self) -> float:
        """Return the relevance at the present range, 0 to 1."""
        s = self.settings
        return utility.relevance(self.range, s.pwt_inner_dist, s.pwt_outer_dist, s.pwt_grade)

    def completes_far_off(self) -> bool:
        """Complete if the contact is beyond ``completed_dist``; return whether it did."""
        if self.range <= self.settings.completed_dist * BEYOND:
            return False
        self.complete()
        return True

    def alert_ranges(self) -> str:
        s = self.settings
        watch = max(s.completed_dist, s.pwt_outer_dist)
        return f",alert_range={trimmed(s.pwt_outer_dist)},cpa_range={trimmed(watch)}"

    def can_be_disabled(self) -> bool:
        return self.settings.can_disable
