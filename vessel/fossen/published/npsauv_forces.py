"""Forces of the NPS AUV II: hull, planes, propeller, cross-flow, weight; see ``npsauv``."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.published import actuators
from steerageway.vessel.fossen.published.actuators import Actuators
from steerageway.vessel.fossen.state import P_, PHI, Q_, R_, THETA
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part, pointer, record

STILL = 1e-10  # added to divisors in the reference [m/s, 1]
SLOW = 1e-6  # defines the direction of the cross-flow at rest, as in the reference [m/s]
SLIP = 0.012  # revolutions [rad/s] times this, over the speed, is 1 at self-propulsion [m]
LOAD = 0.004  # thrust coefficient at self-propulsion over L² [1/m²]


SCALARS = at.fields(
    whole=("peer_quirks",),  # see ``npsauv``
    real=(
        *pub.NPS,  # prime derivatives, grouped as in the equations
        *("L", "H", "B"),  # length, mean height and breadth [m]
        *("rho", "mass", "weight", "buoyancy"),  # [kg/m³, kg, N, N]
        *("x_G", "y_G", "z_G", "x_B", "y_B", "z_B"),  # [m]
        *("I_x", "I_y", "I_z", "I_xy", "I_yz", "I_xz"),  # [kg m²]
    ),
)


class NpsAuv(NamedTuple):
    """Parameters of the vehicle.

    Attributes:
        M_inv: (6, 6) inverse of the inertia including added mass.
        x_strip, dx_strip: (k,) strips of the hull: position and length [m].
        scalars: () of SCALARS.
        buoyant: () of ``layout.HULL``, for emergence of the hull.
        actuators: rudder, stern plane, port and starboard bow planes, shaft.
    """

    M_inv: Floats
    x_strip: Floats
    dx_strip: Floats
    scalars: at.Record
    buoyant: at.Record
    actuators: Actuators


@part
def scalars(vehicle: NpsAuv) -> at.Record:
    """Return the record of the vehicle's scalars."""
    return record(pointer(vehicle.scalars), 0)


@compiled
def propulsion(
    vehicle: NpsAuv, revolutions: float, u: float, ahead: float, wet: float
) -> tuple[float, float]:
    """Return thrust minus hull drag [N], and the slipstream's excess velocity at the planes [m/s].

    The excess is the model's epsilon times u, in a form also valid at rest; ``ahead`` is the
    speed used for the slip, u except for the reference, ``wet`` the immersed fraction of the
    propeller, 0 to 1.
    """
    s = scalars(vehicle)
    n = actuators.held(revolutions, vehicle.actuators.limit[4])
    ratio = u / ahead if s.peer_quirks else 1.0
    pull = wet * SLIP**2 * abs(n) * n
    thrust = 0.5 * s.rho * s.L**2 * s.C_d0 * (ratio**2 * pull - abs(u) * u)
    load = LOAD * s.L**2
    flow = sqrt(max(load * pull + ahead**2, 0.0)) - abs(ahead)
    flow = flow if n >= 0.0 else -flow
    full = sqrt(load + 1.0) - 1.0 + (STILL if s.peer_quirks else 0.0)
    race = ratio * (flow / full - ahead)
    return thrust, race


@compiled
def surge(vehicle: NpsAuv, x: Floats, u: float, v: float, w: float, race: float) -> float:
    """Return X [N], without thrust and drag ahead."""
    s = scalars(vehicle)
    p, q, r = x[P_], x[Q_], x[R_]
    dr, ds = plane(vehicle, x, 0), plane(vehicle, x, 1)
    db = plane(vehicle, x, 2) + plane(vehicle, x, 3)
    r2, r3, r4 = prime(s, 2), prime(s, 3), prime(s, 4)
    hull = (
        r2 * (s.X_vv * v * v + s.X_ww * w * w)
        + r3 * (s.X_vr * v * r + s.X_wq * w * q + s.X_vp * v * p)
        + r4 * (s.X_qq * q * q + s.X_rr * r * r + s.X_pr * p * r + s.X_pp * p * p)
    )
    planes = r3 * u * (s.X_rdr * r * dr + (s.X_qds * ds + s.X_qdb2 * db) * q) + r2 * u * (
        s.X_vdr * v * dr
        + (s.X_wds * ds + s.X_wdb2 * db) * w
        + (s.X_dsds * ds * ds + s.X_drdr * dr * dr) * u
    )
    behind = (r3 * s.X_qdsn * q + r2 * (s.X_wdsn * w + s.X_dsdsn * u * ds)) * ds * race
    rigid = s.mass * (v * r - w * q + s.x_G * (q * q + r * r) - s.y_G * p * q - s.z_G * p * r)
    trim = (s.weight - s.buoyancy) * sin(x[THETA])
    total: float = hull + planes + behind + rigid - trim
    return total


