"""Compiled drag of a mesh's wet triangles after Kerner, with errors of the source corrected.

Friction: ½ rho C_F |v|² S against the tangential velocity of the piece, with ITTC's line
C_F = (1 + k) 0.075/(log10 Rn - 2)², Rn = U L/nu. Pressure: a piece facing the flow has
the force -(P1 s + P2 s²) S c^fp n, one on the lee side the suction (S1 s + S2 s²) S |c|^fs n, with
s = |v|/vref and c = v·n/|v|. The coefficients are tuned, not derived from physics.

Source: Kerner (2016), Water interaction model for boats in video games, part 2; ITTC (1957).
"""

from __future__ import annotations

from math import sqrt

from steerageway.vessel import damping, rigid_body
from steerageway.vessel.mesh.cut import CORNER, area_of, clipped
from steerageway.world.arrays import Floats, Whole
from steerageway.world.compiled import compiled, part
from steerageway.world.constants import VISCOSITY

# indices of the model's coefficients
FRICTION, P1, P2, S1, S2, VREF, FP, FS, LENGTH = range(9)  # FRICTION: 1 + k; 0: no drag at all
COEFFICIENTS = 9
LEAST_REYNOLDS = 1e3  # the ITTC 1957 line has a pole at 100; below this its value is constant

friction_line = part(damping.ittc57_line)
moment = part(rigid_body.moment)


@part
def friction(speed: float, length: float) -> float:
    """Return C_F of a hull of this length [m] at this speed through the water [m/s]."""
    return friction_line(max(speed * length / VISCOSITY, LEAST_REYNOLDS))


@compiled
def dragged(
    nodes: Floats,
    heights: Floats,
    triangles: Whole,
    velocity: Floats,
    rates: Floats,
    z: float,
    density: float,
    coefficients: Floats,
    corners: Floats,
    out: Floats,
) -> None:
    """Write force and moment about CO (6,), axes NED.

    Args:
        nodes, heights, triangles: see ``cut.pressed``.
        velocity: (3,) of CO through the water, axes NED [m/s].
        rates: (3,) angular velocity, axes NED [rad/s].
        z: CO below the nodes' origin [m].
        density: of the water [kg/m³].
        coefficients: (COEFFICIENTS,).
        corners: (CORNERS,) work array.
        out: (6,) results.
    """
    for i in range(6):
        out[i] = 0.0
    speed = sqrt(velocity[0] ** 2 + velocity[1] ** 2 + velocity[2] ** 2)
    line = coefficients[FRICTION] * friction(speed, coefficients[LENGTH])
    for i in range(triangles.shape[0]):
        count = clipped(nodes, heights, heights, triangles[i], corners)
        for last in range(2, count):
            _drag(
                corners,
                (last - 1) * CORNER,
                last * CORNER,
                velocity,
                rates,
                z,
                0.5 * density * line,
                coefficients,
                out,
            )


@part
def _drag(
    corners: Floats,
    b: int,
    c: int,
    velocity: Floats,
    rates: Floats,
    z: float,
    friction: float,
    k: Floats,
    out: Floats,
) -> None:
    """Add what acts on one piece, at its centroid."""
    nx, ny, nz = area_of(corners, 0, b, c)
    area = sqrt(nx * nx + ny * ny + nz * nz)
    if area == 0.0:
        return
    nx, ny, nz = nx / area, ny / area, nz / area
    x = (corners[0] + corners[b] + corners[c]) / 3.0
    y = (corners[1] + corners[b + 1] + corners[c + 1]) / 3.0
    r = (corners[2] + corners[b + 2] + corners[c + 2]) / 3.0 - z
    vx = velocity[0] + rates[1] * r - rates[2] * y
    vy = velocity[1] + rates[2] * x - rates[0] * r
    vz = velocity[2] + rates[0] * y - rates[1] * x
    speed = sqrt(vx * vx + vy * vy + vz * vz)
    if speed == 0.0:
        return
    normal = vx * nx + vy * ny + vz * nz
    tx, ty, tz = vx - normal * nx, vy - normal * ny, vz - normal * nz
    along = sqrt(tx * tx + ty * ty + tz * tz)
    fx = fy = fz = 0.0
    if along > 0.0:
        drag = -friction * speed * speed * area / along
        fx, fy, fz = drag * tx, drag * ty, drag * tz
    cosine, s = normal / speed, speed / k[VREF]
    if cosine > 0.0:
        push = -(k[P1] * s + k[P2] * s * s) * area * cosine ** k[FP]
    elif cosine < 0.0:
        push = (k[S1] * s + k[S2] * s * s) * area * (-cosine) ** k[FS]
    else:
        push = 0.0
    fx, fy, fz = fx + push * nx, fy + push * ny, fz + push * nz
    out[0] += fx
    out[1] += fy
    out[2] += fz
    K, M, N = moment(x, y, r, fx, fy, fz)
    out[3] += K
    out[4] += M
    out[5] += N
