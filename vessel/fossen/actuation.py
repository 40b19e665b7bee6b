"""Compiled actuators of a coefficient-form vessel: what commands do, and the forces they make.

Each command has one state, in the command's own unit (rad, rad/s, 1): a *channel* says how the
state follows the command. An *effector* turns one channel (an azimuth thruster two) into a wrench
about CO; its parameters start at ``layout.P``, in the order given with each function.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

from steerageway.vessel.fossen.dynamics import ACTUATORS, Floats
from steerageway.vessel.fossen.fins import fin_force
from steerageway.vessel.fossen.hull import immersed, may_emerge
from steerageway.vessel.fossen.layout import (
    B_SERIES,
    CHANNEL,
    CHANNEL_1,
    CHANNEL_2,
    CLIP,
    CLIP_AFTER,
    CLIP_BEFORE,
    CLIP_COMMAND,
    COEFFICIENTS,
    CONVERTER,
    DIRECT,
    DRIVE,
    EFFECTOR,
    FIN,
    FOIL,
    FOLLOWER,
    FOUR_QUADRANTS,
    HIGH,
    KIND,
    LAG,
    LOW,
    MODE,
    QUADRATIC_FIN,
    RAMP,
    RATE,
    ROTOR,
    TAU,
    THRUSTER,
    TIME_CONSTANT,
    TWO_LINES,
    WET,
    P,
    Parameters,
    X,
    Y,
    Z,
)
from steerageway.vessel.fossen.rotors import converted, rotor_rate
from steerageway.vessel.fossen.strips import interpolated
from steerageway.world.compiled import compiled, part

STALL_BLEND = 10.0 * pi / 180.0  # beyond its table a foil becomes a flat plate over this angle


@part
def rates(channels: Floats, count: int, x: Floats, command: Floats, dx: Floats) -> None:
    """Write the rates of the actuator states: first order, limited in rate.

    A command beyond the limits is followed to the limit; a peer's is not, and its state clipped.
    """
    for i in range(count):
        k, row = ACTUATORS + i, i * CHANNEL
        dx[k] = 0.0
        if channels[row + MODE] == LAG:
            wanted = command[i]
            if channels[row + CLIP] == CLIP_COMMAND:
                wanted = min(max(wanted, channels[row + LOW]), channels[row + HIGH])
            rate = (wanted - x[k]) / channels[row + TIME_CONSTANT]
            dx[k] = min(max(rate, -channels[row + RATE]), channels[row + RATE])
        elif channels[row + MODE] == ROTOR:
            wanted = min(max(command[i], channels[row + LOW]), channels[row + HIGH])
            dx[k] = rotor_rate(channels, row, x[k], wanted)


@compiled
def before(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Move, before a step, what follows at once or at a constant rate; a peer clips states here."""
    channels = p.channels
    for i in range(command.size):
        k = ACTUATORS + i
        if channels[i, MODE] == DIRECT:
            x[k] = min(max(command[i], channels[i, LOW]), channels[i, HIGH])
        elif channels[i, MODE] == RAMP:
            reach = channels[i, RATE] * dt
            moved = x[k] + min(max(command[i] - x[k], -reach), reach)
            x[k] = min(max(moved, channels[i, LOW]), channels[i, HIGH])
        elif channels[i, MODE] == FOLLOWER:
            wanted = min(max(command[i], channels[i, LOW]), channels[i, HIGH])
            x[k] = channels[i, DRIVE] * wanted
        elif channels[i, CLIP] == CLIP_BEFORE:
            x[k] = min(max(x[k], channels[i, LOW]), channels[i, HIGH])


