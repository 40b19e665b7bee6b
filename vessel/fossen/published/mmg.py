"""The MMG standard method: a ship with one propeller and one rudder, in surge, sway and yaw.

Hull forces are a series in v' = v/U and r' = r L/U (amidships), the propeller has an open-water
curve and a wake that changes with the drift, and the rudder is in its slipstream, with a flow
straightening of its own to either side.

With ``C_D`` the hull has the form for low speeds and large drift instead of the series: linear
terms by u, and the drag of the cross flow v + C_r r x along the hull; the wake is a parabola.

The source is for motion ahead, u > 0 and n > 0. Elsewhere, with no difference there:

- U is at least 0.01 sqrt(g L), and at least |r| L/2: no captive test has r' above 2;
- the hull is taken as symmetric fore and aft: terms odd in v and r together keep their sign (they
    damp), those that the direction of motion turns (Y_r, Y_vvr, Y_rrr, N_v, N_vvv, N_vrr, and the
    resistance) have a factor from 1 ahead to -1 astern, linear where the ship moves sideways;
- thrust and slipstream are odd in n and u together; the low-speed form has no wake astern.

Sources: Yoshimura, Nakao and Ishibashi (2009), Unified mathematical model for ocean and harbour
manoeuvring, MARSIM'09, for the low-speed form; Yasukawa and Yoshimura (2015), Introduction of MMG
standard method for ship maneuvering predictions, J. Mar. Sci. Technol. 20, 37-52, for all else. A
second derivation, and runs of the program shipmmg, are in tests/vessel/fossen/test_mmg.py.
"""

from __future__ import annotations

from math import atan2, cos, exp, hypot, pi, sin, sqrt, tau
from typing import NamedTuple

from steerageway.vessel.cross_flow import box_integrals
from steerageway.vessel.fossen.assembly import world
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import COMMANDS, Actuators
from steerageway.vessel.fossen.state import R_, U_, V_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part
from steerageway.world.document import Section

LEAST_FROUDE = 0.01  # of the reference speed
SHARPEST = 2.0  # r' up to which the series is used
ABEAM = 0.1  # u over speed, below which forces ahead fade into those astern

cross_flow = part(box_integrals)


class Mmg(NamedTuple):
    """Coefficients of the ship; forces over rho L d U² / 2, moments times L, masses rho L² d / 2.

    Attributes:
        L: length between perpendiculars [m].
        m, x_G, k_zz: mass, centre of gravity forward of midship over L, gyration in yaw over L.
        m_x, m_y, J_z: added masses.
        D, w_P0, t_P, x_P: propeller's diameter over L, wake, thrust deduction, position over L.
        k_0, k_1, k_2: K_T = k_0 + k_1 J + k_2 J².
        C_1, C_2_plus, C_2_minus: change of the wake with the drift at the propeller.
        C_D, C_rY, C_rN: drag of the cross flow, and weights of r in its force and its moment;
            C_D is 0 with the series.
        R_astern: resistance astern, as R_0 ahead. tau, C_P: its wake's change with the drift.
        A_R, eta, f_alpha: rudder area over L d, propeller diameter over its span, lift slope.
        epsilon, kappa: wake at the rudder over that at the propeller; part of the slipstream.
        gamma_R_plus, gamma_R_minus, l_R: flow straightening by the sign of the drift; its lever.
        t_R, a_H, x_H, x_R: steering drag, its force on the hull, and the positions over L.
        slender: d over L.
        least: minimum reference speed [m/s].
        actuators: rudder and shaft.
    """

    L: float
    slender: float
    m: float
    x_G: float
    k_zz: float
    m_x: float
    m_y: float
    J_z: float
    R_0: float
    X_vv: float
    X_vr: float
    X_rr: float
    X_vvvv: float
    Y_v: float
    Y_r: float
    Y_vvv: float
    Y_vvr: float
    Y_vrr: float
    Y_rrr: float
    N_v: float
    N_r: float
    N_vvv: float
    N_vvr: float
    N_vrr: float
    N_rrr: float
    D: float
    w_P0: float
    t_P: float
    x_P: float
    k_0: float
    k_1: float
    k_2: float
    C_1: float
    C_2_plus: float
    C_2_minus: float
    C_D: float
    C_rY: float
    C_rN: float
    R_astern: float
    tau: float
    C_P: float
    A_R: float
    eta: float
    f_alpha: float
    epsilon: float
    kappa: float
    gamma_R_plus: float
    gamma_R_minus: float
    l_R: float
    t_R: float
    a_H: float
    x_H: float
    x_R: float
    least: float
    actuators: Actuators


@compiled
def hull(s: Mmg, u: float, v: float, r: float) -> tuple[float, float, float]:
    """Return X, Y and N of the hull over rho L d / 2 [m²/s²], from u, v [m/s] and r L [m/s]."""
    if s.C_D > 0.0:
        return low_speed_hull(s, u, v, r)
    U = max(hypot(u, v), abs(r) / SHARPEST, s.least)
    side = water.direction_of_motion(u, ABEAM * U)
    a, b = v / U, r / U
    X = side * (-s.R_0 + (s.X_vv + s.X_vvvv * a * a) * a * a + s.X_rr * b * b) + s.X_vr * a * b
    Y = (s.Y_v + s.Y_vvv * a * a + s.Y_vrr * b * b) * a
    Y += side * (s.Y_r + s.Y_vvr * a * a + s.Y_rrr * b * b) * b
    N = (s.N_r + s.N_vvr * a * a + s.N_rrr * b * b) * b
    N += side * (s.N_v + s.N_vvv * a * a + s.N_vrr * b * b) * a
    return U * U * X, U * U * Y, U * U * N


