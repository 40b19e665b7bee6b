"""Common to the station-keeping behaviors: check of the station, speed by distance, a post."""

from __future__ import annotations

from collections.abc import Iterator

from steerageway.declarations import variables
from steerageway.moos.seglist import Point

DIST_TO_STATION = variables.number(
    "DIST_TO_STATION",
    "distance to the station of a `BHV_StationKeep` or `BHV_RubberBand`",
    unit="m",
    range=">= 0",
    when="on change",
)


NO_STATION = "STATION_POINT_NOT_SET"  # MOOS-IvP's warning of a behavior that runs without one


def station_doubts(
    point: Point | None, here: bool, updates: str | None
) -> Iterator[tuple[str, str]]:
    """Yield a warning of settings without a station, ``center_activate`` or updates."""
    if point is None and not here and updates is None:
        yield "station_pt", "has no station_pt = x,y and no center_activate: it has no influence"


def ramped_speed(away: float, inner: float, outer: float, speed: float) -> float:
    """Return the speed between two circles: linear from 0 on the inner to ``speed`` on the outer.

    Args:
        away: from their centre, between the radii [m].
        inner, outer: radii [m], inner < outer.
        speed: [m/s].
    """
    return (away - inner) / (outer - inner) * speed
