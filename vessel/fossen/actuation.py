"""Compiled actuators of a coefficient-form vessel: actuator dynamics, and their forces.

Each command has one state, in the command's own unit (rad, rad/s, 1). A *channel* defines how the
state follows the command. An *effector* turns one channel (an azimuth thruster two) into a wrench
about CO. ``layout`` defines the fields of their records.

Rotors, thrust conversion and the fins ``TWO_LINES`` and ``QUADRATIC_FIN`` are those of the UUV
Simulator; their formulas are in ``vessel.actuators``.
"""

from __future__ import annotations

from math import atan2, cos, inf, pi, sin, sqrt

from steerageway.vessel import bounds, propulsion, rigid_body
from steerageway.vessel.actuators import conversion, fins, rotors
from steerageway.vessel.fossen.hull import immersed, may_emerge, squared
from steerageway.vessel.fossen.layout import (
    B_SERIES,
    CLIP_AFTER,
    CLIP_BEFORE,
    CLIP_COMMAND,
    COEFFICIENTS,
    CONVERTER,
    DIRECT,
    FIN,
    FOIL,
    FOLLOWER,
    FOUR_QUADRANTS,
    LAG,
    QUADRATIC_FIN,
    RAMP,
    ROTOR,
    SAIL,
    TAU,
    THRUSTER,
    TWO_LINES,
    Parameters,
    Record,
    Records,
    entry,
)
from steerageway.vessel.fossen.state import ACTUATORS, PHI, THETA, U_, V_, W_, Z_
from steerageway.vessel.fossen.strips import interpolated
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part, record
from steerageway.world.formula import chosen

measured_advance = part(propulsion.measured_advance)
by_line = part(propulsion.by_line)
by_cubic = part(propulsion.by_cubic)
thrust_of = part(propulsion.thrust_of)
torque_of = part(propulsion.torque_of)
moment = part(rigid_body.moment)
within = part(bounds.within)
rotor_rate = part(rotors.rotor_rate)
signed_square_thrust = part(conversion.signed_square_thrust)
folded = part(fins.folded)
two_lines = part(fins.two_lines)
along_flow = part(fins.along_flow)

REACHED = 1e-12  # of positions, and of the way in a second: closer, a command is reached
STALL_BLEND = 10.0 * pi / 180.0  # transition of a foil to a flat plate beyond its table [rad]


@part
def rates(channels: Records, count: int, x: Floats, command: Floats, dx: Floats) -> None:
    """Write the rates of the actuator states: first-order lag with rate limit.

    A command is limited to the actuator's range; with a reference program's clipping the command is
    not limited, but the state is clipped.
    """
    for i in range(count):
        k, channel = ACTUATORS + i, record(channels, i)
        dx[k] = 0.0
        if channel.mode == LAG:
            wanted = command[i]
            if channel.clip == CLIP_COMMAND:
                wanted = within(wanted, channel.low, channel.high)
            rate = (wanted - x[k]) / channel.time_constant
            dx[k] = within(rate, -channel.rate, channel.rate)
        elif channel.mode == RAMP and channel.clip != CLIP_BEFORE:
            way, close = way_to(channel, x[k], command[i])
            # half: the end of a part that ``smooth`` makes has a rate
            rate = chosen(way > 0.0, channel.rate, -channel.rate)
            dx[k] = chosen(abs(way) > 0.5 * close, rate, 0.0)
        elif channel.mode == ROTOR:
            wanted = within(command[i], channel.low, channel.high)
            drive, linear, quadratic = channel.drive, channel.drag_linear, channel.drag_quadratic
            dx[k] = rotor_rate(drive, linear, quadratic, x[k], wanted)


@part
def way_to(channel: Record, state: float, command: float) -> tuple[float, float]:
    """Return how far a channel is from its command, and the distance that counts as none."""
    wanted = within(command, channel.low, channel.high)
    return wanted - state, REACHED * (abs(wanted) + abs(state) + channel.rate)


