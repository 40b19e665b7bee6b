"""Invariants of every coefficient-form vessel."""

from __future__ import annotations

import json
from dataclasses import replace
from math import pi
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from steerageway.vessel.cross_flow import box_integrals
from steerageway.vessel.errors import InvalidValue, VesselError
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.rigid_body import m2c
from steerageway.vessel.tools.place import SHIPPED

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "tests" / "reference" / "vessels"
VESSELS = ("otter", "remus100", "torpedo", "tito_neri", "sookshma", "mavymini")
SYMMETRIC = ("otter", "remus100", "torpedo")
STARBOARD_TO_PORT = np.array([1, -1, 1, -1, 1, -1.0])

speeds = st.lists(st.floats(-2, 2), min_size=6, max_size=6).map(np.array)
few = settings(max_examples=25)

TRIM = ("trim_z", "trim_phi", "trim_theta")


def vessel(name: str, **overrides: object) -> Dynamics:
    return load(ROOT / "inputs" / name, overrides=overrides)


LOADED = {name: vessel(name) for name in VESSELS}


def free_body(folder: Path, M_RB: np.ndarray, M_A: np.ndarray) -> Dynamics:
    """Write and load a body on which nothing acts."""
    (folder / "geometry.yml").write_text("length: 4.0\n")
    (folder / "hydrodynamics.yml").write_text("coriolis_flag: true\n")
    (folder / "inertia.yml").write_text(
        f"mass: 1.0\ninertia_matrix: {M_RB.tolist()}\nadded_mass_matrix: {M_A.tolist()}\n"
    )
    return load(folder)


def energy(M: np.ndarray, x: np.ndarray) -> float:
    return float(0.5 * x[6:12] @ M @ x[6:12])


