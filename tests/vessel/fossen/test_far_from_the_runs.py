"""Independent implementations of reference equations, compared far from the recorded runs.

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

from steerageway.vessel.fossen.folder import load
from steerageway.world.arrays import Floats

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
    """Return the sum over 21 strips of L/20, as in the reference programs."""
    Y = N = 0.0
    for x in np.linspace(-L / 2, L / 2, 21):
        flow = nu_r[1] + x * nu_r[5]
        Y -= 0.5 * 1026 * T * C_D * abs(flow) * flow * L / 20
        N -= 0.5 * 1026 * T * C_D * x * abs(flow) * flow * L / 20
    return np.array([0, Y, 0, 0, 0, N])


def remus(eta: Floats, nu: Floats, act: Floats, cmd: Floats, V: float, beta: float) -> Any:
    """Return nu and actuators (rad, rad, rpm) after a step of Python Vehicle Simulator's REMUS."""
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
    """Return u, v, r and the rudder after a step of Python Vehicle Simulator's tanker at 50 rpm."""
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
    """Return engines and thrusts [N] after a step of Python Vehicle Simulator's Otter."""
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
    reference = np.concatenate(remus(eta, nu, act, cmd, V, beta))
    around = vessel.surroundings((V * cos(beta), V * sin(beta), 0.0))
    x = np.concatenate((eta, nu, act * units))
    ours = vessel.euler_step(x, cmd * units, around, DT)[6:] / np.array([*[1] * 6, *units])
    np.testing.assert_allclose(ours, reference, rtol=1e-9, atol=1e-9)


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
    """Return the thrust of the engines from their effect on the rates."""
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
    """Return u, v, r and the rudder after a step of Python Vehicle Simulator's shipClarke83."""
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


def series(terms: str, **at: float) -> float:
    """Return the sum of terms such as ``X_uv: 3e-5`` of a Taylor series."""
    total = 0.0
    for term in terms.split(","):
        name, value = term.split(":")
        product = float(value)
        for variable in name.strip()[2:].replace("0", ""):
            product *= at[variable]
        total += product
    return total


@pytest.mark.parametrize("peer", ["mss", ""])
@seeds
def test_the_mariner_is_its_published_series_anywhere(seed: int, peer: str) -> None:
    """Chislett and Strøm-Tejsen's, prime by U0, in MSS by the speed; its rudder counts to port."""
    rng = np.random.default_rng(seed)
    u, v, r, d = rng.uniform([-5, -2, -0.02, -0.6], [3, 2, 0.02, 0.6])
    order = rng.uniform(-1, 1)
    L, U0 = 160.93, 7.7175
    U = sqrt((U0 + u) ** 2 + v * v) if peer else U0
    at = {"u": u / U, "v": v / U, "r": r * L / U, "d": d}
    X = series(
        "X_u:-184,X_uu:-110,X_uuu:-215,X_vv:-899,X_rr:18,X_rv:798,X_dd:-95,X_udd:-190,X_vd:93,"
        "X_uvd:93",
        **at,
    )
    Y = series(
        "Y_v:-1160,Y_r:-499,Y_vvv:-8078,Y_vvr:15356,Y_vu:-1160,Y_ru:-499,Y_d:278,Y_ddd:-90,"
        "Y_ud:556,Y_uud:278,Y_vdd:-4,Y_vvd:1190,Y_0:-4,Y_0u:-8,Y_0uu:-4",
        **at,
    )
    N = series(
        "N_v:-264,N_r:-166,N_vvv:1636,N_vvr:-5483,N_vu:-264,N_ru:-166,N_d:-139,N_ddd:45,"
        "N_ud:-278,N_uud:-139,N_vdd:13,N_vvd:-489,N_0:3,N_0u:6,N_0uu:3",
        **at,
    )
    moment = 798 * -0.023
    M = np.array([[798 + 748, moment + 9.354], [moment - 4.646, 39.2 + 43.8]])
    turned = np.linalg.solve(M, [Y, N]) * U**2 / L * np.array([1, 1 / L])
    requested = min(max(-order, -radians(40)), radians(40)) - d
    rate = min(max(requested, -radians(5)), radians(5))
    ship = load(INPUTS / "mariner", peer_compat=peer)
    x = np.array([0, 0, 0, 0, 0, 0, U0 + u, v, 0, 0, 0, r, -d])
    dx = ship.derivative(x, [order], ship.surroundings())
    reference = [X / (798 + 42) * U**2 / L, *turned]
    np.testing.assert_allclose(dx[[6, 7, 11]], reference, rtol=1e-9, atol=1e-14)
    assert dx[12] == pytest.approx(-rate, rel=1e-9)


