"""``BHV_MaxSpeed``: limit the speed, as a constraint on other behaviors.

Source: BHV_MaxSpeed of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, word
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.ivp import Function, leq


@dataclass
class MaxSpeedSettings(CommonSettings):
    """The behavior's parameters."""

    clipped = ("max_speed", "basewidth")

    max_speed: float = parameter("1", Number(low=0), "maximum speed [m/s]")
    basewidth: float = parameter(
        "0.5",
        Number(low=0),
        "excess speed over which the utility falls to 0 [m/s]",
        aliases=("tolerance",),
    )
    speed_slack_var: str | None = parameter(
        "", word, "variable in which the remaining speed is posted, < 0 if too fast [m/s]"
    )


class MaxSpeed(Behavior[MaxSpeedSettings]):
    """Prefers all speeds up to a limit equally."""

    settings_class = MaxSpeedSettings
    needs = ("speed",)
    constraint = True

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        self._objective = leq(self.world.domain["speed"], s.max_speed, s.basewidth)

    def run(self) -> Function:
        if variable := self.settings.speed_slack_var:
            self.post(variable, self.settings.max_speed - self.world.ownship.speed)
        return self._objective

    def publishes(self, settings: MaxSpeedSettings) -> Iterable[str]:
        return [settings.speed_slack_var] if settings.speed_slack_var else ()