@compiled
def sway(vehicle: NpsAuv, x: Floats, u: float, v: float, w: float) -> float:
    """Return Y [N]."""
    s = scalars(vehicle)
    p, q, r, fast = x[P_], x[Q_], x[R_], damping_speed(s, u)
    dr = plane(vehicle, x, 0)
    r2, r3, r4 = prime(s, 2), prime(s, 3), prime(s, 4)
    hull = (
        r2 * (s.Y_v * fast * v + s.Y_vw * v * w + s.Y_dr * fast * u * dr)
        + r3 * (s.Y_p * u * p + s.Y_r * u * r + s.Y_vq * v * q + s.Y_wp * w * p + s.Y_wr * w * r)
        + r4 * (s.Y_pq * p * q + s.Y_qr * q * r)
    )
    rigid = s.mass * (w * p - u * r - s.x_G * p * q + s.y_G * (p * p + r * r) - s.z_G * q * r)
    side = (s.weight - s.buoyancy) * cos(x[THETA]) * sin(x[PHI])
    total: float = hull + rigid + side
    return total


@compiled
def heave(vehicle: NpsAuv, x: Floats, u: float, v: float, w: float, race: float) -> float:
    """Return Z [N]."""
    s = scalars(vehicle)
    p, q, r, fast = x[P_], x[Q_], x[R_], damping_speed(s, u)
    ds = plane(vehicle, x, 1)
    db = plane(vehicle, x, 2) + plane(vehicle, x, 3)
    r2, r3, r4 = prime(s, 2), prime(s, 3), prime(s, 4)
    hull = (
        r2 * (s.Z_w * w * fast + s.Z_vv * v * v + (s.Z_ds * ds + s.Z_db2 * db) * fast * u)
        + r3 * (s.Z_q * u * q + s.Z_vp * v * p + s.Z_vr * v * r)
        + r4 * (s.Z_pp * p * p + s.Z_pr * p * r + s.Z_rr * r * r)
    )
    behind = (r3 * s.Z_qn * q + r2 * (s.Z_wn * w + s.Z_dsn * u * ds)) * race
    rigid = s.mass * (u * q - v * p - s.x_G * p * r - s.y_G * q * r + s.z_G * (p * p + q * q))
    if s.peer_quirks:
        rigid = -rigid
    down = (s.weight - s.buoyancy) * cos(x[THETA]) * cos(x[PHI])
    total: float = hull + behind + rigid + down
    return total


@compiled
def roll(vehicle: NpsAuv, x: Floats, u: float, v: float, w: float, race: float) -> float:
    """Return K [N m]."""
    s = scalars(vehicle)
    p, q, r, fast = x[P_], x[Q_], x[R_], damping_speed(s, u)
    db = plane(vehicle, x, 2) + plane(vehicle, x, 3)
    r3, r4, r5 = prime(s, 3), prime(s, 4), prime(s, 5)
    hull = (
        r3 * (s.K_v * u * v + s.K_vw * v * w + (s.K_db2 * db + s.K_prop) * fast * u)
        + r4 * (s.K_p * fast * p + s.K_r * u * r + s.K_vq * v * q + s.K_wp * w * p + s.K_wr * w * r)
        + r5 * (s.K_pq * p * q + s.K_qr * q * r)
    )
    rigid = (
        (s.I_y - s.I_z) * q * r
        - s.I_xy * p * r
        + s.I_yz * (q * q - r * r)
        + s.I_xz * p * q
        - s.mass * (s.y_G * (v * p - u * q) - s.z_G * (u * r - w * p))
    )
    y, z = s.y_G * s.weight - s.y_B * s.buoyancy, s.z_G * s.weight - s.z_B * s.buoyancy
    righting = y * cos(x[THETA]) * cos(x[PHI]) - z * cos(x[THETA]) * sin(x[PHI])
    total: float = hull + r4 * s.K_pn * p * race + rigid + righting
    return total


