"""The MMG standard method: a ship with one propeller and one rudder, in surge, sway, yaw and roll.

Hull forces are a series in v' = v/U and r' = r L/U (amidships), the propeller has an open-water
curve and a wake that changes with the drift, and the rudder is in its slipstream, with a flow
straightening of its own to either side.

With ``GM`` the ship rolls, too. The equations are in level axes by the heading, with the origin
amidships in the waterplane. The moment of the hull's side force is that force times its depth z_H,
that of the rudder's times z_R; the added mass in sway acts at the depth alpha_z. The heel changes
the forces by derivatives (Y_phi, Y_vvphi ...) in radians of heel, and the side force of the rudder
by its cosine. The damping of the roll is that of an extinction curve, a phi + b phi², phi in
degrees. Without ``GM``, or without moments in roll, the motion is that of three degrees of freedom.

With ``C_D`` the hull has the form for low speeds and large drift instead of the series: linear
terms by u, and the drag of the cross flow v + C_r r x along the hull; the wake is a parabola.

The source is for motion ahead, u > 0 and n > 0. Elsewhere, with no difference there:

- U is at least 0.01 sqrt(g L), and at least |r| L/2: no captive test has r' above 2;
- the hull is taken as symmetric fore and aft: terms odd in v and r together keep their sign (they
    damp), those that the direction of motion turns (Y_r, Y_vvr, Y_rrr, N_v, N_vvv, N_vrr, and the
    resistance) have a factor from 1 ahead to -1 astern, linear where the ship moves sideways;
    likewise those of the heel. Those of the heel alone (Y_phi) are in proportion to u² + v²;
- thrust and slipstream are odd in n and u together; the low-speed form has no wake astern.

Sources: Yoshimura, Nakao and Ishibashi (2009), Unified mathematical model for ocean and harbour
manoeuvring, MARSIM'09, for the low-speed form; Yasukawa, Sakuno and Yoshimura (2019), Practical
maneuvering simulation method of ships considering the roll-coupling effect, J. Mar. Sci. Technol.
24, 1280-1296, as in the open program shipmmg_4dof_in_waves, for the roll; Yasukawa and Yoshimura
(2015), Introduction of MMG standard method for ship maneuvering predictions, J. Mar. Sci. Technol.
20, 37-52, for all else. That program has the product of inertia m x_G z_G without its square, and
cos(phi) at the rudder's resistance, too; here both follow from mechanics. A second derivation, and
runs of the program shipmmg, are in tests/vessel/fossen/test_mmg.py.
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, pi, sin, sqrt, tau

from steerageway.vessel.cross_flow import box_integrals
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen import steps
from steerageway.vessel.fossen.assembly import world
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import COMMANDS, Parameters
from steerageway.vessel.fossen.state import P_, PHI, U_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part, pointer, record
from steerageway.world.document import Section

LEAST_FROUDE = 0.01  # of the reference speed
SHARPEST = 2.0  # r' up to which the series is used
ABEAM = 0.1  # u over speed, below which forces ahead fade into those astern

cross_flow = part(box_integrals)


SCALARS = at.fields(
    whole=(),
    real=(
        *(*pub.MMG, *pub.MMG_SERIES, *pub.MMG_LOW_SPEED),
        *(*pub.MMG_DEPTHS, *pub.MMG_EXTINCTION, *pub.MMG_HEEL),
        *("L", "slender", "m", "x_G", "D", "w_P0", "t_P", "A_R", "eta", "least", "g_GM", "I_x"),
    ),
)
"""Scalars of the ship. Forces are over rho L d U² / 2, moments times L, masses rho L² d / 2.

- L: length between perpendiculars [m]. slender: d over L.
- m, x_G, k_zz: mass, centre of gravity forward of midship over L, gyration in yaw over L.
- m_x, m_y, J_z: added masses.
- D, w_P0, t_P, x_P: propeller's diameter over L, wake, thrust deduction, position over L.
- k_0, k_1, k_2: K_T = k_0 + k_1 J + k_2 J².
- C_1, C_2_plus, C_2_minus: change of the wake with the drift at the propeller.
- C_D, C_rY, C_rN: drag of the cross flow, and weights of r in its force and its moment; C_D is
    0 with the series.
- R_astern: resistance astern, as R_0 ahead. tau, C_P: its wake's change with the drift.
- A_R, eta, f_alpha: rudder area over L d, propeller diameter over its span, lift slope.
- epsilon, kappa: wake at the rudder over that at the propeller; part of the slipstream.
- gamma_R_plus, gamma_R_minus, l_R: flow straightening by the sign of the drift; its lever.
- t_R, a_H, x_H, x_R: steering drag, its force on the hull, and the positions over L.
- least: minimum reference speed [m/s].
- g_GM: gravity times the metacentric height [m²/s²]; 0 for a ship that does not roll.
- I_x: moment of inertia in roll about the longitudinal axis of the CG, with added mass.
- z_G, z_H, z_R, z_P, alpha_z: depths below the waterplane, over L: of the CG, of the forces of
    hull and rudder, of the shaft, and of the added mass in sway.
