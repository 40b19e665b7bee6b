"""CPA range, rate of closure and passing side to a contact, for every course and speed at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, hypot, inf, radians, sin

import numpy as np
from numpy.typing import NDArray

from steerageway.geometry.encounter import TOGETHER, Relative, Track
from steerageway.geometry.marine import bearing
from steerageway.ivp import Domain
from steerageway.ivp.domain import FloatArray
from steerageway.ivp.table import IndexArray

BoolArray = NDArray[np.bool_]

_new = tuple.__new__  # creates a named tuple in half the time

_MEETING = (0.25, 0.1, 0.5, 0.05)  # fractions of the time horizon at which an interception is tried
SURE = 1e-6  # relative margin by which a range must exceed a limit to be safe from rounding
_TINY = 1e-30  # added to a squared relative speed, which may be 0 [m^2/s^2]


@dataclass(frozen=True, eq=False)
class Courses:
    """The n courses and m speeds of a domain, with quantities derived once from them.

    Attributes:
        course: [deg] (n, 1), with its sine and cosine.
        speed: [m/s] (1, m).
        eastward, northward: the velocity [m/s] (n, m).
    """

    course: FloatArray
    speed: FloatArray
    sine: FloatArray
    cosine: FloatArray
    eastward: FloatArray
    northward: FloatArray

    def closest(
        self, here: Track, contact: Track, horizon: float, rows: IndexArray | None = None
    ) -> FloatArray:
        """Return the CPA range within a time horizon, for each course and speed (n, m) [m].

        Args:
            here: the vessel; only its position is used.
            contact: keeps course and speed.
            horizon: [s], > 0.
            rows: indices of the required courses (k,); the result is then (k, m). None: all.
        """
        if rows is None:
            away_east, away_north, pace = _relative(self, *contact.velocity)
        else:
            eastward = self.eastward.take(rows, axis=0)
            northward = self.northward.take(rows, axis=0)
            away_east, away_north, pace = _away(eastward, northward, *contact.velocity)
        east, north = contact.x - here.x, contact.y - here.y
        # range^2(t) = away^2 - 2 t closing + t^2 pace, with closing and pace by course and speed.
        # In place: these are the largest tables of a decision, and allocating them takes time.
        closing = away_east * east
        time = away_north * north
        closing += time
        np.divide(closing, pace, out=time)
        np.maximum(time, 0.0, out=time)
        np.minimum(time, horizon, out=time)
        closing *= 2.0
        squared = pace * time
        squared -= closing
        squared *= time
        squared += east * east + north * north
        np.abs(squared, out=squared)  # below 0 by rounding only
        return np.sqrt(squared, out=squared)

    def closest_at(
        self, index: tuple[int, int], here: Track, contact: Track, horizon: float
    ) -> float:
        """Return the CPA range within a time horizon for one course and speed [m]."""
        u, v = contact.velocity
        rates = u - self.eastward.item(index), v - self.northward.item(index)
        away = contact.x - here.x, contact.y - here.y
        return _new(Relative, (*away, *rates)).closest(horizon).range

    def closure(self, here: Track, contact: Track) -> FloatArray:
        """Return the rate of closure for each course and speed (n, m) [m/s]."""
        east, north = contact.x - here.x, contact.y - here.y
        away = hypot(east, north) or 1.0
        u, v = contact.velocity
        rates = (east / away * self.sine + north / away * self.cosine) * self.speed
        rates -= (east * u + north * v) / away
        return rates

    def bearing_rate(self, here: Track, contact: Track) -> FloatArray:
        """Return the rate of the contact's bearing, for each course and speed (n, m) [rad/s]."""
        east, north = contact.x - here.x, contact.y - here.y
        squared = east * east + north * north
        if squared < TOGETHER:
            return np.zeros_like(self.eastward)
        u, v = contact.velocity
        rates = (east * self.cosine - north * self.sine) * (self.speed / squared)
        rates += (u * north - v * east) / squared
        return rates

    def passes(self, here: Track, contact: Track) -> Passes:
        """Return where it crosses and passes the contact, in the contact's frame."""
        angle = radians(contact.heading)
        s, c = sin(angle), cos(angle)
        east, north = here.x - contact.x, here.y - contact.y
        # position in the contact's frame, and its rates
        ahead, starboard = east * s + north * c, east * c - north * s
        ahead_rate, starboard_rate = _rates(self, s, c, contact.speed)
        return Passes((ahead, ahead_rate), (starboard, starboard_rate))


