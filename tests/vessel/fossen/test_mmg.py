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
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.inertia import inertia_of
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow  # it compiles
ROOT = Path(__file__).parents[3]
ROLL: dict[str, float] = yaml.safe_load(  # depths over the draught
    """{breadth: 1.1688, GM: 0.016, k_xx: 0.25, J_x: 2.0e-6, alpha_z: 0.17, z_G: -0.24, z_H: 0.5,
    z_R: 0.56, z_P: 0.55, extinction_a: 0.228, extinction_b: 0.0068, X_vphi: 0.02, X_rphi: 0.0205,
    X_phiphi: 0.0013, Y_phi: -0.0157, Y_vvphi: 0.5748, Y_vrphi: 0.1, Y_rrphi: -0.0642,
    Y_vphiphi: 0.2288, Y_rphiphi: -0.1759, N_phi: -0.0137, N_vvphi: -0.2948, N_vrphi: 0.05,
    N_rrphi: -0.012, N_vphiphi: -0.0271, N_rphiphi: 0.1383}"""
)
"""Terms of the roll: most are those of a KCS in the open program shipmmg_4dof_in_waves."""
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


def series(f: dict[str, float], u: float, v: float, r: float, shaft: float) -> tuple[Floats, float]:
    """Return X, Y, N of the hull over rho L d / 2 from u, v and r L, and the wake over 1 - w_P0.

    ``shaft`` is the speed of the shaft to port due to the roll.

    Source: Yasukawa and Yoshimura (2015), equations 8 and 13 to 15.
    """
    U, beta = hypot(u, v), atan2(-v, u)
    v_, r_ = v / U, r / U
    beta_P = beta - f["x_P"] * r_ + shaft / U
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


def low_speed(
    f: dict[str, float], u: float, v: float, r: float, shaft: float
) -> tuple[Floats, float]:
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

    U, aside = hypot(u, v), (v + f["x_P"] * r - shaft) / hypot(u, v)
    R = f["R_0"] + (f["R_astern"] - f["R_0"]) * abs(atan2(v, u)) / pi
    X = -R * u * U + f["X_vr"] * v * r
    Y = f["Y_v"] * v * abs(u) + f["Y_r"] * r * u - f["C_D"] * drag(f["C_rY"])[0]
    N = f["N_v"] * v * u + f["N_r"] * r * abs(u) - f["C_D"] * drag(f["C_rN"])[1]
    w_P = f["wake"] - f["tau"] * abs(aside) - f["C_P"] * aside**2
    return np.array([X, Y, N]), min(1 - w_P, 1) / (1 - f["wake"])


def by_heel(f: dict[str, float], v_: float, r_: float, phi: float) -> Floats:
    """Return X, Y, N of the hull due to heel, over rho L d U² / 2.

    Source: Yasukawa, Sakuno and Yoshimura (2019): the letters of a name are its factors.
    """

    def terms(axis: str) -> float:
        found = 0.0
        for name in (n for n in f if n.startswith(f"{axis}_") and "phi" in n):
            of_motion = name[2:].replace("phi", "")
            powers = of_motion.count("v"), of_motion.count("r"), name.count("phi")
            found += f[name] * v_ ** powers[0] * r_ ** powers[1] * phi ** powers[2]
        return found

    return np.array([terms("X"), terms("Y"), terms("N")])


