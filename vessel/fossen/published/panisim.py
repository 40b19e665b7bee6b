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

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import atan2, inf, pi, radians
from typing import NamedTuple

import numpy as np

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
from steerageway.vessel.fossen.layout import Terms
from steerageway.vessel.fossen.published import water
from steerageway.vessel.fossen.terms import AXES, VELOCITIES
from steerageway.vessel.kinematics import Smat
from steerageway.world.compiled import compiled
from steerageway.world.declared import Key, Kind, found
from steerageway.world.document import Section

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


class Panisim(NamedTuple):
    """Parameters of a vessel as computed by Panisim.

    Attributes:
        M_inv: (6, 6) inverse of M; rows of held degrees of freedom are zero.
        M_C: (6, 6) matrix from which C is made; zero without C.
        free: (6,) 1 or 0.
        speed: U that ``maintain_speed`` subtracts from u [m/s].
        terms: (n, 13) axis, powers of nu and of its absolute values. values: (n,).
        weights: (5,) W - B, and r_G W - r_B B [N, N m]; the last is the density [kg/m³].
        surfaces: (k, 21) channel, maximum angle, six forces per radian, area (0: not a foil),
            position (3) and axes (9).
        polar: (t, 3) angle of attack [deg], C_L, C_D.
        thrusters: (m, 9) diameter, K_T0, 1 - t, position (3), axis (3).
        drives: (k + m, 3) command limit, lag, rate limit.
    """

    M_inv: Floats
    M_C: Floats
    free: Floats
    speed: float
    terms: Terms
    values: Floats
    weights: Floats
    surfaces: Floats
    polar: Floats
    thrusters: Floats
    drives: Floats


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
        bound, lag, most = s.drives[i, 0], s.drives[i, 1], s.drives[i, 2]
        wanted = min(max(command[i], -bound), bound)
        dx[ACTUATORS + i] = min(max((wanted - x[ACTUATORS + i]) / lag, -most), most)
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
    excess, a, b, c = s.weights[0], s.weights[1], s.weights[2], s.weights[3]
    cphi, sphi, cth, sth = np.cos(x[3]), np.sin(x[3]), np.cos(x[4]), np.sin(x[4])
    tau[0] -= excess * sth
    tau[1] += excess * cth * sphi
    tau[2] += excess * cth * cphi
    tau[3] += b * cth * cphi - c * cth * sphi
    tau[4] -= c * sth + a * cth * cphi
    tau[5] += a * cth * sphi + b * sth


@compiled
def add_coriolis(s: Panisim, nu: Floats, tau: Floats) -> None:
    """Subtract C(nu) nu. Source: Fossen (2011), equation 3.46."""
    a = np.zeros(6)
    for i in range(6):
        for j in range(6):
            a[i] += s.M_C[i, j] * nu[j]
    u, v, w, p, q, r = nu[0], nu[1], nu[2], nu[3], nu[4], nu[5]
    tau[0] += a[1] * r - a[2] * q
    tau[1] += a[2] * p - a[0] * r
    tau[2] += a[0] * q - a[1] * p
    tau[3] += a[1] * w - a[2] * v + a[4] * r - a[5] * q
    tau[4] += a[2] * u - a[0] * w + a[5] * p - a[3] * r
    tau[5] += a[0] * v - a[1] * u + a[3] * q - a[4] * p


@compiled
def add_surfaces(s: Panisim, x: Floats, nu: Floats, tau: Floats) -> None:
    """Add the surfaces' forces, by coefficients or by the foils' polar."""
    density = s.weights[4]
    for i in range(s.surfaces.shape[0]):
        row = s.surfaces[i]
        delta = x[ACTUATORS + int(row[0])]
        delta = (delta + pi) % (2 * pi) - pi
        delta = min(max(delta, -row[1]), row[1])
        for k in range(6):
            tau[k] += row[2 + k] * delta
        if row[8] == 0.0:
            continue
        u, v, w = velocity_at(nu, row[9], row[10], row[11])
        R = row[12:21]
        along = R[0] * u + R[3] * v + R[6] * w
        normal = R[2] * u + R[5] * v + R[8] * w
        alpha = np.degrees(atan2(normal, along) + delta)
        pressure = 0.5 * density * (along * along + normal * normal) * row[8]
        lift, drag = 0.0, STALLED_DRAG
        if abs(alpha) <= STALL:
            lift = np.interp(alpha, s.polar[:, 0], s.polar[:, 1])
            drag = np.interp(alpha, s.polar[:, 0], s.polar[:, 2])
        fx = -pressure * (drag * R[0] + lift * R[2])
        fy = -pressure * (drag * R[3] + lift * R[5])
        fz = -pressure * (drag * R[6] + lift * R[8])
        add_force(row[9], row[10], row[11], fx, fy, fz, tau)


