"""Contacts, obstacles and mail as a user-defined behavior sees them in ``self.world``."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from steerageway.geometry.encounter import Track, bearing, closest_approach, separation
from steerageway.helm.contact import DECAY, Contact
from steerageway.moos.polygon import Polygon, PolygonError, parse_polygon
from steerageway.moos.seglist import Point
from steerageway.moos.values import Value, number_of

OBSTACLES = "GIVEN_OBSTACLE"  # a behavior that uses obstacles must subscribe to it


class Mail(NamedTuple):
    """A value of a variable, and its time of receipt [s]."""

    name: str
    value: Value
    time: float


class SeenContact(NamedTuple):
    """A contact in its present state, dead-reckoned from its last report.

    Attributes:
        name: as in its report.
        x, y: [m]; heading: [deg]; speed: [m/s]; depth: [m], 0 if not reported.
        range: from ownship [m]; bearing: from ownship, compass degrees.
        cpa: the range at the closest point of approach, if both keep course and speed [m].
        cpa_time: time until then [s]; 0 if the range opens.
        age: of its last report [s].
        type, group: as in its report; "" if not reported.
    """

    name: str
    x: float
    y: float
    heading: float
    speed: float
    depth: float
    range: float
    bearing: float
    cpa: float
    cpa_time: float
    age: float
    type: str
    group: str


class SeenObstacle(NamedTuple):
    """An obstacle.

    Attributes:
        name: its label.
        points: vertices x,y [m] of a convex polygon.
        range: from ownship to its nearest point [m]; 0 inside.
        nearest: that point x,y [m].
    """

    name: str
    points: tuple[Point, ...]
    range: float
    nearest: Point


def seen_contact(contact: Contact, own: Track, utc: float) -> SeenContact:
    """Return a contact as seen from ownship at a time (UTC [s])."""
    now = contact.now(utc, DECAY)
    approach = closest_approach(own, now)
    return SeenContact(
        contact.name,
        *now,
        depth=contact.record.depth or 0.0,
        range=separation(own, now),
        bearing=bearing(own, now),
        cpa=approach.range,
        cpa_time=approach.time,
        age=utc - contact.received,
        type=contact.record.type,
        group=contact.record.group or "",
    )


MOST_NAMES = 1000  # of obstacles


class Obstacles:
    """The obstacles received in ``GIVEN_OBSTACLE`` that have not expired."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Polygon, float]] = {}

    def take(self, text: str, now: float) -> None:
        """Add or remove a ``GIVEN_OBSTACLE``; one that is invalid or has no label is ignored.

        Args:
            text: ``pts={x,y:x,y:x,y},label=rock,duration=30``.
            now: [s].
        """
        try:
            polygon = parse_polygon(text)
        except PolygonError:
            return
        fields = polygon.fields
        name, lasts = fields.get("label", ""), fields.get("duration", "")
        if fields.get("active", "").lower() == "false":
            self._known.pop(name, None)
        elif name in self._known or (name and len(self._known) < MOST_NAMES):
            seconds = number_of(lasts)
            ends = inf if seconds is None or seconds < 0 else now + seconds
            self._known[name] = polygon, ends

    def seen(self, place: Point, now: float) -> tuple[SeenObstacle, ...]:
        """Return the present obstacles, in the order of their first receipt."""
        self._known = {name: one for name, one in self._known.items() if one[1] >= now}
        return tuple(
            SeenObstacle(name, polygon.points, polygon.distance(place), polygon.nearest(place))
            for name, (polygon, _) in self._known.items()
        )
