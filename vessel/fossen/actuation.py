"""Compiled actuators of a coefficient-form vessel: what commands do, and the forces they make.

Each command has one state, in the command's own unit (rad, rad/s, 1): a *channel* says how the
state follows the command. An *effector* turns one channel (an azimuth thruster two) into a wrench
about CO; its parameters start at ``layout.P``, in the order given with each function.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

from vessel.fossen.compiled import compiled
from vessel.fossen.dynamics import ACTUATORS, Floats
from vessel.fossen.layout import (
    CHANNEL_1,
    CHANNEL_2,
    CLIP,
    CLIP_AFTER,
    CLIP_BEFORE,
    CLIP_COMMAND,
    COEFFICIENTS,
    DENSITY,
    DIRECT,
    FIN,
    FOIL,
    HIGH,
    KIND,
    LAG,
    LOW,
    MODE,
    RAMP,
    RATE,
    THRUSTER,
    TIME_CONSTANT,
    P,
    Parameters,
    X,
    Y,
    Z,
)
from vessel.fossen.strips import interpolated

STALL_BLEND = 10.0 * pi / 180.0  # beyond its table a foil becomes a flat plate over this angle


@compiled
def rates(p: Parameters, x: Floats, command: Floats, dx: Floats) -> None:
    """Write the rates of the actuator states: first order, limited in rate.

    A command beyond the limits is followed to the limit; a peer's is not, and its state clipped.
    """
    for i in range(command.size):
        channel = p.channels[i]
        k = ACTUATORS + i
        dx[k] = 0.0
        if channel[MODE] == LAG:
            wanted = command[i]
            if channel[CLIP] == CLIP_COMMAND:
                wanted = min(max(wanted, channel[LOW]), channel[HIGH])
            rate = (wanted - x[k]) / channel[TIME_CONSTANT]
            dx[k] = min(max(rate, -channel[RATE]), channel[RATE])


@compiled
def before(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Move, before a step, what follows at once or at a constant rate; a peer clips states here."""
    for i in range(command.size):
        channel = p.channels[i]
        k = ACTUATORS + i
        if channel[MODE] == DIRECT:
            x[k] = min(max(command[i], channel[LOW]), channel[HIGH])
        elif channel[MODE] == RAMP:
            reach = channel[RATE] * dt
            moved = x[k] + min(max(command[i] - x[k], -reach), reach)
            x[k] = min(max(moved, channel[LOW]), channel[HIGH])
        elif channel[CLIP] == CLIP_BEFORE:
            x[k] = min(max(x[k], channel[LOW]), channel[HIGH])


@compiled
def after(p: Parameters, x: Floats, command: Floats, surroundings: Floats, dt: float) -> None:
    """Clip, after a step, the states that a peer clips there."""
    for i in range(command.size):
        channel = p.channels[i]
        if channel[CLIP] == CLIP_AFTER:
            k = ACTUATORS + i
            x[k] = min(max(x[k], channel[LOW]), channel[HIGH])


@compiled
def value(p: Parameters, x: Floats, command: Floats, index: float) -> float:
    """Give what a channel really does: within its limits; a direct one does as commanded."""
    i = int(index)
    channel = p.channels[i]
    wanted = command[i] if channel[MODE] == DIRECT else x[ACTUATORS + i]
    return float(min(max(wanted, channel[LOW]), channel[HIGH]))


@compiled
def forces(p: Parameters, x: Floats, command: Floats, nu_r: Floats, tau: Floats) -> None:
    """Add the wrench of every control surface and thruster."""
    for i in range(p.effectors.shape[0]):
        e = p.effectors[i]
        by = value(p, x, command, e[CHANNEL_1])
        if e[KIND] == COEFFICIENTS:
            surface(e, by, nu_r, tau)
        elif e[KIND] == FIN:
            fin(p, e, by, nu_r, tau)
        elif e[KIND] == FOIL:
            foil(p, e, by, nu_r, tau)
        else:
            azimuth = value(p, x, command, e[CHANNEL_2]) if e[CHANNEL_2] >= 0.0 else 0.0
            thrust = polynomial(e, by) if e[KIND] == THRUSTER else propeller(p, e, by, x, nu_r, tau)
            push(e, thrust, azimuth, tau)


@compiled
def surface(e: Floats, delta: float, nu_r: Floats, tau: Floats) -> None:
    """Add a surface known by coefficients: six of force per radian, then 1 if per speed squared."""
    scale = delta
    if e[P + 6] != 0.0:
        scale *= nu_r[0] ** 2 + nu_r[1] ** 2 + nu_r[2] ** 2
    for i in range(6):
        tau[i] += e[P + i] * scale


@compiled
def fin(p: Parameters, e: Floats, delta: float, nu_r: Floats, tau: Floats) -> None:
    """Add a small fin that spans along (0, c, s): area, CL and CD per radian (squared), c, s.

    The flow counts in the plane normal to the span, without the turning of the hull.
    Source: Fossen (2021), section 9.7, as in the REMUS 100 of MSS.
    """
    area, cl, cd, c, s = e[P], e[P + 1], e[P + 2], e[P + 3], e[P + 4]
    plane2 = nu_r[0] ** 2 + (nu_r[1] * s) ** 2 + (nu_r[2] * c) ** 2
    pressure = 0.5 * p.scalars[DENSITY] * plane2 * area
    force = pressure * cl * delta
    add_force(e, -pressure * cd * delta * delta, s * force, -c * force, tau)


