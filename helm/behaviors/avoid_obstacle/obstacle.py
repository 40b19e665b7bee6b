"""Closest range of each course to a convex obstacle: straight, or after a turn."""

from __future__ import annotations

from math import cos, radians, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.ivp.domain import FloatArray
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point

BoolArray = NDArray[np.bool_]
ARC = 0.5  # spacing of the positions examined along a turn [m]


class Rays(NamedTuple):
    """Paths from a position outside the polygon, one per course (n,): straight, or after a turn.

    Attributes:
        range: closest range to the polygon [m]; 0 for a path that hits it.
        way: path length to the closest point [m].
        to_port, to_starboard: whether it passes the polygon, while ahead, on that side.
    """

    range: FloatArray
    way: FloatArray
    to_port: BoolArray
    to_starboard: BoolArray


def rays(here: Point, polygon: Polygon, courses: FloatArray) -> Rays:
    """Return the straight path along each course.

    Args:
        here: a position outside the polygon.
        courses: [deg] (n,).
    """
    origins = np.broadcast_to(np.array(here), (len(courses), 2))
    return _straight(origins, polygon.distance(here), polygon, courses)


def turned_rays(
    here: Point, heading: float, radius: float, polygon: Polygon, courses: FloatArray
) -> Rays:
    """Return the path to each course: a turn on a circle, then straight.

    Args:
        here: a position outside the polygon.
        heading: present heading [deg]; the turn is the shorter way round.
        radius: of the turning circle [m], > 0.
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
        # index of the first sample with the running minimum
        first = np.maximum.accumulate(np.where(nearing, np.arange(len(away)), 0))
        # Both turns were sampled by angle; each course uses the samples up to its own turn.
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
    # inside a convex polygon, whose corners may be in either sense of rotation
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
    """Return straight paths on courses (n,) from positions (n, 2) at ranges ``start`` (n,) [m]."""
    angle = np.radians(courses)[:, np.newaxis]
    sine, cosine = np.sin(angle), np.cos(angle)
    corners = np.array(polygon.points)
    east, north = (corners[:, i] - origins[:, i, np.newaxis] for i in (0, 1))
    along = east * sine + north * cosine  # (n, corners)
    across = east * cosine - north * sine  # to starboard
    # a corner is nearest when abeam, or at the start of the ray if it is behind
    away = np.where(along > 0.0, np.abs(across), np.hypot(east, north))
    nearest = away.argmin(axis=1)
    rows = np.arange(len(courses))
    reach, way = away[rows, nearest], np.maximum(along[rows, nearest], 0.0)
    start = np.broadcast_to(start, reach.shape)
    # at the start, an edge may be nearer than any corner
    way[start < reach] = 0.0
    reach = np.minimum(reach, start)
    hit = _ray_crossings(along, across)
    meets = np.isfinite(hit)
    reach[meets], way[meets] = 0.0, hit[meets]
    reach[start == 0.0] = way[start == 0.0] = 0.0
    ahead = ~meets & (along > 0.0).any(axis=1)
    return Rays(reach, way, ahead & (across < 0.0).all(axis=1), ahead & (across > 0.0).all(axis=1))


def _ray_crossings(along: FloatArray, across: FloatArray) -> FloatArray:
    """Return the distance along each ray to the first edge it meets (n,) [m]; inf if none."""
    next_along, next_across = np.roll(along, -1, axis=1), np.roll(across, -1, axis=1)
    crosses = across * next_across <= 0.0
    # no division by 0: parallel edges are no crossings, or the corners are on the ray
    width = np.where(across == next_across, 1.0, across - next_across)
    ways = along + (next_along - along) * across / width
    ways[~crosses | (ways < 0.0)] = np.inf
    nearest: FloatArray = ways.min(axis=1)
    return nearest
