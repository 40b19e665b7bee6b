"""Panisim's own equations, to reproduce its runs: ``peer_compat: panisim`` of a vessel folder.

    nu_dot = M^-1 (tau_damping + tau_surfaces + tau_thrusters - g(eta) - C(nu) nu)

Differences from Fossen's equations, and so from the coefficient form:

- M is M_RB only, where any entry of M_A exceeds twice M_RB's, as it does for zeros of M_RB;
- without ``coriolis_flag`` there is no C, without ``dim_flag`` coefficients are prime;
- a prime coefficient has a factor L for each p, q, r except its first factor, and U (of the main
    file) for each factor that is not an absolute value; underscores separate factors: ``N_uv`` has
    none;
- ``deltad_max`` is in rad/s, and ``delta_max`` in rad where it limits a command; the
    force of a surface is that of at most ``delta_max`` degrees;
- ``maintain_speed`` replaces u by u - U in all damping;
- a held degree of freedom has no velocity, and the full M is inverted for the others;
- a foil's force is along its own axes, beyond 15 degrees only a drag of 0.1; at a position rolled
    with p the velocity is v + p z; orientations are Rx Ry Rz; positions are from BODY's origin,
    regardless of CO;
- thrust is K_T0 (1 - J) for any J, with the speed at the start of the step; the lag of a shaft is
    1 s, regardless of ``T_prop``, without stops.

Source: Panisim's class_vessel.py and calculate_hydrodynamics.py (MAV Lab, IIT Madras). Panisim has
no current; here it acts as on a vessel of the coefficient form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import atan2, inf, pi, radians
from typing import Any, NamedTuple

import numpy as np

from steerageway.declarations.key import Key, Kind, found
from steerageway.vessel import bounds, restoring, rigid_body
from steerageway.vessel.fossen import hydra, steps
from steerageway.vessel.fossen.assembly import assembled, world
from steerageway.vessel.fossen.attitude import eta_rates
from steerageway.vessel.fossen.build_actuators import RPM, read_table
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import angles, centre
from steerageway.vessel.fossen.keys import control_surfaces as srf
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.fossen.keys.listing import FILES
from steerageway.vessel.fossen.layout import Records, Terms
from steerageway.vessel.fossen.published import water
from steerageway.vessel.fossen.state import ACTUATORS, PHI, THETA, Channel
from steerageway.vessel.fossen.terms import AXES, VELOCITIES
from steerageway.vessel.kinematics import Smat
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part
from steerageway.world.document import Section

weight_less_buoyancy = part(restoring.weight_less_buoyancy)
turning_wrench = part(rigid_body.turning_wrench)
moment = part(rigid_body.moment)
bounded = part(bounds.bounded)
TOO_MUCH = 2.0  # multiple of an entry of M_RB above which M_A is dropped
STALL = 15.0  # of a foil [deg], and its drag coefficient beyond
STALLED_DRAG = 0.1
SHAFT_LAG = 1.0  # [s]
RTOL, ATOL = 1e-3, 1e-6  # of SciPy's solve_ivp, its defaults
TURNING = 1e-6  # n D below which J is taken as 0 [m/s]
NOT_ITS = "a key of Panisim: peer_compat panisim does not support others"
MOVE_NOTHING = {  # keys of Steerageway without effect in its equations
    *(ves.MODEL, ves.SOURCE, ves.DENSITY, ves.GRAVITY, ves.COMMAND_TIMEOUT, ves.ENVELOPE),
    *(ves.WATER_DEPTH, geo.DRAFT, hyd.HYDRA_BOW),
}


SURFACE = np.dtype(
    [
        *(("channel", np.int64), ("delta_max", float)),  # its command; greatest angle [rad]
        ("force", float, (6,)),  # per radian [N, N m]
        *(("area", float), ("place", float, (3,)), ("R", float, (3, 3))),  # a foil's; no foil: 0
    ],
    align=True,
)
THRUSTER = np.dtype(
    [
        *(("D", float), ("K_T0", float), ("kept", float)),  # kept: 1 - thrust deduction
        *(("place", float, (3,)), ("axis", float, (3,))),
    ],
    align=True,
)
DRIVE = np.dtype([("bound", float), ("lag", float), ("rate_max", float)], align=True)


class Panisim(NamedTuple):
    """Parameters of a vessel as computed by Panisim.

    Attributes:
        M_inv: (6, 6) inverse of M; rows of held degrees of freedom are zero.
        M_C: (6, 6) matrix from which C is made; zero without C.
        free: (6,) 1 or 0.
        speed: U that ``maintain_speed`` subtracts from u [m/s].
        terms: (n, 13) axis, powers of nu and of its absolute values. values: (n,).
        excess: W - B [N]. moment: (3,) r_G W - r_B B [N m]. density: of the water [kg/m³].
        surfaces: (k,) of SURFACE.
        polar: (t, 3) angle of attack [deg], C_L, C_D.
        thrusters: (m,) of THRUSTER.
        drives: (k + m,) of DRIVE: bounds and lag of each command.
    """

    M_inv: Floats
    M_C: Floats
    free: Floats
    speed: float
    terms: Terms
    values: Floats
    excess: float
    moment: Floats
    density: float
    surfaces: Records
    polar: Floats
    thrusters: Records
    drives: Records


@compiled
def derivative(
    parameters: Panisim, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu, surfaces, shafts, and of each thruster's inflow."""
    s = parameters
    nu, tau = np.empty(6), np.zeros(6)
    u_c, v_c, w_c = water.current_in_body(x, surroundings)
    for i in range(6):
        nu[i] = x[6 + i] * s.free[i]
    nu[0] -= u_c
    nu[1] -= v_c
    nu[2] -= w_c
    add_damping(s, nu, tau)
    add_restoring(s, x, tau)
    add_coriolis(s, nu, tau)
    add_surfaces(s, x, nu, tau)
    add_thrusters(s, x, tau)
    eta_rates(x, dx)
    for i in range(6):
        dx[6 + i] = 0.0
        for j in range(6):
            dx[6 + i] += s.M_inv[i, j] * tau[j]
    water.add_current_rate(x, u_c, v_c, w_c, dx)
    for i in range(6):
        dx[6 + i] *= s.free[i]
        if i >= 3:
            dx[i] *= s.free[i]
    for i in range(s.drives.shape[0]):
        drive = s.drives[i]
        wanted = bounded(command[i], drive.bound)
        rate = (wanted - x[ACTUATORS + i]) / drive.lag
        dx[ACTUATORS + i] = bounded(rate, drive.rate_max)
    for i in range(s.thrusters.shape[0]):
        dx[ACTUATORS + s.drives.shape[0] + i] = 0.0


