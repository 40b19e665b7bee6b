"""Coefficient-form vessel in waves: the equation of ``coefficient`` with wave loads.

(M_RB + M_A) nu_dot_r + C nu_r + D(nu_rw) nu_rw = tau + sea, where nu_rw is the velocity through the
water including the orbital velocity over the hull, see ``mesh.orbital``, and used for damping. Fins
and propellers use the orbital velocity at their own positions. The wave loads are

- for a hull with a mesh (or voxels): pressure over the wetted surface, instead of G eta, and
    weight at CG; and M_A times the orbital acceleration, for diffraction;
- or, by tables, force RAOs of every component at the vessel's position. They are of the total
    excitation, which contains what the orbital motion does to the hull: nu_rw is then nu_r;
- radiation damping -B nu_rw - B_q |nu_rw| nu_rw, proportional to the immersed fraction of the hull;
- mean or slowly varying drift.

Source: Fossen (2021), sections 10.2 and 10.3; Faltinsen (1990), Sea Loads, chapters 3 and 5.
"""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

import numpy as np

from steerageway.vessel import rigid_body
from steerageway.vessel.fossen import actuation, hull, sails, steps, strips
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.layout import ADDED, TAU
from steerageway.vessel.fossen.layout import Parameters as HullParameters
from steerageway.vessel.fossen.state import CURRENT_N, PHI, PSI, THETA, TIME, X_, Y_, Z_
from steerageway.vessel.mesh import cut, drag, loads, voxels
from steerageway.world import kinematics as sea
from steerageway.world import nodes as sea_nodes
from steerageway.world.arrays import Floats, Whole
from steerageway.world.compiled import compiled, part, pointer, record

moment = part(rigid_body.moment)

# scalars of the wave loads
OWN = at.fields(
    whole=(
        "form",  # hydrostatics: by coefficients, mesh or voxels
        "model",  # pressure model, index in ``loads.MODELS``
        "exact",  # 1: evaluate each component at each point
        "uncut",  # 1: triangles or voxels are either wet or dry as a whole
        "relative",  # 1: damping by the velocity through the water in its orbital motion
        "diffraction",  # 1: M_A times the orbital acceleration
        "newman",  # 1: drift by a table varies slowly; 0: mean only
    ),
    real=(
        *("weight", "g_x", "g_y", "g_z"),  # [N], and the centre of gravity [m]
        "rest_volume",  # [m³]
        "drift",  # ½ rho g L of the mean force of reflected waves [N/m²]; 0: none
        "reflection",  # 2 T of R² = 1 - exp(-2kT); negative: -R² itself
        "edge",  # edge length of voxels [m]
    ),
)
COEFFICIENTS, MESH, VOXELS = 0, 1, 2

# flat indices of radiation damping's rows: linear, quadratic
LINEAR, QUADRATIC = 0, 6


class Scratch(NamedTuple):
    """Work arrays of the loads; they carry no state.

    Attributes:
        work: work array of the mesh.
        motion: (MOTION,) wave motion at the vessel.
        R: (3, 3) from BODY to NED.
        vectors: (4, 3) position, point, velocity and angular rates.
        wrench: (6,) of the sea, in BODY.
        dragged: (6,) drag of the wet triangles, in BODY.
        orbital: (6,) velocity and acceleration of the water's motion over the hull, in BODY.
        turning: (6,) its angular velocity and acceleration likewise.
        level: (12,) velocities and accelerations of that motion, in NED.
        flow: (3,) orbital velocity at an effector, in BODY.
    """

    work: loads.Work
    motion: Floats
    R: Floats
    vectors: Floats
    wrench: Floats
    dragged: Floats
    orbital: Floats
    turning: Floats
    level: Floats
    flow: Floats


