"""Rings of Panisim's main file (geofence, obstacle), in degrees or in metres.

Its document specifies a fence in metres, its own files in latitude and longitude. The correct
interpretation is the one in which the ring is near some vessel's start.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf

from steerageway.geometry.geodesy import Datum
from steerageway.world.document import Section

Ring = tuple[tuple[float, float], ...]
Place = tuple[float, float]
FAR = 20e3  # distance from all starts at which a ring is implausible [m]
WIDEST = 500e3  # maximum width of a ring in degrees [m]


def read_ring(
    top: Section, key: str, datum: Sequence[float], starts: Sequence[Place]
) -> tuple[Ring, list[str]]:
    """Read a ring, () for none, and the warnings about it.

    Args:
        top: main file. key: ``geofence`` or ``static_obstacle``.
        datum: latitude, longitude [deg]. starts: of the vessels, north and east of the datum [m].

    Returns:
        Ring of latitudes and longitudes [deg].

    Raises:
        InvalidValue: fewer than three points, or not near any start, in degrees or metres.
    """
    rows = top.rows(key, 2)
    if not rows:
        return (), []
    if len(rows) < 3:
        expected = "three or more of [latitude, longitude], or of [north, east] in metres"
        top.fail(key, f"{len(rows)} points", expected)
    plane = Datum(datum[0], datum[1])
    metres = [(north, east) for north, east in rows]
    degrees = _in_metres(rows, plane)
    far = _distance(degrees, starts) if degrees else inf
    wide = max(_extent(degrees)) if degrees else inf
    if far <= FAR and wide <= WIDEST:
        return tuple((lat, lon) for lat, lon in rows), []
    nearest = _distance(metres, starts)
    if nearest > FAR:
        where = f"{min(far, nearest) / 1e3:.0f} km from every start at the nearest"
        top.fail(key, where, f"a ring around a start, or within {FAR / 1e3:.0f} km of one")
    warning = f"{top.where(key)}: read as north and east of the datum [m]: "
    if not degrees:
        warning += "they are no latitudes and longitudes"
    elif far > FAR:
        warning += f"as latitudes and longitudes it is {far / 1e3:.0f} km from every start"
    else:
        warning += f"as latitudes and longitudes it is {wide / 1e3:.0f} km wide"
    try:
        return tuple(plane.to_latlon(east, north) for north, east in metres), [warning]
    except ValueError as error:
        top.fail(key, str(error), "a ring around a start")


def _in_metres(rows: Sequence[Sequence[float]], plane: Datum) -> list[Place]:
    """Return north and east [m] of latitudes and longitudes; empty if they are invalid."""
    if any(abs(lat) > 90.0 or abs(lon) > 180.0 for lat, lon in rows):
        return []
    try:
        return [plane.to_local(lat, lon)[::-1] for lat, lon in rows]
    except ValueError:
        return []


def _distance(ring: Sequence[Place], starts: Sequence[Place]) -> float:
    """Return the distance of a ring's bounding box to the nearest start [m]; 0: start inside."""
    norths, easts = zip(*ring, strict=True)
    return min(
        hypot(
            max(min(norths) - north, 0.0, north - max(norths)),
            max(min(easts) - east, 0.0, east - max(easts)),
        )
        for north, east in starts
    )


def _extent(ring: Sequence[Place]) -> tuple[float, float]:
    norths, easts = zip(*ring, strict=True)
    return max(norths) - min(norths), max(easts) - min(easts)
