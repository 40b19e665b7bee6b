"""Behaviors by the mean and the spread of recent headings.

Source: BHV_Hysteresis, BHV_HeadingHysteresis and BHV_MemoryTurnLimit of MOOS-IvP. The objective
function of the second is disabled there, too: it only observes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, radians, sin, sqrt

from steerageway.declarations import Number, variables, word
from steerageway.geometry.marine import bearing
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.geometry import turn
from steerageway.helm.settings import AnySettings, CommonSettings, SettingError, parameter
from steerageway.ivp import Function, Peak, peak
from steerageway.moos.values import rounded360

STEADY = 30.0  # standard deviation from which on the window is narrowest [deg]
FULL_SPEED = 1.5  # speed below which the range of courses is narrower [m/s]


class HeadingMemory:
    """Headings [deg] within a time window."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, float]] = deque()

    def add(self, time: float, heading: float, memory: float) -> None:
        """Add a heading, and remove those older than ``memory`` [s]."""
        self._past.append((time, heading))
        while self._past[0][0] < time - memory:
            self._past.popleft()

    @property
    def count(self) -> int:
        """How many headings there are."""
        return len(self._past)

    @property
    def mean(self) -> float:
        """The circular mean, the direction of the sum of unit vectors, in [0, 360)."""
        x = sum(sin(radians(heading)) for _, heading in self._past)
        y = sum(cos(radians(heading)) for _, heading in self._past)
        return bearing(x, y)

    @property
    def deviation(self) -> float:
        """The standard deviation from the circular mean [deg]."""
        mean = self.mean
        total = sum(turn(mean, heading) ** 2 for _, heading in self._past)
        return sqrt(total / len(self._past))


class _Remembering(Behavior[AnySettings]):
    """Has a memory of headings."""

    needs = ("course",)

    def on_creation(self) -> None:
        self._memory = HeadingMemory()


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


class Hysteresis(_Remembering[HysteresisSettings]):
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

    def check(self, settings: HysteresisSettings, fields: frozenset[str]) -> None:
        if settings.memory_time is None:
            raise SettingError("memory_time", "", "expected seconds above 0: it must be given")
        settings.check_order("min_heading_window", "max_heading_window")

    def on_every_state(self) -> None:
        window = self.settings.memory_time or 0.0  # it must be given
        self._memory.add(self.world.time, self.world.ownship.heading, window)

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


class HeadingHysteresis(_Remembering[HeadingHysteresisSettings]):
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


class MemoryTurnLimit(_Remembering[MemoryTurnLimitSettings]):
    """Prefers courses near the mean of recent headings, and forbids the others.

    Below 1.5 m/s the range of courses shrinks in proportion to the speed, down to a fifth.
    Posts `MEM_HDG_AVG`, the mean in whole degrees.
    """

    publications = variables.published("""
        MEM_HDG_AVG | number | deg | [0, 360) | on change | mean heading of a `BHV_MemoryTurnLimit`
    """)
    settings_class = MemoryTurnLimitSettings
    constraint = True

    def check(self, settings: MemoryTurnLimitSettings, fields: frozenset[str]) -> None:
        for name in ("memory_time", "turn_range"):
            if getattr(settings, name) is None:
                raise SettingError(name, "", "expected a number: it must be given")

    def on_every_state(self) -> None:
        window = self.settings.memory_time or 0.0  # it must be given
        self._memory.add(self.world.time, self.world.ownship.heading, window)

    def run(self) -> Function:
        mean, speed = self._memory.mean, self.world.ownship.speed
        self.post("MEM_HDG_AVG", rounded360(mean, 0))
        width = (self.settings.turn_range or 0.0) * min(max(speed / FULL_SPEED, 0.2), 1.0)
        # base width 0: other courses have utility 0
        return peak(self.world.domain["course"], Peak(mean, width, 0.0, 0.2), wrap=True)
