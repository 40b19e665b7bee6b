"""What the behaviors that hold a vessel near a point share."""

from __future__ import annotations

from steerageway.apps.helm.settings import SettingError
from steerageway.moos.seglist import Point


def check_station(point: Point | None, here: bool, updates: str | None) -> None:
    """Refuse a behavior that has no station, nor takes where the vessel is, nor hears of one.

    Raises:
        SettingError: so it is.
    """
    if point is None and not here and updates is None:
        raise SettingError("station_pt", "", "expected a point x,y, or center_activate = true")


def slowed(away: float, inner: float, outer: float, speed: float) -> float:
    """Return the speed between two circles: even from 0 on the inner to ``speed`` on the outer one.

    Args:
        away: from their centre, between the radii [m].
        inner, outer: radii [m], inner < outer.
        speed: [m/s].
    """
    return (away - inner) / (outer - inner) * speed
