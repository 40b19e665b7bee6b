"""``BHV_LegRun``: travel back and forth between two points, with a turn at each.

``leg_run/turns.py`` constructs the turns. Source: BHV_LegRun of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from steerageway.declarations import variables
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.leg_run.settings import HINTS, Leg, LegRunSettings, Schedule
from steerageway.helm.behaviors.leg_run.turns import apex, turn_points
from steerageway.helm.behaviors.route import Arrival, Progress, Route
from steerageway.helm.behaviors.turning import Way, steer
from steerageway.helm.flags import Flag
from steerageway.helm.geometry import bearing, distance, track_point
from steerageway.helm.settings import SettingError
from steerageway.helm.shapes import hinted, look_of
from steerageway.helm.variables import BHV_SETTINGS, VIEW_POINT, VIEW_SEGLIST
from steerageway.ivp import Function
from steerageway.moos import view
from steerageway.moos.seglist import Point, project
from steerageway.moos.values import trimmed

LINE = ("vertex_size", "edge_size", "vertex_color", "edge_color", "label_color")
APEX = 0.42  # part of a turn before the point that is drawn near its apex
TRACK_SHOWN = 5.0  # the track point is drawn if farther from the next point [m]
NEXT = {"leg1": "turn1", "turn1": "leg2", "leg2": "turn2", "turn2": "leg1"}


class LegRun(Behavior[LegRunSettings]):
    """Prefers the course to the end of leg 1, p1, along a turn, to p2, along a turn, and so on.

    A turn leaves the line to the opposite side, goes round by more than half a circle and rejoins
    the line where it left it. If the behavior becomes idle in a turn, it resumes with the next
    leg. It is perpetual: after the rounds of `repeat` it posts its endflags and continues. The
    course has a base width of 180 degrees; the speed's utility rises from 70 at 0.1 m/s and falls
    to 20 at 0.4 m/s above the desired speed.

    Posts `LR_MODE` (init, leg1, turn1, leg2, turn2), `LR_MODE_REPORT`, and draws the leg, both
    turns and the present one as `VIEW_SEGLIST`; as `VIEW_POINT` the next point, the track point,
    the leg's ends and a point near the apex of each turn, with the course there as its z.
    `LR_NOW_SPD` is the desired speed, `BHV_SETTINGS` its parameters. The first leg has no middle
    flags.

    Macros: `LEG_COUNT` `WPTS_HIT` legs completed, `LEG_COUNT1` `LEG_COUNT2` of each; `LEG_ID`
    number of this leg, from 0; `LEG_ODO` distance travelled on it [m]; `CYCLES` `CYCREM` rounds
    completed and remaining (-1: unlimited); `NI` (0: p1, 1: p2) `NX` `NY` the end of this leg or of
    the one after this turn; `DIST_NP` `DIST_PP` distance to its end and its start [m], `PCT_NP` the
    completed fraction of these two, 0 to 1; `MODE`; `SPEED`.
    """

    publications = (
        *variables.published("""
            LR_MODE | text | | `init`, `leg1`, `turn1`, `leg2`, `turn2` | on change | mode of a
                `BHV_LegRun`
            LR_MODE_REPORT | text | s | | on change | `vname=,mode=,utc=`
            LR_NOW_SPD | number | m/s | >= 0 | on change | desired speed of a `BHV_LegRun`
        """),
        BHV_SETTINGS,
        VIEW_SEGLIST,
        VIEW_POINT,
    )
    settings_class = LegRunSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._p1 = self._p2 = (0.0, 0.0)
        self._mode = "init"
        self._route = Route()
        self._way = 0.0  # length of the present leg or turn [m]
        self._legs = {"leg1": 0, "leg2": 0}
        self._rounds = 0
        self._leg_speed: float | None = None
        self._speeds: tuple[float, ...] = ()  # of leg_spds
        self._taken = 0  # number of these used so far
        self._leg_id = 0
        self._odo = Way()  # on the present leg
        self._mid_due = True
        self._preview_due = True

    def check(self, settings: LegRunSettings, fields: frozenset[str]) -> None:
        s = settings
        if s.leg is None and (s.p1 is None or s.p2 is None or s.p1 == s.p2):
            given = "" if s.p1 is None else view.points_text([s.p1], 2)
            raise SettingError("p1", given, "expected two different points p1 and p2, or leg")
        if None in (s.turn1_rad, s.turn2_rad):
            raise SettingError("turn_rad", "", "expected a radius: turn_rad, or turn1_ and turn2_")

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        s.perpetual = True
        before = (self._p1, self._p2)
        if "leg" in fields and s.leg is not None:
            self._set_leg(s.leg)
        self._p1 = s.p1 if "p1" in fields and s.p1 is not None else self._p1
        self._p2 = s.p2 if "p2" in fields and s.p2 is not None else self._p2
        self._modify(fields)
        if (self._p1, self._p2) != before:
            self._mode = "init"
        self._speed = self.capped(s.speed)
        radii = (s.capture_radius, s.slip_radius)
        # radii of 0 are never met: only the line remains
        only_line = s.capture_line == "absolute"
        self._arrival = Arrival(*((0.0, 0.0) if only_line else radii), s.capture_line != "false")
        if "leg_spds" in fields and s.leg_spds is not None:
            self._extend_speeds(s.leg_spds)
        self._hints = hinted(s.visual_hints, HINTS)
        self._preview_due = True
        self._post_settings()

    def _post_settings(self) -> None:
        s, arrival = self.settings, self._arrival
        line = f",capture_line={s.capture_line}" if arrival.line else ""
        self.post_always(
            "BHV_SETTINGS",
            f"type={self.kind},name={s.name},speed={trimmed(self._speed, 1)},"
            f"currix={self._index},capture_radius={trimmed(arrival.capture, 1)},"
            f"slip_radius={trimmed(arrival.slip, 1)}{line},patience={trimmed(s.patience, 2)}",
        )

    def _extend_speeds(self, schedule: Schedule) -> None:
        """Append speeds to the schedule, or replace it."""
        self._speeds = (() if schedule.clear else self._speeds) + schedule.speeds
        if schedule.again:
            self._taken = 0

    def _modify(self, fields: frozenset[str]) -> None:
        """Change the leg's length, angle or centre by the parameters that were set."""
        s = self.settings
        center, angle, length = self._leg
        if "shift_pt" in fields and s.shift_pt is not None:
            center = s.shift_pt
        if "leg_len" in fields and s.leg_len is not None:
            length = s.leg_len
        if "leg_len_mod" in fields and s.leg_len_mod is not None:
            length = max(2 * s.turn_rad_min, length + s.leg_len_mod)
        if "leg_ang" in fields and s.leg_ang is not None:
            angle = s.leg_ang
        if "leg_ang_mod" in fields and s.leg_ang_mod is not None:
            angle += s.leg_ang_mod
        if Leg(center, angle, length) != self._leg:
            self._set_leg(Leg(center, angle, length))

    @property
    def _leg(self) -> Leg:
        (x1, y1), (x2, y2) = self._p1, self._p2
        center = ((x1 + x2) / 2, (y1 + y2) / 2)
        return Leg(center, bearing(self._p1, self._p2), distance(self._p1, self._p2))

    def _set_leg(self, leg: Leg) -> None:
        self._p1 = project(leg.center, leg.angle, -leg.length / 2)
        self._p2 = project(leg.center, leg.angle, leg.length / 2)

    def on_run_to_idle(self) -> None:
        self._route.reset_nearest()

    def on_idle_to_run(self) -> None:
        self._preview_due = True
        if self._mode.startswith("turn"):
            self._enter(NEXT[self._mode])

    def run(self) -> Function | None:
        here = self._here
        if self._mode == "init":
            self._post_mode("init")
            self._enter(self._first_leg(here))
            # the first leg, from wherever the vessel is, has no middle flags
            self._odo, self._mid_due = Way(here), self._leg_id > 0
        if self._route.previous is None:
            self._route.previous = here
        if self._mode.startswith("leg"):
            self._odo.move(here)
        if self._route.advance(here, self._arrival) is Progress.COMPLETED:
            self._end()
        self._post_mid_flags(here)
        track = self._track_point(here)
        self._draw(track)
        speed = self._speed if self._leg_speed is None else self._leg_speed
        self.post("LR_NOW_SPD", speed)
        course = bearing(here, track)
        return steer(self.world.domain, course, speed, self.settings.patience, slowest=70.0)

    def _first_leg(self, here: Point) -> str:
        how = self.settings.init_leg_mode
        first_is_nearer = distance(here, self._p1) < distance(here, self._p2)
        if how == "fixed" or first_is_nearer == (how == "close_turn"):
            return "leg1"
        return "leg2"

    def _enter(self, mode: str) -> None:
        self._mode = mode
        self._post_mode(mode)
        if mode.startswith("leg"):
            self._route.set_points((self._goal,))
            self._route.previous = self._anchor
        else:
            self._route.set_points(self._turn(mode[-1]))
            self._route.previous = self._goal
            self._leg_id = sum(self._legs.values())
        ahead = (self._route.previous, *self._route.points)
        self._way = sum(map(distance, ahead[:-1], ahead[1:]))
        self._mid_due = True

    def _post_mode(self, mode: str) -> None:
        vessel, utc = self.world.community, trimmed(self.world.utc)
        self.post("LR_MODE", mode)
        self.post("LR_MODE_REPORT", f"vname={vessel},mode={mode},utc={utc}")

    @property
    def _here(self) -> Point:
        return self.world.ownship.place

    @property
    def _goal(self) -> Point:
        """The end of the present leg, or of the one before the present turn."""
        return self._p1 if self._mode.endswith("1") else self._p2

    @property
    def _index(self) -> int:
        """The point where this leg, or the one after this turn, ends: 0 for p1, 1 for p2."""
        return int(NEXT.get(self._mode, "") == "leg2" or self._mode == "leg2")

    @property
    def _anchor(self) -> Point:
        return self._p2 if self._mode.endswith("1") else self._p1

    def _turn(self, number: str) -> tuple[Point, ...]:
        """Return the points of the turn at p1 ("1") or p2 ("2")."""
        s, ends = self.settings, (self._p1, self._p2)
        goal, anchor = ends if number == "1" else ends[::-1]
        radius = max(getattr(s, f"turn{number}_rad"), s.turn_rad_min)
        extent, bias = getattr(s, f"turn{number}_ext"), getattr(s, f"turn{number}_bias")
        port = getattr(s, f"turn{number}_dir") == "port"
        heading = bearing(anchor, goal)
        return turn_points(goal, heading, radius, extent, bias, s.turn_pt_gap, port=port)

    def _choose_speed(self) -> None:
        """Take the next speed of leg_spds for a leg; a turn keeps it if leg_spds_onturn is set."""
        s = self.settings
        if self._mode.startswith("turn"):
            self._leg_speed = self._leg_speed if s.leg_spds_onturn else None
            return
        if s.leg_spds_repeat and self._taken >= len(self._speeds):
            self._taken = 0
        coming = self._speeds[self._taken : self._taken + 1]
        self._leg_speed = self.capped(coming[0]) if coming else None
        self._taken += len(coming)

    def _end(self) -> None:
        """End a leg or turn: post its flags and enter the next mode."""
        mode, is_leg = self._mode, self._mode.startswith("leg")
        if is_leg:
            self._legs[mode] += 1
        kinds = ("leg_endflag" if is_leg else "turn_endflag", f"{mode}_endflag")
        for kind in kinds:
            posts: tuple[Flag, ...] = getattr(self.settings, kind)
            self.post_flags(posts)
        if sum(self._legs.values()) % 2 == 0 and is_leg:
            self._end_round()
        self._enter(NEXT[mode])
        self._choose_speed()
        if not is_leg:
            self._odo = Way(self._here)

    def _end_round(self) -> None:
        most = self.settings.repeats
        self._rounds += 1
        if most is not None and self._rounds > most:
            self._rounds = 0
            self.complete()

    def _post_mid_flags(self, here: Point) -> None:
        s, is_leg = self.settings, self._mode.startswith("leg")
        share = s.mid_leg_pct if is_leg else s.mid_turn_pct
        made = self._way - self._route.distance_to_end(here)
        if self._mid_due and made > share / 100 * self._way:
            self._mid_due = False
            self.post_flags(s.midlegflag if is_leg else s.midturnflag)

    def _track_point(self, here: Point) -> Point:
        s, goal = self.settings, self._route.next
        if s.lead <= 0 or self._mode.startswith("turn"):
            return goal
        return track_point(self._anchor, goal, here, s.lead, s.lead_damper)

    def _line(self, points: Sequence[Point], kind: str, name: str) -> None:
        """Draw points, connected, in the look of turns or legs ("turn_", "")."""
        look = {key: self._hints[f"{kind}{key}"] for key in LINE}
        label = f"{self.world.community}_{name}"
        self.post("VIEW_SEGLIST", view.seglist(points, look_of(look, label)), name)

    def _draw(self, track: Point) -> None:
        if self._preview_due:
            self._preview_due = False
            self._draw_preview()
        if self._mode.startswith("turn"):
            self._line(self._route.points, "turn_", "turn")
        self._draw_points(track, active=True)

    def _draw_preview(self) -> None:
        turns = [self._turn(number) for number in "12"]
        self._line((self._p1, self._p2), "", "pview3")
        ahead = APEX * sum(map(distance, turns[0][:-1], turns[0][1:]))  # of both, as in MOOS-IvP
        for number, turn in enumerate(turns, 1):
            self._line(turn, "turn_", f"pview{number}")
            self._draw_apex(number, *apex(turn, ahead), active=True)

    def _draw_apex(self, number: int, where: Point, course: float, *, active: bool) -> None:
        name = f"fpt{number}"
        label = f"{self.world.community}_{name}"
        look = view.look(label=label, label_color="off", vertex_color="limegreen", vertex_size=8)
        self.post("VIEW_POINT", view.point(where, look, active=active, z=course), name)

    def _draw_points(self, track: Point, *, active: bool) -> None:
        vessel, goal = self.world.community, self._route.next if self._route.points else self._p1
        shown = active and distance(goal, track) > TRACK_SHOWN
        for what, where, kind, scale, is_active in (
            (f"{vessel}'s track-point", track, "nextpt", 1.0, shown),
            (f"{vessel}'s next waypoint", goal, "nextpt", 1.0, active),
            (f"{vessel}_p1", self._p1, "legpt", 1.5, active),  # larger, to tell them apart
            (f"{vessel}_p2", self._p2, "legpt", 1.0, active),
        ):
            look = view.look(
                label=what,
                label_color=self._hints[f"{kind}_label_color"],
                vertex_color=self._hints[f"{kind}_vertex_color"],
                vertex_size=scale * float(self._hints[f"{kind}_vertex_size"]),
            )
            self.post("VIEW_POINT", view.point(where, look, active=is_active), what)

    def withdraw(self) -> None:
        for what in ("turn", "pview1", "pview2", "pview3"):
            erased = view.erased_seglist(f"{self.world.community}_{what}")
            self.post("VIEW_SEGLIST", erased, what)
        self._draw_points(self._p1, active=False)
        for number in (1, 2):
            self._draw_apex(number, self._p1, 0.0, active=False)

    def own_macros(self) -> dict[str, Callable[[], str]]:
        def legs() -> str:
            return str(sum(self._legs.values()))

        def rounds_left() -> str:
            most = self.settings.repeats
            return "-1" if most is None else str(max(0, most - self._rounds))

        def ends() -> tuple[Point, Point]:
            return (self._p2, self._p1) if self._index else (self._p1, self._p2)

        def share_behind() -> str:
            ahead, behind = (distance(self._here, end) for end in ends())
            return trimmed(behind / (ahead + behind), 2)

        return {
            "LEG_COUNT": legs,
            "LEG_ID": lambda: str(self._leg_id),
            "WPTS_HIT": legs,
            "LEG_COUNT1": lambda: str(self._legs["leg1"]),
            "LEG_COUNT2": lambda: str(self._legs["leg2"]),
            "LEG_ODO": lambda: trimmed(self._odo.made, 2),
            "CYCLES": lambda: str(sum(self._legs.values()) // 2),
            "CYCREM": rounds_left,
            "NI": lambda: str(self._index),
            "NX": lambda: trimmed(ends()[0][0], 2),
            "NY": lambda: trimmed(ends()[0][1], 2),
            "DIST_NP": lambda: trimmed(distance(self._here, ends()[0]), 2),
            "DIST_PP": lambda: trimmed(distance(self._here, ends()[1]), 2),
            "PCT_NP": share_behind,
            "MODE": lambda: self._mode,
            "SPEED": lambda: trimmed(self.settings.speed),
        }
