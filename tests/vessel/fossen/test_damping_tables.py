"""Damping by heel, by a table of products, and by a measured resistance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load, mistakes_of
from steerageway.vessel.tools.inertia import mass_of
from tests.vessel.fossen.folders import SHIP, written

pytestmark = pytest.mark.slow
INPUTS = Path(__file__).parents[3] / "inputs"
M, G, VOLUME, GM = 1014.0 * 357.0, 9.81, 357.0, 1.1
X_G, Z_G = -3.38, -1.06
NAVAL = {
    "vessel": "active_dof: [1, 1, 0, 1, 0, 1]\ndensity: 1014\n",
    "geometry": "length: 51.5\nbreadth: 8.6\ndraft: 2.3\n",
    "inertia": f"""
mass: {M}
inertia_matrix:
  - [{M}, 0, 0, 0, 0, 0]
  - [0, {M}, 0, {-M * Z_G}, 0, {M * X_G}]
  - [0, 0, {M}, 0, 0, 0]
  - [0, {-M * Z_G}, 0, 2.3763e+6, 0, 0]
  - [0, 0, 0, 0, 40.0e+6, 0]
  - [0, {M * X_G}, 0, 0, 0, 47.934e+6]
""",
    # centripetal forces stand among the coefficients, as in the source
    "hydrodynamics": f"""
coriolis_flag: false
restoring: {{waterplane_area: 300, GM_T: {GM}, GM_L: 90}}
X_ud: -17400
Y_vd: -393000
K_pd: -774000
N_rd: -38.7e+6
X_u_au: -1960
X_vr: {1.33 * M}
X_rr: {X_G * M}
X_pr: {-Z_G * M}
Y_au_v: -11800
Y_ur: {131000 - M}
Y_v_av: -3700
Y_v_ar: -794000
Y_av_r: -182000
Y_phi_au_av: 10800
Y_phi_au_ar: 251000
Y_phi_uu: -74
K_au_v: 9260
K_ur: {-102000 + M * Z_G}
K_v_av: 29300
K_v_ar: 621000
K_av_r: 142000
K_phi_au_av: -8400
K_phi_au_ar: -196000
K_phi_uu: -1180
K_au_p: -15500
K_p_ap: -416000
K_p: -500000
K_phiphiphi: {-0.325 * M * G}
N_au_v: -92000
N_au_r: -4.71e+6
N_r_ar: -2.02e+8
N_av_r: -1.56e+7
N_phi_au_aphi: -214000
N_phi_u_ar: -4.98e+6
N_phi_u_au: -8000
N_ur: {-M * X_G}
""",
}


def forces(vessel, x):
    """Return the forces (6,) of a hull at a state."""
    return mass_of(vessel).M @ vessel.derivative(x, np.zeros(0), vessel.surroundings())[6:12]


def naval_forces(u, v, p, r, b):
    """Return X, Y, K, N of the naval vessel's hull; see ``test_naval``, where it is compared."""
    ship = load(INPUTS / "navalvessel")
    x = ship.initial.copy()
    x[6:12], x[3] = [u, v, 0, p, 0, r], b
    x[12:] = 0.0
    rates = ship.derivative(x, np.zeros(4), ship.surroundings())
    own = np.linalg.inv(ship.parameters[0][np.ix_([0, 1, 3, 5], [0, 1, 3, 5])])
    return own @ rates[[6, 7, 9, 11]]


def test_a_vessel_of_coefficients_by_heel_is_the_published_one(tmp_path):
    hull, rng = load(written(tmp_path, NAVAL)), np.random.default_rng(4)
    for _ in range(50):
        u, v, p, r, b = rng.uniform(-1, 1, 5) * [10, 2, 0.2, 0.05, 0.5]
        x = hull.initial.copy()
        x[6:12], x[3] = [u, v, 0, p, 0, r], b
        computed = forces(hull, x)[[0, 1, 3, 5]]
        np.testing.assert_allclose(computed, naval_forces(u, v, p, r, b), rtol=1e-9, atol=1e-3)


