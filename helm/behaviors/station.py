"""Common to the station-keeping behaviors: check of the station, speed by distance, a post."""

from __future__ import annotations

from steerageway.declarations import variables
from steerageway.helm.settings import SettingError
from steerageway.moos.seglist import Point

DIST_TO_STATION = variables.number(
    "DIST_TO_STATION",
    "distance to the station of a `BHV_StationKeep` or `BHV_RubberBand`",
    unit="m",
    range=">= 0",
    when="on change",
)


def check_station(point: Point | None, here: bool, updates: str | None) -> None:
    """Reject settings without a station, ``center_activate`` or updates.

    Raises:
        SettingError: there is none of these.
    """
    if point is None and not here and updates is None:
        raise SettingError("station_pt", "", "expected a point x,y, or center_activate = true")


def ramped_speed(away: float, inner: float, outer: float, speed: float) -> float:
    """Return the speed between two circles: linear from 0 on the inner to ``speed`` on the outer.

    Args:
        away: from their centre, between the radii [m].
        inner, outer: radii [m], inner < outer.
        speed: [m/s].
    """
    return (away - inner) / (outer - inner) * speed
