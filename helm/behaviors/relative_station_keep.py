"""``BHV_RStationKeep``: keep station at a point relative to another vessel.

Outside the outer circle it approaches at the transit speed; between the circles the speed falls
with the distance; inside the inner circle the vessel drifts. Source: BHV_RStationKeep of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from steerageway.declarations import Number, all_finite, boolean, variables
from steerageway.geometry.encounter import bearing, relative_bearing, separation
from steerageway.helm.behaviors.contact.base import ContactBehavior
from steerageway.helm.behaviors.contact.settings import ContactSettings
from steerageway.helm.behaviors.station_keep import ramped_speed
from steerageway.helm.settings import parameter
from steerageway.ivp import Function, Peak, couple, peak

PRESENT = "present_position"


class Place(NamedTuple):
    """A position relative to another vessel: range [m], and angle from its bow [deg]."""

    range: float
    angle: float


def place(text: str) -> Place | str:
    """Read RANGE,ANGLE, or present_position."""
    if text.lower() == PRESENT:
        return PRESENT
    numbers = all_finite(text.split(","))
    if numbers is None or len(numbers) != 2 or numbers[0] < 0:
        raise ValueError(f"expected RANGE,ANGLE with a range of at least 0, or {PRESENT}")
    return Place(*numbers)


@dataclass
class RelativeStationKeepSettings(ContactSettings):
    """The behavior's parameters."""

    rstation_position: Place | str = parameter(
        "0,180",
        place,
        "RANGE,ANGLE of the station from the contact's bow [m, deg]; or present_position: the "
        "vessel's position when the behavior begins to run",
    )
    center_activate: bool = parameter(
        "false", boolean, "true: use present_position each time it begins to run again"
    )
    outer_radius: float = parameter("25", Number(above=0), "radius of the outer circle [m]")
    inner_radius: float = parameter("5", Number(low=0), "radius of the inner circle [m]")
    outer_speed: float = parameter("1.4", Number(low=0), "speed on the outer circle [m/s]")
    transit_speed: float = parameter(
        "2.0", Number(low=0), "speed outside the outer circle [m/s]", aliases=("extra_speed",)
    )

    def settle(self, assigned: frozenset[str]) -> None:
        super().settle(assigned)
        self.keep_order(assigned, "inner_radius", "outer_radius")


class RelativeStationKeep(ContactBehavior[RelativeStationKeepSettings]):
    """Prefers the course to the relative station, and a speed that depends on the distance."""

    publications = (
        *ContactBehavior.publications,
        *variables.published("""
            DIST_TO_RSTATION | number | m | >= 0 | on change | distance to the station of a
                `BHV_RStationKeep`
        """),
    )
    settings_class = RelativeStationKeepSettings

    def on_creation(self) -> None:
        super().on_creation()
        self._place: Place | None = None  # None: the vessel's position when it next runs

    def check(self, settings: RelativeStationKeepSettings, fields: frozenset[str]) -> None:
        super().check(settings, fields)
        settings.check_order("inner_radius", "outer_radius")

    def configured(self, fields: frozenset[str]) -> None:
        super().configured(fields)
        if "rstation_position" in fields:
            given = self.settings.rstation_position
            self._place = given if isinstance(given, Place) else None

    def on_idle_to_run(self) -> None:
        if self.settings.center_activate:
            self._place = None

    def meet(self) -> Function | None:
        if self._place is None:
            self._place = Place(self.range, relative_bearing(self.other, self.own))
        seen = self.other._replace(heading=self.other.heading + self._place.angle)
        station = seen.ahead(self._place.range)
        away = separation(self.own, station)
        self.relevance = 1.0
        self.post("DIST_TO_RSTATION", away)
        domain = self.world.domain
        course = peak(domain["course"], Peak(bearing(self.own, station), 0.0, 180.0), wrap=True)
        return couple(course, peak(domain["speed"], Peak(self._speed(away), 0.1, 2.0, 10.0)))

    def _speed(self, away: float) -> float:
        s = self.settings
        if away > s.outer_radius:
            return s.transit_speed
        if away <= s.inner_radius:
            return 0.0
        return ramped_speed(away, s.inner_radius, s.outer_radius, s.outer_speed)
