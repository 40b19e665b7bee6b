"""NPS AUV II: six degrees of freedom, five planes and a propeller.

    M nudot_r = tau_control + tau_hydrodynamic + tau_crossflow - g(eta)

The hydrodynamic terms include the rigid body's Coriolis forces; those of added mass are part of
the measured derivatives. Cross-flow drag is that of a box, by strips. The source does not model
the surface: there, buoyancy and thrust decrease as the hull and its stern emerge.

Source: Healey and Lienard (1993), Multivariable sliding mode control for autonomous diving and
steering of unmanned underwater vehicles, IEEE JOE 18(3); as in MSS ``npsauv.m``. There the rigid
body's force in heave and its gyroscopic moment in pitch have the wrong sign, the pitch moment of
the cross-flow uses w + x q where the force has w - x q, end strips have full weight, a current
is rotated by yaw only, and astern damping by u w, u q ... accelerates the
vehicle (here it is by |u|, as are the planes' forces): ``peer_quirks``.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.assembly import world
from steerageway.vessel.fossen.attitude import eta_rates
from steerageway.vessel.fossen.build_hull import STATIONS
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.hull import emerge, immersed
from steerageway.vessel.fossen.keys import control_surfaces as srf
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published import npsauv_forces as forces
from steerageway.vessel.fossen.published.actuators import COMMANDS, FORCES
from steerageway.vessel.fossen.published.npsauv_forces import STILL, NpsAuv
from steerageway.vessel.fossen.state import CURRENT_D, P_, PHI, Q_, R_, THETA, U_, V_, W_, Z_
from steerageway.vessel.kinematics import Smat
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, pointer, record
from steerageway.world.document import Section


@compiled
def derivative(
    parameters: NpsAuv, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu, four planes and the propeller's revolutions.

    A positive rudder turns to port; positive planes raise their own end of the vehicle.
    """
    s = forces.scalars(parameters)
    u_c, v_c, w_c = water.current_in_body(x, surroundings)
    if s.peer_quirks:
        u_c, v_c = water.current_by_heading(x, surroundings)
        w_c = surroundings[CURRENT_D]
    u, v, w = x[U_] - u_c, x[V_] - v_c, x[W_] - w_c
    ahead = x[U_] + STILL if s.peer_quirks else u
    dx[6:12] = 0.0
    wet = 1.0
    if not s.peer_quirks:
        cphi, sphi, cth, sth = cos(x[PHI]), sin(x[PHI]), cos(x[THETA]), sin(x[THETA])
        emerge(record(pointer(parameters.buoyant), 0), x[Z_], cphi, sphi, cth, sth, dx)
        wet = immersed(x[Z_] + 0.5 * s.L * sth, s.H)
    lost = dx[U_], dx[V_], dx[W_], dx[P_], dx[Q_], dx[R_]
    thrust, race = forces.propulsion(parameters, x[16], u, ahead, wet)
    drag = forces.crossflow(parameters, v, w, x[Q_], x[R_])
    total = (
        forces.surge(parameters, x, u, v, w, race) + thrust,
        forces.sway(parameters, x, u, v, w) - drag[0],
        forces.heave(parameters, x, u, v, w, race) - drag[1],
        forces.roll(parameters, x, u, v, w, race),
        forces.pitch(parameters, x, u, v, w, race) - drag[2],
        forces.yaw(parameters, x, u, v, w) - drag[3],
    )
    eta_rates(x, dx)
    for i in range(6):
        dx[6 + i] = 0.0
        for j in range(6):
            dx[6 + i] += parameters.M_inv[i, j] * (total[j] + lost[j])
    if s.peer_quirks:
        dx[U_] += x[R_] * v_c
        dx[V_] -= x[R_] * u_c
    else:
        water.add_current_rate(x, u_c, v_c, w_c, dx)
    actuators.rates(parameters.actuators, x, command, dx)


