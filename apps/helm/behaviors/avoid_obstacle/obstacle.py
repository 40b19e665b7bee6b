"""How near every course brings a vessel to a convex polygon that does not move."""

from __future__ import annotations

from math import cos, radians, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.ivp.domain import FloatArray
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point

BoolArray = NDArray[np.bool_]
ARC = 0.5  # between the places that are looked at along a turn [m]


class Rays(NamedTuple):
    """Ways from a place outside, one for each course (n,): straight, or after a turn.

    Attributes:
        range: how near each comes to the polygon [m]; 0 for one that meets it.
        way: how far it is to the place where it is as near [m].
        to_port, to_starboard: whether it leaves the polygon, ahead of it, on that side.
    """

    range: FloatArray
    way: FloatArray
    to_port: BoolArray
    to_starboard: BoolArray


def rays(here: Point, polygon: Polygon, courses: FloatArray) -> Rays:
    """Look straight along each course.

    Args:
        here: a place outside the polygon.
        courses: [deg] (n,).
    """
    origins = np.broadcast_to(np.array(here), (len(courses), 2))
    return _straight(origins, polygon.distance(here), polygon, courses)


def turned_rays(
    here: Point, heading: float, radius: float, polygon: Polygon, courses: FloatArray
) -> Rays:
    """Look along each course from where the vessel has turned to it, and along the turn.

    Args:
        here: a place outside the polygon.
        heading: present heading [deg]; it turns on a circle, the shorter way round.
        radius: of the circle [m], > 0.
        courses: [deg] (n,).
    """
    turns = np.radians((courses - heading + 180.0) % 360.0 - 180.0)
    ends = _turned(here, heading, radius, turns)
    found = _straight(ends, distances(ends, polygon), polygon, courses)
    reach, way = found.range, found.way + radius * np.abs(turns)
    angles = np.linspace(0.0, np.pi, max(2, int(np.pi * radius / ARC) + 2))
    for side in (-1.0, 1.0):
        away = distances(_turned(here, heading, radius, side * angles), polygon)
        least = np.minimum.accumulate(away)
        nearing = np.append(True, least[1:] < least[:-1])
        first = np.maximum.accumulate(np.where(nearing, np.arange(len(away)), 0))
        mine = np.flatnonzero(np.copysign(1.0, turns) == side)
        done = np.searchsorted(angles, np.abs(turns[mine]), side="right") - 1
        nearer = least[done] <= reach[mine]
        reach[mine[nearer]] = least[done[nearer]]
        way[mine[nearer]] = radius * angles[first[done[nearer]]]
    clear = reach > 0.0
    return Rays(reach, way, found.to_port & clear, found.to_starboard & clear)


def distances(points: FloatArray, polygon: Polygon) -> FloatArray:
    """Return the distances of points (n, 2) to a convex polygon [m] (n,); 0 inside."""
    corners = np.array(polygon.points)
    edges = np.roll(corners, -1, axis=0) - corners
    off = points[:, np.newaxis, :] - corners  # (n, corners, 2)
    shares = (off * edges).sum(axis=2) / np.maximum((edges * edges).sum(axis=1), 1e-12)
    off -= np.clip(shares, 0.0, 1.0)[..., np.newaxis] * edges
    away: FloatArray = np.hypot(off[..., 0], off[..., 1]).min(axis=1)
    off = points[:, np.newaxis, :] - corners
    across = edges[:, 0] * off[..., 1] - edges[:, 1] * off[..., 0]
    away[(across >= 0.0).all(axis=1) | (across <= 0.0).all(axis=1)] = 0.0
    return away


def _turned(here: Point, heading: float, radius: float, turns: FloatArray) -> FloatArray:
    """Return positions (n, 2) of a vessel that has turned by angles [rad], > 0 to starboard."""
    start, end = radians(heading), radians(heading) + turns
    signed = radius * np.copysign(1.0, turns)
    east = here[0] + signed * (cos(start) - np.cos(end))
    north = here[1] + signed * (np.sin(end) - sin(start))
    return np.column_stack((east, north))


def _straight(
    origins: FloatArray, start: FloatArray | float, polygon: Polygon, courses: FloatArray
) -> Rays:
    """Look along courses (n,) from places (n, 2), each so far from the polygon (n,)."""
    angle = np.radians(courses)[:, np.newaxis]
    sine, cosine = np.sin(angle), np.cos(angle)
    corners = np.array(polygon.points)
    east, north = (corners[:, i] - origins[:, i, np.newaxis] for i in (0, 1))
    along = east * sine + north * cosine  # (n, corners)
    across = east * cosine - north * sine  # to starboard
    away = np.where(along > 0.0, np.abs(across), np.hypot(east, north))
    nearest = away.argmin(axis=1)
    rows = np.arange(len(courses))
    reach, way = away[rows, nearest], np.maximum(along[rows, nearest], 0.0)
    start = np.broadcast_to(start, reach.shape)
    way[start < reach] = 0.0
    reach = np.minimum(reach, start)
    hit = _ways_in(along, across)
    meets = np.isfinite(hit)
    reach[meets], way[meets] = 0.0, hit[meets]
    reach[start == 0.0] = way[start == 0.0] = 0.0
    ahead = ~meets & (along > 0.0).any(axis=1)
    return Rays(reach, way, ahead & (across < 0.0).all(axis=1), ahead & (across > 0.0).all(axis=1))


def _ways_in(along: FloatArray, across: FloatArray) -> FloatArray:
    """Return how far each ray is free until it meets an edge (n,); inf: it meets none."""
    next_along, next_across = np.roll(along, -1, axis=1), np.roll(across, -1, axis=1)
    crosses = across * next_across <= 0.0
    width = np.where(across == next_across, 1.0, across - next_across)
    ways = along + (next_along - along) * across / width
    ways[~crosses | (ways < 0.0)] = np.inf
    nearest: FloatArray = ways.min(axis=1)
    return nearest
