"""``BHV_HeadingBias``: prefer turns to one side.

Source: BHV_HeadingBias of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Choice
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.ivp import Function, Peak, peak


@dataclass
class HeadingBiasSettings(CommonSettings):
    """The behavior's parameters."""

    bias: str = parameter("right", Choice("right", "left"), "preferred side: right or left")


class HeadingBias(Behavior[HeadingBiasSettings]):
    """Prefers courses on one side: utility 100 abeam, falling linearly to 0 on the other beam."""

    settings_class = HeadingBiasSettings
    needs = ("course",)

    def run(self) -> Function:
        side = 90.0 if self.settings.bias == "right" else -90.0
        hill = Peak((self.world.ownship.heading + side) % 360, basewidth=180)
        return peak(self.world.domain["course"], hill, wrap=True)