@compiled
def velocity_at(nu: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the velocity of a position, with Panisim's sign of p z, and without q z and r y."""
    return nu[0], nu[1] + nu[5] * x + nu[3] * z, nu[2] + nu[3] * y - nu[4] * x


@compiled
def add_force(x: float, y: float, z: float, fx: float, fy: float, fz: float, tau: Floats) -> None:
    """Add a force at a position."""
    tau[0] += fx
    tau[1] += fy
    tau[2] += fz
    tau[3] += y * fz - z * fy
    tau[4] += z * fx - x * fz
    tau[5] += x * fy - y * fx


@compiled
def add_thrusters(s: Panisim, x: Floats, tau: Floats) -> None:
    """Add the thrusters' forces, each with the speed along its axis at the start of the step."""
    first = ACTUATORS + s.drives.shape[0] - s.thrusters.shape[0]
    density, count = s.weights[4], s.thrusters.shape[0]
    for i in range(count):
        row = s.thrusters[i]
        D, n = row[0], x[first + i] / (2 * pi)
        J = x[first + count + i] / (n * D) if abs(n * D) > TURNING else 0.0
        thrust = row[1] * (1 - J) * density * D**4 * abs(n) * n * row[2]
        fx, fy, fz = thrust * row[6], thrust * row[7], thrust * row[8]
        add_force(row[3], row[4], row[5], fx, fy, fz, tau)


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
        row = s.thrusters[i]
        u, v, w = velocity_at(nu, row[3], row[4], row[5])
        x[first + i] = u * row[6] + v * row[7] + w * row[8]


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
    parameters = Panisim(
        M_inv=np.ascontiguousarray(np.linalg.inv(M) * free[:, None]),
        M_C=M_C,
        free=free,
        speed=U if vessel.flag(ves.MAINTAIN_SPEED) else 0.0,
        terms=terms,
        values=values,
        weights=np.array([*_weights(folder, gravity), density]),
        surfaces=np.array([row for _, row, _ in surfaces]).reshape(-1, 21),
        polar=polar,
        thrusters=np.array([row for _, row in thrusters]).reshape(-1, 9),
        drives=np.array(
            [drive for _, _, drive in surfaces] + [(inf, SHAFT_LAG, inf) for _ in thrusters]
        ).reshape(-1, 3),
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
        with hydrodynamics.going_on():
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


def _weights(folder: Folder, gravity: float) -> Iterator[float]:
    inertia = folder["inertia"]
    W = inertia.positive(inr.MASS) * gravity
    B = inertia.positive(inr.BUOYANCY_MASS, W / gravity) * gravity
    yield W - B
    yield from W * _position(folder, geo.CG) - B * _position(folder, geo.CB)


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
) -> tuple[list[tuple[Channel, list[float], tuple[float, float, float]]], Floats]:
    """Read the control surfaces: command, row and drive of each; and the foils' polar."""
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
        row = np.zeros(21)
        row[0], row[1] = id_ - 1, radians(limit)
        place = section.vector(srf.LOCATION)
        axes = axes_xyz(angles(section, srf.ORIENTATION))
        area = section.number(srf.AREA)
        if srf.HYDRODYNAMICS in section:
            own = section.section(srf.HYDRODYNAMICS)
            for k, key in enumerate(srf.DELTA_FORCES):
                scale = 0.5 * density * length ** (2 + (k >= 3)) * U**2 if density else 1.0
                row[2 + k] = scale * own.number(key)
            own.finish()
        elif srf.NACA_FILE in top:
            row[8], row[9:12], row[12:] = area, place, axes.ravel()
        most = section.positive(srf.DELTAD_MAX)
        lag = section.positive(str(srf.T))
        command = Channel(f"cs_{id_:g}", "rad", -radians(limit), radians(limit))
        found.append((command, row.tolist(), (limit, lag, most)))
        section.finish()
    return found, polar


def _thrusters(folder: Folder) -> list[tuple[Channel, list[float]]]:
    found = []
    for i, section in enumerate(folder["thrusters"].sections(thr.THRUSTERS), 1):
        section.text(thr.THRUSTER_NAME)
        most = section.positive(thr.N_MAX) * RPM
        command = Channel(f"th_{section.text(thr.THRUSTER_ID, str(i))}", "rad/s", -most, most)
        row = [
            section.positive(thr.D_PROP),
            section.number(str(thr.KT_AT_J0)),
            1.0 - section.number(str(thr.TP), 0.0),
            *section.vector(thr.LOCATION),
            *axes_xyz(angles(section, thr.ORIENTATION))[:, 0],
        ]
        section.finish((thr.T_PROP, thr.J_VS_KT))
        found.append((command, [float(value) for value in row]))
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