- extinction_a, extinction_b: decrement of a roll over its amplitude, a + b phi, phi in rad.
"""


@compiled
def hull(s: at.Record, u: float, v: float, r: float) -> tuple[float, float, float]:
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
def low_speed_hull(s: at.Record, u: float, v: float, r: float) -> tuple[float, float, float]:
    """Return what ``hull`` does, in the form for low speeds: defined at rest and for any drift."""
    across, _ = cross_flow(v, s.C_rY * r, 0.5)
    _, around = cross_flow(v, s.C_rN * r, 0.5)
    resistance = s.R_0 + (s.R_astern - s.R_0) * abs(atan2(v, u)) / pi
    X = -resistance * u * hypot(u, v) + s.X_vr * v * r
    Y = s.Y_v * v * abs(u) + s.Y_r * r * u - s.C_D * across
    N = s.N_v * v * u + s.N_r * r * abs(u) - s.C_D * around
    return X, Y, N


@compiled
def heeled(s: at.Record, u: float, v: float, r: float, phi: float) -> tuple[float, float, float]:
    """Return what the heel phi [rad] adds to the forces of ``hull``."""
    U = max(hypot(u, v), abs(r) / SHARPEST, s.least)
    side = water.direction_of_motion(u, ABEAM * U)
    a, b, moving = v / U, r / U, (u * u + v * v) / (U * U)
    X = side * (s.X_vphi * a + s.X_phiphi * phi * moving) + s.X_rphi * b
    Y = s.Y_phi * moving + s.Y_vvphi * a * a + s.Y_rrphi * b * b + s.Y_vphiphi * a * phi
    Y += side * (s.Y_vrphi * a + s.Y_rphiphi * phi) * b
    N = side * (s.N_phi * moving + s.N_vvphi * a * a + s.N_rrphi * b * b + s.N_vphiphi * a * phi)
    N += (s.N_vrphi * a + s.N_rphiphi * phi) * b
    return U * U * phi * X, U * U * phi * Y, U * U * phi * N


@compiled
def wake(s: at.Record, drift: float, u: float, v: float, p: float, r: float) -> float:
    """Return 1 - w_P, the speed at the propeller over that of the ship.

    Source: equations 14 and 15 of Yasukawa and Yoshimura (2015).
    """
    U = max(hypot(u, v), abs(r) / SHARPEST, s.least)
    if s.C_D > 0.0:
        aside = (v + s.x_P * r - s.z_P * p) / U
        w_P = s.w_P0 - s.tau * abs(aside) - s.C_P * aside * aside
        return min(max(1.0 - w_P, 0.0), 1.0) if u > 0.0 else 1.0
    at_propeller = drift - (s.x_P * r - s.z_P * p) / U
    C_2 = s.C_2_plus if at_propeller > 0.0 else s.C_2_minus
    lost = (1.0 - exp(-s.C_1 * abs(at_propeller))) * (C_2 - 1.0)
    return float((1.0 - s.w_P0) * (1.0 + lost))


@compiled
def inflow(s: at.Record, u_P: float, load: float) -> float:
    """Return u_R [m/s], the speed of the water at the rudder, part of it in the slipstream."""
    behind = sqrt(max(u_P * u_P + 8.0 * load / pi, 0.0))
    race = u_P + s.kappa * (behind - abs(u_P))
    mean = s.eta * race * abs(race) + (1.0 - s.eta) * u_P * abs(u_P)
    return float(s.epsilon * sqrt(abs(mean)) if mean >= 0.0 else -s.epsilon * sqrt(abs(mean)))


@compiled
def race(
    s: at.Record, u: float, v: float, p: float, r: float, turning: float, delta: float
) -> tuple[float, float]:
    """Return thrust over rho D² and the rudder's normal force over rho L d / 2 [m²/s²].

    ``turning`` is n D [m/s]; p and r are times L.
    """
    drift = atan2(-v, abs(u))
    u_P = u * wake(s, drift, u, v, p, r)
    load = s.k_0 * turning * abs(turning) + s.k_1 * abs(turning) * u_P + s.k_2 * u_P * abs(u_P)
    u_R, v_R = inflow(s, u_P, load), hypot(u, v) * drift - s.l_R * r + s.z_R * p
    v_R *= s.gamma_R_minus if v_R < 0.0 else s.gamma_R_plus
    return load, s.A_R * s.f_alpha * hypot(u_R, v_R) * (u_R * sin(delta) - v_R * cos(delta))


@compiled
def roll_damping(s: at.Record, p: float) -> float:
    """Return K of the extinction curve over rho L² d / 2 [m²/s²], from p L [m/s]."""
    linear = 2.0 / pi * s.extinction_a * sqrt(s.m * s.g_GM * s.I_x)
    return float(-(linear + 0.75 * s.extinction_b * s.I_x * abs(p)) * p)


@compiled
def derivative(
    parameters: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu, the rudder (positive to starboard) and the shaft."""
    s, moved = record(pointer(parameters.scalars), 0), parameters.actuators
    u, v, yaw_rate = water.begin_level(x, surroundings, dx)
    delta = actuators.position(moved, x, command, 0)
    turning = actuators.position(moved, x, command, 1) / tau * s.D * s.L
    phi, p, r = x[PHI], x[P_] * s.L, yaw_rate * s.L
    X, Y, N = hull(s, u, v, r)
    if s.g_GM > 0.0:
        by_heel = heeled(s, u, v, r, phi)
        X, Y, N = X + by_heel[0], Y + by_heel[1], N + by_heel[2]

    load, F_N = race(s, u, v, p, r, turning, delta)
    X += 2.0 * (1.0 - s.t_P) * s.D * s.D / s.slender * load - (1.0 - s.t_R) * F_N * sin(delta)
    Y_R = -(1.0 + s.a_H) * F_N * cos(delta) * cos(phi)
    K = -s.z_H * Y - s.z_R * Y_R - s.m * s.g_GM * phi + roll_damping(s, p)
    Y += Y_R
    N -= (s.x_R + s.a_H * s.x_H) * F_N * cos(delta) * cos(phi)

    m22, m23, m24 = s.m + s.m_y, s.m * s.x_G, s.m_y * s.alpha_z + s.m * s.z_G
    m33, m34 = s.m * (s.k_zz * s.k_zz + s.x_G * s.x_G) + s.J_z, s.m * s.x_G * s.z_G
    dx[U_] += (X + (m22 * v + m23 * r - s.m * s.z_G * p) * r) / (s.L * (s.m + s.m_x))
    Y -= (s.m + s.m_x) * u * r
    N -= m23 * u * r
    K += s.m * s.z_G * u * r
    m44 = s.I_x + s.m * s.z_G * s.z_G
    rolls = 1.0 / m44 if s.g_GM > 0.0 else 0.0  # the roll is eliminated, if there is one
    Y, N = Y + m24 * rolls * K, N + m34 * rolls * K
    m22, m33 = m22 - m24 * m24 * rolls, m33 - m34 * m34 * rolls
    m23 -= m24 * m34 * rolls
    det = m22 * m33 - m23 * m23
    v_dot = (m33 * Y - m23 * N) / (s.L * det)
    r_dot = (m22 * N - m23 * Y) / (s.L * s.L * det)
    dx[P_] = rolls * (K / s.L + m24 * v_dot + m34 * s.L * r_dot) / s.L
    water.end_level(x, v_dot, r_dot, dx)
    actuators.rates(moved, x, command, dx)


