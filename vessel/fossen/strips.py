"""Compiled cross-flow drag by strip theory: closed form for a box, strip by strip for a mesh.

Source: Fossen (2021), equations 8.126 to 8.129; the formulas are in ``vessel.cross_flow``.
"""

from __future__ import annotations

from math import sqrt

from steerageway.vessel import cross_flow as across
from steerageway.vessel.cross_flow import CRITICAL_REYNOLDS, CYLINDER_CURVE
from steerageway.vessel.fossen.layout import TAU, Record, entry
from steerageway.world.arrays import Floats
from steerageway.world.compiled import part

strip_drag = part(across.strip_drag)
box_integrals = part(across.box_integrals)
point_sums = part(across.point_sums)

CYLINDER_ROWS = len(CYLINDER_CURVE)  # the first rows of ``tables``


@part
def cross_flow(s: Record, tables: Floats, nu_r: Floats, tau: Floats) -> None:
    """Add the cross-flow drag: in sway and yaw, for a submerged hull in heave and pitch too.

    In heave and pitch the cross-flow speed along the hull is w - x q.
    """
    if s.cross == 0:
        return
    if s.cross_rows > 0:
        mesh(s, tables, nu_r, tau)
        return
    cd = s.cross_cd
    if cd == 0.0:
        cd = cylinder_drag(s, tables, sqrt(nu_r[1] * nu_r[1] + nu_r[2] * nu_r[2]))
    box(s, cd, nu_r, tau)


@part
def box(s: Record, cd: float, nu_r: Floats, tau: Floats) -> None:
    """Subtract the drag of a hull of constant section."""
    scale = 0.5 * s.cross_density * s.cross_width * cd
    half, summed = s.cross_half, s.cross_sum != 0
    force, moment = integrals(nu_r[1], nu_r[5], half, summed)
    tau[TAU + 1] -= scale * force
    tau[TAU + 5] -= scale * moment
    if s.cross == 2:
        force, moment = integrals(nu_r[2], -nu_r[4], half, summed)
        tau[TAU + 2] -= scale * force
        tau[TAU + 4] += scale * moment


@part
def integrals(v: float, r: float, half: float, summed: bool) -> tuple[float, float]:
    """Return the integrals of |s| s and x |s| s, s = v + x r, over the hull, or reference sums."""
    return point_sums(v, r, half) if summed else box_integrals(v, r, half)


@part
def mesh(s: Record, tables: Floats, nu_r: Floats, tau: Floats) -> None:
    """Add the drag of a hull defined by strips; if it floats their vertical areas are zero."""
    first, half_density = s.cross_first, 0.5 * s.cross_density
    for row in range(first, first + s.cross_rows):
        x = tables[entry(row, 0)]
        v, w = nu_r[1] + x * nu_r[5], nu_r[2] - x * nu_r[4]
        lateral = strip_drag(half_density, tables[entry(row, 1)], v)
        vertical = strip_drag(half_density, tables[entry(row, 2)], w)
        tau[TAU + 1] -= lateral
        tau[TAU + 2] -= vertical
        tau[TAU + 4] += x * vertical
        tau[TAU + 5] -= x * lateral


@part
def cylinder_drag(s: Record, tables: Floats, speed: float) -> float:
    """Return a circular cylinder's drag coefficient, for its length and Reynolds number.

    Source: DNV-RP-C205, as tabulated in MSS cylinderDrag.
    """
    reynolds = s.cross_re * speed
    kappa = s.cross_kappa_low if reynolds < CRITICAL_REYNOLDS else s.cross_kappa_high
    return float(interpolated(tables, 0, CYLINDER_ROWS, reynolds, 1) * kappa)


@part
def interpolated(tables: Floats, first: int, rows: int, at: float, column: int) -> float:
    """Interpolate in a table ascending in its first column; the end values are held."""
    low, high = first, first + rows - 1
    if at <= tables[entry(low, 0)]:
        return float(tables[entry(low, column)])
    if at >= tables[entry(high, 0)]:
        return float(tables[entry(high, column)])
    while high - low > 1:
        middle = (low + high) // 2
        if tables[entry(middle, 0)] <= at:
            low = middle
        else:
            high = middle
    x_low, x_high = tables[entry(low, 0)], tables[entry(high, 0)]
    y_low, y_high = tables[entry(low, column)], tables[entry(high, column)]
    return float(y_low + (at - x_low) / (x_high - x_low) * (y_high - y_low))
