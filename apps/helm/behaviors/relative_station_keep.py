"""``BHV_RStationKeep``: keep station at a place that moves with another vessel.

Outside the outer circle it goes there at the transit speed, between the circles the slower the
nearer it is, and inside the inner one it drifts. Where the place lies from the contact is this
project's choice of parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apps.helm.behaviors.contact import ContactBehavior
from apps.helm.contact.settings import ContactSettings
from apps.helm.readers import number
from apps.helm.settings import SettingError, parameter
from ivp import Function, Peak, couple, peak
from moos.values import trimmed
from vessel.encounter import Track, bearing, separation


@dataclass
class RelativeStationKeepSettings(ContactSettings):
    """What it can be told."""

    station_range: float = parameter("0", number(low=0), "how far the place is from her [m]")
    station_angle: float = parameter("180", number(), "where it is from her bow [deg]")
    outer_radius: float = parameter("25", number(above=0), "of the outer circle [m]")
    inner_radius: float = parameter("5", number(low=0), "of the inner circle [m]")
    outer_speed: float = parameter("1.4", number(low=0), "speed on the outer circle [m/s]")
    transit_speed: float = parameter("2.0", number(low=0), "speed outside of it [m/s]")


class RelativeStationKeep(ContactBehavior[RelativeStationKeepSettings]):
    """Wishes the course to the place, and a speed by the distance from it."""

    settings_class = RelativeStationKeepSettings

    def check(self, settings: RelativeStationKeepSettings, fields: frozenset[str]) -> None:
        super().check(settings, fields)
        inner, outer = settings.inner_radius, settings.outer_radius
        if inner >= outer:
            expected = f"expected less than outer_radius, which is {trimmed(outer)}"
            raise SettingError("inner_radius", trimmed(inner), expected)

    def meet(self) -> Function | None:
        place = self._place()
        away = separation(self.own, place)
        self.relevance = 1.0
        self.post("DIST_TO_STATION", away)
        domain = self.world.domain
        course = peak(domain["course"], Peak(bearing(self.own, place), 0.0, 180.0), wrap=True)
        return couple(course, peak(domain["speed"], Peak(self._speed(away), 0.1, 2.0, 10.0)))

    def _place(self) -> Track:
        s = self.settings
        return self.other._replace(heading=self.other.heading + s.station_angle).ahead(
            s.station_range
        )

    def _speed(self, away: float) -> float:
        s = self.settings
        if away > s.outer_radius:
            return s.transit_speed
        if away <= s.inner_radius:
            return 0.0
        return s.outer_speed * (away - s.inner_radius) / (s.outer_radius - s.inner_radius)

    def publishes(self, settings: RelativeStationKeepSettings) -> Iterable[str]:
        return [*super().publishes(settings), "DIST_TO_STATION"]
