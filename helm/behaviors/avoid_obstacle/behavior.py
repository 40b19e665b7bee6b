"""``BHV_AvoidObstacleV24``: keep clear of a static obstacle, a convex polygon.

Its weight falls with the range, and to half with the obstacle abeam, where MOOS-IvP's falls to 0.
Every parameter has a usable default; MOOS-IvP's function requires three of them. With ``as_moos``
weight and utility are MOOS-IvP's: the full weight of an obstacle that extends across due north, no
``allowable_ttc``, no way out within ``min_util_cpa_dist``, and a lock of the side that follows the
obstacle's present side.
Source: BHV_AvoidObstacleV24 and AOF_AvoidObstacleV24 of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import cos, inf, radians
from typing import ClassVar

import numpy as np

from steerageway.declarations import Choice, Number, boolean, variables, word
from steerageway.helm.behaviors.avoid_obstacle.obstacle import Rays, rays, turned_rays
from steerageway.helm.behaviors.base import NAVIGATION, Behavior, BehaviorError
from steerageway.helm.behaviors.contact import utility
from steerageway.helm.behaviors.contact.flags import ContactFlag, contact_flag
from steerageway.helm.behaviors.contact.settings import RangedSettings
from steerageway.helm.flags import Flag, flag
from steerageway.helm.geometry import bearing, either_side
from steerageway.helm.settings import CommonSettings, flags, parameter, repeated, same_as
from steerageway.helm.shapes import HintReader, Hints, convex_polygon, hinted
from steerageway.helm.variables import BHV_SETTINGS, VIEW_POLYGON
from steerageway.ivp import Function, one_dimensional
from steerageway.ivp.domain import FloatArray
from steerageway.moos.polygon import DIGITS, Polygon
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, fixed, trimmed, trimmed360
from steerageway.moos.view import erased_seglist, look, points_text

AFT = 110.0  # an obstacle entirely aft of this relative bearing has no weight [deg]
ABEAM = 0.01  # weight that MOOS-IvP leaves an obstacle abeam or up to AFT [-]
TURNED = 1.0  # hysteresis for detecting that the range opens or closes [m]
LOCK, RELEASE = 0.6, 0.1  # relevance at which the side is fixed, and released [-]
HINTS = by_key(
    "edge_color=white,vertex_color=gray50,fill_color=gray60,label_color=,vertex_size=,edge_size=,"
    "fill_transparency="
)
FILL = ("fill_color", "fill_transparency")
OBSTACLE = ("obstacle_", "obst_", "gut_")  # MOOS-IvP's prefixes of hints about the obstacle
AROUND = ("mid_", "rim_", "buffer_min_", "buffer_max_", "buff_min_", "buff_max_")
OBM_ALERT_REQUEST = variables.text(
    "OBM_ALERT_REQUEST",
    "alerts that a behavior requests from pObstacleMgr",
    unit="m",
    when="at the helm's start",
    posted_if=lambda settings: not settings.no_alert_request,
)


def range_flag(text: str) -> ContactFlag:
    """Read <20 VAR = value (posted while nearer than 20 m) or VAR = value (always posted)."""
    if text.startswith("<"):
        return contact_flag(text)
    return ContactFlag("<", inf, flag(text))


@dataclass
class AvoidObstacleSettings(CommonSettings):
    """The behavior's parameters."""

    without_effect: ClassVar[Mapping[str, str]] = {
        **CommonSettings.without_effect,
        **dict.fromkeys(("draw_buff_min_poly", "draw_buff_max_poly"), "the obstacle is drawn"),
        **dict.fromkeys(
            ("radius", "turn_radius", "turn_model_degs", "spoke_degs"),
            "the helm's pmgen tells how the vessel turns",
        ),
    }
    by_leading_number = (
        *("allowable_ttc", "min_util_cpa_dist", "max_util_cpa_dist", "completed_dist"),
        *("pwt_inner_dist", "pwt_outer_dist"),
    )

    polygon: Polygon | None = parameter(
        "", convex_polygon, "the obstacle, a convex polygon", aliases=("poly",)
    )
    id: str | None = parameter(
        "",
        word,
        "the obstacle's identifier at the obstacle manager",
        aliases=("obid", "obstacle_key"),
    )
    allowable_ttc: float = parameter(
        "20",
        Number(above=0),
        "time to collision beyond which the obstacle's influence on a course is reduced [s]",
    )
    min_util_cpa_dist: float = parameter(
        "8", Number(low=0), "CPA range below which a course has utility 0 [m]"
    )
    max_util_cpa_dist: float = parameter(
        "16", Number(low=0), "CPA range from which on a course has utility 100 [m]"
    )
    buffer_dist: float | None = parameter(
        "", Number(low=0), "sets min_util_cpa_dist, and raises max_util_cpa_dist to it [m]"
    )
    pwt_inner_dist: float = parameter(
        "10", Number(low=0), "range within which the weight is pwt [m]"
    )
    pwt_outer_dist: float = parameter(
        "50",
        Number(low=0),
        "range beyond which the behavior has no influence [m]",
        aliases=("activation_dist",),
    )
    pwt_grade: str = parameter(
        "linear",
        Choice("linear", "quadratic", "quasi"),
        "growth of the weight between the two: linear, quadratic, or quasi (power 1.5)",
    )
    completed_dist: float = parameter("50", Number(low=0), "range beyond which it completes [m]")
    allstop_on_breach: bool = parameter(
        "true", boolean, "false: inside the obstacle, warn instead of stopping"
    )
    rng_flag: tuple[ContactFlag, ...] = repeated(
        range_flag,
        "<20 VAR = value: posted in each iteration within 20 m; VAR = value: in each iteration; "
        "repeatable",
    )
    cpa_flag: tuple[Flag, ...] = flags(
        "posted at the CPA within pwt_outer_dist: the range closed by 1 m, then opened by 1 m"
    )
    visual_hints: tuple[Hints, ...] = repeated(
        HintReader(HINTS, OBSTACLE, undrawn=AROUND),
        "key=value,key=value: sizes and colours of drawings, e.g. edge_color, "
        "obstacle_edge_color or gut_edge_color; repeatable",
    )
    no_alert_request: bool = parameter(
        "false", boolean, "true: do not request alerts from the obstacle manager"
    )
    use_refinery: bool = same_as(RangedSettings, "use_refinery")
    holonomic_ok: bool = parameter("true", boolean, "accepted, no effect: see pmgen")
    i_understand_this_behavior_is_deprecated: bool = parameter(
        "false", boolean, "accepted, no effect: all these names are one behavior"
    )
    can_disable: bool = same_as(RangedSettings, "can_disable")

    def settle(self, assigned: frozenset[str]) -> None:
        if "buffer_dist" in assigned and self.buffer_dist is not None:
            self.min_util_cpa_dist = self.buffer_dist
            assigned |= {"min_util_cpa_dist"}
        self.keep_order(assigned, "min_util_cpa_dist", "max_util_cpa_dist")
        self.keep_all_in_order(assigned, "pwt_inner_dist", "pwt_outer_dist", "completed_dist")


