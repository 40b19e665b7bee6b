"""Esso 190 000 dwt tanker in deep and shallow water.

Forces are in the bis system (over mass times gravity), with propeller thrust and its flow c
over the rudder (zero with the shaft astern); zeta = T / (h - T) is the effect of the bottom.
The source is for motion ahead, u > 0. Astern, even powers of u and n get the sign of the motion
(thrust by the bilinear law, Fossen 2021, section 9.1), and damping is by |u|; ahead there is
no difference. The bottom is at least 0.002 T below the keel: nearer it is aground.

Source: Van Berlekom and Goddard (1972), Maneuvering of large tankers, SNAME 80, appendix A; as in
MSS ``tanker.m`` and Python Vehicle Simulator, which uses v/u for the drift angle, a current that
is not rotated with the ship, and the forces ahead for those astern: ``peer_quirks``.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan2, hypot, isfinite, tau

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import Parameters
from steerageway.vessel.fossen.state import R_, U_, V_, WATER_DEPTH
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, pointer, record

ABEAM = 0.1  # u over speed, below which forces ahead fade into those astern
TINY = 1e-9  # defines that fraction at rest [m/s]
LEAST_WATER = 0.002  # minimum distance of keel and bottom, over the draught


SCALARS = at.fields(
    whole=("peer_quirks",),  # drift angle, current and forces astern as in the reference
    real=(
        # Bis coefficients, those ending in z times zeta; d11, d22, d33 are 1 + X_vr, Y_ur - 1 and
        # N_ur - x_G; m11, m22, m33 are 1 - X_udot, 1 - Y_vdot and k_z² - N_rdot.
        *pub.TANKER,
        *("L", "T"),  # length and draft [m]
        "mass",  # for its kinetic energy, without effect on forces; 0: unknown [kg]
        "t",  # thrust deduction
        "water_depth",  # default depth to the bottom [m]
    ),
)


@compiled
def derivative(
    parameters: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu, the rudder (positive turns to port) and the shaft."""
    p = record(pointer(parameters.scalars), 0)
    u_c, v_c, _ = water.begin(x, surroundings, dx, p.peer_quirks == 0)
    u, v, r = x[U_] - u_c, x[V_] - v_c, x[R_]
    d = x[12] if p.peer_quirks else actuators.position(parameters.actuators, x, command, 0)
    n = actuators.position(parameters.actuators, x, command, 1) / tau
    L = p.L
    z = shallowness(p, surroundings[WATER_DEPTH])
    Y_uvz = -0.85 * (1.0 - 0.8 / z) if z >= 0.8 else 0.0
    beta, fast, turns, side = v / u, u, n, 1.0
    if not p.peer_quirks:
        beta, fast, turns = atan2(v, abs(u)), abs(u), abs(n)
        side = water.direction_of_motion(u, ABEAM * hypot(u, v) + TINY)
    gT = p.T_uu * u * fast / L + p.T_un * u * turns + L * p.T_nn * abs(n) * n
    cc = max(p.c_un * u * n + p.c_nn * n * n, 0.0)
    if n < 0.0 and not p.peer_quirks:
        cc = 0.0
    bbd = abs(beta) * beta * abs(d)
    X = (
        (p.X_uu + p.X_uuz * z) * u * fast
        + L * (p.d11 + p.X_vrz * z) * v * r
        + (p.X_vv + p.X_vvzz * z * z) * v * v * side
        + cc * (p.X_ccdd * d + p.X_ccbd * beta) * d
        + L * gT * (1.0 - p.t)
    )
    Y = (
        (p.Y_uv + Y_uvz * z) * fast * v
        + (p.Y_vv + p.Y_vvz * z) * abs(v) * v
        + L * (p.d22 + p.Y_urz * z) * u * r
        + cc * (p.Y_ccd * d + (p.Y_ccbbd + p.Y_ccbbdz * z) * bbd)
        + L * p.Y_T * gT
    )
    N = (
        (p.N_uv + p.N_uvz * z) * u * v
        + L * (p.N_vr + p.N_vrz * z) * abs(v) * r
        + L * (p.d33 + p.N_urz * z) * fast * r
        + cc * (p.N_ccd * d + (p.N_ccbbd + p.N_ccbbdz * z) * bbd)
        + L * p.N_T * gT
    )
    dx[U_] += X / L / (p.m11 - p.X_udotz * z)
    dx[V_] += Y / L / (p.m22 - p.Y_vdotz * z)
    dx[R_] = N / L**2 / (p.m33 - p.N_rdotz * z)
    actuators.rates(parameters.actuators, x, command, dx)


@compiled
def shallowness(p: at.Record, depth: float) -> float:
    """Return zeta, draught over under-keel clearance."""
    if not isfinite(depth):
        depth = p.water_depth
    below = depth - p.T
    if not p.peer_quirks:
        below = max(below, LEAST_WATER * p.T)
    return float(p.T / below)


MODEL = actuators.model(derivative)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    deduction: list[float] = []
    quirks = files.quirks(folder)
    drives = [
        *files.surfaces(folder, 1),
        *files.thrusters(folder, 1, lambda shaft: deduction.append(shaft.number(str(thr.TP)))),
    ]
    draft = geometry.positive(geo.DRAFT)
    depth = hydrodynamics.positive(pub.TANKER_DEPTH)
    if depth <= draft and quirks:
        most = f"more than the draft of {draft:g} m"
        hydrodynamics.wrong(pub.TANKER_DEPTH, f"{depth:g}", most, None)
    scalars = files.filled(
        SCALARS,
        hydrodynamics,
        pub.TANKER,
        L=geometry.positive(geo.LENGTH),
        T=draft,
        mass=folder["inertia"].number(inr.MASS, 0.0, low=0.0),
        water_depth=depth,
        t=deduction[0],
        peer_quirks=quirks,
    )
    made = files.of_scalars(folder, MODEL, scalars, drives, files.stops(folder))
    return replace(made, water_depth=min(depth, made.water_depth))
