"""Parameters of ``BHV_Waypoint``: points, speed, arrival, lead, posts, flags, drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from steerageway.declarations import Choice, Doubted, Number, Whole, boolean, truth, word
from steerageway.helm.flags import Flag
from steerageway.helm.geometry import distance
from steerageway.helm.readers import condition
from steerageway.helm.settings import CommonSettings, flags, parameter, repeated
from steerageway.helm.shapes import HintReader, Hints, hinted, point
from steerageway.moos.condition import Condition
from steerageway.moos.polygon import PolygonError, parse_polygon
from steerageway.moos.seglist import Point, SegListError, parse_seglist
from steerageway.moos.values import by_key, pairs

START = "start"
SHAPE = re.compile(r"format\s*=|^\w+\s*:", re.IGNORECASE)  # a polygon described by its dimensions
_FORMAT = re.compile(r"format\s*=", re.IGNORECASE)
FOREVER = "forever"
SILENT = "silent"

HINTS = by_key(
    "vertex_size=3,edge_size=1,vertex_color=dodger_blue,edge_color=white,label_color=white,"
    "nextpt_color=yellow,nextpt_lcolor=aqua,nextpt_vertex_size=5,trackpt_color=yellow,"
    "trackpt_lcolor=aqua,trackpt_vertex_size=4"
)


class EndSpeed(NamedTuple):
    """Distances before the end at which to slow down (``slow``) and to stop (``stop``) [m]."""

    slow: float
    stop: float


class Corners(tuple[Point, ...]):
    """The vertices of a polygon in order; any of them may be the first."""

    __slots__ = ()

    def begun_at(self, here: Point) -> tuple[Point, ...]:
        """Return them in order, starting with the one nearest to a position."""
        first = min(range(len(self)), key=lambda index: distance(self[index], here))
        return self[first:] + self[:first]


def _points(text: str) -> tuple[tuple[Point, ...] | str, Iterable[str]]:
    """Read points, and what is doubtful about their text.

    They are a list, a single point, a polygon described by its dimensions, "start" for the vessel's
    first position, or "empty".
    """
    if text.lower() == START:
        return START, ()
    if text.lower() == "empty":
        return (), ()
    try:
        found = parse_seglist(text)
        return found.points, found.doubts
    except SegListError as error:
        if _FORMAT.search(text):
            return _corners(text, error), ()
        with suppress(ValueError):
            return (point(text),), tuple(point.doubts(text))
        if not SHAPE.search(text):
            raise
        return _corners(text, error), ()


def _corners(text: str, error: SegListError) -> Corners:
    try:
        return Corners(parse_polygon(text).points)
    except PolygonError as other:
        raise ValueError(f"{error}; or, of a polygon, {other}") from other


point_list = Doubted(lambda text: _points(text)[0], lambda text: _points(text)[1])
"""Reads points to visit."""


def repeats(text: str) -> int | str:
    """Read a number of repetitions, or forever."""
    return FOREVER if text.lower() == FOREVER else Whole(low=0)(text)


def line(text: str) -> str:
    """Read true, false (in any of their spellings), or absolute."""
    value = truth(text)
    if value is None and text.lower() != "absolute":
        raise ValueError("expected one of true, false, absolute")
    return "absolute" if value is None else str(value).lower()


def variable(text: str) -> str:
    """Read a variable's name, or "silent" in any case for none."""
    return SILENT if text.lower() == SILENT else word(text)


def suffix(text: str) -> str:
    """Read a suffix, with an underscore in front."""
    return text if not text or text.startswith("_") else f"_{word(text)}"


def suffixed(name: str, settings: Any) -> str:
    """Return a variable's name with the ``post_suffix`` of a behavior's settings."""
    return name + (settings.post_suffix or "")


def end_speed(text: str) -> EndSpeed:
    """Read slow_dist=25,stop_dist=1."""
    fields = dict(pairs(text))
    read = Number(low=0)
    if set(fields) != {"slow_dist", "stop_dist"}:
        raise ValueError("expected slow_dist=METRES,stop_dist=METRES")
    end = EndSpeed(read(fields["slow_dist"]), read(fields["stop_dist"]))
    if end.slow <= end.stop:
        raise ValueError("expected slow_dist above stop_dist")
    return end


