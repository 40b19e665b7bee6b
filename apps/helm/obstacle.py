"""How near every course brings a vessel to a convex polygon that does not move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ivp.domain import FloatArray
from moos.polygon import Polygon
from moos.seglist import Point

BoolArray = NDArray[np.bool_]


class Rays(NamedTuple):
    """Straight ways from a place outside, one for each course (n,).

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
    """Look along each course.

    Args:
        here: a place outside the polygon.
        courses: [deg] (n,).
    """
    angle = np.radians(courses)[:, np.newaxis]
    sine, cosine = np.sin(angle), np.cos(angle)
    east, north = (np.array(polygon.points) - here).T
    along = east * sine + north * cosine  # (n, corners)
    across = east * cosine - north * sine  # to starboard
    away = np.where(along > 0.0, np.abs(across), np.hypot(east, north))
    nearest = away.argmin(axis=1)
    rows = np.arange(len(courses))
    reach, way = away[rows, nearest], np.maximum(along[rows, nearest], 0.0)
    start = polygon.distance(here)
    way[start < reach] = 0.0
    reach = np.minimum(reach, start)
    hit = _ways_in(along, across)
    meets = np.isfinite(hit)
    reach[meets], way[meets] = 0.0, hit[meets]
    ahead = ~meets & (along > 0.0).any(axis=1)
    return Rays(reach, way, ahead & (across < 0.0).all(axis=1), ahead & (across > 0.0).all(axis=1))


def _ways_in(along: FloatArray, across: FloatArray) -> FloatArray:
    """Give how far each ray is free until it meets an edge (n,); inf: it meets none."""
    next_along, next_across = np.roll(along, -1, axis=1), np.roll(across, -1, axis=1)
    crosses = across * next_across <= 0.0
    width = np.where(across == next_across, 1.0, across - next_across)
    ways = along + (next_along - along) * across / width
    ways[~crosses | (ways < 0.0)] = np.inf
    nearest: FloatArray = ways.min(axis=1)
    return nearest
