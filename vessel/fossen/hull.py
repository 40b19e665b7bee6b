"""Compiled hull forces of a coefficient-form vessel: Coriolis, damping, lift, restoring, wind.

Each function adds its wrench about CO, in BODY, to ``tau`` (6,), given ``nu_r`` (6,), the velocity
through the water. In the right-hand side both are parts of ``dx``: ``nu_r`` is the first half,
which is overwritten at the end, ``tau`` the second. Results are reproduced bit for bit, so the
order of terms in each sum must not change.

Arrays arrive as pointers, see ``compiled.pointer``, and matrices by flat indices, see ``layout``.
"""

from __future__ import annotations

from math import atan2, cos, exp, pi, sin, sqrt

from steerageway.vessel import damping as damping_formulas
from steerageway.vessel import kinematics, rigid_body
from steerageway.vessel import restoring as restoring_formulas
from steerageway.vessel.fossen.attitude import eta_rates, eta_rates_at
from steerageway.vessel.fossen.layout import (
    ADDED,
    AXIS,
    COMPLIANCE,
    FACTORS,
    FADING,
    FIRST,
    HELD,
    KEEP,
    M_INV,
    MASS,
    STIFFNESS,
    TAU,
    TERM,
    Record,
    Terms,
    cell,
    entry,
)
from steerageway.vessel.fossen.state import (
    CURRENT_D,
    CURRENT_E,
    CURRENT_N,
    P_,
    PHI,
    PSI,
    Q_,
    R_,
    THETA,
    U_,
    V_,
    W_,
    WIND_E,
    WIND_N,
    Z_,
)
from steerageway.vessel.fossen.strips import interpolated
from steerageway.vessel.fossen.terms import HEEL
from steerageway.world.arrays import Floats
from steerageway.world.compiled import part
from steerageway.world.formula import everywhere

SLOW = 1e-3  # [m/s] minimum speed in powers below 0

wing_coefficients = part(damping_formulas.wing_coefficients)
wing_force = part(damping_formulas.wing_force)
weight_less_buoyancy = part(restoring_formulas.weight_less_buoyancy)
turning_wrench = part(rigid_body.turning_wrench)
moment = part(rigid_body.moment)
ned_to_body = part(kinematics.ned_to_body)


@part
def relative_velocity(s: Record, x: Floats, surroundings: Floats, nu_r: Floats) -> None:
    """Write nu - nu_c; the current is rotated from NED to BODY.

    Source: Fossen (2021), equation 10.149; some reference programs rotate by yaw only.
    """
    for i in range(6):
        nu_r[i] = x[6 + i]
    north, east = surroundings[CURRENT_N], surroundings[CURRENT_E]
    down = surroundings[CURRENT_D]
    # without a current, the usual case, no trigonometric functions are needed
    if everywhere(abs(north) + abs(east) + abs(down) == 0.0):
        return
    cth, sth, cphi, sphi = 1.0, 0.0, 1.0, 0.0
    if s.current == 0:
        cth, sth, cphi, sphi = cos(x[THETA]), sin(x[THETA]), cos(x[PHI]), sin(x[PHI])
    u_c, v_c, w_c = ned_to_body(north, east, down, cphi, sphi, cth, sth, cos(x[PSI]), sin(x[PSI]))
    nu_r[0] -= u_c
    nu_r[1] -= v_c
    nu_r[2] -= w_c


@part
def accelerate(s: Record, m: Floats, x: Floats, nu_r: Floats, tau: Floats) -> None:
    """Replace ``tau`` by the acceleration: that of the current in BODY, plus M^-1 tau.

    Held degrees of freedom do not accelerate; the free ones follow from the reduced system.
    Source: Fossen (2021), equation 10.155, with the full term -S(omega) v_c.
    """
    a, b, c = x[U_] - nu_r[0], x[V_] - nu_r[1], x[W_] - nu_r[2]
    if s.current == 2:
        a_dot, b_dot, c_dot = x[R_] * b, -x[R_] * a, 0.0
    else:
        a_dot = b * x[R_] - c * x[Q_]
        b_dot = c * x[P_] - a * x[R_]
        c_dot = a * x[Q_] - b * x[P_]
    # held degrees of freedom: nu_r changes with the current alone, and M's coupling is a force
    if s.holding != 0:
        for i in range(6):
            tau[TAU + i] += (
                m[cell(HELD, i, 0)] * a_dot
                + m[cell(HELD, i, 1)] * b_dot
                + m[cell(HELD, i, 2)] * c_dot
            )
    # copied first: the rows of the product overwrite tau one after another
    t0, t1, t2 = tau[TAU], tau[TAU + 1], tau[TAU + 2]
    t3, t4, t5 = tau[TAU + 3], tau[TAU + 4], tau[TAU + 5]
    for i in range(6):
        tau[TAU + i] = (
            m[cell(M_INV, i, 0)] * t0
            + m[cell(M_INV, i, 1)] * t1
            + m[cell(M_INV, i, 2)] * t2
            + m[cell(M_INV, i, 3)] * t3
            + m[cell(M_INV, i, 4)] * t4
            + m[cell(M_INV, i, 5)] * t5
        )
    # M_INV is zero in held degrees of freedom, which do not follow the current either
    if m[cell(M_INV, 0, 0)] != 0.0:
        tau[TAU + 0] += a_dot
    if m[cell(M_INV, 1, 1)] != 0.0:
        tau[TAU + 1] += b_dot
    if m[cell(M_INV, 2, 2)] != 0.0:
        tau[TAU + 2] += c_dot


