"""``BHV_ConstantHeading``: keep a heading; ``BHV_MaintainHeading``: keep the initial heading.

Source: BHV_ConstantHeading and BHV_MaintainHeading of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from steerageway.declarations import Number
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.constant import ConstantSpeedSettings
from steerageway.helm.geometry import angle_between
from steerageway.helm.settings import CommonSettings, parameter, posted_in, redefined, same_as
from steerageway.ivp import Function, Peak, Variable, peak


@dataclass
class ConstantHeadingSettings(CommonSettings):
    """The behavior's parameters; ``duration`` is 0 by default, see ``ConstantSpeedSettings``."""

    clipped = ("peakwidth", "basewidth", "summitdelta")

    heading: float = parameter(
        "0", Number(), "desired heading, rounded to the domain's nearest course [deg]"
    )
    peakwidth: float = parameter(
        "10", Number(low=0), "deviation at which the utility has fallen by summitdelta [deg]"
    )
    basewidth: float = parameter(
        "170", Number(low=0), "further deviation over which it falls to 0 [deg]"
    )
    summitdelta: float = parameter(
        "25", Number(low=0, high=100), "drop in utility across peakwidth, 0 to 100"
    )
    complete_thresh: float = parameter(
        "-1",
        Number(low=-1),
        "completes when the heading is within this angle of the desired one [deg]; -1: never",
    )
    heading_mismatch_var: str | None = posted_in(
        "variable in which the deviation from the heading is posted [deg]"
    )
    duration: float = same_as(ConstantSpeedSettings, "duration")


class ConstantHeading(Behavior[ConstantHeadingSettings]):
    """Prefers a course; leaves the speed open."""

    settings_class = ConstantHeadingSettings
    needs = ("course",)

    def configured(self, fields: frozenset[str]) -> None:
        s, variable = self.settings, self.world.domain["course"]
        self._heading = _on_grid(variable, s.heading)
        hill = Peak(self._heading, s.peakwidth, s.basewidth, s.summitdelta)
        self._objective = peak(variable, hill, wrap=True)

    def run(self) -> Function | None:
        s = self.settings
        off = angle_between(self.world.ownship.heading, self._heading)
        if s.heading_mismatch_var:
            self.post(s.heading_mismatch_var, off)
        if s.complete_thresh >= 0 and off <= s.complete_thresh:
            self.complete()
            return None
        return self._objective


@dataclass
class MaintainHeadingSettings(CommonSettings):
    """The behavior's parameters; ``duration`` is 0 by default, see ``ConstantSpeedSettings``."""

    without_effect: ClassVar[Mapping[str, str]] = {
        **CommonSettings.without_effect,
        "heading": "the vessel's own at the beginning counts",
    }
    peakwidth: float = redefined(ConstantHeadingSettings, "peakwidth", "30")
    basewidth: float = redefined(ConstantHeadingSettings, "basewidth", "150")
    summitdelta: float = redefined(ConstantHeadingSettings, "summitdelta", "80")
    duration: float = same_as(ConstantSpeedSettings, "duration")


class MaintainHeading(Behavior[MaintainHeadingSettings]):
    """Prefers the heading that the vessel had when the behavior began to run."""

    settings_class = MaintainHeadingSettings
    needs = ("course",)

    def configured(self, fields: frozenset[str]) -> None:
        self._objective: Function | None = None

    def on_run_to_idle(self) -> None:
        self._objective = None

    def run(self) -> Function:
        if self._objective is None:
            s = self.settings
            hill = Peak(self.world.ownship.heading, s.peakwidth, s.basewidth, s.summitdelta)
            self._objective = peak(self.world.domain["course"], hill, wrap=True)
        return self._objective


def _on_grid(variable: Variable, heading: float) -> float:
    """Return the domain's course nearest to a heading, around the circle."""
    steps = round((heading - variable.low) / variable.step) if variable.step else 0
    return float(variable.values[steps % variable.points])
