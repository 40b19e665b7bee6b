"""``BHV_ZigZag``: zig-zag about a stem heading.

Source: BHV_ZigZag of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, radians, sin

from steerageway.declarations import Choice, Number, Whole, boolean
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.turning import Way, steer
from steerageway.helm.flags import Flag
from steerageway.helm.geometry import turn
from steerageway.helm.settings import CommonSettings, SettingError, flags, parameter
from steerageway.helm.shapes import Hints, hinted, hints, look_of
from steerageway.helm.variables import VIEW_SEGLIST
from steerageway.ivp import Function
from steerageway.moos import view
from steerageway.moos.seglist import Point, project
from steerageway.moos.values import by_key, trimmed, trimmed360

DRAWN = 50.0  # length of the line that shows the set heading [m]
HINTS = by_key(
    "vertex_size=1,edge_size=1,set_hdg_color=white,req_hdg_color=yellow,label_color=off,"
    "draw_set_hdg=true,draw_req_hdg=true"
)
SIDES = {"port": "port", "left": "port", "star": "star", "starboard": "star", "right": "star"}


def change(text: str) -> float | None:
    """Read a change of speed; None for reset."""
    return None if text.lower() == "reset" else Number()(text)


@dataclass
class ZigZagSettings(CommonSettings):
    """The behavior's parameters."""

    speed: float = parameter(
        "0", Number(low=0), "desired speed [m/s]; at most the domain's maximum"
    )
    speed_on_active: bool = parameter(
        "false",
        boolean,
        "true: the desired speed is the vessel's when the behavior begins to run",
        aliases=("spd_on_active",),
    )
    mod_speed: float | None = parameter(
        "0", change, "change of the desired speed [m/s]; reset: return to speed"
    )
    stem_hdg: float | None = parameter("", Number(), "heading to zig-zag about [deg]")
    stem_on_active: bool = parameter(
        "false", boolean, "true: the stem is the vessel's heading when the behavior begins to run"
    )
    zig_angle: float | None = parameter(
        "", Number(low=1, high=75), "angle between set heading and stem [deg]; required"
    )
    zig_first: str = parameter(
        "port", Choice(*SIDES), "side of the first leg: port or left, star or right"
    )
    hdg_thresh: float = parameter(
        "0", Number(low=0), "a leg ends within this angle of the set heading [deg]"
    )
    max_zig_legs: int = parameter("2", Whole(low=0), "complete after this number of legs plus one")
    max_zig_zags: int = parameter(
        "0",
        Whole(low=0),
        "complete after this number of pairs of legs plus one leg; 0: by max_zig_legs",
    )
    max_stem_odo: float = parameter(
        "0", Number(low=0), "distance along the stem after which it completes [m]; 0: never"
    )
    fierce_zigging: bool = parameter(
        "false",
        boolean,
        "true: prefer a course at an offset from the present heading instead of the set heading",
    )
    zig_angle_fierce: float = parameter(
        "0",
        Number(low=0, high=120),
        "offset from the present heading with fierce_zigging [deg]; 0: zig_angle",
        aliases=("delta_heading",),
    )
    zigflag: tuple[Flag, ...] = flags("posted at the end of each leg", "zig_flag")
    zagflag: tuple[Flag, ...] = flags("posted at the end of every second leg", "zag_flag")
    portflag: tuple[Flag, ...] = flags("posted when a leg to port begins", "port_flag")
    starflag: tuple[Flag, ...] = flags("posted when a leg to starboard begins", "star_flag")
    portflagx: tuple[Flag, ...] = flags("posted when a leg to port ends", "port_flagx")
    starflagx: tuple[Flag, ...] = flags("posted when a leg to starboard ends", "star_flagx")
    draw_set_hdg: bool = parameter("true", boolean, "false: do not draw the set heading")
    draw_req_hdg: bool = parameter("true", boolean, "false: do not draw the desired course")
    visual_hints: tuple[Hints, ...] = hints(HINTS)