@part
def coriolis(s: Record, m: Floats, nu_r: Floats, tau: Floats) -> None:
    """Subtract C_RB(nu_r) nu_r + C_A(nu_r) nu_r.

    Source: Fossen (2011), equations 3.46 and 6.43, for symmetric M_RB and M_A.
    """
    if s.coriolis == 0:
        return
    a, b, c, d, e, f = momentum(m, cell(MASS, 0, 0), nu_r)
    u, v, w, wp, q, r = nu_r[0], nu_r[1], nu_r[2], nu_r[3], nu_r[4], nu_r[5]
    X, Y, Z, K, M, N = turning_wrench(a, b, c, d, e, f, u, v, w, wp, q, r)
    tau[TAU + 0] += X
    tau[TAU + 1] += Y
    tau[TAU + 2] += Z
    tau[TAU + 3] += K
    tau[TAU + 4] += M
    tau[TAU + 5] += N
    # term by term: a model may omit single ones of C_A
    if s.coriolis == 2:
        a, b, c, d, e, f = momentum(m, cell(ADDED, 0, 0), nu_r)
        tau[TAU + 0] += m[cell(KEEP, 0, 5)] * b * r - m[cell(KEEP, 0, 4)] * c * q
        tau[TAU + 1] += m[cell(KEEP, 1, 3)] * c * wp - m[cell(KEEP, 1, 5)] * a * r
        tau[TAU + 2] += m[cell(KEEP, 2, 4)] * a * q - m[cell(KEEP, 2, 3)] * b * wp
        tau[TAU + 3] += m[cell(KEEP, 3, 2)] * b * w - m[cell(KEEP, 3, 1)] * c * v
        tau[TAU + 3] += m[cell(KEEP, 3, 5)] * e * r - m[cell(KEEP, 3, 4)] * f * q
        tau[TAU + 4] += m[cell(KEEP, 4, 0)] * c * u - m[cell(KEEP, 4, 2)] * a * w
        tau[TAU + 4] += m[cell(KEEP, 4, 3)] * f * wp - m[cell(KEEP, 4, 5)] * d * r
        tau[TAU + 5] += m[cell(KEEP, 5, 1)] * a * v - m[cell(KEEP, 5, 0)] * b * u
        tau[TAU + 5] += m[cell(KEEP, 5, 4)] * d * q - m[cell(KEEP, 5, 3)] * e * wp


@part
def row_times(M: Floats, k: int, nu: Floats) -> float:
    """Return the product of nu and a matrix row that starts at index k."""
    product: float = (
        M[k] * nu[0]
        + M[k + 1] * nu[1]
        + M[k + 2] * nu[2]
        + M[k + 3] * nu[3]
        + M[k + 4] * nu[4]
        + M[k + 5] * nu[5]
    )
    return product


@part
def momentum(M: Floats, k: int, nu: Floats) -> tuple[float, float, float, float, float, float]:
    """Return M nu for the matrix that starts at index k."""
    return (
        row_times(M, k, nu),
        row_times(M, k + 6, nu),
        row_times(M, k + 12, nu),
        row_times(M, k + 18, nu),
        row_times(M, k + 24, nu),
        row_times(M, k + 30, nu),
    )


