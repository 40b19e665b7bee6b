"""Compiled fins in the local flow: two-line lift and drag, or quadratic lift and drag.

The formulas, and the fin's frame, are in ``vessel.actuators.fins``.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

from steerageway.vessel.actuators import fins
from steerageway.vessel.fossen.layout import Record
from steerageway.world.compiled import part

folded = part(fins.folded)
two_lines = part(fins.two_lines)
along_flow = part(fins.along_flow)


@part
def fin_force(
    E: Record, by_lines: bool, delta: float, u: float, v: float, w: float
) -> tuple[float, float, float]:
    """Return the force in BODY of a fin rotated by delta about its span, in the local flow."""
    along = E.chord_x * u + E.chord_y * v + E.chord_z * w
    across = E.normal_x * u + E.normal_y * v + E.normal_z * w
    c, s = cos(delta), sin(delta)
    v_x, v_y = c * along + s * across, c * across - s * along
    angle = folded(atan2(v_y, v_x))
    if by_lines:
        alpha, as_coded = folded(angle + E.a0), E.as_coded != 0
        lift, drag = two_lines(alpha, E.stall, E.cla, E.cla_stall, E.cda, E.cda_stall, as_coded)
        lift *= E.half_density_area
        drag *= E.half_density_area
    else:
        lift, drag = E.lift_constant * angle, E.drag_constant * angle * angle
    speed = sqrt(v_x * v_x + v_y * v_y)
    F_x, F_y = along_flow(lift, drag, speed, v_x, v_y)
    ahead, normal = c * F_x - s * F_y, s * F_x + c * F_y
    return (
        E.chord_x * ahead + E.normal_x * normal,
        E.chord_y * ahead + E.normal_y * normal,
        E.chord_z * ahead + E.normal_z * normal,
    )