class ZigZag(Behavior[ZigZagSettings]):
    """Prefers a set heading to one side of the stem until it is reached, then to the other side.

    A leg ends when the set heading is reached or passed. The behavior completes one leg after the
    maximum number of legs, as in MOOS-IvP, or after `max_stem_odo`. Draws the set heading and the
    desired course as `VIEW_SEGLIST`.

    Macros: `ODO` `ZIG_ODO` `ZAG_ODO` distance made in all, on this leg and on this pair of legs
    [m]; `STEM_ODO` `STEM_DIST` distance along the stem, and off it [m]; `ZIGS` `ZAGS` completed
    legs and pairs, `ZIGS_EVER` `ZAGS_EVER` those since the start of the helm, `ZIGS_TOGO`
    `ZAGS_TOGO` those remaining; `ZIG_SIDE` (port, star or stem) `ZIG_PORT` `ZIG_STAR` (true, false)
    side of the present leg; `STEM_HDG` the stem [deg]; `STEM_SPD` the speed without `mod_speed`;
    `ZIG_START_SPD` the vessel's speed at the start of this leg, `ZIG_MIN_SPD` the lowest since,
    `ZIG_SPD_DELTA` the loss [m/s].
    """

    publications = (VIEW_SEGLIST,)
    settings_class = ZigZagSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._begun = False
        self._zigs = self._zigs_ever = 0
        self._side = -1.0  # 1 to starboard, -1 to port
        self._stem = self._speed = self._reported_speed = self._zig_speed = self._slowest = 0.0
        self._origin: Point = (0.0, 0.0)
        self._way, self._zig_way, self._zag_way = Way(), Way(), Way()

    def check(self, settings: ZigZagSettings, fields: frozenset[str]) -> None:
        if settings.zig_angle is None:
            raise SettingError("zig_angle", "", "expected an angle from 1 to 75 degrees")
        if settings.stem_hdg is None and not settings.stem_on_active:
            raise SettingError("stem_hdg", "", "expected a heading, or stem_on_active = true")

    def configured(self, fields: frozenset[str]) -> None:
        s = self.settings
        if "speed" in fields:
            self._speed = self._reported_speed = self.capped(s.speed)
        if "mod_speed" in fields:
            change = self._reported_speed - self._speed if s.mod_speed is None else s.mod_speed
            self._speed = self.capped(max(0.0, self._speed + change))
        if self._begun and "stem_hdg" in fields and s.stem_hdg is not None:
            self._stem = s.stem_hdg % 360
        self._hints = hinted(s.visual_hints, HINTS)

    def on_run_to_idle(self) -> None:
        self._begun = False

    def run(self) -> Function | None:
        ship = self.world.ownship
        here = ship.place
        if not self._begun:
            self._begin(here)
        for way in (self._way, self._zig_way, self._zag_way):
            way.move(here)
        self._slowest = min(self._slowest, ship.speed)
        left = self._side * turn(ship.heading, self._set_heading)
        if left <= self.settings.hdg_thresh:
            self._end_leg(here)
        if self._is_done:
            self._begun = False
            self.withdraw()
            self.complete()
            return None
        self._draw(here)
        return steer(self.world.domain, self._desired_course, self._speed)

    def _begin(self, here: Point) -> None:
        s, ship = self.settings, self.world.ownship
        self._begun, self._zigs, self._origin = True, 0, here
        given = None if s.stem_on_active else s.stem_hdg
        self._stem = (ship.heading if given is None else given) % 360
        if s.speed_on_active:
            self._speed = self._reported_speed = self.capped(ship.speed)
        self._side = -1.0 if SIDES[s.zig_first] == "port" else 1.0
        self._way, self._zag_way = Way(here), Way(here)
        self._begin_leg(here)

    def _begin_leg(self, here: Point) -> None:
        s, speed = self.settings, self.world.ownship.speed
        self._zig_way, self._zig_speed, self._slowest = Way(here), speed, speed
        self.post_flags(s.portflag if self._side < 0 else s.starflag)

    def _end_leg(self, here: Point) -> None:
        s = self.settings
        self._zigs += 1
        self._zigs_ever += 1
        self.post_flags(s.zigflag)
        if self._zigs % 2 == 0:
            self.post_flags(s.zagflag)
        self.post_flags(s.portflagx if self._side < 0 else s.starflagx)
        if self._zigs % 2 == 0:
            self._zag_way = Way(here)
        self._side = -self._side
        if not self._is_done:
            self._begin_leg(here)

    @property
    def _is_done(self) -> bool:
        most = self.settings.max_stem_odo
        return self._zigs > self._max_legs or 0 < most <= self._stem_distance

    @property
    def _max_legs(self) -> int:
        """The maximum number of legs, to which one more is added."""
        return 2 * self.settings.max_zig_zags or self.settings.max_zig_legs

    @property
    def _set_heading(self) -> float:
        return self._stem + self._side * (self.settings.zig_angle or 0.0)

    @property
    def _desired_course(self) -> float:
        s = self.settings
        if not s.fierce_zigging:
            return self._set_heading
        return self.world.ownship.heading + self._side * (s.zig_angle_fierce or s.zig_angle or 0.0)

    @property
    def _stem_distance(self) -> float:
        """The distance made along the stem [m]."""
        return abs(self._distance_along(0.0))

    def _distance_along(self, angle: float) -> float:
        """Return the distance from the start in a direction relative to the stem [m]."""
        direction = radians(self._stem + angle)
        x, y = self.world.ownship.x - self._origin[0], self.world.ownship.y - self._origin[1]
        return x * sin(direction) + y * cos(direction)

    def _draw(self, here: Point) -> None:
        s = self.settings
        shown = {"set": s.draw_set_hdg, "req": s.draw_req_hdg}
        for which, heading in (("set", self._set_heading), ("req", self._desired_course)):
            if not shown[which] or not boolean(self._hints[f"draw_{which}_hdg"]):
                continue
            color = self._hints[f"{which}_hdg_color"]
            hints = self._hints | {"edge_color": color, "vertex_color": color}
            line = (here, project(here, heading, DRAWN))
            look = look_of(hints, f"{self.label}_{which}")
            self.post("VIEW_SEGLIST", view.seglist(line, look), which)

    def withdraw(self) -> None:
        for which in ("set", "req"):
            self.post("VIEW_SEGLIST", view.erased_seglist(f"{self.label}_{which}"), which)

    def own_macros(self) -> dict[str, Callable[[], str]]:
        def left() -> int:
            return max(0, self._max_legs - self._zigs)

        def side() -> str:
            return ("port" if self._side < 0 else "star") if self._begun else "stem"

        return {
            "ODO": lambda: trimmed(self._way.made, 2),
            "ZIG_ODO": lambda: trimmed(self._zig_way.made, 2),
            "ZAG_ODO": lambda: trimmed(self._zag_way.made, 2),
            "STEM_ODO": lambda: trimmed(self._stem_distance, 2),
            "STEM_DIST": lambda: trimmed(abs(self._distance_along(90.0)), 2),
            "ZIGS": lambda: str(self._zigs),
            "ZAGS": lambda: str(self._zigs // 2),
            "ZIGS_EVER": lambda: str(self._zigs_ever),
            "ZAGS_EVER": lambda: str(self._zigs_ever // 2),
            "ZIGS_TOGO": lambda: str(left()),
            "ZAGS_TOGO": lambda: str((left() + 1) // 2),
            "ZIG_SIDE": side,
            "ZIG_PORT": lambda: str(side() == "port").lower(),
            "ZIG_STAR": lambda: str(side() == "star").lower(),
            "STEM_HDG": lambda: trimmed360(self._stem, 2),
            "STEM_SPD": lambda: trimmed(self._reported_speed, 2),
            "ZIG_START_SPD": lambda: trimmed(self._zig_speed, 2),
            "ZIG_MIN_SPD": lambda: trimmed(self._slowest, 2),
            "ZIG_SPD_DELTA": lambda: trimmed(self._zig_speed - self._slowest, 2),
        }
