"""Thrusters of a vessel folder: dynamics, and thrust by their tables."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.inertia import mass_of

INPUTS = Path(__file__).parents[3] / "inputs"
RPM = np.pi / 30
pytestmark = pytest.mark.slow  # they compile


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_revolutions_azimuths_and_tunnel_keep_the_rate_limits_of_their_files(sign):
    """7200 rpm, 126 degrees and twice full thrust a second, and then they stand still."""
    tug = load(INPUTS / "tito_neri")
    names = [c.name for c in tug.commands]
    fast = {"th_1": 7200 * RPM, "th_3": 2.0, "az_1": np.radians(126), "az_2": np.radians(126)}
    given = np.array([sign * 0.9 * c.high for c in tug.commands])
    x, calm = tug.initial.copy(), tug.surroundings()
    x[12:] = 0.0
    for k in range(1, 400):
        x = tug.step(x, given, calm, 0.005)
        for name, rate in fast.items():
            i = names.index(name)
            reached = sign * min(rate * 0.005 * k, abs(given[i]))
            assert x[12 + i] == pytest.approx(reached, abs=1e-9)
    np.testing.assert_allclose(x[12:], given, rtol=1e-9)


def boat(tmp_path: Path, thruster: str, table: str = ""):
    """Return a vessel of one thruster: sookshma's hull, of which only the mass matters here."""
    for name in ("geometry", "inertia", "initial_conditions"):
        text = (INPUTS / "sookshma" / f"{name}.yml").read_text()
        (tmp_path / f"{name}.yml").write_text(text.partition("geometry_file")[0])
    (tmp_path / "hydrodynamics.yml").write_text("dim_flag: true\nX_u: -1.0\n")
    (tmp_path / "vessel.yml").write_text("density: 1000\n")
    (tmp_path / "curve.csv").write_text(table)
    (tmp_path / "thrusters.yml").write_text(f"thrusters:\n- {{{thruster}}}\n")
    return load(tmp_path)


def push(vessel, n: float, u: float = 0.0):
    """Return the contribution of a shaft speed n [1/s] to the forces (6,), at a speed ahead."""
    x = np.zeros_like(vessel.initial)
    x[6] = u
    turning = x.copy()
    turning[12] = n * 2 * np.pi
    calm = vessel.surroundings()
    rates = vessel.derivative(turning, [n * 2 * np.pi], calm) - vessel.derivative(x, [0.0], calm)
    return mass_of(vessel).M @ rates[6:12]


PROPELLER = (
    "thruster_location: [0, 0, 0], T_prop: 1.0, D_prop: 0.1, tp: 0.1, KT_at_J0: 0.4, n_max: 3000"
)


@pytest.mark.parametrize("J", [0.0, 0.3, 0.5, 0.85])
def test_a_table_of_J_and_KT_takes_the_lines_place(tmp_path, J):
    """K_T (1 - t) rho D^4 n^2; between the table's points it is linear."""
    curve = "J,KT\n0.0,0.40\n0.4,0.32\n0.6,0.20\n1.0,0.0\n"
    vessel = boat(tmp_path, f"{PROPELLER}, J_vs_KT: curve.csv", curve)
    K_T = np.interp(J, [0.0, 0.4, 0.6, 1.0], [0.40, 0.32, 0.20, 0.0])
    n = 10.0
    force = push(vessel, n, u=J * n * 0.1)
    assert force[0] == pytest.approx(0.9 * 1000 * 0.1**4 * K_T * n**2, rel=1e-9)


@pytest.mark.parametrize("J", [0.0, 0.3, 0.85])
def test_without_a_table_KT_falls_to_zero_at_an_advance_of_one(tmp_path, J):
    force = push(boat(tmp_path, PROPELLER), 10.0, u=J)
    assert force[0] == pytest.approx(0.9 * 1000 * 0.1**4 * 0.4 * (1 - J) * 100, rel=1e-9)


def test_astern_a_propeller_pushes_as_at_rest(tmp_path):
    vessel = boat(tmp_path, PROPELLER)
    assert push(vessel, -10.0, u=0.5)[0] == pytest.approx(-0.9 * 0.1 * 0.4 * 100, rel=1e-9)


def test_in_a_flow_from_behind_a_propeller_pushes_as_at_rest(tmp_path):
    """Its own thrust brakes a boat that goes astern; a line measured ahead does not cover it."""
    vessel = boat(tmp_path, PROPELLER)
    assert push(vessel, 10.0, u=-0.5)[0] == pytest.approx(0.9 * 0.1 * 0.4 * 100, rel=1e-9)


