"""Deep submergence rescue vehicle (DSRV): heave and pitch at constant speed ahead.

Linear in heave velocity, pitch rate, pitch angle and stern plane, made dimensional by the speed.

Source: Healey (1992), Marine vehicle dynamics lecture notes, NPS Monterey, as in MSS ``DSRV.m``
and Python Vehicle Simulator; both use the prime derivatives as dimensional ones, so that
the response is L/U times too fast or too slow: ``peer_quirks``.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import Parameters
from steerageway.vessel.fossen.state import Q_, THETA, U_, W_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, pointer, record

SCALARS = at.fields(
    whole=("peer_quirks",),  # use the derivatives as dimensional ones
    real=(*pub.DSRV, "L"),  # prime derivatives; length [m]
)


@compiled
def derivative(
    parameters: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu and the stern plane, positive for nose down."""
    p = record(pointer(parameters.scalars), 0)
    _, _, w_c = water.begin(x, surroundings, dx, True)
    w, q, theta = x[W_] - w_c, x[Q_], x[THETA]
    U = hypot(p.U0, w)
    time = 1.0 if p.peer_quirks else p.L / U
    length = 1.0 if p.peer_quirks else p.L
    delta = actuators.position(parameters.actuators, x, command, 0)
    w_, q_ = w * time / length, q * time
    Z = p.Z_w * w_ + p.Z_q * q_ + p.Z_delta * delta
    M = p.M_w * w_ + p.M_q * q_ + p.M_theta / U**2 * theta + p.M_delta * delta
    m11, m12, m21, m22 = p.m - p.Z_wdot, -p.Z_qdot, -p.M_wdot, p.I_y - p.M_qdot
    det = m11 * m22 - m12 * m21
    dx[W_] += (m22 * Z - m12 * M) / det * length / time**2
    dx[Q_] = (m11 * M - m21 * Z) / det / time**2
    actuators.rates(parameters.actuators, x, command, dx)


@compiled
def before(
    parameters: Parameters, x: Floats, command: Floats, surroundings: Floats, dt: float
) -> None:
    """Keep the speed through the water constant, and move a plane without lag."""
    U0 = record(pointer(parameters.scalars), 0).U0
    x[U_] = U0 + water.current_in_body(x, surroundings)[0]
    actuators.before(parameters, x, command, surroundings, dt)


MODEL = actuators.model(derivative, before)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    drives, quirks = files.surfaces(folder, 1), files.quirks(folder)
    scalars = files.filled(
        SCALARS,
        folder["hydrodynamics"],
        pub.DSRV,
        L=folder["geometry"].positive(geo.LENGTH),
        peer_quirks=quirks,
    )
    made = files.of_scalars(folder, MODEL, scalars, drives, files.stops(folder))
    return replace(made, envelope=replace(made.envelope, deep=True))
