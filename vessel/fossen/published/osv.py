"""Offshore supply vessel: six degrees of freedom, two tunnel and two azimuth thrusters.

    M nudot_r = tau_thrusters + tau_surge + tau_crossflow - C(nu_r) nu_r - D nu_r - G eta

The surge resistance changes from linear to quadratic with speed; actuators have no lag.

Source: Fossen (2021), equations 6.111 to 6.116; as in MSS ``osv.m``. There the added mass's
Coriolis forces use nu for nu_r, the resistance is wrong astern, end strips have
full weight, and a current is rotated by yaw only: ``peer_quirks``. (Its header gives
the revolutions in 1/s; its constants are for rpm.)
"""

from __future__ import annotations

from math import cos, inf, radians, sin, sqrt, tanh
from typing import NamedTuple

import numpy as np

from steerageway.vessel.added_mass import addedMassSurge
from steerageway.vessel.cross_flow import Hoerner
from steerageway.vessel.fossen.assembly import world
from steerageway.vessel.fossen.attitude import eta_rates
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import Actuators
from steerageway.vessel.fossen.state import P_, Q_, R_, U_, V_, W_
from steerageway.vessel.fossen.strips import integrals
from steerageway.vessel.restoring import Gmtrx, metacentric_height, morrish, munro_smith
from steerageway.vessel.rigid_body import M_RB
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled
from steerageway.world.document import Section


class Osv(NamedTuple):
    """Parameters of the model [SI].

    Attributes:
        M_inv: (6, 6) inverse of M_RB + M_A.
        M_RB, M_A: (6, 6) inertia and added mass about CO.
        D: (6,) linear damping, zero in surge.
        G: (6, 6) restoring matrix.
        half: half the hull's length [m].
        drag: rho Cd T / 2 of the cross-flow [kg/m²].
        X_u, X_uu: linear and quadratic resistance [kg/s, kg/m], negative.
        u_cross: speed of transition between them [m/s].
        K: (4,) thrust for n|n| = 1 [N s²/rad²].
        x, y: (4,) positions of the thrusters [m].
        actuators: four shafts and two azimuth angles, without lag.
        peer_quirks: see the module.
    """

    M_inv: Floats
    M_RB: Floats
    M_A: Floats
    D: Floats
    G: Floats
    half: float
    drag: float
    X_u: float
    X_uu: float
    u_cross: float
    K: Floats
    x: Floats
    y: Floats
    actuators: Actuators
    peer_quirks: bool