MODEL = actuators.model(derivative)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    geometry, inertia = folder["geometry"], folder["inertia"]
    hydrodynamics = folder["hydrodynamics"]
    quirks = files.quirks(folder)
    drives = [*files.surfaces(folder, 4), *files.thrusters(folder, 1)]
    if any(drive.lag <= 0.0 for drive in drives):
        surfaces, needs = folder["control_surfaces"], "time constants above zero [s]"
        surfaces.wrong(srf.CONTROL_SURFACES, "a control_surface_T or T_prop of 0", needs, None)
    rho, g = world(folder)
    L, mass = geometry.positive(geo.LENGTH), inertia.positive(inr.MASS)
    r_bg, r_bb = (files.centre(folder, name) for name in (geo.CG, geo.CB))
    moments = {str(key): inertia.number(key) for key in inr.MOMENTS}
    buoyancy = inertia.positive(inr.BUOYANCY_MASS, mass) * g
    M = rigid_body(mass, r_bg, moments) + added_mass(hydrodynamics, rho, L)
    scalars = files.filled(
        forces.SCALARS,
        hydrodynamics,
        pub.NPS,
        L=L,
        H=geometry.positive(geo.DEPTH),
        B=geometry.positive(geo.BREADTH),
        rho=rho,
        mass=mass,
        weight=mass * g,
        buoyancy=buoyancy,
        **dict(zip(("x_G", "y_G", "z_G"), r_bg.tolist(), strict=True)),
        **dict(zip(("x_B", "y_B", "z_B"), r_bb.tolist(), strict=True)),
        **moments,
        peer_quirks=quirks,
    )
    parameters = NpsAuv(
        files.inverse(inertia, inr.I_X, M),
        *strips(L, quirks),
        scalars,
        buoyant(L, geometry.positive(geo.DEPTH), r_bb, buoyancy),
        files.actuators(folder, drives, FORCES if quirks else COMMANDS),
    )
    return files.assembled(folder, MODEL, parameters, drives)


def rigid_body(mass: float, r_bg: Floats, moments: dict[str, float]) -> Floats:
    """Return M_RB (6, 6) about CO from the moments of inertia about CO."""
    M_RB = np.zeros((6, 6))
    M_RB[:3, :3] = mass * np.eye(3)
    M_RB[3:, :3] = mass * Smat(r_bg)
    M_RB[:3, 3:] = -M_RB[3:, :3]
    for i, a in enumerate("xyz"):
        for j, b in enumerate("xyz"):
            M_RB[3 + i, 3 + j] = (
                moments[f"I_{a}"] if i == j else -moments[f"I_{min(a, b)}{max(a, b)}"]
            )
    return M_RB


def added_mass(hydrodynamics: Section, rho: float, L: float) -> Floats:
    """Return M_A (6, 6) from the prime acceleration derivatives."""
    M_A = np.zeros((6, 6))
    for i, axis in enumerate("XYZKMN"):
        for j, velocity in enumerate("uvwpqr"):
            power = 3 + (i > 2) + (j > 2)
            derivative = hydrodynamics.number(pub.NPS_ADDED[axis, velocity])
            M_A[i, j] = -0.5 * rho * L**power * derivative
    return M_A


def buoyant(L: float, height: float, r_bb: Floats, buoyancy: float) -> at.Record:
    """Return the scalars of ``hull.emerge``."""
    s = at.record_of(at.HULL)
    s["surface"], s["buoyancy"], s["station"] = height, buoyancy, L / STATIONS
    s["buoy_x"], s["buoy_y"], s["buoy_z"] = r_bb
    return np.array(s)


def strips(L: float, quirks: bool) -> tuple[Floats, Floats]:
    """Return positions and widths of strips: Gauss's, or the reference's eleven of equal weight."""
    if quirks:
        return np.linspace(-L / 2, L / 2, 11), np.full(11, L / 10)
    nodes, weights = np.polynomial.legendre.leggauss(16)
    return nodes * L / 2, weights * L / 2
