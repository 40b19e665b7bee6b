"""Control surfaces with a foil's table in the local flow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.inertia import mass_of

AREA, RHO, PLACE = 0.05, 1025.0, np.array([-1.2, 0.1, 0.3])
CD = 0.01
FILES = {
    "geometry": """
length: 2.0
gyration: [0.3, 0.6, 0.6]
CG: {position: [0, 0, 0]}
CB: {position: [0, 0, 0]}
""",
    "inertia": "mass: 50",
    "hydrodynamics": "coriolis_flag: false",
    "control_surfaces": f"""
naca_file: foil.csv
control_surfaces:
  - control_surface_id: 1
    control_surface_location: {PLACE.tolist()}
    control_surface_orientation: [1.5707963267948966, 0, 0]
    control_surface_area: {AREA}
    control_surface_delta_max: 30
""",
}

pytestmark = pytest.mark.slow  # it compiles


@pytest.fixture(scope="module")
def vessel(tmp_path_factory):
    """Return a body whose only force is a rudder's: thin foil, CL = 2 pi alpha, constant CD."""
    folder = tmp_path_factory.mktemp("rudder")
    for name, text in FILES.items():
        (folder / f"{name}.yml").write_text(text)
    rows = [f"{a},{2 * np.pi * np.radians(a)},{CD}" for a in range(-15, 16)]
    (folder / "foil.csv").write_text("\n".join(("Alpha,Cl,Cd", *rows)))
    return load(folder)


def force(vessel, nu, delta=0.0):
    """Return the force (6,) on a body without other forces."""
    x = np.concatenate((np.zeros(6), nu, [delta]))
    return mass_of(vessel).M @ vessel.derivative(x, [delta], vessel.surroundings())[6:12]


def test_a_deflected_rudder_has_the_lift_of_its_table_and_the_moment_of_its_position(vessel):
    delta, u = np.radians(5), 2.0
    tau = force(vessel, [u, 0, 0, 0, 0, 0], delta)
    pressure = 0.5 * RHO * AREA * u**2
    assert abs(tau[1]) == pytest.approx(pressure * 2 * np.pi * delta, rel=1e-9)
    assert tau[0] == pytest.approx(-pressure * CD, rel=1e-9)
    np.testing.assert_allclose(tau[3:], np.cross(PLACE, tau[:3]), atol=1e-9)


@settings(max_examples=30)
@given(nu=arrays(float, 6, elements=st.floats(-1, 1)))
def test_a_rudder_amidships_takes_energy_from_the_motion_of_its_own_place(vessel, nu):
    nu[0] += 2.0
    assert nu @ force(vessel, nu) <= 1e-9


def test_a_rudder_moving_along_its_chord_has_no_lift(vessel):
    p, q, r = 0.2, -0.3, 0.4
    nu = np.array([2.0, 0, 0, p, q, r])
    nu[1] = -np.cross([p, q, r], PLACE)[1]  # v + r x - p z = 0 there
    tau = force(vessel, nu)
    assert tau[1] == pytest.approx(0, abs=1e-9)


def test_beyond_its_table_a_rudder_stalls_without_a_jump(vessel):
    around = [
        force(vessel, [1.0, 0, 0, 0, 0, 0], np.radians(angle))[1]
        for angle in np.linspace(14.9, 15.1, 21)
    ]
    assert np.abs(np.diff(around)).max() < 0.02 * abs(around[0])
    assert abs(force(vessel, [1.0, 0, 0, 0, 0, 0], np.radians(28))[1]) < abs(around[0])


def test_limits_in_the_file_are_degrees(vessel):
    assert vessel.commands[0].high == pytest.approx(np.radians(30))


def test_a_table_as_a_spreadsheet_saves_it_is_the_same_table(vessel, tmp_path):
    """With the mark of UTF-8 at its start and lines that end as Windows ends them."""
    for name, text in FILES.items():
        (tmp_path / f"{name}.yml").write_text(text)
    rows = [f"{a},{2 * np.pi * np.radians(a)},{CD}" for a in range(-15, 16)]
    text = "\r\n".join(("alpha,cl,cd", *rows))
    (tmp_path / "foil.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    nu, delta = [2.0, 0.3, 0, 0, 0, 0.1], 0.1
    assert np.array_equal(force(load(tmp_path), nu, delta), force(vessel, nu, delta))


@pytest.mark.parametrize("number", ["nan", "inf", "-", "\xbd"])
def test_a_table_entry_that_is_not_a_number_is_refused_with_its_line(tmp_path, number):
    for name, text in FILES.items():
        (tmp_path / f"{name}.yml").write_text(text)
    text = f"alpha,cl,cd\n-10,-1,0.1\n0,{number},0.1\n10,1,0.1\n"
    (tmp_path / "foil.csv").write_text(text, encoding="latin-1")
    with pytest.raises(InvalidValue, match=r"foil\.csv:3: .*(number|expected text in UTF-8)"):
        load(tmp_path)


def test_fin_lift_among_the_coefficients_is_reported_with_the_right_place(tmp_path):
    for name, text in FILES.items():
        (tmp_path / f"{name}.yml").write_text(text)
    with (tmp_path / "control_surfaces.yml").open("a") as file:
        file.write("    control_surface_hydrodynamics: {CL_delta: 3.1}\n")
    with pytest.raises(InvalidValue, match=r"\.CL_delta: .* did you mean control_surface_CL_delta"):
        load(tmp_path)