@compiled
def after(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Clip, after a step, the states that a peer clips there."""
    channels = p.channels
    for i in range(command.size):
        if channels[i, CLIP] == CLIP_AFTER:
            k = ACTUATORS + i
            x[k] = min(max(x[k], channels[i, LOW]), channels[i, HIGH])


@part
def value(channels: Floats, x: Floats, command: Floats, index: float) -> float:
    """Give what a channel really does: within its limits; a direct one does as commanded."""
    i = int(index)
    row = i * CHANNEL
    if channels[row + MODE] == ROTOR:
        return float(x[ACTUATORS + i])
    if channels[row + MODE] == FOLLOWER:
        wanted = min(max(command[i], channels[row + LOW]), channels[row + HIGH])
        return float(channels[row + DRIVE] * wanted)
    wanted = command[i] if channels[row + MODE] == DIRECT else x[ACTUATORS + i]
    return float(min(max(wanted, channels[row + LOW]), channels[row + HIGH]))


@part
def forces(
    density: float,
    channels: Floats,
    E: Floats,
    first: int,
    end: int,
    tables: Floats,
    x: Floats,
    command: Floats,
    nu_r: Floats,
    tau: Floats,
) -> None:
    """Add the wrench of the control surfaces and thrusters from one to before another."""
    for i in range(first, end):
        e = i * EFFECTOR
        by = value(channels, x, command, E[e + CHANNEL_1])
        if E[e + KIND] == COEFFICIENTS:
            surface(E, e, by, nu_r, tau)
        elif E[e + KIND] == FIN:
            fin(density, E, e, by, nu_r, tau)
        elif E[e + KIND] == FOIL:
            foil(density, E, tables, e, by, nu_r, tau)
        elif E[e + KIND] == TWO_LINES or E[e + KIND] == QUADRATIC_FIN:
            u, v, w = at_its_place(E, e, nu_r)
            X_f, Y_f, Z_f = fin_force(E, e, E[e + KIND] == TWO_LINES, by, u, v, w)
            add_force(E, e, X_f, Y_f, Z_f, tau)
        else:
            turned = 0.0
            if E[e + CHANNEL_2] >= 0.0:
                turned = value(channels, x, command, E[e + CHANNEL_2])
            ahead, across = axis(E, e, turned)
            if E[e + KIND] == THRUSTER:
                thrust = polynomial(E, e, by)
            elif E[e + KIND] == FOUR_QUADRANTS:
                thrust = four_quadrants(density, E, tables, e, by, ahead, across, nu_r, tau)
            elif E[e + KIND] == CONVERTER:
                thrust = converted(E, tables, e, by)
            elif E[e + KIND] == B_SERIES:
                thrust = b_series(density, E, e, by, ahead, across, nu_r, tau)
            else:
                thrust = propeller(density, E, tables, e, by, ahead, across, x, nu_r, tau)
            if E[e + WET] > 0.0 and may_emerge(x, E[e + X], E[e + Y], E[e + Z], E[e + WET]):
                thrust *= immersed(depth_of(E, e, x), E[e + WET])
            add_force(E, e, thrust * ahead, thrust * across, thrust * E[e + P + 2], tau)


@part
def depth_of(E: Floats, e: int, x: Floats) -> float:
    """Give how deep an effector lies [m]."""
    below = sin(x[3]) * E[e + Y] + cos(x[3]) * E[e + Z]
    return float(x[2] - sin(x[4]) * E[e + X] + cos(x[4]) * below)


@part
def surface(E: Floats, e: int, delta: float, nu_r: Floats, tau: Floats) -> None:
    """Add a surface known by coefficients: six of force per radian, then 1 if per speed squared."""
    scale = delta
    if E[e + P + 6] != 0.0:
        scale *= nu_r[0] ** 2 + nu_r[1] ** 2 + nu_r[2] ** 2
    for k in range(6):
        tau[TAU + k] += E[e + P + k] * scale


@part
def fin(density: float, E: Floats, e: int, delta: float, nu_r: Floats, tau: Floats) -> None:
    """Add a small fin that spans along (0, c, s): area, CL and CD per radian (squared), c, s.

    The flow counts in the plane normal to the span, without the turning of the hull.
    Source: Fossen (2021), section 9.7, as in the REMUS 100 of MSS.
    """
    area, cl, cd, c, s = E[e + P], E[e + P + 1], E[e + P + 2], E[e + P + 3], E[e + P + 4]
    plane2 = nu_r[0] ** 2 + (nu_r[1] * s) ** 2 + (nu_r[2] * c) ** 2
    pressure = 0.5 * density * plane2 * area
    force = pressure * cl * delta
    add_force(E, e, -pressure * cd * delta * delta, s * force, -c * force, tau)


@part
def foil(
    density: float, E: Floats, tables: Floats, e: int, delta: float, nu_r: Floats, tau: Floats
) -> None:
    """Add a foil in the local flow: area, its table's first row and length, R (9, rows).

    R turns its frame (x chord ahead, y span, z) into BODY; delta turns it about its span. The
    table holds angle of attack [rad], CL, CD; beyond its ends a flat plate takes over.
    """
    u, v, w = at_its_place(E, e, nu_r)
    k = e + P + 3  # where R begins
    along = E[k] * u + E[k + 3] * v + E[k + 6] * w
    normal = E[k + 2] * u + E[k + 5] * v + E[k + 8] * w
    flow = atan2(normal, along)
    cl, cd = section(E, tables, e, flow + delta)
    pressure = 0.5 * density * E[e + P] * (along**2 + normal**2)
    ahead = pressure * (cl * sin(flow) - cd * cos(flow))
    down = -pressure * (cl * cos(flow) + cd * sin(flow))
    add_force(
        E,
        e,
        E[k] * ahead + E[k + 2] * down,
        E[k + 3] * ahead + E[k + 5] * down,
        E[k + 6] * ahead + E[k + 8] * down,
        tau,
    )


@part
def at_its_place(E: Floats, e: int, nu_r: Floats) -> tuple[float, float, float]:
    """Give an effector's velocity through the water, the turning of the hull included."""
    u = nu_r[0] + nu_r[4] * E[e + Z] - nu_r[5] * E[e + Y]
    v = nu_r[1] + nu_r[5] * E[e + X] - nu_r[3] * E[e + Z]
    w = nu_r[2] + nu_r[3] * E[e + Y] - nu_r[4] * E[e + X]
    return u, v, w


@part
def section(E: Floats, tables: Floats, e: int, alpha: float) -> tuple[float, float]:
    """Give a foil's CL and CD at an angle of attack: its table's, and beyond it a flat plate's."""
    alpha = atan2(sin(alpha), cos(alpha))
    first, rows = int(E[e + P + 1]), int(E[e + P + 2])
    cl = interpolated(tables, first, rows, alpha, 1)
    cd = interpolated(tables, first, rows, alpha, 2)
    beyond = max(alpha - tables[3 * (first + rows - 1)], tables[3 * first] - alpha)
    if beyond > 0.0:
        share = min(beyond / STALL_BLEND, 1.0)
        cl += share * (sin(2.0 * alpha) - cl)
        cd += share * (2.0 * sin(alpha) ** 2 - cd)
    return cl, cd


@part
def polynomial(E: Floats, e: int, n: float) -> float:
    """Give thrust c1 n + c2 n|n| + c3 n^3; the second set of three is for n <= 0."""
    k = P + 3 if n > 0.0 else P + 6
    return float(E[e + k] * n + E[e + k + 1] * n * abs(n) + E[e + k + 2] * n * n * n)


@part
def propeller(
    density: float,
    E: Floats,
    tables: Floats,
    e: int,
    omega: float,
    ahead: float,
    across: float,
    x: Floats,
    nu_r: Floats,
    tau: Floats,
) -> float:
    """Give a propeller's thrust, its torque added to ``tau``; n = omega / 2 pi.

    It advances along its axis (ahead, across, the third is its row's) at its own place: one that
    is turned about meets another flow, and of two on a turning hull the inner one is slower.

    Parameters, after its axis: diameter, (1 - t), (1 - w), KT at J = 0, KT's slope, KQ's two
    times a factor, 1 if the speed of advance is the whole speed over ground (a peer's), table's
    first row and length (none: the straight line). Astern, and in a flow from behind, KT and KQ are
    those at J = 0.
    Source: Fossen (2021), equations 9.7 and 9.8.
    """
    n, diameter = omega / (2.0 * pi), E[e + P + 3]
    D4 = diameter * diameter * diameter * diameter
    if E[e + P + 10] != 0.0:
        speed = sqrt(x[6] ** 2 + x[7] ** 2 + x[8] ** 2)
    else:
        u, v, w = at_its_place(E, e, nu_r)
        speed = u * ahead + v * across + w * E[e + P + 2]
    advance = E[e + P + 5] * speed / diameter
    rows = int(E[e + P + 12])
    if n <= 0.0 or advance < 0.0:
        advance = 0.0
    thrust = E[e + P + 6] * n * abs(n) + E[e + P + 7] * advance * abs(n)
    if rows > 0:
        first = int(E[e + P + 11])
        J = advance / n if n > 0.0 else 0.0
        thrust = interpolated(tables, first, rows, J, 1) * n * abs(n)
    torque = E[e + P + 8] * n * abs(n) + E[e + P + 9] * advance * abs(n)
    moment = density * D4 * diameter * torque
    add_torque(E, e, moment, ahead, across, tau)
    return float(E[e + P + 4] * density * D4 * thrust)


@part
def add_torque(E: Floats, e: int, moment: float, ahead: float, across: float, tau: Floats) -> None:
    """Add a propeller's torque about its axis, as the hull feels it."""
    tau[TAU + 3] += moment * ahead
    tau[TAU + 4] += moment * across
    tau[TAU + 5] += moment * E[e + P + 2]


@part
def b_series(
    density: float,
    E: Floats,
    e: int,
    omega: float,
    ahead: float,
    across: float,
    nu_r: Floats,
    tau: Floats,
) -> float:
    """Give the thrust of a Wageningen B propeller, its torque added to ``tau``.

    Parameters, after its axis: diameter, (1 - t), (1 - w), the share of the torque that the hull
    feels, J where K_T ends, then K_T's and K_Q's coefficients of J^0 to J^3. Beyond that J both go
    on along their tangents; astern, and in a flow from behind, they are those at J = 0.
    """
    n, diameter = omega / (2.0 * pi), E[e + P + 3]
    u, v, w = at_its_place(E, e, nu_r)
    advance = E[e + P + 5] * (u * ahead + v * across + w * E[e + P + 2]) / diameter
    if n <= 0.0 or advance < 0.0:
        advance = 0.0
    J = min(advance / n, E[e + P + 7]) if n > 0.0 else 0.0
    beyond = advance - J * n
    square, k = n * abs(n), e + P + 8
    K_T = E[k] + J * (E[k + 1] + J * (E[k + 2] + J * E[k + 3]))
    K_Q = E[k + 4] + J * (E[k + 5] + J * (E[k + 6] + J * E[k + 7]))
    thrust, torque = K_T * square, K_Q * square
    if beyond > 0.0:
        thrust += (E[k + 1] + J * (2.0 * E[k + 2] + J * 3.0 * E[k + 3])) * beyond * n
        torque += (E[k + 5] + J * (2.0 * E[k + 6] + J * 3.0 * E[k + 7])) * beyond * n
    D4 = diameter * diameter * diameter * diameter
    moment = E[e + P + 6] * density * D4 * diameter * torque
    add_torque(E, e, moment, ahead, across, tau)
    return float(E[e + P + 4] * density * D4 * thrust)


@part
def four_quadrants(
    density: float,
    E: Floats,
    tables: Floats,
    e: int,
    omega: float,
    ahead: float,
    across: float,
    nu_r: Floats,
    tau: Floats,
) -> float:
    """Give a propeller's thrust in any flow, its torque added to ``tau``; see ``quadrants``.

    Parameters, after its axis: diameter, (1 - t), (1 - w), by which the water is slower while it
    goes ahead, the share of the torque that the hull feels, first row and rows of the table, and
    how many harmonics of C_T* that holds, then as many of C_Q*; 0: it is beta, C_T*, C_Q*.
    """
    diameter = E[e + P + 3]
    u, v, w = at_its_place(E, e, nu_r)
    advance = u * ahead + v * across + w * E[e + P + 2]
    if advance > 0.0:
        advance *= E[e + P + 5]
    tip = 0.35 * omega * diameter
    square = advance * advance + tip * tip
    if square == 0.0:
        return 0.0
    first, count = int(E[e + P + 7]), int(E[e + P + 9])
    thrust = torque = 0.0
    if count == 0:
        beta = atan2(advance, tip)
        thrust = interpolated(tables, first, int(E[e + P + 8]), beta, 1)
        torque = interpolated(tables, first, int(E[e + P + 8]), beta, 2)
    else:
        speed = sqrt(square)
        c, s = tip / speed, advance / speed
        c_k, s_k = 1.0, 0.0  # of k beta
        for k in range(count):
            a, b = 3 * (first + k), 3 * (first + count + k)
            thrust += tables[a] * c_k + tables[a + 1] * s_k
            torque += tables[b] * c_k + tables[b + 1] * s_k
            c_k, s_k = c_k * c - s_k * s, s_k * c + c_k * s
    pressure = 0.125 * pi * density * square * diameter * diameter
    moment = E[e + P + 6] * pressure * diameter * torque
    add_torque(E, e, moment, ahead, across, tau)
    return float(E[e + P + 4] * pressure * thrust)


@part
def axis(E: Floats, e: int, azimuth: float) -> tuple[float, float]:
    """Give a thruster's axis along x and y, turned about z by its azimuth, positive to +y."""
    ahead, across = E[e + P], E[e + P + 1]
    if azimuth != 0.0:
        c, s = cos(azimuth), sin(azimuth)
        ahead, across = c * ahead - s * across, s * ahead + c * across
    return ahead, across


@part
def add_force(E: Floats, e: int, fx: float, fy: float, fz: float, tau: Floats) -> None:
    """Add a force at the effector's place: itself and its moment about CO."""
    tau[TAU + 0] += fx
    tau[TAU + 1] += fy
    tau[TAU + 2] += fz
    tau[TAU + 3] += E[e + Y] * fz - E[e + Z] * fy
    tau[TAU + 4] += E[e + Z] * fx - E[e + X] * fz
    tau[TAU + 5] += E[e + X] * fy - E[e + Y] * fx