class Parameters(NamedTuple):
    """Parameters of a vessel in waves.

    Attributes:
        hull: parameters of the coefficient form.
        own: () of OWN.
        damping: (2, 6) radiation damping, linear and quadratic, about CO.
        kerner: (drag.COEFFICIENTS,) of the wet triangles' drag.
        vertices: (n, 3) of the mesh, or voxel centres [m].
        triangles: (m, 3) indices of vertices.
        rows, water: components and scalars of the sea, see ``world.kinematics``.
        orbits: (components, headings, 12) motion of the water over the hull in each component,
            at headings over a full turn, see ``mesh.orbital``.
        table: (components, headings, 12) force RAO likewise, at each component's frequency: real
            and imaginary parts [N/m, N m/m]; or (0, 0, 12).
        drift_table: (components, headings, 6) mean drift force likewise [N/m², N m/m²]; or
            (0, 0, 6).
        scratch: work arrays, overwritten.
    """

    hull: HullParameters
    own: at.Record
    damping: Floats
    kerner: Floats
    vertices: Floats
    triangles: Whole
    rows: Floats
    water: Floats
    orbits: Floats
    table: Floats
    drift_table: Floats
    scratch: Scratch


def scratch(vertices: int, components: int) -> Scratch:
    """Return the work arrays for a mesh and a sea."""
    return Scratch(
        loads.Work.of(vertices, components),
        np.zeros(sea.MOTION),
        np.zeros((3, 3)),
        np.zeros((4, 3)),
        np.zeros(6),
        np.zeros(6),
        np.zeros(6),
        np.zeros(6),
        np.zeros(12),
        np.zeros(3),
    )


@part
def rotation(x: Floats, R: Floats) -> None:
    """Write R (3, 3) from BODY to NED. Source: Fossen (2021), equation 2.31."""
    # not world.rotation.matrix: its products are in another order, with other last digits, and
    # results are reproduced bit for bit
    cphi, sphi, cth, sth = cos(x[PHI]), sin(x[PHI]), cos(x[THETA]), sin(x[THETA])
    cpsi, spsi = cos(x[PSI]), sin(x[PSI])
    R[0, 0], R[0, 1], R[0, 2] = (
        cpsi * cth,
        cpsi * sth * sphi - spsi * cphi,
        spsi * sphi + cpsi * cphi * sth,
    )
    R[1, 0], R[1, 1], R[1, 2] = (
        spsi * cth,
        cpsi * cphi + sphi * sth * spsi,
        sth * spsi * cphi - cpsi * sphi,
    )
    R[2, 0], R[2, 1], R[2, 2] = -sth, cth * sphi, cth * cphi


@part
def to_body(R: Floats, vector: Floats, first: int, out: Floats, place: int) -> None:
    """Rotate an NED vector at index ``first`` to BODY, and write it at index ``place``."""
    for i in range(3):
        out[place + i] = (
            R[0, i] * vector[first] + R[1, i] * vector[first + 1] + R[2, i] * vector[first + 2]
        )


@compiled
def evaluate_waves(p: Parameters, x: Floats, surroundings: Floats) -> None:
    """Compute the orbital motion and the wrench of pressure, weight, tables and drift."""
    s, own = p.scratch, record(pointer(p.own), 0)
    t = surroundings[TIME]
    rotation(x, s.R)
    for i in range(6):
        s.wrench[i] = s.orbital[i] = s.turning[i] = 0.0
    for i in range(3):
        s.vectors[0, i] = x[i]
    if p.rows.shape[0]:
        components(p.rows, p.water, p.orbits, p.table, s, x[PSI], t)
        if own.drift > 0.0:
            drift(p.rows, p.water, own.drift, own.reflection, s, x[PSI], t)
        if p.drift_table.shape[0]:
            tabulated_drift(p.rows, p.water, p.drift_table, own.newman == 1, s, x[PSI], t)
    if own.form == MESH:
        add_pressure(p, x, surroundings)
    elif own.form == VOXELS:
        add_buoyancy(p, x, t)


