"""Clarke's ship model from main dimensions: linear sway and yaw, surge by a time constant.

    M nudot_r + N(U) nu_r = tau,    N(U) = D(U) + C(U)

M_A and D are regressions over L, B, T and C_b; C(U) is the linearised m U r of the rigid
body. The rudder is a wing below the hull, thrust a constant force with thrust deduction.

Source: Clarke, Gedling and Hine (1983), The application of manoeuvring criteria in hull design
using linear theory, RINA 125; rudder after Fossen (2021), section 9.5.1. Python Vehicle Simulator
omits m U r in N and the rotation of the current, and its rudder pulls the ship ahead:
``peer_quirks``.
"""

from __future__ import annotations

from math import hypot, sin

from steerageway.vessel.added_mass import clarke83
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.assembly import world
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import Parameters
from steerageway.vessel.fossen.state import R_, U_, V_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, pointer, record

SURGE_ADDED_MASS = 0.1  # fraction of the mass
LONG = 100.0  # [m] ship length above which the yaw radius of gyration is 0.27 L, else 0.25 L
LEAST_SPEED = 0.001  # added to the speed, so that damping at rest is not zero [m/s]


# forces for unit speed are per (m/s)²
SCALARS = at.fields(
    whole=("peer_quirks",),  # rudder beyond its stops, current without rotation, as in references
    real=(
        "m11",  # mass and added mass in surge [kg]
        *("m22", "m23", "m32", "m33"),  # in sway and yaw [kg, kg m, kg m²]
        *("d22", "d23", "d32", "d33"),  # damping there for unit speed [kg/m, kg, kg, kg m]
        "mass",  # for the centripetal force [kg]; 0: omitted
        "x_G",  # centre of gravity forward of CO [m]
        "T_surge",  # time constant of the speed [s]
        *("X_dd", "Y_d", "N_d"),  # rudder derivatives for unit speed [kg/m, kg/m, kg]
        "kept",  # 1 - t, fraction of thrust after deduction
    ),
)


@compiled
def derivative(
    parameters: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu and the rudder angle, positive to starboard."""
    p, moved = record(pointer(parameters.scalars), 0), parameters.actuators
    u_c, v_c, _ = water.begin(x, surroundings, dx, p.peer_quirks == 0)
    u, v, r = x[U_] - u_c, x[V_] - v_c, x[R_]
    flow = hypot(u, v)
    U = flow + LEAST_SPEED
    delta = x[12] if p.peer_quirks else actuators.position(moved, x, command, 0)
    thrust = p.kept * actuators.position(moved, x, command, 1)
    lateral = flow**2 * sin(2 * delta)
    X = thrust - p.X_dd * flow**2 * sin(delta) ** 2
    Y = -p.Y_d * lateral - U * (p.d22 * v + (p.d23 + p.mass) * r)
    N = p.N_d * lateral - U * (p.d32 * v + (p.d33 + p.mass * p.x_G) * r)
    det = p.m22 * p.m33 - p.m23 * p.m32
    dx[U_] += X / p.m11 - u / p.T_surge
    dx[V_] += (p.m33 * Y - p.m23 * N) / det
    dx[R_] = (p.m22 * N - p.m32 * Y) / det
    actuators.rates(moved, x, command, dx)


MODEL = actuators.model(derivative)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    wrong = files.quirks(folder)
    rho, _ = world(folder)
    L, B, T = (geometry.positive(key) for key in (geo.LENGTH, geo.BREADTH, geo.DRAFT))
    mass = rho * geometry.positive(geo.BLOCK_COEFFICIENT) * L * B * T
    gyration = geometry.positive(geo.YAW_GYRATION, (0.27 if L > LONG else 0.25) * L)
    x_G = geometry.number(geo.X_G)
    deduction: list[float] = []
    drives = [
        *files.surfaces(folder, 1),
        *files.thrusters(
            folder, 1, lambda one: deduction.append(one.number(str(thr.TP))), forces=True
        ),
    ]
    m, d = clarke83(L, B, T, mass / (rho * L * B * T))
    added, damped = 0.5 * rho * L**3, 0.5 * rho * L**2
    X_dd, Y_d, N_d = rudder(folder, rho)
    scalars = files.filled(
        SCALARS,
        hydrodynamics,
        (),
        m11=(1.0 + SURGE_ADDED_MASS) * mass,
        m22=mass + added * m[0],
        m23=mass * x_G + added * L * m[1],
        m32=mass * x_G + added * L * m[2],
        m33=mass * (gyration**2 + x_G**2) + added * L**2 * m[3],
        d22=damped * d[0],
        d23=damped * L * d[1],
        d32=damped * L * d[2],
        d33=damped * L**2 * d[3],
        mass=0.0 if wrong else mass,
        x_G=x_G,
        T_surge=hydrodynamics.positive(pub.T_SURGE, L),
        X_dd=-X_dd if wrong else X_dd,
        Y_d=Y_d,
        N_d=N_d,
        kept=1.0 - deduction[0],
        peer_quirks=wrong,
    )
    return files.of_scalars(folder, MODEL, scalars, drives, files.stops(folder))


def rudder(folder: Folder, rho: float) -> tuple[float, float, float]:
    """Return the rudder's X_dd, Y_d and N_d for unit speed.

    Source: Fossen (2021), section 9.5.1.
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    L, C_b = geometry.positive(geo.LENGTH), geometry.positive(geo.BLOCK_COEFFICIENT)
    aspect = hydrodynamics.positive(pub.RUDDER_ASPECT)
    height = hydrodynamics.positive(pub.RUDDER_HEIGHT) * geometry.positive(geo.DRAFT)
    a_H = hydrodynamics.number(pub.A_H)
    arm = -(hydrodynamics.number(pub.X_R) + a_H * hydrodynamics.number(pub.X_H)) * L
    C_N = 6.13 * aspect / (aspect + 2.25)
    density = hydrodynamics.positive(pub.RUDDER_DENSITY, rho)
    pressure = 0.5 * density * height**2 / aspect * C_N
    t_R = 1.0 - 0.28 * C_b - 0.55
    return (1.0 - t_R) * pressure, 0.5 * (1.0 + a_H) * pressure, 0.5 * arm * pressure
