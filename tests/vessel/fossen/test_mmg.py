"""The MMG standard method: two independent counterparts, and its behaviour outside of them."""

from __future__ import annotations

import csv
from itertools import pairwise
from math import atan2, cos, exp, hypot, pi, radians, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy.integrate import solve_ivp

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow  # it compiles
ROOT = Path(__file__).parents[3]
LIKE_SHIPMMG = {  # see tests/reference/sea_trials/README.md
    "thrusters.thrusters.1.wake": 0.0,
    "hydrodynamics.C_2_plus": 1.0,
    "hydrodynamics.C_2_minus": 1.0,
    "geometry.x_G": 0.0,
}


def files(name: str) -> dict[str, float]:
    """Return the numbers of a vessel's files, by key."""
    found: dict[str, float] = {}
    for file in ("geometry", "inertia", "hydrodynamics"):
        found |= yaml.safe_load((ROOT / "inputs" / name / f"{file}.yml").read_text())
    found |= yaml.safe_load((ROOT / "inputs" / name / "thrusters.yml").read_text())["thrusters"][0]
    return found


def series(f: dict[str, float], u: float, v: float, r: float) -> tuple[Floats, float]:
    """Return X, Y, N of the hull over rho L d / 2 from u, v and r L, and the wake over 1 - w_P0.

    Source: Yasukawa and Yoshimura (2015), equations 8 and 13 to 15.
    """
    U, beta = hypot(u, v), atan2(-v, u)
    v_, r_ = v / U, r / U
    beta_P = beta - f["x_P"] * r_
    C_2 = f["C_2_plus"] if beta_P > 0 else f["C_2_minus"]

    def terms(names: str) -> float:
        """Return the sum of the terms of an axis, the letters of a name being its factors."""
        return sum(
            f[name] * v_ ** name[2:].count("v") * r_ ** name[2:].count("r")
            for name in names.split()
        )

    X = terms("X_vv X_vr X_rr X_vvvv") - f["R_0"]
    Y = terms("Y_v Y_r Y_vvv Y_vvr Y_vrr Y_rrr")
    N = terms("N_v N_r N_vvv N_vvr N_vrr N_rrr")
    return U**2 * np.array([X, Y, N]), 1 + (1 - exp(-f["C_1"] * abs(beta_P))) * (C_2 - 1)


def low_speed(f: dict[str, float], u: float, v: float, r: float) -> tuple[Floats, float]:
    """Return what ``series`` does: the cross flow by Gauss' rule, exact on each side of its zero.

    Source: Yoshimura, Nakao and Ishibashi (2009), as Miyauchi and others (2022) have it.
    """
    nodes, weights = np.polynomial.legendre.leggauss(3)

    def drag(weight: float) -> tuple[float, float]:
        ends = (-0.5, min(max(-v / (weight * r), -0.5), 0.5), 0.5)
        sums = np.zeros(2)
        for low, high in pairwise(ends):
            x = (low + high + (high - low) * nodes) / 2
            s = v + weight * r * x
            sums += (
                (high - low) / 2 * np.array([weights @ (abs(s) * s), weights @ (abs(s) * s * x)])
            )
        return float(sums[0]), float(sums[1])

    U, aside = hypot(u, v), (v + f["x_P"] * r) / hypot(u, v)
    R = f["R_0"] + (f["R_astern"] - f["R_0"]) * abs(atan2(v, u)) / pi
    X = -R * u * U + f["X_vr"] * v * r
    Y = f["Y_v"] * v * abs(u) + f["Y_r"] * r * u - f["C_D"] * drag(f["C_rY"])[0]
    N = f["N_v"] * v * u + f["N_r"] * r * abs(u) - f["C_D"] * drag(f["C_rN"])[1]
    w_P = f["wake"] - f["tau"] * abs(aside) - f["C_P"] * aside**2
    return np.array([X, Y, N]), min(1 - w_P, 1) / (1 - f["wake"])


