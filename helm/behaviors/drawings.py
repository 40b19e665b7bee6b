"""Behaviors that only draw: a bearing, the desired path, a pulse at each range report.

Source: BHV_BearingLine, BHV_HSLine and BHV_RangePulse of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, boolean
from steerageway.helm.behaviors.base import NAVIGATION, Behavior
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.helm.shapes import point
from steerageway.helm.variables import VIEW_POINT, VIEW_RANGE_PULSE, VIEW_SEGLIST
from steerageway.moos import view
from steerageway.moos.seglist import Point, project
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
