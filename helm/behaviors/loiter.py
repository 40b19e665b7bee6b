"""``BHV_Loiter``: enter a polygon, and loiter around it from vertex to vertex.

Source: BHV_Loiter and LoiterEngine of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from steerageway.declarations import Choice, Number, boolean, variables
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.route import Arrival, Progress, Route
from steerageway.helm.behaviors.waypoint.settings import WaypointSettings, suffix, suffixed
from steerageway.helm.geometry import angle_between, bearing, distance, turn
from steerageway.helm.settings import CommonSettings, SettingError, parameter, same_as
from steerageway.helm.shapes import Hints, convex_polygon, hinted, hints, look_of, point
from steerageway.helm.variables import BHV_SETTINGS, VIEW_POINT, VIEW_POLYGON
from steerageway.ivp import Function, Peak, couple, peak, spd
from steerageway.moos import view
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, fixed, trimmed

PUBLICATIONS = (
    *variables.published(
        """
        LOITER_REPORT | text | | | on change | `index=,capture_hits=,nonmono_hits=,acquire_mode=`
        LOITER_INDEX | number | | >= 0 | on change | index of the next vertex of a `BHV_Loiter`
        LOITER_MODE | text | | `idle`, `stable`, `acquiring_external`, `acquiring_internal`,
            `recovering_external`, `recovering_internal` | on change | mode of a `BHV_Loiter`
        LOITER_ACQUIRE | number | | [0, 1] | on change | 1: outside the polygon, beyond
            `acquire_dist`
        LOITER_DIST_TO_POLY | number | m | | on change | distance to the polygon's edge; < 0 inside
        LOITER_ETA_TO_POLY | number | s | >= -1 | on change | time to the polygon's edge at the
            present speed; -1: at rest
        LOITER_DIST_TO_VERT | number | m | >= 0 | on change | distance to the next vertex
        """,
        named=suffixed,
    ),
    variables.text("LOITER_COMPLETE", "a `BHV_Loiter` has completed", range="`true`", when="once"),
    BHV_SETTINGS,
    VIEW_POLYGON,
    VIEW_POINT,
)


LEAST_RADIUS = 5.0  # of a polygon made smaller [m]


PRESENT = "present_position"

HINTS = by_key(
    "vertex_size=1,edge_size=1,vertex_color=dodger_blue,edge_color=white,label_color=white,label=,"
    "nextpt_color=yellow,nextpt_lcolor=aqua,nextpt_vertex_size=5"
)


def capitals(text: str) -> str:
    """Read a suffix, in capitals, with an underscore in front."""
    return suffix(text).upper()


def center(text: str) -> Point | str:
    """Read a point, or present_position."""
    return PRESENT if text.lower() == PRESENT else point(text)


@dataclass
class LoiterSettings(CommonSettings):
    """The behavior's parameters."""

    by_leading_number = ("spiral_factor",)
    default_for_others = ("perpetual", "ipf_type")

    polygon: Polygon | None = parameter("", convex_polygon, "convex polygon to loiter around")
    speed: float = parameter("0", Number(low=0), "cruise speed [m/s]; at most the domain's maximum")
    speed_alt: float = same_as(WaypointSettings, "speed_alt")
    use_alt_speed: bool = same_as(WaypointSettings, "use_alt_speed")
    clockwise: str = parameter(
        "true",
        Choice("true", "false", "best"),
        "true, false, or best: the direction with the smaller first turn, chosen when it begins "
        "to run after it was idle",
    )
    best_on_start: bool = parameter(
        "false",
        boolean,
        "true: best also applies, and a vertex is chosen, if it runs from its first iteration",
    )
    capture_radius: float = parameter(
        "3", Number(above=0), "capture radius of a vertex [m]", aliases=("radius",)
    )
    slip_radius: float = parameter(
        "15",
        Number(low=0),
        "within this range, a vertex is also reached once the range opens [m]",
        aliases=("nm_radius",),
    )
    acquire_dist: float = parameter(
        "10",
        Number(low=0),
        "distance to the polygon's edge beyond which it acquires the polygon again [m]",
        aliases=("acquire_distance",),
    )
    patience: float = parameter(
        "50", Number(low=1, high=99), "weight of the course relative to the speed [%]"
    )
    ipf_type: str = parameter(
        "zaic",
        Choice("zaic", "zaic_spd"),
        "zaic, or zaic_spd: slower speeds are preferred to faster ones",
        aliases=("ipf-type",),
    )
    center_assign: Point | str | None = parameter(
        "", center, "new centre of the polygon: x,y [m] or present_position"
    )
    xcenter_assign: float | None = parameter("", Number(), "new x of the polygon's centre [m]")
    ycenter_assign: float | None = parameter("", Number(), "new y of the polygon's centre [m]")
    center_activate: bool = parameter(
        "false",
        boolean,
        "true: move the polygon's centre to the vessel whenever the behavior begins to run",
    )
    mod_poly_rad: float | None = parameter(
        "", Number(), "change of the polygon's radius, to 5 m at least [m]"
    )
    spiral_factor: float = parameter(
        "-2",
        Number(),
        "when entering from inside, added to the turn at the vertex ahead; < 0 favours it [deg]",
    )
    slingshot: float = parameter(
        "-1", Number(low=-1), "angle around the centre after which it completes [deg]; -1: never"
    )
    post_suffix: str | None = parameter(
        "", capitals, "suffix of the LOITER_* variables, in capitals"
    )
    visual_hints: tuple[Hints, ...] = hints(HINTS, tolerant=True)