@compiled
def add_pressure(p: Parameters, x: Floats, surroundings: Floats) -> None:
    """Add the wrench of pressure and drag on the mesh, and of weight."""
    s, own, t = p.scratch, record(pointer(p.own), 0), surroundings[TIME]
    rows = p.rows[:0] if p.table.shape[0] else p.rows  # tables already include the wave part
    exact, whole, place = own.exact == 1, own.uncut == 1, s.vectors[0]
    loads.integrate(
        rows, p.water, p.vertices, p.triangles, s.R, place, t, own.model, s.work, whole, exact
    )
    add_pressed(p)
    if p.kerner[drag.FRICTION] > 0.0:
        add_drag(p, x, surroundings)


@compiled
def add_pressed(p: Parameters) -> None:
    """Add the wrench of pressure, in BODY, and of weight."""
    own, R, wrench = record(pointer(p.own), 0), pointer(p.scratch.R), pointer(p.scratch.wrench)
    pressed = pointer(p.scratch.work.pressed)
    for i in range(3):
        fx, fy, fz = R[i], R[3 + i], R[6 + i]
        wrench[i] += (
            fx * pressed[cut.FORCE] + fy * pressed[cut.FORCE + 1] + fz * pressed[cut.FORCE + 2]
        )
        wrench[3 + i] += (
            fx * pressed[cut.MOMENT] + fy * pressed[cut.MOMENT + 1] + fz * pressed[cut.MOMENT + 2]
        )
    X, Y, Z = own.weight * R[6], own.weight * R[7], own.weight * R[8]
    wrench[0] += X
    wrench[1] += Y
    wrench[2] += Z
    K, M, N = moment(own.g_x, own.g_y, own.g_z, X, Y, Z)
    wrench[3] += K
    wrench[4] += M
    wrench[5] += N


@compiled
def add_drag(p: Parameters, x: Floats, surroundings: Floats) -> None:
    """Add the drag of the wet triangles, with the velocity through current and orbital motion."""
    s, R = p.scratch, p.scratch.R
    velocity, rates, share = s.vectors[2], s.vectors[3], float(record(pointer(p.own), 0).relative)
    for i in range(3):
        velocity[i], rates[i] = -surroundings[CURRENT_N + i], 0.0
        for j in range(3):
            velocity[i] += R[i, j] * (x[6 + j] - share * s.orbital[j])
            rates[i] += R[i, j] * x[9 + j]
    corners = s.work.corners.reshape(9 * cut.CORNER)
    density = p.water[sea.DENSITY]
    drag.dragged(
        s.work.nodes,
        s.work.state[0],
        p.triangles,
        velocity,
        rates,
        x[Z_],
        density,
        p.kerner,
        corners,
        s.dragged,
    )
    for i in range(3):
        for j in range(3):
            s.wrench[i] += R[j, i] * s.dragged[j]
            s.wrench[3 + i] += R[j, i] * s.dragged[3 + j]


@compiled
def add_buoyancy(p: Parameters, x: Floats, t: float) -> None:
    """Add the wrench of the voxels' buoyancy, and of weight."""
    s, work, own = p.scratch, p.scratch.work, record(pointer(p.own), 0)
    cut.turned(p.vertices, s.R, x[Z_], work.nodes)
    sea_nodes.at_nodes(
        p.rows,
        p.water,
        t,
        s.vectors[0],
        work.nodes,
        work.waves,
        sea_nodes.HYDROSTATIC,
        work.field,
    )
    weight = p.water[sea.DENSITY] * p.water[sea.GRAVITY]
    voxels.buoyed(work.nodes, work.field[0], own.edge, weight, work.pressed, own.uncut == 1)
    loads.about_co(x[Z_], work.pressed)
    add_pressed(p)


