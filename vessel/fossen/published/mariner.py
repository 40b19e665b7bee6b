"""Mariner class cargo ship: third-order perturbation model about the service speed.

Forces are a Taylor series in the perturbed surge speed, sway speed, yaw rate and rudder angle,
all prime by the service speed U0; the centripetal terms are included in X_rv, Y_r and N_r.
Y_0 and N_0 are the effect of its single screw: it turns with the rudder amidships.
There is no propulsion model: it is valid near the service speed, to which the ship returns from
any other. Astern, where the series is invalid, the rudder and the linear damping have no effect.

Why U0: the series has Y_vu = Y_v, Y_ru = Y_r, Y_ud = 2 Y_d, Y_uud = Y_d, Y_0u = 2 Y_0, Y_0uu = Y_0,
and the same in N. With forces over U0² these say that damping is in proportion to u v and u r, and
the rudder's force to u². MSS takes the forces over the instantaneous U², too, and so counts the
loss of speed twice (``peer_quirks``): damping is then in proportion to 2 u - U0, the rudder's force
to its square, and the tactical diameter at full rudder is 6.4 lengths instead of 4.8.

Source: Chislett and Strøm-Tejsen (1965), Planar Motion Mechanism Tests and Full-Scale Steering
and Manoeuvring Predictions for a Mariner Class Vessel, Hy-5; the values as in MSS ``mariner.m``.
"""

from __future__ import annotations

from math import hypot

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import COMMANDS, Parameters
from steerageway.vessel.fossen.state import R_, U_, V_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, pointer, record

LEAST = 0.25  # minimum reference speed over U0, if it is the instantaneous one


SCALARS = at.fields(
    whole=("peer_quirks",),  # prime by the instantaneous speed, as in MSS
    real=(*pub.MARINER, "L"),  # prime coefficients; length [m]
)


@compiled
def derivative(
    parameters: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu and the rudder angle, positive to starboard."""
    p = record(pointer(parameters.scalars), 0)
    u_c, v_c, _ = water.begin(x, surroundings, dx, True)
    U = max(hypot(x[U_] - u_c, x[V_] - v_c), LEAST * p.U0) if p.peer_quirks else p.U0
    u, v, r = (x[U_] - u_c - p.U0) / U, (x[V_] - v_c) / U, x[R_] * p.L / U
    # in the series the rudder is positive to port
    d = -actuators.position(parameters.actuators, x, command, 0)
    X = (
        (p.X_u + (p.X_uu + p.X_uuu * u) * u) * u
        + p.X_vv * v * v
        + p.X_rr * r * r
        + p.X_rv * r * v
        + (p.X_dd + p.X_udd * u) * d * d
        + (p.X_vd + p.X_uvd * u) * v * d
    )
    if not p.peer_quirks:
        u = max(u, -1.0)
    Y = (
        (p.Y_v + p.Y_vu * u) * v
        + (p.Y_r + p.Y_ru * u) * r
        + (p.Y_vvv * v + p.Y_vvr * r) * v * v
        + (p.Y_d + (p.Y_ud + p.Y_uud * u) * u) * d
        + p.Y_ddd * d**3
        + (p.Y_vdd * d + p.Y_vvd * v) * v * d
        + p.Y_0
        + (p.Y_0u + p.Y_0uu * u) * u
    )
    N = (
        (p.N_v + p.N_vu * u) * v
        + (p.N_r + p.N_ru * u) * r
        + (p.N_vvv * v + p.N_vvr * r) * v * v
        + (p.N_d + (p.N_ud + p.N_uud * u) * u) * d
        + p.N_ddd * d**3
        + (p.N_vdd * d + p.N_vvd * v) * v * d
        + p.N_0
        + (p.N_0u + p.N_0uu * u) * u
    )
    m22, m23 = p.m - p.Y_vdot, p.m * p.x_G - p.Y_rdot
    m32, m33 = p.m * p.x_G - p.N_vdot, p.I_z - p.N_rdot
    det = m22 * m33 - m23 * m32
    a = U * U / p.L
    dx[U_] += a * X / (p.m - p.X_udot)
    dx[V_] += a * (m33 * Y - m23 * N) / det
    dx[R_] = a / p.L * (m22 * N - m32 * Y) / det
    actuators.rates(parameters.actuators, x, command, dx)


MODEL = actuators.model(derivative)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    drives = files.surfaces(folder, 1)
    scalars = files.filled(
        SCALARS,
        folder["hydrodynamics"],
        pub.MARINER,
        L=folder["geometry"].positive(geo.LENGTH),
        peer_quirks=files.quirks(folder),
    )
    return files.of_scalars(folder, MODEL, scalars, drives, COMMANDS)
