"""``BHV_Timer``: post the time it has been running and idle; ``BHV_TimeOut``: stop after a time.

Source: BHV_Timer and BHV_TimeOut of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, variables, word
from steerageway.helm.behaviors.base import Behavior, BehaviorError
from steerageway.helm.behaviors.waypoint.settings import suffix
from steerageway.helm.settings import CommonSettings, SettingError, parameter


@dataclass
class TimerSettings(CommonSettings):
    """The behavior's parameters; with ``duration`` and ``endflag`` it is an alarm clock."""

    var_status_idle: str = parameter(
        "TIMER_IDLE", word, "variable in which the idle time is posted [s]"
    )
    var_status_running: str = parameter(
        "TIMER_RUNNING", word, "variable in which the running time is posted [s]"
    )
    status_suffix: str | None = parameter("", suffix, "suffix of both variables")


class Timer(Behavior[TimerSettings]):
    """Has no objective; posts the seconds it was idle and running, to two decimals."""

    publications = (
        variables.number(
            "TIMER_IDLE",
            "time a `BHV_Timer` was idle",
            unit="s",
            range=">= 0",
            when="on change",
            named=lambda _, settings: settings.var_status_idle + (settings.status_suffix or ""),
        ),
        variables.number(
            "TIMER_RUNNING",
            "time a `BHV_Timer` was running",
            unit="s",
            range=">= 0",
            when="on change",
            named=lambda _, settings: settings.var_status_running + (settings.status_suffix or ""),
        ),
    )
    settings_class = TimerSettings

    def on_every_state(self) -> None:
        idle, running = self.publishes(self.settings)
        self.post(idle, round(self.duration.idle, 2))
        self.post(running, round(self.duration.running, 2))

    def listens(self, settings: TimerSettings) -> Iterable[str]:
        return ()


@dataclass
class TimeOutSettings(CommonSettings):
    """The behavior's parameters."""

    max_time: float | None = parameter("", Number(above=0), "maximum running time [s]; required")


class TimeOut(Behavior[TimeOutSettings]):
    """Stops the vessel by a `BHV_ERROR` after running for ``max_time``, idle time excluded."""

    settings_class = TimeOutSettings
    constraint = True

    def check(self, settings: TimeOutSettings, fields: frozenset[str]) -> None:
        if settings.max_time is None:
            raise SettingError("max_time", "", "expected seconds above 0: it must be given")

    def run(self) -> None:
        if self.settings.max_time is not None and self.duration.running >= self.settings.max_time:
            raise BehaviorError(f"it ran for the {self.settings.max_time:g} s it may run")

    def listens(self, settings: TimeOutSettings) -> Iterable[str]:
        return ()
