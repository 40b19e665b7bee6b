"""Independent implementation of the Otter's hull, compared far from the recorded runs.

Astern, sideways, heeled and pitched by 80 degrees, turning fast, in a current faster than it is.
The equations are Fossen's (2021) with the figures of Python Vehicle Simulator's otter.py: mass and
buoyancy from its pontoons, a payload that presses on it, cross-flow drag by 21 strips.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.place import SHIPPED
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow  # they compile
RHO, g = 1025.0, 9.81
L, HULL, LOAD = 2.0, 55.0, 25.0  # [m], [kg]
BEAM, ARM, CW, CB = 0.25, 0.395, 0.75, 0.4  # of a pontoon, and how far out it is
R_LOAD = np.array([0.05, 0, -0.35])
HOERNER = (0.5585, 0.6464), (1.0836, 0.9986)  # B/2T and C_D about its own, to four figures


def S(a: Floats) -> Floats:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def H(r: Floats) -> Floats:
    return np.block([[np.eye(3), S(r).T], [np.zeros((3, 3)), np.eye(3)]])


def turned(axis: int, angle: float) -> Floats:
    """Return the rotation about an axis, from the two others."""
    R, (i, j) = np.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
    R[i, i] = R[j, j] = np.cos(angle)
    R[j, i], R[i, j] = np.sin(angle), -np.sin(angle)
    return R


def diagonal(I_A: Floats, I_B: Floats) -> Floats:
    return np.block([[I_A, np.zeros((3, 3))], [np.zeros((3, 3)), I_B]])


def nu_dot(eta: Floats, nu: Floats, water: Floats) -> Floats:
    """Return the rates (6,) of an Otter without thrust in a current (north, east)."""
    m, volume = HULL + LOAD, (HULL + LOAD) / RHO
    T = volume / (2 * CB * BEAM * L)
    r_g = (HULL * np.array([0.2, 0, -0.2]) + LOAD * R_LOAD) / m
    radii = np.array([0.4 * 1.08, 0.25 * L, 0.25 * L])
    I_g = HULL * (np.diag(radii**2) - S(r_g) @ S(r_g)) - LOAD * S(R_LOAD) @ S(R_LOAD)
    h = H(r_g)
    M_RB = h.T @ diagonal(m * np.eye(3), I_g) @ h
    M_A = np.diag(np.array([0.1, 1.5, 1.0, 0, 0, 0]) * HULL)
    M_A[3:, 3:] = np.diag(np.diag(I_g) * [0.2, 0.8, 1.7])
    M = M_RB + M_A

    area = CW * L * BEAM  # of one water plane
    share = 6 * CW**3 / ((1 + CW) * (1 + 2 * CW))
    I_T = 2 * (L * BEAM**3 / 12 * share + area * ARM**2)
    I_L = 0.8 * 2 * BEAM * L**3 / 12
    KB, KG = (5 * T / 2 - volume / (2 * L * BEAM)) / 3, T - r_g[2]
    stiff = [RHO * g * volume * (plane / volume + KB - KG) for plane in (I_T, I_L)]
    at_cf = np.diag([0, 0, RHO * g * 2 * area, *stiff, 0])
    G = H(np.array([-0.2, 0, 0])).T @ at_cf @ H(np.array([-0.2, 0, 0]))

    c, s = np.cos(eta[5]), np.sin(eta[5])
    flow = np.array([c * water[0] + s * water[1], c * water[1] - s * water[0], 0, 0, 0, 0])
    turning = np.array([nu[5] * flow[1], -nu[5] * flow[0], 0, 0, 0, 0])
    nu_r = nu - flow
    C_RB = h.T @ diagonal(m * S(nu[3:]), -S(I_g @ nu[3:])) @ h
    a, b = M_A[:3] @ nu_r, M_A[3:] @ nu_r
    C_A = np.block([[np.zeros((3, 3)), -S(a)], [-S(a), -S(b)]])

    own = [2 * zeta * sqrt(G[i, i] * M[i, i]) for i, zeta in ((2, 0.3), (3, 0.2))]
    pitch = 2 * 0.4 * sqrt(at_cf[4, 4] / M[4, 4]) * M[4, 4]
    D = np.array([24.4 * g / (6 * 0.5144), M[1, 1], *own, pitch, M[5, 5]])
    tau = -D * nu_r
    tau[5] -= 10 * D[5] * abs(nu_r[5]) * nu_r[5]
    C_D = np.interp(BEAM / (2 * T), *HOERNER)
    for x in np.linspace(-L / 2, L / 2, 21):
        side = nu_r[1] + x * nu_r[5]
        tau[[1, 5]] -= 0.5 * 1026 * T * C_D * abs(side) * side * L / 20 * np.array([1, x])
    R = turned(2, eta[5]) @ turned(1, eta[4]) @ turned(0, eta[3])
    down = R.T @ [0, 0, LOAD * g]
    tau += np.concatenate((down, np.cross(R_LOAD, down)))
    return turning + np.linalg.solve(M, tau - (C_RB + C_A) @ nu_r - G @ eta)


def states() -> list[tuple[Floats, Floats, Floats]]:
    """Return pose, velocity and current: at rest; broadside; astern; arbitrary."""
    rng = np.random.default_rng(7)
    at_rest = np.zeros(6)
    found = [
        (at_rest, at_rest, np.zeros(2)),
        (at_rest, np.array([0, 2.0, 0, 0, 0, 0]), np.zeros(2)),
        (np.array([0, 0, 0, 0, 0, pi]), np.array([-2.0, 0, 0, 0, 0, 0]), np.array([5.0, -4.0])),
    ]
    for _ in range(40):
        pose = rng.uniform(-1, 1, 6) * [9, 9, 1, 1.4, 1.4, 9]
        found.append((pose, rng.uniform(-1, 1, 6) * [4, 4, 2, 1, 1, 2], rng.uniform(-5, 5, 2)))
    return found


def test_the_otters_hull_is_pythons_anywhere() -> None:
    vessel = load(SHIPPED / "otter", peer_compat="pvs")
    for eta, nu, water in states():
        x, around = np.concatenate((eta, nu, np.zeros(2))), vessel.surroundings((*water, 0.0))
        ours = vessel.derivative(x, np.zeros(2), around)[6:12]
        np.testing.assert_allclose(ours, nu_dot(eta, nu, water), rtol=1e-8, atol=1e-8)
