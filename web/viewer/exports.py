"""Trails of a run as GeoJSON, GPX and KML, in latitude and longitude with times in UTC."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from math import isnan
from xml.sax.saxutils import escape

from steerageway.apps.shared.track_lines import Fix, gpx_lines, kml_lines
from steerageway.geometry.geodesy import Projection
from steerageway.web.viewer.tracks import Track

Trails = Mapping[str, list[list[Fix]]]
"""Vessel -> its trail in pieces."""


def exported(kind: str, tracks: Mapping[str, Track], projection: Projection, epoch: float) -> str:
    """Return the text of a file.

    Args:
        kind: one of ``KINDS``.
        tracks: vessel -> its trail.
        projection: of the mission's datum.
        epoch: UTC of the run's time zero [s].
    Raises:
        ValueError: there is no such kind.
    """
    if kind not in KINDS:
        raise ValueError(f"{kind}: expected {', '.join(KINDS)}")
    return KINDS[kind](
        {name: list(_pieces(track, projection, epoch)) for name, track in tracks.items()}
    )


def _pieces(track: Track, projection: Projection, epoch: float) -> Iterator[list[Fix]]:
    """Yield the parts of a trail between interruptions; positions far from the datum are none."""
    piece: list[Fix] = []
    for time, x, y in zip(track.times, track.x, track.y, strict=True):
        try:
            place = None if isnan(x) else projection.to_latlon(x, y)
        except ValueError:
            place = None
        if place is not None:
            piece.append(Fix(epoch + time, *place))
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def _geojson(trails: Trails) -> str:
    features = [
        {
            "type": "Feature",
            "properties": {"name": name, "times": [[fix.time for fix in p] for p in pieces]},
            "geometry": {
                "type": "MultiLineString",
                "coordinates": [[[fix.lon, fix.lat] for fix in piece] for piece in pieces],
            },
        }
        for name, pieces in trails.items()
    ]
    return json.dumps({"type": "FeatureCollection", "features": features})


def _gpx(trails: Trails) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<gpx version="1.1" creator="Steerageway" xmlns="http://www.topografix.com/GPX/1/1">',
    ]
    for name, pieces in trails.items():
        lines.append(f"<trk><name>{escape(name)}</name>")
        for piece in pieces:
            lines += ["<trkseg>", *gpx_lines(piece), "</trkseg>"]
        lines.append("</trk>")
    return "\n".join((*lines, "</gpx>\n"))


def _kml(trails: Trails) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<kml xmlns="http://www.opengis.net/kml/2.2"'
        ' xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>',
    ]
    for name, pieces in trails.items():
        lines.append(f"<Placemark><name>{escape(name)}</name><gx:MultiTrack>")
        for piece in pieces:
            lines += ["<gx:Track>", *kml_lines(piece), "</gx:Track>"]
        lines.append("</gx:MultiTrack></Placemark>")
    return "\n".join((*lines, "</Document></kml>\n"))


KINDS: Mapping[str, Callable[[Trails], str]] = {"geojson": _geojson, "gpx": _gpx, "kml": _kml}
"""Formats of trails."""
