"""Wave elevation and dynamic pressure at many points near one place, vectorised.

The phase of each component is computed exactly once, at the place; at the points it differs by a
few turns at most, so that a reduction in two parts and polynomials give its cosine, and an
exponential, to a few units in the last place. The inner loops are over points, the outer over
components: processors handle several points at once (SIMD), and the order of each sum is fixed, so
the result is bit-for-bit the same with or without SIMD.
"""

from __future__ import annotations

from math import inf, pi

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part, pointer
from steerageway.world.kinematics import (
    DENSITY,
    DEPTH,
    EAST,
    FREQUENCY,
    GRAVITY,
    NORTH,
    NUMBER,
    PHASE,
    RAMP,
    amplitude,
)

BLOCK = 256  # points at once: intermediate results stay in the second-level cache
WHEELER, LINEAR, HYDROSTATIC = 0, 1, 2  # depth at which a profile is taken; or no profile

TWO_PI_HIGH, TWO_PI_LOW = 6.28125, 2.0 * pi - 6.28125  # the high part times a few turns is exact
TURNS = 1.0 / (2.0 * pi)
MOST_DECAY = 32.0  # exp(-32) is 1e-14: negligible


@part
def cosine(angle: float) -> float:
    """Return the cosine of an angle within some thousand turns, without branches."""
    turns = np.rint(angle * TURNS)
    y: float = 0.5 * pi - abs((angle - turns * TWO_PI_HIGH) - turns * TWO_PI_LOW)
    q = y * y
    series = 1.0 - q / 342.0
    series = 1.0 - q * (1.0 / 272.0) * series
    series = 1.0 - q * (1.0 / 210.0) * series
    series = 1.0 - q * (1.0 / 156.0) * series
    series = 1.0 - q * (1.0 / 110.0) * series
    series = 1.0 - q * (1.0 / 72.0) * series
    series = 1.0 - q * (1.0 / 42.0) * series
    series = 1.0 - q * (1.0 / 20.0) * series
    series = 1.0 - q * (1.0 / 6.0) * series
    return y * series


@part
def decay(y: float) -> float:
    """Return exp(-y) for y >= 0: the 64th power of the series of its 64th root."""
    x = min(y, MOST_DECAY) * (1.0 / 64.0)
    series = 1.0 - x * (1.0 / 12.0)
    series = 1.0 - x * (1.0 / 11.0) * series
    series = 1.0 - x * (1.0 / 10.0) * series
    series = 1.0 - x * (1.0 / 9.0) * series
    series = 1.0 - x * (1.0 / 8.0) * series
    series = 1.0 - x * (1.0 / 7.0) * series
    series = 1.0 - x * (1.0 / 6.0) * series
    series = 1.0 - x * (1.0 / 5.0) * series
    series = 1.0 - x * (1.0 / 4.0) * series
    series = 1.0 - x * (1.0 / 3.0) * series
    series = 1.0 - x * (1.0 / 2.0) * series
    series = 1.0 - x * series
    series *= series
    series *= series
    series *= series
    series *= series
    series *= series
    return series * series


@compiled
def at_nodes(
    rows: Floats,
    water: Floats,
    t: float,
    place: Floats,
    nodes: Floats,
    scratch: Floats,
    profile: int,
    out: Floats,
) -> None:
    """Write elevation and dynamic pressure at points.

    Args:
        rows: (n, ROW) components, see ``kinematics``.
        water: (WATER,) scalars, see ``kinematics``.
        t: time [s].
        place: (2,) north and east position of the points' origin [m].
        nodes: (3, m) points relative to it: x, y, and z from the mean surface [m].
        scratch: (n + 1, BLOCK), overwritten.
        profile: pressure profile: ``WHEELER``, ``LINEAR``, or ``HYDROSTATIC``, rho g zeta alone.
        out: (2, m), zeta [m] and dynamic pressure [Pa].
    """
    first, waves, m = pointer(nodes), pointer(scratch), nodes.shape[1]
    written = pointer(out)
    count = rows.shape[0]
    weight = water[DENSITY] * water[GRAVITY]
    for start in range(0, m, BLOCK):
        size = min(BLOCK, m - start)
        x, y, z = start, m + start, 2 * m + start
        zeta, pressure = start, m + start
        for j in range(size):
            written[zeta + j] = 0.0
            written[pressure + j] = 0.0
        # components outside, points inside: the sum at each point keeps the order of components
        for i in range(count):
            a = amplitude(rows, i, t, water[RAMP])
            north, east = rows[i, NORTH], rows[i, EAST]
            here = rows[i, FREQUENCY] * t - north * place[0] - east * place[1] + rows[i, PHASE]
            # exact reduction once per component; ``cosine`` only has to handle the small remainder
            here %= 2.0 * pi
            row = (i + 1) * BLOCK
            for j in range(size):
                wave = a * cosine(here - north * first[x + j] - east * first[y + j])
                waves[row + j] = wave
                written[zeta + j] += wave
        if profile == HYDROSTATIC:
            for j in range(size):
                written[pressure + j] = weight * written[zeta + j]
            continue
        _depths(water[DEPTH], profile, first, written, waves, z, zeta, size)
        _pressures(rows, water, waves, written, pressure, size)


@part
def _depths(
    depth: float,
    profile: int,
    first: Floats,
    written: Floats,
    waves: Floats,
    z: int,
    zeta: int,
    size: int,
) -> None:
    """Write the profile depth of each point into the first row; 0 for dry points."""
    for j in range(size):
        place = first[z + j]
        if profile == WHEELER:
            above = written[zeta + j]
            place += above
            if depth < inf:
                place *= depth / (depth + above)
        waves[j] = max(place, 0.0)


@part
def _pressures(
    rows: Floats, water: Floats, waves: Floats, written: Floats, pressure: int, size: int
) -> None:
    """Add the pressures of the components."""
    depth = water[DEPTH]
    for i in range(rows.shape[0]):
        k, row = rows[i, NUMBER], (i + 1) * BLOCK
        if k * depth > MOST_DECAY:
            weight = water[DENSITY] * water[GRAVITY]
            for j in range(size):
                written[pressure + j] += weight * waves[row + j] * decay(k * waves[j])
            continue
        bottom = decay(2.0 * k * depth)
        weight = water[DENSITY] * water[GRAVITY] / (1.0 + bottom)
        for j in range(size):
            factor = decay(k * waves[j])
            mirrored = decay(k * (2.0 * depth - waves[j]))
            written[pressure + j] += weight * waves[row + j] * (factor + mirrored)
