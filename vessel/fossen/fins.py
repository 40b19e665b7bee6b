"""Compiled fins by two lines, or by quadratic lift and drag; see ``vessel.actuators.fins``.

Parameters: R (9, rows) that turns the fin's frame (x chord, y normal, z span) into BODY; then, of
two lines, half the density times the area, a0, stall, cla, cla_stall, cda, cda_stall, and 1 for
the UUV Simulator's own code; of the other, the constants of lift and drag.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

from steerageway.vessel.fossen.dynamics import Floats
from steerageway.vessel.fossen.layout import P
from steerageway.world.compiled import part

HALF_DENSITY_AREA, A0, STALL, CLA, CLA_STALL, CDA, CDA_STALL, AS_CODED = range(9, 17)
LIFT, DRAG = 9, 10


@part
def folded(angle: float) -> float:
    """Give an angle of up to 270 degrees within +-90."""
    if angle > 0.5 * pi:
        return angle - pi
    return angle + pi if angle < -0.5 * pi else angle


@part
def two_lines(E: Floats, k: int, alpha: float) -> tuple[float, float]:
    """Give CL and CD of an angle of attack."""
    stall, size, sign = E[k + STALL], abs(alpha), 1.0 if alpha >= 0.0 else -1.0
    if size <= stall:
        cl, cd = E[k + CLA] * size, E[k + CDA] * size
    else:
        slope = E[k + CDA_STALL] if E[k + AS_CODED] != 0.0 and sign < 0.0 else E[k + CLA_STALL]
        cl = E[k + CLA] * stall + slope * (size - stall)
        cd = E[k + CDA] * stall + E[k + CDA_STALL] * (size - stall)
        if E[k + AS_CODED] == 0.0:
            cl, cd = max(cl, 0.0), abs(cd)
    return sign * cl, sign * cd if E[k + AS_CODED] != 0.0 else cd


@part
def fin_force(
    E: Floats, e: int, by_lines: bool, delta: float, u: float, v: float, w: float
) -> tuple[float, float, float]:
    """Give the force in BODY of a fin turned by delta about its span, in the flow at its place."""
    k = e + P
    along = E[k] * u + E[k + 3] * v + E[k + 6] * w
    across = E[k + 1] * u + E[k + 4] * v + E[k + 7] * w
    c, s = cos(delta), sin(delta)
    v_x, v_y = c * along + s * across, c * across - s * along
    angle = folded(atan2(v_y, v_x))
    if by_lines:
        lift, drag = two_lines(E, k, folded(angle + E[k + A0]))
        lift *= E[k + HALF_DENSITY_AREA]
        drag *= E[k + HALF_DENSITY_AREA]
    else:
        lift, drag = E[k + LIFT] * angle, E[k + DRAG] * angle * angle
    speed = sqrt(v_x * v_x + v_y * v_y)
    F_x, F_y = speed * (lift * v_y - drag * v_x), -speed * (lift * v_x + drag * v_y)
    ahead, normal = c * F_x - s * F_y, s * F_x + c * F_y
    return (
        E[k] * ahead + E[k + 1] * normal,
        E[k + 3] * ahead + E[k + 4] * normal,
        E[k + 6] * ahead + E[k + 7] * normal,
    )