@compiled
def add_damping(s: Panisim, nu: Floats, tau: Floats) -> None:
    """Add each coefficient times its factors."""
    for i in range(s.values.size):
        force = s.values[i]
        for k in range(6):
            velocity = nu[k] - s.speed if k == 0 else nu[k]
            force *= velocity ** s.terms[i, 1 + k] * abs(velocity) ** s.terms[i, 7 + k]
        tau[s.terms[i, 0]] += force


@compiled
def add_restoring(s: Panisim, x: Floats, tau: Floats) -> None:
    """Subtract g(eta) of a submerged body. Source: Fossen (2021), equation 4.6."""
    attitude = np.cos(x[PHI]), np.sin(x[PHI]), np.cos(x[THETA]), np.sin(x[THETA])
    wrench = weight_less_buoyancy(s.excess, s.moment[0], s.moment[1], s.moment[2], *attitude)
    for i in range(6):
        tau[i] += wrench[i]


@compiled
def add_coriolis(s: Panisim, nu: Floats, tau: Floats) -> None:
    """Subtract C(nu) nu. Source: Fossen (2011), equation 3.46."""
    a = np.zeros(6)
    for i in range(6):
        for j in range(6):
            a[i] += s.M_C[i, j] * nu[j]
    wrench = turning_wrench(
        a[0], a[1], a[2], a[3], a[4], a[5], nu[0], nu[1], nu[2], nu[3], nu[4], nu[5]
    )
    for i in range(6):
        tau[i] += wrench[i]


