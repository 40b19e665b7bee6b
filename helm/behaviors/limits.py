"""``BHV_MaxSpeed`` and ``BHV_MaxDepth``: limit a quantity, as a constraint on other behaviors.

Source: BHV_MaxSpeed and BHV_MaxDepth of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.settings import AnySettings, CommonSettings, parameter, posted_in
from steerageway.ivp import Function, leq


@dataclass
class MaxSpeedSettings(CommonSettings):
    """The parameters of ``MaxSpeed``."""

    clipped = ("max_speed", "basewidth")

    max_speed: float = parameter("1", Number(low=0), "maximum speed [m/s]")
    basewidth: float = parameter(
        "0.5",
        Number(low=0),
        "excess speed over which the utility falls to 0 [m/s]",
        aliases=("tolerance",),
    )
    speed_slack_var: str | None = posted_in(
        "variable in which the remaining speed is posted, < 0 if too fast [m/s]"
    )


@dataclass
class MaxDepthSettings(CommonSettings):
    """The parameters of ``MaxDepth``."""

    clipped = ("max_depth", "basewidth")

    max_depth: float = parameter("0", Number(low=0), "maximum depth [m]")
    basewidth: float = parameter(
        "100",
        Number(low=0),
        "excess depth over which the utility falls to 0 [m]",
        aliases=("tolerance",),
    )
    depth_slack_var: str | None = posted_in(
        "variable in which the remaining depth is posted, < 0 if too deep [m]"
    )


class _Limit(Behavior[AnySettings]):
    """Prefers all values of the quantity that it needs equally, up to a limit."""

    constraint = True

    def configured(self, fields: frozenset[str]) -> None:
        (quantity,), settings = self.needs, vars(self.settings)
        self._most: float = settings[f"max_{quantity}"]
        self._objective = leq(self.world.domain[quantity], self._most, settings["basewidth"])

    def run(self) -> Function:
        (quantity,) = self.needs
        if variable := vars(self.settings)[f"{quantity}_slack_var"]:
            now: float = getattr(self.world.ownship, quantity)
            self.post(variable, self._most - now)
        return self._objective


class MaxSpeed(_Limit[MaxSpeedSettings]):
    """Prefers all speeds up to a limit equally."""

    settings_class = MaxSpeedSettings
    needs = ("speed",)


class MaxDepth(_Limit[MaxDepthSettings]):
    """Prefers all depths down to a limit equally."""

    settings_class = MaxDepthSettings
    needs = ("depth",)
