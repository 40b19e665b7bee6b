"""``BHV_MemoryTurnLimit``: forbid courses far from the mean of recent headings.

Source: BHV_MemoryTurnLimit of MOOS-IvP.
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

FULL_SPEED = 1.5  # speed below which the range of courses is narrower [m/s]


@dataclass
class MemoryTurnLimitSettings(CommonSettings):
    """The behavior's parameters."""

    memory_time: float | None = parameter(
        "", Number(low=0), "time window of recent headings [s]; required"
    )
    turn_range: float | None = parameter(
        "",
        Number(low=0, high=180),
        "permitted deviation of the course from the mean of recent headings [deg]; required",
    )


class MemoryTurnLimit(Behavior[MemoryTurnLimitSettings]):
    """Prefers courses near the mean of recent headings, and forbids the others.

    Below 1.5 m/s the range of courses shrinks in proportion to the speed, down to a fifth.
    Posts `MEM_HDG_AVG`, the mean in whole degrees.
    """

    publications = variables.published("""
        MEM_HDG_AVG | number | deg | [0, 360) | on change | mean heading of a `BHV_MemoryTurnLimit`
    """)
    settings_class = MemoryTurnLimitSettings
    needs = ("course",)
    constraint = True

    def __init__(self, kind: str, settings: MemoryTurnLimitSettings, world: World) -> None:
        self._memory = HeadingMemory()
        super().__init__(kind, settings, world)

    def check(self, settings: MemoryTurnLimitSettings, fields: frozenset[str]) -> None:
        for name in ("memory_time", "turn_range"):
            if getattr(settings, name) is None:
                raise SettingError(name, "", "expected a number: it must be given")

    def on_every_state(self) -> None:
        self._memory.follow(self.world, self.settings.memory_time)

    def run(self) -> Function:
        mean, speed = self._memory.mean, self.world.ownship.speed
        self.post("MEM_HDG_AVG", rounded360(mean, 0))
        width = (self.settings.turn_range or 0.0) * min(max(speed / FULL_SPEED, 0.2), 1.0)
        # base width 0: other courses have utility 0
        return peak(self.world.domain["course"], Peak(mean, width, 0.0, 0.2), wrap=True)
