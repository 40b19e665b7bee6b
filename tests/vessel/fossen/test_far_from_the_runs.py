"""Peers' equations written down a second time, and compared where their recorded runs never go.

Speeds astern, large angles, reversed and saturated actuators, currents from anywhere: one step of
each peer's own scheme from random states. The equations are those of Fossen (2021) with the peers'
constants; ``docs/vessels.md`` has where the peers differ from the book.
"""

from __future__ import annotations

from math import atan2, cos, exp, log, pi, radians, sin, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vessel.fossen.dynamics import Floats
from vessel.fossen.folder import load

INPUTS = Path(__file__).parents[3] / "inputs"
DT = 0.02
RPM = pi / 30
pytestmark = pytest.mark.slow  # they compile
seeds = pytest.mark.parametrize("seed", range(40))


def S(a: Floats) -> Floats:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def H(r: Any) -> Floats:
    return np.block([[np.eye(3), S(np.array(r)).T], [np.zeros((3, 3)), np.eye(3)]])


def coriolis(M: Floats, nu: Floats) -> Floats:
    a, b = M[:3] @ nu, M[3:] @ nu
    return np.block([[np.zeros((3, 3)), -S(a)], [-S(a), -S(b)]])


def current(V: float, beta: float, psi: float) -> Floats:
    return np.array([V * cos(beta - psi), V * sin(beta - psi), 0, 0, 0, 0])


def cross_flow(L: float, T: float, C_D: float, nu_r: Floats) -> Floats:
    """Sum 21 strips of L/20, as the peers do."""
    Y = N = 0.0
    for x in np.linspace(-L / 2, L / 2, 21):
        flow = nu_r[1] + x * nu_r[5]
        Y -= 0.5 * 1026 * T * C_D * abs(flow) * flow * L / 20
        N -= 0.5 * 1026 * T * C_D * x * abs(flow) * flow * L / 20
    return np.array([0, Y, 0, 0, 0, N])


def remus(eta: Floats, nu: Floats, act: Floats, cmd: Floats, V: float, beta: float) -> Any:
    """Give nu and actuators (rad, rad, rpm) after a step of Python Vehicle Simulator's REMUS."""
    rho, L, d = 1026, 1.6, 0.19
    a, b = L / 2, d / 2
    m = 4 / 3 * pi * rho * a * b**2
    I_x, I_y = 2 / 5 * m * b**2, m * (a**2 + b**2) / 5
    h = H([0, 0, 0.02])
    M_RB = h.T @ np.diag([m, m, m, I_x, I_y, I_y]) @ h
    e = sqrt(1 - (b / a) ** 2)
    lg = log((1 + e) / (1 - e))
    a0, b0 = 2 * (1 - e**2) / e**3 * (lg / 2 - e), 1 / e**2 - (1 - e**2) / (2 * e**3) * lg
    k1, k2 = a0 / (2 - a0), b0 / (2 - b0)
    k3 = e**4 * (b0 - a0) / ((2 - e**2) * (2 * e**2 - (2 - e**2) * (b0 - a0)))
    M_A = np.diag([m * k1, m * k2, m * k2, 0.3 * I_x, k3 * I_y, k3 * I_y])
    M, W, BG = M_RB + M_A, m * 9.81, 0.02
    nu_c = current(V, beta, eta[5])
    nu_r = nu - nu_c
    U, U_r = sqrt(nu[:3] @ nu[:3]), sqrt(nu_r[:3] @ nu_r[:3])
    most = np.array([radians(15), radians(15), 1525])
    act = np.clip(act, -most, most)
    dr, ds, n = act[0], act[1], act[2] / 60
    K_T, K_Q = 0.4566 * n * abs(n), 0.07 * n * abs(n)
    if n > 0:
        K_T += (0.1798 - 0.4566) / 0.6632 * 0.944 * U / 0.14 * n
        K_Q += (0.0312 - 0.0700) / 0.6632 * 0.944 * U / 0.14 * n
    C_A = coriolis(M_A, nu_r)
    for i, j in ((4, 0), (4, 2), (5, 0), (5, 1)):
        C_A[i, j] = C_A[j, i] = 0
    D = np.diag(M) / np.array([20, 20, 20, 1, 1, 1])
    D[3:5] = 2 * np.array([0.3, 0.8]) * np.sqrt(W * BG * np.diag(M)[3:5])
    D[:2] *= exp(-3 * U_r)
    area = 0.7 * L * d
    C_L = pi * d**2 / area / (1 + sqrt(1 + (d**2 / area / 2) ** 2))
    alpha = atan2(nu_r[2], nu_r[0])
    C_D = 0.42 * pi * b**2 / area + (C_L * alpha) ** 2 / (pi * 0.7 * d**2 / area)
    q = rho * U_r**2 * area / 2
    drag, lift = q * C_D, q * C_L * alpha
    phi, theta = eta[3], eta[4]
    g = np.array([0, 0, 0, BG * W * cos(theta) * sin(phi), BG * W * sin(theta), 0])
    fins = rho / 2 * 2 * 0.00665
    across, down = nu_r[0] ** 2 + nu_r[1] ** 2, nu_r[0] ** 2 + nu_r[2] ** 2
    Y, Z = -fins * across * 0.5 * dr, -fins * down * 0.7 * ds
    X = 0.9 * rho * 0.14**4 * K_T - fins * (across * 0.5 * dr**2 + down * 0.7 * ds**2)
    tau = np.array([X, Y, Z, rho * 0.14**5 * K_Q / 10, a * Z, -a * Y])
    tau[0] += lift * sin(alpha) - drag * cos(alpha)
    tau[2] += -lift * cos(alpha) - drag * sin(alpha)
    tau += cross_flow(L, d, 1.1977288343558283, nu_r) - g - D * nu_r
    tau -= (coriolis(M_RB, nu_r) + C_A) @ nu_r
    rate = np.linalg.solve(M, tau)
    rate[:2] += nu[5] * nu_c[1], -nu[5] * nu_c[0]
    return nu + DT * rate, act + DT * (cmd - act) / np.array([0.1, 0.1, 1.0])


