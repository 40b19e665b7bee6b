"""``BHV_ConstantDepth``: keep a depth.

Source: BHV_ConstantDepth of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, word
from steerageway.helm.behaviors.base import NAVIGATION, Behavior
from steerageway.helm.behaviors.constant_speed import ConstantSpeedSettings
from steerageway.helm.settings import CommonSettings, parameter, same_as
from steerageway.ivp import Function, Peak, peak


@dataclass
class ConstantDepthSettings(CommonSettings):
    """The behavior's parameters; ``duration`` is 0 by default, see ``ConstantSpeedSettings``."""

    clipped = ("depth", "peakwidth", "basewidth", "summitdelta")

    depth: float = parameter("0", Number(low=0), "desired depth [m]")
    peakwidth: float = parameter(
        "3", Number(low=0), "deviation at which the utility has fallen by summitdelta [m]"
    )
    basewidth: float = parameter(
        "100", Number(low=0), "further deviation over which it falls to 0 [m]"
    )
    summitdelta: float = parameter(
        "50", Number(low=0, high=100), "drop in utility across peakwidth, 0 to 100"
    )
    depth_mismatch_var: str | None = parameter(
        "", word, "variable in which the deviation from the depth is posted [m]"
    )
    duration: float = same_as(ConstantSpeedSettings, "duration")


class ConstantDepth(Behavior[ConstantDepthSettings]):
    """Prefers a depth; leaves course and speed open."""

    settings_class = ConstantDepthSettings
    needs = ("depth",)

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        hill = Peak(s.depth, s.peakwidth, s.basewidth, s.summitdelta)
        self._objective = peak(self.world.domain["depth"], hill)

    def run(self) -> Function:
        if variable := self.settings.depth_mismatch_var:
            self.post(variable, abs(self.world.ownship.depth - self.settings.depth))
        return self._objective

    def publishes(self, settings: ConstantDepthSettings) -> Iterable[str]:
        return [settings.depth_mismatch_var] if settings.depth_mismatch_var else ()

    def listens(self, settings: ConstantDepthSettings) -> Iterable[str]:
        return (*NAVIGATION, "NAV_DEPTH")