def derived(f: dict[str, float], rho: float, n: float, delta: float, x: Floats) -> Floats:
    """Return the rates of x, y, psi, phi, u, v, r, p in level axes: dimensional, from the papers.

    Source: Yasukawa and Yoshimura (2015), equations 4 and 16 to 24; with roll (2019).
    """
    psi, phi, u, v, r, p = x[2:]
    depth = {
        name: f.get(name, 0.0) * f["draft"] for name in ("z_G", "z_H", "z_R", "z_P", "alpha_z")
    }
    L, d, D, x_G = f["length"], f["draft"], f["D_prop"], f["x_G"]
    U, beta = hypot(u, v), atan2(-v, u)
    hull, factor = (low_speed if "C_D" in f else series)(f, u, v, r * L, p * depth["z_P"])
    hull += U**2 * by_heel(f, v / U, r * L / U, phi)
    u_P = u * (1 - f["wake"]) * factor
    J = u_P / (n * D)
    K_T = f["k_0"] + f["k_1"] * J + f["k_2"] * J**2
    beta_R = beta - f["l_R"] * r * L / U + depth["z_R"] * p / U
    v_R = U * beta_R * (f["gamma_R_minus"] if beta_R < 0 else f["gamma_R_plus"])
    eta, kappa = D / f["H_R"], f["kappa"]
    jet = eta * (1 + kappa * (sqrt(1 + 8 * K_T / (pi * J**2)) - 1)) ** 2 + 1 - eta
    u_R = f["epsilon"] * u_P * sqrt(jet)
    area, slope = f["A_R"], f["f_alpha"]
    F_N = 0.5 * rho * area * (u_R**2 + v_R**2) * slope * sin(delta - atan2(v_R, u_R))

    X, Y, N = 0.5 * rho * L * d * hull * [1, 1, L]
    X += (1 - f["tp"]) * rho * n**2 * D**4 * K_T - (1 - f["t_R"]) * F_N * sin(delta)
    Y_R = -(1 + f["a_H"]) * F_N * cos(delta) * cos(phi)
    K = -depth["z_H"] * Y - depth["z_R"] * Y_R
    N -= (f["x_R"] + f["a_H"] * f["x_H"]) * L * F_N * cos(delta) * cos(phi)
    m, unit = f["mass"], 0.5 * rho * L**2 * d
    m_x, m_y, J_z = unit * f["m_x"], unit * f["m_y"], unit * L**2 * f["J_z"]
    I_z, I_x, z_G = m * (f["k_zz"] * L) ** 2, 1.0, depth["z_G"]
    if "GM" in f:
        I_x = m * (f["k_xx"] * f["breadth"]) ** 2 + unit * L**2 * f["J_x"]
        weight = m * 9.81 * f["GM"]
        K -= weight * phi + 2 / pi * f["extinction_a"] * sqrt(weight * I_x) * p
        K -= 0.75 * f["extinction_b"] * 180 / pi * I_x * p * abs(p)
    # momenta of the rigid body: its CG moves aside with v + x_G r - z_G p
    aside = np.array([1, x_G, -z_G])  # by v, r, p
    mass = m * np.outer(aside, aside) + np.diag([m_y, I_z + J_z, I_x])
    mass[0, 2] -= m_y * depth["alpha_z"]
    mass[2, 0] -= m_y * depth["alpha_z"]
    turning = np.array([Y + Y_R - m_x * u * r, N, K]) - m * u * r * aside
    if "GM" not in f:
        mass, turning = mass[:2, :2], turning[:2]
    surge = X + m_y * v * r + m * r * aside @ [v, r, p]
    rates = np.append(np.linalg.solve(mass, turning), 0.0)[:3]
    place = [u * cos(psi) - v * sin(psi), u * sin(psi) + v * cos(psi), r, p]
    return np.concatenate((place, [surge / (m + m_x)], rates))


def with_roll(**changed: float) -> dict[str, object]:
    """Return the overrides of the model of the KVLCC2 that rolls."""
    keys = ROLL | changed
    return {f"{'geometry' if k == 'breadth' else 'hydrodynamics'}.{k}": v for k, v in keys.items()}


SHIPS = [("kvlcc2", {}), ("kvlcc2_l7", {}), ("esso_osaka_l3", {}), ("kvlcc2_l7", ROLL)]


