"""Contact of vessels with walls, other vessels and the bottom, and the configured responses.

A wall is a prism from the bottom to above the surface, given in plan: a polygon of at least three
points. The response to contact is ``force`` (an impulse with restitution, and friction),
``end`` (the run ends), ``off``, and for the bottom ``stand``: the vessel is held where it
touched, until the forces lift it off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from steerageway.world.arrays import Floats

FORCE, END, OFF, STAND = "force", "end", "off", "stand"
SIDES = (FORCE, END, OFF)
BOTTOMS = (STAND, FORCE, END)


@dataclass(frozen=True, eq=False)
class Wall:
    """A quay, a pier, a rock: a polygon that no vessel may enter.

    Attributes:
        label: its name.
        corners: (n, 2) north and east of the datum [m].
    """

    label: str
    corners: Floats

    @property
    def circle(self) -> tuple[Floats, float]:
        """Return the centre (2,) and the radius [m] of a circle around it."""
        middle: Floats = 0.5 * (self.corners.min(0) + self.corners.max(0))
        return middle, float(np.linalg.norm(self.corners - middle, axis=1).max())


@dataclass(frozen=True, eq=False)
class Contact:
    """Contact settings: walls, responses, restitution and friction.

    Attributes:
        walls: all walls.
        at_walls, at_boats, at_bottom: responses to contact.
        restitution: coefficient of restitution, speed away over speed towards, 0 to 1.
        friction: coefficient of friction, tangential over normal force, 0 or more.
        duration: contact time of a body that strikes with one point and rebounds [s].
    """

    walls: tuple[Wall, ...] = ()
    at_walls: str = FORCE
    at_boats: str = OFF
    at_bottom: str = STAND
    restitution: float = 0.3
    friction: float = 0.3
    duration: float = 0.1


def inside(points: Floats, polygon: Floats) -> Floats:
    """Return which points (n, 2) lie in a polygon (m, 2), by the parity of crossings."""
    a, b = polygon, np.roll(polygon, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    # half-open in y: a ray through a corner crosses one of its two edges; a horizontal edge none
    spans = (a[:, 1] > y) != (b[:, 1] > y)
    rise = np.where(b[:, 1] == a[:, 1], 1.0, b[:, 1] - a[:, 1])
    left = x < a[:, 0] + (y - a[:, 1]) / rise * (b[:, 0] - a[:, 0])
    found: Floats = ((spans & left).sum(axis=1) % 2).astype(np.float64)
    return found


def way_out(point: Floats, polygon: Floats) -> tuple[float, Floats]:
    """Return the distance of an inner point (2,) to the nearest edge [m], and the direction (2,).

    For a point on the edge the direction is the edge's outward normal.
    """
    a, b = polygon, np.roll(polygon, -1, axis=0)
    along = b - a
    length2 = np.maximum((along**2).sum(axis=1), 1e-300)
    share = np.clip(((point - a) * along).sum(axis=1) / length2, 0.0, 1.0)
    feet = a + share[:, None] * along
    gaps = np.linalg.norm(feet - point, axis=1)
    nearest = int(gaps.argmin())
    depth = float(gaps[nearest])
    if depth > 1e-9:
        return depth, (feet[nearest] - point) / depth
    # on the edge the direction to its foot is undefined: use the outward normal
    edge = along[nearest] / np.sqrt(length2[nearest])
    turn = np.sign(_area(polygon))
    return depth, turn * np.array([edge[1], -edge[0]])


def _area(polygon: Floats) -> float:
    """Return the signed area of a polygon (n, 2) [m²]."""
    x, y = polygon.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
