"""``BHV_MinAltitude``: keep a minimum altitude above the sea floor.

Source: BHV_MinAltitudeX of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, boolean
from steerageway.helm.behaviors.base import NAVIGATION, Behavior, BehaviorError
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.ivp import Function, leq


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
