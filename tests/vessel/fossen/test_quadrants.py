"""Four-quadrant propellers from files: signs, continuity, crash stop, motion astern."""

from __future__ import annotations

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import quadrants
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.inertia import mass_of
from tests.vessel.fossen.folders import ship

pytestmark = pytest.mark.slow
FOIL = "four_quadrants: {pitch_ratio: 1.0}"
RHO, D, T_DEDUCTION, WAKE = 1025.0, 6.3, 0.18, 0.25
RPM = np.pi / 30


def forces(vessel, rpm, u):
    """Return the surge force of the propeller alone."""
    x, still = vessel.initial.copy(), vessel.surroundings()
    x[6], x[12] = u, rpm * RPM
    M = mass_of(vessel).M
    hull = -1.2e4 * abs(u) * u
    return float(M[0, 0] * vessel.derivative(x, x[12:], still)[6] - hull)


def test_at_rest_thrust_follows_KT_and_astern_equals_ahead(tmp_path):
    vessel = load(ship(tmp_path, FOIL))
    n = 90 / 60
    expected = (1 - T_DEDUCTION) * 0.43 * RHO * D**4 * n**2
    assert forces(vessel, 90, 0.0) == pytest.approx(expected, rel=1e-9)
    assert forces(vessel, -90, 0.0) == pytest.approx(-expected, rel=1e-9)


def test_ahead_its_thrust_falls_with_the_advance_and_ends_near_its_pitch(tmp_path):
    vessel = load(ship(tmp_path, FOIL))
    n = 90 / 60
    thrusts = [forces(vessel, 90, J * n * D / (1 - WAKE)) for J in np.linspace(0, 1.2, 25)]
    assert (np.diff(thrusts) < 0).all()
    end = np.interp(0.0, thrusts[::-1], np.linspace(0, 1.2, 25)[::-1])
    assert 0.75 < end < 1.05  # a pitch ratio of 1, less what drag takes


def test_every_quadrant_has_its_sign(tmp_path):
    vessel = load(ship(tmp_path, FOIL))
    assert forces(vessel, 90, 3.0) > 0 > forces(vessel, -90, 3.0)  # ahead, and crash stop
    assert forces(vessel, 90, -3.0) > 0 > forces(vessel, -90, -3.0)  # crash ahead, and astern
    assert forces(vessel, 0, 5.0) < 0 < forces(vessel, 0, -5.0)  # stopped, it is a brake
    assert forces(vessel, 30, 9.0) < 0  # driven by the flow
    assert forces(vessel, -90, 6.0) < forces(vessel, -90, 0.0) < forces(vessel, -90, -6.0)


@pytest.mark.parametrize("kind", ["foil", "file"])
def test_nothing_jumps_from_one_quadrant_to_the_next(tmp_path, kind):
    vessel = load(ship(tmp_path, FOIL if kind == "foil" else table(tmp_path)))
    for rpm, u in ((0.0, 4.0), (0.0, -4.0), (60.0, 0.0), (-60.0, 0.0)):
        near = [forces(vessel, rpm + a, u + b) for a in (-1e-7, 1e-7) for b in (-1e-7, 1e-7)]
        assert np.ptp(near) < 1e-5 * abs(forces(vessel, 60, 0.0))
    assert forces(vessel, 0.0, 0.0) == 0.0


def table(folder, step=5):
    """Write the same propeller as a table of angles from 0 to 360, and name it."""
    CT, CQ = quadrants.foil_series(0.43, 0.06, 1.0)
    rows = [
        f"{a},{quadrants.of_series(CT, np.radians(a))},{quadrants.of_series(CQ, np.radians(a))}"
        for a in range(0, 360, step)
    ]
    (folder / "curve.csv").write_text("\n".join(("beta,CT,CQ", *rows)))
    return "four_quadrants: {file: curve.csv}"


def test_a_series_a_table_and_the_foil_are_one_propeller(tmp_path):
    foil = load(ship(tmp_path, FOIL))
    CT, CQ = (half.tolist() for half in quadrants.foil_series(0.43, 0.06, 1.0))
    series = load(ship(tmp_path, f"four_quadrants: {{CT: {CT}, CQ: {CQ}}}"))
    tabled = load(ship(tmp_path, table(tmp_path, step=1)))
    for rpm, u in ((80, 6.0), (-80, 6.0), (80, -4.0), (-80, -4.0), (10, 7.0), (-5, -3.0)):
        assert forces(series, rpm, u) == pytest.approx(forces(foil, rpm, u), rel=1e-12)
        assert forces(tabled, rpm, u) == pytest.approx(forces(foil, rpm, u), rel=2e-3)