@pytest.mark.parametrize(
    ("name", "roll", "rudder"),
    [("kvlcc2", {}, -20.0), ("esso_osaka_l3", {}, 35.0), ("kvlcc2_l7", ROLL, 35.0)],
)
def test_a_turn_is_that_of_a_second_derivation(
    name: str, roll: dict[str, float], rudder: float
) -> None:
    """Integrated by scipy, through the kinks where the drift changes sign."""
    ship = load(ROOT / "inputs" / name, overrides=with_roll() if roll else {})
    f, delta = files(name) | roll, radians(rudder)
    x = ship.initial.copy()
    v, r, phi, p = 0.02 * x[6], -0.1 * x[6] / f["length"], 0.1 * bool(roll), 0.05 * bool(roll)
    x[[3, 5, 9, 12]] = phi, 0.3, p, delta
    x[[7, 8, 10, 11]] = v * cos(phi), -v * sin(phi), r * sin(phi), r * cos(phi)
    n, start = x[13] / (2 * pi), [*x[[0, 1, 5, 3, 6]], v, r, p]
    time = 10 * f["length"] / x[6]
    around = ship.surroundings()
    found = ship.step(x, [delta, x[13]], around, time / 40000, 40000)
    expected = solve_ivp(
        lambda t, y: derived(f, ship.density, n, delta, y),
        (0.0, time),
        start,
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
    ).y[:, -1]
    phi, v, r = expected[3], expected[5], expected[6]
    assert abs(expected[2]) > 2.0
    assert not roll or abs(np.degrees(phi)) > 3.0
    assert found[[0, 1, 5, 3, 6, 9]] == pytest.approx(expected[[0, 1, 2, 3, 4, 7]], rel=1e-8)
    body = [v * cos(phi), -v * sin(phi), r * sin(phi), r * cos(phi)]
    assert found[[7, 8, 10, 11]] == pytest.approx(body, rel=1e-8, abs=1e-14)


@pytest.mark.parametrize(("name", "roll"), SHIPS)
def test_rates_are_those_of_a_second_derivation(name: str, roll: dict[str, float]) -> None:
    """At any drift, yaw rate and rudder of either side; at any heel of a ship that rolls."""
    ship = load(ROOT / "inputs" / name, overrides=with_roll() if roll else {})
    f, rng, around = files(name) | roll, np.random.default_rng(5), ship.surroundings()
    speed, shaft = ship.initial[[6, 13]]
    for _ in range(50):
        u, v, r, p = speed * np.array([1.0, 0.2, 0.5, 0.3]) * rng.uniform([0.6, -1, -1, -1], 1.0)
        r, p, phi = r / f["length"], p * bool(roll), rng.uniform(-0.6, 0.6) * bool(roll)
        x = np.zeros(14)
        x[[3, 5, 6, 9]], x[12:] = (
            (phi, rng.normal(), u, p),
            rng.uniform([-0.6, 0.6 * shaft], [0.6, shaft]),
        )
        x[[7, 8, 10, 11]] = v * cos(phi), -v * sin(phi), r * sin(phi), r * cos(phi)
        dx, state = ship.derivative(x, x[12:], around), np.array([0, 0, x[5], phi, u, v, r, p])
        found = [*dx[[0, 1, 5, 3, 6]], dx[7] * cos(phi) - dx[8] * sin(phi)]
        found += [dx[11] * cos(phi) + dx[10] * sin(phi), dx[9]]
        expected = derived(f, ship.density, x[13] / (2 * pi), x[12], state)
        assert np.array(found) == pytest.approx(expected, rel=1e-10, abs=1e-13)


def test_without_moments_in_roll_the_motion_is_that_of_three_degrees_of_freedom() -> None:
    """Bit for bit: with GM, gyration and damping, but no depths."""
    roll = with_roll() | {key: 0.0 for key in with_roll() if "phi" in key or ".z_" in key}
    roll["hydrodynamics.alpha_z"] = 0.0
    tracks = []
    for changed in ({}, roll):
        ship = load(ROOT / "inputs/kvlcc2_l7", overrides=changed)
        x = ship.step(ship.initial, [0.4, 50.0], ship.surroundings((0.3, 0.2, 0.0)), 0.05, 1000)
        tracks.append(x)
    assert (tracks[0] == tracks[1]).all()


