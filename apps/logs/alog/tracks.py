"""Tracks: a vessel's positions, waypoints and areas, read from a log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import dist, inf
from pathlib import Path

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.declarations import truth
from steerageway.moos.alog import DATABASE, Entry, read_entries
from steerageway.moos.polygon import PolygonError, parse_polygon
from steerageway.moos.seglist import Point, SegListError, parse_seglist
from steerageway.moos.values import is_number, pairs


@dataclass(frozen=True, slots=True)
class Track:
    """A vessel's track of a run.

    Attributes:
        name: the community, or the file's name if the log does not contain it.
        times: [s since LOGSTART].
        points: (x, y) at these times [m].
        heading: the last one [deg]; None if there is none.
        routes: lists of waypoints that were drawn (VIEW_SEGLIST), by label, without lines of
            bearing
            to a contact.
        waypoints: single points that were drawn (VIEW_POINT), without track points of steering.
        areas: corners of the last drawing of each polygon (VIEW_POLYGON), by label.
    """

    name: str
    times: tuple[float, ...]
    points: tuple[Point, ...]
    heading: float | None
    routes: dict[str, tuple[Point, ...]]
    waypoints: tuple[Point, ...]
    areas: dict[str, tuple[Point, ...]]

    def renamed(self, name: str) -> Track:
        """Return the same track with another name."""
        return replace(self, name=name)

    @property
    def duration(self) -> float:
        """Time from the first position to the last [s]."""
        return self.times[-1] - self.times[0]

    @property
    def length(self) -> float:
        """Length of the track, point by point [m]."""
        return sum(dist(a, b) for a, b in zip(self.points, self.points[1:], strict=False))


def read_track(path: Path, start: float = -inf, end: float = inf) -> Track:
    """Read a log's track from NAV_X, NAV_Y and NAV_HEADING.

    Args:
        path: the log.
        start, end: times of the part to read [s since LOGSTART]; earlier drawings are included.
    Raises:
        FormatError: the log cannot be read.
        ToolError: it contains no positions then.
    """
    name = path.name.partition(".")[0]
    wanted = (
        entry
        for entry in read_entries(path)
        if entry.time <= end and (entry.time >= start or not entry.name.startswith("NAV_"))
    )
    track = track_of(name, wanted)
    if track is None:
        when = "" if (start, end) == (-inf, inf) else f" from {start:g} to {end:g} s"
        raise ToolError(f"{path}: expected NAV_X and NAV_Y, there is no track in it{when}")
    return track


def track_of(name: str, entries: Iterable[Entry]) -> Track | None:
    """Return the track in messages, of their community or else of a name; None without any."""
    found = _Finder(name)
    for entry in entries:
        found.take(entry)
    times = tuple(sorted(found.x.keys() & found.y.keys()))
    if not times:
        return None
    return Track(
        found.name,
        times,
        tuple((found.x[time], found.y[time]) for time in times),
        found.heading,
        found.routes,
        tuple(found.waypoints),
        found.areas,
    )


class _Finder:
    """Collects the parts of a track from messages."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.x: dict[float, float] = {}
        self.y: dict[float, float] = {}
        self.heading: float | None = None
        self.routes: dict[str, tuple[Point, ...]] = {}
        self.waypoints: dict[Point, None] = {}
        self.areas: dict[str, tuple[Point, ...]] = {}

    def take(self, entry: Entry) -> None:
        if isinstance(entry.value, str):
            self._take_text(entry.name, entry.value)
        elif entry.name == "NAV_X":
            self.x[entry.time] = entry.value
        elif entry.name == "NAV_Y":
            self.y[entry.time] = entry.value
        elif entry.name == "NAV_HEADING":
            self.heading = entry.value
        if entry.source.startswith(DATABASE):
            self.name = entry.source.removeprefix(DATABASE)

    def _take_text(self, name: str, text: str) -> None:
        if name == "VIEW_SEGLIST":
            self._take_route(text)
        elif name == "VIEW_POLYGON":
            self._take_area(text)
        elif name == "VIEW_POINT":
            fields = dict(pairs(text))
            steers = fields.get("label", "").endswith("trackpt")
            x, y = fields.get("x", ""), fields.get("y", "")
            if is_number(x) and is_number(y) and not steers and _is_shown(fields):
                self.waypoints[float(x), float(y)] = None

    def _take_route(self, text: str) -> None:
        try:
            shape = parse_seglist(text)
        except SegListError:
            return  # a shape that cannot be drawn here, e.g. in three dimensions
        label = shape.fields.get("label", "")
        if _is_shown(shape.fields) and not label.endswith("bearing"):
            self.routes[label] = shape.points

    def _take_area(self, text: str) -> None:
        try:
            shape = parse_polygon(text)
        except PolygonError:
            return  # as above
        if _is_shown(shape.fields):
            self.areas[shape.fields.get("label", "")] = shape.points


def _is_shown(fields: Mapping[str, str]) -> bool:
    return truth(fields.get("active", "true")) is not False
