"""Plan outline of a hull, for contact with walls, other boats and the bottom.

Without ``outline`` in ``geometry.yml`` it is a standard shape, full aft and pointed forward, of the
mesh's extent or of the vessel's length and breadth about CO.
"""

from __future__ import annotations

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.world.arrays import Floats
from steerageway.world.document import Section
from steerageway.world.mesh import Mesh

FORM = np.array(
    [[0.5, 0.0], [0.4, 0.3], [0.25, 0.5], [0.0, 0.5], [-0.25, 0.5], [-0.5, 0.5]], np.float64
)
"""The starboard side of the standard shape, from bow to stern, over length and breadth."""


def of_size(length: float, breadth: float) -> Floats:
    """Return the standard plan (n, 2) about its centre: ahead and to starboard [m]."""
    side = FORM * [length, breadth]
    plan: Floats = np.concatenate((side, side[:0:-1] * [1.0, -1.0]))
    return plan


def outline_of(geometry: Section, mesh: Mesh | None) -> Floats:
    """Return the plan of a vessel's hull (n, 2) in BODY from CO [m]; (0, 2) if unknown.

    Raises:
        InvalidValue: ``outline`` has less than three points.
    """
    rows = geometry.rows(geo.OUTLINE)
    if rows:
        if len(rows) < 3:
            geometry.fail(geo.OUTLINE, f"{len(rows)} points", "at least three, [ahead, starboard]")
        return np.array(rows, np.float64)
    if mesh is not None:
        low, high = mesh.extent
        plan = of_size(float(high[0] - low[0]), float(high[1] - low[1]))
        return plan + 0.5 * (high + low)[:2]
    if not geometry.is_valid(geo.LENGTH, geo.BREADTH):
        return np.zeros((0, 2))
    length, breadth = (geometry.number(key, 0.0, low=0.0) for key in (geo.LENGTH, geo.BREADTH))
    return of_size(length, breadth) if length > 0.0 and breadth > 0.0 else np.zeros((0, 2))


def needed(outline: Floats, name: str) -> Floats:
    """Return the plan of a vessel, checked for use in contacts.

    Raises:
        InvalidValue: the plan is unknown.
    """
    if len(outline) < 3:
        raise InvalidValue(
            f"{name}: its plan is not known, so that it could touch something: expected breadth, "
            "or outline, in geometry.yml"
        )
    return outline