@part
def damping(
    s: Record, terms: Terms, values: Floats, count: int, x: Floats, nu_r: Floats, tau: Floats
) -> None:
    """Add each coefficient times its velocities and heel; terms that fade with speed are reduced.

    Prime coefficients that refer to the actual speed are stored for unit speed, and multiplied by
    their power of U; at rest, where a negative power would diverge, U is ``SLOW``.
    """
    fade = faded(s, x, nu_r) if s.fade != 0.0 else 1.0
    speed = 1.0
    if s.prime != 0:
        speed = max(sqrt(squared(nu_r)), SLOW)
    for i in range(count):
        row = i * TERM
        force, how = values[i], terms[row + FADING]
        if how != 0:
            if how % 2 == 1:
                force *= fade
            # U^(2 - k) of a term of k velocities, by products: a power would cost more
            if how >= 2:
                for _ in range(how // 2, 3):
                    force *= speed
                for _ in range(3, how // 2):
                    force /= speed
        for j in range(row + FIRST, row + FIRST + terms[row + FACTORS]):
            k = terms[j]
            if k < 6:
                force *= nu_r[k]
            elif k < HEEL:
                force *= abs(nu_r[k - 6])
            else:
                force *= x[PHI] if k == HEEL else abs(x[PHI])
        tau[TAU + terms[row + AXIS]] += force


@part
def resistance(s: Record, tables: Floats, nu_r: Floats, tau: Floats) -> None:
    """Subtract the resistance measured straight ahead; beyond its table it grows with u squared.

    A table that starts at rest holds for both directions.
    """
    rows = s.resistance_rows
    if rows == 0:
        return
    first, u = s.resistance_first, nu_r[0]
    # measured astern too, if its first speed is negative
    mirrored = u < 0.0 and tables[entry(first, 0)] == 0.0
    at = -u if mirrored else u
    end = tables[entry(first + rows - 1, 0)] if at > 0.0 else tables[entry(first, 0)]
    force = interpolated(tables, first, rows, at, 1)
    if abs(at) > abs(end):
        force *= (at / end) * (at / end)
    tau[TAU + 0] -= -force if mirrored else force


@part
def squared(vector: Floats) -> float:
    """Return the square of the length of a vector's first three entries."""
    # products: Python's powers may have other last digits than those of machine code
    square: float = vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]
    return square


@part
def faded(s: Record, x: Floats, nu_r: Floats) -> float:
    """Return the remaining fraction of fading terms at this speed."""
    # by 1 no speed, but what the reference program computes; astern it may be no number
    square = squared(nu_r) if s.fade_form == 0 else x[U_] + x[V_] * x[V_]
    return exp(-s.fade * sqrt(square))


@part
def lift(s: Record, nu_r: Floats, tau: Floats) -> None:
    """Add lift and drag of the hull as a wing in the vertical plane.

    The law is one of small angles. Beyond 45 degrees the lift decreases to none broadside, and
    astern is that of the hull ahead; in the reference programs the lift grows over all angles, and
    with it the drag: a REMUS would have 80 times the drag astern that it has ahead.
    Source: Beard & McLain (2012), section 4.2; Fossen (2021), section 8.3, forceLiftDrag.
    """
    if s.lift_area == 0.0:
        return
    alpha = atan2(nu_r[2], nu_r[0])
    lifting = alpha
    if s.lift_form == 0 and abs(alpha) > 0.25 * pi:
        side = 1.0 if alpha > 0.0 else -1.0
        lifting = alpha - side * pi if abs(alpha) > 0.75 * pi else side * 0.5 * pi - alpha
    CL, CD = wing_coefficients(s.lift_aspect, s.lift_cd0, s.lift_e, lifting)
    speed2 = squared(nu_r)
    X, Z = wing_force(0.5 * s.density * speed2 * s.lift_area, CL, CD, alpha)
    tau[TAU + 0] += X
    tau[TAU + 2] += Z


@part
def restoring(s: Record, m: Floats, x: Floats, tau: Floats) -> None:
    """Subtract g(eta): of a submerged body, or G (eta - trim) of a floating one.

    Source: Fossen (2021), equations 4.6 and 4.34.
    """
    if s.restoring == 1:
        cphi, sphi, cth, sth = cos(x[PHI]), sin(x[PHI]), cos(x[THETA]), sin(x[THETA])
        X, Y, Z, K, M, N = weight_less_buoyancy(
            s.excess, s.moment_x, s.moment_y, s.moment_z, cphi, sphi, cth, sth
        )
        tau[TAU + 0] += X
        tau[TAU + 1] += Y
        tau[TAU + 2] += Z
        tau[TAU + 3] += K
        tau[TAU + 4] += M
        tau[TAU + 5] += N
        # the bound is cheap: a submerged vessel, the usual case, skips the stations
        if s.surface > 0.0 and may_emerge(
            x, abs(s.buoy_x) + s.station, s.buoy_y, s.buoy_z, s.surface
        ):
            emerge(s, x[Z_], cphi, sphi, cth, sth, tau)
    elif s.restoring == 2:
        stiffness(s, m, x, tau)
        if s.load_form != 0:
            X, Y, Z, K, M, N = weight(s, x)
            tau[TAU + 2] += Z
            tau[TAU + 3] += K
            tau[TAU + 4] += M
            if s.load_form == 1:
                tau[TAU + 0] += X
                tau[TAU + 1] += Y
                tau[TAU + 5] += N


@part
def stiffness(s: Record, m: Floats, x: Floats, tau: Floats) -> None:
    """Subtract G (eta - trim) of a floating vessel, and a cubic moment in roll."""
    heave, roll, pitch = x[Z_] - s.trim_z, x[PHI] - s.trim_phi, x[THETA] - s.trim_theta
    for i in range(2, 5):
        tau[TAU + i] -= (
            m[cell(STIFFNESS, i, 2)] * heave
            + m[cell(STIFFNESS, i, 3)] * roll
            + m[cell(STIFFNESS, i, 4)] * pitch
        )
    # G holds for small angles; the cubic moment corrects the righting arm at large ones
    tau[TAU + 3] -= s.cubic_k * roll * roll * roll


@part
def emerge(
    s: Record, depth: float, cphi: float, sphi: float, cth: float, sth: float, tau: Floats
) -> None:
    """Subtract the buoyancy above the surface, of three equal stations along the hull.

    Each is a section of the hull's height; the cubic is within 1.2 % of the area of a circle.
    """
    for k in range(3):
        place = s.buoy_x + (k - 1) * s.station
        deep = depth - sth * place + cth * (sphi * s.buoy_y + cphi * s.buoy_z)
        if deep >= 0.5 * s.surface:
            continue
        lost = s.buoyancy / 3.0 * (1.0 - immersed(deep, s.surface))
        X, Y, Z = -lost * sth, lost * cth * sphi, lost * cth * cphi
        tau[TAU + 0] += X
        tau[TAU + 1] += Y
        tau[TAU + 2] += Z
        K, M, N = moment(place, s.buoy_y, s.buoy_z, X, Y, Z)
        tau[TAU + 3] += K
        tau[TAU + 4] += M
        tau[TAU + 5] += N


@part
def may_emerge(x: Floats, ahead: float, across: float, below: float, height: float) -> bool:
    """Whether any part of the hull can reach the surface at its attitude, without trigonometry.

    The arguments are the centre's offset from CO; bounds: sin(a) <= a and cos(a) <= 1.
    """
    return bool(x[Z_] < 0.5 * height + abs(x[THETA] * ahead) + abs(x[PHI] * across) + abs(below))


@part
def immersed(deep: float, height: float) -> float:
    """Return the immersed fraction of a body of some height with its centre at a depth, 0 to 1."""
    part = 0.5 + deep / height
    if part <= 0.0:
        return 0.0
    return 1.0 if part >= 1.0 else part * part * (3.0 - 2.0 * part)


@part
def weight(s: Record, x: Floats) -> tuple[float, float, float, float, float, float]:
    """Return the wrench of a weight attached at a point fixed in BODY."""
    cth = cos(x[THETA])
    X, Y, Z = -s.load * sin(x[THETA]), s.load * cth * sin(x[PHI]), s.load * cth * cos(x[PHI])
    K, M, N = moment(s.load_x, s.load_y, s.load_z, X, Y, Z)
    return X, Y, Z, K, M, N


@part
def pose_rates(s: Record, m: Floats, x: Floats, dx: Floats) -> None:
    """Write J(eta) nu; as one reference program does, with J at angles relative to the trim."""
    if s.load_form != 2:
        eta_rates(x, dx)
        return
    _, _, Z, K, M, _ = weight(s, x)
    phi = x[PHI] - (
        m[cell(COMPLIANCE, 3, 2)] * Z
        + m[cell(COMPLIANCE, 3, 3)] * K
        + m[cell(COMPLIANCE, 3, 4)] * M
    )
    theta = x[THETA] - (
        m[cell(COMPLIANCE, 4, 2)] * Z
        + m[cell(COMPLIANCE, 4, 3)] * K
        + m[cell(COMPLIANCE, 4, 4)] * M
    )
    eta_rates_at(x, phi, theta, dx)


@part
def wind(s: Record, x: Floats, surroundings: Floats, tau: Floats) -> None:
    """Add the wind force on the hull above water, and its heeling moment.

    The lateral force acts at the height of the lateral area's centre above CO.
    Source: Fossen (2021), equations 10.7 to 10.16, with CX = -cx cos, CY = cy sin, CN = cn sin 2.
    """
    if s.wind_front + s.wind_side == 0.0:
        return
    north, east = surroundings[WIND_N], surroundings[WIND_E]
    cpsi, spsi = cos(x[PSI]), sin(x[PSI])
    u = x[U_] - cpsi * north - spsi * east
    v = x[V_] - cpsi * east + spsi * north
    # the angle of the relative wind, Fossen's -atan2(v_rw, u_rw)
    gamma = -atan2(v, u)
    pressure = 0.5 * s.air_density * (u * u + v * v)
    tau[TAU + 0] -= pressure * s.wind_cx * cos(gamma) * s.wind_front
    side = pressure * s.wind_cy * sin(gamma) * s.wind_side
    tau[TAU + 1] += side
    tau[TAU + 3] += side * s.wind_height
    tau[TAU + 5] += pressure * s.wind_cn * sin(2.0 * gamma) * s.wind_side * s.wind_length