@compiled
def smooth(p: Parameters, x: Floats, command: Floats) -> float:
    """Return the time until an actuator reaches its command, or no longer its rate limit [s]."""
    least = inf
    for i in range(command.size):
        channel = p.channels[i]
        ramp = channel.mode == RAMP and channel.clip != CLIP_BEFORE
        lags = channel.mode == LAG and channel.clip == CLIP_COMMAND and channel.rate < inf
        if not ramp and not lags:
            continue
        way, close = way_to(channel, x[ACTUATORS + i], command[i])
        rest = close if ramp else channel.rate * channel.time_constant
        if abs(way) > rest + close:
            least = min(least, (abs(way) - rest) / channel.rate)
    return least


@compiled
def before(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Before a step, update states without lag; move and clip as some references do."""
    # not by ``rates``: a jump has none; TurtleBoat moves first, and by its rate over whole steps
    for i in range(command.size):
        k, channel = ACTUATORS + i, p.channels[i]
        if channel.mode == DIRECT:
            x[k] = within(command[i], channel.low, channel.high)
        elif channel.mode == RAMP:
            way, close = way_to(channel, x[k], command[i])
            if channel.clip == CLIP_BEFORE:
                x[k] += within(way, -channel.rate * dt, channel.rate * dt)
            elif abs(way) <= 2.0 * close:
                x[k] += way
        elif channel.mode == FOLLOWER:
            wanted = within(command[i], channel.low, channel.high)
            x[k] = channel.drive * wanted
        elif channel.clip == CLIP_BEFORE:
            x[k] = within(x[k], channel.low, channel.high)


@compiled
def after(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Clip states after a step, as some reference programs do."""
    for i in range(command.size):
        channel = p.channels[i]
        if channel.clip == CLIP_AFTER:
            k = ACTUATORS + i
            x[k] = within(x[k], channel.low, channel.high)


@part
def value(channels: Records, x: Floats, command: Floats, i: int) -> float:
    """Return the actual value of a channel, within its limits; without lag it is the command."""
    channel = record(channels, i)
    if channel.mode == ROTOR:
        turning: float = x[ACTUATORS + i]
        return turning
    if channel.mode == FOLLOWER:
        followed: float = channel.drive * within(command[i], channel.low, channel.high)
        return followed
    # limited also with lag: a state may start outside, or leave its range within a step where only
    # the ends of steps are clipped
    wanted = command[i] if channel.mode == DIRECT else x[ACTUATORS + i]
    return within(wanted, channel.low, channel.high)


@part
def forces(
    density: float,
    channels: Records,
    effectors: Records,
    first: int,
    end: int,
    tables: Floats,
    x: Floats,
    command: Floats,
    nu_r: Floats,
    tau: Floats,
) -> None:
    """Add the wrench of the effectors (control surfaces and thrusters) ``first`` to ``end`` - 1."""
    # one loop over kinds instead of one for each kind: the order of the sum is that of the files
    for i in range(first, end):
        E = record(effectors, i)
        if E.kind == SAIL:  # in the air, see ``sails``
            continue
        by = value(channels, x, command, E.channel) if E.channel >= 0 else 0.0
        if E.kind == COEFFICIENTS:
            surface(E, by, nu_r, tau)
        elif E.kind == FIN:
            fin(density, E, by, nu_r, tau)
        elif E.kind == FOIL:
            foil(density, E, tables, by, nu_r, tau)
        elif E.kind == TWO_LINES or E.kind == QUADRATIC_FIN:
            u, v, w = at_its_place(E, nu_r)
            X_f, Y_f, Z_f = fin_force(E, E.kind == TWO_LINES, by, u, v, w)
            add_force(E, X_f, Y_f, Z_f, tau)
        else:
            turned = 0.0
            if E.azimuth >= 0:
                turned = value(channels, x, command, E.azimuth)
            ahead, across = axis(E, turned)
            if E.kind == THRUSTER:
                thrust = polynomial(E, by)
            elif E.kind == FOUR_QUADRANTS:
                thrust = four_quadrants(density, E, tables, by, ahead, across, nu_r, tau)
            elif E.kind == CONVERTER:
                thrust = converted(E, tables, by)
            elif E.kind == B_SERIES:
                thrust = b_series(density, E, by, ahead, across, nu_r, tau)
            else:
                thrust = propeller(density, E, tables, by, ahead, across, x, nu_r, tau)
            if E.height > 0.0 and may_emerge(x, E.x, E.y, E.z, E.height):
                thrust *= immersed(depth_of(E, x), E.height)
            add_force(E, thrust * ahead, thrust * across, thrust * E.down, tau)


@part
def depth_of(E: Record, x: Floats) -> float:
    """Return the depth of an effector below the surface [m]."""
    below = sin(x[PHI]) * E.y + cos(x[PHI]) * E.z
    return float(x[Z_] - sin(x[THETA]) * E.x + cos(x[THETA]) * below)


@part
def surface(E: Record, delta: float, nu_r: Floats, tau: Floats) -> None:
    """Add a control surface by its derivatives: force per radian, or also per speed squared."""
    scale = delta
    if E.by_speed != 0:
        scale *= squared(nu_r)
    tau[TAU + 0] += E.X_delta * scale
    tau[TAU + 1] += E.Y_delta * scale
    tau[TAU + 2] += E.Z_delta * scale
    tau[TAU + 3] += E.K_delta * scale
    tau[TAU + 4] += E.M_delta * scale
    tau[TAU + 5] += E.N_delta * scale


@part
def fin(density: float, E: Record, delta: float, nu_r: Floats, tau: Floats) -> None:
    """Add a small fin with span along (0, c, s); C_L is linear in the angle, C_D quadratic.

    The flow is that in the plane normal to the span, without the hull's rotation.
    Source: Fossen (2021), section 9.7, as in the REMUS 100 of MSS.
    """
    c, s = E.span_y, E.span_z
    u, v, w = nu_r[0], nu_r[1] * s, nu_r[2] * c
    plane2 = u * u + v * v + w * w
    pressure = 0.5 * density * plane2 * E.area
    force = pressure * E.CL_delta * delta
    add_force(E, -pressure * E.CD_delta * delta * delta, s * force, -c * force, tau)


@part
def foil(
    density: float, E: Record, tables: Floats, delta: float, nu_r: Floats, tau: Floats
) -> None:
    """Add a foil in the local flow; delta rotates it about its span.

    Its table contains angle of attack [rad], CL, CD; beyond its ends the foil becomes a flat plate.
    """
    u, v, w = at_its_place(E, nu_r)
    along = E.chord_x * u + E.chord_y * v + E.chord_z * w
    normal = E.normal_x * u + E.normal_y * v + E.normal_z * w
    flow = atan2(normal, along)
    cl, cd = section(E, tables, flow + delta)
    pressure = 0.5 * density * E.area * (along * along + normal * normal)
    ahead = pressure * (cl * sin(flow) - cd * cos(flow))
    down = -pressure * (cl * cos(flow) + cd * sin(flow))
    add_force(
        E,
        E.chord_x * ahead + E.normal_x * down,
        E.chord_y * ahead + E.normal_y * down,
        E.chord_z * ahead + E.normal_z * down,
        tau,
    )


@part
def at_its_place(E: Record, nu_r: Floats) -> tuple[float, float, float]:
    """Return an effector's velocity through the water, including the hull's rotation."""
    u = nu_r[0] + nu_r[4] * E.z - nu_r[5] * E.y
    v = nu_r[1] + nu_r[5] * E.x - nu_r[3] * E.z
    w = nu_r[2] + nu_r[3] * E.y - nu_r[4] * E.x
    return u, v, w


@part
def section(E: Record, tables: Floats, alpha: float) -> tuple[float, float]:
    """Return a foil's CL and CD at an angle of attack, beyond its table those of a flat plate."""
    # wrapped: the angle of the flow and that of the foil may add up to more than half a turn
    alpha = atan2(sin(alpha), cos(alpha))
    first, rows = E.first_row, E.rows
    cl = interpolated(tables, first, rows, alpha, 1)
    cd = interpolated(tables, first, rows, alpha, 2)
    beyond = max(alpha - tables[entry(first + rows - 1, 0)], tables[entry(first, 0)] - alpha)
    if beyond > 0.0:
        share = min(beyond / STALL_BLEND, 1.0)
        cl += share * (sin(2.0 * alpha) - cl)
        cd += share * (2.0 * (sin(alpha) * sin(alpha)) - cd)
    return cl, cd


@part
def polynomial(E: Record, n: float) -> float:
    """Return thrust c1 n + c2 n|n| + c3 n^3, with separate coefficients ahead and astern."""
    ahead = n > 0.0
    linear = chosen(ahead, E.c1_ahead, E.c1_astern)
    square = chosen(ahead, E.c2_ahead, E.c2_astern)
    thrust: float = (
        linear * n + square * n * abs(n) + chosen(ahead, E.c3_ahead, E.c3_astern) * n * n * n
    )
    return thrust


@part
def propeller(
    density: float,
    E: Record,
    tables: Floats,
    omega: float,
    ahead: float,
    across: float,
    x: Floats,
    nu_r: Floats,
    tau: Floats,
) -> float:
    """Return a propeller's thrust and add its torque to ``tau``; n = omega / 2 pi.

    It advances along its axis (ahead, across, E.down) at its own position: an azimuth thruster
    sees the inflow of its angle, and of two on a turning hull the inner one is slower.

    KT(J) is taken from a table, or without one is linear, as KQ(J); see ``vessel.propulsion``.
    """
    n, D = omega / (2.0 * pi), E.diameter
    if E.over_ground != 0:
        speed = sqrt(x[U_] * x[U_] + x[V_] * x[V_] + x[W_] * x[W_])
    else:
        u, v, w = at_its_place(E, nu_r)
        speed = u * ahead + v * across + w * E.down
    # by over_ground the advance is never negative, and K_T astern that at rest, as in references
    advance = measured_advance(n, inflow(E, speed), D)
    if E.rows > 0:
        J = advance / n if n != 0.0 else 0.0
        K_T_square = interpolated(tables, E.first_row, E.rows, J, 1) * n * abs(n)
    else:
        K_T_square = by_line(n, advance, E.KT_0, E.KT_slope)
    K_Q_square = by_line(n, advance, E.KQ_0, E.KQ_slope)
    add_torque(E, torque_of(density, D, K_Q_square), ahead, across, tau)
    return float(thrust_of(E.deduction_factor * density, D, K_T_square))


@part
def inflow(E: Record, speed: float) -> float:
    """Return a propeller's speed of advance; the wake reduces it while the hull moves ahead."""
    return float(E.wake_factor * speed if speed > 0.0 else speed)


@part
def add_torque(E: Record, moment: float, ahead: float, across: float, tau: Floats) -> None:
    """Add the torque that a propeller exerts on the hull, about its axis."""
    tau[TAU + 3] += moment * ahead
    tau[TAU + 4] += moment * across
    tau[TAU + 5] += moment * E.down


@part
def b_series(
    density: float,
    E: Record,
    omega: float,
    ahead: float,
    across: float,
    nu_r: Floats,
    tau: Floats,
) -> float:
    """Return the thrust of a Wageningen B propeller and add its torque to ``tau``.

    Beyond the J where K_T becomes 0 both curves continue along tangents; see ``vessel.propulsion``.
    """
    n, D = omega / (2.0 * pi), E.diameter
    u, v, w = at_its_place(E, nu_r)
    advance = measured_advance(n, inflow(E, u * ahead + v * across + w * E.down), D)
    K_T_square = by_cubic(n, advance, E.J_end, E.K_T0, E.K_T1, E.K_T2, E.K_T3)
    K_Q_square = by_cubic(n, advance, E.J_end, E.K_Q0, E.K_Q1, E.K_Q2, E.K_Q3)
    add_torque(E, torque_of(E.torque_factor * density, D, K_Q_square), ahead, across, tau)
    return float(thrust_of(E.deduction_factor * density, D, K_T_square))


@part
def four_quadrants(
    density: float,
    E: Record,
    tables: Floats,
    omega: float,
    ahead: float,
    across: float,
    nu_r: Floats,
    tau: Floats,
) -> float:
    """Return a propeller's thrust in any flow and add its torque to ``tau``; see ``quadrants``.

    The wake reduces the inflow while it moves ahead. The table contains the harmonics of C_T*, then
    as many of C_Q*; without harmonics its columns are beta, C_T*, C_Q*.
    """
    diameter = E.diameter
    u, v, w = at_its_place(E, nu_r)
    advance = inflow(E, u * ahead + v * across + w * E.down)
    tip = 0.35 * omega * diameter
    square = advance * advance + tip * tip
    if square == 0.0:  # no flow: the angle is undefined, and all forces are zero
        return 0.0
    first, count = E.first_row, E.harmonics
    thrust = torque = 0.0
    if count == 0:
        beta = atan2(advance, tip)
        thrust = interpolated(tables, first, E.rows, beta, 1)
        torque = interpolated(tables, first, E.rows, beta, 2)
    else:
        speed = sqrt(square)
        c, s = tip / speed, advance / speed
        c_k, s_k = 1.0, 0.0  # cos and sin of k beta, by recurrence
        for k in range(count):
            a, b = first + k, first + count + k
            thrust += tables[entry(a, 0)] * c_k + tables[entry(a, 1)] * s_k
            torque += tables[entry(b, 0)] * c_k + tables[entry(b, 1)] * s_k
            c_k, s_k = c_k * c - s_k * s, s_k * c + c_k * s
    pressure = 0.125 * pi * density * square * diameter * diameter
    moment = E.torque_factor * pressure * diameter * torque
    add_torque(E, moment, ahead, across, tau)
    return float(E.deduction_factor * pressure * thrust)


@part
def converted(E: Record, tables: Floats, omega: float) -> float:
    """Return the thrust for a rotor's speed: efficiency, conversion, efficiency, limits."""
    turning = E.propeller_efficiency * omega
    if E.rows > 0:
        thrust = interpolated(tables, E.first_row, E.rows, turning, 1)
    else:
        thrust = signed_square_thrust(turning, E.left, E.right, E.delta_left, E.delta_right)
    thrust *= E.thrust_efficiency
    return float(within(thrust, E.thrust_min, E.thrust_max))


@part
def fin_force(
    E: Record, by_lines: bool, delta: float, u: float, v: float, w: float
) -> tuple[float, float, float]:
    """Return the force in BODY of a fin rotated by delta about its span, in the local flow."""
    along = E.chord_x * u + E.chord_y * v + E.chord_z * w
    across = E.normal_x * u + E.normal_y * v + E.normal_z * w
    c, s = cos(delta), sin(delta)
    v_x, v_y = c * along + s * across, c * across - s * along
    angle = folded(atan2(v_y, v_x))
    if by_lines:
        alpha, as_coded = folded(angle + E.a0), E.as_coded != 0
        lift, drag = two_lines(alpha, E.stall, E.cla, E.cla_stall, E.cda, E.cda_stall, as_coded)
        lift *= E.half_density_area
        drag *= E.half_density_area
    else:
        lift, drag = E.lift_constant * angle, E.drag_constant * angle * angle
    speed = sqrt(v_x * v_x + v_y * v_y)
    F_x, F_y = along_flow(lift, drag, speed, v_x, v_y)
    ahead, normal = c * F_x - s * F_y, s * F_x + c * F_y
    return (
        E.chord_x * ahead + E.normal_x * normal,
        E.chord_y * ahead + E.normal_y * normal,
        E.chord_z * ahead + E.normal_z * normal,
    )


@part
def axis(E: Record, azimuth: float) -> tuple[float, float]:
    """Return a thruster's axis (x, y), rotated about z by its azimuth, positive to +y."""
    ahead, across = E.ahead, E.across
    if azimuth != 0.0:  # fixed thrusters need no trigonometric functions
        c, s = cos(azimuth), sin(azimuth)
        ahead, across = c * ahead - s * across, s * ahead + c * across
    return ahead, across


@part
def add_force(E: Record, fx: float, fy: float, fz: float, tau: Floats) -> None:
    """Add a force at the effector's position, and its moment about CO."""
    tau[TAU + 0] += fx
    tau[TAU + 1] += fy
    tau[TAU + 2] += fz
    K, M, N = moment(E.x, E.y, E.z, fx, fy, fz)
    tau[TAU + 3] += K
    tau[TAU + 4] += M
    tau[TAU + 5] += N