@dataclass
class WaypointSettings(CommonSettings):
    """The behavior's parameters."""

    by_leading_number = (
        *("capture_radius", "slip_radius", "crs_spd_zaic_ratio", "lead_damper", "currix"),
    )
    default_for_others = ("perpetual", "ipf_type", "greedy_tour", "use_alt_speed")

    points: tuple[Point, ...] | str | None = parameter(
        "",
        point_list,
        "points to visit: `x,y : x,y` (a third number, or `heading=90`, is ignored), "
        "`pts={x,y:x,y}`, `zigzag:...`, `format=lawnmower,...`, `format=bowtie,...`; the "
        "vertices of a polygon, e.g. `format=radial,...`, starting with the nearest; `start`: the "
        "vessel's first position; `empty`: none until an update. New points restart the list",
        aliases=("polygon", "point", "newpt"),
    )
    xpoints: tuple[Point, ...] | str | None = parameter(
        "", point_list, "the same number of new points; the index of the next point is kept"
    )
    speed: float = parameter(
        "0",
        Number(low=0),
        "cruise speed [m/s]; at most the domain's maximum, with a warning if above",
    )
    speed_alt: float = parameter("-1", Number(low=-1), "alternate cruise speed [m/s]; -1: none")
    use_alt_speed: bool = parameter("false", boolean, "true: cruise at speed_alt, if it is set")
    capture_radius: float = parameter(
        "3",
        Number(above=0),
        "capture radius: a point is reached within it [m]",
        aliases=("radius",),
    )
    slip_radius: float = parameter(
        "15",
        Number(low=0),
        "slip radius: within it, a point is also reached once the range opens [m]",
        aliases=("nm_radius",),
    )
    capture_line: str = parameter(
        "false",
        line,
        "true: a point is also reached when abeam on the leg from the previous point; absolute: "
        "only then",
    )
    lead: float = parameter(
        "-1",
        Number(),
        "steer to a track point this far ahead on the leg's line [m]; 0 or less: to the next point",
    )
    lead_damper: float = parameter(
        "-1",
        Number(),
        "distance to the line within which lead grows, up to threefold on the line [m]; 0 or "
        "less: never",
    )
    lead_to_start: bool = parameter(
        "false", boolean, "true: the first leg's line begins at the vessel's position at the start"
    )
    lead_condition: tuple[Condition, ...] = repeated(
        condition, "condition for using lead; repeatable, all must hold"
    )
    order: str = parameter(
        "normal",
        Choice("normal", "reverse", "reversed", "toggle"),
        "reverse (reversed): visit the points backwards; toggle: change the direction",
    )
    repeat: int | str = parameter(
        "0",
        repeats,
        "number of repetitions of the points, or forever; above 0 the behavior is perpetual",
    )
    currix: int | None = parameter("", Whole(low=0), "index of the next point, from 0")
    greedy_tour: bool = parameter(
        "false",
        boolean,
        "true: reorder the points, each time going to the nearest one",
        aliases=("shortest_tour",),
    )
    ipf_type: str = parameter(
        "zaic",
        Choice("zaic", "zaic_spd", "roc", "rate_of_closure"),
        "zaic, zaic_spd (slower speeds preferred to faster ones), or roc (rate_of_closure)",
        aliases=("ipf-type",),
    )
    crs_spd_zaic_ratio: float = parameter(
        "50",
        Number(low=1, high=99),
        "weight of the course relative to the speed, 1 to 99 [%]",
        aliases=("patience",),
    )
    end_spd: EndSpeed | None = parameter(
        "",
        end_speed,
        "slow_dist=25,stop_dist=1: slow down to a stop between these distances before the end [m]",
    )
    wpt_status_var: str = parameter(
        "WPT_STAT",
        variable,
        "variable in which the status is posted, or silent",
        aliases=("wpt_status",),
    )
    wpt_index_var: str = parameter(
        "WPT_INDEX",
        variable,
        "variable in which the next point's index is posted, or silent",
        aliases=("wpt_index",),
    )
    cycle_index_var: str = parameter(
        "CYCLE_INDEX",
        variable,
        "variable in which the number of traversals is posted, or silent",
        aliases=("cycle_index",),
    )
    post_suffix: str | None = parameter(
        "", suffix, "suffix of these variables, of WPT_ODO and of WPT_EFF_*"
    )
    wpt_dist_to_prev: str = parameter(
        "silent",
        variable,
        "variable in which the distance to the previous point is posted; -1 when the behavior "
        "becomes idle",
    )
    wpt_dist_to_next: str = parameter(
        "silent",
        variable,
        "variable in which the distance to the next point is posted; -1 when the behavior "
        "becomes idle",
    )
    efficiency_measure: str = parameter(
        "off",
        Choice("off", "all"),
        "all: post WPT_EFF_DIST_, WPT_EFF_TIME_, WPT_EFF_SUMM_ LEG and ALL after each leg",
    )
    wptflag: tuple[Flag, ...] = flags("posted when a point is reached", "wpt_flag")
    cycleflag: tuple[Flag, ...] = flags("posted when the last point is reached", "cycle_flag")
    wptflag_on_start: bool = parameter(
        "false", boolean, "true: post wptflags also at the start of a traversal"
    )
    reset_on_idle: bool = parameter(
        "false", boolean, "true: restart with the first point after it was idle"
    )
    eager_prev_index_flag: bool = parameter(
        "false",
        boolean,
        "true: $[PI] in the first wptflags is the point at hand instead of -1",
    )
    draw_path_loop: bool = parameter("false", boolean, "true: draw the points as a closed loop")
    visual_hints: tuple[Hints, ...] = repeated(
        HintReader(HINTS),
        "key=value,key=value: sizes and colours of drawings: "
        f"{', '.join(f'{key} {value}' for key, value in HINTS.items())}; repeatable",
    )

    def doubts(self, assigned: frozenset[str]) -> Iterator[tuple[str, str]]:
        yield from super().doubts(assigned)
        if self.points is None and self.updates is None:
            yield "points", "has no points and takes no updates: it never has anything to do"

    def hint(self, key: str) -> str:
        """Return a visual hint: the last value set, or its default."""
        return hinted(self.visual_hints, HINTS)[key]
