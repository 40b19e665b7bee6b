"""``BHV_StationKeep``: keep station at a point.

Source: BHV_StationKeep of MOOS-IvP.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from steerageway.declarations import Number, boolean, variables
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.geometry import bearing, distance
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.helm.shapes import Hints, hinted, hints, look_of, point
from steerageway.helm.variables import BHV_SETTINGS, VIEW_POLYGON
from steerageway.ivp import Function, Peak, couple, peak
from steerageway.moos import view
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, fixed, trimmed

HIBERNATING, SEEKING, DISABLED = "HIBERNATING", "SEEKING_STATION", "DISABLED"
HINTS = by_key("vertex_size=1,edge_size=1,vertex_color=red,edge_color=aqua,label_color=white")
MEMORY, FALL = 10.0, 5.0  # time window of distances, and time they must fall in it [s]
STILL = 0.01  # change of the distance below which the vessel lies still [m]
DIST_TO_STATION = variables.number(
    "DIST_TO_STATION",
    "distance to the station of a `BHV_StationKeep` or `BHV_RubberBand`",
    unit="m",
    range=">= 0",
    when="on change",
)
NO_STATION = "STATION_POINT_NOT_SET"  # MOOS-IvP's warning of a behavior that runs without one


def station_doubts(
    point: Point | None, here: bool, updates: str | None
) -> Iterator[tuple[str, str]]:
    """Yield a warning of settings without a station, ``center_activate`` or updates."""
    if point is None and not here and updates is None:
        yield "station_pt", "has no station_pt = x,y and no center_activate: it has no influence"


def ramped_speed(away: float, inner: float, outer: float, speed: float) -> float:
    """Return the speed between two circles: linear from 0 on the inner to ``speed`` on the outer.

    Args:
        away: from their centre, between the radii [m].
        inner, outer: radii [m], inner < outer.
        speed: [m/s].
    """
    return (away - inner) / (outer - inner) * speed


def radius_or_off(text: str) -> float | None:
    """Read a radius; None for off and -1."""
    return None if text.lower() in ("off", "-1") else Number(above=0, words={"off": -1.0})(text)


@dataclass
class StationKeepSettings(CommonSettings):
    """The behavior's parameters."""

    clipped = ("swing_time",)

    station_pt: Point | None = parameter("", point, "the station x,y [m]", aliases=("point",))
    center_activate: bool = parameter(
        "false",
        boolean,
        "true: the station is the vessel's position when the behavior begins to run",
    )
    inner_radius: float = parameter("4", Number(above=0), "radius within which the speed is 0 [m]")
    outer_radius: float = parameter(
        "15",
        Number(above=0),
        "radius within which the speed falls linearly from outer_speed to 0 at inner_radius [m]",
    )
    outer_speed: float = parameter("1.2", Number(low=0), "speed at the outer radius [m/s]")
    transit_speed: float = parameter(
        "2.5",
        Number(low=0),
        "speed beyond the outer radius [m/s]; if not set, at least outer_speed",
        aliases=("extra_speed",),
    )
    hibernation_radius: float | None = parameter(
        "-1",
        radius_or_off,
        "distance up to which the vessel drifts before it seeks the station [m]; -1 or off: none",
    )
    swing_time: float = parameter(
        "0",
        Number(low=0, high=60),
        "with center_activate, time for which the station moves with the vessel [s]",
    )
    visual_hints: tuple[Hints, ...] = hints(HINTS, tolerant=True)

    def doubts(self, assigned: frozenset[str]) -> Iterator[tuple[str, str]]:
        yield from super().doubts(assigned)
        yield from station_doubts(self.station_pt, self.center_activate, self.updates)

    def settle(self, assigned: frozenset[str]) -> None:
        self.keep_order(assigned, "inner_radius", "outer_radius")
        if "outer_speed" in assigned and "transit_speed" not in assigned:
            self.transit_speed = max(self.transit_speed, self.outer_speed)