def tanker(eta: Floats, nu: Floats, act: Floats, cmd: Floats, V: float, beta: float) -> Any:
    """Give u, v, r and the rudder after a step of Python Vehicle Simulator's tanker at 50 rpm."""
    L, T, n, (d,) = 304.8, 18.46, 50 / 60, act
    z = T / (30.0 - T)
    Y_uvz = -0.85 * (1 - 0.8 / z) if z >= 0.8 else 0.0
    u, v, r = (nu - current(V, beta, eta[5]))[[0, 1, 5]]
    b = v / u
    g = -0.00695 * u * u / L - 0.00063 * u * n + L * 3.54e-5 * n * n
    cc = 0.605 * u * n + 38.2 * n * n
    slip = cc * abs(b) * b * abs(d)
    X = -0.0377 * u * u + L * 2.02 * v * r + 0.3 * v * v + cc * (-0.093 * d + 0.152 * b) * d
    X += L * g * 0.78 + z * (-0.0061 * u * u + L * 0.387 * v * r) + 0.0125 * (v * z) ** 2
    Y = -1.205 * u * v - 2.4 * abs(v) * v + 0.208 * cc * d - 0.752 * L * u * r - 2.16 * slip
    Y += 0.04 * g * L + z * (0.182 * L * u * r + Y_uvz * u * v - 1.5 * abs(v) * v - 0.191 * slip)
    N = -0.451 * u * v - 0.3 * L * abs(v) * r - 0.098 * cc * d - 0.231 * L * u * r + 0.688 * slip
    N += -0.02 * L * g
    N += z * (-0.047 * L * u * r - 0.241 * u * v - 0.12 * L * abs(v) * r + 0.344 * slip)
    rate = np.array([X / L / (1.05 + 0.05 * z), Y / L / (2.02 + 0.387 * z), 0.0])
    rate[2] = N / L**2 / (0.1232 + 0.0045 * z)
    held = float(np.clip(d, -radians(30), radians(30)))
    return nu[[0, 1, 5]] + DT * rate, held + DT * np.clip(cmd - held, -radians(5), radians(5))


def otter_engines(act: Floats, cmd: Floats) -> tuple[Floats, Floats]:
    """Give the engines after a step of Python Vehicle Simulator's Otter, and their thrusts [N]."""
    least, most = -sqrt(0.5 * 13.6 * 9.81 / 0.006445), sqrt(0.5 * 24.4 * 9.81 / 0.01108)
    act = np.clip(act, least, most)
    return act + DT * (cmd - act) / 0.1, np.where(act > 0, 0.01108, 0.006445) * act * abs(act)