@part
def around_heading(rows: Floats, i: int, heading: float, headings: int) -> tuple[int, int, float]:
    """Return the headings of a table on both sides of a wave component, and the share between.

    Args:
        rows, i: components of the sea, and which one.
        heading: of the vessel [rad].
        headings: number of the table's headings, equally spaced over a turn from the bow.
    """
    turn = 2.0 * np.pi
    beta = np.arctan2(rows[i, sea.EAST], rows[i, sea.NORTH])
    at = ((beta - heading) % turn) / turn * headings
    low = int(at) % headings
    return low, (low + 1) % headings, at - int(at)


@part
def swung(rows: Floats, water: Floats, place: Floats, t: float, i: int) -> tuple[float, float]:
    """Return the amplitude of a component [m] times the cosine and the sine of its phase there."""
    north, east = rows[i, sea.NORTH], rows[i, sea.EAST]
    phase = rows[i, sea.FREQUENCY] * t - north * place[X_] - east * place[Y_]
    a = sea.amplitude(rows, i, t, water[sea.RAMP])
    return a * cos(phase + rows[i, sea.PHASE]), a * sin(phase + rows[i, sea.PHASE])


@compiled
def components(
    rows: Floats, water: Floats, orbits: Floats, table: Floats, s: Scratch, psi: float, t: float
) -> None:
    """Compute the water's motion over the hull, the sum of all components', and turn it to BODY.

    Add the force RAOs, if any, at the vessel's position. Both are interpolated in heading.
    """
    level, headings, tables = s.level, orbits.shape[1], table.shape[0] > 0
    for k in range(12):
        level[k] = 0.0
    for i in range(rows.shape[0]):
        low, high, share = around_heading(rows, i, psi, headings)
        c, q = swung(rows, water, s.vectors[0], t, i)
        w = rows[i, sea.FREQUENCY]
        for k in range(6):
            here, there = orbits[i, low, k], orbits[i, high, k]
            real = here + share * (there - here)
            here, there = orbits[i, low, 6 + k], orbits[i, high, 6 + k]
            imaginary = here + share * (there - here)
            level[k] += real * c - imaginary * q
            level[6 + k] -= w * (real * q + imaginary * c)
        if tables:
            for k in range(6):
                here, there = table[i, low, k], table[i, high, k]
                real = here + share * (there - here)
                here, there = table[i, low, 6 + k], table[i, high, 6 + k]
                s.wrench[k] += real * c - (here + share * (there - here)) * q
    cpsi, spsi = cos(psi), sin(psi)
    for k in range(0, 12, 3):
        ahead, across = level[k], level[k + 1]
        level[k], level[k + 1] = cpsi * ahead - spsi * across, spsi * ahead + cpsi * across
    for k in range(2):
        to_body(s.R, level, 6 * k, s.orbital, 3 * k)
        to_body(s.R, level, 6 * k + 3, s.turning, 3 * k)


@compiled
def drift(
    rows: Floats, water: Floats, share: float, reflection: float, s: Scratch, psi: float, t: float
) -> None:
    """Add the mean transverse force of reflected waves: ½ rho g L a² R² sin|sin|.

    Source: Faltinsen (1990), section 5.3, Maruo's formula with the reflection of a wall of the
    hull's draught.
    """
    cpsi, spsi = cos(psi), sin(psi)
    for i in range(rows.shape[0]):
        k = rows[i, sea.NUMBER]
        across = (cpsi * rows[i, sea.EAST] - spsi * rows[i, sea.NORTH]) / k
        reflected = -reflection
        if reflected <= 0.0:
            reflected = 1.0 - np.exp(-k * reflection)
        a = sea.amplitude(rows, i, t, water[sea.RAMP])
        s.wrench[1] += share * a * a * reflected * across * abs(across)


