"""``BHV_BearingLine``: draw a line from the vessel towards a point.

Source: BHV_BearingLine of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Number, boolean
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.helm.shapes import point
from steerageway.helm.variables import VIEW_POINT, VIEW_SEGLIST
from steerageway.moos import view
from steerageway.moos.seglist import Point
from steerageway.moos.values import fixed


@dataclass
class BearingLineSettings(CommonSettings):
    """The behavior's parameters."""

    clipped = ("line_pct",)

    bearing_point: Point = parameter("0,0", point, "the point x,y [m]")
    line_pct: float = parameter(
        "50", Number(low=0, high=100), "length of the line, in percent of the distance [%]"
    )
    show_pt: bool = parameter("true", boolean, "false: do not draw the point")


class BearingLine(Behavior[BearingLineSettings]):
    """Has no objective function; draws a line from the vessel towards a point, and the point."""

    publications = (VIEW_SEGLIST, VIEW_POINT)
    settings_class = BearingLineSettings

    def run(self) -> None:
        s, ship = self.settings, self.world.ownship
        share, (x, y) = s.line_pct / 100, s.bearing_point
        end = (ship.x + share * (x - ship.x), ship.y + share * (y - ship.y))
        line = view.seglist([ship.place, end], view.look(label=self.label))
        self.post("VIEW_SEGLIST", line)
        self._draw_point(active=s.show_pt)

    def _draw_point(self, *, active: bool) -> None:
        x, y = self.settings.bearing_point
        look = view.look(label=f"{fixed(x, 0)};{fixed(y, 0)}")
        self.post("VIEW_POINT", view.point((x, y), look, active=active))

    def withdraw(self) -> None:
        self.post("VIEW_SEGLIST", view.erased_seglist(self.label))
        self._draw_point(active=False)
