"""``BHV_RangePulse``: draw a range pulse when a range report is received.

Source: BHV_RangePulse of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable

from steerageway.helm.behaviors.base import NAVIGATION, Behavior
from steerageway.helm.settings import CommonSettings
from steerageway.helm.variables import VIEW_RANGE_PULSE
from steerageway.moos.values import fixed


class RangePulse(Behavior[CommonSettings]):
    """Has no objective; draws a pulse of 25 m for 20 s around the vessel at each range report.

    The report is `RANGE_REPORT` followed by the vessel's name (`RANGE_REPORTabe`).
    """

    publications = (VIEW_RANGE_PULSE,)

    def run(self) -> None:
        world = self.world
        if world.received.get(self._report) == world.time:
            x, y = fixed(world.ownship.x, 0), fixed(world.ownship.y, 0)
            text = f"x={x},y={y},radius=25,duration=20,label={self.label}"
            self.post_always("VIEW_RANGE_PULSE", text)

    @property
    def _report(self) -> str:
        return f"RANGE_REPORT{self.world.community}"

    def listens(self, settings: CommonSettings) -> Iterable[str]:
        return (*NAVIGATION, self._report)