def derived(f: dict[str, float], rho: float, n: float, delta: float, x: Floats) -> Floats:
    """Return the rates of x, y, psi, u, v, r: dimensional, from the equations of the paper.

    Source: Yasukawa and Yoshimura (2015), equations 4 and 16 to 24.
    """
    psi, u, v, r = x[2:]
    L, d, D, x_G = f["length"], f["draft"], f["D_prop"], f["x_G"]
    U, beta = hypot(u, v), atan2(-v, u)
    hull, factor = (low_speed if "C_D" in f else series)(f, u, v, r * L)
    u_P = u * (1 - f["wake"]) * factor
    J = u_P / (n * D)
    K_T = f["k_0"] + f["k_1"] * J + f["k_2"] * J**2
    beta_R = beta - f["l_R"] * r * L / U
    v_R = U * beta_R * (f["gamma_R_minus"] if beta_R < 0 else f["gamma_R_plus"])
    eta, kappa = D / f["H_R"], f["kappa"]
    jet = eta * (1 + kappa * (sqrt(1 + 8 * K_T / (pi * J**2)) - 1)) ** 2 + 1 - eta
    u_R = f["epsilon"] * u_P * sqrt(jet)
    area, slope = f["A_R"], f["f_alpha"]
    F_N = 0.5 * rho * area * (u_R**2 + v_R**2) * slope * sin(delta - atan2(v_R, u_R))

    X, Y, N = 0.5 * rho * L * d * hull * [1, 1, L]
    X += (1 - f["tp"]) * rho * n**2 * D**4 * K_T - (1 - f["t_R"]) * F_N * sin(delta)
    Y -= (1 + f["a_H"]) * F_N * cos(delta)
    N -= (f["x_R"] + f["a_H"] * f["x_H"]) * L * F_N * cos(delta)
    m, unit = f["mass"], 0.5 * rho * L**2 * d
    m_x, m_y, J_z = unit * f["m_x"], unit * f["m_y"], unit * L**2 * f["J_z"]
    I_z = m * (f["k_zz"] * L) ** 2
    mass = np.array([[m + m_x, 0, 0], [0, m + m_y, x_G * m], [0, x_G * m, I_z + x_G**2 * m + J_z]])
    force = [X + (m + m_y) * v * r + x_G * m * r**2, Y - (m + m_x) * u * r, N - x_G * m * u * r]
    place = [u * cos(psi) - v * sin(psi), u * sin(psi) + v * cos(psi), r]
    return np.concatenate((place, np.linalg.solve(mass, force)))


@pytest.mark.parametrize("name", ["kvlcc2", "kvlcc2_l7", "esso_osaka_l3"])
@pytest.mark.parametrize("rudder", [35.0, -20.0])
def test_a_turn_is_that_of_a_second_derivation(name: str, rudder: float) -> None:
    """Integrated by scipy, through the kinks where the drift changes sign."""
    ship, f, delta = load(ROOT / "inputs" / name), files(name), radians(rudder)
    x = ship.initial.copy()
    x[[5, 7, 11, 12]] = 0.3, 0.02 * x[6], -0.1 * x[6] / f["length"], delta
    n, moves = x[13] / (2 * pi), [0, 1, 5, 6, 7, 11]
    time = 10 * f["length"] / x[6]
    around = ship.surroundings()
    found = ship.step(x, [delta, x[13]], around, time / 40000, 40000)[moves]
    expected = solve_ivp(
        lambda t, y: derived(f, ship.density, n, delta, y),
        (0.0, time),
        x[moves],
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
    ).y[:, -1]
    assert abs(expected[2]) > 2.0
    assert found == pytest.approx(expected, rel=1e-8)


def test_turns_are_those_of_shipmmg() -> None:
    ship = load(ROOT / "inputs/kvlcc2_l7", overrides=LIKE_SHIPMMG)
    with (ROOT / "tests/reference/sea_trials/shipmmg_kvlcc2_l7.csv").open() as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    around, x = ship.surroundings(), np.zeros(14)
    for rudder, t, *expected in rows:
        command = [radians(rudder), 20 * pi]
        if t == 0.0:
            x = np.zeros(14)
            x[[6, 7, 11]], x[12:] = expected[:3], command
        else:
            x = ship.step(x, command, around, 0.01, 500)
        assert x[[6, 7, 11, 0, 1, 5]] == pytest.approx(expected, rel=1e-7, abs=1e-9)


def test_the_published_shaft_speed_is_in_balance() -> None:
    """At U the thrust (1 - t_P) rho n² D⁴ K_T equals R_0' rho L d U² / 2: a quadratic in n."""
    for name in ("kvlcc2", "kvlcc2_l7"):
        f, ship = files(name), load(ROOT / "inputs" / name)
        U, D = ship.initial[6], f["D_prop"]
        u_P, hull = U * (1 - f["wake"]), f["R_0"] * f["length"] * f["draft"] * U**2 / 2
        thrust = (1 - f["tp"]) * D**2
        roots = np.roots([thrust * f["k_0"] * D**2, thrust * f["k_1"] * D * u_P,
                          thrust * f["k_2"] * u_P**2 - hull])  # fmt: skip
        assert 60 * roots.max() == pytest.approx(f["n_max"], rel=2e-3)


@pytest.mark.parametrize("name", ["kvlcc2_l7", "esso_osaka_l3"])
def test_outside_of_captive_tests_forces_are_finite_and_continuous(name: str) -> None:
    """Through rest, astern and sideways, and with a shaft of either direction."""
    ship = load(ROOT / "inputs" / name)
    around, rates = ship.surroundings(), []
    for u in np.linspace(-1.2, 1.2, 2401):
        x = np.zeros(14)
        x[6], x[7], x[11], x[12], x[13] = u, 0.1, 0.02, 0.3, 40.0
        rates.append(ship.derivative(x, x[12:], around)[6:12])
    steps = np.abs(np.diff(rates, axis=0)).max(axis=0)
    assert np.isfinite(rates).all()
    assert (steps[[0, 1, 5]] < [2e-3, 2e-3, 2e-3]).all()


def test_a_shaft_without_diameter_is_refused() -> None:
    key = "thrusters.thrusters.1.D_prop"
    with pytest.raises(InvalidValue, match="expected a number above 0"):
        load(ROOT / "inputs/kvlcc2", overrides={key: 0})