def _moos_weight(polygon: Polygon, here: Point, heading: float) -> float:
    """Return the relevance by bearing of ObShipModelV24::getRangeRelevance."""
    bearings = [bearing(here, corner) % 360.0 for corner in polygon.points]
    off = [abs(either_side(one - heading)) for one in (min(bearings), max(bearings))]
    if min(abs(either_side(one - heading)) for one in bearings) > AFT:
        return 0.0
    spans_north = max(bearings) - min(bearings) > 180.0
    return 1.0 if spans_north else max(cos(radians(min(off))), ABEAM)


class AvoidObstacle(Behavior[AvoidObstacleSettings]):
    """Prefers courses that pass the obstacle at a sufficient range; leaves the speed open.

    Attributes:
        range: to the obstacle [m].
        relevance: the fraction of ``pwt`` in use, 0 to 1.
        side: "port" or "star" while the obstacle must be left on that side of the vessel, else "".
    """

    publications = (OBM_ALERT_REQUEST, BHV_SETTINGS, VIEW_POLYGON)
    settings_class = AvoidObstacleSettings
    needs = ("course",)

    def on_creation(self) -> None:
        self.range = 0.0
        self.relevance = 0.0
        self.side = ""
        # least range so far; while cpa_flag is posted, of this approach [m]
        self._nearest: float | None = None
        self._turning: float | None = None  # least range while closing, greatest while opening [m]
        self._closing = False
        self._is_over = False  # the obstacle is beyond completed_dist, or resolved
        self.world.follow(["OBM_RESOLVED"])

    def check(self, settings: AvoidObstacleSettings, fields: frozenset[str]) -> None:
        settings.check_order("min_util_cpa_dist", "max_util_cpa_dist")
        settings.check_order("pwt_inner_dist", "pwt_outer_dist")

    def configured(self, fields: frozenset[str]) -> None:
        self._post_settings()

    def _post_settings(self) -> None:
        s = self.settings
        values = {
            "allowable_ttc": s.allowable_ttc,
            "min_util_cpa": s.min_util_cpa_dist,
            "max_util_cpa": s.max_util_cpa_dist,
            "pwt_outer_dist": s.pwt_outer_dist,
            "pwt_inner_dist": s.pwt_inner_dist,
            "completed_dist": s.completed_dist,
        }
        figures = ",".join(f"{name}={fixed(value, 2)}" for name, value in values.items())
        self.post_always("BHV_SETTINGS", f"type={self.kind},name={s.name},{figures}")

    def publishes(self, settings: AvoidObstacleSettings) -> Iterable[str]:
        names = [one.flag.variable for one in settings.rng_flag]
        return [*names, *super().publishes(settings)]

    def listens(self, settings: AvoidObstacleSettings) -> Iterable[str]:
        return [*NAVIGATION, "OBM_RESOLVED"]

    def on_helm_start(self) -> None:
        s = self.settings
        if s.updates is not None and not s.no_alert_request:
            self.post_always(
                "OBM_ALERT_REQUEST",
                f"name={s.name},update_var={s.updates},alert_range={trimmed(s.pwt_outer_dist)}",
            )

    def known_by(self) -> Mapping[str, str]:
        polygon = self.settings.polygon
        source = "" if polygon is None else polygon.fields.get("vsource", "")
        return {"obstacle_id": self.settings.id or "", "vsource": source}

    def can_be_disabled(self) -> bool:
        return self.settings.can_disable

    def on_every_state(self) -> None:
        s = self.settings
        if self.completed:
            return
        if s.polygon is not None:
            self.range = s.polygon.distance(self.world.ownship.place)
            self._post_events()
        resolved = s.id in self.world.news("OBM_RESOLVED")
        self._is_over = resolved or self.range > s.completed_dist
        if self._is_over:
            self.complete()

    def run(self) -> Function | None:
        polygon, here = self.settings.polygon, self.world.ownship.place
        if polygon is None or self._is_over:
            return None
        if self.range == 0.0:
            if self.settings.allstop_on_breach:
                raise BehaviorError("Allstop: Obstacle Breached")
            self.warn("Obstacle Breached")
            return None
        s = self.settings
        near = s.pwt_inner_dist, s.pwt_outer_dist
        if self.world.as_moos:
            ahead = _moos_weight(polygon, here, self.world.ownship.heading)
        else:
            ahead = self._relevance_by_bearing(polygon, here)
        # by the linear grade: locking must not depend on pwt_grade
        self._lock_side(polygon, here, utility.relevance(self.range, *near) * ahead)
        self.relevance = utility.relevance(self.range, *near, s.pwt_grade) * ahead
        self._draw(polygon)
        if self.relevance <= 0.0:
            return None
        return self._objective(polygon, here).weighing(self.relevance)

    def on_idle_to_run(self) -> None:
        self._post_settings()

    def on_run_to_idle(self) -> None:
        self.side = ""

    def withdraw(self) -> None:
        self.post("VIEW_POLYGON", erased_seglist(self._label))

    def _relevance_by_bearing(self, polygon: Polygon, here: Point) -> float:
        """Return 1 for an obstacle ahead, 0.5 for one abeam, and 0 for one entirely aft."""
        heading = self.world.ownship.heading
        offs = [either_side(bearing(here, corner) - heading) for corner in polygon.points]
        if min(map(abs, offs)) > AFT:
            return 0.0
        is_ahead = min(offs) < 0.0 < max(offs) and max(offs) - min(offs) < 180.0
        off = 0.0 if is_ahead else min(map(abs, offs))
        return (1.0 + cos(radians(off))) / 2.0

    def _lock_side(self, polygon: Polygon, here: Point, relevance: float) -> None:
        if relevance < RELEASE:
            self.side = ""
        elif self.world.as_moos if self.side else relevance > LOCK:
            center = polygon.center if self.world.as_moos else polygon.centroid
            off = either_side(bearing(here, center) - self.world.ownship.heading)
            self.side = "port" if off < 0.0 else "star"

    def _objective(self, polygon: Polygon, here: Point) -> Function:
        course = self.world.domain["course"]
        table = np.zeros(0)
        if self.world.turn_radius > 0.0:
            ship, radius = self.world.ownship, self.world.turn_radius
            found = turned_rays(here, ship.heading, radius, polygon, course.values)
            table = self._utilities(found, polygon, here)
        # a turn tighter than the usual one may still avoid it
        if not table.any() and not (self.world.as_moos and len(table)):
            table = self._utilities(rays(here, polygon, course.values), polygon, here)
        if not table.any():
            raise BehaviorError("Allstop: obstacle unavoidable")
        return one_dimensional(course, utility.stretched(table))

    def _utilities(self, found: Rays, polygon: Polygon, here: Point) -> FloatArray:
        s = self.settings
        if self.world.as_moos:
            span = max(s.max_util_cpa_dist - s.min_util_cpa_dist, 1e-9)
            within: FloatArray = np.clip((found.range - s.min_util_cpa_dist) / span, 0.0, 1.0)
            plateau = max(0.0, self.range - 1.0)
            if s.use_refinery and plateau < s.max_util_cpa_dist:
                # the refinery's plateau: what keeps the present range, almost
                within[(found.range >= plateau) & (found.range > 0.0)] = 1.0
            if self.side:
                off = bearing(here, polygon.center) - self.world.domain["course"].values
                is_to_port = (off % 360.0 == 0.0) | (off % 360.0 >= 180.0)
                within[is_to_port != (self.side == "port")] = 0.0
            return 100.0 * within
        least = utility.least_range(self.range, s.min_util_cpa_dist)
        clear = utility.of_ranges(found.range, least, s.max_util_cpa_dist)
        if self.side:
            clear[found.to_starboard if self.side == "port" else found.to_port] = 0.0
        now = utility.of_ranges(np.array([self.range]), least, s.max_util_cpa_dist)
        return self._discounted(clear, found, now.item())

    def _discounted(self, clear: FloatArray, found: Rays, now: float) -> FloatArray:
        """Discount closest points that the vessel reaches only after ``allowable_ttc``.

        The time follows from the present speed: with the speed as a decision variable, stopping
        would always be best. The discounted utility of a course that hits the obstacle does not
        exceed that of the present range; otherwise a late hit would be better than moving away.
        """
        soon = self.settings.allowable_ttc * self.world.ownship.speed  # [m]
        late = np.maximum(1.0 - soon / np.maximum(found.way, 1e-9), 0.0)
        utilities: FloatArray = clear * (1.0 - late) + np.where(clear > 0.0, 100.0, now) * late
        return utilities

    def _post_events(self) -> None:
        now = self.range
        self.post_flags(tuple(one.flag for one in self.settings.rng_flag if now < one.limit))
        ever = now if self._nearest is None else min(now, self._nearest)
        last = now if self._turning is None else self._turning
        self._turning = min(now, last) if self._closing else max(now, last)
        if abs(now - self._turning) > TURNED:
            # the macro CPA in cpa_flag is that of this approach
            self._nearest = self._turning
            if self._closing and now < self.settings.pwt_outer_dist:
                self.post_flags(self.settings.cpa_flag)
            self._closing, self._turning = not self._closing, now
        self._nearest = ever

    @property
    def _label(self) -> str:
        return f"{self.world.community}_{self.settings.id or self.settings.name}"

    def _draw(self, polygon: Polygon) -> None:
        looks = hinted(self.settings.visual_hints, HINTS)
        text = look(
            label=self._label,
            label_color=looks["label_color"],
            edge_color=looks["edge_color"],
            vertex_color=looks["vertex_color"],
            vertex_size=float(looks["vertex_size"]) if looks["vertex_size"] else None,
            edge_size=float(looks["edge_size"]) if looks["edge_size"] else None,
        )
        fill = ",".join(f"{key}={looks[key]}" for key in FILL if looks[key])
        self.post("VIEW_POLYGON", f"pts={{{points_text(polygon.points, DIGITS)}}},{text},{fill}")

    def own_macros(self) -> dict[str, Callable[[], str]]:
        def to_obstacle() -> float:
            polygon, here = self.settings.polygon, self.world.ownship.place
            return 0.0 if polygon is None else bearing(here, polygon.centroid)

        def off() -> float:
            return either_side(to_obstacle() - self.world.ownship.heading)

        def speed() -> str:
            return trimmed(self.world.ownship.speed, 2)

        def index() -> str:
            _, found, last = (self.settings.id or "").rpartition("_")
            return last if found else ""

        return {
            **dict.fromkeys(("OBSTACLE_ID", "OID"), lambda: self.settings.id or ""),
            "OIDX": index,
            "MINU_CPA": lambda: trimmed(self.settings.min_util_cpa_dist),
            "MAXU_CPA": lambda: trimmed(self.settings.max_util_cpa_dist),
            **dict.fromkeys(("RANGE", "RNG"), lambda: trimmed(self.range, 2)),
            "CPA": lambda: trimmed(self.range if self._nearest is None else self._nearest, 2),
            "BNG": lambda: trimmed360(to_obstacle(), 2),
            "RBNG": lambda: trimmed360(off() % 360.0, 2),
            "SIDE": lambda: "port" if off() < 0.0 else "star",
            "SLOCK": lambda: {"port": "star", "star": "port"}.get(self.side, ""),
            **dict.fromkeys(("OSV", "SPD"), speed),
        }