def corners(polygon: Polygon, *, clockwise: bool) -> tuple[Point, ...]:
    """Return the vertices in the order in which they are visited."""
    return polygon.points if polygon.clockwise == clockwise else polygon.points[::-1]


def signed_distance(polygon: Polygon, here: Point) -> float:
    """Return the distance to the edge [m], negative inside."""
    away = polygon.distance_to_edge(here)
    return -away if polygon.contains(here) else away


def entry(polygon: Polygon, here: Point, heading: float, spiral: float, *, clockwise: bool) -> int:
    """Return the index, in ``corners``, of the first vertex.

    From outside it is the visible one at which the loop is joined along a tangent; from inside the
    one with the smallest turn onto the next edge.

    Args:
        spiral: if inside, added to the turn at the vertex most nearly ahead [deg].
    """
    ring = corners(polygon, clockwise=clockwise)
    after = ring[1:] + ring[:1]
    turns = [turn(bearing(here, a), bearing(a, b)) for a, b in zip(ring, after, strict=True)]
    if not polygon.contains(here):
        sight = Polygon(ring).in_sight(here)
        sign = 1 if clockwise else -1
        return max(range(len(ring)), key=lambda i: (sight[i], sign * turns[i]))
    ahead = min(range(len(ring)), key=lambda i: angle_between(heading, bearing(here, ring[i])))
    return min(range(len(ring)), key=lambda i: abs(turns[i]) + (spiral if i == ahead else 0.0))


def better_way(polygon: Polygon, here: Point, heading: float, spiral: float) -> bool:
    """Whether the first turn is smaller when going clockwise."""

    def first_turn(*, clockwise: bool) -> float:
        first = entry(polygon, here, heading, spiral, clockwise=clockwise)
        return angle_between(heading, bearing(here, corners(polygon, clockwise=clockwise)[first]))

    return first_turn(clockwise=True) <= first_turn(clockwise=False)


def radius(polygon: Polygon) -> float:
    """Return the distance of the farthest vertex from the centre [m]."""
    return max(distance(polygon.center, corner) for corner in polygon.points)


def resized(polygon: Polygon, by: float) -> Polygon:
    """Return the polygon scaled to a radius larger ``by`` [m]; at least 5 m."""
    (x, y), old = polygon.center, radius(polygon)
    scale = max(LEAST_RADIUS, old + by) / old
    moved = tuple((x + scale * (a - x), y + scale * (b - y)) for a, b in polygon.points)
    return Polygon(moved, polygon.fields)


