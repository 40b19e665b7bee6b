"""Parameters of ``BHV_Loiter``: polygon, speed, direction, capture and acquire distances."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.declarations import Choice, Number, boolean
from steerageway.helm.behaviors.waypoint.settings import WaypointSettings, suffix
from steerageway.helm.settings import CommonSettings, parameter, same_as
from steerageway.helm.shapes import Hints, convex_polygon, hints, point
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key

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
