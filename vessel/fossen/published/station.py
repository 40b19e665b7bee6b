"""Station-keeping vessel: constant M, D and G about CO, six thrusters by n|n|.

    M nudot_r = B n|n| - D nu_r - G eta

Valid at low speed: no Coriolis forces, no thrust loss. The supply vessel has only surge, sway
and yaw; in the other three M is the identity, and D and G are zero.

Source: Fossen (2021), section 11.2 and appendix D; Fossen, Sagatun and Sørensen (1996),
Identification of dynamically positioned ships, CEP 4(3); as in Python Vehicle Simulator, where
the current is not rotated with the vessel: ``peer_quirks``.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

import numpy as np

from steerageway.vessel.fossen.assembly import world
from steerageway.vessel.fossen.attitude import eta_rates
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.frame import angles
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import inertia as inr
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import Actuators
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled
from steerageway.world.document import Section


class Station(NamedTuple):
    """Parameters of the model, SI and revolutions in rad/s.

    Attributes:
        M_inv: (6, 6) inverse of the inertia including added mass.
        D: (6, 6) linear damping.
        G: (6, 6) restoring matrix.
        B: (6, n) force of each thruster for n|n| = 1 [N s²/rad², N m s²/rad²].
        actuators: shafts.
        peer_quirks: current of a level hull, without rotation.
    """

    M_inv: Floats
    D: Floats
    G: Floats
    B: Floats
    actuators: Actuators
    peer_quirks: bool


@compiled
def derivative(
    parameters: Station, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu and the revolutions."""
    p = parameters
    u_c, v_c, w_c = water.current_in_body(x, surroundings)
    if p.peer_quirks:
        u_c, v_c = water.current_by_heading(x, surroundings)
        w_c = 0.0
    forces = (
        force(p, x, command, u_c, v_c, w_c, 0),
        force(p, x, command, u_c, v_c, w_c, 1),
        force(p, x, command, u_c, v_c, w_c, 2),
        force(p, x, command, u_c, v_c, w_c, 3),
        force(p, x, command, u_c, v_c, w_c, 4),
        force(p, x, command, u_c, v_c, w_c, 5),
    )
    eta_rates(x, dx)
    for i in range(6):
        dx[6 + i] = 0.0
        for j in range(6):
            dx[6 + i] += p.M_inv[i, j] * forces[j]
    if not p.peer_quirks:
        water.add_current_rate(x, u_c, v_c, w_c, dx)
    actuators.rates(p.actuators, x, command, dx)


@compiled
def force(
    p: Station, x: Floats, command: Floats, u_c: float, v_c: float, w_c: float, i: int
) -> float:
    """Return the i-th component of the sum of thrust, damping and restoring."""
    total: float = p.D[i, 0] * u_c + p.D[i, 1] * v_c + p.D[i, 2] * w_c
    for j in range(6):
        total -= p.D[i, j] * x[6 + j] + p.G[i, j] * x[j]
    for k in range(command.size):
        n = actuators.position(p.actuators, x, command, k)
        total += p.B[i, k] * n * abs(n)
    return total


MODEL = actuators.model(derivative)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    inertia, hydrodynamics = folder["inertia"], folder["hydrodynamics"]
    wrong = files.quirks(folder)
    if pub.M_BIS in hydrodynamics:
        M, D = bis(folder)
        G = np.zeros((6, 6))
    else:
        M = inertia.matrix(inr.INERTIA_MATRIX)
        M = M + inertia.matrix(inr.ADDED_MASS_MATRIX)
        D = hydrodynamics.matrix(pub.DAMPING_MATRIX)
        G = hydrodynamics.matrix(pub.RESTORING_MATRIX)
    columns: list[list[float]] = []

    def read(thruster: Section) -> None:
        k = thruster.number(thr.THRUST_COEFFICIENT) / files.RPM**2
        x, y, _ = thruster.vector(thr.LOCATION)
        roll, pitch, angle = angles(thruster, thr.ORIENTATION)
        if roll or pitch:
            turned = str([float(roll), float(pitch), float(angle)])
            thruster.wrong(thr.ORIENTATION, turned, "a yaw angle only", None)
        X, Y = k * cos(angle), k * sin(angle)
        columns.append([X, Y, 0.0, 0.0, 0.0, x * Y - y * X])

    count = len(folder["thrusters"].sections(thr.THRUSTERS))
    drives = files.thrusters(folder, count, read)
    B = np.array(columns).T.copy()
    moved = files.actuators(folder, drives, files.stops(folder))
    parameters = Station(files.inverse(inertia, inr.ADDED_MASS_MATRIX, M), D, G, B, moved, wrong)
    return files.assembled(folder, MODEL, parameters, drives)


def bis(folder: Folder) -> tuple[Floats, Floats]:
    """Return M and D (6, 6) of a vessel given in surge, sway and yaw in the bis system.

    Source: Fossen (2021), appendix D: the units are mass m, length L and time sqrt(L/g).
    """
    L, mass = folder["geometry"].positive(geo.LENGTH), folder["inertia"].positive(inr.MASS)
    hydrodynamics, g = folder["hydrodynamics"], world(folder)[1]
    arms = np.array([1.0, 1.0, L])
    scale = mass * np.outer(arms, arms)
    M, D = np.eye(6), np.zeros((6, 6))
    plane = np.ix_([0, 1, 5], [0, 1, 5])
    M[plane] = scale * hydrodynamics.matrix(pub.M_BIS)
    D[plane] = scale * hydrodynamics.matrix(pub.D_BIS) * sqrt(g / L)
    return M, D
