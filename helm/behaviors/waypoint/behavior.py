"""``BHV_Waypoint``: visit a list of points in order; ``route`` decides when one is reached.

Source: BHV_Waypoint and WaypointEngine of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.route import Arrival, Progress, Route
from steerageway.helm.behaviors.waypoint.objectives import Objectives
from steerageway.helm.behaviors.waypoint.odometer import Odometer
from steerageway.helm.behaviors.waypoint.posts import (
    PUBLICATIONS,
    Looks,
    Names,
    efficiency,
    settings_text,
    status,
)
from steerageway.helm.behaviors.waypoint.settings import (
    FOREVER,
    START,
    Corners,
    WaypointSettings,
)
from steerageway.helm.geometry import bearing, distance, greedy_tour, track_point
from steerageway.helm.settings import SettingError
from steerageway.ivp import Function
from steerageway.moos.seglist import Point
from steerageway.moos.values import trimmed
from steerageway.moos.view import erased_seglist, points_text

TRACK_SHOWN = 5.0  # the track point is drawn if farther from the next point [m]


class Waypoint(Behavior[WaypointSettings]):
    """Prefers the course to the next point, or to a track point on the leg's line, and a speed."""

    publications = PUBLICATIONS
    settings_class = WaypointSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._route = Route()
        self._odometer = Odometer()
        self._objectives = Objectives(self.world.domain)
        self._goal: Point = (0.0, 0.0)  # the next point
        self._start: Point | None = None  # where this traversal began
        self._previous_index = -1
        self._posted_cycles = 0  # as in MOOS-IvP, the first CYCLE_INDEX is that of a full traversal
        self._awaits_start = self._tour_due = False
        self._drawn: tuple[tuple[Point, ...], str] = ((), "")

    def check(self, settings: WaypointSettings, fields: frozenset[str]) -> None:
        new = settings.points if "points" in fields else None
        count = len(new if isinstance(new, tuple) else self._route.points)
        others, index = settings.xpoints, settings.currix
        if "xpoints" in fields and others is not None and (others == START or len(others) != count):
            given = others if isinstance(others, str) else points_text(others, 3)
            text = f"expected as many points as there are: {count}"
            raise SettingError("xpoints", given, text)
        if "currix" in fields and index is not None and index >= count:
            text = f"expected an index below the number of points: {count}"
            raise SettingError("currix", str(index), text)

    def configured(self, fields: frozenset[str]) -> None:
        settings, route = self.settings, self._route
        if "points" in fields:
            self._awaits_start = settings.points == START or isinstance(settings.points, Corners)
            if isinstance(settings.points, tuple):
                self._set_points(settings.points)
        if "order" in fields:
            toggled = settings.order == "toggle"
            route.set_reverse(not route.reverse if toggled else settings.order.startswith("rev"))
        if "xpoints" in fields and isinstance(settings.xpoints, tuple):
            route.replace_points(settings.xpoints)
        if "currix" in fields and settings.currix is not None:
            route.set_index(settings.currix)
        if "greedy_tour" in fields:
            self._tour_due = settings.greedy_tour
        if "repeat" in fields and settings.repeat != 0:
            settings.perpetual = True
        # the ideal time of a leg sailed at two speeds is undefined
        if "speed" in fields:
            self._odometer.disqualify()
        self._derive()

    def _derive(self) -> None:
        """Derive values from the settings once, not in each iteration."""
        settings = self.settings
        absolute = settings.capture_line == "absolute"
        self._arrival = Arrival(
            0.0 if absolute else settings.capture_radius,
            0.0 if absolute else settings.slip_radius,
            settings.capture_line != "false",
            settings.perpetual,
            None if settings.repeat == FOREVER else int(settings.repeat),
        )
        alternate = settings.use_alt_speed and settings.speed_alt >= 0
        self._speed = self.capped(settings.speed_alt if alternate else settings.speed)
        self._names = Names(settings)
        self._looks = Looks(settings, self.world.community)
        self._drawn = ((), "")
        text = settings_text(settings, self.kind, self._route.points)
        self.post_always("BHV_SETTINGS", text)

    def _set_points(self, points: tuple[Point, ...]) -> None:
        self._route.set_points(points)
        self._start = None
        self._previous_index = -1
        self._posted_cycles = 0

    def on_every_state(self) -> None:
        if self._awaits_start:
            self._awaits_start = False
            here, points = self.world.ownship.place, self.settings.points
            if isinstance(points, Corners):
                self._route.replace_points(points.begun_at(here))
            else:
                self._set_points((here,))

    def on_idle_to_run(self) -> None:
        self._odometer.disqualify()

    def on_run_to_idle(self) -> None:
        self._odometer.pause()
        self._odometer.disqualify()
        self._route.reset_nearest()
        if self.settings.reset_on_idle:
            self._restart()
        for name in (self._names.to_previous, self._names.to_next):
            if name:
                self.post(name, -1.0)

    def run(self) -> Function | None:
        route, here = self._route, self.world.ownship.place
        self._odometer.move(here)
        if not route.points:
            return None
        self._prepare(here)
        progress = route.advance(here, self._arrival)
        if progress is not Progress.TRANSIT:
            self._reach(progress, here)
        self.post(self._names.odo, self._odometer.leg)
        if self._names.cycle and route.cycles != self._posted_cycles:
            self._posted_cycles = route.cycles
            self.post(self._names.cycle, float(route.cycles))
        if progress is Progress.COMPLETED:
            self._restart()
            self.withdraw()
            return None
        track = self._steer(here)
        self._report(here, track)
        return self._objective(here, track)

    def _prepare(self, here: Point) -> None:
        """Plan the tour and set the start of the first leg, when these are due."""
        route, settings = self._route, self.settings
        if self._tour_due:
            self._tour_due = False
            tour = greedy_tour(route.points, here)
            # set_points reverses them again
            self._set_points(tour[::-1] if route.reverse else tour)
        if route.previous is None:
            route.previous = here
        self._goal = route.next
        if self._start is None:
            self._start = here
            if settings.wptflag_on_start:
                if settings.eager_prev_index_flag:
                    self._previous_index = route.index
                self.post_flags(settings.wptflag)

    def _reach(self, progress: Progress, here: Point) -> None:
        """Post flags and status after a point has been reached."""
        settings, route, names = self.settings, self._route, self._names
        reached = route.index - 1 if route.index else len(route.points) - 1
        self._mark_leg(here)
        if progress is not Progress.COMPLETED:
            self._goal = route.next
        if progress is not Progress.ADVANCED:
            if names.status:
                text = f"behavior-name={settings.name},{progress.value}"
                self.post(names.status, text)
            self.post_flags(settings.cycleflag)
        self._previous_index = reached
        self.post_flags(settings.wptflag)
        if progress is Progress.COMPLETED:
            self.complete()

    def _mark_leg(self, here: Point) -> None:
        if self.settings.efficiency_measure == "off":
            return
        leg = self._odometer.mark(here, self.world.time, self._speed)
        if leg is not None:
            vessel, name = self.world.community, self.settings.name
            values = efficiency(leg, self._odometer.total, vessel, name)
            for variable, value in zip(self._names.efficiencies, values, strict=True):
                self.post(variable, value)

    def _restart(self) -> None:
        self._route.restart()
        self._start = None

    def _steer(self, here: Point) -> Point:
        """Return the track point: on the leg's line, or the next point itself."""
        settings, route, world = self.settings, self._route, self.world
        if settings.lead <= 0:
            return self._goal
        if not all(c.holds(world.values.get, world.utc) for c in settings.lead_condition):
            return self._goal
        if route.index > 0:
            anchor = route.points[route.index - 1]
        elif route.cycles > 0:
            anchor = route.last
        elif settings.lead_to_start and self._start is not None:
            anchor = self._start
        else:
            return self._goal
        return track_point(anchor, self._goal, here, settings.lead, settings.lead_damper)

    def _objective(self, here: Point, track: Point) -> Function:
        settings, objectives = self.settings, self._objectives
        speed, course = self._present_speed(here), bearing(here, track)
        if settings.ipf_type in ("roc", "rate_of_closure"):
            return objectives.rate_of_closure(course, speed)
        return objectives.course_and_speed(
            course,
            self.world.ownship.heading,
            speed,
            settings.crs_spd_zaic_ratio,
            slower=settings.ipf_type == "zaic_spd",
        )

    def _present_speed(self, here: Point) -> float:
        end = self.settings.end_spd
        left = -1.0 if end is None else self._route.distance_to_finish(here, self._arrival)
        if end is None or left < 0:
            return self._speed
        return self._speed * min(1.0, max(0.0, (left - end.stop) / (end.slow - end.stop)))

    def _report(self, here: Point, track: Point) -> None:
        names, route, looks, world = self._names, self._route, self._looks, self.world
        if names.status:
            text = status(route, here, world.ownship.speed, world.community, self.settings.name)
            self.post(names.status, text)
        if names.index:
            self.post(names.index, float(route.index))
        # by identity: the text of a long list is costly to write
        if self._drawn[0] is not route.points:
            self._drawn = (route.points, looks.point_list(route.points))
        self.post("VIEW_SEGLIST", self._drawn[1])
        self.post("VIEW_POINT", looks.next_point(self._goal, active=True), "wpt")
        shown = distance(self._goal, track) > TRACK_SHOWN
        self.post("VIEW_POINT", looks.track_point(track, active=shown), "trk")
        if names.to_previous and route.previous:
            self.post(names.to_previous, distance(here, route.previous))
        if names.to_next:
            self.post(names.to_next, distance(here, self._goal))

    def withdraw(self) -> None:
        self.post("VIEW_POINT", self._looks.track_point(self._goal, active=False), "trk")
        self.post("VIEW_POINT", self._looks.next_point(self._goal, active=False), "wpt")
        self.post("VIEW_SEGLIST", erased_seglist(self._looks.label))

    def publishes(self, settings: WaypointSettings) -> Iterable[str]:
        names = Names(settings)
        chosen = (names.to_previous, names.to_next)
        return [*super().publishes(settings), *filter(None, chosen)]

    def listens(self, settings: WaypointSettings) -> Iterable[str]:
        yield from super().listens(settings)
        for condition in settings.lead_condition:
            yield from condition.variables

    def own_macros(self) -> dict[str, Callable[[], str]]:
        route, world = self._route, self.world

        def here() -> Point:
            return world.ownship.place

        def previous(axis: int) -> str:
            return trimmed(route.previous[axis], 2) if route.previous else "0"

        return {
            "POINTS": lambda: f"pts={{{points_text(route.points, 3)}}}",
            "SPEED": lambda: trimmed(self.settings.speed),
            "SPEED_ALT": lambda: trimmed(self.settings.speed_alt),
            "USE_SPEED_ALT": lambda: str(int(self.settings.use_alt_speed)),
            "IPF_TYPE": lambda: self.settings.ipf_type,
            "WPT_FLAG_ON_START": lambda: str(int(self.settings.wptflag_on_start)),
            "LEAD_TO_START": lambda: str(int(self.settings.lead_to_start)),
            "LEAD_DAMPER": lambda: trimmed(self.settings.lead_damper),
            "ORDER": lambda: "reverse" if route.reverse else "normal",
            "NI": lambda: str(route.index),
            "NX": lambda: trimmed(self._goal[0], 2),
            "NY": lambda: trimmed(self._goal[1], 2),
            "PI": lambda: str(self._previous_index),
            "PX": lambda: previous(0),
            "PY": lambda: previous(1),
            "X": lambda: previous(0),
            "Y": lambda: previous(1),
            "IX": lambda: str(route.index),
            "CYCLES": lambda: str(route.cycles),
            "CYCREM": lambda: str(route.repeats_left(self._arrival)),
            "WPTS": lambda: str(len(route.points)),
            "WPTS_HIT": lambda: str(route.hits),
            "WPTS_REM": lambda: str(len(route.points) - route.index),
            "CYC_DIST_TOGO": lambda: trimmed(route.distance_to_end(here()), 2),
            "ALL_DIST_TOGO": lambda: trimmed(route.distance_to_finish(here(), self._arrival), 2),
        }