def test_a_free_roll_has_the_closed_form_s_period_and_extinction_curve() -> None:
    """At rest with CG amidships: m g GM over the inertia about the point where sway is free."""
    still = {"R_0": 0.0, "Y_v": 0.0, "Y_vvv": 0.0, "N_v": 0.0, "f_alpha": 0.0, "extinction_b": 0.0}
    changed = with_roll(**still) | {"geometry.x_G": 0.0}
    f = files("kvlcc2_l7") | ROLL
    unit, m, draft = 0.5 * 1000 * f["length"] ** 2 * f["draft"], f["mass"], f["draft"]
    m_y, z_G = unit * f["m_y"], f["z_G"] * draft
    I_x = m * (f["k_xx"] * f["breadth"]) ** 2 + unit * f["length"] ** 2 * f["J_x"]
    coupled = m_y * f["alpha_z"] * draft + m * z_G
    inertia, weight = I_x + m * z_G**2 - coupled**2 / (m + m_y), m * 9.81 * f["GM"]
    damping = f["extinction_a"] / pi * sqrt(I_x / inertia)
    period = 2 * pi * sqrt(inertia / weight / (1 - damping**2))
    heels = half_rolls(load(ROOT / "inputs/kvlcc2_l7", overrides=changed), period / 2)
    assert heels[2] / heels[0] == pytest.approx(exp(-2 * pi * damping / sqrt(1 - damping**2)), 1e-3)
    # uncoupled, one half roll takes a + b phi of its mean amplitude (degrees)
    alone = with_roll(**still) | {f"hydrodynamics.{name}": 0.0 for name in ("z_G", "alpha_z")}
    alone |= {"geometry.x_G": 0.0, "hydrodynamics.extinction_b": 0.0068}
    alone["hydrodynamics.extinction_a"] = 0.02
    degrees = np.degrees(
        half_rolls(load(ROOT / "inputs/kvlcc2_l7", overrides=alone), pi * sqrt(I_x / weight))
    )
    for before, after in pairwise(np.abs(degrees)):
        mean = (before + after) / 2
        assert (before - after) / mean == pytest.approx(0.02 + 0.0068 * mean, rel=0.01)


def test_the_inertia_of_a_ship_that_rolls_is_that_of_its_equations() -> None:
    """Heeled at rest, only the moment of the weight acts: M nu_dot = -m g GM phi in roll."""
    ship, f = load(ROOT / "inputs/kvlcc2_l7", overrides=with_roll()), files("kvlcc2_l7") | ROLL
    x, phi = np.zeros(14), 1e-3
    x[3] = phi
    tau = inertia_of(ship) @ ship.derivative(x, x[12:], ship.surroundings())[6:12]
    weight = f["mass"] * 9.81 * f["GM"]
    assert tau == pytest.approx([0, 0, 0, -weight * phi, 0, 0], rel=1e-5, abs=1e-5 * weight * phi)


def half_rolls(ship: Dynamics, half: float) -> Floats:
    """Return heels [rad] at four instants half a period apart, from 5 degrees at rest."""
    x = np.zeros(14)
    x[3] = radians(5.0)
    heels = [x[3]]
    for _ in range(3):
        x = ship.step(x, [0.0, 0.0], ship.surroundings(), half / 400, 400)
        heels.append(x[3])
    return np.array(heels)


def test_the_steady_heel_in_a_turn_balances_the_moments() -> None:
    """With hull and rudder at one depth z, m g GM phi = (m z_G - (m + m_x) z) u r."""
    f = files("kvlcc2_l7") | ROLL
    ship = load(ROOT / "inputs/kvlcc2_l7", overrides=with_roll(z_R=f["z_H"]))
    x = ship.step(ship.initial, [0.4, ship.initial[13]], ship.surroundings(), 0.05, 8000)
    m, draft = f["mass"], f["draft"]
    m_x = 0.5 * 1000 * f["length"] ** 2 * draft * f["m_x"]
    turning = x[6] * x[11] / cos(x[3])
    heel = (m * f["z_G"] - (m + m_x) * f["z_H"]) * draft * turning / (m * 9.81 * f["GM"])
    assert heel < radians(-3.0)  # to port, outwards
    assert x[3] == pytest.approx(heel, rel=1e-6)


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


def test_a_term_of_the_roll_without_gm_is_refused() -> None:
    with pytest.raises(InvalidValue, match=r"z_H: 0.5: expected GM beside it"):
        load(ROOT / "inputs/kvlcc2_l7", overrides={"hydrodynamics.z_H": 0.5})
