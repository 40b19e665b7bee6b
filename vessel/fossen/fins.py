"""Compiled fins by two lines, or by quadratic lift and drag; see ``vessel.actuators.fins``.

The fin's frame is x along the chord, y along the normal, z along the span.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

from steerageway.vessel.fossen.layout import Record
from steerageway.world.compiled import part


@part
def folded(angle: float) -> float:
    """Give an angle of up to 270 degrees within +-90."""
    if angle > 0.5 * pi:
        return angle - pi
    return angle + pi if angle < -0.5 * pi else angle


@part
def two_lines(E: Record, alpha: float) -> tuple[float, float]:
    """Give CL and CD of an angle of attack."""
    stall, size, sign = E.stall, abs(alpha), 1.0 if alpha >= 0.0 else -1.0
    if size <= stall:
        cl, cd = E.cla * size, E.cda * size
    else:
        slope = E.cda_stall if E.as_coded != 0 and sign < 0.0 else E.cla_stall
        cl = E.cla * stall + slope * (size - stall)
        cd = E.cda * stall + E.cda_stall * (size - stall)
        if E.as_coded == 0:
            cl, cd = max(cl, 0.0), abs(cd)
    return sign * cl, sign * cd if E.as_coded != 0 else cd


@part
def fin_force(
    E: Record, by_lines: bool, delta: float, u: float, v: float, w: float
) -> tuple[float, float, float]:
    """Give the force in BODY of a fin turned by delta about its span, in the flow at its place."""
    along = E.chord_x * u + E.chord_y * v + E.chord_z * w
    across = E.normal_x * u + E.normal_y * v + E.normal_z * w
    c, s = cos(delta), sin(delta)
    v_x, v_y = c * along + s * across, c * across - s * along
    angle = folded(atan2(v_y, v_x))
    if by_lines:
        lift, drag = two_lines(E, folded(angle + E.a0))
        lift *= E.half_density_area
        drag *= E.half_density_area
    else:
        lift, drag = E.lift_constant * angle, E.drag_constant * angle * angle
    speed = sqrt(v_x * v_x + v_y * v_y)
    F_x, F_y = speed * (lift * v_y - drag * v_x), -speed * (lift * v_x + drag * v_y)
    ahead, normal = c * F_x - s * F_y, s * F_x + c * F_y
    return (
        E.chord_x * ahead + E.normal_x * normal,
        E.chord_y * ahead + E.normal_y * normal,
        E.chord_z * ahead + E.normal_z * normal,
    )
