"""Compiled cross-flow drag by strip theory: of a box in closed form, of a mesh strip by strip.

Along the hull the cross-flow speed is s(x) = v + x r, linear, so the integrals of |s| s and
x |s| s over it are polynomials on each side of the point where s changes sign.
Source: Fossen (2021), equations 8.126 to 8.129.
"""

from __future__ import annotations

from math import sqrt

from steerageway.vessel.cross_flow import CRITICAL_REYNOLDS, CYLINDER_CURVE
from steerageway.vessel.fossen.dynamics import Floats
from steerageway.vessel.fossen.layout import (
    TAU,
    Record,
)
from steerageway.world.compiled import part

POINTS = 21
CYLINDER_ROWS = len(CYLINDER_CURVE)  # the first rows of ``tables``


@part
def cross_flow(s: Record, tables: Floats, nu_r: Floats, tau: Floats) -> None:
    """Add the drag of the flow across the hull: sway and yaw, of a submerged hull heave and pitch.

    Heave and pitch: along the hull the cross-flow speed is w - x q.
    """
    if s.cross == 0:
        return
    if s.cross_rows > 0:
        mesh(s, tables, nu_r, tau)
        return
    cd = s.cross_cd
    if cd == 0.0:
        cd = cylinder_drag(s, tables, sqrt(nu_r[1] ** 2 + nu_r[2] ** 2))
    scale = 0.5 * s.cross_density * s.cross_width * cd
    half, summed = s.cross_half, s.cross_sum != 0
    force, moment = strips(nu_r[1], nu_r[5], half, summed)
    tau[TAU + 1] -= scale * force
    tau[TAU + 5] -= scale * moment
    if s.cross == 2:
        force, moment = strips(nu_r[2], -nu_r[4], half, summed)
        tau[TAU + 2] -= scale * force
        tau[TAU + 4] += scale * moment


@part
def mesh(s: Record, tables: Floats, nu_r: Floats, tau: Floats) -> None:
    """Add the drag of a hull known by its strips; afloat their vertical areas are zero."""
    first, half_density = s.cross_first, 0.5 * s.cross_density
    for row in range(first, first + s.cross_rows):
        x = tables[3 * row]
        v, w = nu_r[1] + x * nu_r[5], nu_r[2] - x * nu_r[4]
        lateral = half_density * tables[3 * row + 1] * abs(v) * v
        vertical = half_density * tables[3 * row + 2] * abs(w) * w
        tau[TAU + 1] -= lateral
        tau[TAU + 2] -= vertical
        tau[TAU + 4] += x * vertical
        tau[TAU + 5] -= x * lateral


@part
def strips(v: float, r: float, half: float, summed: bool) -> tuple[float, float]:
    """Give the integrals of |s| s and x |s| s, s = v + x r, for x from -half to half."""
    if summed:
        return point_sum(v, r, half)
    if abs(v) >= abs(r) * half:
        sign = 1.0 if v >= 0.0 else -1.0
        cube = 2.0 * half * half * half / 3.0
        return sign * (2.0 * half * v * v + cube * r * r), sign * 2.0 * cube * v * r
    centre = v / r  # how far aft of CO the flow turns
    bow, stern = half + centre, half - centre
    bow3, stern3 = bow * bow * bow, stern * stern * stern
    force = (bow3 - stern3) / 3.0
    moment = (bow3 * bow + stern3 * stern) / 4.0 - centre * force
    square = r * abs(r)
    return square * force, square * moment


@part
def point_sum(v: float, r: float, half: float) -> tuple[float, float]:
    """Give the peers' sum: 21 points, each with the weight of a twentieth of the length.

    It is 1.05 times the integral in pure sway and 1.21 times it in pure yaw.
    """
    dx = 2.0 * half / (POINTS - 1)
    force = moment = 0.0
    for i in range(POINTS):
        x = -half + i * dx
        s = v + x * r
        force += abs(s) * s * dx
        moment += x * abs(s) * s * dx
    return force, moment


@part
def cylinder_drag(s: Record, tables: Floats, speed: float) -> float:
    """Give a circular cylinder's drag coefficient, for its length and the Reynolds number.

    Source: DNV-RP-C205, as tabulated in MSS cylinderDrag.
    """
    reynolds = s.cross_re * speed
    kappa = s.cross_kappa_low if reynolds < CRITICAL_REYNOLDS else s.cross_kappa_high
    return float(interpolated(tables, 0, CYLINDER_ROWS, reynolds, 1) * kappa)


@part
def interpolated(tables: Floats, first: int, rows: int, at: float, column: int) -> float:
    """Interpolate in the table of these rows, ascending in its first column; the ends are held."""
    low, high = first, first + rows - 1
    if at <= tables[3 * low + 0]:
        return float(tables[3 * low + column])
    if at >= tables[3 * high + 0]:
        return float(tables[3 * high + column])
    while high - low > 1:
        middle = (low + high) // 2
        if tables[3 * middle + 0] <= at:
            low = middle
        else:
            high = middle
    share = (at - tables[3 * low + 0]) / (tables[3 * high + 0] - tables[3 * low + 0])
    return float(
        tables[3 * low + column] + share * (tables[3 * high + column] - tables[3 * low + column])
    )
