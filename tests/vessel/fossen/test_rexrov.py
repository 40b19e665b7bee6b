"""RexROV's free motion after steps of its rotors, against ``tests/reference/uuv``."""

import csv
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import load, read_folder
from steerageway.vessel.tools.place import folder_of

pytestmark = pytest.mark.slow  # compiles, unless the cache is warm

UUV = Path(__file__).parents[2] / "reference" / "uuv"
GIVEN = json.loads((UUV / "rexrov_cases.json").read_text())
MODEL, CASES = GIVEN["model"], GIVEN["cases"]
ROTOR_CONSTANT = MODEL["rotor_constant"]


@pytest.fixture(scope="module")
def rexrov():
    return load(folder_of("rexrov"))


def recorded(name):
    with (UUV / f"rexrov_{name}.csv").open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    return np.array(rows, np.float64)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("dt", "tolerance"), [(0.001, 1e-6), (0.01, 1e-5)])
def test_response_to_steps_of_the_rotors(rexrov, name, dt, tolerance):
    case, rows = CASES[name], recorded(name)
    x = rexrov.initial.copy()
    x[:12] = [*case["initial_position"], *case["initial_euler"], *case["initial_nu"]]
    around = rexrov.surroundings(case["current_ned"])
    allocation = np.array(MODEL["TAM_frd"])
    for before, row in pairwise(rows):
        given = [c for c in case["commands_rad_s"] if c[0] <= before[0] + 1e-9][-1]
        x = rexrov.step(x, given[1:], around, dt, round((row[0] - before[0]) / dt))
        found, expected = x[:12].copy(), row[1:13]
        found[5] = expected[5] + (found[5] - expected[5] + np.pi) % (2 * np.pi) - np.pi
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
        wrench = allocation @ (ROTOR_CONSTANT * x[12:] * np.abs(x[12:]))
        most = np.abs(rows[:, 13:]).max()
        # while rotors spin up, a step of 0.01 s is further from the solution there
        slack = 1e-6 if dt == 0.001 else 2e-3
        np.testing.assert_allclose(wrench, row[13:], atol=slack * max(most, 1.0))


def test_thrusters_make_the_recorded_wrench(rexrov):
    M = rexrov.parameters.matrices[1]  # M_RB + M_A
    around, x = rexrov.surroundings(), rexrov.initial.copy()
    x[2] = 20.0
    at_rest = rexrov.derivative(x, np.zeros(8), around)[6:12]
    for i, column in enumerate(np.array(MODEL["TAM_frd"]).T):
        x[12:] = 0.0
        x[12 + i] = 1000.0
        wrench = M @ (rexrov.derivative(x, np.zeros(8), around)[6:12] - at_rest)
        np.testing.assert_allclose(wrench, 310.0 * column, atol=1e-6)


def test_it_rises_by_its_buoyancy_until_it_floats(rexrov):
    x = rexrov.initial.copy()
    x[2] = 5.0
    end = rexrov.step(x, np.zeros(8), rexrov.surroundings(), 0.02, 10_000)
    assert 0.8 < end[2] < 1.3  # its top, which its CB is 0.3 m nearer to, just looks out
    assert np.abs(end[6:12]).max() < 0.05
    displaced = MODEL["V"] * MODEL["rho"]
    assert displaced - MODEL["m"] == pytest.approx(26.9, abs=0.1)
    assert rexrov.parameters.scalars["buoyancy"] == pytest.approx(displaced * 9.81)


def test_off_is_no_rotation(rexrov):
    off = load(folder_of("rexrov"), overrides={"thrusters.thrusters.5.on": False})
    around, x = off.surroundings(), off.initial.copy()
    x[2] = 20.0
    end = off.step(x, [500.0] * 8, around, 0.02, 100)
    assert end[16] == 0.0
    assert end[17] == pytest.approx(500.0)


def damping_matrix(vessel, u):
    """Return how the acceleration's force depends on each velocity's own damping at speed u."""
    M = vessel.parameters.matrices[1]
    around = vessel.surroundings()

    def force(nu):
        x = vessel.initial.copy()
        x[2], x[6:12] = 20.0, nu
        return M @ vessel.derivative(x, np.zeros(8), around)[6:12]

    return np.array([force(row)[i] - force(0 * row)[i] for i, row in enumerate(u)])


def test_scalings_and_offsets_change_the_hull_as_the_uuv_simulator_has_them(rexrov):
    changed = load(
        folder_of("rexrov"),
        overrides={
            "hydrodynamics.scalings": {"added_mass": 1.5, "damping": 2.0, "volume": 1.1},
            "hydrodynamics.offsets": {
                "added_mass": 10.0,
                "linear_damping": -3.0,
                "linear_forward_damping": -5.0,
                "quadratic_damping": -7.0,
            },
        },
    )
    added = [v.parameters.matrices[2] for v in (rexrov, changed)]
    np.testing.assert_allclose(added[1], 1.5 * (added[0] + 10.0 * np.eye(6)))
    alone = 0.5 * np.eye(6)
    linear, quadratic = np.array(MODEL["D_linear"]), np.array(MODEL["D_quadratic"])
    forward = np.array([5.0 * 0.25, 0, 0, 0, 0, 0])  # only surge has a speed ahead here
    expected = -2.0 * (0.5 * (linear + 3.0) + 0.25 * (quadratic + 7.0) + forward)
    np.testing.assert_allclose(damping_matrix(changed, alone), expected, rtol=1e-9)
    buoyancy = [v.parameters.scalars["buoyancy"] for v in (rexrov, changed)]
    assert buoyancy[1] == pytest.approx(1.1 * buoyancy[0])


def test_volume_and_buoyancy_mass_are_one_too_many():
    from steerageway.vessel.errors import InvalidValue

    with pytest.raises(InvalidValue, match="no such key with volume"):
        load(folder_of("rexrov"), overrides={"inertia.buoyancy_mass": 1900.0})
    assert "volume" in read_folder(folder_of("rexrov"))["inertia"]