class StationKeep(Behavior[StationKeepSettings]):
    """Prefers the course to a station, and a speed that depends on the distance.

    The speed is 0 within the inner radius, rises linearly to ``outer_speed`` at the outer one, and
    is ``transit_speed`` from there on. With a hibernation radius the vessel first drifts until it
    is beyond it. It then seeks the station until it is within the inner radius; or, within the
    hibernation radius, until the distance grows after falling for 5 s, or stays the same for 5 s
    because the domain has no speed as low as desired. Then it drifts again.

    Posts `DIST_TO_STATION`, `PSKEEP_MODE` (`HIBERNATING`, `SEEKING_STATION`, `DISABLED` without a
    hibernation radius), a `VIEW_POLYGON` for each radius, and, at its start, after it was idle and
    after updates, `BHV_SETTINGS`.
    """

    publications = (
        DIST_TO_STATION,
        *variables.published("""
            PSKEEP_MODE | text | | `HIBERNATING`, `SEEKING_STATION`, `DISABLED` | on change | mode
                of a `BHV_StationKeep`
        """),
        BHV_SETTINGS,
        VIEW_POLYGON,
    )
    settings_class = StationKeepSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._station: Point | None = None
        self._begun: float | None = None  # when it began to run [s]
        self._mode = DISABLED
        self._past: deque[tuple[float, float]] = deque()  # time [s] and distance [m]

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        if "station_pt" in fields:
            self._station = s.station_pt
        # as in MOOS-IvP, an inner radius above the outer one is used for both
        self._outer_radius = max(s.inner_radius, s.outer_radius)
        if s.inner_radius > s.outer_radius:
            problem = f"outer_radius {s.outer_radius:g} is below inner_radius {s.inner_radius:g}"
            self.warn(f"{problem}, which counts")
        if self.settings.hibernation_radius is None:
            self._mode = DISABLED
        elif self._mode == DISABLED or "station_pt" in fields:
            self._hibernate()
        self._post_settings()

    def _post_settings(self) -> None:
        s, (x, y) = self.settings, self.settings.station_pt or (0.0, 0.0)
        drifts = -1.0 if s.hibernation_radius is None else s.hibernation_radius
        self.post_always(
            "BHV_SETTINGS",
            f"type={self.kind},name={s.name},x={fixed(x, 2)},y={fixed(y, 2)},"
            f"inner_radius={fixed(s.inner_radius, 1)},outer_radius={fixed(self._outer_radius, 1)},"
            f"hibernation_radius={fixed(drifts, 1)},outer_speed={fixed(s.outer_speed, 1)},"
            f"center_activate={str(s.center_activate).lower()}",
        )

    def on_idle_to_run(self) -> None:
        self._post_settings()

    def _hibernate(self) -> None:
        self._mode = HIBERNATING
        self._past.clear()

    def on_run_to_idle(self) -> None:
        self._begun = None
        self._past.clear()

    def withdraw(self) -> None:
        for label, _ in self._rings():
            self.post("VIEW_POLYGON", view.erased_seglist(label), label)

    def run(self) -> Function | None:
        world, here = self.world, self.world.ownship.place
        starts, self._begun = self._begun is None, self._begun or world.time
        if self.settings.center_activate:
            swings = world.time - self._begun < self.settings.swing_time
            if starts or swings:
                self._station = here
                if self._mode != DISABLED:
                    self._hibernate()
        if self._station is None:
            self.warn(NO_STATION)
            return None
        away = distance(here, self._station)
        if self.settings.hibernation_radius is not None:
            self._decide_mode(away, self.settings.hibernation_radius)
        self._report(away, self._station)
        domain = world.domain
        toward = Peak(bearing(here, self._station), basewidth=180)
        # at most a quarter of the course's utility
        pace = peak(domain["speed"], Peak(self._speed(away), basewidth=0.4, high=25))
        return couple(peak(domain["course"], toward, wrap=True), pace)

    def _decide_mode(self, away: float, radius: float) -> None:
        now = self.world.time
        if self._mode == HIBERNATING:
            if away > radius:
                self._mode = SEEKING
                self._past.clear()
            return
        self._past.append((now, away))
        while self._past[0][0] < now - MEMORY:
            self._past.popleft()
        ended = self._progress_ended(away) or self._lies_still(away)
        if away <= self.settings.inner_radius or (ended and away <= radius):
            self._hibernate()

    def _progress_ended(self, away: float) -> bool:
        """Whether the distance fell for at least ``FALL`` and now grows again."""
        since, least = min(self._past, key=lambda one: one[1])
        start, first = self._past[0]
        return first > least and since - start >= FALL and away > least

    def _lies_still(self, away: float) -> bool:
        """Whether the distance is constant because the domain has no speed as low as desired."""
        past = [before for _, before in self._past]
        covered = self._past[-1][0] - self._past[0][0]
        wanted, step = self._speed(away), self.world.domain["speed"].step
        return covered >= FALL and max(past) - min(past) < STILL and wanted < step / 2

    def _speed(self, away: float) -> float:
        s = self.settings
        if self._mode == HIBERNATING or away <= s.inner_radius:
            return 0.0
        if away >= self._outer_radius:
            return s.transit_speed
        return ramped_speed(away, s.inner_radius, self._outer_radius, s.outer_speed)

    def _rings(self) -> list[tuple[str, float]]:
        s, label = self.settings, f"{self.world.community}:station-keep"
        rings = [(f"{label}-out", self._outer_radius), (f"{label}-in", s.inner_radius)]
        return rings + (
            [] if s.hibernation_radius is None else [(f"{label}-hiber", s.hibernation_radius)]
        )

    def _report(self, away: float, station: Point) -> None:
        self.post("DIST_TO_STATION", round(away, 1))
        self.post("PSKEEP_MODE", self._mode)
        hints = hinted(self.settings.visual_hints, HINTS)
        place = f"x={trimmed(station[0], 2)},y={trimmed(station[1], 2)}"
        for label, radius in self._rings():
            text = f"radial:: {place},radius={trimmed(radius, 1)},pts=32,{look_of(hints, label)}"
            self.post("VIEW_POLYGON", text, label)