def far(seed: int, speed: float, rate: float, angle: float) -> tuple[Floats, Floats, float, float]:
    rng = np.random.default_rng(seed)
    eta = np.concatenate((rng.normal(size=3), rng.uniform(-angle, angle, 2), rng.uniform(-9, 9, 1)))
    nu = np.concatenate((rng.uniform(-speed, speed, 3), rng.uniform(-rate, rate, 3)))
    return eta, nu, rng.uniform(0, 1.5), rng.uniform(-7, 7)


@seeds
def test_the_remus_is_pythons_anywhere(seed: int) -> None:
    vessel = load(INPUTS / "remus100", peer_compat="pvs")
    eta, nu, V, beta = far(seed, 3.0, 1.0, 1.2)
    rng = np.random.default_rng(100 + seed)
    units = np.array([1, 1, RPM])
    act, cmd = (rng.uniform(-1, 1, 3) * [0.4, 0.4, 2500] for _ in range(2))
    theirs = np.concatenate(remus(eta, nu, act, cmd, V, beta))
    around = vessel.surroundings((V * cos(beta), V * sin(beta), 0.0))
    x = np.concatenate((eta, nu, act * units))
    ours = vessel.euler_step(x, cmd * units, around, DT)[6:] / np.array([*[1] * 6, *units])
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


@seeds
def test_the_tanker_is_pythons_anywhere(seed: int) -> None:
    vessel = load(INPUTS / "tanker", peer_compat="pvs")
    rng = np.random.default_rng(seed)
    eta = np.array([0, 0, 0, 0, 0, rng.uniform(-9, 9)])
    nu = np.array([rng.uniform(3, 9), rng.uniform(-2, 2), 0, 0, 0, rng.uniform(-0.02, 0.02)])
    V, beta = rng.uniform(0, 1.5), rng.uniform(-7, 7)
    act, cmd = rng.uniform(-0.8, 0.8, 1), rng.uniform(-0.8, 0.8, 1)
    motion, rudder = tanker(eta, nu, act, cmd, V, beta)
    around = vessel.surroundings((V * cos(beta), V * sin(beta), 0.0), water_depth=30.0)
    x, shaft = np.concatenate((eta, nu, act, [50 * RPM])), [50 * RPM]
    ours = vessel.euler_step(x, [*cmd, *shaft], around, DT)
    np.testing.assert_allclose(ours[[6, 7, 11]], motion, rtol=1e-9, atol=1e-12)
    assert ours[12] == pytest.approx(rudder[0], rel=1e-9)


@seeds
def test_the_otters_engines_are_pythons_in_both_directions(seed: int) -> None:
    """What the engines push, by what they change of the rates."""
    vessel = load(INPUTS / "otter", peer_compat="pvs")
    eta, nu, V, beta = far(seed, 3.0, 1.0, 0.5)
    rng = np.random.default_rng(200 + seed)
    act, cmd = (rng.uniform(-150, 150, 2) for _ in range(2))
    lagged, thrust = otter_engines(act, cmd)
    around = vessel.surroundings((V * cos(beta), V * sin(beta), 0.0))
    x, still = (np.concatenate((eta, nu, n)) for n in (act, np.zeros(2)))
    ours = vessel.euler_step(x, cmd, around, DT)
    np.testing.assert_allclose(ours[12:], lagged, rtol=1e-9)
    pushed = vessel.derivative(x, cmd, around)[6:12] - vessel.derivative(still, cmd, around)[6:12]
    again = vessel.derivative(np.concatenate((eta, nu, [50.0, 0])), cmd, around)[6:12]
    one = (again - vessel.derivative(still, cmd, around)[6:12]) / (0.01108 * 2500)
    other = vessel.derivative(np.concatenate((eta, nu, [0, 50.0])), cmd, around)[6:12]
    two = (other - vessel.derivative(still, cmd, around)[6:12]) / (0.01108 * 2500)
    np.testing.assert_allclose(pushed, one * thrust[0] + two * thrust[1], rtol=1e-8, atol=1e-9)


