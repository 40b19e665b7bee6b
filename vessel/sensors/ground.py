"""Ranges of beams to the bottom, for a uniform depth or a grid of depths."""

from __future__ import annotations

import numpy as np

from steerageway.vessel.sensors.truth import Array, Truth

STEPS = 30  # maximum number of iterations
CLOSE = 1e-6  # change of a range at which the iteration has converged [m]


def ranges(truth: Truth, places: Array, beams: Array) -> Array:
    """Return the range (n,) along each beam to the bottom [m]; -1 without an intersection.

    Args:
        truth: at n times, with the depth of the water.
        places: (n, 3) origins of the beams, NED [m].
        beams: (n, 3) their directions, NED, unit vectors.
    """
    down = np.where(beams[:, 2] > 0, beams[:, 2], np.inf)
    found = (truth.depths(places) - places[:, 2]) / down
    if truth.over_a_grid:
        for _ in range(STEPS):
            # Fixed-point iteration: the depth at the point where the beam met the last depth.
            again = (truth.depths(places + found[:, None] * beams) - places[:, 2]) / down
            moved = np.abs(again - found)
            found = again
            if not (moved > CLOSE).any():
                break
    known: Array = np.where((truth.depths(places) > 0) & (found > 0), found, -1.0)
    return known
