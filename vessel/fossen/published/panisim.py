"""Panisim's own equations, to repeat its runs: ``peer_compat: panisim`` of a folder in its layout.

    nu_dot = M^-1 (tau_damping + tau_surfaces + tau_thrusters - g(eta) - C(nu) nu)

What is different from Fossen's equations, and so from a vessel of the coefficient form:

- M is M_RB alone where any entry of M_A is more than twice M_RB's, as beside every zero of it;
- without ``coriolis_flag`` there is no C, without ``dim_flag`` coefficients are prime;
- a prime coefficient takes L for each p, q, r but its first factor, and U, the main file's, for
  each factor that is no absolute value; factors are what underscores part: ``N_uv`` has none;
- ``deltad_max`` is in radians a second, and so is ``delta_max`` where it bounds a command; the
  force of a surface is that of ``delta_max`` degrees at most;
- ``maintain_speed`` puts u - U for u into all damping;
- a held degree of freedom has no velocity, and the full M is inverted for the others;
- a foil's force is along its own axes, and none beyond 15 degrees but a drag of 0.1; a place turned
  with p meets v + p z; orientations are Rx Ry Rz; places are from BODY's origin, whatever CO is;
- thrust is K_T0 (1 - J) of any J, with the speed that the step began with; a shaft follows within
  1 s, whatever ``T_prop``, and no stop bounds it.

Source: Panisim's class_vessel.py and calculate_hydrodynamics.py (MAV Lab, IIT Madras). A current,
which it does not know, is felt as by a vessel of the coefficient form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import atan2, inf, pi, radians
from typing import Any, NamedTuple

import numpy as np

from steerageway.vessel import restoring, rigid_body
from steerageway.vessel.fossen import hydra, steps
from steerageway.vessel.fossen.assembly import assembled, world
from steerageway.vessel.fossen.attitude import eta_rates
from steerageway.vessel.fossen.build_actuators import RPM, read_table
from steerageway.vessel.fossen.dynamics import ACTUATORS, Channel, Dynamics, Floats
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
from steerageway.vessel.fossen.terms import AXES, VELOCITIES
from steerageway.vessel.kinematics import Smat
from steerageway.world.compiled import compiled, part
from steerageway.world.declared import Key, Kind, found
from steerageway.world.document import Section

weight_less_buoyancy = part(restoring.weight_less_buoyancy)
turning_wrench = part(rigid_body.turning_wrench)
moment = part(rigid_body.moment)
TOO_MUCH = 2.0  # times an entry of M_RB: M_A with more is dropped
STALL = 15.0  # a foil's, and what it drags beyond [deg]
STALLED_DRAG = 0.1
SHAFT_LAG = 1.0  # [s]
RTOL, ATOL = 1e-3, 1e-6  # of SciPy's solve_ivp where they are not given
TURNING = 1e-6  # n D below which J is 0 [m/s]
NOT_ITS = "a key of Panisim's: peer_compat panisim repeats no vessel with others"
MOVE_NOTHING = {  # ours, which change no run of its equations
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
    """A vessel's figures as Panisim computes them.

    Attributes:
        M_inv: (6, 6) rows of held degrees of freedom are zero.
        M_C: (6, 6) of which C is made; zero without it.
        free: (6,) 1 or 0.
        speed: U that ``maintain_speed`` takes from u [m/s].
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
    """Write the rate of change of eta, nu, surfaces, shafts, and of what each thruster met."""
    s = parameters
    nu, tau = np.empty(6), np.zeros(6)
    u_c, v_c, w_c = water.current_in_body(x, surroundings)
    for i in range(6):
        nu[i] = x[6 + i] * s.free[i]
    nu[0] -= u_c
    nu[1] -= v_c
    nu[2] -= w_c
    damp(s, nu, tau)
    weigh(s, x, tau)
    turn(s, nu, tau)
    steer(s, x, nu, tau)
    push(s, x, tau)
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
        wanted = min(max(command[i], -drive.bound), drive.bound)
        rate = (wanted - x[ACTUATORS + i]) / drive.lag
        dx[ACTUATORS + i] = min(max(rate, -drive.rate_max), drive.rate_max)
    for i in range(s.thrusters.shape[0]):
        dx[ACTUATORS + s.drives.shape[0] + i] = 0.0


@compiled
def damp(s: Panisim, nu: Floats, tau: Floats) -> None:
    """Add every coefficient times its factors."""
    for i in range(s.values.size):
        force = s.values[i]
        for k in range(6):
            velocity = nu[k] - s.speed if k == 0 else nu[k]
            force *= velocity ** s.terms[i, 1 + k] * abs(velocity) ** s.terms[i, 7 + k]
        tau[s.terms[i, 0]] += force