@seeds
def test_the_container_ship_is_mss_s_anywhere(seed: int) -> None:
    """Son and Nomoto's hull, propeller and rudder, in every direction of turn and heel."""
    rng = np.random.default_rng(seed)
    u, v, p, r, phi, d = rng.uniform(
        [3, -1, -0.05, -0.02, -0.3, -0.17], [11, 1, 0.05, 0.02, 0.3, 0.17]
    )
    n, L, D = rng.uniform(0.5, 2.5), 175.0, 6.533
    U = sqrt(u * u + v * v)
    at = {"u": u / U, "v": v / U, "r": r * L / U, "p": p * L / U, "f": phi}
    a, b, c = at["u"], at["v"], at["r"]
    slip = a * (1 - 0.184 + 1.09 * (b - 0.526 * c) ** 2)
    J = slip * U / (n * D)
    K_T = 0.527 - 0.455 * J
    race = slip * 0.921 * sqrt(1 + 8 * 0.631 * K_T / (pi * J**2))
    side = 0.088 * b - 0.156 * c - 0.275 * c**3 + 1.96 * c * c * b
    F = -6.13 * 1.8219 / (1.8219 + 2.25) * 33.0376 / L**2 * (race**2 + side**2)
    F *= sin(d + atan2(side, race))
    T = 2 * D**4 / (U * L) ** 2 * K_T * n * n
    m, m_x, m_y = 0.00792, 0.000238, 0.007049
    X = series("X_uu:-.0004226,X_vr:-.00311,X_rr:.0002,X_ff:-.0002,X_vv:-.00386", **at)
    X += (1 - 0.175) * T + 0.71 * F * sin(d) + (m + m_y) * b * c
    Y = series(
        "Y_v:-.0116,Y_r:.00242,Y_f:-.000063,Y_vvv:-.109,Y_rrr:.00177,Y_vvr:.0214,Y_vrr:-.0405,"
        "Y_vvf:.04605,Y_vff:.00304,Y_rrf:.009325,Y_rff:-.001368",
        **at,
    )
    Y += 1.237 * F * cos(d) - (m + m_x) * a * c
    K = series(
        "K_v:.0003026,K_r:-.000063,K_p:-.0000075,K_f:-.000021,K_vvv:.002843,K_rrr:-.0000462,"
        "K_vvr:-.000588,K_vrr:.0010565,K_vvf:-.0012012,K_vff:-.0000793,K_rrf:-.000243,"
        "K_rff:.00003569",
        **at,
    )
    K += m_x * 0.0313 * a * c - 1.237 * 0.033 * F * cos(d)
    K -= 9.81 * 21222 / (L**2 * U**2 / 2) * 0.3 / L * phi
    N = series(
        "N_v:-.0038545,N_r:-.00222,N_p:.000213,N_f:-.0001424,N_vvv:.001492,N_rrr:-.00229,"
        "N_vvr:-.0424,N_vrr:.00156,N_vvf:-.019058,N_vff:-.0053766,N_rrf:-.0038592,N_rff:.0024195",
        **at,
    )
    N += (-0.5 - 0.237 * 0.48) * F * cos(d)
    rolls, yaws = -m_y * 0.0313, m_y * 0.05
    M = [[m + m_y, rolls, yaws], [rolls, 0.0000176 + 0.0000034, 0], [yaws, 0, 0.000456 + 0.000419]]
    turned = np.linalg.solve(M, [Y, K, N]) * U**2 / L * np.array([1, 1 / L, 1 / L])
    ship = load(INPUTS / "container", peer_compat="mss")
    x = np.array([0, 0, 0, phi, 0, 0.7, u, v, 0, p, 0, r, d, n * 60 * RPM])
    dx = ship.derivative(x, [-1.0, 300 * RPM], ship.surroundings())
    np.testing.assert_allclose(
        dx[[6, 7, 9, 11]], [X / (m + m_x) * U**2 / L, *turned], rtol=1e-9, atol=1e-14
    )
    requested = -radians(10) - d
    assert dx[12] == pytest.approx(max(requested, -radians(5)), rel=1e-9)
    lag = 5.65 / n if n > 0.3 else 18.83
    assert dx[13] == pytest.approx((160 - 60 * n) * RPM / lag, rel=1e-9)


@seeds
def test_the_semisubmersible_is_pythons_with_every_shaft_beyond_its_stops(seed: int) -> None:
    """Figures as its authors print them, in 1e7 kg and so on; currents turned by yaw only."""
    eta, nu, V, beta = far(seed, 3.0, 0.05, 0.3)
    rng = np.random.default_rng(300 + seed)
    act, cmd = (rng.uniform(-350, 350, 6) for _ in range(2))
    most = np.array([160, 160, 160, 160, 250, 250])
    n = np.clip(act, -most, most)
    push = np.array([3.5, 3.5, 25, 25, 25, 25]) * n * abs(n)
    arms = np.array([30, 20, -20, -30, -42.3, 42.3])
    tau = np.array([push[4:].sum(), push[:4].sum(), 0, 0, 0, arms @ push])
    M = np.diag([0.0044, 0.0069, 0.0048, 4.8191, 6.0417, 6.9241])
    D = np.diag([0.4, 0.3, 3.4, 4884.1, 7138.3, 865.6]) * 1e6
    for i, j, mass, drag in (
        (0, 4, -0.0785, -8.5),
        (1, 3, 0.0895, 6.7),
        (1, 5, -0.0014, -0.2),
        (2, 4, 0.0014, 1.7),
        (3, 5, -0.0265, -3.4),
    ):
        M[i, j] = M[j, i] = mass
        D[i, j] = D[j, i] = drag * 1e6
    G = 1e10 * np.array([0, 0, 0.0006, 1.4296, 2.6212, 0])
    rate = np.linalg.solve(1e10 * M, tau - D @ (nu - current(V, beta, eta[5])) - G * eta)
    vessel = load(INPUTS / "semisub", peer_compat="pvs")
    x = np.concatenate((eta, nu, act * RPM))
    around = vessel.surroundings((V * cos(beta), V * sin(beta), 0.0))
    ours = vessel.euler_step(x, cmd * RPM, around, DT)
    np.testing.assert_allclose(ours[6:12], nu + DT * rate, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours[12:] / RPM, n + DT * (cmd - n), rtol=1e-9)