@compiled
def low_speed_hull(s: Mmg, u: float, v: float, r: float) -> tuple[float, float, float]:
    """Return what ``hull`` does, in the form for low speeds: defined at rest and for any drift."""
    across, _ = cross_flow(v, s.C_rY * r, 0.5)
    _, around = cross_flow(v, s.C_rN * r, 0.5)
    resistance = s.R_0 + (s.R_astern - s.R_0) * abs(atan2(v, u)) / pi
    X = -resistance * u * hypot(u, v) + s.X_vr * v * r
    Y = s.Y_v * v * abs(u) + s.Y_r * r * u - s.C_D * across
    N = s.N_v * v * u + s.N_r * r * abs(u) - s.C_D * around
    return X, Y, N


@compiled
def wake(s: Mmg, drift: float, u: float, v: float, r: float) -> float:
    """Return 1 - w_P, the speed at the propeller over that of the ship.

    Source: equations 14 and 15 of Yasukawa and Yoshimura (2015).
    """
    U = max(hypot(u, v), abs(r) / SHARPEST, s.least)
    if s.C_D > 0.0:
        aside = (v + s.x_P * r) / U
        w_P = s.w_P0 - s.tau * abs(aside) - s.C_P * aside * aside
        return min(max(1.0 - w_P, 0.0), 1.0) if u > 0.0 else 1.0
    at_propeller = drift - s.x_P * r / U
    C_2 = s.C_2_plus if at_propeller > 0.0 else s.C_2_minus
    return (1.0 - s.w_P0) * (1.0 + (1.0 - exp(-s.C_1 * abs(at_propeller))) * (C_2 - 1.0))


@compiled
def inflow(s: Mmg, u_P: float, load: float) -> float:
    """Return u_R [m/s], the speed of the water at the rudder, part of it in the slipstream."""
    behind = sqrt(max(u_P * u_P + 8.0 * load / pi, 0.0))
    race = u_P + s.kappa * (behind - abs(u_P))
    mean = s.eta * race * abs(race) + (1.0 - s.eta) * u_P * abs(u_P)
    return s.epsilon * sqrt(abs(mean)) if mean >= 0.0 else -s.epsilon * sqrt(abs(mean))


@compiled
def derivative(
    parameters: Mmg, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu, the rudder (positive to starboard) and the shaft."""
    s = parameters
    u_c, v_c, _ = water.begin(x, surroundings, dx)
    delta = actuators.position(s.actuators, x, command, 0)
    turning = actuators.position(s.actuators, x, command, 1) / tau * s.D * s.L  # n D [m/s]
    u, v, r = x[U_] - u_c, x[V_] - v_c, x[R_] * s.L
    drift = atan2(-v, abs(u))
    X, Y, N = hull(s, u, v, r)

    u_P = u * wake(s, drift, u, v, r)
    load = s.k_0 * turning * abs(turning) + s.k_1 * abs(turning) * u_P + s.k_2 * u_P * abs(u_P)
    u_R, v_R = inflow(s, u_P, load), hypot(u, v) * drift - s.l_R * r
    v_R *= s.gamma_R_minus if v_R < 0.0 else s.gamma_R_plus
    F_N = s.A_R * s.f_alpha * hypot(u_R, v_R) * (u_R * sin(delta) - v_R * cos(delta))
    X += 2.0 * (1.0 - s.t_P) * s.D * s.D / s.slender * load - (1.0 - s.t_R) * F_N * sin(delta)
    Y -= (1.0 + s.a_H) * F_N * cos(delta)
    N -= (s.x_R + s.a_H * s.x_H) * F_N * cos(delta)

    m22, m23 = s.m + s.m_y, s.m * s.x_G
    m33 = s.m * (s.k_zz * s.k_zz + s.x_G * s.x_G) + s.J_z
    Y -= (s.m + s.m_x) * u * r
    N -= m23 * u * r
    det = m22 * m33 - m23 * m23
    dx[U_] += (X + (m22 * v + m23 * r) * r) / (s.L * (s.m + s.m_x))
    dx[V_] += (m33 * Y - m23 * N) / (s.L * det)
    dx[R_] = (m22 * N - m23 * Y) / (s.L * s.L * det)
    actuators.rates(s.actuators, x, command, dx)


MODEL = actuators.model(derivative)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    density, gravity = world(folder)
    length, draft = geometry.positive(geo.LENGTH), geometry.positive(geo.DRAFT)
    diameter: list[float] = []
    shaft: dict[str, float] = {}

    def read(propeller: Section) -> None:
        diameter.append(propeller.positive(thr.D_PROP))
        shaft.update(t_P=propeller.number(thr.TP), w_P0=propeller.number(thr.WAKE))

    own, other = pub.MMG_SERIES, pub.MMG_LOW_SPEED
    if str(pub.MMG_LOW_SPEED[0]) in hydrodynamics:
        own, other = other, own
    drives = [*files.surfaces(folder, 1), *files.thrusters(folder, 1, read)]
    parameters = files.filled(
        Mmg,
        hydrodynamics,
        (*pub.MMG, *own),
        L=length,
        slender=draft / length,
        m=folder["inertia"].positive(inr.MASS) / (0.5 * density * length**2 * draft),
        x_G=geometry.number(geo.X_G) / length,
        D=diameter[0] / length,
        eta=diameter[0] / hydrodynamics.positive(pub.RUDDER_SPAN),
        A_R=hydrodynamics.positive(pub.RUDDER_AREA) / (length * draft),
        least=LEAST_FROUDE * sqrt(gravity * length),
        actuators=files.actuators(drives, COMMANDS),
        **shaft,
        **{str(key): 0.0 for key in other},
    )
    return files.assembled(folder, MODEL, parameters, drives)
