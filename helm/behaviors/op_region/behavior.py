"""``BHV_OpRegion``: stop the vessel at a limit of position, depth, altitude or time.

Source: BHV_OpRegion of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, boolean, variables, word
from steerageway.helm.behaviors.base import NAVIGATION, Behavior, BehaviorError
from steerageway.helm.behaviors.op_region.watch import (
    HINTS,
    BreachFlags,
    Limits,
    RegionWatch,
    Reset,
    region_text,
)
from steerageway.helm.flags import Flag
from steerageway.helm.settings import (
    CommonSettings,
    flags,
    parameter,
    posted_in,
    posted_name,
    repeated,
)
from steerageway.helm.shapes import Hints, convex_polygon, hints
from steerageway.helm.variables import VIEW_POLYGON
from steerageway.moos import view
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point

REMAINING = "OPREG_TIME_REMAINING"
PERIMETER = ("OPREG_ABSOLUTE_PERIM_", "OPREG_TRAJECTORY_PERIM_")


@dataclass
class OpRegionSettings(CommonSettings):
    """The behavior's parameters."""

    polygon: tuple[Polygon, ...] = repeated(
        convex_polygon, "convex polygon to stay in; several: in their intersection; none: anywhere"
    )
    max_depth: float = parameter("0", Number(low=0), "maximum depth [m]; 0: no limit")
    min_altitude: float = parameter(
        "0", Number(low=0), "minimum altitude above the sea floor [m]; 0: no limit"
    )
    max_time: float = parameter(
        "0", Number(low=0), "maximum time since the first run [s]; 0: no limit"
    )
    trigger_entry_time: float = parameter(
        "0",
        Number(low=0),
        "if above 0, the polygon is in effect only after this time inside it [s]",
    )
    trigger_exit_time: float = parameter(
        "0.5", Number(low=0), "time outside after which the polygon is breached [s]"
    )
    reset_var: str | None = parameter(
        "", word, "variable whose value true resets breaches and times"
    )
    time_remaining_var: str = parameter(
        REMAINING, posted_name, "additional variable for the remaining time of max_time [s]"
    )
    soft_poly_breach: bool = parameter(
        "false", boolean, "true: leaving the polygon parks the helm instead of raising an error"
    )
    opregion_poly_var: str | None = posted_in("variable in which the polygon is posted")
    breached_poly_flag: tuple[Flag, ...] = flags("posted when the polygon is left")
    breached_time_flag: tuple[Flag, ...] = flags("posted when max_time is exceeded")
    breached_altitude_flag: tuple[Flag, ...] = flags(
        "posted when the altitude is below min_altitude"
    )
    breached_depth_flag: tuple[Flag, ...] = flags("posted when the depth exceeds max_depth")
    visual_hints: tuple[Hints, ...] = hints(HINTS, tolerant=True)


