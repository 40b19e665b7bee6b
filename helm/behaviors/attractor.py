"""``BHV_Attractor``: approach another vessel, with a weight that grows with the range.

Source: BHV_Attractor and AOF_AttractorCPA of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians

from steerageway.declarations import Number, all_finite, variables
from steerageway.geometry.encounter import Decay, relative_bearing
from steerageway.helm.behaviors.contact import utility
from steerageway.helm.behaviors.contact.approach import courses
from steerageway.helm.behaviors.contact.base import ContactBehavior
from steerageway.helm.behaviors.contact.settings import ContactSettings
from steerageway.helm.behaviors.cut_range import CutRangeSettings
from steerageway.helm.contact import parse_decay
from steerageway.helm.settings import parameter, same_as
from steerageway.helm.variables import VIEW_POINT
from steerageway.ivp import Function, Peak, couple, peak
from steerageway.ivp.domain import FloatArray
from steerageway.moos import view


def ranges(text: str) -> tuple[float, float]:
    """Read two distances, the smaller one first."""
    numbers = all_finite(text.split(","))
    if numbers is None or len(numbers) != 2 or not 0 <= numbers[0] <= numbers[1]:
        raise ValueError("expected two distances a,b [m], the lesser one first, at least 0")
    return numbers[0], numbers[1]


@dataclass
class AttractorSettings(ContactSettings):
    """The behavior's parameters."""

    decay: Decay | None = parameter(
        "5,10",
        parse_decay,
        "BEGIN,END [s] since the contact's last report: its extrapolated speed is kept until BEGIN "
        "and falls to 0 at END; or off",
    )
    time_on_leg: float = parameter("15", Number(low=1), "time horizon of CPA calculations [s]")
    dist_priority_interval: tuple[float, float] = parameter(
        "0,0",
        ranges,
        "NEAR,FAR [m]: within NEAR the contact's course and speed are preferred; the weight is "
        "greatest from FAR on",
    )
    cpa_utility_interval: tuple[float, float] = parameter(
        "0,100", ranges, "BEST,WORST [m]: CPA ranges up to BEST have utility 100, from WORST on 0"
    )
    strength: float = parameter(
        "1",
        Number(low=0, high=100),
        "increase of the weight at FAR of dist_priority_interval, in multiples of pwt",
    )
    patience: float = same_as(CutRangeSettings, "patience")
    giveup_range: float = parameter(
        "0", Number(low=0), "range beyond which the behavior has no influence [m]; 0: unlimited"
    )


class Attractor(ContactBehavior[AttractorSettings]):
    """Prefers courses and speeds that close the range; near the contact, its course and speed.

    A vessel that heads away from the contact first turns towards it, with twice the weight. The
    weight is ``pwt`` at the first distance of ``dist_priority_interval``, less within it, and
    more beyond.

    Posts `ATTRACTOR_RANGE_TO_CONTACT` [m] and `ATTRACTOR_RELEVANCE` [%], and draws the contact's
    position as `VIEW_POINT`.
    """

    publications = (
        *ContactBehavior.publications,
        *variables.published("""
            ATTRACTOR_RANGE_TO_CONTACT | number | m | >= 0 | on change | range to the contact of a
                `BHV_Attractor`
            ATTRACTOR_RELEVANCE | number | % | >= 0 | on change | relevance of a `BHV_Attractor`:
                its weight in percent of `pwt`
        """),
        VIEW_POINT,
    )
    settings_class = AttractorSettings

    def meet(self) -> Function | None:
        self.relevance = self._relevance()
        if self.relevance <= 0.0:
            return None
        self.post("VIEW_POINT", view.point(self.other[:2], self._look, active=True))
        off_bow = relative_bearing(self.own, self.other)
        if cos(radians(off_bow)) < 0.0:
            return self._like_contact(self.own.heading + off_bow).weighing(2.0 * self.relevance)
        if self.range > self.settings.dist_priority_interval[0]:
            objective = Function({("course", "speed"): utility.stretched(self._utility())})
            return objective.weighing(self.relevance)
        return self._like_contact(self.other.heading).weighing(self.relevance)

    def _relevance(self) -> float:
        s, away = self.settings, self.range
        near, far = s.dist_priority_interval
        self.post("ATTRACTOR_RANGE_TO_CONTACT", float(round(away)))
        if 0.0 < s.giveup_range < away:
            return 0.0
        share = 1.0 + s.strength
        if away < near:
            share = away / near
        elif away < far:
            share = 1.0 + s.strength * (away - near) / (far - near)
        self.post("ATTRACTOR_RELEVANCE", float(round(100 * share)))
        return share

    def _like_contact(self, course: float) -> Function:
        domain = self.world.domain
        toward, pace = Peak(course % 360, 120, 60, 10), Peak(self.other.speed, 0.1, 2.0, 50)
        return couple(peak(domain["course"], toward, wrap=True), peak(domain["speed"], pace))

    def _utility(self) -> FloatArray:
        s, domain = self.settings, self.world.domain
        best, worst = s.cpa_utility_interval
        cpas = courses(domain).closest(self.own, self.other, s.time_on_leg)
        near = 100.0 * ((worst - cpas) / max(worst - best, 1e-9)).clip(0.0, 1.0)
        patience = s.patience / 100.0
        mixed: FloatArray = (1.0 - patience) * utility.closing(domain, self.own, self.other)
        return mixed + patience * near

    @property
    def _look(self) -> str:
        return f"label={self.world.community}_attractor"

    def withdraw(self) -> None:
        super().withdraw()
        self.post("VIEW_POINT", view.point(self.other[:2], self._look, active=False))