def test_a_prime_coefficient_by_heel_scales_by_its_velocities_only(tmp_path):
    files = SHIP | {
        "thrusters": "",
        "vessel": "active_dof: [1, 1, 0, 1, 0, 1]\nU: 7\n",
        "hydrodynamics": "dim_flag: false\ncoriolis_flag: false\nY_phi: 0.01\nN_phi_v: 0.02\n"
        "Y_vd: -0.001\nN_rd: -0.0001\nX_ud: -0.0001\nK_pd: -0.0001\n"
        "restoring: {waterplane_area: 3000, GM_T: 1, GM_L: 200}\n",
    }
    hull = load(written(tmp_path, files))
    x = hull.initial.copy()
    x[6:9], x[3] = [5.0, 1.0, 0.0], 0.2
    U2, rho, L = 26.0, 1025.0, 160.0
    computed = forces(hull, x)
    assert computed[1] == pytest.approx(0.5 * rho * L**2 * U2 * 0.01 * 0.2, rel=1e-9)
    U = np.sqrt(U2)
    assert computed[5] == pytest.approx(0.5 * rho * L**3 * U * 0.02 * 0.2 * 1.0, rel=1e-9)


CUBIC = "restoring: {waterplane_area: 3000, GM_T: 1, GM_L: 200, cubic_roll: 5e+8}\nK_pd: -1e+8\n"


def test_a_cubic_righting_moment_adds_to_the_linear_one(tmp_path):
    files = SHIP | {"thrusters": "", "vessel": "active_dof: [1, 0, 0, 1, 0, 0]\n"}
    hull = load(written(tmp_path, files, hydrodynamics=CUBIC))
    x, linear = hull.initial.copy(), 18.5e6 * 9.81 * 1.0
    for phi in (-0.6, 0.1, 0.4):
        x[3] = phi
        expected = -linear * phi - 5e8 * phi**3
        assert forces(hull, x)[3] == pytest.approx(expected, rel=1e-9)


NAMES = {
    "X_u_au: -72.5": "- {axis: X, u: 1, au: 1, coefficient: -72.5}",
    "X_uuu: -3.5": "- {axis: X, u: 3, coefficient: -3.5}",
    "N_av_r: -9.0": "- {axis: N, av: 1, r: 1, coefficient: -9.0}",
    "Y_phi_u_u: 20.0": "- {axis: Y, phi: 1, u: 2, coefficient: 20.0}",
}
OPEN = SHIP | {"thrusters": "", "vessel": ""}


def test_a_table_of_products_matches_the_names(tmp_path):
    mass = "X_ud: -1e+5\nY_vd: -1e+6\nN_rd: -1e+9\n"
    named = load(written(tmp_path, OPEN, hydrodynamics=mass + "\n".join(NAMES)))
    table = "damping_terms:\n" + "\n".join(NAMES.values())
    tabled = load(written(tmp_path, OPEN, hydrodynamics=mass + table))
    rng = np.random.default_rng(2)
    for _ in range(10):
        x = named.initial.copy()
        x[3:12] = rng.uniform(-1, 1, 9)
        np.testing.assert_allclose(forces(tabled, x), forces(named, x), rtol=1e-12, atol=1e-6)


POINTS = [[1.0, 1.3e4], [3.0, 1.0e5], [5.0, 2.9e5], [8.0, 8.0e5]]


def surge(hull, u):
    x = hull.initial.copy()
    x[6] = u
    return float(mass_of(hull).M[0, 0] * hull.derivative(x, np.zeros(0), hull.surroundings())[6])


def measured(folder, more="", points=POINTS):
    text = f"X_ud: -1e+6\nresistance: {{points: {points}{more}}}\n"
    held = "active_dof: [1, 0, 0, 0, 0, 0]\n"
    return load(written(folder, SHIP | {"thrusters": ""}, hydrodynamics=text, vessel=held))


def test_a_measured_resistance_is_met_at_its_points_and_between_them(tmp_path):
    hull = measured(tmp_path)
    for u, force in POINTS:
        assert surge(hull, u) == pytest.approx(-force, rel=1e-9)
        assert surge(hull, -u) == pytest.approx(force, rel=1e-9)
    assert surge(hull, 4.0) == pytest.approx(-1.95e5, rel=1e-9)
    assert surge(hull, 0.5) == pytest.approx(-0.65e4, rel=1e-9)
    assert surge(hull, 0.0) == 0.0
    assert surge(hull, 16.0) == pytest.approx(-4 * 8.0e5, rel=1e-9)