MODEL = actuators.model(derivative, holds=steps.upright)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    length, draft = geometry.positive(geo.LENGTH), geometry.positive(geo.DRAFT)
    diameter: list[float] = []
    shaft: dict[str, float] = {}

    def read(propeller: Section) -> None:
        diameter.append(propeller.positive(thr.D_PROP))
        shaft.update(t_P=propeller.number(thr.TP), w_P0=propeller.number(thr.WAKE))

    density, gravity = world(folder)
    low_speed = str(pub.MMG_LOW_SPEED[0]) in hydrodynamics
    own = pub.MMG_LOW_SPEED if low_speed else pub.MMG_SERIES
    drives = [*files.surfaces(folder, 1), *files.thrusters(folder, 1, read)]
    mass = folder["inertia"].positive(inr.MASS) / (0.5 * density * length**2 * draft)
    scalars = files.filled(
        SCALARS,
        hydrodynamics,
        (*pub.MMG, *own),
        L=length,
        slender=draft / length,
        m=mass,
        x_G=geometry.number(geo.X_G) / length,
        D=diameter[0] / length,
        eta=diameter[0] / hydrodynamics.positive(pub.RUDDER_SPAN),
        A_R=hydrodynamics.positive(pub.RUDDER_AREA) / (length * draft),
        least=LEAST_FROUDE * sqrt(gravity * length),
        **shaft,
        **rolling(folder, mass, gravity),
    )
    return files.of_scalars(folder, MODEL, scalars, drives, COMMANDS)


def rolling(folder: Folder, mass: float, gravity: float) -> dict[str, float]:
    """Return the parameters of the roll by their names, all 0 without ``GM``; mass is prime."""
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    depths, others = pub.MMG_DEPTHS, (*pub.MMG_EXTINCTION, *pub.MMG_HEEL)
    if str(pub.MMG_GM) not in hydrodynamics:
        for key in (pub.K_XX, pub.MMG_J_X, *depths, *others):
            if str(key) in hydrodynamics:
                expected = "GM beside it; without GM the ship does not roll"
                hydrodynamics.wrong(str(key), hydrodynamics.text(key), expected, None)
        return {}
    files.refuse_quaternions(folder)
    length, draft = geometry.positive(geo.LENGTH), geometry.positive(geo.DRAFT)
    breadth = geometry.positive(geo.BREADTH)
    found = {str(key): hydrodynamics.number(key) for key in others}
    found |= {str(key): hydrodynamics.number(key) * draft / length for key in depths}
    found["extinction_b"] = degrees(found["extinction_b"])
    found["g_GM"] = gravity * hydrodynamics.positive(pub.MMG_GM)
    gyration = hydrodynamics.positive(pub.K_XX) * breadth / length
    found["I_x"] = mass * gyration**2 + hydrodynamics.number(pub.MMG_J_X)
    return found
