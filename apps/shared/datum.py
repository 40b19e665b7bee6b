"""Reader of a mission's datum: the origin of its local coordinates."""

from __future__ import annotations

from steerageway.bus import Config
from steerageway.geometry.geodesy import Datum, Projection
from steerageway.geometry.utm import UtmDatum
from steerageway.moos.globals import AS_MOOS, GEODESIES, usual_geodesy


def read_datum(lines: Config) -> Projection | None:
    """Read LatOrigin, LongOrigin and Geodesy of a mission file.

    Returns: None if either origin is missing.
    Raises:
        ConfigError: an origin is no number or out of range, or the Geodesy is unknown.
    """
    usual = usual_geodesy(as_moos=lines.flag(AS_MOOS, default=False))
    utm = lines.choice("Geodesy", default=usual, among=GEODESIES) == "utm"
    lat, lon = lines.entry("LatOrigin"), lines.entry("LongOrigin")
    if lat is None or lon is None:
        return None
    origin = lines.number("LatOrigin", default=0.0), lines.number("LongOrigin", default=0.0)
    try:
        return UtmDatum(*origin) if utm else Datum(*origin)
    except ValueError as error:
        raise Config.error(lat if "latitude" in str(error) else lon, str(error)) from None