class OpRegion(Behavior[OpRegionSettings]):
    """Has no objective; a `BHV_ERROR` stops the vessel while a limit is breached.

    The flags of a breach are posted once, until a reset. Posts `OPREG_ABSOLUTE_PERIM_DIST` and
    `_ETA` (to the nearest edge, at the domain's top speed), `OPREG_TRAJECTORY_PERIM_DIST` and
    `_ETA` (straight ahead, at the present speed; -1 if never), `SECS_IN_POLY`,
    `OPREG_TIME_REMAINING`, and the polygon as `VIEW_POLYGON`.
    """

    publications = (
        VIEW_POLYGON,
        *variables.published(f"""
            SECS_IN_POLY | number | s | >= 0 | on change | time since the vessel entered the polygon
                of a `BHV_OpRegion`
            {REMAINING} | number | s | >= 0 | on change | remaining time of a `BHV_OpRegion`
            OPREG_ABSOLUTE_PERIM_DIST | number | m | >= 0 | on change | distance to the nearest edge
                of a `BHV_OpRegion`
            OPREG_ABSOLUTE_PERIM_ETA | number | s | >= -1 | on change | time for that distance at
                the domain's maximum speed
            OPREG_TRAJECTORY_PERIM_DIST | number | m | >= -1 | on change | distance to the edge
                straight ahead; -1: never
            OPREG_TRAJECTORY_PERIM_ETA | number | s | >= -1 | on change | time for that distance at
                the present speed; -1: never
        """),
    )
    settings_class = OpRegionSettings
    constraint = True

    def on_creation(self) -> None:
        self._watch, self._limits = RegionWatch(), Limits(self.world)
        self._reset = Reset(self.world)
        self._breaches = BreachFlags(self)

    def configured(self, fields: frozenset[str]) -> None:
        if "polygon" in fields:
            self._watch.reset()

    def run(self) -> None:
        s = self.settings
        self._reset_if_requested()
        if s.max_time > 0:
            left = float(round(self._limits.remaining(s.max_time)))
            for name in dict.fromkeys((REMAINING, s.time_remaining_var)):
                self.post(name, left)
        if s.polygon:
            self._check_polygons(s.polygon)
        kind, how = self._limits.breach(s.max_depth, s.min_altitude, s.max_time)
        if kind:
            self._breaches.post(kind)
            raise BehaviorError(how)

    def _reset_if_requested(self) -> None:
        if self._reset.is_requested(self.settings.reset_var):
            self._watch.reset()
            self._limits.reset()
            self._breaches.reset()

    def _check_polygons(self, polygons: tuple[Polygon, ...]) -> None:
        s, here, now = self.settings, self.world.ownship.place, self.world.time
        self._draw(polygons)
        entry, inside = s.trigger_entry_time, self._post_perimeter_limits(polygons, here)
        breached = self._watch.update(
            now, entry, s.trigger_exit_time, inside=inside, armed=entry <= 0.0
        )
        since = self._watch.inside_since
        self.post("SECS_IN_POLY", 0.0 if since is None else round(now - since, 1))
        if breached:
            self._breaches.post("poly")
        if breached and s.soft_poly_breach:
            self.post("MOOS_MANUAL_OVERRIDE", "true")
        elif breached:
            raise BehaviorError("the vessel left the polygon")

    def _post_perimeter_limits(self, polygons: tuple[Polygon, ...], here: Point) -> bool:
        """Post the distances to the edges; return whether the vessel is inside all polygons."""
        ship, domain = self.world.ownship, self.world.domain
        missed = [polygon for polygon in polygons if not polygon.contains(here)]
        # outside: the farthest polygon to return to; inside: the nearest edge
        choose = max if missed else min
        near = choose(polygon.distance_to_edge(here) for polygon in missed or polygons)
        ways = [polygon.ray_distance(here, ship.heading) for polygon in missed or polygons]
        found = [way for way in ways if way is not None]
        ahead = choose(found) if len(found) == len(ways) else None
        top = domain["speed"].high if "speed" in domain else ship.speed
        self._post_perimeter(PERIMETER[0], near, top)
        self._post_perimeter(PERIMETER[1], ahead, ship.speed)
        return not missed

    def _post_perimeter(self, name: str, way: float | None, speed: float) -> None:
        eta = -1.0 if way is None or speed <= 0 else round(way / speed, 1)
        self.post(f"{name}DIST", -1.0 if way is None else round(way, 1))
        self.post(f"{name}ETA", eta)

    def _labels(self) -> list[str]:
        count = len(self.settings.polygon)
        return [self.label, *(f"{self.label}_{i}" for i in range(2, count + 1))]

    def _draw(self, polygons: tuple[Polygon, ...]) -> None:
        for polygon, label in zip(polygons, self._labels(), strict=True):
            text = region_text(polygon, self.settings.visual_hints, label)
            self.post("VIEW_POLYGON", text, label)
            if variable := self.settings.opregion_poly_var:
                self.post(variable, text, label)

    def withdraw(self) -> None:
        for label in self._labels() if self.settings.polygon else ():
            self.post("VIEW_POLYGON", view.erased_seglist(label), label)

    def publishes(self, settings: OpRegionSettings) -> Iterable[str]:
        yield from super().publishes(settings)
        if settings.soft_poly_breach:
            yield "MOOS_MANUAL_OVERRIDE"

    def listens(self, settings: OpRegionSettings) -> Iterable[str]:
        yield from (*NAVIGATION, "NAV_DEPTH", "NAV_ALTITUDE")
        if settings.reset_var:
            yield settings.reset_var
