"""Tracks of logs as files of KML and GPX."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.shared.track_lines import Fix, gpx_lines, kml_lines
from steerageway.declarations import write_whole
from steerageway.moos.alog import DATABASE, read_banner, read_entries

KML = """<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
{}</Document></kml>
"""
GPX = """<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="steerageway" xmlns="http://www.topografix.com/GPX/1/1">
{}</gpx>
"""


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
                if abs(lat[1]) <= 90.0 and abs(lon[1]) <= 180.0:  # else of no place of the Earth
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
        write_whole(output, (KML if form == "kml" else GPX).format(body))
    except OSError as error:
        raise ToolError(f"{output}: {error.strerror}") from error
    return sum(len(fixes) for _, fixes in tracks)


def _kml(name: str, fixes: list[Fix]) -> Iterator[str]:
    yield f"<Placemark><name>{name}</name><gx:Track>"
    yield "<altitudeMode>absolute</altitudeMode>"
    yield from kml_lines(fixes)
    yield "</gx:Track></Placemark>"


def _gpx(name: str, fixes: list[Fix]) -> Iterator[str]:
    yield f"<trk><name>{name}</name><trkseg>"
    yield from gpx_lines(fixes)
    yield "</trkseg></trk>"
