"""``BHV_AbortToPoint``: go to a point and complete there.

Source: BHV_AbortToPoint of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Choice, Number
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.route import Arrival, Progress, Route
from steerageway.helm.behaviors.waypoint.objectives import Objectives
from steerageway.helm.geometry import bearing
from steerageway.helm.settings import CommonSettings, SettingError, parameter
from steerageway.helm.shapes import point
from steerageway.ivp import Function, Peak, couple, peak
from steerageway.moos.seglist import Point


@dataclass
class AbortToPointSettings(CommonSettings):
    """The behavior's parameters."""

    by_leading_number = ("radius", "nm_radius")
    default_for_others = ("perpetual", "ipf_type")

    point: Point | None = parameter("", point, "destination x,y [m]; required")
    speed: float = parameter(
        "0", Number(low=0), "desired speed [m/s]; at most the domain's maximum"
    )
    radius: float = parameter(
        "25", Number(above=0), "capture radius: the point is reached within it [m]"
    )
    nm_radius: float = parameter(
        "200",
        Number(above=0),
        "slip radius: within it, the point is also reached once the range opens [m]",
    )
    ipf_type: str = parameter(
        "zaic",
        Choice("zaic", "roc", "rate_of_closure"),
        "zaic, or roc: rate of closure",
        aliases=("ipf-type",),
    )


class AbortToPoint(Behavior[AbortToPointSettings]):
    """Prefers the course to a point (base width 180 degrees) and a speed (base width 2.6 m/s)."""

    settings_class = AbortToPointSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._route = Route()

    def check(self, settings: AbortToPointSettings, fields: frozenset[str]) -> None:
        if settings.point is None:
            raise SettingError("point", "", "expected a point x,y")

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        if "point" in fields and s.point is not None:
            self._route.set_points((s.point,))
        self._arrival = Arrival(s.radius, s.nm_radius)
        self._speed = self.capped(s.speed)

    def on_run_to_idle(self) -> None:
        self._route.reset_nearest()

    def run(self) -> Function | None:
        domain, here = self.world.domain, self.world.ownship.place
        goal = self._route.next
        if self._route.advance(here, self._arrival) is Progress.COMPLETED:
            self.complete()
            return None
        course = bearing(here, goal)
        if self.settings.ipf_type != "zaic":
            return Objectives(domain).rate_of_closure(course, self._speed)
        toward = peak(domain["course"], Peak(course, basewidth=180), wrap=True)
        return couple(toward, peak(domain["speed"], Peak(self._speed, basewidth=2.6)))
