"""``BHV_Timer``: post the time it has been running and idle.

Source: BHV_Timer of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import variables, word
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.waypoint.settings import suffix
from steerageway.helm.settings import CommonSettings, parameter


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