@compiled
def add_surfaces(s: Panisim, x: Floats, nu: Floats, tau: Floats) -> None:
    """Add the surfaces' forces, by coefficients or by the foils' polar."""
    for i in range(s.surfaces.shape[0]):
        surface = s.surfaces[i]
        delta = x[ACTUATORS + surface.channel]
        delta = (delta + pi) % (2 * pi) - pi
        delta = bounded(delta, surface.delta_max)
        for k in range(6):
            tau[k] += surface.force[k] * delta
        if surface.area == 0.0:
            continue
        u, v, w = velocity_at(nu, surface.place)
        R = surface.R
        along = R[0, 0] * u + R[1, 0] * v + R[2, 0] * w
        normal = R[0, 2] * u + R[1, 2] * v + R[2, 2] * w
        alpha = np.degrees(atan2(normal, along) + delta)
        pressure = 0.5 * s.density * (along * along + normal * normal) * surface.area
        lift, drag = 0.0, STALLED_DRAG
        if abs(alpha) <= STALL:
            lift = np.interp(alpha, s.polar[:, 0], s.polar[:, 1])
            drag = np.interp(alpha, s.polar[:, 0], s.polar[:, 2])
        fx = -pressure * (drag * R[0, 0] + lift * R[0, 2])
        fy = -pressure * (drag * R[1, 0] + lift * R[1, 2])
        fz = -pressure * (drag * R[2, 0] + lift * R[2, 2])
        add_force(surface.place, fx, fy, fz, tau)


@compiled
def velocity_at(nu: Floats, place: Floats) -> tuple[float, float, float]:
    """Return the velocity of a position, with Panisim's sign of p z, and without q z and r y."""
    x, y, z = place[0], place[1], place[2]
    return nu[0], nu[1] + nu[5] * x + nu[3] * z, nu[2] + nu[3] * y - nu[4] * x


@compiled
def add_force(place: Floats, fx: float, fy: float, fz: float, tau: Floats) -> None:
    """Add a force at a position."""
    x, y, z = place[0], place[1], place[2]
    tau[0] += fx
    tau[1] += fy
    tau[2] += fz
    K, M, N = moment(x, y, z, fx, fy, fz)
    tau[3] += K
    tau[4] += M
    tau[5] += N


@compiled
def add_thrusters(s: Panisim, x: Floats, tau: Floats) -> None:
    """Add the thrusters' forces, each with the speed along its axis at the start of the step."""
    first = ACTUATORS + s.drives.shape[0] - s.thrusters.shape[0]
    count = s.thrusters.shape[0]
    for i in range(count):
        thruster = s.thrusters[i]
        D, n, axis = thruster.D, x[first + i] / (2 * pi), thruster.axis
        J = x[first + count + i] / (n * D) if abs(n * D) > TURNING else 0.0
        thrust = thruster.K_T0 * (1 - J) * s.density * D**4 * abs(n) * n * thruster.kept
        add_force(thruster.place, thrust * axis[0], thrust * axis[1], thrust * axis[2], tau)


@compiled
def before(
    parameters: Panisim, x: Floats, command: Floats, surroundings: Floats, dt: float
) -> None:
    """Store the speed along each thruster's axis at the start of a step."""
    s = parameters
    nu = x[6:12] * s.free
    u_c, v_c, w_c = water.current_in_body(x, surroundings)
    nu[0] -= u_c
    nu[1] -= v_c
    nu[2] -= w_c
    first = ACTUATORS + s.drives.shape[0]
    for i in range(s.thrusters.shape[0]):
        axis = s.thrusters[i].axis
        u, v, w = velocity_at(nu, s.thrusters[i].place)
        x[first + i] = u * axis[0] + v * axis[1] + w * axis[2]


@compiled
def tolerance(parameters: Panisim, i: int, size: float) -> float:
    """Return the error tolerance of Panisim's solver: 1e-3, and 1e-6 in its own units."""
    shaft = i - ACTUATORS - parameters.surfaces.shape[0]
    if shaft >= parameters.thrusters.shape[0]:
        return 0.0
    return RTOL * size + (ATOL if shaft < 0 else ATOL * RPM)


