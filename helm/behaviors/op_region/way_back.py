"""Objective function of the courses that lead back into a polygon.

Source: BHV_OpRegionV24 of MOOS-IvP.
"""

from __future__ import annotations

import numpy as np

from steerageway.helm.geometry import turn
from steerageway.ivp import Function, Variable, one_dimensional
from steerageway.ivp.domain import FloatArray
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point


def ray_distances(polygon: Polygon, here: Point, courses: FloatArray) -> FloatArray:
    """Return the distance to the polygon on each course [m]; infinity if the course misses it."""
    angles = np.radians(courses)[:, None]
    along_x, along_y = np.sin(angles), np.cos(angles)
    starts = np.array(polygon.points)
    edges = np.roll(starts, -1, axis=0) - starts
    off_x, off_y = starts[:, 0] - here[0], starts[:, 1] - here[1]
    # here + way * course = start + share * edge, by Cramer's rule
    across = along_x * edges[:, 1] - along_y * edges[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        way = (off_x * edges[:, 1] - off_y * edges[:, 0]) / across
        share = (off_x * along_y - off_y * along_x) / across
    # tolerance: a ray through a vertex must meet one of its edges
    meets = (across != 0) & (way >= 0) & (share >= -1e-9) & (share <= 1 + 1e-9)
    return np.asarray(np.where(meets, way, np.inf).min(axis=1))


class WayBack:
    """Prefers courses with a short distance back, and keeps the side of the first turn.

    Attributes:
        side: 1 to starboard, -1 to port, 0 once the vessel points at the polygon; None: not chosen.
    """

    def __init__(self) -> None:
        self.side: float | None = None

    def reset(self) -> None:
        """Make the next objective choose the side again."""
        self.side = None

    def objective(
        self, variable: Variable, polygon: Polygon, here: Point, heading: float
    ) -> Function:
        """Return a function: 100 for the shortest distance to the polygon, 0 for the longest.

        Courses that miss it have utility 0, too, and until the vessel points at the polygon all
        courses on the other side of its heading: it would otherwise waver between two turns.
        """
        ways = ray_distances(polygon, here, variable.values)
        meets = np.isfinite(ways)
        if not meets.any():  # the polygon lies between two courses of the domain
            return one_dimensional(variable, np.zeros(variable.points))
        least, most = float(ways[meets].min()), float(ways[meets].max())
        span = max(most - least, 1e-9)
        table = np.where(meets, 100.0 * (1.0 - (np.where(meets, ways, most) - least) / span), 0.0)
        best = float(variable.values[int(ways.argmin())])
        if self.side is None:
            self.side = 1.0 if turn(heading, best) > 0 else -1.0
        if np.isfinite(ray_distances(polygon, here, np.array([heading]))[0]):
            self.side = 0.0
        elif self.side:
            sides = (variable.values - heading + 180.0) % 360.0 - 180.0
            masked = np.where(sides * self.side < 0, 0.0, table)
            table = masked if masked.any() else np.where(sides * self.side > 0, 100.0, 0.0)
        return one_dimensional(variable, table)