class Loiter(Behavior[LoiterSettings]):
    """Prefers the course to the next vertex of a polygon, endlessly, and a speed.

    From outside, the first vertex is the one at which a tangent joins the loop; from inside, the
    one with the smallest turn onto the next edge. It is chosen when the behavior ceases to be idle.
    If it runs from its first iteration, it begins with the vertex of index 0, as in MOOS-IvP,
    unless ``best_on_start`` is true; so it does after an update of ``polygon`` or ``clockwise``.
    Farther outside than ``acquire_dist`` the vertex is chosen again in each iteration; otherwise
    the vessel goes from vertex to vertex. ``LOITER_MODE``
    is stable within ``acquire_dist`` of the edge; farther away it is acquiring_external or
    acquiring_internal, or, if it was stable before, recovering_external or recovering_internal.

    The base widths are 180 degrees and 0.3 m/s; with ``zaic_spd`` the speed's utility rises from 85
    at 0.1 m/s and falls to 20 at 0.4 m/s above the desired speed.

    ``clockwise = best`` is decided whenever it begins to run after it was idle. If it runs from
    its first iteration, it goes clockwise, as in MOOS-IvP, unless ``best_on_start`` is true.

    Posts `LOITER_REPORT` (`index=1,capture_hits=3,nonmono_hits=0,acquire_mode=false`),
    `LOITER_INDEX`, `LOITER_MODE`, `LOITER_ACQUIRE` (1 in an external mode, else 0),
    `LOITER_DIST_TO_POLY` (to the edge, negative inside [m]), `LOITER_ETA_TO_POLY` (at the present
    speed [s]; -1 at rest), `LOITER_DIST_TO_VERT` (to the next vertex [m]; these three are whole
    numbers above 10), `LOITER_COMPLETE` (true), `VIEW_POLYGON`, `VIEW_POINT`, and, at its
    start, after it was idle and after updates, `BHV_SETTINGS`. Macros: `PTS` the number of
    vertices, `CX` `CY` `CENTER` (x=,y=) the centre, `RAD` the radius, `CWISE` 1 or 0.
    """

    publications = PUBLICATIONS
    settings_class = LoiterSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._route = Route()
        self._polygon: Polygon | None = None
        self._clockwise = True
        self._mode = "idle"
        self._fresh = True  # it has not run since it was idle
        self._chooses = False  # the next iteration chooses the first vertex
        self._rested = False  # it was idle in an earlier iteration
        self._bearing: float | None = None  # from the centre, in the last iteration [deg]
        self._swept = 0.0

    def check(self, settings: LoiterSettings, fields: frozenset[str]) -> None:
        if settings.polygon is None and settings.updates is None:
            raise SettingError("polygon", "", "expected a polygon, or updates that may give one")

    def configured(self, fields: frozenset[str]) -> None:
        s, before = self.settings, self._polygon
        if "polygon" in fields:
            self._polygon = s.polygon
        if "mod_poly_rad" in fields and s.mod_poly_rad is not None and self._polygon:
            self._polygon = resized(self._polygon, s.mod_poly_rad)
        if "center_assign" in fields and s.center_assign is not None:
            at = s.center_assign
            self._recenter(*(self._here if isinstance(at, str) else at))
        self._recenter(
            s.xcenter_assign if "xcenter_assign" in fields else None,
            s.ycenter_assign if "ycenter_assign" in fields else None,
        )
        if "clockwise" in fields:
            self._clockwise = s.clockwise != "false"
        if "polygon" in fields or "clockwise" in fields:
            self._begin()
        elif self._polygon is not None and self._polygon is not before:
            self._route.replace_points(corners(self._polygon, clockwise=self._clockwise))
        alternate = s.use_alt_speed and s.speed_alt >= 0
        self._speed = self.capped(s.speed_alt if alternate else s.speed)
        self._arrival = Arrival(s.capture_radius, s.slip_radius, perpetual=True, repeats=None)
        self._hints = hinted(s.visual_hints, HINTS)
        self._label = self._hints["label"] or self.label
        self._post_settings()

    def _post_settings(self) -> None:
        s, polygon, ways = self.settings, self._polygon, ("false", "true")
        x, y = polygon.center if polygon else (0.0, 0.0)
        points = corners(polygon, clockwise=self._clockwise) if polygon else ()
        label = polygon.fields.get("label", "") if polygon else ""
        shape = f"pts={{{view.points_text(points, 1)}}}{label and f',label={label}'}"
        self.post_always(
            "BHV_SETTINGS",
            f"type={self.kind},name={s.name},x={fixed(x, 2)},y={fixed(y, 2)},"
            f"clockwise={ways[self._clockwise]},dynamic_clockwise={ways[s.clockwise == 'best']},"
            f"center_activate={ways[s.center_activate]},desired_speed={fixed(self._speed, 1)},"
            f'polygon="{shape if polygon else ""}"',
        )

    def _recenter(self, x: float | None, y: float | None) -> None:
        if self._polygon is None or (x is None and y is None):
            return
        old = self._polygon.center
        dx = 0.0 if x is None else x - old[0]
        dy = 0.0 if y is None else y - old[1]
        self._polygon = self._polygon.moved(dx, dy)

    def _begin(self) -> None:
        """Begin with the vertex of index 0, unless the next iteration chooses another."""
        if self._polygon:
            self._route.set_points(corners(self._polygon, clockwise=self._clockwise))
        self._mode = "idle"

    @property
    def _here(self) -> Point:
        return self.world.ownship.place

    def on_idle_to_run(self) -> None:
        self._rested = True
        self._post_settings()

    def on_run_to_idle(self) -> None:
        self._fresh = True
        self._mode = "idle"
        self._post_suffixed("MODE", "idle")

    def on_complete(self) -> None:
        self.withdraw()  # before completion is posted
        self.post("LOITER_COMPLETE", "true")

    def run(self) -> Function | None:
        if self._fresh:
            self._fresh = False
            self._activate()
        if self._polygon is None:
            return None
        away = signed_distance(self._polygon, self._here)
        self._update_mode(self._polygon, away)
        if self._route.advance(self._here, self._arrival) is Progress.ADVANCED:
            self._route.reset_nearest()
        self._report(self._polygon, away)
        if self._has_swept(self._polygon):
            self.complete()
            self._swept = 0.0
            return None
        return self._objective()

    def _activate(self) -> None:
        s = self.settings
        if s.center_activate:
            self._recenter(*self._here)
        best = s.clockwise == "best"
        # MOOS-IvP chooses when it ends to be idle, and forgets the vertex in choosing the direction
        chooses = self._rested or s.best_on_start
        self._chooses = chooses and not (best and self.world.as_moos)
        if best and self._polygon and chooses:
            heading = self.world.ownship.heading
            self._clockwise = better_way(self._polygon, self._here, heading, s.spiral_factor)
        self._swept, self._bearing = 0.0, None
        self._begin()

    def _update_mode(self, polygon: Polygon, away: float) -> None:
        """Update the mode; choose the first vertex after being idle and in external modes."""
        before, self._mode = self._mode, "stable"
        if abs(away) > self.settings.acquire_dist:
            side = "external" if away > 0 else "internal"
            was_stable = before == "stable" or before == f"recovering_{side}"
            self._mode = f"{'recovering' if was_stable else 'acquiring'}_{side}"
        if self._chooses or self._is_external:
            self._chooses = False
            heading, spiral = self.world.ownship.heading, self.settings.spiral_factor
            first = entry(polygon, self._here, heading, spiral, clockwise=self._clockwise)
            self._route.set_index(first)

    @property
    def _is_external(self) -> bool:
        return self._mode.endswith("external")

    def _has_swept(self, polygon: Polygon) -> bool:
        """Whether ``slingshot`` degrees around the centre are complete, external modes excepted."""
        if self._is_external:
            return False
        now, before = bearing(polygon.center, self._here), self._bearing
        self._bearing = now
        if before is not None:
            self._swept += turn(before, now)
        return 0 <= self.settings.slingshot <= abs(self._swept)

    def _objective(self) -> Function:
        s, domain, v = self.settings, self.world.domain, self._speed
        toward = Peak(bearing(self._here, self._route.next), basewidth=180)
        course = peak(domain["course"], toward, wrap=True)
        if s.ipf_type == "zaic_spd":
            speed = spd(domain["speed"], v, 0.1, v + 0.4, 85, 20)
        else:
            speed = peak(domain["speed"], Peak(v, basewidth=0.3))
        return couple(course, speed, (s.patience, 100 - s.patience))

    def _post_suffixed(self, name: str, value: str | float) -> None:
        self.post(suffixed(f"LOITER_{name}", self.settings), value)

    def _report(self, polygon: Polygon, away: float) -> None:
        route, pace = self._route, self.world.ownship.speed
        acquiring = self._is_external
        self._post_suffixed(
            "REPORT",
            f"index={route.index},capture_hits={route.captures},"
            f"nonmono_hits={route.hits - route.captures},acquire_mode={str(acquiring).lower()}",
        )
        self._post_suffixed("INDEX", float(route.index))
        self._post_suffixed("MODE", self._mode)
        self._post_suffixed("ACQUIRE", float(acquiring))
        self._post_suffixed("DIST_TO_POLY", _rounded(away))
        self._post_suffixed("ETA_TO_POLY", _rounded(abs(away) / pace) if pace > 0 else -1.0)
        self._post_suffixed("DIST_TO_VERT", _rounded(distance(self._here, route.next)))
        text = view.seglist(polygon.points, look_of(self._hints, self._label), digits=2)
        self.post("VIEW_POLYGON", text)
        self.post("VIEW_POINT", view.point(route.next, self._point_look(), active=True))

    def _point_look(self) -> str:
        return view.look(
            label=f"{self.world.community}_waypoint",
            label_color=self._hints["nextpt_lcolor"],
            vertex_color=self._hints["nextpt_color"],
            vertex_size=float(self._hints["nextpt_vertex_size"]),
        )

    def withdraw(self) -> None:
        self.post("VIEW_POLYGON", view.erased_seglist(self._label))
        self.post("VIEW_POINT", view.point((0.0, 0.0), self._point_look(), active=False))

    def own_macros(self) -> dict[str, Callable[[], str]]:
        def center(axis: int) -> str:
            return trimmed(self._polygon.center[axis], 2) if self._polygon else "0"

        return {
            "PTS": lambda: str(len(self._polygon.points) if self._polygon else 0),
            "CX": lambda: center(0),
            "CY": lambda: center(1),
            "CENTER": lambda: f"x={center(0)},y={center(1)}",
            "CWISE": lambda: str(int(self._clockwise)),
            "RAD": lambda: trimmed(radius(self._polygon), 3) if self._polygon else "0",
        }


def _rounded(value: float) -> float:
    """Round to one digit, above 10 to a whole number: unchanged values are not posted again."""
    return round(value, 0 if abs(value) > 10 else 1)
