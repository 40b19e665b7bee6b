"""Naval vessel of 51.5 m: surge, sway, roll and yaw, with coefficients that depend on heel.

Inputs are forces: X, Y [N], K and N [N m]; the model has neither propeller nor rudder.
Heave and pitch are not modelled: z and theta are constant. The righting moment is -rho g V GM phi
plus a cubic term that reduces it.

Source: Blanke and Christensen (1993), Rudder-roll damping autopilot robustness to sway-yaw-roll
couplings, 10th SCSS; Perez (2005), Ship Motion Control, appendix B; as in MSS ``navalvessel.m``.
Its yaw moment due to heel is named N_phi|uv| but coded as phi |u phi|; here it is as in the code,
which reproduces the published manoeuvres, and is odd in phi: heel to port turns it as far as heel
to starboard. The rates of position are those of the heeled vessel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen import steps
from steerageway.vessel.fossen.assembly import world
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import Actuators
from steerageway.vessel.fossen.state import P_, PHI, R_, U_, V_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, pointer, record
from steerageway.world.document import Section

SCALARS = at.fields(
    whole=(),
    real=(
        *pub.NAVAL,  # coefficients, named after the motions they multiply [SI]
        *("X_vr", "K_phiphiphi"),  # likewise
        *("mass", "x_G", "z_G"),  # [kg], and centre of gravity from CO [m]
        "righting",  # rho g V GM [N m]
    ),
)


class Naval(NamedTuple):
    """Parameters of the model.

    Attributes:
        M_inv: (6, 6) inverse of the inertia including added mass; zero in heave and pitch.
        scalars: () of SCALARS.
        actuators: the four forces.
    """

    M_inv: Floats
    scalars: at.Record
    actuators: Actuators


@compiled
def derivative(
    parameters: Naval, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta and nu; forces follow their commands without lag."""
    s, moved = record(pointer(parameters.scalars), 0), parameters.actuators
    u_c, v_c = water.begin_rolling(x, surroundings, dx)
    u, v, p, r, phi = x[U_] - u_c, x[V_] - v_c, x[P_], x[R_], x[PHI]
    X, Y, K, N = hull(s, u, v, p, r, phi)
    X += s.mass * (r * v + s.x_G * r * r - s.z_G * p * r)
    Y -= s.mass * u * r
    K += s.mass * s.z_G * u * r - s.righting * phi
    N -= s.mass * s.x_G * u * r
    X += actuators.position(moved, x, command, 0)
    Y += actuators.position(moved, x, command, 1)
    K += actuators.position(moved, x, command, 2)
    N += actuators.position(moved, x, command, 3)
    for i in (0, 1, 3, 5):
        row = parameters.M_inv[i]
        dx[6 + i] += row[0] * X + row[1] * Y + row[3] * K + row[5] * N
    actuators.rates(moved, x, command, dx)


@compiled
def hull(
    s: at.Record, u: float, v: float, p: float, r: float, phi: float
) -> tuple[float, float, float, float]:
    """Return X, Y [N], K and N [N m] of the hull, without the linear righting moment."""
    au, av, ar = abs(u), abs(v), abs(r)
    X = s.X_uau * u * au + s.X_vr * v * r
    Y = (
        s.Y_auv * au * v
        + s.Y_ur * u * r
        + s.Y_vav * v * av
        + s.Y_var * v * ar
        + s.Y_rav * r * av
        + (s.Y_phiauv * au * av + s.Y_phiaur * au * ar + s.Y_phiuu * u * u) * phi
    )
    K = (
        s.K_auv * au * v
        + s.K_ur * u * r
        + s.K_vav * v * av
        + s.K_var * v * ar
        + s.K_rav * r * av
        + (s.K_phiauv * au * av + s.K_phiaur * au * ar + s.K_phiuu * u * u) * phi
        + (s.K_aup * au + s.K_pap * abs(p) + s.K_p) * p
        + s.K_phiphiphi * phi * phi * phi
    )
    N = (
        s.N_auv * au * v
        + s.N_aur * au * r
        + s.N_rar * r * ar
        + s.N_rav * r * av
        + (s.N_phiau * abs(u * phi) + s.N_phiuar * u * ar + s.N_phiuau * u * au) * phi
    )
    return X, Y, K, N


MODEL = actuators.model(derivative, holds=steps.upright)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    geometry, inertia, hydrodynamics = (
        folder[name] for name in ("geometry", "inertia", "hydrodynamics")
    )
    files.refuse_quaternions(folder)
    rho, g = world(folder)
    volume = geometry.positive(geo.DISPLACED_VOLUME)
    mass = rho * volume
    r_bg = files.centre(folder, geo.CG)
    drives = files.thrusters(folder, 4, forces=True)
    M = inertia_matrix(inertia, hydrodynamics, mass, r_bg)
    free = np.ix_([0, 1, 3, 5], [0, 1, 3, 5])
    M_inv = np.zeros((6, 6))
    M_inv[free] = np.linalg.inv(M[free])
    geometry.positive(geo.LENGTH), geometry.positive(geo.BREADTH), geometry.positive(geo.DRAFT)
    scalars = files.filled(
        SCALARS,
        hydrodynamics,
        pub.NAVAL,
        mass=mass,
        x_G=float(r_bg[0]),
        z_G=float(r_bg[2]),
        righting=rho * g * volume * geometry.number(geo.GM),
        X_vr=hydrodynamics.number(pub.X_VR_PER_MASS) * mass,
        K_phiphiphi=hydrodynamics.number(pub.K_PHI3_PER_WEIGHT) * mass * g,
    )
    parameters = Naval(M_inv, scalars, files.actuators(folder, drives, files.stops(folder)))
    return files.assembled(folder, MODEL, parameters, drives)


def inertia_matrix(inertia: Section, hydrodynamics: Section, mass: float, r_bg: Floats) -> Floats:
    """Return M (6, 6) about CO of surge, sway, roll and yaw; not symmetric, as in the source."""
    x_G, z_G = float(r_bg[0]), float(r_bg[2])
    M = np.eye(6)
    M[0, 0] = mass - hydrodynamics.number(pub.NAVAL_X_UDOT)
    rows = {1: "Y", 3: "K", 5: "N"}
    rigid = {
        (1, 1): mass,
        (1, 3): -mass * z_G,
        (1, 5): mass * x_G,
        (3, 1): -mass * z_G,
        (3, 3): inertia.positive(inr.I_X),
        (5, 1): mass * x_G,
        (5, 5): inertia.positive(inr.I_Z),
    }
    for i, axis in rows.items():
        for j, velocity in {1: "v", 3: "p", 5: "r"}.items():
            M[i, j] = rigid.get((i, j), 0.0) - hydrodynamics.number(pub.NAVAL_ADDED[axis, velocity])
    return M
