"""``BHV_HSLine``: draw the path at the helm's desired heading and speed.

Source: BHV_HSLine of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number
from steerageway.helm.behaviors.base import NAVIGATION, Behavior
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.helm.variables import VIEW_SEGLIST
from steerageway.moos import view
from steerageway.moos.seglist import project


@dataclass
class HSLineSettings(CommonSettings):
    """The behavior's parameters."""

    time_on_leg: float = parameter("60", Number(above=0), "time over which the path is drawn [s]")


class HSLine(Behavior[HSLineSettings]):
    """Has no objective; draws the path in ``time_on_leg`` at the desired heading and speed."""

    publications = (VIEW_SEGLIST,)
    settings_class = HSLineSettings

    def run(self) -> None:
        world, here = self.world, self.world.ownship.place
        heading, speed = world.number("DESIRED_HEADING"), world.number("DESIRED_SPEED")
        if heading is not None and speed is not None:
            end = project(here, heading, speed * self.settings.time_on_leg)
            self.post("VIEW_SEGLIST", view.seglist((here, end), f"label={self.label}"))

    def withdraw(self) -> None:
        self.post("VIEW_SEGLIST", view.erased_seglist(self.label))

    def listens(self, settings: HSLineSettings) -> Iterable[str]:
        return (*NAVIGATION, "DESIRED_HEADING", "DESIRED_SPEED")
