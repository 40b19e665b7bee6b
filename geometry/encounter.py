"""Encounter geometry of two craft: range, bearing, closest point of approach, crossing, passing.

Positions are (x east, y north) [m], headings and bearings compass degrees, speeds m/s: the marine
convention of the bus. All predictions assume that both craft keep course and speed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import cos, degrees, hypot, inf, radians, sin
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from steerageway.geometry import marine

Decay = tuple[float, float]
Row = TypeVar("Row", bound=tuple[Any, ...])

_new = tuple.__new__  # creates a named tuple in half the time

TOGETHER = 1e-12  # squared distance below which there is no bearing [m^2]


class Track(NamedTuple):
    """A craft's track: position [m], heading [deg], speed [m/s]."""

    x: float
    y: float
    heading: float
    speed: float

    @property
    def velocity(self) -> tuple[float, float]:
        """Its velocity (east, north) [m/s]."""
        _, _, heading, speed = self
        angle = radians(heading)
        return speed * sin(angle), speed * cos(angle)

    def ahead(self, way: float) -> Track:
        """Return the track advanced by ``way`` [m] along its heading."""
        x, y, heading, speed = self
        angle = radians(heading)
        return _new(Track, (x + way * sin(angle), y + way * cos(angle), heading, speed))


class Approach(NamedTuple):
    """Closest point of approach: the range there [m], and the time to it from now [s]."""

    range: float
    time: float


class Motion(NamedTuple):
    """Position [m] and velocity [m/s] of another craft relative to own bow: ahead, to starboard."""

    ahead: float
    starboard: float
    ahead_rate: float
    starboard_rate: float

    @property
    def crossing(self) -> float | None:
        """Distance ahead [m] at which it will cross our centreline (< 0: astern); None: never."""
        time = _until_zero(self.starboard, self.starboard_rate)
        return None if time is None else self.ahead + self.ahead_rate * time

    @property
    def passing(self) -> float | None:
        """Distance to starboard [m] at which it will pass abeam (< 0: to port); None: never."""
        time = _until_zero(self.ahead, self.ahead_rate)
        return None if time is None else self.starboard + self.starboard_rate * time


class Relative(NamedTuple):
    """Position [m] and velocity [m/s] of another craft relative to one, east and north."""

    east: float
    north: float
    rate_east: float
    rate_north: float

    def closest(self, horizon: float) -> Approach:
        """Return the closest point of approach within a time from now [s]."""
        east, north, rate_east, rate_north = self
        squared = rate_east**2 + rate_north**2
        time = 0.0
        if squared > 0.0:
            ideal = -(east * rate_east + north * rate_north) / squared
            if ideal > 0.0:
                time = ideal if ideal < horizon else horizon
        range_there = hypot(east + time * rate_east, north + time * rate_north)
        return _new(Approach, (range_there, time))

    def seen(self, heading: float) -> Motion:
        """Return it in the frame of a craft with a heading [deg]."""
        east, north, rate_east, rate_north = self
        angle = radians(heading)
        s, c = sin(angle), cos(angle)
        return Motion(
            east * s + north * c,
            east * c - north * s,
            rate_east * s + rate_north * c,
            rate_east * c - rate_north * s,
        )

    def reversed(self) -> Relative:
        """Return what this craft is to the other one."""
        east, north, rate_east, rate_north = self
        # 0.0 - x: no negative zero, as a difference has none
        return Relative(0.0 - east, 0.0 - north, 0.0 - rate_east, 0.0 - rate_north)


def relative(one: Track, other: Track) -> Relative:
    """Return another craft's position and velocity relative to one."""
    x, y, heading, speed = one
    east, north, course, pace = other
    angle, bend = radians(heading), radians(course)
    rate_east = pace * sin(bend) - speed * sin(angle)
    rate_north = pace * cos(bend) - speed * cos(angle)
    return _new(Relative, (east - x, north - y, rate_east, rate_north))


def separation(one: Track, other: Track) -> float:
    """Return the range between two craft [m]."""
    x, y, _, _ = one
    east, north, _, _ = other
    return hypot(east - x, north - y)


def beside(rows: Sequence[Row], x: float, reach: float) -> Sequence[Row]:
    """Return the rows within a distance east or west of x [m]: among them are all in range.

    Args:
        rows: sorted by x, their first entry, as tracks are.
    """
    first = itemgetter(0)
    start = bisect_left(rows, x - reach, key=first)
    return rows[start : bisect_right(rows, x + reach, start, key=first)]


def bearing(one: Track, other: Track) -> float:
    """Return the compass bearing of another craft, in [0, 360); 0 if positions coincide."""
    return marine.bearing(other.x - one.x, other.y - one.y)


def relative_bearing(one: Track, other: Track) -> float:
    """Return the bearing of another craft from one's bow, clockwise in [0, 360)."""
    return marine.angle360(bearing(one, other) - one.heading)


def closure(one: Track, other: Track) -> float:
    """Return the closing speed [m/s]; negative if the range opens."""
    east, north = other.x - one.x, other.y - one.y
    away = hypot(east, north)
    if away == 0.0:
        return 0.0
    (u, v), (w, z) = one.velocity, other.velocity
    return ((u - w) * east + (v - z) * north) / away


def bearing_rate(one: Track, other: Track) -> float:
    """Return the rate of another craft's compass bearing, clockwise [deg/s]."""
    east, north, rate_east, rate_north = relative(one, other)
    squared = east * east + north * north
    if squared < TOGETHER:
        return 0.0
    return degrees((rate_east * north - rate_north * east) / squared)


def closest_approach(one: Track, other: Track, horizon: float = inf) -> Approach:
    """Return the closest point of approach within a time from now.

    Args:
        horizon: latest time from now [s], >= 0.
    """
    return relative(one, other).closest(horizon)


def seen_from(one: Track, other: Track) -> Motion:
    """Return the other craft's relative position and velocity in the frame of ``one``."""
    return relative(one, other).seen(one.heading)


def reckoned(last: Track, age: float, decay: Decay | None) -> Track:
    """Return the dead-reckoned track of a craft from its last one.

    Args:
        last: the last track received.
        age: of it [s]; negative: it is ahead of now, and is reckoned back.
        decay: the speed is constant for the first of these times, decreases linearly to 0 at the
            second [s]; None: constant.
    Source: MOOS-IvP's LinearExtrapolator.
    """
    if decay is None or age <= decay[0]:
        return last.ahead(last.speed * age)
    begin, end = decay
    fading = min(age, end) - begin
    left = max(0.0, 1.0 - (age - begin) / (end - begin)) if end > begin else 0.0
    way = last.speed * (begin + fading * (1.0 + left) / 2.0)
    return last.ahead(way)._replace(speed=last.speed * left)


def _until_zero(place: float, rate: float) -> float | None:
    """Return the time until a coordinate reaches 0 at a rate; None if it recedes or is constant."""
    if rate == 0.0 or place * rate > 0.0:
        return None
    return -place / rate
