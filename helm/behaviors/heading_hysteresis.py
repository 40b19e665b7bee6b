"""``BHV_HeadingHysteresis``: mean and spread of the recent values of a heading's variable.

Source: BHV_HeadingHysteresis of MOOS-IvP, whose objective function is disabled: it only observes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from steerageway.declarations import Number, variables, word
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.heading_memory import HeadingMemory
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.helm.world import World


@dataclass
class HeadingHysteresisSettings(CommonSettings):
    """The behavior's parameters."""

    memory_time: float | None = parameter(
        "", Number(low=0), "time window of recent headings [s]; without it, nothing is observed"
    )
    filter_var: str = parameter(
        "DESIRED_HEADING_UNFILTERED",
        lambda text: word(text).upper(),
        "variable of the headings [deg]",
    )


class HeadingHysteresis(Behavior[HeadingHysteresisSettings]):
    """Posts mean and spread of the recent values of a variable; has no objective function.

    `HIST_HEADING_AVERAGE` is their circular mean, `HIST_HEADING_VARIANCE` their standard deviation
    divided by the root of their number, as in MOOS-IvP.
    """

    publications = variables.published("""
        HIST_HEADING_AVERAGE | number | deg | [0, 360) | on change | mean of the headings of a
            `BHV_HeadingHysteresis`
        HIST_HEADING_VARIANCE | number | deg | >= 0 | on change | root of the sum of their squared
            deviations, divided by their number
    """)
    settings_class = HeadingHysteresisSettings
    needs = ("course",)

    def __init__(self, kind: str, settings: HeadingHysteresisSettings, world: World) -> None:
        self._memory = HeadingMemory()
        super().__init__(kind, settings, world)

    def listens(self, settings: HeadingHysteresisSettings) -> Iterable[str]:
        return (settings.filter_var,)

    def on_every_state(self) -> None:
        heading, memory = self.world.values.get(self.settings.filter_var), self.settings.memory_time
        if memory is None:
            self.warn("expected memory_time = seconds")
        elif not isinstance(heading, float):
            self.warn(f"nobody has posted {self.settings.filter_var}")
        else:
            self._memory.add(self.world.time, heading, memory)

    def run(self) -> None:
        count = self._memory.count
        if count:
            self.post("HIST_HEADING_AVERAGE", self._memory.mean)
            self.post("HIST_HEADING_VARIANCE", self._memory.deviation / sqrt(count))