@compiled
def tabulated_drift(
    rows: Floats, water: Floats, table: Floats, slow: bool, s: Scratch, psi: float, t: float
) -> None:
    """Add drift by a table: the mean, sum of a² D, or a force that varies slowly about it.

    Newman's product of sqrt|D_i| and sqrt|D_j| without the sum frequencies, which Newman's square
    of a series leaves to a filter: |sum of a sqrt|D| e^{i phase}|², for each sign of D.

    Source: Newman (1974), Second-order slowly varying forces on vessels in irregular waves;
    Faltinsen (1990), Sea Loads, equation 5.45.
    """
    place, headings = s.vectors[0], table.shape[1]
    for k in range(6):
        mean = more_c = more_s = less_c = less_s = 0.0
        for i in range(rows.shape[0]):
            low, high, share = around_heading(rows, i, psi, headings)
            here, there = table[i, low, k], table[i, high, k]
            D = here + share * (there - here)
            a = sea.amplitude(rows, i, t, water[sea.RAMP])
            if not slow:
                mean += a * a * D
                continue
            way = rows[i, sea.NORTH] * place[X_] + rows[i, sea.EAST] * place[Y_]
            phase = rows[i, sea.FREQUENCY] * t - way + rows[i, sea.PHASE]
            wave = a * abs(D) ** 0.5
            if D > 0.0:
                more_c += wave * cos(phase)
                more_s += wave * sin(phase)
            else:
                less_c += wave * cos(phase)
                less_s += wave * sin(phase)
        s.wrench[k] += mean + more_c**2 + more_s**2 - less_c**2 - less_s**2


@part
def radiation(p: Parameters, x: Floats, d: Floats) -> None:
    """Add radiation damping and added mass times the orbital acceleration."""
    own, m, damping = record(pointer(p.own), 0), pointer(p.hull.matrices), pointer(p.damping)
    orbital, turning = pointer(p.scratch.orbital), pointer(p.scratch.turning)
    share = 1.0
    if own.form != COEFFICIENTS:
        share = min(1.0, pointer(p.scratch.work.pressed)[cut.VOLUME] / own.rest_volume)
    for i in range(6):
        d[TAU + i] -= share * (
            damping[LINEAR + i] * d[i] + damping[QUADRATIC + i] * abs(d[i]) * d[i]
        )
    if own.diffraction == 1:
        for i in range(6):
            force = 0.0
            for j in range(3):
                force += m[at.cell(ADDED, i, j)] * orbital[3 + j]
                force += m[at.cell(ADDED, i, 3 + j)] * turning[3 + j]
            d[TAU + i] += share * force
        if record(pointer(p.hull.scalars), 0).coriolis != 0:
            turned_momentum(p, x, d, share)


@part
def turned_momentum(p: Parameters, x: Floats, d: Floats, share: float) -> None:
    """Add the effect of rotation on the added mass momentum due to the orbital velocity.

    ``hull.coriolis`` has that of the velocity through the current. With u orbital, A the added
    mass of translation and omega the hull's rates, -d/dt of A (v - u) in BODY gives omega x A u -
    A (omega x u); without them the waves would feed energy to a hull that rolls and heaves.
    """
    m, u = pointer(p.hull.matrices), pointer(p.scratch.orbital)
    momentum, across = pointer(p.scratch.vectors[2]), pointer(p.scratch.vectors[3])
    for i in range(3):
        a, b, c = at.cell(ADDED, i, 0), at.cell(ADDED, i, 1), at.cell(ADDED, i, 2)
        momentum[i] = m[a] * u[0] + m[b] * u[1] + m[c] * u[2]
        j, k = (i + 1) % 3, (i + 2) % 3
        across[i] = x[9 + j] * u[k] - x[9 + k] * u[j]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        force = x[9 + j] * momentum[k] - x[9 + k] * momentum[j]
        for n in range(3):
            force -= m[at.cell(ADDED, i, n)] * across[n]
        d[TAU + i] += share * force


