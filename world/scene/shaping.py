"""Mesh primitives of scenes: frusta over polygons, and hulls from main dimensions."""

from __future__ import annotations

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.errors import InvalidValue
from steerageway.world.mesh import Mesh, checked
from steerageway.world.shapes import lofted, of_corners, together


def frustum(points: Floats, low: float, high: float, top: float = 1.0) -> Mesh:
    """Return a frustum over a polygon.

    Args:
        points: (n, 2) base: north, east [m]; star-shaped about its centre.
        low, high: heights of base and top [m], up.
        top: size of the top relative to the base.

    Raises:
        InvalidValue: the polygon intersects itself, or is not star-shaped about its centre.
    """
    middle = points.mean(0)
    out = points - middle
    ahead = np.roll(out, -1, axis=0)
    turns = out[:, 0] * ahead[:, 1] - out[:, 1] * ahead[:, 0]
    if len(points) < 3 or not ((turns > 0).all() or (turns < 0).all()):
        raise InvalidValue(
            f"{len(points)} points: expected a polygon that is star-shaped about its middle"
        )
    if turns[0] < 0:
        out = out[::-1]
    foot, lid = _ring(middle + out, low), _ring(middle + top * out, high)
    next_foot, next_lid = np.roll(foot, -1, axis=0), np.roll(lid, -1, axis=0)
    parts = [np.stack((foot, next_foot, next_lid), 1), np.stack((foot, next_lid, lid), 1)]
    count = len(out)
    for ring, order, height in ((foot, -1, low), (lid, 1, high)):
        centre = np.broadcast_to([*middle, -height], (count, 3))
        fan = np.stack((centre, ring, np.roll(ring, -1, axis=0)), 1)
        parts.append(fan[:, ::order])
    corners = np.concatenate(parts)
    mesh = of_corners(corners)
    return checked(mesh if mesh.volume > 0 else of_corners(corners[:, ::-1]), "polygon")


def _ring(points: Floats, height: float) -> Floats:
    return np.column_stack((points, np.full(len(points), -height)))


def hull(length: float, breadth: float, draft: float, freeboard: float) -> Mesh:
    """Return a hull with bow, transom and deck house, about midships at the waterline.

    Args:
        length, breadth, draft, freeboard: [m].
    """
    places = np.array([0.5, 0.42, 0.28, 0.0, -0.35, -0.5]) * length
    beams = np.array([0.02, 0.45, 0.80, 1.0, 0.95, 0.85]) * 0.5 * breadth
    keels = np.array([0.10, 0.75, 1.0, 1.0, 0.95, 0.80]) * draft
    stations = []
    for x, half, keel in zip(places, beams, keels, strict=True):
        sides = [(half, -freeboard), (half, 0.0), (0.55 * half, keel), (-0.55 * half, keel)]
        sides += [(-half, 0.0), (-half, -freeboard)]
        stations.append([(x, y, z) for y, z in sides])
    body = lofted(np.array(stations))
    house = np.array([[0.12, 0.30], [0.12, -0.30], [-0.25, -0.30], [-0.25, 0.30]])
    deck = frustum(house * [length, breadth], 0.9 * freeboard, freeboard + 0.16 * length, 0.85)
    body = body if body.volume > 0 else Mesh(body.vertices, body.triangles[:, ::-1])
    return together(body, deck)
