"""Intersection test of a body with its surroundings: rays along edges and from centre to skin.

An object wider than the spacing of the rays cannot be inside the body undetected.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.mesh import Mesh
from steerageway.world.rays.caster import NOTHING, Body, Caster

SPACING = 0.15  # of the points on the skin [m]


class Touch:
    """A body to be tested for intersection.

    Args:
        mesh: the body in its own frame; its whole surface must be visible from its centroid.
        spacing: of the points on its skin [m].
    """

    def __init__(self, mesh: Mesh, spacing: float = SPACING) -> None:
        corners = mesh.corners
        starts = corners.reshape(-1, 3)
        ends = corners[:, [1, 2, 0]].reshape(-1, 3)
        skin = np.concatenate([_points(triangle, spacing) for triangle in corners])
        middle = np.broadcast_to(mesh.centroid, skin.shape)
        self._starts = np.concatenate((starts, middle))
        ways = np.concatenate((ends, skin)) - self._starts
        self._lengths: Floats = np.linalg.norm(ways, axis=1)
        self._ways = ways / self._lengths[:, None]

    def met(
        self, caster: Caster, position: Floats, rotation: Floats, bodies: Sequence[Body] = ()
    ) -> list[int]:
        """Return the numbers of the objects it intersects.

        Args:
            caster: caster of the static objects.
            position, rotation: (3,), (3, 3) from its frame to NED.
            bodies: other bodies with their present poses.
        """
        starts, ways = self._starts @ rotation.T + position, self._ways @ rotation.T
        hits = caster.cast(starts, ways, 0.0, float(self._lengths.max()), bodies)
        inside = (hits.numbers != NOTHING) & (np.nan_to_num(hits.ranges) <= self._lengths)
        return sorted({int(number) for number in hits.numbers[inside]})


def _points(triangle: Floats, spacing: float) -> Floats:
    """Return points (n, 2) all over a triangle (3, 3), at most ``spacing`` apart [m]."""
    a, b, c = triangle
    longest = max(np.linalg.norm(b - a), np.linalg.norm(c - a), np.linalg.norm(c - b))
    count = max(1, int(np.ceil(longest / spacing)))
    steps = np.arange(count + 1) / count
    u, v = (grid.ravel() for grid in np.meshgrid(steps, steps))
    kept = u + v <= 1.0 + 1e-9
    points: Floats = a + u[kept, None] * (b - a) + v[kept, None] * (c - a)
    return points