@compiled
def flow_at(p: Parameters, x: Floats, t: float, i: int) -> None:
    """Write the orbital velocity, in BODY, at the position of an effector.

    A surface defined by coefficients has no position: the flow is that of the hull. For one above
    the water it is that of the surface.
    """
    s, E = p.scratch, p.hull.effectors[i]
    kind, point, R = E.kind, s.vectors[1], s.R
    if kind == at.COEFFICIENTS or kind == at.THRUSTER or kind == at.CONVERTER:
        for j in range(3):
            s.flow[j] = s.orbital[j]
        return
    r_x, r_y, r_z = E.x, E.y, E.z
    for j in range(3):
        point[j] = x[j] + R[j, 0] * r_x + R[j, 1] * r_y + R[j, 2] * r_z
    sea.motion(p.rows, p.water, point, t, True, s.motion)
    if point[2] < -s.motion[sea.ZETA]:
        point[2] = -s.motion[sea.ZETA]
        sea.motion(p.rows, p.water, point, t, True, s.motion)
    to_body(R, s.motion, sea.U_N, s.flow, 0)


@compiled
def derivative(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats) -> None:
    """Write dx/dt; the order of terms is that of ``coefficient.derivative``."""
    h = p.hull
    evaluate_waves(p, x, surroundings)
    relative = record(pointer(p.own), 0).relative == 1
    orbital, wrench, flow = (
        pointer(p.scratch.orbital),
        pointer(p.scratch.wrench),
        pointer(p.scratch.flow),
    )
    s, m, terms, values = (
        record(pointer(h.scalars), 0),
        pointer(h.matrices),
        pointer(h.terms),
        pointer(h.values),
    )
    channels, effectors, tables = pointer(h.channels), pointer(h.effectors), pointer(h.tables)
    xs, u, d, around = pointer(x), pointer(command), pointer(dx), pointer(surroundings)
    for i in range(6):
        d[TAU + i] = wrench[i]
    d[TAU] += s.push
    hull.relative_velocity(s, xs, around, d)
    hull.coriolis(s, m, d, d)
    if relative:
        for i in range(3):
            d[i] -= orbital[i]
    hull.damping(s, terms, values, len(h.values), xs, d, d)
    hull.resistance(s, tables, d, d)
    hull.lift(s, d, d)
    strips.cross_flow(s, tables, d, d)
    radiation(p, x, d)
    hull.restoring(s, m, xs, d)
    hull.wind(s, xs, around, d)
    count = len(h.effectors)
    sails.forces(s, channels, effectors, count, tables, xs, u, around, d)
    if relative:
        for i in range(3):
            d[i] += orbital[i]
    if p.rows.shape[0]:
        for i in range(count):
            flow_at(p, x, surroundings[TIME], i)
            for j in range(3):
                d[j] -= flow[j]
            actuation.forces(s.density, channels, effectors, i, i + 1, tables, xs, u, d, d)
            for j in range(3):
                d[j] += flow[j]
    else:
        actuation.forces(s.density, channels, effectors, 0, count, tables, xs, u, d, d)
    hull.accelerate(s, m, xs, d, d)
    actuation.rates(channels, len(command), xs, u, d)
    hull.pose_rates(s, m, xs, d)


@compiled
def before(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Update the actuators before a step."""
    actuation.before(p.hull, x, command, surroundings, dt)


@compiled
def after(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Update the actuators after a step."""
    actuation.after(p.hull, x, command, surroundings, dt)


@compiled
def smooth(p: Parameters, x: Floats, command: Floats) -> float:
    """Return the time to the next kink of the actuators' rates [s]."""
    return float(actuation.smooth(p.hull, x, command))


SUMS = (
    *(components, drift, tabulated_drift, sea.motion, sea_nodes.at_nodes, loads.at_vertices),
    *(cut.turned, cut.pressed, cut.pressed_exactly, drag.dragged, voxels.buoyed),
)
"""Loops over components, vertices or triangles: first steps compile these alone, see ``plain``."""

IN_WAVES = steps.of(derivative, before, after, smooth=smooth)
