"""A place by ranges to beacons at known places: long baseline, LBL."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, hypot, sqrt

Place = tuple[float, float, float]  # east, north, depth [m]
FEWEST = 3  # beacons; with two there are two places
SINGULAR = 1e-6  # of the determinant, by the square of the baselines: beacons in a line


def fix(ranges: Sequence[tuple[Place, float]], depth: float) -> tuple[float, float, float] | None:
    """Return east and north, and the root mean square of the residual ranges [m].

    The squares of the horizontal ranges, less that of the first beacon, are linear in the place;
    of more than three beacons the place of least squares of these is returned.

    Args:
        ranges: place of each beacon, and the slant range to it [m].
        depth: of the vessel [m].

    Returns: None with fewer than three beacons, or if they are in a line.

    Source: P. H. Milne (1983), Underwater Acoustic Positioning Systems.
    """
    if len(ranges) < FEWEST:
        return None
    rows = [(x, y, max(0.0, away**2 - (below - depth) ** 2)) for (x, y, below), away in ranges]
    (x0, y0, square0), *others = rows
    # Relative to the first beacon: 2 e x + 2 n y = r0² - r² + e² + n²
    legs = [(x - x0, y - y0, (square0 - r2) / 2.0) for x, y, r2 in others]
    legs = [(e, n, half + (e * e + n * n) / 2.0) for e, n, half in legs]
    ee, nn = fsum(e * e for e, _, _ in legs), fsum(n * n for _, n, _ in legs)
    en = fsum(e * n for e, n, _ in legs)
    eh, nh = fsum(e * h for e, _, h in legs), fsum(n * h for _, n, h in legs)
    determinant = ee * nn - en * en
    if determinant <= SINGULAR * (ee + nn) ** 2:
        return None
    east, north = x0 + (nn * eh - en * nh) / determinant, y0 + (ee * nh - en * eh) / determinant
    errors = [hypot(east - x, north - y, below - depth) - away for (x, y, below), away in ranges]
    return east, north, sqrt(fsum(error * error for error in errors) / len(errors))