MODEL = steps.of(derivative, before, tolerance=tolerance)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder, with Panisim's own keys only.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    vessel, hydrodynamics = folder["vessel"], folder["hydrodynamics"]
    _refuse_ours(folder)
    density, gravity = world(folder)
    U = vessel.number(ves.U)
    free = vessel.vector(ves.ACTIVE_DOF)
    prime = not hydrodynamics.flag(hyd.DIM_FLAG, False)
    M, M_C = _masses(folder)
    terms, values = _damping(folder, density if prime else 0.0, U)
    surfaces, polar = _surfaces(folder, density if prime else 0.0, U)
    thrusters = _thrusters(folder)
    excess, moment = _restoring(folder, gravity)
    parameters = Panisim(
        M_inv=np.ascontiguousarray(np.linalg.inv(M) * free[:, None]),
        M_C=M_C,
        free=free,
        speed=U if vessel.flag(ves.MAINTAIN_SPEED) else 0.0,
        terms=terms,
        values=values,
        excess=excess,
        moment=moment,
        density=density,
        surfaces=np.array([surface for _, surface, _ in surfaces], SURFACE),
        polar=polar,
        thrusters=np.array([thruster for _, thruster in thrusters], THRUSTER),
        drives=np.array(
            [drive for _, _, drive in surfaces] + [(inf, SHAFT_LAG, inf) for _ in thrusters], DRIVE
        ),
    )
    channels = (*(each[0] for each in surfaces), *(each[0] for each in thrusters))
    made = assembled(folder, MODEL, parameters, channels, np.zeros(len(channels)))
    inflows = tuple(Channel(f"inflow_{c.name}", "m/s") for c, _ in thrusters)
    start = np.concatenate((made.initial, np.zeros(len(inflows))))
    start[3:6] *= free[3:6]
    start[6:12] *= free
    return replace(
        made, actuators=(*channels, *inflows), initial=start, quaternions=False, adaptive=True
    )


def _masses(folder: Folder) -> tuple[Floats, Floats]:
    """Return M and the matrix from which C is made, (6, 6) each."""
    inertia, hydrodynamics = folder["inertia"], folder["hydrodynamics"]
    mass, r_bg = inertia.positive(inr.MASS), _position(folder, geo.CG)
    if inr.INERTIA_MATRIX in inertia:
        M_RB = inertia.matrix(inr.INERTIA_MATRIX)
    else:
        radii, S = folder["geometry"].vector(geo.GYRATION), Smat(r_bg)
        M_RB = mass * np.block([[np.eye(3), -S], [S, np.diag(radii**2) - S @ S]])
    M_A = np.zeros((6, 6))
    if inr.ADDED_MASS_MATRIX in inertia:
        M_A = inertia.matrix(inr.ADDED_MASS_MATRIX)
    elif hyd.HYDRA_FILE in hydrodynamics:
        with hydrodynamics.collecting_errors():
            M_A = hydra.as_panisim(folder.find(hydrodynamics, hyd.HYDRA_FILE))
    if (np.abs(M_A) > TOO_MUCH * np.abs(M_RB)).any():
        M_A = np.zeros((6, 6))
    M: Floats = M_RB + M_A
    return M, M * float(hydrodynamics.flag(hyd.CORIOLIS_FLAG, False))


def _position(folder: Folder, name: str) -> Floats:
    """Read a position as given, regardless of CO."""
    section = centre(folder["geometry"], name)
    place = section.vector(geo.POSITION)
    section.finish((geo.ORIENTATION,))
    return place


def _restoring(folder: Folder, gravity: float) -> tuple[float, Floats]:
    """Read W - B [N] and r_G W - r_B B, (3,) [N m]."""
    inertia = folder["inertia"]
    W = inertia.positive(inr.MASS) * gravity
    B = inertia.positive(inr.BUOYANCY_MASS, W / gravity) * gravity
    moment: Floats = W * _position(folder, geo.CG) - B * _position(folder, geo.CB)
    return W - B, moment


def _damping(folder: Folder, density: float, U: float) -> tuple[Terms, Floats]:
    """Return the terms and their values; density 0: they are dimensional."""
    hydrodynamics = folder["hydrodynamics"]
    length = folder["geometry"].positive(geo.LENGTH)
    rows, values = [], []
    for key in list(hydrodynamics.nodes):
        axis, *factors = key.split("_")
        if not (factors and len(axis) == 1 and axis in AXES):
            continue
        value = hydrodynamics.number(key)
        if density:
            arms = (AXES.index(axis) >= 3) + sum(
                factor in {"p", "q", "r"} for factor in factors[1:]
            )
            powers = sum(len(factor) == 1 and factor in VELOCITIES for factor in factors)
            value *= 0.5 * density * length ** (2 + arms) * U**powers
        plain = [factors.count(velocity) for velocity in VELOCITIES]
        sizes = [factors.count(f"a{velocity}") for velocity in VELOCITIES]
        rows.append([AXES.index(axis), *plain, *sizes])
        values.append(value)
    return np.array(rows, np.int64).reshape(-1, 13), np.array(values, np.float64)


