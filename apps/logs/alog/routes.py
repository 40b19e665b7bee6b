"""Tracks of logs as KML and GPX, the forms of Google Earth and of chart plotters."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.moos.alog import DATABASE, read_banner, read_entries

KML = """<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
{}</Document></kml>
"""
GPX = """<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="steerageway" xmlns="http://www.topografix.com/GPX/1/1">
{}</gpx>
"""


class Fix(NamedTuple):
    """A position: UTC [s], latitude, longitude [deg], depth [m]."""

    utc: float
    lat: float
    lon: float
    depth: float

    @property
    def time(self) -> str:
        """The time as both forms have it."""
        stamp = datetime.fromtimestamp(self.utc, UTC).isoformat(timespec="milliseconds")
        return stamp.replace("+00:00", "Z")


def fixes_of(log: Path) -> tuple[str, list[Fix]]:
    """Return the name of a log's community, and its positions.

    Raises:
        ToolError: there is none.
    """
    name, found = log.name.partition(".")[0], list[Fix]()
    start, nav = read_banner(log).start, dict[str, tuple[float, float]]()
    for time, variable, value, source, *_ in read_entries(log):
        if source.startswith(DATABASE):
            name = source.removeprefix(DATABASE)
        if variable in ("NAV_LAT", "NAV_LONG", "NAV_DEPTH") and isinstance(value, float):
            nav[variable] = (time, value)
            lat, lon = nav.get("NAV_LAT"), nav.get("NAV_LONG")
            if variable == "NAV_LONG" and lat is not None and lon is not None and lat[0] == time:
                depth = nav.get("NAV_DEPTH", (0.0, 0.0))[1]
                found.append(Fix(start + time, lat[1], lon[1], depth))
    if not found:
        raise ToolError(f"{log}: expected NAV_LAT and NAV_LONG, there is no track in it")
    return name, found


def write_routes(form: str, logs: list[Path], output: Path) -> int:
    """Write the tracks of some logs; return the number of positions.

    Args:
        form: kml or gpx.
    Raises:
        ToolError: a log has no positions, or the file cannot be written.
    """
    tracks = [fixes_of(log) for log in logs]
    lines = _kml if form == "kml" else _gpx
    body = "".join(f"{line}\n" for name, fixes in tracks for line in lines(escape(name), fixes))
    try:
        output.write_text((KML if form == "kml" else GPX).format(body), encoding="utf-8")
    except OSError as error:
        raise ToolError(f"{output}: {error.strerror}") from error
    return sum(len(fixes) for _, fixes in tracks)


def _kml(name: str, fixes: list[Fix]) -> Iterator[str]:
    yield f"<Placemark><name>{name}</name><gx:Track>"
    yield "<altitudeMode>absolute</altitudeMode>"
    yield from (f"<when>{fix.time}</when>" for fix in fixes)
    yield from (
        f"<gx:coord>{fix.lon:.8f} {fix.lat:.8f} {-fix.depth:.2f}</gx:coord>" for fix in fixes
    )
    yield "</gx:Track></Placemark>"


def _gpx(name: str, fixes: list[Fix]) -> Iterator[str]:
    yield f"<trk><name>{name}</name><trkseg>"
    for fix in fixes:
        place = f'lat="{fix.lat:.8f}" lon="{fix.lon:.8f}"'
        yield f"<trkpt {place}><ele>{-fix.depth:.2f}</ele><time>{fix.time}</time></trkpt>"
    yield "</trkseg></trk>"
