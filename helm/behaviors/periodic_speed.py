"""``BHV_PeriodicSpeed``: alternate between periods with a desired speed and without one.

Source: BHV_PeriodicSpeed of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number, boolean, variables
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.settings import CommonSettings, SettingError, parameter
from steerageway.ivp import Function, Peak, peak


@dataclass
class PeriodicSpeedSettings(CommonSettings):
    """The behavior's parameters."""

    period_busy: float | None = parameter(
        "", Number(above=0), "length of the periods with the desired speed [s]; required"
    )
    period_lazy: float | None = parameter(
        "", Number(above=0), "length of the periods without an objective function [s]; required"
    )
    period_speed: float = parameter("0", Number(low=0), "desired speed in the busy periods [m/s]")
    peakwidth: float = parameter(
        "0",
        Number(low=0),
        "deviation at which the utility has fallen by summit_delta [m/s]",
        aliases=("period_peakwidth", "zaic_peakwidth"),
    )
    basewidth: float = parameter(
        "0",
        Number(low=0),
        "further deviation over which it falls to 0 [m/s]",
        aliases=("period_basewidth", "zaic_basewidth"),
    )
    summit_delta: float = parameter(
        "25",
        Number(low=0, high=100),
        "drop in utility across peakwidth, 0 to 100",
        aliases=("zaic_summit_delta",),
    )
    reset_upon_running: bool = parameter(
        "true", boolean, "false: the periods continue while it is idle"
    )
    initially_busy: bool = parameter("false", boolean, "true: start with a busy period")


class PeriodicSpeed(Behavior[PeriodicSpeedSettings]):
    """Prefers a speed in busy periods and has no objective in lazy periods between them.

    Posts, also while it is idle, `PS_PENDING_ACTIVE` and `PS_PENDING_INACTIVE`, the time until the
    next busy and the next lazy period [s] (whole numbers above 1 s; 0 during that period),
    `PS_BUSY_COUNT`, the number of busy periods so far, and `PERIODIC_SPEED`, 1 in a busy period.
    """

    publications = variables.published("""
        PS_PENDING_ACTIVE | number | s | >= 0 | on change | time until the next busy period of a
            `BHV_PeriodicSpeed`
        PS_PENDING_INACTIVE | number | s | >= 0 | on change | time until its next lazy period
        PS_BUSY_COUNT | number | | >= 0 | on change | number of its busy periods so far
        PERIODIC_SPEED | number | | [0, 1] | on change | 1: it influences the speed
    """)
    settings_class = PeriodicSpeedSettings
    needs = ("speed",)

    def on_creation(self) -> None:
        self._since: float | None = None  # when the present period began [s]
        self._busy = False
        self._count = 0

    def check(self, settings: PeriodicSpeedSettings, fields: frozenset[str]) -> None:
        for name in ("period_busy", "period_lazy"):
            if getattr(settings, name) is None:
                raise SettingError(name, "", "expected seconds above 0: it must be given")

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        hill = Peak(s.period_speed, s.peakwidth, s.basewidth, s.summit_delta)
        self._objective = peak(self.world.domain["speed"], hill)

    def on_idle(self) -> None:
        s = self.settings
        if not s.reset_upon_running:
            self._post_pending(self._seconds_left(), active=False)
            return
        self._since, self._busy = None, s.initially_busy
        self._post_pending(self._period, active=False)

    def run(self) -> Function | None:
        left = self._seconds_left()
        self._post_pending(left, active=self._busy)
        return self._objective if self._busy else None

    def _post_pending(self, left: float, *, active: bool) -> None:
        self.post("PERIODIC_SPEED", float(active))
        shown = float(round(left)) if left > 1 else round(left, 2)
        self.post("PS_PENDING_ACTIVE", 0.0 if self._busy else shown)
        self.post("PS_PENDING_INACTIVE", shown if self._busy else 0.0)
        self.post("PS_BUSY_COUNT", float(self._count))

    def _seconds_left(self) -> float:
        """Start the period that is due, and return its remaining time [s]."""
        s, now = self.settings, self.world.time
        if self._since is None:
            self._since = now
            self._begin(busy=s.initially_busy)
        # several periods may have passed since the last iteration
        while now - self._since >= self._period:
            self._since += self._period
            self._begin(busy=not self._busy)
        return self._since + self._period - now

    def _begin(self, *, busy: bool) -> None:
        self._busy = busy
        self._count += busy

    @property
    def _period(self) -> float:
        s = self.settings
        return (s.period_busy if self._busy else s.period_lazy) or 0.0
