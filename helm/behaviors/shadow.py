"""``BHV_Shadow``: match the course and the speed of another vessel, regardless of its position.

Source: BHV_Shadow of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number, variables
from steerageway.helm.behaviors.contact.base import ContactBehavior
from steerageway.helm.behaviors.contact.settings import ContactSettings
from steerageway.helm.settings import parameter
from steerageway.ivp import Function, Peak, couple, peak

POSTED = ("SHADOW_CONTACT_X", "SHADOW_CONTACT_Y", "SHADOW_CONTACT_SPEED", "SHADOW_CONTACT_HEADING")


@dataclass
class ShadowSettings(ContactSettings):
    """The behavior's parameters."""

    pwt_outer_dist: float = parameter(
        "0", Number(low=0), "range beyond which the behavior has no influence [m]; 0: unlimited"
    )
    heading_peakwidth: float = parameter(
        "20",
        Number(low=0),
        "deviation from the contact's course at which the utility has fallen by 50 [deg]",
        aliases=("hdg_peakwidth",),
    )
    heading_basewidth: float = parameter(
        "160",
        Number(low=0),
        "further deviation over which it falls to 0 [deg]",
        aliases=("hdg_basewidth",),
    )
    speed_peakwidth: float = parameter(
        "0.1",
        Number(low=0),
        "deviation from the contact's speed at which the utility has fallen by 10 [m/s]",
        aliases=("spd_peakwidth",),
    )
    speed_basewidth: float = parameter(
        "2.0",
        Number(low=0),
        "further deviation over which it falls to 0 [m/s]",
        aliases=("spd_basewidth",),
    )


class Shadow(ContactBehavior[ShadowSettings]):
    """Prefers the contact's course and speed (summit deltas of 50 and 10)."""

    publications = (
        *ContactBehavior.publications,
        *variables.published("""
            SHADOW_CONTACT_X | number | m, east | | on change | position of the contact of a
                `BHV_Shadow`
            SHADOW_CONTACT_Y | number | m, north | | on change | position of the contact of a
                `BHV_Shadow`
            SHADOW_CONTACT_SPEED | number | m/s | | on change | speed of the contact
            SHADOW_CONTACT_HEADING | number | deg | [0, 360) | on change | heading of the contact
            SHADOW_RELEVANCE | number | | [0, 1] | on change | 1: a `BHV_Shadow` is active
        """),
    )
    settings_class = ShadowSettings

    def meet(self) -> Function | None:
        s, other = self.settings, self.other
        near = s.pwt_outer_dist <= 0.0 or self.range <= s.pwt_outer_dist
        self.relevance = 1.0 if near else 0.0
        state = (other.x, other.y, other.speed, other.heading)
        for name, value in zip(POSTED, state, strict=True):
            self.post(name, value)
        self.post("SHADOW_RELEVANCE", self.relevance)
        if not near:
            return None
        domain = self.world.domain
        like_contact = Peak(other.heading, s.heading_peakwidth, s.heading_basewidth, 50.0)
        as_fast = Peak(other.speed, s.speed_peakwidth, s.speed_basewidth, 10.0)
        return couple(
            peak(domain["course"], like_contact, wrap=True), peak(domain["speed"], as_fast)
        )