def _surfaces(
    folder: Folder, density: float, U: float
) -> tuple[list[tuple[Channel, tuple[Any, ...], tuple[float, float, float]]], Floats]:
    """Read the control surfaces: command, SURFACE and DRIVE of each; and the foils' polar."""
    top = folder["control_surfaces"]
    polar, found = np.zeros((1, 3)), []
    for key in srf.ANCHORS:
        top.text(key)
    if srf.NACA_FILE in top:
        with top.collecting_errors():
            rows = read_table(folder.find(top, srf.NACA_FILE), ("alpha", "cl", "cd"), angles=False)
            polar = np.array(rows)
    length = folder["geometry"].positive(geo.LENGTH)
    sections = top.sections(srf.CONTROL_SURFACES)
    for i, section in enumerate(sections, 1):
        for key in (srf.TYPE, srf.NAME, srf.NACA):
            section.text(key)
        id_ = section.number(srf.ID, i, 1, len(sections))
        limit = section.positive(str(srf.DELTA_MAX), 90.0)
        force, foil = np.zeros(6), False
        place = section.vector(srf.LOCATION)
        axes = axes_xyz(angles(section, srf.ORIENTATION))
        area = section.number(srf.AREA)
        if srf.HYDRODYNAMICS in section:
            own = section.section(srf.HYDRODYNAMICS)
            for k, key in enumerate(srf.DELTA_FORCES):
                scale = 0.5 * density * length ** (2 + (k >= 3)) * U**2 if density else 1.0
                force[k] = scale * own.number(key)
            own.finish()
        elif srf.NACA_FILE in top:
            foil = True
        most = section.positive(srf.DELTAD_MAX)
        lag = section.positive(str(srf.T))
        command = Channel(f"cs_{id_:g}", "rad", -radians(limit), radians(limit))
        surface = (id_ - 1, radians(limit), force, area if foil else 0.0, place, axes)
        found.append((command, surface, (limit, lag, most)))
        section.finish()
    return found, polar


def _thrusters(folder: Folder) -> list[tuple[Channel, tuple[Any, ...]]]:
    """Read the thrusters: command and THRUSTER of each."""
    found = []
    for i, section in enumerate(folder["thrusters"].sections(thr.THRUSTERS), 1):
        section.text(thr.THRUSTER_NAME)
        most = section.positive(thr.N_MAX) * RPM
        command = Channel(f"th_{section.text(thr.THRUSTER_ID, str(i))}", "rad/s", -most, most)
        thruster = (
            section.positive(thr.D_PROP),
            section.number(str(thr.KT_AT_J0)),
            1.0 - section.number(str(thr.TP), 0.0),
            section.vector(thr.LOCATION),
            axes_xyz(angles(section, thr.ORIENTATION))[:, 0],
        )
        section.finish((thr.T_PROP, thr.J_VS_KT))
        found.append((command, thruster))
    return found


def axes_xyz(eul: Floats) -> Floats:
    """Return Rx Ry Rz (3, 3), Panisim's orientation of appendages."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(eul), np.sin(eul)
    Rx = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    Ry = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    Rz = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return np.asarray(Rx @ Ry @ Rz, np.float64)


def _refuse_ours(folder: Folder) -> None:
    """Reject keys that Panisim does not have, and the fit that it would write into the file."""
    hydrodynamics = folder["hydrodynamics"]
    for file, keys in FILES.items():
        if file in folder.files and file != "initial_conditions":  # without effect in its equations
            _refuse(folder[file], keys)
            for listed in keys:
                if listed.kind is Kind.LIST and not listed.ours:
                    for item in folder[file].sections(listed):
                        _refuse(item, listed.keys)
    if hydrodynamics.flag(hyd.CROSS_FLOW_DRAG):
        needs = "false, with the coefficients that Panisim writes into the file in its stead"
        hydrodynamics.wrong(hyd.CROSS_FLOW_DRAG, "true", needs, None)


def _refuse(section: Section, known: Sequence[Key]) -> None:
    for name in section.nodes:
        key = found(known, [name])
        its = key is not None and (not key.ours or key in MOVE_NOTHING)
        coefficient = "_" in name and known is FILES["hydrodynamics"]
        if not its and not coefficient:
            section.wrong(name, section.text(name), NOT_ITS, None)
