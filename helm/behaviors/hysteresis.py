"""``BHV_Hysteresis``: prefer the present heading.

Source: BHV_Hysteresis of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number, variables
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.heading_memory import HeadingMemory
from steerageway.helm.settings import CommonSettings, SettingError, parameter
from steerageway.helm.world import World
from steerageway.ivp import Function, Peak, peak
from steerageway.moos.values import rounded360

STEADY = 30.0  # standard deviation from which on the window is narrowest [deg]


@dataclass
class HysteresisSettings(CommonSettings):
    """The behavior's parameters."""

    memory_time: float | None = parameter(
        "", Number(above=0), "time window of recent headings [s]; required"
    )
    min_heading_window: float = parameter(
        "10", Number(low=0, high=360), "window width after unsteady headings [deg]"
    )
    max_heading_window: float = parameter(
        "280", Number(low=0, high=360), "window width after perfectly steady headings [deg]"
    )
    max_window_utility: float = parameter(
        "90", Number(low=0, high=100), "utility at the window's edges, 0 to 100"
    )

    def settle(self, assigned: frozenset[str]) -> None:
        self.keep_order(assigned, "min_heading_window", "max_heading_window")


class Hysteresis(Behavior[HysteresisSettings]):
    """Prefers the present heading, and nearly as much the headings in a window around it.

    The window is widest if the recent headings have a standard deviation of 0, and narrowest for
    30 degrees or more. Posts `HYSTER_HDG_AVG` and
    `HYSTER_HDG_VAR` (mean and standard deviation, whole degrees).
    """

    publications = variables.published("""
        HYSTER_HDG_AVG | number | deg | [0, 360) | on change | mean heading of a `BHV_Hysteresis`
        HYSTER_HDG_VAR | number | deg | >= 0 | on change | standard deviation of these headings
    """)
    settings_class = HysteresisSettings
    needs = ("course",)

    def __init__(self, kind: str, settings: HysteresisSettings, world: World) -> None:
        self._memory = HeadingMemory()
        super().__init__(kind, settings, world)

    def check(self, settings: HysteresisSettings, fields: frozenset[str]) -> None:
        if settings.memory_time is None:
            raise SettingError("memory_time", "", "expected seconds above 0: it must be given")
        settings.check_order("min_heading_window", "max_heading_window")

    def on_every_state(self) -> None:
        self._memory.follow(self.world, self.settings.memory_time)

    def run(self) -> Function:
        s, deviation = self.settings, self._memory.deviation
        self.post("HYSTER_HDG_AVG", rounded360(self._memory.mean, 0))
        self.post("HYSTER_HDG_VAR", float(round(deviation)))
        steady = max(0.0, 1.0 - deviation / STEADY)
        window = s.min_heading_window + steady * (s.max_heading_window - s.min_heading_window)
        hill = Peak(
            self.world.ownship.heading, window / 2, 180 - window / 2, 100 - s.max_window_utility
        )
        return peak(self.world.domain["course"], hill, wrap=True)
