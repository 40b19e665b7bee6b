"""Behaviors that go to a point and complete there.

Source: BHV_AbortToPoint of MOOS-IvP; BHV_SimpleWaypoint and AOF_SimpleWaypoint of moos-ivp-extend,
MOOS-IvP's example of a behavior.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from steerageway.declarations import Choice, Number
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.route import Arrival, Progress, Route
from steerageway.helm.behaviors.waypoint.objectives import Objectives, closing_and_detour
from steerageway.helm.geometry import bearing, distance
from steerageway.helm.settings import CommonSettings, SettingError, parameter
from steerageway.helm.shapes import point
from steerageway.helm.variables import VIEW_POINT
from steerageway.ivp import Domain, Function, Peak, couple, on_grid, peak
from steerageway.ivp.domain import FloatArray
from steerageway.moos import view
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


@dataclass
class SimpleWaypointSettings(CommonSettings):
    """The behavior's parameters."""

    ptx: float = parameter("0", Number(), "x of the point [m]")
    pty: float = parameter("0", Number(), "y of the point [m]")
    speed: float = parameter(
        "0", Number(low=0), "desired speed [m/s]; at most the domain's maximum"
    )
    radius: float = parameter("10", Number(above=0), "capture radius of the point [m]")
    ipf_type: str = parameter(
        "zaic",
        Choice("zaic", "reflector"),
        "zaic, or reflector: utility by rate of closure, detour and speed",
    )


class SimpleWaypoint(Behavior[SimpleWaypointSettings]):
    """Prefers the course to a point and a speed, and completes there.

    The course has a base width of 180 degrees; the speed a peak width of 0.5 m/s, a summit delta
    of 0.8 and a base width of 1 m/s. With `reflector`, 75 % of the utility are for closing the
    point at the speed (closing faster costs half as much as slower), 20 % against speed in other
    directions, and 5 % for the speed itself. Draws the point as `VIEW_POINT`.
    """

    publications = (VIEW_POINT,)
    settings_class = SimpleWaypointSettings
    needs = ("course", "speed")

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        self._goal = (s.ptx, s.pty)
        self._speed = self.capped(s.speed)
        hill = Peak(self._speed, peakwidth=0.5, basewidth=1.0, summitdelta=0.8)
        self._pace = peak(self.world.domain["speed"], hill)

    def withdraw(self) -> None:
        self._draw(active=False)

    def run(self) -> Function | None:
        domain, here = self.world.domain, self.world.ownship.place
        if distance(here, self._goal) <= self.settings.radius:
            self._draw(active=False)
            self.complete()
            return None
        self._draw(active=True)
        course = bearing(here, self._goal)
        if self.settings.ipf_type == "reflector":
            return _closing(domain, course, self._speed)
        toward = peak(domain["course"], Peak(course, basewidth=180), wrap=True)
        return couple(toward, self._pace)

    def _draw(self, *, active: bool) -> None:
        look = view.look(label=f"{self.world.community}'s next waypoint")
        self.post("VIEW_POINT", view.point(self._goal, look, active=active))


def _closing(domain: Domain, course: float, speed: float) -> Function:
    """Return the `reflector` function: close a point on the course to it [deg] at a speed [m/s]."""
    low, top = domain["speed"].low, domain["speed"].high
    span = max(top - speed, speed - low) or 1.0

    def utility(courses: FloatArray, speeds: FloatArray) -> FloatArray:
        closing, detour = closing_and_detour(courses, speeds, course, speed, top)
        pace = 1.0 - np.abs(speed - speeds) / span
        return np.asarray(100.0 * (0.75 * closing + 0.2 * detour + 0.05 * pace))

    return on_grid(domain, ("course", "speed"), utility)
