"""``BHV_OpRegionV24``: steer the vessel back to a region, and stop it farther outside.

Source: BHV_OpRegionV24 of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from steerageway.declarations import Number, boolean, word
from steerageway.helm.behaviors.base import NAVIGATION, Behavior, BehaviorError
from steerageway.helm.behaviors.op_region.behavior import OpRegionSettings
from steerageway.helm.behaviors.op_region.watch import (
    HINTS,
    BreachFlags,
    Limits,
    RegionReader,
    RegionWatch,
    region_text,
)
from steerageway.helm.behaviors.op_region.way_back import WayBack
from steerageway.helm.flags import Flag
from steerageway.helm.settings import (
    CommonSettings,
    SettingError,
    flags,
    parameter,
    repeated,
    same_as,
)
from steerageway.helm.shapes import HintReader, Hints, convex_polygon
from steerageway.helm.variables import VIEW_POLYGON
from steerageway.helm.world import World
from steerageway.ivp import Function, Peak, couple, peak
from steerageway.moos import view
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import project
from steerageway.moos.values import trimmed
from steerageway.moos.view import points_text

MARKED = {"save": (12, "yellow"), "halt": (8, "red")}  # corners and colour of the vessel's mark
OWN_HINTS = {
    f"{kind}_{key}": value
    for kind in ("core", "save", "halt", "save_status", "halt_status")
    for key, value in HINTS.items()
}
MARK_RADIUS = 4.0  # [m]

NEVER = "-1"


def polygon_macros(
    kind: str, give: Callable[[], Polygon | None], world: World, fastest: Callable[[], float]
) -> dict[str, Callable[[], str]]:
    """Return the macros about a polygon: its vertices, and distance and time to its edge.

    Args:
        kind: CORE, SAVE or HALT.
        give: returns the polygon; None if there is none.
        fastest: returns the speed for the times [m/s]; 0 if unknown.
    """

    def corners() -> str:
        polygon = give()
        return "" if polygon is None else f"pts={{{points_text(polygon.points, 2)}}}"

    def away() -> float | None:
        polygon = give()
        return None if polygon is None else polygon.distance_to_edge(world.ownship.place)

    def ahead() -> float | None:
        polygon, ship = give(), world.ownship
        return None if polygon is None else polygon.ray_distance(ship.place, ship.heading)

    def way(found: Callable[[], float | None]) -> Callable[[], str]:
        def text() -> str:
            distance = found()
            return NEVER if distance is None else trimmed(distance, 2)

        return text

    def time(found: Callable[[], float | None]) -> Callable[[], str]:
        def text() -> str:
            distance, speed = found(), fastest()
            return NEVER if distance is None or speed <= 0.0 else trimmed(distance / speed, 2)

        return text

    return {
        f"{kind}_POLY": corners,
        f"DIST_TO_{kind}": way(away),
        f"ETA_TO_{kind}": time(away),
        f"TRAJ_DIST_TO_{kind}": way(ahead),
        f"TRAJ_ETA_TO_{kind}": time(ahead),
    }


@dataclass
class OpRegionV24Settings(CommonSettings):
    """The behavior's parameters."""

    core_poly: Polygon | None = parameter(
        "", convex_polygon, "convex polygon to stay in", aliases=("polygon",)
    )
    save_poly: Polygon | None = parameter(
        "", convex_polygon, "convex polygon outside of which the vessel is steered back"
    )
    halt_poly: Polygon | None = parameter(
        "", convex_polygon, "convex polygon outside of which the vessel is stopped"
    )
    save_dist: float = parameter(
        "-1",
        Number(low=-1),
        "without save_poly: distance of the save polygon from the core [m]; -1: none",
    )
    halt_dist: float = parameter(
        "-1",
        Number(low=-1),
        "without halt_poly: distance of the halt polygon from the core [m]; -1: none",
    )
    max_depth: float = same_as(OpRegionSettings, "max_depth")
    min_altitude: float = same_as(OpRegionSettings, "min_altitude")
    max_time: float = same_as(OpRegionSettings, "max_time")
    recover_spd: float = parameter(
        "0.8", Number(low=0), "desired speed while returning [m/s]", aliases=("recover_speed",)
    )
    trigger_on_poly_entry: bool = parameter(
        "true", boolean, "false: the halt polygon is in effect even if it was never entered"
    )
    trigger_entry_time: float = parameter(
        "1", Number(low=0), "time inside after which the halt polygon is in effect [s]"
    )
    trigger_exit_time: float = parameter(
        "0.5", Number(low=0), "time outside after which the halt polygon is breached [s]"
    )
    reset: bool = parameter("false", boolean, "true: reset breaches and times")
    dynamic_region_var: str | None = parameter(
        "", word, "variable from which a new core polygon is read"
    )
    breached_poly_flag: tuple[Flag, ...] = flags("posted when the halt polygon is left")
    breached_time_flag: tuple[Flag, ...] = same_as(OpRegionSettings, "breached_time_flag")
    breached_altitude_flag: tuple[Flag, ...] = same_as(OpRegionSettings, "breached_altitude_flag")
    breached_depth_flag: tuple[Flag, ...] = same_as(OpRegionSettings, "breached_depth_flag")
    save_flag: tuple[Flag, ...] = flags("posted when the save polygon is left")
    savex_flag: tuple[Flag, ...] = flags("posted when the vessel is back in the save polygon")
    draw_save_status: bool = parameter(
        "true", boolean, "false: do not mark the vessel outside the save polygon"
    )
    draw_halt_status: bool = parameter(
        "true", boolean, "false: do not mark the vessel outside the halt polygon"
    )
    visual_hints: tuple[Hints, ...] = repeated(
        HintReader(HINTS | OWN_HINTS),
        "key=value,key=value: sizes and colours of all polygons, or of one "
        "(save_edge_color=...); repeatable",
    )


