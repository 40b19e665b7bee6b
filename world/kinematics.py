"""Wave kinematics: elevation, velocity, acceleration and pressure of linear waves, compiled.

A sea is an array of rows, one per component: zeta = sum of a cos(w t - k (x cos b + y sin b) +
eps), each a fading in after its ``ON`` and out after its ``OFF`` over the sea's ramp by half a
cosine.
Velocities and accelerations are Airy's, NED; pressure is the dynamic part.

Source: Fossen (2021), section 10.2; depth factors in exponential form, which cannot overflow.
Above the still level the profile is Wheeler's (1970, Journal of Petroleum Technology 22): that of
h (z + zeta)/(h + zeta), in deep water z + zeta, so that total pressure is zero at the surface.
"""

from __future__ import annotations

from math import cos, exp, inf, pi, sin

import numpy as np

from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part

# columns of a component's row
AMPLITUDE, FREQUENCY, NUMBER, NORTH, EAST, PHASE, ON, OFF = range(8)  # NORTH, EAST: of k
ROW = 8

# scalars of the water
DEPTH, GRAVITY, DENSITY, RAMP = range(4)
WATER = 4

# columns that ``motions`` writes for each point
ZETA, SLOPE_N, SLOPE_E = 0, 1, 2
U_N, U_E, U_D = 3, 4, 5
A_N, A_E, A_D = 6, 7, 8
PRESSURE = 9
MOTION = 10


@part
def risen(since: float, ramp: float) -> float:
    """Return the fraction of a ramp that has passed, smoothed: ½(1 - cos)."""
    if since >= ramp:
        return 1.0
    if since <= 0.0:
        return 0.0
    return 0.5 * (1.0 - cos(pi * since / ramp))


@part
def amplitude(rows: Floats, i: int, t: float, ramp: float) -> float:
    """Return a component's amplitude [m] at a time [s]."""
    share = risen(t - rows[i, ON], ramp)
    if rows[i, OFF] < t:
        share *= 1.0 - risen(t - rows[i, OFF], ramp)
    return float(rows[i, AMPLITUDE] * share)


@compiled
def amplitudes(rows: Floats, water: Floats, t: float, out: Floats) -> None:
    """Write the components' amplitudes (n,) [m] at a time [s]."""
    for i in range(rows.shape[0]):
        out[i] = amplitude(rows, i, t, water[RAMP])


@part
def elevation(rows: Floats, ramp: float, x: float, y: float, t: float) -> float:
    """Return the elevation zeta [m], positive up."""
    zeta = 0.0
    for i in range(rows.shape[0]):
        phase = rows[i, FREQUENCY] * t - rows[i, NORTH] * x - rows[i, EAST] * y + rows[i, PHASE]
        zeta += amplitude(rows, i, t, ramp) * cos(phase)
    return zeta


@part
def stretched(z: float, zeta: float, depth: float) -> float:
    """Return the depth [m] whose still-water profile Wheeler stretching takes for a depth z."""
    if depth == inf:
        return z + zeta
    return depth * (z + zeta) / (depth + zeta)


@part
def pressure_factor(k: float, z: float, depth: float) -> float:
    """Return the depth factor cosh k(h - z)/cosh kh."""
    if depth == inf:
        return exp(-k * z)
    return (exp(-k * z) + exp(-k * (2.0 * depth - z))) / (1.0 + exp(-2.0 * k * depth))


@part
def dynamic_pressure(rows: Floats, water: Floats, x: float, y: float, z: float, t: float) -> float:
    """Return the dynamic pressure [Pa] of the unstretched profile at depth z [m]."""
    p = 0.0
    for i in range(rows.shape[0]):
        phase = rows[i, FREQUENCY] * t - rows[i, NORTH] * x - rows[i, EAST] * y + rows[i, PHASE]
        factor = pressure_factor(rows[i, NUMBER], z, water[DEPTH])
        p += amplitude(rows, i, t, water[RAMP]) * factor * cos(phase)
    return float(water[DENSITY] * water[GRAVITY] * p)


@compiled
def motion(
    rows: Floats, water: Floats, point: Floats, t: float, wheeler: bool, out: Floats
) -> None:
    """Write the motion (MOTION,) at a point (3,) NED; ``wheeler``: with a stretched profile."""
    x, y, z, depth, ramp = point[0], point[1], point[2], water[DEPTH], water[RAMP]
    for j in range(MOTION):
        out[j] = 0.0
    out[ZETA] = elevation(rows, ramp, x, y, t)
    place = stretched(z, out[ZETA], depth) if wheeler else z
    for i in range(rows.shape[0]):
        w, k = rows[i, FREQUENCY], rows[i, NUMBER]
        phase = w * t - rows[i, NORTH] * x - rows[i, EAST] * y + rows[i, PHASE]
        a = amplitude(rows, i, t, ramp)
        c, s = a * cos(phase), a * sin(phase)
        out[SLOPE_N] += rows[i, NORTH] * s
        out[SLOPE_E] += rows[i, EAST] * s
        near, far, even, odd = exp(-k * place), 0.0, 1.0, 1.0
        if depth < inf:
            far = exp(-k * (2.0 * depth - place))
            even, odd = 1.0 + exp(-2.0 * k * depth), 1.0 - exp(-2.0 * k * depth)
        along, up = (near + far) / odd, (near - far) / odd
        north, east = rows[i, NORTH] / k, rows[i, EAST] / k
        out[U_N] += w * along * north * c
        out[U_E] += w * along * east * c
        out[U_D] += w * up * s
        out[A_N] -= w * w * along * north * s
        out[A_E] -= w * w * along * east * s
        out[A_D] += w * w * up * c
        out[PRESSURE] += water[DENSITY] * water[GRAVITY] * (near + far) / even * c


@compiled
def motions(
    rows: Floats, water: Floats, points: Floats, times: Floats, wheeler: bool, out: Floats
) -> None:
    """Write the motions (n, MOTION) at points (n, 3), each at its own time (n,)."""
    for i in range(points.shape[0]):
        motion(rows, water, points[i], times[i], wheeler, out[i])


@compiled
def elevations(
    rows: Floats, water: Floats, x: Floats, y: Floats, times: Floats, out: Floats
) -> None:
    """Write zeta (n,) [m] at positions (n,), (n,) [m] and times (n,) [s]."""
    for i in range(x.size):
        out[i] = elevation(rows, water[RAMP], x[i], y[i], times[i])


@compiled
def stokes_drift(rows: Floats, water: Floats, z: float, t: float, out: Floats) -> None:
    """Write the Stokes drift velocity (2,), north and east [m/s], at a depth [m].

    a² w k cosh 2k(h - z)/(2 sinh² kh), in deep water a² w k exp(-2kz).
    Source: Stokes (1847); Phillips (1977), section 3.3.
    """
    out[0] = out[1] = 0.0
    depth = water[DEPTH]
    for i in range(rows.shape[0]):
        k = rows[i, NUMBER]
        factor = exp(-2.0 * k * z)
        if depth < inf:
            factor += exp(-2.0 * k * (2.0 * depth - z))
            factor /= (1.0 - exp(-2.0 * k * depth)) ** 2
        drift = amplitude(rows, i, t, water[RAMP]) ** 2 * rows[i, FREQUENCY] * factor
        out[0] += drift * rows[i, NORTH]
        out[1] += drift * rows[i, EAST]


NO_WAVES: Floats = np.zeros((0, ROW))
