"""Whether a body touches what is around it: rays along its edges and from its middle to its skin.

Nothing wider than the spaces between them can be inside the body and not be met.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.mesh import Mesh
from steerageway.world.rays.caster import NOTHING, Body, Caster

SPACING = 0.15  # of points on the skin [m]


class Touch:
    """A body that may touch things.

    Args:
        mesh: of it, in its own frame, all seen from its centroid.
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
        self, caster: Caster, position: Floats, R: Floats, bodies: Sequence[Body] = ()
    ) -> list[int]:
        """Give the numbers of what it touches.

        Args:
            caster: of what stands.
            position, R: (3,), (3, 3) from its frame to NED.
            bodies: others, where they are.
        """
        starts, ways = self._starts @ R.T + position, self._ways @ R.T
        hits = caster.cast(starts, ways, 0.0, float(self._lengths.max()), bodies)
        inside = (hits.numbers != NOTHING) & (np.nan_to_num(hits.ranges) <= self._lengths)
        return sorted({int(number) for number in hits.numbers[inside]})


def _points(triangle: Floats, spacing: float) -> Floats:
    """Give points (n, 3) all over a triangle (3, 3), no further apart than asked [m]."""
    a, b, c = triangle
    longest = max(np.linalg.norm(b - a), np.linalg.norm(c - a), np.linalg.norm(c - b))
    count = max(1, int(np.ceil(longest / spacing)))
    steps = np.arange(count + 1) / count
    u, v = (grid.ravel() for grid in np.meshgrid(steps, steps))
    kept = u + v <= 1.0 + 1e-9
    points: Floats = a + u[kept, None] * (b - a) + v[kept, None] * (c - a)
    return points