@compiled
def weigh(s: Panisim, x: Floats, tau: Floats) -> None:
    """Take away g(eta) of a submerged body. Source: Fossen (2021), equation 4.6."""
    attitude = np.cos(x[3]), np.sin(x[3]), np.cos(x[4]), np.sin(x[4])
    wrench = weight_less_buoyancy(s.excess, s.moment[0], s.moment[1], s.moment[2], *attitude)
    for i in range(6):
        tau[i] += wrench[i]


@compiled
def turn(s: Panisim, nu: Floats, tau: Floats) -> None:
    """Take away C(nu) nu. Source: Fossen (2011), equation 3.46."""
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
def steer(s: Panisim, x: Floats, nu: Floats, tau: Floats) -> None:
    """Add the surfaces' forces, by coefficients or by the foils' polar."""
    for i in range(s.surfaces.shape[0]):
        surface = s.surfaces[i]
        delta = x[ACTUATORS + surface.channel]
        delta = (delta + pi) % (2 * pi) - pi
        delta = min(max(delta, -surface.delta_max), surface.delta_max)
        for k in range(6):
            tau[k] += surface.force[k] * delta
        if surface.area == 0.0:
            continue
        u, v, w = met(nu, surface.place)
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
def met(nu: Floats, place: Floats) -> tuple[float, float, float]:
    """Give the velocity of a place, with Panisim's sign of p z, and without q z and r y."""
    x, y, z = place[0], place[1], place[2]
    return nu[0], nu[1] + nu[5] * x + nu[3] * z, nu[2] + nu[3] * y - nu[4] * x


@compiled
def add_force(place: Floats, fx: float, fy: float, fz: float, tau: Floats) -> None:
    """Add a force at a place."""
    x, y, z = place[0], place[1], place[2]
    tau[0] += fx
    tau[1] += fy
    tau[2] += fz
    K, M, N = moment(x, y, z, fx, fy, fz)
    tau[3] += K
    tau[4] += M
    tau[5] += N


@compiled
def push(s: Panisim, x: Floats, tau: Floats) -> None:
    """Add the thrusters' forces, each with the speed along its axis at the step's start."""
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
    """Note at the start of a step the speed along each thruster's axis."""
    s = parameters
    nu = x[6:12] * s.free
    u_c, v_c, w_c = water.current_in_body(x, surroundings)
    nu[0] -= u_c
    nu[1] -= v_c
    nu[2] -= w_c
    first = ACTUATORS + s.drives.shape[0]
    for i in range(s.thrusters.shape[0]):
        axis = s.thrusters[i].axis
        u, v, w = met(nu, s.thrusters[i].place)
        x[first + i] = u * axis[0] + v * axis[1] + w * axis[2]


@compiled
def tolerance(parameters: Panisim, i: int, size: float) -> float:
    """Give what Panisim lets its solver err: 1e-3 and 1e-6 in its own units, shafts in rpm."""
    shaft = i - ACTUATORS - parameters.surfaces.shape[0]
    if shaft >= parameters.thrusters.shape[0]:
        return 0.0
    return RTOL * size + (ATOL if shaft < 0 else ATOL * RPM)


MODEL = steps.of(derivative, before, tolerance=tolerance)


def build(folder: Folder) -> Dynamics:
    """Make the vessel of a folder in Panisim's own keys.

    Raises:
        InvalidValue: naming file, line, key, value and what would be right.
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
    """Give M and the matrix C is made of, (6, 6) each."""
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
        with hydrodynamics.going_on():
            M_A = hydra.as_panisim(folder.find(hydrodynamics, hyd.HYDRA_FILE))
    if (np.abs(M_A) > TOO_MUCH * np.abs(M_RB)).any():
        M_A = np.zeros((6, 6))
    M: Floats = M_RB + M_A
    return M, M * float(hydrodynamics.flag(hyd.CORIOLIS_FLAG, False))


def _position(folder: Folder, name: str) -> Floats:
    """Read a place as it stands, whatever CO is."""
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
    """Give the terms and their values; a density of 0: they are dimensional as they stand."""
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
        with top.going_on():
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
    """Give Rx Ry Rz (3, 3), Panisim's turning of what is fitted to a hull."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(eul), np.sin(eul)
    Rx = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    Ry = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    Rz = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return np.asarray(Rx @ Ry @ Rz, np.float64)


def _refuse_ours(folder: Folder) -> None:
    """Refuse keys that Panisim does not have, and the fit that it would write into the file."""
    hydrodynamics = folder["hydrodynamics"]
    for file, keys in FILES.items():
        if file in folder.files and file != "initial_conditions":  # nothing of which moves it
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
