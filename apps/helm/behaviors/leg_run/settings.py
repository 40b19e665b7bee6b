"""Parameters of ``BHV_LegRun``: legs, turns, speed schedule, flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import ClassVar, NamedTuple

from steerageway.apps.helm.behaviors.waypoint.settings import FOREVER, line, repeats
from steerageway.apps.helm.flags import Flag
from steerageway.apps.helm.readers import boolean, choice, number
from steerageway.apps.helm.settings import CommonSettings, flags, parameter, repeated
from steerageway.apps.helm.shapes import HintReader, Hints, point
from steerageway.moos.seglist import Point
from steerageway.moos.values import bite, by_key, is_numeral

TURNS = ("turn1", "turn2")
SIDE = choice("port", "star", "starboard")
HINTS = {
    "vertex_size": "3",
    "edge_size": "1",
    "vertex_color": "dodger_blue",
    "edge_color": "gray60",
    "label_color": "off",
    "nextpt_vertex_size": "3",
    "nextpt_vertex_color": "yellow",
    "nextpt_label_color": "aqua",
    "legpt_vertex_size": "7",
    "legpt_vertex_color": "orange",
    "legpt_label_color": "off",
    "turn_vertex_size": "2",
    "turn_edge_size": "1",
    "turn_vertex_color": "gray70",
    "turn_edge_color": "gray30",
    "turn_label_color": "off",
}


class Leg(NamedTuple):
    """A leg: its centre, the bearing from its first to its second point [deg], its length [m]."""

    center: Point
    angle: float
    length: float


def leg(text: str) -> Leg:
    """Read x:y:ang:len, or x=,y=,ang=,len= in any order."""
    numbers = [field.strip() for field in text.split(":")]
    if "=" in text:
        fields = by_key(text)
        numbers = [fields.pop(key, "") for key in ("x", "y", "ang", "len")] + [*fields]
    if len(numbers) != 4 or not all(map(is_numeral, numbers)) or float(numbers[3]) <= 0:
        raise ValueError("expected x:y:angle:length, or x=,y=,ang=,len=, with a length above 0")
    x, y, angle, length = map(float, numbers)
    return Leg((x, y), angle, length)


def end_point(text: str) -> Point:
    """Read x,y or x:y."""
    return point(text if "," in text else text.replace(":", ","))


@dataclass(frozen=True)
class Schedule:
    """Speeds of the next legs [m/s], appended to earlier ones or replacing them.

    Attributes:
        clear: discard earlier speeds.
        again: the next leg takes the first speed of the schedule.
    """

    speeds: tuple[float, ...] = ()
    clear: bool = False
    again: bool = False


def schedule(text: str) -> Schedule:
    """Read 2:1.5,2: twice 1.5, then 2; or replace,2:1.5,2; or clear; or reset."""
    how, _, rest = text.lower().partition(",")
    if how.strip() == "replace":
        return Schedule(_speeds(rest), clear=True, again=True)
    if text.lower() in ("clear", "reset"):
        return Schedule(clear=text.lower() == "clear", again=True)
    return Schedule(_speeds(text))


def _speeds(text: str) -> tuple[float, ...]:
    read, found = number(low=0), []
    for item in text.split(","):
        count, speed = bite(item, ":") if ":" in item else ("1", item.strip())
        if not count.isdecimal() or int(count) == 0:
            raise ValueError("expected speeds as 2:1.5,2, which is twice 1.5 and then 2")
        found += int(count) * [read(speed)]
    return tuple(found)


@dataclass
class LegRunSettings(CommonSettings):
    """The behavior's parameters."""

    without_effect: ClassVar[Mapping[str, str]] = {
        **CommonSettings.without_effect,
        "id": "what is drawn has the behavior's name",
    }
    p1: Point | None = parameter(  # noqa: RUF009
        "", end_point, "the end of leg 1, x,y", aliases=("vx1",)
    )
    p2: Point | None = parameter(  # noqa: RUF009
        "", end_point, "the end of leg 2, x,y", aliases=("vx2",)
    )
    leg: Leg | None = parameter(  # noqa: RUF009
        "",
        leg,
        "x:y:angle:length or x=,y=,ang=,len= instead: the centre, and the bearing of p2 from p1",
        aliases=("full_leg",),
    )
    leg_len: float | None = parameter(
        "", number(above=0), "another length, same centre [m]", aliases=("leg_length",)
    )
    leg_len_mod: float | None = parameter(
        "", number(), "longer by so much, same centre [m]", aliases=("leg_length_mod",)
    )
    leg_ang: float | None = parameter(
        "", number(), "another bearing of p2 from p1 [deg]", aliases=("leg_angle",)
    )
    leg_ang_mod: float | None = parameter(
        "", number(), "turn the leg about its centre [deg]", aliases=("leg_angle_mod",)
    )
    shift_pt: Point | None = parameter(  # noqa: RUF009
        "", end_point, "another centre x,y", aliases=("shift_point",)
    )
    turn1_rad: float | None = parameter("", number(above=0), "radius of the turn at p1 [m]")
    turn2_rad: float | None = parameter("", number(above=0), "radius of the turn at p2 [m]")
    turn_rad: float | None = parameter(
        "", number(above=0), "radius of both, where not told; one must be given [m]"
    )
    turn1_rad_mod: float | None = parameter("", number(), "added to the radius at p1 [m]")
    turn2_rad_mod: float | None = parameter("", number(), "added to the radius at p2 [m]")
    turn_rad_mod: float | None = parameter("", number(), "added to both radii [m]")
    turn_rad_min: float = parameter("2", number(above=0), "no radius is smaller [m]")
    turn1_ext: float = parameter("0", number(low=0), "the turn at p1 begins so far beyond [m]")
    turn2_ext: float = parameter("0", number(low=0), "the turn at p2 begins so far beyond [m]")
    turn_ext: float | None = parameter("", number(low=0), "both, where not told [m]")
    turn1_ext_mod: float | None = parameter("", number(), "added to turn1_ext [m]")
    turn2_ext_mod: float | None = parameter("", number(), "added to turn2_ext [m]")
    turn_ext_mod: float | None = parameter("", number(), "added to both [m]")
    turn1_bias: float = parameter(
        "0",
        number(low=-100, high=100),
        "turn 1 is shifted away from its side, 100: by its radius [%]",
    )
    turn2_bias: float = parameter(
        "0",
        number(low=-100, high=100),
        "turn 2 is shifted away from its side, 100: by its radius [%]",
    )
    turn_bias: float | None = parameter("", number(low=-100, high=100), "both, where not told [%]")
    turn1_bias_mod: float | None = parameter("", number(), "added to turn1_bias [%]")
    turn2_bias_mod: float | None = parameter("", number(), "added to turn2_bias [%]")
    turn_bias_mod: float | None = parameter("", number(), "added to both [%]")
    turn1_dir: str = parameter("port", SIDE, "turn 1 is to port or star")
    turn2_dir: str = parameter("port", SIDE, "turn 2 is to port or star")
    turn_dir: str | None = parameter("", SIDE, "side of both, where not told")
    turn_pt_gap: float = parameter(
        "20", number(above=0), "angle between points of a turn, from its arcs' centres [deg]"
    )
    speed: float = parameter("0", number(low=0), "cruise speed, at most the domain's [m/s]")
    leg_spds: Schedule | None = parameter(  # noqa: RUF009
        "",
        schedule,
        "2:1.5,2: speeds after the first leg, twice 1.5 and then 2; updates add to them, or say "
        "replace,2:1.5,2; clear; reset: begin again [m/s]",
    )
    leg_spds_repeat: bool = parameter("false", boolean, "true: these begin again after the last")
    leg_spds_onturn: bool = parameter("false", boolean, "true: a turn has the speed of its leg")
    patience: float = parameter(
        "50", number(low=1, high=99), "weight of the course beside the speed"
    )
    init_leg_mode: str = parameter(
        "fixed",
        choice("fixed", "close_turn", "far_turn"),
        "the first leg: fixed: 1; close_turn, far_turn: to the nearer end, to the other",
    )
    repeat: int | str = parameter("0", repeats, "endflags come after so many rounds more; forever")
    capture_radius: float = parameter(
        "3", number(above=0), "a point nearer than this is reached [m]", aliases=("radius",)
    )
    slip_radius: float = parameter(
        "15", number(low=0), "a point as near is reached when the distance grows [m]"
    )
    capture_line: str = parameter(
        "false", line, "true: a point is reached when level with it, too; absolute: only then"
    )
    lead: float = parameter("-1", number(), "steer this far ahead on the leg's line [m]; <= 0: no")
    lead_damper: float = parameter(
        "-1", number(), "up to three times as far when nearer to the line [m]; <= 0: no"
    )
    mid_leg_pct: float = parameter(
        "25", number(low=0, high=100), "where midlegflags come [%]", aliases=("mid_pct",)
    )
    mid_turn_pct: float = parameter("25", number(low=0, high=100), "where midturnflags come [%]")
    midlegflag: tuple[Flag, ...] = flags(
        "posted part of the way along a leg", "mid_leg_flag", "midflag"
    )
    midturnflag: tuple[Flag, ...] = flags("posted part of the way along a turn", "mid_turn_flag")
    leg_endflag: tuple[Flag, ...] = flags("posted at the end of a leg", "leg_end_flag", "legflag")
    leg1_endflag: tuple[Flag, ...] = flags("posted at the end of leg 1", "leg1_end_flag")
    leg2_endflag: tuple[Flag, ...] = flags("posted at the end of leg 2", "leg2_end_flag")
    turn_endflag: tuple[Flag, ...] = flags("posted at the end of a turn", "turn_end_flag")
    turn1_endflag: tuple[Flag, ...] = flags("posted at the end of turn 1", "turn1_end_flag")
    turn2_endflag: tuple[Flag, ...] = flags("posted at the end of turn 2", "turn2_end_flag")
    visual_hints: tuple[Hints, ...] = repeated(
        HintReader(HINTS), "key=value,key=value: sizes and colours of what is drawn; repeatable"
    )

    def settle(self, assigned: frozenset[str]) -> None:
        for one in TURNS:
            for what in ("rad", "ext", "bias", "dir"):
                if f"turn_{what}" in assigned and f"{one}_{what}" not in assigned:
                    setattr(self, f"{one}_{what}", getattr(self, f"turn_{what}"))
            self._modify(one, "rad", assigned, self.turn_rad_min)
            self._modify(one, "ext", assigned, 0.0)
            self._modify(one, "bias", assigned, -100.0, 100.0)

    def _modify(
        self, turn: str, what: str, assigned: frozenset[str], low: float, high: float = inf
    ) -> None:
        """Apply the ``_mod`` parameters of this turn and of both turns."""
        lines = [name for name in (f"turn_{what}_mod", f"{turn}_{what}_mod") if name in assigned]
        more = sum(getattr(self, name) or 0.0 for name in lines)
        if more:
            value = getattr(self, f"{turn}_{what}") or 0.0
            setattr(self, f"{turn}_{what}", min(high, max(low, value + more)))

    @property
    def repeats(self) -> int | None:
        """Number of additional rounds before the endflags; None: unlimited."""
        return None if self.repeat == FOREVER else int(self.repeat)