def test_ahead_and_astern_have_their_own_polynomials(tmp_path):
    curves = "ahead: [0.1, 0.02, 0], astern: [0.05, 0.01, 0.001]"
    vessel = boat(tmp_path, f"thruster_location: [0, 0, 0], n_max: 600, {curves}")
    n = 2 * np.pi
    assert push(vessel, 1.0)[0] == pytest.approx(0.1 * n + 0.02 * n**2)
    assert push(vessel, -1.0)[0] == pytest.approx(-(0.05 * n + 0.01 * n**2 + 0.001 * n**3))


def test_a_thruster_pushes_along_its_axis_at_its_place(tmp_path):
    """Yawed by 30 degrees at (-0.4, 0.1, 0.05): the moment is the place's cross the force."""
    where = "thruster_location: [-0.4, 0.1, 0.05], thruster_orientation: [0, 0, 0.5235987755982988]"
    force = push(boat(tmp_path, f"n_max: 600, ahead: [1.0, 0, 0], {where}"), 1.0)
    pushed = 2 * np.pi * np.array([np.cos(np.pi / 6), 0.5, 0.0])
    np.testing.assert_allclose(force[:3], pushed, atol=1e-9)
    np.testing.assert_allclose(force[3:], np.cross([-0.4, 0.1, 0.05], pushed), atol=1e-9)


def test_revolutions_follow_in_their_time_constant(tmp_path):
    vessel = boat(tmp_path, PROPELLER)
    x = np.zeros_like(vessel.initial)
    after = vessel.step(x, [100.0], vessel.surroundings(), 0.01, steps=100)
    assert after[12] == pytest.approx(100 * (1 - np.exp(-1)), rel=1e-9)
    stopped = vessel.step(x, [1e6], vessel.surroundings(), 0.01, steps=3000)
    assert stopped[12] == pytest.approx(3000 * RPM, rel=1e-9)


TURNABLE = (
    "thruster_location: [-0.4, 0.3, 0.1], D_prop: 0.1, tp: 0.1, wake: 0.2, KT_at_J0: 0.4, "
    "KT_slope: -0.35, KQ_at_J0: 0.06, KQ_slope: -0.05, n_max: 3000, azimuth: {angle_max: 180}"
)


@pytest.mark.parametrize("azimuth", [0.0, 40.0, 90.0, -90.0, 180.0])
def test_a_turned_propeller_advances_along_its_own_axis_and_twists_about_it(tmp_path, azimuth):
    """T = (1 - t) rho n² D⁴ K_T(J), Q likewise, J of the water's way along the axis, at its place.

    Fossen (2021), equations 9.7 and 9.8; the place's velocity is v + omega x r.
    """
    vessel = boat(tmp_path, TURNABLE)
    n, place = 10.0, np.array([-0.4, 0.3, 0.1])
    x = vessel.initial.copy()
    x[:6] = 0.0
    x[6:12] = [0.5, -0.2, 0.1, 0.3, -0.2, 0.6]
    calm = vessel.surroundings()
    turning, still = ([n * 2 * np.pi * on, np.radians(azimuth)] for on in (1.0, 0.0))
    force = mass_of(vessel).M @ (
        vessel.derivative(x, turning, calm)[6:12] - vessel.derivative(x, still, calm)[6:12]
    )
    axis = np.array([np.cos(np.radians(azimuth)), np.sin(np.radians(azimuth)), 0.0])
    J = max(0.0, 0.8 * axis @ (x[6:9] + np.cross(x[9:12], place)) / (n * 0.1))
    thrust = 0.9 * 1000 * n**2 * 0.1**4 * (0.4 - 0.35 * J) * axis
    torque = 1000 * n**2 * 0.1**5 * (0.06 - 0.05 * J) * axis
    np.testing.assert_allclose(force[:3], thrust, atol=1e-9)
    np.testing.assert_allclose(force[3:], np.cross(place, thrust) + torque, atol=1e-9)


B_SCREW = (
    "thruster_location: [0, 0, 0], T_prop: 1.0, D_prop: 0.1, tp: 0.1, wake: 0.2, n_max: 3000, "
    "torque_factor: 0.5, wageningen: {blades: 3, area_ratio: 0.718, pitch_ratio: 1.0}"
)


@pytest.mark.parametrize(
    ("J", "K_T", "K_Q"), [(0.0, 0.45663028, 0.0700285), (0.6, 0.2095984, 0.0354733)]
)
def test_a_B_screw_pushes_and_twists_as_the_series_publishes(tmp_path, J, K_T, K_Q):
    """The figures are wageningen.m's of MSS for three blades, 0.718, P/D = 1."""
    force = push(boat(tmp_path, B_SCREW), 10.0, u=J / 0.8)
    assert force[0] == pytest.approx(0.9 * 1000 * 0.1**4 * K_T * 100, rel=1e-6)
    assert force[3] == pytest.approx(0.5 * 1000 * 0.1**5 * K_Q * 100, rel=1e-5)


