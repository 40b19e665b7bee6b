"""Positions of a track as lines of KML and GPX, the forms of Google Earth and of chart plotters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple


class Fix(NamedTuple):
    """A position: UTC [s], latitude, longitude [deg], depth [m]; None if it is not told."""

    utc: float
    lat: float
    lon: float
    depth: float | None = None

    @property
    def time(self) -> str:
        """The time as all forms have it."""
        stamp = datetime.fromtimestamp(self.utc, UTC).isoformat(timespec="milliseconds")
        return stamp.replace("+00:00", "Z")


def kml_lines(fixes: Sequence[Fix]) -> Iterator[str]:
    """Yield what is inside a ``gx:Track``: the times, then the places."""
    yield from (f"<when>{fix.time}</when>" for fix in fixes)
    for fix in fixes:
        height = "0" if fix.depth is None else f"{-fix.depth:.2f}"
        yield f"<gx:coord>{fix.lon:.8f} {fix.lat:.8f} {height}</gx:coord>"


def gpx_lines(fixes: Sequence[Fix]) -> Iterator[str]:
    """Yield what is inside a ``trkseg``."""
    for fix in fixes:
        height = "" if fix.depth is None else f"<ele>{-fix.depth:.2f}</ele>"
        place = f'lat="{fix.lat:.8f}" lon="{fix.lon:.8f}"'
        yield f"<trkpt {place}>{height}<time>{fix.time}</time></trkpt>"
