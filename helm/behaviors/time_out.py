"""``BHV_TimeOut``: stop the vessel after a time.

Source: BHV_TimeOut of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number
from steerageway.helm.behaviors.base import Behavior, BehaviorError
from steerageway.helm.settings import CommonSettings, SettingError, parameter


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
