"""Posts of ``BHV_Waypoint``: status, index, efficiency, and drawings for viewers."""

from __future__ import annotations

from steerageway.declarations import variables
from steerageway.helm.behaviors.route import Route
from steerageway.helm.behaviors.waypoint.odometer import Legs
from steerageway.helm.behaviors.waypoint.settings import SILENT, WaypointSettings, suffixed
from steerageway.helm.geometry import distance
from steerageway.helm.variables import BHV_SETTINGS, VIEW_POINT, VIEW_SEGLIST
from steerageway.moos import view
from steerageway.moos.seglist import Point
from steerageway.moos.values import fixed, trimmed

EFFICIENCIES = variables.published(
    """
    WPT_EFF_SUMM_LEG | text | m, s | | on reaching a point | efficiency of the leg
    WPT_EFF_SUMM_ALL | text | m, s | | on reaching a point | efficiency of all legs
    WPT_EFF_DIST_LEG | number | | >= 0 | on reaching a point | straight distance over distance
        made, of the leg
    WPT_EFF_DIST_ALL | number | | >= 0 | on reaching a point | straight distance over distance
        made, of all legs
    WPT_EFF_TIME_LEG | number | | >= 0 | on reaching a point | ideal time over actual time, of
        the leg
    WPT_EFF_TIME_ALL | number | | >= 0 | on reaching a point | ideal time over actual time, of
        all legs
    """,
    named=suffixed,
)
PUBLICATIONS = (
    variables.text(
        "WPT_STAT",
        "index, hits, distance and time to the next point",
        unit="m, s",
        when="about each second",
        named=lambda _, settings: _named(settings.wpt_status_var, settings),
    ),
    variables.number(
        "WPT_INDEX",
        "index of the next point",
        range=">= 0",
        when="on change",
        named=lambda _, settings: _named(settings.wpt_index_var, settings),
    ),
    variables.number(
        "CYCLE_INDEX",
        "number of completed traversals of the points",
        range=">= 0",
        when="on change",
        named=lambda _, settings: _named(settings.cycle_index_var, settings),
    ),
    variables.number(
        "WPT_ODO", "distance made on the present leg", unit="m", range=">= 0", named=suffixed
    ),
    VIEW_POINT,
    VIEW_SEGLIST,
    BHV_SETTINGS,
    *EFFICIENCIES,
)


class Names:
    """Names of the variables it posts, by its settings with their suffix; "" for a silent one."""

    def __init__(self, settings: WaypointSettings) -> None:
        self.status = _named(settings.wpt_status_var, settings)
        self.index = _named(settings.wpt_index_var, settings)
        self.cycle = _named(settings.cycle_index_var, settings)
        self.odo = suffixed("WPT_ODO", settings)
        self.to_previous = _unless_silent(settings.wpt_dist_to_prev)
        self.to_next = _unless_silent(settings.wpt_dist_to_next)
        self.efficiencies = variables.names_with(settings, EFFICIENCIES)


class Looks:
    """The shapes it draws: the next point, the track point, and the whole list."""

    def __init__(self, settings: WaypointSettings, vessel: str) -> None:
        self.label = f"{vessel}_{settings.name}"
        self._loops = settings.draw_path_loop
        self._next = _point_look(settings, "nextpt", f"{vessel}'s nextpt")
        self._track = _point_look(settings, "trackpt", f"{vessel}'s trackpt")
        self._drawn: dict[str, tuple[tuple[Point, bool], str]] = {}  # by look: a point and its text
        self._list = view.look(
            label=self.label,
            label_color=settings.hint("label_color"),
            edge_color=settings.hint("edge_color"),
            vertex_color=settings.hint("vertex_color"),
            vertex_size=float(settings.hint("vertex_size")),
            edge_size=float(settings.hint("edge_size")),
        )

    def next_point(self, where: Point, *, active: bool) -> str:
        """Return the drawing of the next point, or its removal."""
        return self._point(where, self._next, active)

    def track_point(self, where: Point, *, active: bool) -> str:
        """Return the drawing of the track point, or its removal."""
        return self._point(where, self._track, active)

    def _point(self, where: Point, look: str, active: bool) -> str:
        """Return the drawing of a point: the last one if it is the same."""
        drawn = self._drawn.get(look)
        if drawn is None or drawn[0] != (where, active):
            self._drawn[look] = drawn = ((where, active), view.point(where, look, active=active))
        return drawn[1]

    def point_list(self, points: tuple[Point, ...]) -> str:
        """Return the drawing of the list of points."""
        drawn = (*points, points[0]) if self._loops else points
        return view.seglist(drawn, self._list, digits=3)


def status(route: Route, here: Point, speed: float, vessel: str, behavior: str) -> str:
    """Return the status text; the time to the next point is "inf" for a vessel at rest."""
    way = distance(here, route.next)
    eta = f"{way / speed:.0f}" if speed > 0 else "inf"
    return (
        f"vname={vessel},behavior-name={behavior},index={route.index},"
        f"hits={route.captures}/{route.hits},cycles={route.cycles},dist={way:.0f},eta={eta}"
    )


def efficiency(leg: Legs, total: Legs, vessel: str, behavior: str) -> tuple[str | float, ...]:
    """Return the values of ``EFFICIENCIES``, in that order."""
    return (
        leg.summary(vessel, behavior),
        total.summary(vessel, behavior),
        leg.in_space,
        total.in_space,
        leg.in_time,
        total.in_time,
    )


def settings_text(settings: WaypointSettings, kind: str, points: tuple[Point, ...]) -> str:
    """Return ``BHV_SETTINGS``: the main parameters."""
    s = settings
    return (
        f"type={kind},name={s.name},points={{{view.points_text(points, 3)}}},order={s.order},"
        f"repeat={s.repeat},speed={trimmed(s.speed)},capture_radius={trimmed(s.capture_radius)},"
        f"slip_radius={trimmed(s.slip_radius)},capture_line={s.capture_line},"
        f"lead={trimmed(s.lead)},lead_damper={trimmed(s.lead_damper)},pwt={fixed(s.pwt, 0)}"
    )


def _unless_silent(name: str) -> str:
    return "" if name == SILENT else name


def _named(name: str, settings: WaypointSettings) -> str:
    return suffixed(name, settings) if _unless_silent(name) else ""


def _point_look(settings: WaypointSettings, which: str, label: str) -> str:
    return view.look(
        label=label,
        label_color=settings.hint(f"{which}_lcolor"),
        vertex_color=settings.hint(f"{which}_color"),
        vertex_size=float(settings.hint(f"{which}_vertex_size")),
    )
