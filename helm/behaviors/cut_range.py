"""``BHV_CutRange``: pursue another vessel by closing the range to it.

The pursuit begins within ``giveup_dist`` and is given up 1 m beyond it. With 0 it is never given
up, as MOOS-IvP documents it. In MOOS-IvP's code it then never begins, nor does it without
``pwt_outer_dist``; with its faults it does not here, either. Source: BHV_CutRange and
AOF_CutRangeCPA of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number
from steerageway.helm.behaviors.contact.base import AlertedBehavior
from steerageway.helm.behaviors.contact.settings import AlertSettings
from steerageway.helm.behaviors.contact.utility import approaching, closing, stretched
from steerageway.helm.flags import Flag
from steerageway.helm.settings import flags, parameter
from steerageway.ivp import Function
from steerageway.moos.values import trimmed


@dataclass
class CutRangeSettings(AlertSettings):
    """The behavior's parameters."""

    pairs = (("pwt_inner_dist", "pwt_outer_dist"),)

    time_on_leg: float = parameter("15", Number(above=0), "time horizon of CPA calculations [s]")
    pwt_inner_dist: float = parameter(
        "0", Number(low=0), "range within which the behavior has no influence [m]"
    )
    pwt_outer_dist: float = parameter(
        "0", Number(low=0), "range from which on the weight is pwt [m]; 0: at any range"
    )
    patience: float = parameter(
        "0",
        Number(low=0, high=100),
        "0: prefer the highest closing speed; 100: prefer the smallest CPA range within "
        "time_on_leg",
    )
    max_patience: float = parameter("85", Number(low=0, high=100), "upper limit of patience")
    giveup_dist: float = parameter(
        "0",
        Number(low=0),
        "pursuit ends beyond this range [m]; 0: never",
        aliases=("giveup_range",),
    )
    pursueflag: tuple[Flag, ...] = flags("posted when the pursuit begins", "pursue_flag")
    giveupflag: tuple[Flag, ...] = flags("posted when the pursuit is given up", "giveup_flag")


class CutRange(AlertedBehavior[CutRangeSettings]):
    """Prefers courses and speeds that close the range.

    Attributes:
        in_pursuit: the pursuit has begun and has not been given up.
    """

    settings_class = CutRangeSettings

    def on_creation(self) -> None:
        super().on_creation()
        self.in_pursuit = False

    def meet(self) -> Function | None:
        self._decide_on_pursuit()
        self.relevance = self._relevance() if self.in_pursuit else 0.0
        if self.relevance <= 0.0:
            return None
        s, met = self.settings, (self.world.domain, self.own, self.other)
        patience = min(s.patience, s.max_patience) / 100.0
        table = (1.0 - patience) * closing(*met) + patience * approaching(*met, s.time_on_leg)
        return Function({("course", "speed"): stretched(table)}).weighing(self.relevance)

    def _decide_on_pursuit(self) -> None:
        s = self.settings
        if self.world.as_moos and s.giveup_dist <= 0.0:
            return
        if s.giveup_dist > 0.0 and self.range > s.giveup_dist + 1.0:
            if self.in_pursuit:
                self.post_flags(s.giveupflag)
            self.in_pursuit = False
        elif not self.in_pursuit and (s.giveup_dist <= 0.0 or self.range <= s.giveup_dist):
            self.in_pursuit = True
            self.post_flags(s.pursueflag)

    def _relevance(self) -> float:
        inner, outer = self.settings.pwt_inner_dist, self.settings.pwt_outer_dist
        if self.range < inner:
            return 0.0
        if outer <= inner:
            return 0.0 if self.world.as_moos else 1.0
        if self.range >= outer:
            return 1.0
        return (self.range - inner) / (outer - inner)

    def on_run_to_idle(self) -> None:
        super().on_run_to_idle()
        self.in_pursuit = False

    def alert_ranges(self) -> str:
        s = self.settings
        reach = s.giveup_dist or max(s.pwt_outer_dist, s.pwt_inner_dist)
        return f",alert_range={trimmed(reach)}"
