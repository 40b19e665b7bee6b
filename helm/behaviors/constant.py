"""``BHV_ConstantSpeed`` and ``BHV_ConstantDepth``: keep a quantity.

Source: BHV_ConstantSpeed and BHV_ConstantDepth of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number
from steerageway.helm import readers
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.settings import AnySettings, CommonSettings, parameter, posted_in, same_as
from steerageway.ivp import Function, Peak, peak


@dataclass
class ConstantSpeedSettings(CommonSettings):
    """The behavior's parameters.

    As in MOOS-IvP, ``duration`` is 0 by default: unless it is set, the behavior completes as soon
    as it runs.
    """

    clipped = ("speed", "peakwidth", "basewidth", "summitdelta")

    speed: float = parameter("0", Number(low=0), "desired speed [m/s]")
    peakwidth: float = parameter(
        "0", Number(low=0), "deviation at which the utility has fallen by summitdelta [m/s]"
    )
    basewidth: float = parameter(
        "0.2", Number(low=0), "further deviation over which it falls to 0 [m/s]"
    )
    summitdelta: float = parameter(
        "0", Number(low=0, high=100), "drop in utility across peakwidth, 0 to 100"
    )
    speed_mismatch_var: str | None = posted_in(
        "variable in which the deviation from the speed is posted [m/s]"
    )
    duration: float = parameter(
        "0", readers.duration, "time it runs before it completes [s], or no-time-limit"
    )


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
    depth_mismatch_var: str | None = posted_in(
        "variable in which the deviation from the depth is posted [m]"
    )
    duration: float = same_as(ConstantSpeedSettings, "duration")


class _Constant(Behavior[AnySettings]):
    """Prefers one value of the quantity that it needs."""

    def configured(self, fields: frozenset[str]) -> None:
        (quantity,), s = self.needs, vars(self.settings)
        self._desired: float = s[quantity]
        hill = Peak(self._desired, s["peakwidth"], s["basewidth"], s["summitdelta"])
        self._objective = peak(self.world.domain[quantity], hill)

    def on_idle(self) -> None:
        (quantity,) = self.needs
        if variable := vars(self.settings)[f"{quantity}_mismatch_var"]:
            now: float = getattr(self.world.ownship, quantity)
            self.post(variable, abs(now - self._desired))

    def run(self) -> Function:
        self.on_idle()
        return self._objective


class ConstantSpeed(_Constant[ConstantSpeedSettings]):
    """Prefers a speed; leaves the course open."""

    settings_class = ConstantSpeedSettings
    needs = ("speed",)


class ConstantDepth(_Constant[ConstantDepthSettings]):
    """Prefers a depth; leaves course and speed open."""

    settings_class = ConstantDepthSettings
    needs = ("depth",)