def test_beyond_its_thrust_a_B_screw_brakes_along_the_tangent_and_astern_is_as_at_rest(tmp_path):
    vessel = boat(tmp_path, B_SCREW)
    braking = [push(vessel, 10.0, u=J / 0.8)[0] for J in (1.2, 1.4, 1.6)]
    assert 0.0 > braking[0] > braking[1] > braking[2]
    assert braking[0] - braking[1] == pytest.approx(braking[1] - braking[2], rel=1e-9)
    assert push(vessel, -10.0, u=0.5)[0] == pytest.approx(-push(vessel, 10.0)[0])
    assert abs(push(vessel, 1e-9, u=1.0)[0]) < 1e-6


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("blades: 3", "blades: 8"), "wageningen.blades = 8: expected a whole number from 2 to 7"),
        (("blades: 3", "blades: 3.5"), "wageningen.blades = 3.5: expected a whole number"),
        (("0.718", "0.2"), "area_ratio = 0.2: expected a number from 0.3 to 1.05"),
        (("pitch_ratio: 1.0", "pitch_ratio: 1.5"), "expected a number from 0.5 to 1.4"),
        (("pitch_ratio: 1.0", "pitch: 1"), "pitch_ratio is missing"),
        (("n_max: 3000", "n_max: 3000, KT_at_J0: 0.4"), "KT_at_J0: given with wageningen"),
    ],
)
def test_a_screw_that_the_series_does_not_hold_is_refused(tmp_path, change, expected):
    with pytest.raises(InvalidValue, match=expected):
        boat(tmp_path, B_SCREW.replace(*change))


@pytest.mark.parametrize("lag", [0.0, 0.3])
def test_a_thruster_of_limited_rate_drives_as_the_closed_form(lag, tmp_path):
    """m u' = k n - R u, whose n rises at its limit of rate, and from there exponentially.

    The speed is the convolution of n with exp(-R t / m) k / m, by SciPy.
    """
    rate, command, k, end = 0.7, 0.9, 40.0, 4.0
    boat(
        tmp_path,
        f"unit: fraction, n_max: 1.0, rate_max: {rate}, T_prop: {lag}, ahead: [{k}, 0.0, 0.0], "
        "thruster_location: [0.0, 0.0, 0.0]",
    )
    vessel = load(tmp_path, overrides={"vessel.active_dof": [1, 0, 0, 0, 0, 0]})
    m, x = mass_of(vessel).M[0, 0], np.zeros_like(vessel.initial)
    kink = command / rate - lag

    def n(t):
        if t < kink or not lag:
            return min(rate * t, command)
        return command - rate * lag * np.exp((kink - t) / lag)

    expected, _ = quad(
        lambda t: np.exp((t - end) / m) * k / m * n(t), 0, end, points=[kink], epsabs=1e-13
    )
    after = vessel.step(x, [command], vessel.surroundings(), 0.1, steps=40)
    assert after[6] == pytest.approx(expected, rel=1e-6 if lag else 1e-9)
    assert after[12] == pytest.approx(n(end), rel=1e-4 if lag else 1e-12)


def test_actuators_that_arrive_within_a_step_leave_the_scheme_its_order():
    """A tug with five actuators of limited rate, against SciPy from kink to kink."""
    vessel = load(INPUTS / "tito_neri")
    rates = {"th_1": 7200 * RPM, "th_2": 7200 * RPM, "th_3": 2.0, "az": np.radians(126)}
    rate = np.array(
        [next(v for k, v in rates.items() if c.name.startswith(k)) for c in vessel.commands]
    )
    given = np.array([(0.21 + 0.05 * k) * c.high for k, c in enumerate(vessel.commands)])
    calm, start, end = vessel.surroundings(), vessel.initial.copy(), 1.9
    start[12:] = 0.0

    def slope(t, x):
        return vessel.derivative(np.concatenate((x, np.minimum(rate * t, given))), given, calm)[:12]

    x = start[:12]
    for t, after in pairwise(sorted({0.0, end, *(kink for kink in given / rate if kink < end)})):
        x = solve_ivp(slope, (t, after), x, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]

    def error(steps):
        return np.abs(vessel.step(start, given, calm, end / steps, steps)[:12] - x).max()

    assert error(19) / error(76) > 4**3.5