@compiled
def derivative(
    parameters: Osv, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta and nu; commands are four shaft speeds and two azimuth angles."""
    s = parameters
    u_c, v_c, w_c = water.current_in_body(x, surroundings)
    if s.peer_quirks:
        u_c, v_c = water.current_by_heading(x, surroundings)
        w_c = 0.0
    force = dx[6:12]  # divided by the inertia below
    eta_rates(x, dx)
    thrusters(s, x, command, force)
    add_drag(s, x, u_c, v_c, w_c, force)
    add_coriolis(s, x, u_c, v_c, w_c, force)
    for i in range(6):
        for j in range(6):
            force[i] -= s.G[i, j] * x[j]
    X, Y, Z, K, M, N = force[0], force[1], force[2], force[3], force[4], force[5]
    for i in range(6):
        row = s.M_inv[i]
        dx[6 + i] = row[0] * X + row[1] * Y + row[2] * Z + row[3] * K + row[4] * M + row[5] * N
    water.add_current_rate(x, u_c, v_c, w_c, dx)
    actuators.rates(s.actuators, x, command, dx)


@compiled
def thrusters(s: Osv, x: Floats, command: Floats, force: Floats) -> None:
    """Write the thrusters' force: of the first two to starboard, of the others along azimuths."""
    force[:] = 0.0
    for k in range(4):
        n = actuators.position(s.actuators, x, command, k)
        X, Y = 0.0, s.K[k] * n * abs(n)
        if k >= 2:
            azimuth = actuators.position(s.actuators, x, command, 2 + k)
            X, Y = Y * cos(azimuth), Y * sin(azimuth)
        force[0] += X
        force[1] += Y
        force[5] += s.x[k] * Y - s.y[k] * X


@compiled
def add_drag(s: Osv, x: Floats, u_c: float, v_c: float, w_c: float, force: Floats) -> None:
    """Add the surge resistance, the linear damping and the cross-flow drag."""
    u, v, w, p, q, r = x[U_] - u_c, x[V_] - v_c, x[W_] - w_c, x[P_], x[Q_], x[R_]
    slow = 1.0 - tanh((u if s.peer_quirks else abs(u)) / s.u_cross)
    force[0] += slow * s.X_u * u + (1.0 - slow) * s.X_uu * abs(u) * u
    force[1] -= s.D[1] * v
    force[2] -= s.D[2] * w
    force[3] -= s.D[3] * p
    force[4] -= s.D[4] * q
    force[5] -= s.D[5] * r
    Y, N = integrals(v, r, s.half, s.peer_quirks)
    Z, M = integrals(w, -q, s.half, s.peer_quirks)
    force[1] -= s.drag * Y
    force[2] -= s.drag * Z
    force[4] += s.drag * M
    force[5] -= s.drag * N


@compiled
def add_coriolis(s: Osv, x: Floats, u_c: float, v_c: float, w_c: float, force: Floats) -> None:
    """Add the Coriolis and centripetal forces of hull and added mass, from omega x momentum.

    Source: Fossen (2021), equation 3.46, for M_RB and for M_A.
    """
    u, v, w, p, q, r = x[U_] - u_c, x[V_] - v_c, x[W_] - w_c, x[P_], x[Q_], x[R_]
    a1, a2, a3, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(6):
        n = x[6 + j] - (u_c if j == 0 else v_c if j == 1 else w_c if j == 2 else 0.0)
        m = x[6 + j] if s.peer_quirks else n
        a1 += s.M_RB[0, j] * n + s.M_A[0, j] * m
        a2 += s.M_RB[1, j] * n + s.M_A[1, j] * m
        a3 += s.M_RB[2, j] * n + s.M_A[2, j] * m
        b1 += s.M_RB[3, j] * n + s.M_A[3, j] * m
        b2 += s.M_RB[4, j] * n + s.M_A[4, j] * m
        b3 += s.M_RB[5, j] * n + s.M_A[5, j] * m
    force[0] -= q * a3 - r * a2
    force[1] -= r * a1 - p * a3
    force[2] -= p * a2 - q * a1
    force[3] -= v * a3 - w * a2 + q * b3 - r * b2
    force[4] -= w * a1 - u * a3 + r * b1 - p * b3
    force[5] -= u * a2 - v * a1 + p * b2 - q * b1


MODEL = actuators.model(derivative)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    wrong, (rho, g) = files.quirks(folder), world(folder)
    L, B, T = (geometry.positive(key) for key in (geo.LENGTH, geo.BREADTH, geo.DRAFT))
    nabla = geometry.positive(geo.BLOCK_COEFFICIENT) * L * B * T
    mass = rho * nabla
    r_bg = files.centre(folder, geo.CG)
    inertia_matrix = M_RB(mass, r_bg, geometry.vector(geo.GYRATION))
    added = folder["inertia"].matrix(inr.ADDED_MASS_MATRIX)
    M = inertia_matrix + added
    G = stiffness(folder, nabla, rho, g)
    drives, thrust = read_thrusters(folder, wrong)
    K, x, y, most = thrust.T.copy()
    parameters = Osv(
        M_inv=files.inverse(folder["inertia"], inr.ADDED_MASS_MATRIX, M),
        M_RB=inertia_matrix,
        M_A=added,
        D=damping(hydrodynamics, M, G),
        G=G,
        half=L / 2,
        drag=0.5 * rho * T * float(Hoerner(B, T)),
        X_u=-(mass + addedMassSurge(mass, L, rho)[0]) / hydrodynamics.positive(pub.OSV_T[1]),
        X_uu=-float(most[2:].sum()) / hydrodynamics.positive(pub.U_MAX) ** 2,
        u_cross=hydrodynamics.positive(pub.U_CROSS),
        K=K,
        x=x,
        y=y,
        actuators=files.actuators(folder, drives, files.stops(folder)),
        peer_quirks=wrong,
    )
    return files.assembled(folder, MODEL, parameters, drives)


def read_thrusters(folder: Folder, peer_quirks: bool) -> tuple[list[files.Drive], Floats]:
    """Return the drives of the shafts, then of the azimuths; and (4, 4) K, x, y, maximum thrust."""
    thrust: list[list[float]] = []
    turns: list[float] = []

    def read(thruster: Section) -> None:
        most, n_max = thruster.positive(thr.FORCE_MAX), thruster.positive(thr.N_MAX) * files.RPM
        x, y, _ = thruster.vector(thr.LOCATION)
        thrust.append([most / n_max**2, x, y, most])
        azimuth = thruster.section(thr.AZIMUTH)
        turns.append(radians(azimuth.positive(thr.ANGLE_MAX)))
        azimuth.finish()

    drives = files.thrusters(folder, 4, read)
    drives += [
        files.Drive(f"az_{drive.name[3:]}", "rad", limit, scale=radians(1.0))
        for drive, limit in zip(drives[2:], turns[2:], strict=True)
    ]
    if peer_quirks:
        drives = [drive._replace(limit=inf) for drive in drives]
    return drives, np.array(thrust)


def stiffness(folder: Folder, nabla: float, rho: float, g: float) -> Floats:
    """Return G (6, 6) from the main dimensions.

    Source: Fossen (2021), section 4.2; the centre of buoyancy after Morrish.
    """
    geometry = folder["geometry"]
    L, B, T = (geometry.positive(key) for key in (geo.LENGTH, geo.BREADTH, geo.DRAFT))
    A_wp = geometry.positive(geo.WATERPLANE_COEFFICIENT) * L * B
    KB = morrish(T, nabla, A_wp)
    KG = T - files.centre(folder, geo.CG)[2]
    across = munro_smith(L, B, A_wp / (L * B))
    along = geometry.positive(geo.WATERPLANE_SLENDERNESS) * L**3 * B / 12
    GM_T = metacentric_height(nabla, across, KB, KG)
    GM_L = metacentric_height(nabla, along, KB, KG)
    if not min(GM_T, GM_L) > 0.0:
        told = f"a metacentric height of {min(GM_T, GM_L):.3g} m: it capsizes"
        geometry.wrong(geo.DRAFT, told, "another draft, breadth or CG", None)
    return Gmtrx(nabla, A_wp, GM_T, GM_L, geometry.number(geo.LCF), [0.0] * 3, rho=rho, gravity=g)


def damping(hydrodynamics: Section, M: Floats, G: Floats) -> Floats:
    """Return D (6,) from time constants [s] and relative damping; surge has a separate resistance.

    Source: Fossen (2021), equations 6.76 to 6.81.
    """
    D = np.zeros(6)
    for i in (1, 5):
        D[i] = M[i, i] / hydrodynamics.positive(pub.OSV_T[i + 1])
    for i in (2, 3, 4):
        D[i] = 2 * hydrodynamics.positive(pub.OSV_ZETA[i + 1]) * sqrt(G[i, i] * M[i, i])
    return D