@dataclass(frozen=True)
class Passes:
    """Where a vessel crosses and passes a contact, for each course and speed; NaN if never.

    Attributes:
        ahead, starboard: its place in the contact's frame [m], and the rates (n, m) [m/s].
    """

    ahead: tuple[float, FloatArray]
    starboard: tuple[float, FloatArray]

    @cached_property
    def crossing(self) -> FloatArray:
        """Where it crosses the contact's line of bow and stern (n, m) [m] ahead."""
        return _coordinate_at_zero(*self.starboard, *self.ahead)

    @cached_property
    def passing(self) -> FloatArray:
        """Where it is abeam of the contact (n, m) [m] to the contact's starboard."""
        return _coordinate_at_zero(*self.ahead, *self.starboard)

    @property
    def crosses_bow(self) -> BoolArray:
        """Whether it crosses ahead of the contact (n, m)."""
        return self.crossing > 0.0

    @property
    def crosses_stern(self) -> BoolArray:
        """Whether it crosses astern of the contact (n, m)."""
        return self.crossing <= 0.0


def _away(
    eastward: FloatArray, northward: FloatArray, u: float, v: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return velocities relative to that of a contact, and their squared magnitudes."""
    away_east, away_north = eastward - u, northward - v
    pace = away_east * away_east
    pace += away_north * away_north
    pace += _TINY
    return away_east, away_north, pace


# Many contacts keep course and speed from one decision to the next; the tables must not be changed.
@lru_cache(maxsize=16)
def _relative(grid: Courses, u: float, v: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    return _away(grid.eastward, grid.northward, u, v)


@lru_cache(maxsize=16)
def _rates(grid: Courses, s: float, c: float, speed: float) -> tuple[FloatArray, FloatArray]:
    """Return the rates (n, m) ahead and to starboard in the frame of a contact.

    Args:
        s, c: sine and cosine of its heading. speed: of it [m/s].
    """
    ahead_rate = (s * grid.sine + c * grid.cosine) * grid.speed
    ahead_rate -= speed
    return ahead_rate, (c * grid.sine - s * grid.cosine) * grid.speed


@lru_cache(maxsize=8)
def courses(domain: Domain) -> Courses:
    """Return the courses and speeds of a domain that has both."""
    course = domain["course"].values[:, np.newaxis]
    speed = domain["speed"].values[np.newaxis, :]
    sine, cosine = np.sin(np.radians(course)), np.cos(np.radians(course))
    return Courses(course, speed, sine, cosine, sine * speed, cosine * speed)


def lie_on_both_sides(
    domain: Domain, here: Track, contact: Track, horizon: float, between: tuple[float, float]
) -> bool:
    """Whether some CPA ranges are surely below and others above these two [m]; False if unknown.

    It tests one course and speed that intercepts the contact and one directly away from it.
    """
    low, high = between[0] * (1.0 - SURE), between[1] * (1.0 + SURE)
    east, north = contact.x - here.x, contact.y - here.y
    u, v = contact.velocity
    grid, course, speed = courses(domain), domain["course"], domain["speed"]

    def closest(rate_east: float, rate_north: float, pace: float) -> float:
        """Return the CPA range with the course and speed nearest to a direction and speed."""
        way = course.nearest(bearing(rate_east, rate_north)), speed.nearest(pace)
        return grid.closest_at(way, here, contact, horizon)

    if closest(-east, -north, speed.high) <= high:
        return False
    for share in _MEETING:
        rate_east, rate_north = east / (share * horizon) + u, north / (share * horizon) + v
        if closest(rate_east, rate_north, hypot(rate_east, rate_north)) < low:
            return True
    return False


def _coordinate_at_zero(
    place: float, rate: FloatArray, other: float, other_rate: FloatArray
) -> FloatArray:
    """Return the other coordinate at the future time when this one is 0; NaN if it never is."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        time = -place / rate
        ever = (time >= 0.0) & (time < inf)
        found = np.multiply(time, other_rate, out=time)
        found += other
    np.putmask(found, ~ever, np.nan)
    return found
