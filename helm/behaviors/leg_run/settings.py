"""Parameters of ``BHV_LegRun``: legs, turns, speed schedule, flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import ClassVar, NamedTuple

from steerageway.declarations import Choice, Number, Whole, all_finite, boolean
from steerageway.helm.behaviors.waypoint.settings import FOREVER, line, repeats
from steerageway.helm.flags import Flag
from steerageway.helm.settings import CommonSettings, flags, parameter
from steerageway.helm.shapes import Hints, hints, point
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, split_first

TURNS = ("turn1", "turn2")
SIDE = Choice("port", "star", "starboard")
HINTS = by_key(
    "vertex_size=3,edge_size=1,vertex_color=dodger_blue,edge_color=gray60,label_color=off,"
    "nextpt_vertex_size=3,nextpt_vertex_color=yellow,nextpt_label_color=aqua,legpt_vertex_size=7,"
    "legpt_vertex_color=orange,legpt_label_color=off,turn_vertex_size=2,turn_edge_size=1,"
    "turn_vertex_color=gray70,turn_edge_color=gray30,turn_label_color=off"
)


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
    values = all_finite(numbers)
    if values is None or len(values) != 4 or values[3] <= 0:
        raise ValueError("expected x:y:angle:length, or x=,y=,ang=,len=, with a length above 0")
    x, y, angle, length = values
    return Leg((x, y), angle, length)


def end_point(text: str) -> Point:
    """Read x,y or x:y."""
    place: Point = point(text if "," in text else text.replace(":", ","))
    return place


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


TIMES = Whole(low=1, high=10_000)


def _speeds(text: str) -> tuple[float, ...]:
    read, found = Number(low=0), []
    for item in text.split(","):
        count, speed = split_first(item, ":") if ":" in item else ("1", item.strip())
        found += TIMES(count) * [read(speed)]
    return tuple(found)


@dataclass
class LegRunSettings(CommonSettings):
    """The behavior's parameters."""

    clipped = ("patience",)

    without_effect: ClassVar[Mapping[str, str]] = {
        **CommonSettings.without_effect,
        "id": "what is drawn has the vessel's name",
    }
    p1: Point | None = parameter("", end_point, "end point of leg 1, x,y [m]", aliases=("vx1",))
    p2: Point | None = parameter("", end_point, "end point of leg 2, x,y [m]", aliases=("vx2",))
    leg: Leg | None = parameter(
        "",
        leg,
        "x:y:angle:length or x=,y=,ang=,len= instead: centre, bearing of p2 from p1, length [m, "
        "deg]",
        aliases=("full_leg",),
    )
    leg_len: float | None = parameter(
        "", Number(above=0), "new length of the leg, same centre [m]", aliases=("leg_length",)
    )
    leg_len_mod: float | None = parameter(
        "", Number(), "change of the leg's length, same centre [m]", aliases=("leg_length_mod",)
    )
    leg_ang: float | None = parameter(
        "", Number(), "new bearing of p2 from p1 [deg]", aliases=("leg_angle",)
    )
    leg_ang_mod: float | None = parameter(
        "", Number(), "rotation of the leg about its centre [deg]", aliases=("leg_angle_mod",)
    )
    shift_pt: Point | None = parameter(
        "", end_point, "new centre of the leg, x,y [m]", aliases=("shift_point",)
    )
    turn1_rad: float | None = parameter("", Number(above=0), "radius of the turn at p1 [m]")
    turn2_rad: float | None = parameter("", Number(above=0), "radius of the turn at p2 [m]")
    turn_rad: float | None = parameter(
        "",
        Number(above=0),
        "radius of both turns, unless set individually; required if either is not [m]",
    )
    turn1_rad_mod: float | None = parameter("", Number(), "added to the radius at p1 [m]")
    turn2_rad_mod: float | None = parameter("", Number(), "added to the radius at p2 [m]")
    turn_rad_mod: float | None = parameter("", Number(), "added to both radii [m]")
    turn_rad_min: float = parameter("2", Number(above=0), "minimum radius [m]")
    turn1_ext: float = parameter(
        "0", Number(low=0), "distance beyond p1 at which its turn begins [m]"
    )
    turn2_ext: float = parameter(
        "0", Number(low=0), "distance beyond p2 at which its turn begins [m]"
    )
    turn_ext: float | None = parameter(
        "", Number(low=0), "extent of both turns, unless set individually [m]"
    )
    turn1_ext_mod: float | None = parameter("", Number(), "added to turn1_ext [m]")
    turn2_ext_mod: float | None = parameter("", Number(), "added to turn2_ext [m]")
    turn_ext_mod: float | None = parameter("", Number(), "added to both extents [m]")
    turn1_bias: float = parameter(
        "0",
        Number(low=-100, high=100),
        "shift of turn 1 away from its side, in percent of its radius [%]",
    )
    turn2_bias: float = parameter(
        "0",
        Number(low=-100, high=100),
        "shift of turn 2 away from its side, in percent of its radius [%]",
    )
    turn_bias: float | None = parameter(
        "", Number(low=-100, high=100), "bias of both turns, unless set individually [%]"
    )
    turn1_bias_mod: float | None = parameter("", Number(), "added to turn1_bias [%]")
    turn2_bias_mod: float | None = parameter("", Number(), "added to turn2_bias [%]")
    turn_bias_mod: float | None = parameter("", Number(), "added to both biases [%]")
    turn1_dir: str = parameter("port", SIDE, "side of turn 1: port or star")
    turn2_dir: str = parameter("port", SIDE, "side of turn 2: port or star")
    turn_dir: str | None = parameter("", SIDE, "side of both turns, unless set individually")
    turn_pt_gap: float = parameter(
        "20",
        Number(low=0.1),
        "angular spacing of a turn's points, seen from the arcs' centres [deg]",
    )
    speed: float = parameter("0", Number(low=0), "cruise speed [m/s]; at most the domain's maximum")
    leg_spds: Schedule | None = parameter(
        "",
        schedule,
        "2:1.5,2: speeds of the legs after the first, twice 1.5 and then 2 [m/s]; updates "
        "append to "
        "them; replace,2:1.5,2: replace them; clear: remove them; reset: start with the first",
    )
    leg_spds_repeat: bool = parameter("false", boolean, "true: repeat leg_spds after the last")
    leg_spds_onturn: bool = parameter(
        "false", boolean, "true: a turn has the speed of the leg before it"
    )
    patience: float = parameter(
        "50", Number(low=1, high=99), "weight of the course relative to the speed [%]"
    )
    init_leg_mode: str = parameter(
        "fixed",
        Choice("fixed", "close_turn", "far_turn"),
        "first leg: fixed (leg 1), close_turn (to the nearer end) or far_turn (to the other end)",
    )
    repeat: int | str = parameter(
        "0", repeats, "number of additional rounds before the endflags, or forever"
    )
    capture_radius: float = parameter(
        "3", Number(above=0), "capture radius of a point [m]", aliases=("radius",)
    )
    slip_radius: float = parameter(
        "15", Number(low=0), "within this range, a point is also reached once the range opens [m]"
    )
    capture_line: str = parameter(
        "false", line, "true: a point is also reached when abeam; absolute: only when abeam"
    )
    lead: float = parameter(
        "-1",
        Number(),
        "steer to a point this far ahead on the leg's line [m]; <= 0: to the end point",
    )
    lead_damper: float = parameter(
        "-1",
        Number(),
        "distance to the line within which lead grows, up to threefold on it [m]; <= 0: never",
    )
    mid_leg_pct: float = parameter(
        "25",
        Number(low=0, high=100),
        "part of a leg after which midlegflags are posted [%]",
        aliases=("mid_pct",),
    )
    mid_turn_pct: float = parameter(
        "25", Number(low=0, high=100), "part of a turn after which midturnflags are posted [%]"
    )
    midlegflag: tuple[Flag, ...] = flags(
        "posted after mid_leg_pct of a leg", "mid_leg_flag", "midflag"
    )
    midturnflag: tuple[Flag, ...] = flags("posted after mid_turn_pct of a turn", "mid_turn_flag")
    leg_endflag: tuple[Flag, ...] = flags("posted at the end of a leg", "leg_end_flag", "legflag")
    leg1_endflag: tuple[Flag, ...] = flags("posted at the end of leg 1", "leg1_end_flag")
    leg2_endflag: tuple[Flag, ...] = flags("posted at the end of leg 2", "leg2_end_flag")
    turn_endflag: tuple[Flag, ...] = flags("posted at the end of a turn", "turn_end_flag")
    turn1_endflag: tuple[Flag, ...] = flags("posted at the end of turn 1", "turn1_end_flag")
    turn2_endflag: tuple[Flag, ...] = flags("posted at the end of turn 2", "turn2_end_flag")
    visual_hints: tuple[Hints, ...] = hints(HINTS)

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
