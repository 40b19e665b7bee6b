"""``BHV_AvoidCollision``: keep clear of another vessel, without regard to the rules of the road.

Inside ``pwt_inner_dist`` its weight is ``pwt``; with the faults of MOOS-IvP it continues to grow.
Source: BHV_AvoidCollision and AOF_AvoidCollision of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number, variables
from steerageway.geometry.encounter import closest_approach, closure
from steerageway.helm.behaviors.contact import utility
from steerageway.helm.behaviors.contact.base import (
    BCM_ALERT_REQUEST,
    ContactBehavior,
    RangedBehavior,
    per_contact,
)
from steerageway.helm.behaviors.contact.clearance import Clearance
from steerageway.helm.behaviors.contact.settings import RangedSettings
from steerageway.helm.settings import parameter, redefined
from steerageway.ivp import Function
from steerageway.moos.values import trimmed


@dataclass
class AvoidCollisionSettings(RangedSettings):
    """The behavior's parameters."""

    time_on_leg: float = redefined(RangedSettings, "time_on_leg", "120")
    by_leading_number = ("collision_depth",)

    collision_depth: float | None = parameter(
        "",
        Number(above=0),
        "depth below which the behavior has no influence [m]; default: unlimited",
    )


class AvoidCollision(RangedBehavior[AvoidCollisionSettings]):
    """Prefers courses and speeds with a sufficient CPA range to the other vessel."""

    publications = (
        *ContactBehavior.publications,
        *variables.published(
            """
                RANGE_AVD_* | number | m | >= 0 | tick, with `post_per_contact_info` | range to the
                    contact named, as in the behavior's `contact`, at the end of the variable
                CLSG_SPD_AVD_* | number | m/s | | as `RANGE_AVD_*` | rate of closure of that range
            """,
            posted_if=per_contact,
        ),
        BCM_ALERT_REQUEST,
        *variables.published("""
            AVD_STATUS | text | | `avoiding`, `clear` | on change | whether a `BHV_AvoidCollision`
                is active
            AVD_DEBUG | text | m | | | `contact=ben,range=40,cpa=5,relevance=0.5`
        """),
    )
    settings_class = AvoidCollisionSettings

    def meet(self) -> Function | None:
        settings = self.settings
        self.relevance = self.relevance_by_range(grows=self.world.as_moos)
        if settings.post_per_contact_info:
            self.post(f"RANGE_AVD_{settings.contact}", self.range)
            self.post(f"CLSG_SPD_AVD_{settings.contact}", closure(self.own, self.other))
        if self.complete_if_far():
            return None
        if settings.collision_depth and self.world.ownship.depth > settings.collision_depth:
            self.relevance = 0.0
        self._report()
        if self.relevance <= 0.0:
            return None
        least = utility.least_range(self.range, settings.min_util_cpa_dist)
        between = least, settings.max_util_cpa_dist
        table = Clearance(self.world.domain, self.own, self.other, settings.time_on_leg, between)
        return Function.of_terms({("course", "speed"): (table, 1.0, 0.0)}, self.relevance)

    def _report(self) -> None:
        assert self.contact is not None
        cpa = closest_approach(self.own, self.other, self.settings.time_on_leg).range
        self.post("AVD_STATUS", "avoiding" if self.relevance > 0.0 else "clear", self.contact.name)
        self.post_always(
            "AVD_DEBUG",
            f"contact={self.contact.name},range={trimmed(self.range, 2)},cpa={trimmed(cpa, 2)},"
            f"relevance={trimmed(self.relevance, 3)}",
        )
