"""``BHV_MaxDepth``: limit the depth, as a constraint on other behaviors.

Source: BHV_MaxDepth of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, word
from steerageway.helm.behaviors.base import NAVIGATION, Behavior
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.ivp import Function, leq


@dataclass
class MaxDepthSettings(CommonSettings):
    """The behavior's parameters."""

    clipped = ("max_depth", "basewidth")

    max_depth: float = parameter("0", Number(low=0), "maximum depth [m]")
    basewidth: float = parameter(
        "100",
        Number(low=0),
        "excess depth over which the utility falls to 0 [m]",
        aliases=("tolerance",),
    )
    depth_slack_var: str | None = parameter(
        "", word, "variable in which the remaining depth is posted, < 0 if too deep [m]"
    )


class MaxDepth(Behavior[MaxDepthSettings]):
    """Prefers all depths down to a limit equally."""

    settings_class = MaxDepthSettings
    needs = ("depth",)
    constraint = True

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        self._objective = leq(self.world.domain["depth"], s.max_depth, s.basewidth)

    def run(self) -> Function:
        if variable := self.settings.depth_slack_var:
            self.post(variable, self.settings.max_depth - self.world.ownship.depth)
        return self._objective

    def publishes(self, settings: MaxDepthSettings) -> Iterable[str]:
        return [settings.depth_slack_var] if settings.depth_slack_var else ()

    def listens(self, settings: MaxDepthSettings) -> Iterable[str]:
        return (*NAVIGATION, "NAV_DEPTH")
