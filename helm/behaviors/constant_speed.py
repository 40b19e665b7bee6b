"""``BHV_ConstantSpeed``: keep a speed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, word
from steerageway.helm import readers
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.settings import CommonSettings, parameter
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
    speed_mismatch_var: str | None = parameter(
        "", word, "variable in which the deviation from the speed is posted [m/s]"
    )
    duration: float = parameter(
        "0", readers.duration, "time it runs before it completes [s], or no-time-limit"
    )


class ConstantSpeed(Behavior[ConstantSpeedSettings]):
    """Prefers a speed; leaves the course open."""

    settings_class = ConstantSpeedSettings
    needs = ("speed",)

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        hill = Peak(s.speed, s.peakwidth, s.basewidth, s.summitdelta)
        self._objective = peak(self.world.domain["speed"], hill)

    def run(self) -> Function:
        if variable := self.settings.speed_mismatch_var:
            self.post(variable, abs(self.world.ownship.speed - self.settings.speed))
        return self._objective

    def publishes(self, settings: ConstantSpeedSettings) -> Iterable[str]:
        return [settings.speed_mismatch_var] if settings.speed_mismatch_var else ()
