"""Parameters of ``BHV_Loiter``: polygon, speed, direction, capture and acquire distances."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.helm.behaviors.waypoint.settings import suffix
from steerageway.apps.helm.readers import boolean, choice, number
from steerageway.apps.helm.settings import CommonSettings, parameter, repeated
from steerageway.apps.helm.shapes import HintReader, Hints, point
from steerageway.moos.polygon import Polygon, parse_polygon
from steerageway.moos.seglist import Point

PRESENT = "present_position"

HINTS = {
    "vertex_size": "1",
    "edge_size": "1",
    "vertex_color": "dodger_blue",
    "edge_color": "white",
    "label_color": "white",
    "label": "",
    "nextpt_color": "yellow",
    "nextpt_lcolor": "aqua",
    "nextpt_vertex_size": "5",
}


def capitals(text: str) -> str:
    """Read a suffix, in capitals, with an underscore in front."""
    return suffix(text).upper()


def center(text: str) -> Point | str:
    """Read a point, or present_position."""
    return PRESENT if text.lower() == PRESENT else point(text)


@dataclass
class LoiterSettings(CommonSettings):
    """The behavior's parameters."""

    polygon: Polygon | None = parameter(  # noqa: RUF009
        "", parse_polygon, "convex polygon to go round"
    )
    speed: float = parameter("0", number(low=0), "cruise speed, at most the domain's [m/s]")
    speed_alt: float = parameter("-1", number(low=-1), "alternate cruise speed [m/s]; -1: none")
    use_alt_speed: bool = parameter("false", boolean, "true: cruise at speed_alt, if it is given")
    clockwise: str = parameter(
        "true",
        choice("true", "false", "best"),
        "true, false, or best: as it takes the smaller turn to begin, whenever it was idle before",
    )
    best_on_start: bool = parameter(
        "false", boolean, "true: best counts too when it runs from its first iteration on"
    )
    capture_radius: float = parameter(
        "3", number(above=0), "a corner nearer than this is reached [m]", aliases=("radius",)
    )
    slip_radius: float = parameter(
        "15",
        number(low=0),
        "a corner that was as near as this is reached when the distance grows [m]",
        aliases=("nm_radius",),
    )
    acquire_dist: float = parameter(
        "10",
        number(low=0),
        "farther than this from the edge, a new way in is sought [m]",
        aliases=("acquire_distance",),
    )
    patience: float = parameter(
        "50", number(low=1, high=99), "weight of the course beside the speed"
    )
    ipf_type: str = parameter(
        "zaic",
        choice("zaic", "zaic_spd"),
        "zaic, or zaic_spd: slower is better than faster",
        aliases=("ipf-type",),
    )
    center_assign: Point | str | None = parameter(  # noqa: RUF009
        "", center, "move the polygon's centre to x,y or to present_position"
    )
    xcenter_assign: float | None = parameter("", number(), "move it east or west only [m]")
    ycenter_assign: float | None = parameter("", number(), "move it north or south only [m]")
    center_activate: bool = parameter(
        "false", boolean, "true: move it to where the vessel is whenever it begins to run"
    )
    mod_poly_rad: float | None = parameter(
        "", number(), "enlarge the polygon's radius, or make it smaller, but not below 5 m [m]"
    )
    spiral_factor: float = parameter(
        "-2", number(), "inside: added to the turn at the corner ahead; < 0 favours it [deg]"
    )
    slingshot: float = parameter(
        "-1", number(low=-1), "complete after so much of the way round the centre [deg]; -1: never"
    )
    post_suffix: str | None = parameter("", capitals, "appended to the variables, in capitals")
    visual_hints: tuple[Hints, ...] = repeated(
        HintReader(HINTS), "key=value,key=value: sizes and colours of what is drawn; repeatable"
    )
