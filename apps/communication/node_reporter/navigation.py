"""Navigation solution of a node report: the variables of one prefix, and cross-filling."""

from __future__ import annotations

from functools import partial
from math import hypot, inf
from typing import NamedTuple

from steerageway.apps.communication.node_reporter.handlers import Handlers
from steerageway.bus import Value
from steerageway.declarations import Number
from steerageway.geometry.geodesy import Projection
from steerageway.geometry.marine import angle180, angle360, bearing, components
from steerageway.moos.node_report import NodeRecord, heading_to_yaw

ATTRIBUTES = {
    "X": "x",
    "Y": "y",
    "LAT": "lat",
    "LONG": "lon",
    "SPEED": "speed",
    "HEADING": "heading",
    "DEPTH": "depth",
    "ALTITUDE": "altitude",
    "TRANSP": "transparency",
    "YAW": "yaw",
}
CROSS_FILL_POLICIES = ("literal", "fill-empty", "use-latest", "global", "local", "global-terse")
MIN_AGE = 0.05
_ANY = Number()
MAX_EXTRAPOLATION = 5.0  # maximum time [s] over which an older record is extrapolated


class Navigation:
    """The latest values of the navigation variables of one prefix.

    Attributes:
        record: the node record that holds them.
        handlers: variable -> its handler.
        received: time of the last value [s]; -inf before the first.
    """

    def __init__(self, record: NodeRecord, prefix: str, heading_error: float) -> None:
        self.record = record
        self.handlers: Handlers = {
            prefix + suffix: partial(self._take, name) for suffix, name in ATTRIBUTES.items()
        }
        self.received = -inf
        self._heading_error = heading_error
        self._has_yaw = False
        self._local = self._global = -inf

    def complete(self, policy: str, datum: Projection | None) -> None:
        """Set the yaw, and the other pair of coordinates by a cross-fill policy.

        The yaw is computed from the heading as in MOOS-IvP; NAV_YAW only enables the field.

        Raises:
            InvalidValue: the position is too far from the datum: it has no latitude and longitude.
        """
        record = self.record
        if self._has_yaw:
            record.yaw = heading_to_yaw(record.heading or 0.0)
        if datum is None or policy == "literal":
            return
        if self._fills_global(policy) and record.x is not None and record.y is not None:
            record.lat = record.lon = None
            record.lat, record.lon = datum.to_latlon(record.x, record.y)
        elif self._fills_local(policy) and record.lat is not None and record.lon is not None:
            record.x, record.y = datum.to_local(record.lat, record.lon)

    def _take(self, attribute: str, value: Value, now: float) -> None:
        measured = value if value.__class__ is float else _ANY.check(value)
        self.received = now
        if attribute == "heading":
            measured = angle360(measured + self._heading_error)
        elif attribute in ("x", "y"):
            self._local = now
        elif attribute in ("lat", "lon"):
            self._global = now
        elif attribute == "yaw":
            self._has_yaw = True
        setattr(self.record, attribute, measured)

    def _fills_global(self, policy: str) -> bool:
        if policy == "fill-empty":
            return self._global == -inf
        return policy == "local" or (policy == "use-latest" and self._local > self._global)

    def _fills_local(self, policy: str) -> bool:
        if policy == "fill-empty":
            return self._local == -inf
        if policy == "use-latest":
            return self._global > self._local
        return policy in ("global", "global-terse")


class Sighting(NamedTuple):
    """Position, speed and heading in a report."""

    x: float
    y: float
    speed: float
    heading: float

    @classmethod
    def of(cls, record: NodeRecord) -> Sighting | None:
        """Return the sighting of a record; None without a local position."""
        if record.x is None or record.y is None:
            return None
        return cls(record.x, record.y, record.speed or 0.0, record.heading or 0.0)

    def gap_to(self, later: Sighting, elapsed: float) -> tuple[float, float]:
        """Return the error of extrapolating this sighting over a time [s]: in m and deg."""
        way = self.speed * min(elapsed, MAX_EXTRAPOLATION) if elapsed > MIN_AGE else 0.0
        east, north = components(self.heading, way)
        distance = hypot(later.x - self.x - east, later.y - self.y - north)
        return distance, abs(angle180(later.heading - self.heading))

    def course_to(self, later: Sighting) -> float:
        """Return the direction from this sighting to a later one [deg]."""
        return bearing(later.x - self.x, later.y - self.y)
