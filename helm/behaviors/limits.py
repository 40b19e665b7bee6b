"""Limits of speed, depth and altitude, as constraints on other behaviors.

Source: BHV_MaxSpeed, BHV_MaxDepth and BHV_MinAltitudeX of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, boolean
from steerageway.helm.behaviors.base import NAVIGATION, Behavior, BehaviorError
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

    def on_idle(self) -> None:
        (quantity,) = self.needs
        if variable := vars(self.settings)[f"{quantity}_slack_var"]:
            now: float = getattr(self.world.ownship, quantity)
            self.post(variable, self._most - now)

    def run(self) -> Function:
        self.on_idle()
        return self._objective


class MaxSpeed(_Limit[MaxSpeedSettings]):
    """Prefers all speeds up to a limit equally."""

    settings_class = MaxSpeedSettings
    needs = ("speed",)


class MaxDepth(_Limit[MaxDepthSettings]):
    """Prefers all depths down to a limit equally."""

    settings_class = MaxDepthSettings
    needs = ("depth",)


@dataclass
class MinAltitudeSettings(CommonSettings):
    """The behavior's parameters."""

    min_altitude: float = parameter("0", Number(low=0), "minimum altitude above the sea floor [m]")
    missing_altitude_critical: bool = parameter(
        "true",
        boolean,
        "true: a behavior error without NAV_ALTITUDE; false: a warning, and no objective function",
    )


class MinAltitude(Behavior[MinAltitudeSettings]):
    """Prefers all depths at least ``min_altitude`` above the sea floor equally.

    The sea floor is at `NAV_DEPTH` + `NAV_ALTITUDE`. Also `BHV_MinAltitudeX`.
    """

    settings_class = MinAltitudeSettings
    needs = ("depth",)
    constraint = True

    def run(self) -> Function | None:
        s, height = self.settings, self.world.number("NAV_ALTITUDE")
        if height is None and s.missing_altitude_critical:
            raise BehaviorError("NAV_ALTITUDE was never heard")
        if height is None:
            self.post("BHV_WARNING", f"{s.name}: NAV_ALTITUDE was never heard")
            return None
        ground = self.world.ownship.depth + height
        return leq(self.world.domain["depth"], ground - s.min_altitude, 0.0)

    def listens(self, settings: MinAltitudeSettings) -> Iterable[str]:
        return (*NAVIGATION, "NAV_DEPTH", "NAV_ALTITUDE")