@compiled
def pitch(vehicle: NpsAuv, x: Floats, u: float, v: float, w: float, race: float) -> float:
    """Return M [N m]."""
    s = scalars(vehicle)
    p, q, r, fast = x[P_], x[Q_], x[R_], damping_speed(s, u)
    ds = plane(vehicle, x, 1)
    db = plane(vehicle, x, 2) + plane(vehicle, x, 3)
    r3, r4, r5 = prime(s, 3), prime(s, 4), prime(s, 5)
    hull = (
        r3 * (s.M_uw * u * w + s.M_vv * v * v + (s.M_ds * ds + s.M_db2 * db) * fast * u)
        + r4 * (s.M_uq * fast * q + s.M_vp * v * p + s.M_vr * v * r)
        + r5 * (s.M_pp * p * p + s.M_pr * p * r + s.M_rr * r * r)
    )
    behind = (r4 * s.M_qn * q + r3 * (s.M_wn * w + s.M_dsn * u * ds)) * race
    gyroscopic = (s.I_z - s.I_x) * p * r
    rigid = (
        (-gyroscopic if s.peer_quirks else gyroscopic)
        + s.I_xy * q * r
        - s.I_yz * p * q
        + s.I_xz * (r * r - p * p)
        + s.mass * (s.x_G * (v * p - u * q) - s.z_G * (w * q - v * r))
    )
    x_, z_ = s.x_G * s.weight - s.x_B * s.buoyancy, s.z_G * s.weight - s.z_B * s.buoyancy
    righting = -z_ * sin(x[THETA]) - x_ * cos(x[THETA]) * cos(x[PHI])
    total: float = hull + behind + rigid + righting
    return total


@compiled
def yaw(vehicle: NpsAuv, x: Floats, u: float, v: float, w: float) -> float:
    """Return N [N m]."""
    s = scalars(vehicle)
    p, q, r, fast = x[P_], x[Q_], x[R_], damping_speed(s, u)
    dr = plane(vehicle, x, 0)
    r3, r4, r5 = prime(s, 3), prime(s, 4), prime(s, 5)
    hull = (
        r3 * (s.N_v * u * v + s.N_vw * v * w + (s.N_dr * dr + s.N_prop) * fast * u)
        + r4 * (s.N_p * u * p + s.N_r * fast * r + s.N_vq * v * q + s.N_wp * w * p + s.N_wr * w * r)
        + r5 * (s.N_pq * p * q + s.N_qr * q * r)
    )
    rigid = (
        (s.I_x - s.I_y) * p * q
        + s.I_xy * (p * p - q * q)
        + s.I_yz * p * r
        - s.I_xz * q * r
        - s.mass * (s.x_G * (u * r - w * p) - s.y_G * (w * q - v * r))
    )
    x_, y_ = s.x_G * s.weight - s.x_B * s.buoyancy, s.y_G * s.weight - s.y_B * s.buoyancy
    righting = x_ * cos(x[THETA]) * sin(x[PHI]) + y_ * sin(x[THETA])
    total: float = hull + rigid + righting
    return total


@compiled
def crossflow(
    vehicle: NpsAuv, v: float, w: float, q: float, r: float
) -> tuple[float, float, float, float]:
    """Return the cross-flow drag in sway, heave, pitch and yaw [N, N m]."""
    s = scalars(vehicle)
    Y = Z = M = N = 0.0
    for i in range(vehicle.x_strip.size):
        place = vehicle.x_strip[i]
        across, down = v + place * r, w - place * q
        drag = s.C_Dy * s.H * across**2 + s.C_Dz * s.B * down**2
        part = vehicle.dx_strip[i] * drag / (sqrt(across**2 + down**2) + SLOW)
        Y += part * across
        Z += part * down
        M += part * place * ((w + place * q) if s.peer_quirks else -down)
        N += part * place * across
    half = 0.5 * s.rho
    return half * Y, half * Z, half * M, half * N


@compiled
def damping_speed(s: at.Record, u: float) -> float:
    """Return the speed for damping and planes: |u|, in the reference u."""
    return u if s.peer_quirks else abs(u)


@compiled
def plane(vehicle: NpsAuv, x: Floats, k: int) -> float:
    """Return the limited angle of a plane [rad]: rudder, stern, port bow, starboard bow."""
    angle: float = actuators.held(x[12 + k], vehicle.actuators.limit[k])
    return angle


@compiled
def prime(s: at.Record, power: int) -> float:
    """Return the dimensional factor of a prime derivative: rho L^power / 2."""
    return float(0.5 * s.rho * s.L**power)