def test_a_resistance_measured_astern_too_has_its_own_points(tmp_path):
    hull = measured(tmp_path, points=[[-4.0, -3e5], [-2.0, -9e4], [2.0, 4e4], [4.0, 1.6e5]])
    assert surge(hull, -3.0) == pytest.approx(1.95e5, rel=1e-9)
    assert surge(hull, 3.0) == pytest.approx(-1.0e5, rel=1e-9)
    assert surge(hull, -8.0) == pytest.approx(4 * 3e5, rel=1e-9)


def test_a_fit_is_the_least_squares_polynomial_and_opposes_both_ways(tmp_path):
    points = [[1.0, 1.25e4], [3.0, 9.4e4], [5.0, 2.62e5], [8.0, 6.5e5]]
    u, force = np.array(points).T
    a = np.linalg.lstsq(np.column_stack((u, u * abs(u))), force, rcond=None)[0]
    assert (a > 0).all()
    hull = measured(tmp_path, ", fit: 2", points)
    for speed in (-6.0, 0.7, 2.0, 7.5):
        expected = -(a[0] * speed + a[1] * speed * abs(speed))
        assert surge(hull, speed) == pytest.approx(expected, rel=1e-9)


def test_a_resistance_may_come_from_a_file(tmp_path):
    rows = "\n".join(f"{u},{force}" for u, force in POINTS)
    (tmp_path / "tank.csv").write_text(f"speed,force\n{rows}\n")
    text = "X_ud: -1e+6\nresistance: {file: tank.csv}\n"
    hull = load(
        written(
            tmp_path,
            SHIP | {"thrusters": ""},
            hydrodynamics=text,
            vessel="active_dof: [1, 0, 0, 0, 0, 0]\n",
        )
    )
    assert surge(hull, 5.0) == pytest.approx(-2.9e5, rel=1e-9)


def test_a_maintained_speed_uses_the_measured_resistance(tmp_path):
    text = f"X_ud: -1e+6\nresistance: {{points: {POINTS}}}\n"
    own = "active_dof: [1, 0, 0, 0, 0, 0]\nU: 5\nmaintain_speed: true\n"
    hull = load(written(tmp_path, SHIP | {"thrusters": ""}, hydrodynamics=text, vessel=own))
    assert surge(hull, 5.0) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("resistance: {points: [[1, 5]]}", "points: 1 points of speeds .1.0., not ascending"),
        ("resistance: {points: [[1, 5], [2, -9]]}", "points: -9 N at 2 m/s accelerates the hull"),
        ("resistance: {points: [[-1, 5], [2, 9]]}", "points: 5 N at -1 m/s accelerates the hull"),
        ("resistance: {points: [[0, 5], [2, 9]]}", "points: 5 N at 0 m/s accelerates the hull"),
        ("resistance: {points: [[2, 5], [1, 9]]}", "points: 2 points of speeds"),
        ("resistance: {points: [[1, 100], [2, 3], [3, 900]], fit: 2}", "fit: 2: -.*fewer powers"),
        (
            "resistance: {points: [[1, 5], [2, 9]], fit: 4}",
            "fit = 4: expected a whole number from 0 to 3",
        ),
        ("resistance: {curve: a}", "curve|points"),
        ("damping_terms: [{axis: X, u: 1.5, coefficient: -1}]", "u: 1.5: expected a whole number"),
        ("damping_terms: [{axis: X, coefficient: -1}]", "axis: X of 0 factors: expected powers"),
        ("damping_terms: [{axis: X, u: 5, v: 1, coefficient: 1}]", "axis: X of 6 factors"),
        ("damping_terms: [{axis: W, u: 1, coefficient: -1}]", "axis = W: expected one of X, Y"),
        ("damping_terms: [{axis: X, u: 1}]", "coefficient is missing"),
        ("damping_terms: [{axis: X, up: 1, coefficient: 1}]", "up|factors"),
    ],
)
def test_an_error_in_a_table_is_reported_and_check_reports_all(tmp_path, text, expected):
    folder = written(tmp_path, OPEN, hydrodynamics=f"X_ud: -1e+5\n{text}\n")
    with pytest.raises(InvalidValue, match=expected):
        load(folder)
    assert mistakes_of(folder)