def clarke(
    size: Any, eta: Floats, nu: Floats, act: float, cmd: float, V: float, beta: float
) -> Any:
    """Give u, v, r and the rudder after a step of Python Vehicle Simulator's shipClarke83."""
    L, B, T, C_b = size
    u, v, r = (nu - current(V, beta, eta[5]))[[0, 1, 5]]
    flow = sqrt(u * u + v * v)
    U = flow + 0.001
    s = pi * (T / L) ** 2
    added = s * np.array(
        [
            [1 + 0.16 * C_b * B / T - 5.1 * (B / L) ** 2, 0.67 * B / L - 0.0033 * (B / T) ** 2],
            [1.1 * B / L - 0.041 * B / T, 1 / 12 + 0.017 * C_b * B / T - 0.33 * B / L],
        ]
    )
    damped = s * np.array(
        [
            [1 + 0.4 * C_b * B / T, -0.5 + 2.2 * B / L - 0.08 * B / T],
            [0.5 + 2.4 * T / L, 0.25 + 0.039 * B / T - 0.56 * B / L],
        ]
    )
    m, arms = 1025 * C_b * L * B * T, np.outer([1, L], [1, L])
    radius = (0.27 if L > 100 else 0.25) * L
    M = 0.5 * 1025 * L**3 * arms * added + np.diag([m, m * radius**2])
    D = 0.5 * 1025 * L**2 * U * arms * damped
    pressure = 1026 * flow**2 * (0.7 * T) ** 2 / 0.7 * 6.13 * 0.7 / (0.7 + 2.25)
    X = 0.9 * 3e5 + 0.5 * (0.28 * C_b + 0.55) * pressure * sin(act) ** 2
    side = -0.25 * pressure * sin(2 * act) * np.array([1.4, -0.85 * L])
    rate = np.linalg.solve(M, side - D @ [v, r])
    held = min(max(act, -radians(30)), radians(30))
    rates = np.array([X / (1.1 * m) - u / L, *rate])
    return nu[[0, 1, 5]] + DT * rates, held + DT * (cmd - held)


@seeds
def test_clarkes_ships_of_any_size_are_pythons(seed: int) -> None:
    rng = np.random.default_rng(seed)
    L = rng.uniform(20, 250)
    size = L, L * rng.uniform(0.1, 0.2), L * rng.uniform(0.03, 0.1), rng.uniform(0.5, 0.85)
    keys = ("length", "breadth", "draft", "block_coefficient")
    changed: dict[str, object] = {f"geometry.{k}": s for k, s in zip(keys, size, strict=True)}
    changed["thrusters.thrusters.1.thrust_max"] = 4e5
    vessel = load(INPUTS / "clarke83", "pvs", changed)
    eta, nu, V, beta = far(seed, 6.0, 0.1, 0.0)
    nu[[2, 3, 4]] = 0
    act, cmd = rng.uniform(-0.8, 0.8, 2)
    motion, rudder = clarke(size, eta, nu, act, cmd, V, beta)
    around = vessel.surroundings((V * cos(beta), V * sin(beta), 0.0))
    x = np.concatenate((eta, nu, [act, 3e5]))
    ours = vessel.euler_step(x, [cmd, 3e5], around, DT)
    np.testing.assert_allclose(ours[[6, 7, 11]], motion, rtol=1e-9, atol=1e-12)
    assert ours[12] == pytest.approx(rudder, rel=1e-9)


@seeds
def test_the_dsrv_and_norrbins_ships_are_pythons_beyond_their_stops(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dsrv, frigate = (load(INPUTS / name, "pvs") for name in ("dsrv", "frigate"))
    w, q, theta = rng.uniform(-1, 1, 3)
    d, cmd = rng.uniform(-0.8, 0.8, 2)
    x = np.array([0, 0, 0, 0, theta, 0, 4.11, 0, w, 0, q, 0, d])
    ours = dsrv.euler_step(x, [cmd], dsrv.surroundings(), DT)
    held = min(max(d, -radians(20)), radians(20))
    U2 = 4.11**2 + w**2
    Z = -0.043938 * w - 0.017455 * q + 0.027695 * held
    M = 0.011175 * w - 0.01131 * q - 0.156276 / U2 * theta - 0.012797 * held
    mass = [[0.036391 + 0.031545, 0.00013], [0.000146, 0.001925 + 0.001573]]
    rate = np.linalg.solve(mass, [Z, M])
    np.testing.assert_allclose(ours[[8, 10]], [w, q] + DT * rate, rtol=1e-9)
    assert ours[12] == pytest.approx(held + DT * (cmd - held), rel=1e-9)
    r = rng.uniform(-0.2, 0.2)
    x = np.array([0, 0, 0, 0, 0, 0, 9.0, 0, 0, 0, 0, r, d])
    ours = frigate.euler_step(x, [cmd], frigate.surroundings(), DT)
    held = min(max(d, -radians(30)), radians(30))
    move = min(max(cmd - held, -radians(10)), radians(10))
    assert ours[12] == pytest.approx(held + DT * move, rel=1e-9)
    assert ours[11] == pytest.approx(r + DT / 27 * (0.18 * held - 0.6 * r**3 - r), rel=1e-9)