class OpRegionV24(Behavior[OpRegionV24Settings]):
    """Has no objective in the save polygon; outside, prefers courses that lead back, and a speed.

    The shorter the distance back on a course, the better; until the vessel points at the polygon,
    courses on the side away from its first turn have utility 0. The speed has a peak width of half
    of ``recover_spd``, a base width of 0.2 m/s and a summit delta of 20. Outside the halt polygon,
    and while another limit is breached, a `BHV_ERROR` stops the vessel. Draws the polygons as
    `VIEW_POLYGON`, and, outside of the save or halt polygon, a mark around the vessel.

    Macros: `CORE_POLY` `SAVE_POLY` `HALT_POLY` the vertices; `SAVE_DIST` `HALT_DIST`;
    `DIST_TO_CORE` distance to the polygon's edge [m], `ETA_TO_CORE` time for it at the greatest
    speed so far [s], `TRAJ_DIST_TO_CORE` `TRAJ_ETA_TO_CORE` straight ahead, likewise for SAVE and
    HALT; `SECS_IN_HALT_POLY` `SECS_OUT_HALT_POLY` `SECS_OUT_SAVE_POLY` time since it was entered or
    left, else 0; `TIME_LEFT` [s], `DEPTH_LEFT` and `ALT_LEFT` [whole m] to the limits. -1: none.
    """

    publications = (VIEW_POLYGON,)
    settings_class = OpRegionV24Settings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._halt_watch, self._save_watch = RegionWatch(), RegionWatch()
        self._limits, self._way_back = Limits(self.world), WayBack()
        self._breaches = BreachFlags(self)
        self._saving = False
        self._marked = False  # whether the vessel is
        self._fastest = 0.0  # greatest speed so far [m/s]
        self._region_reader = RegionReader(self)

    def check(self, settings: OpRegionV24Settings, fields: frozenset[str]) -> None:
        if settings.core_poly is not None:
            return
        for name, explicit in (("save_dist", "save_poly"), ("halt_dist", "halt_poly")):
            value = getattr(settings, name)
            if value >= 0 and getattr(settings, explicit) is None:
                raise SettingError(name, f"{value:g}", "expected a core_poly, which it is around")

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        self._save = s.save_poly or _around(s.core_poly, s.save_dist)
        self._halt = s.halt_poly or _around(s.core_poly, s.halt_dist)
        speed = self.world.domain["speed"]
        self._speed = peak(speed, Peak(s.recover_spd, s.recover_spd / 2, 0.2, 20))
        if s.reset and "reset" in fields:
            for part in (self._halt_watch, self._save_watch, self._limits, self._breaches):
                part.reset()

    def run(self) -> Function | None:
        self._fastest = max(self._fastest, self.world.ownship.speed)
        self._take_region()
        self._draw(active=True)
        self._check_halt()
        self._check_limits()
        return self._steer_back()

    def _take_region(self) -> None:
        """Replace the core polygon by one received in ``dynamic_region_var``."""
        region = self._region_reader.take(self.settings.dynamic_region_var)
        if region is not None:
            self.settings.core_poly = region
            self.configured(frozenset())

    def _is_inside(self, polygon: Polygon) -> bool:
        return polygon.contains(self.world.ownship.place)

    def _is_halted(self, polygon: Polygon) -> bool:
        s, inside = self.settings, self._is_inside(polygon)
        times = (s.trigger_entry_time, s.trigger_exit_time)
        armed = not s.trigger_on_poly_entry
        return self._halt_watch.update(self.world.time, *times, inside=inside, armed=armed)

    def _check_halt(self) -> None:
        if not self._halt or not self._is_halted(self._halt):
            self._breaches.end("poly")
        else:
            self._breaches.post("poly")
            self._mark("halt")
            raise BehaviorError("OpRegion HaltPoly Failure: the vessel left the halt polygon")

    def _check_limits(self) -> None:
        s = self.settings
        kind, how = self._limits.breach(s.max_depth, s.min_altitude, s.max_time)
        if kind:
            self._breaches.post(kind)
            raise BehaviorError(f"OpRegion {kind}: {how}")

    def _steer_back(self) -> Function | None:
        s, ship, watch = self.settings, self.world.ownship, self._save_watch
        here, polygon = ship.place, self._save
        if polygon is None:
            return None
        inside = self._is_inside(polygon)
        # without delays, but only after the vessel has been inside
        left = watch.update(self.world.time, 0.0, 0.0, inside=inside, armed=False)
        if left != self._saving:
            self._saving = left
            self.post_flags(s.save_flag if left else s.savex_flag)
        if not left:
            self._way_back.reset()
            self._unmark()
            return None
        self._mark("save")
        course = self._way_back.objective(self.world.domain["course"], polygon, here, ship.heading)
        return couple(course, self._speed)

    def withdraw(self) -> None:
        self._draw(active=False)
        self._unmark()

    @property
    def _mark_label(self) -> str:
        return f"{self.world.community}_stat"

    def _mark(self, kind: str) -> None:
        """Draw a regular polygon around the vessel."""
        if not getattr(self.settings, f"draw_{kind}_status"):
            return
        (corners, color), here = MARKED[kind], self.world.ownship.place
        angles = (360.0 / corners * (number + 0.5) for number in range(corners))
        around = Polygon(tuple(project(here, angle, MARK_RADIUS) for angle in angles))
        hints = ((f"{kind}_status_edge_color", color),), *self.settings.visual_hints
        text = region_text(around, hints, self._mark_label, f"{kind}_status")
        lasts = ",duration=2" if kind == "save" else ""
        self.post("VIEW_POLYGON", text + lasts, "mark")
        self._marked = True

    def _unmark(self) -> None:
        if self._marked:
            self._marked = False
            self.post("VIEW_POLYGON", view.erased_seglist(self._mark_label), "mark")

    def _draw(self, *, active: bool) -> None:
        s = self.settings
        for kind, polygon in (("core", s.core_poly), ("save", self._save), ("halt", self._halt)):
            if polygon is None:
                continue
            label = f"{self.label}_{kind}"
            text = region_text(polygon, s.visual_hints, label, kind)
            self.post("VIEW_POLYGON", text if active else view.erased_seglist(label), kind)

    def listens(self, settings: OpRegionV24Settings) -> Iterable[str]:
        yield from (*NAVIGATION, "NAV_DEPTH", "NAV_ALTITUDE")
        if settings.dynamic_region_var:
            yield settings.dynamic_region_var

    def own_macros(self) -> dict[str, Callable[[], str]]:
        def since(when: Callable[[], float | None]) -> Callable[[], str]:
            def text() -> str:
                began = when()
                return "0" if began is None else trimmed(self.world.time - began, 2)

            return text

        def time_left() -> str:
            most = self.settings.max_time
            return trimmed(self._limits.remaining(most), 2) if most > 0 else NEVER

        def depth_left() -> str:
            most = self.settings.max_depth
            return str(int(max(0.0, most - self.world.ownship.depth))) if most > 0 else NEVER

        def height_left() -> str:
            least, height = self.settings.min_altitude, self.world.number("NAV_ALTITUDE")
            return NEVER if height is None or least <= 0 else str(int(max(0.0, height - least)))

        world, halt, save = self.world, self._halt_watch, self._save_watch
        return {
            **polygon_macros("CORE", lambda: self.settings.core_poly, world, lambda: self._fastest),
            **polygon_macros("SAVE", lambda: self._save, world, lambda: self._fastest),
            **polygon_macros("HALT", lambda: self._halt, world, lambda: self._fastest),
            "SAVE_DIST": lambda: trimmed(self.settings.save_dist),
            "HALT_DIST": lambda: trimmed(self.settings.halt_dist),
            "SECS_IN_HALT_POLY": since(lambda: halt.inside_since),
            "SECS_OUT_HALT_POLY": since(lambda: halt.outside_since),
            "SECS_OUT_SAVE_POLY": since(lambda: save.outside_since),
            "TIME_LEFT": time_left,
            "DEPTH_LEFT": depth_left,
            "ALT_LEFT": height_left,
        }


def _around(core: Polygon | None, way: float) -> Polygon | None:
    if core is None or way < 0:
        return None
    return core.grown(way) if way > 0 else core
