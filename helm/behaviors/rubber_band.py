"""``BHV_RubberBand``: stay near a point, with a pull that grows with the distance.

Source: BHV_RubberBand of MOOS-IvP. Both its older and its newer names of the point are accepted;
``width``, which MOOS-IvP declares but rejects, is in effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from steerageway.declarations import Number, boolean, variables
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.station_keep import (
    DIST_TO_STATION,
    NO_STATION,
    ramped_speed,
    station_doubts,
)
from steerageway.helm.geometry import bearing, distance
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.helm.shapes import point
from steerageway.helm.variables import VIEW_POINT
from steerageway.ivp import Function, Peak, couple, peak
from steerageway.moos import view
from steerageway.moos.seglist import Point
from steerageway.moos.values import fixed

PUBLICATIONS = (
    DIST_TO_STATION,
    variables.text(
        "STATION_CIRCLE", "`x,y,radius,vessel` of a `BHV_RubberBand`", unit="m", when="on change"
    ),
    VIEW_POINT,
)


@dataclass
class RubberBandSettings(CommonSettings):
    """The behavior's parameters."""

    station_pt: Point | None = parameter(
        "", point, "the station x,y [m]", aliases=("point", "points")
    )
    center_activate: bool = parameter(
        "false",
        boolean,
        "true: the station is the vessel's position whenever it begins to run after it was idle",
    )
    inner_radius: float = parameter(
        "4", Number(above=0), "range within which the behavior has no influence [m]"
    )
    outer_radius: float = parameter(
        "15",
        Number(above=0),
        "radius within which the speed falls linearly from outer_speed to 0 at inner_radius [m]",
    )
    outer_speed: float = parameter("1.2", Number(above=0), "speed at the outer radius [m/s]")
    extra_speed: float = parameter(
        "0", Number(low=0), "speed beyond the outer radius [m/s]; 0: outer_speed"
    )
    stiffness: float = parameter(
        "0.1",
        Number(above=0),
        "weight per outer radius of distance beyond outer_radius, in multiples of pwt",
    )
    width: float = parameter("90", Number(low=0, high=180), "peak width of the course [deg]")

    def doubts(self, assigned: frozenset[str]) -> Iterator[tuple[str, str]]:
        yield from super().doubts(assigned)
        yield from station_doubts(self.station_pt, self.center_activate, self.updates)

    def settle(self, assigned: frozenset[str]) -> None:
        self.keep_order(assigned, "inner_radius", "outer_radius")


class RubberBand(Behavior[RubberBandSettings]):
    """Prefers the course to a point, and a speed that depends on the distance.

    The speed rises linearly from 0 at the inner radius to ``outer_speed`` at the outer one. Between
    them the weight is ``pwt``; beyond, as in MOOS-IvP, ``pwt`` times ``stiffness`` times the
    distance from the outer radius, in outer radii: little at first, and far off more than ``pwt``.

    Posts `DIST_TO_STATION` (whole metres above 1 m), `STATION_CIRCLE` (`x,y,radius,vessel`, with
    radius 0 while idle), and draws the point as `VIEW_POINT`.
    """

    publications = PUBLICATIONS
    settings_class = RubberBandSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._station: Point | None = None
        self._moves = False  # the station is the vessel's position when it next runs

    def configured(self, fields: frozenset[str]) -> None:
        if "station_pt" in fields:
            self._station, self._moves = self.settings.station_pt, False

    def on_idle(self) -> None:
        self._post_circle(0.0)
        self._moves = self._moves or self.settings.center_activate

    def run(self) -> Function | None:
        s, here = self.settings, self.world.ownship.place
        if self._moves or (self._station is None and s.center_activate):
            self._station, self._moves = here, False
        if self._station is None:
            self.warn(NO_STATION)
            return None
        away = distance(here, self._station)
        self.post("DIST_TO_STATION", away if away <= 1 else float(round(away)))
        self.post("VIEW_POINT", view.point(self._station, self._look, active=True))
        self._post_circle(s.outer_radius)
        if away <= s.inner_radius:
            return None
        domain = self.world.domain
        toward = Peak(bearing(here, self._station), s.width, 180 - s.width, 10)
        # at most a quarter of the course's utility
        pace = Peak(self._speed(away), peakwidth=0.5, basewidth=2, summitdelta=25, high=25)
        course = peak(domain["course"], toward, wrap=True)
        return couple(course, peak(domain["speed"], pace)).weighing(self._tension(away))

    def _speed(self, away: float) -> float:
        s = self.settings
        if away >= s.outer_radius:
            return s.extra_speed or s.outer_speed
        return ramped_speed(away, s.inner_radius, s.outer_radius, s.outer_speed)

    def _tension(self, away: float) -> float:
        s = self.settings
        beyond = (away - s.outer_radius) / s.outer_radius
        return 1.0 if beyond < 0 else s.stiffness * beyond

    def _post_circle(self, radius: float) -> None:
        x, y = self._station or (0.0, 0.0)
        place = f"{fixed(x, 0)},{fixed(y, 0)},{fixed(radius, 0)}"
        self.post("STATION_CIRCLE", f"{place},{self.world.community}")

    @property
    def _look(self) -> str:
        return f"label={self.world.community}_station"

    def withdraw(self) -> None:
        self.post("VIEW_POINT", view.point(self._station or (0.0, 0.0), self._look, active=False))
