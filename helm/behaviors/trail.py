"""``BHV_Trail``: keep a position relative to another vessel, usually astern of it.

Beyond ``nm_radius`` of this trail point the behavior comes as near to the moving point as it can
within ``time_on_leg``. Nearer, it steers to ``nm_radius`` ahead of the point, faster than the
contact while astern of the point and slower while ahead of it. Within ``radius`` it matches the
contact's course and speed.
Source: BHV_Trail of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Choice, Number, boolean, variables
from steerageway.geometry.encounter import Track, bearing, seen_from, separation
from steerageway.helm.behaviors.contact.base import AlertedBehavior
from steerageway.helm.behaviors.contact.settings import AlertSettings
from steerageway.helm.behaviors.contact.utility import approaching, stretched
from steerageway.helm.settings import parameter, redefined
from steerageway.helm.variables import VIEW_POINT
from steerageway.ivp import Function, Peak, couple, peak
from steerageway.moos import view
from steerageway.moos.values import rounded360

LEAST_RANGE = 10.0  # minimum of trail_range after a modification [m]


@dataclass
class TrailSettings(AlertSettings):
    """The behavior's parameters."""

    by_leading_number = ("mod_trail_range", "mod_trail_range_pct")

    trail_range: float = parameter(
        "50", Number(low=0), "range of the trail point from the contact [m]"
    )
    mod_trail_range: float | None = parameter(
        "", Number(), "added to trail_range, which remains at least 10 m [m]"
    )
    mod_trail_range_pct: float | None = parameter(
        "", Number(above=0), "scales trail_range to this percentage, at least 10 m [%]"
    )
    trail_angle: float = parameter(
        "180", Number(), "bearing of the trail point from the contact; 180 is astern [deg]"
    )
    trail_angle_type: str = parameter(
        "relative",
        Choice("relative", "absolute"),
        "reference of trail_angle: relative (the contact's bow) or absolute (north)",
    )
    radius: float = parameter(
        "5",
        Number(low=0),
        "distance to the trail point within which the contact's course and speed are matched [m]",
    )
    nm_radius: float = parameter(
        "20",
        Number(low=0),
        "distance within which it steers to a point ahead of the trail point [m]",
    )
    pwt_outer_dist: float = parameter(
        "0", Number(low=0), "range beyond which the behavior has no influence [m]; 0: unlimited"
    )
    no_alert_request: bool = redefined(
        AlertSettings, "no_alert_request", "true", "false: request alerts from the contact manager"
    )
    post_trail_dist_on_idle: bool = parameter(
        "true", boolean, "false: post TRAIL_DISTANCE only while the behavior runs"
    )


class Trail(AlertedBehavior[TrailSettings]):
    """Prefers courses and speeds that lead to the trail point and keep it."""

    publications = (
        *AlertedBehavior.publications,
        *variables.published("""
            PURSUIT | number | | [0, 1] | on change | 1: a `BHV_Trail` is active
            REGION | text | | `Outside nm_radius`, `Inside nm_radius`, `Inside radius` | on change |
                position of the vessel relative to its trail point
            TRAIL_DISTANCE | number | m | >= 0 | | distance to the trail point of a `BHV_Trail`
            TRAIL_RELEVANCE | number | | [0, 1] | on change | 1: a `BHV_Trail` is active; posted
                while it runs
            TRAIL_RANGE | number | m | >= 0 | on change | range to the contact of a `BHV_Trail`
            TRAIL_HEADING | number | deg | [0, 360) | on change | desired course near the trail
                point
            TRAIL_SPEED | number | m/s | | on change | desired speed near the trail point
        """),
        VIEW_POINT,
    )
    settings_class = TrailSettings

    def configured(self, fields: frozenset[str]) -> None:
        super().configured(fields)
        s = self.settings
        if "mod_trail_range" in fields and s.mod_trail_range is not None:
            s.trail_range = max(LEAST_RANGE, s.trail_range + s.mod_trail_range)
        if "mod_trail_range_pct" in fields and s.mod_trail_range_pct is not None:
            s.trail_range = max(LEAST_RANGE, s.trail_range * s.mod_trail_range_pct / 100.0)

    def on_every_state(self) -> None:
        super().on_every_state()
        if self.contact is not None and self.settings.post_trail_dist_on_idle:
            self.post("TRAIL_DISTANCE", separation(self.own, self._place()))

    def meet(self) -> Function | None:
        s, place = self.settings, self._place()
        away = separation(self.own, place)
        far_off = 0.0 < s.pwt_outer_dist < self.range
        self.relevance = 0.0 if far_off else 1.0
        self._report(place, away)
        if far_off:
            return None
        if away > s.nm_radius:
            table = approaching(self.world.domain, self.own, place, s.time_on_leg)
            return Function({("course", "speed"): stretched(table)})
        if away > s.radius:
            return self._approach(place)
        return self._steer(self.other.heading, self.other.speed)

    def _place(self) -> Track:
        """Return the trail point, with the contact's heading and speed."""
        s = self.settings
        relative = s.trail_angle_type == "relative"
        angle = s.trail_angle + (self.other.heading if relative else 0.0)
        there = self.other._replace(heading=angle).ahead(s.trail_range)
        return there._replace(heading=self.other.heading)

    def _approach(self, place: Track) -> Function:
        """Steer to a point ahead of the trail point, faster the farther astern of it."""
        nm_radius = self.settings.nm_radius
        ahead = seen_from(place, self.own).ahead
        speed = self.other.speed * (1.0 - 0.5 * ahead / nm_radius)
        return self._steer(bearing(self.own, place.ahead(nm_radius)), speed)

    def _steer(self, heading: float, speed: float) -> Function:
        domain = self.world.domain
        speed = max(0.0, speed) if self.settings.extrapolate else 0.0
        self.post("TRAIL_HEADING", rounded360(heading, 1))
        self.post("TRAIL_SPEED", round(speed, 1))
        course = peak(domain["course"], Peak(heading, 30.0, 150.0, 50.0), wrap=True)
        return couple(course, peak(domain["speed"], Peak(speed, 0.1, 2.0, 50.0)))

    def _report(self, place: Track, away: float) -> None:
        s = self.settings
        region = "Inside nm_radius" if away > s.radius else "Inside radius"
        region = "Outside nm_radius" if away > s.nm_radius else region
        self.post("PURSUIT", self.relevance)
        self.post("TRAIL_RELEVANCE", self.relevance)
        self.post("REGION", region)
        self.post("TRAIL_DISTANCE", away)
        self.post("TRAIL_RANGE", round(self.range, 1))
        self.post("VIEW_POINT", self._drawn(place, active=True), "trail")

    def withdraw(self) -> None:
        super().withdraw()
        self.post("PURSUIT", 0.0)
        self.post("VIEW_POINT", self._drawn(self._place(), active=False), "trail")

    def _drawn(self, place: Track, *, active: bool) -> str:
        label = view.look(label=f"{self.world.community}_trailpoint")
        return view.point(place[:2], label, active=active)

    def alert_ranges(self) -> str:
        reach = self.settings.pwt_outer_dist
        return f",alert_range={reach:g}" if reach > 0.0 else ""