def momenta(M: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return linear and angular momentum in NED, the latter about the origin."""
    R, both = eul_to_rotm(x[3:6]), M @ x[6:12]
    linear = R @ both[:3]
    return np.concatenate((linear, R @ both[3:] + np.cross(x[:3], linear)))


def test_a_free_body_keeps_energy_and_momentum_and_takes_the_known_path(tmp_path):
    truth = json.loads((REFERENCE / "own_free_body_momentum.json").read_text())
    M_RB, M_A = np.array(truth["MRB"]), np.array(truth["MA"])
    body, M = free_body(tmp_path, M_RB, M_A), M_RB + 0.5 * (M_A + M_A.T)
    x = np.concatenate((np.zeros(6), truth["nu0"]))
    first_energy, first_momenta = energy(M, x), momenta(M, x)
    done = 0.0
    for row in truth["rows"]:
        x = body.step(x, [], body.surroundings(), 0.02, round((row[0] - done) / 0.02))
        done = row[0]
        assert energy(M, x) == pytest.approx(first_energy, rel=1e-6)
        assert momenta(M, x) == pytest.approx(first_momenta, rel=1e-6, abs=1e-6)
        assert x == pytest.approx(row[1:13], abs=2e-5)


def test_runge_kutta_at_50_hz_keeps_the_energy_that_turtleboats_euler_gains(tmp_path):
    record = json.loads((REFERENCE / "tb_energy.json").read_text())
    M = np.array(record["M_coupled"])
    body = free_body(tmp_path, M, np.zeros((6, 6)))
    x = np.array([*np.zeros(6), 0.5, 0.2, 0.1, 0.1, 0.05, 0.3])
    after = body.step(x, [], body.surroundings(), 0.02, 750)
    assert energy(M, after) == pytest.approx(energy(M, x), rel=1e-6)
    gained = {row["hz"]: row["rel_change"] for row in record["results"][:6]}
    assert gained[50] > 0.01


def test_euler_gains_as_much_energy_as_turtleboats_does():
    record = json.loads((REFERENCE / "tb_energy.json").read_text())["results"]
    coefficients = ("X_u", "Y_v", "Y_r", "N_v", "N_r")
    boat = vessel("tito_neri", **{f"hydrodynamics.{key}": 0 for key in coefficients})
    M = np.linalg.inv(boat.parameters.matrices[0])
    x = np.array([*np.zeros(6), 0.5, 0.2, 0, 0, 0, 0.3, *np.zeros(5)])
    rows = [row for row in record if row["case"] == "peer M, surge-sway-yaw"]
    assert len(rows) > 3
    for row in rows:
        assert energy(M, x) == pytest.approx(row["T0"], rel=1e-6)
        hz = row["hz"]
        after = boat.euler_step(x, np.zeros(5), boat.surroundings(), 1 / hz, 15 * hz)
        assert energy(M, after) == pytest.approx(row["T15"], rel=1e-5)


@few
@given(speeds)
@pytest.mark.parametrize("name", VESSELS)
def test_turning_does_no_work(name, nu):
    numbers = LOADED[name].parameters.matrices
    for M in numbers[1:3]:
        assert nu @ m2c(M, nu) @ nu == pytest.approx(0, abs=1e-9 * abs(M).max())


@pytest.mark.parametrize("name", VESSELS)
def test_mass_is_symmetric_and_positive_definite(name):
    inverse = LOADED[name].parameters.matrices[0]
    scale = np.sqrt(np.diag(inverse))
    assert inverse == pytest.approx(inverse.T, rel=1e-9)
    assert np.linalg.eigvalsh(inverse / np.outer(scale, scale)).min() > 0


@few
@given(speeds, st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
@pytest.mark.parametrize("name", SYMMETRIC)
def test_port_mirrors_starboard(name, nu, roll, pitch):
    craft = LOADED[name]
    x = np.concatenate(([0, 0, 0.1, roll, pitch, 0.2], nu, np.zeros(len(craft.commands))))
    commands = {
        "otter": ([80.0, 50.0], [50.0, 80.0]),
        "remus100": ([0.1, 0.2, 100.0], [-0.1, 0.2, 100.0]),
        "torpedo": ([0.1, -0.1, 0.2, -0.1, 0.0], [-0.1, 0.1, 0.1, -0.2, 0.0]),
    }[name]
    x[12:], mirrored = commands[0], x.copy()
    mirrored[[1, 3, 5]] *= -1
    mirrored[6:12] *= STARBOARD_TO_PORT
    mirrored[12:] = commands[1]
    if name == "remus100":  # a single screw turns the hull: the one asymmetry
        x[14] = mirrored[14] = 0.0
    still = craft.surroundings()
    here = craft.derivative(x, commands[0], still)[6:12]
    there = craft.derivative(mirrored, commands[1], still)[6:12]
    assert here * STARBOARD_TO_PORT == pytest.approx(there, rel=1e-9, abs=1e-9)


@few
@given(speeds)
@pytest.mark.parametrize("name", ["otter", "remus100", "torpedo", "tito_neri"])
def test_damping_takes_energy_away(name, nu):
    craft = LOADED[name]
    rest = [float(craft.parameters.scalars[name]) for name in TRIM]
    x = np.concatenate(([0, 0, rest[0], rest[1], rest[2], 0], nu, np.zeros(len(craft.commands))))
    x[2] += 10.0 if name in ("remus100", "torpedo") else 0.0  # away from the surface
    rates = craft.derivative(x, np.zeros(len(craft.commands)), craft.surroundings())
    M = np.linalg.inv(craft.parameters.matrices[0])
    assert nu @ M @ rates[6:12] <= 1e-9


@pytest.mark.parametrize("name", ["otter", "remus100", "torpedo", "tito_neri"])
def test_a_dead_ship_drifts_with_the_current(name):
    craft = LOADED[name]
    around = craft.surroundings((0.3, -0.4, 0.0))
    x = craft.initial.copy()
    x[6:12] = 0
    x = craft.step(x, np.zeros(len(craft.commands)), around, 0.05, 40000)
    over_ground = eul_to_rotm(x[3:6]) @ x[6:9]
    assert over_ground == pytest.approx([0.3, -0.4, 0.0], abs=2e-3)


@pytest.mark.parametrize("name", ["otter", "remus100", "torpedo"])
def test_quaternion_and_euler_runs_agree(name):
    plain, turned = LOADED[name], vessel(name, **{"initial_conditions.use_quaternion": True})
    command = [0.5 * channel.high for channel in plain.commands]
    command[0] *= 0.5
    x = plain.initial
    a = plain.step(x, command, plain.surroundings((0.2, 0.1, 0.0)), 0.01, 3000)
    b = turned.step(x, command, plain.surroundings((0.2, 0.1, 0.0)), 0.01, 3000)
    assert a == pytest.approx(b, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("quaternions", [False, True])
def test_a_batch_equals_single_vessels(quaternions):
    craft = replace(LOADED["otter"], quaternions=quaternions)
    rng = np.random.default_rng(3)
    xs = np.zeros((20, 14))
    xs[:, :12] = rng.normal(scale=0.1, size=(20, 12))
    commands, around = rng.uniform(-90, 90, (20, 2)), np.tile(craft.surroundings(), (20, 1))
    around[:, :2] = rng.normal(scale=0.3, size=(20, 2))
    together = craft.batch_step(xs, commands, around, 0.02, 100)
    for i in range(20):
        assert together[i] == pytest.approx(
            craft.step(xs[i], commands[i], around[i], 0.02, 100), rel=1e-12
        )


def test_a_held_degree_of_freedom_is_a_constraint_not_a_deletion():
    """Held in pitch, an Otter accelerates ahead with M11 alone; free, with the coupled inertia."""
    held = vessel("otter", **{"vessel.active_dof": [1, 1, 1, 1, 0, 1]})
    free = LOADED["otter"]
    x = free.initial.copy()
    x[9:12], x[12:] = 0, 100.0
    x[2:5] = [float(free.parameters.scalars[name]) for name in TRIM]
    still, push = free.surroundings(), [100.0, 100.0]
    a, b = held.derivative(x, push, still), free.derivative(x, push, still)
    assert a[10] == 0.0
    assert a[6] == pytest.approx(2 * 0.01108 * 100**2 / (80 + 5.281521009576395), rel=1e-9)
    assert b[6] > a[6]


def test_an_indefinite_mass_names_the_degree_of_freedom():
    with pytest.raises(InvalidValue, match="sway"):
        vessel("otter", **{"hydrodynamics.Y_vd": 500.0})


def test_wind_acts_on_the_parts_above_water():
    bare, tall = LOADED["otter"], vessel("otter", **{"geometry.wind.lateral_area": 1.0})
    gale = bare.surroundings(wind=(0.0, 20.0))
    assert bare.derivative(bare.initial, [0, 0], gale)[7] == 0.0
    expected = 0.5 * 1.225 * 400 * 0.8
    M = np.linalg.inv(tall.parameters.matrices[0])
    assert (M @ tall.derivative(tall.initial, [0, 0], gale)[6:12])[1] == pytest.approx(expected)


def test_maintained_speed_is_kept_against_damping():
    craft = vessel(
        "sookshma", **{"vessel.maintain_speed": True, "vessel.U": 0.5, "vessel.gravity": 9.80665}
    )
    x = np.zeros(13)
    x[6] = 0.5
    assert craft.derivative(x, [0.0], craft.surroundings())[6:12] == pytest.approx(0, abs=1e-9)


def test_rpm_is_revolutions_a_minute():
    assert LOADED["remus100"].commands[2].high == pytest.approx(1525 * 2 * pi / 60)


@settings(max_examples=100)
@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.1, 5))
def test_strips_in_closed_form_are_the_integral(v, r, half):
    force, moment = box_integrals(v, r, half)
    x, w = np.polynomial.legendre.leggauss(12)
    turn = min(max(-v / r, -half), half) if r else 0.0
    total = np.zeros(2)
    for low, high in ((-half, turn), (turn, half)):  # smooth on each side of where the flow turns
        at = 0.5 * (high - low) * x + 0.5 * (high + low)
        s = v + at * r
        total += 0.5 * (high - low) * np.array([w @ (abs(s) * s), w @ (at * abs(s) * s)])
    assert (force, moment) == pytest.approx(total, rel=1e-9, abs=1e-12)


def by_scipy(craft, command, around, seconds):
    """Return the state after a time, by SciPy's method of order 8 with adaptive steps."""
    found = solve_ivp(
        lambda _, x: craft.derivative(x, command, around),
        (0.0, seconds),
        craft.initial,
        method="DOP853",
        rtol=1e-10,
        atol=1e-10,
    )
    return found.y[:, -1]


@pytest.mark.parametrize("name", ["otter", "remus100"])
def test_fixed_steps_agree_with_an_adaptive_integrator(name):
    craft = LOADED[name]
    command = np.array([0.3 * channel.high for channel in craft.commands])
    around = craft.surroundings((0.2, -0.1, 0.05))
    ours = craft.step(craft.initial, command, around, 0.02, 1000)
    reference = by_scipy(craft, command, around, 20.0)
    assert ours == pytest.approx(reference, rel=1e-4, abs=1e-5)


def test_adaptive_steps_of_any_length_are_as_good_as_short_ones():
    """The Otter's pitch allows a fixed step of 0.238 s."""
    otter = load(SHIPPED / "otter")
    quick, around = replace(otter, adaptive=True), otter.surroundings(current=(0.2, 0.1, 0.0))
    best = otter.step(otter.initial, [90.0, 60.0], around, 0.002, 10000)
    for dt in (0.02, 0.25, 2.0):
        steps = round(20.0 / dt)
        found = quick.step(otter.initial, [90.0, 60.0], around, dt, steps)
        assert found == pytest.approx(best, rel=1e-4, abs=1e-4)
    rows = quick.trace(otter.initial, [90.0, 60.0], around, 0.25, 80)
    assert np.array_equal(rows[-1, 0], quick.step(otter.initial, [90.0, 60.0], around, 0.25, 80))
    both = np.array([otter.initial, otter.initial])
    batch = quick.batch_step(both, [[90.0, 60.0]] * 2, np.array([around] * 2), 0.25, 80)
    assert np.array_equal(batch[1], rows[-1, 0])


def test_adaptive_steps_follow_what_no_practical_fixed_step_does():
    """Six foils in the place of one on a kilogram: 1000 1/s, as Panisim's mavymini has them."""
    foils = load(SHIPPED / "mavymini", overrides={"hydrodynamics.hydra_file": "None"})
    x = foils.initial.copy()
    x[6:12] = [0.5, 0.02, 0.02, 0.0, 0.0, 0.0]
    command, around = [0.1] * 6 + [0.0], foils.surroundings()
    with pytest.raises(VesselError, match=r"0\.01 s"):
        FossenModel(replace(foils, initial=x), 0.01)
    quick = replace(foils, initial=x, adaptive=True)
    FossenModel(quick, 0.01)
    found = quick.step(x, command, around, 0.01, 300)
    assert found == pytest.approx(foils.step(x, command, around, 1e-4, 30000), rel=1e-4, abs=1e-5)
