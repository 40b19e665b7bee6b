"""Where beams meet the ground, in water of one depth or over a grid of depths."""

from __future__ import annotations

import numpy as np

from steerageway.vessel.sensors.truth import Array, Truth

STEPS = 30  # towards the point where a beam meets a sloping bottom
CLOSE = 1e-6  # [m]


def ranges(truth: Truth, places: Array, beams: Array) -> Array:
    """Return the distance (n,) along each beam to the bottom [m]; -1 where it meets none.

    Args:
        truth: at n times, with what is known of the water's depth.
        places: (n, 3) where the beams begin, NED [m].
        beams: (n, 3) their directions, NED, of length 1.
    """
    down = np.where(beams[:, 2] > 0, beams[:, 2], np.inf)
    found = (truth.depths(places) - places[:, 2]) / down
    if truth.over_a_grid:
        for _ in range(STEPS):
            # the depth under the point that is the bottom by the depth found last
            again = (truth.depths(places + found[:, None] * beams) - places[:, 2]) / down
            moved = np.abs(again - found)
            found = again
            if not (moved > CLOSE).any():
                break
    known: Array = np.where((truth.depths(places) > 0) & (found > 0), found, -1.0)
    return known