@compiled
def foil(p: Parameters, e: Floats, delta: float, nu_r: Floats, tau: Floats) -> None:
    """Add a foil in the local flow: area, its table's first row and length, R (9, rows).

    R turns its frame (x chord ahead, y span, z) into BODY; delta turns it about its span. The
    table holds angle of attack [rad], CL, CD; beyond its ends a flat plate takes over.
    """
    r = e[X : Z + 1]
    u = nu_r[0] + nu_r[4] * r[2] - nu_r[5] * r[1]
    v = nu_r[1] + nu_r[5] * r[0] - nu_r[3] * r[2]
    w = nu_r[2] + nu_r[3] * r[1] - nu_r[4] * r[0]
    R = e[P + 3 : P + 12]
    along = R[0] * u + R[3] * v + R[6] * w
    normal = R[2] * u + R[5] * v + R[8] * w
    flow = atan2(normal, along)
    cl, cd = section(p, e, flow + delta)
    pressure = 0.5 * p.scalars[DENSITY] * e[P] * (along**2 + normal**2)
    ahead = pressure * (cl * sin(flow) - cd * cos(flow))
    down = -pressure * (cl * cos(flow) + cd * sin(flow))
    add_force(
        e,
        R[0] * ahead + R[2] * down,
        R[3] * ahead + R[5] * down,
        R[6] * ahead + R[8] * down,
        tau,
    )


@compiled
def section(p: Parameters, e: Floats, alpha: float) -> tuple[float, float]:
    """Give a foil's CL and CD at an angle of attack: its table's, and beyond it a flat plate's."""
    alpha = atan2(sin(alpha), cos(alpha))
    first, rows = int(e[P + 1]), int(e[P + 2])
    table = p.tables[first : first + rows]
    cl, cd = interpolated(table, alpha, 1), interpolated(table, alpha, 2)
    beyond = max(alpha - table[rows - 1, 0], table[0, 0] - alpha)
    if beyond > 0.0:
        share = min(beyond / STALL_BLEND, 1.0)
        cl += share * (sin(2.0 * alpha) - cl)
        cd += share * (2.0 * sin(alpha) ** 2 - cd)
    return cl, cd


@compiled
def polynomial(e: Floats, n: float) -> float:
    """Give thrust c1 n + c2 n|n| + c3 n^3; the second set of three is for n <= 0."""
    k = P + 3 if n > 0.0 else P + 6
    return float(e[k] * n + e[k + 1] * n * abs(n) + e[k + 2] * n**3)


@compiled
def propeller(
    p: Parameters, e: Floats, omega: float, x: Floats, nu_r: Floats, tau: Floats
) -> float:
    """Give a propeller's thrust, its torque added to ``tau``; n = omega / 2 pi.

    Parameters, after its axis: diameter, (1 - t), (1 - w), KT at J = 0, KT's slope, KQ's two
    times a factor, 1 if the speed of advance is the whole speed over ground (a peer's), table's
    first row and length (none: the straight line). Astern KT and KQ are those at J = 0.
    Source: Fossen (2021), equations 9.7 and 9.8.
    """
    n, diameter = omega / (2.0 * pi), e[P + 3]
    if e[P + 10] != 0.0:
        speed = sqrt(x[6] ** 2 + x[7] ** 2 + x[8] ** 2)
    else:
        speed = nu_r[0] * e[P] + nu_r[1] * e[P + 1] + nu_r[2] * e[P + 2]
    advance = e[P + 5] * speed / diameter
    rows = int(e[P + 12])
    if n <= 0.0:
        advance = 0.0
    thrust = e[P + 6] * n * abs(n) + e[P + 7] * advance * abs(n)
    if rows > 0:
        first = int(e[P + 11])
        J = advance / n if n > 0.0 else 0.0
        thrust = interpolated(p.tables[first : first + rows], J, 1) * n * abs(n)
    torque = e[P + 8] * n * abs(n) + e[P + 9] * advance * abs(n)
    density = p.scalars[DENSITY]
    for i in range(3):
        tau[3 + i] += density * diameter**5 * torque * e[P + i]
    return float(e[P + 4] * density * diameter**4 * thrust)


@compiled
def push(e: Floats, thrust: float, azimuth: float, tau: Floats) -> None:
    """Add a thrust along the effector's axis, turned about z by ``azimuth``, positive to +y."""
    c, s = cos(azimuth), sin(azimuth)
    ahead, across = c * e[P] - s * e[P + 1], s * e[P] + c * e[P + 1]
    add_force(e, thrust * ahead, thrust * across, thrust * e[P + 2], tau)


@compiled
def add_force(e: Floats, fx: float, fy: float, fz: float, tau: Floats) -> None:
    """Add a force at the effector's place: itself and its moment about CO."""
    tau[0] += fx
    tau[1] += fy
    tau[2] += fz
    tau[3] += e[Y] * fz - e[Z] * fy
    tau[4] += e[Z] * fx - e[X] * fz
    tau[5] += e[X] * fy - e[Y] * fx