def test_the_propellers_torque_acts_on_the_hull(tmp_path):
    free = load(
        ship(
            tmp_path,
            FOIL,
            vessel="active_dof: [1, 0, 0, 1, 0, 0]\n",
            hydrodynamics="X_ud: -0.9e+6\nX_u_au: -1.2e+4\ncoriolis_flag: false\n",
        )
    )
    x, n = free.initial.copy(), 90 / 60
    x[12] = 90 * RPM
    moment = (mass_of(free).M @ free.derivative(x, x[12:], free.surroundings())[6:12])[3]
    assert moment == pytest.approx(0.06 * RHO * D**5 * n**2, rel=1e-9)


def steady(vessel, rpm, seconds=1500.0):
    x = vessel.initial.copy()
    return vessel.step(x, [rpm * RPM], vessel.surroundings(), 0.1, round(seconds / 0.1))


def test_a_crash_stop_takes_some_ship_lengths_and_a_coasting_one_far_more(tmp_path):
    """IMO's criterion is 15 lengths for a track reach (MSC.137(76)); ships of this size take 5-12.

    Full astern is ordered at full speed; the shaft follows with its time constant.
    """
    vessel = load(ship(tmp_path, FOIL))
    x = steady(vessel, 100)
    assert 6.5 < x[6] < 10.0
    reach = {}
    for order in (-70.0, 0.0):
        state, start = x.copy(), x[0]
        for _ in range(40000):
            state = vessel.step(state, [order * RPM], vessel.surroundings(), 0.1)
            if state[6] <= 0.05 * x[6]:
                break
        reach[order] = (state[0] - start) / 160.0
    assert 3.0 < reach[-70.0] < 15.0
    assert reach[0.0] > 1.5 * reach[-70.0]


def test_astern_it_gathers_sternway_to_a_steady_speed_less_than_ahead(tmp_path):
    vessel = load(ship(tmp_path, FOIL))
    astern, later = steady(vessel, -100), steady(vessel, -100, 3000.0)
    assert astern[6] < -3.0
    assert later[6] == pytest.approx(astern[6], rel=1e-3)
    # as fast as ahead, where wake makes the propeller's advance slower, or a little less
    assert abs(astern[6]) < steady(vessel, 100)[6]


def test_without_four_quadrants_a_propeller_is_unchanged(tmp_path):
    plain = load(ship(tmp_path, "J_vs_KT: None"))
    assert forces(plain, 0, 5.0) == pytest.approx(0.0, abs=1e-6)
    assert forces(plain, -90, 5.0) == pytest.approx(forces(plain, -90, 0.0), rel=1e-9)


@pytest.mark.parametrize(
    ("propeller", "expected"),
    [
        ("four_quadrants: {}", "four_quadrants: nothing: expected pitch_ratio, CT and CQ"),
        ("four_quadrants: {pitch_ratio: 0}", "pitch_ratio = 0: expected a number above 0"),
        ("four_quadrants: {pitch_ratio: 1, file: a.csv}", "four_quadrants: pitch_ratio, file"),
        ("four_quadrants: {CT: [[0, 0], [0.2, -0.6]]}", "CQ: missing: expected rows"),
        (
            "four_quadrants: {CT: [[0, 0], [0.2, -0.6]], CQ: [[0, 0], [-0.03, -0.08]]}",
            "CT: turning ahead at rest it has C_T. 0.2 and C_Q. -0.03: expected thrust and",
        ),
        (
            "four_quadrants: {CT: [[0, 0], [0.2, 0.6]], CQ: [[0, 0], [0.03, -0.08]]}",
            "CT: stopped, going ahead, it has C_T. 0.6",
        ),
        ("four_quadrants: {file: none.csv}", "file: none.csv: no such file"),
        (
            "four_quadrants: {file: few.csv}",
            "beta from -180 to -90 degrees: expected distinct angles",
        ),
        ("four_quadrants: {pitch: 1}", "pitch"),
    ],
)
def test_errors_in_a_propeller_are_reported(tmp_path, propeller, expected):
    (tmp_path / "few.csv").write_text("beta,CT,CQ\n-180,-.2,-.03\n-90,.5,.08\n0,.2,.03\n90,-.5,0\n")
    with pytest.raises(InvalidValue, match=expected):
        load(ship(tmp_path, propeller))
