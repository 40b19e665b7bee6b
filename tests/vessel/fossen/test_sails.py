"""A sail's forces, and the dinghy as a velocity prediction program and sailors know it."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
import yaml
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

from docs.validate import dinghy, sailed, speed_and_course
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.layout import hull_of, mass_of
from steerageway.vessel.fossen.state import PHI, PSI, U_, V_
from steerageway.world.arrays import Floats

DINGHY = Path(__file__).parents[3] / "inputs/dinghy"
SAIL = np.genfromtxt(DINGHY / "sail.csv", delimiter=",", skip_header=1).T
FOIL = np.genfromtxt(DINGHY / "foil.csv", delimiter=",", skip_header=1).T
RESISTANCE = np.array(
    yaml.safe_load((DINGHY / "hydrodynamics.yml").read_text())["resistance"]["points"]
).T
AREA, CENTRE = 7.06, np.array([0.25, 0.0, -2.4])
WIND = 5.0  # [m/s], from north


def Rzyx(phi: float, theta: float, psi: float) -> Floats:
    """Return the rotation from BODY to NED."""
    return np.asarray(Rotation.from_euler("ZYX", [psi, theta, phi]).as_matrix())


def in_the_air(eta: Floats, nu: Floats, wind: Floats, power: float = 1.0) -> Floats:
    """Return the wrench (6,) of the sail, lift and drag as vectors in the plane normal to it."""
    R = Rzyx(*eta[3:6])
    through = nu[:3] + np.cross(nu[3:], CENTRE) - R.T @ np.append(wind, 0.0)
    speed = hypot(through[0], through[1])
    along = np.array([through[0], through[1], 0.0]) / speed
    beta = degrees(abs(atan2(along[1], along[0])))
    cl, cd = (np.interp(beta, SAIL[0], row) for row in SAIL[1:])
    side = np.cross([0.0, 0.0, -np.sign(along[1])], along)
    drag = SAIL[2, 0] + power * (cd - SAIL[2, 0])
    force = 0.5 * 1.225 * AREA * speed**2 * (power * cl * side - drag * along)
    return np.concatenate([force, np.cross(CENTRE, force)])


@pytest.mark.parametrize("power", [1.0, 0.4, 0.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_sail_has_lift_and_drag_of_the_wind_at_its_centre(seed: int, power: float) -> None:
    """From any side, heeled, and while the mast swings through the air."""
    rng = np.random.default_rng(seed)
    vessel, x = dinghy(), dinghy().initial.copy()
    bare = load(DINGHY, overrides={"thrusters.thrusters.1.sail.area": 1e-12})
    x[3:6], x[6:12] = rng.uniform(-0.5, 0.5, 3) + np.array([0, 0, seed]), rng.uniform(-1, 1, 6)
    x[13], wind = power, rng.uniform(-8, 8, 2)
    rates = [v.derivative(x, [0.0, power], v.surroundings(wind=wind))[6:12] for v in (vessel, bare)]
    found = mass_of(hull_of(vessel.parameters)).M @ (rates[0] - rates[1])
    expected = in_the_air(x[:6], x[6:12], wind, power)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-6)


def foil(velocity: Floats, area: float, place: Floats, delta: float) -> Floats:
    """Return the wrench (6,) of a vertical foil below its stall."""
    flow = atan2(velocity[1], velocity[0])
    cl, cd = (np.interp(degrees(flow + delta), FOIL[0], row) for row in FOIL[1:])
    q = 0.5 * 1025.0 * area * hypot(velocity[0], velocity[1]) ** 2
    force = q * np.array([cl * sin(flow) - cd * cos(flow), -cl * cos(flow) - cd * sin(flow), 0.0])
    return np.concatenate([force, np.cross(place, force)])


def windage(u: float, v: float, heading: float) -> Floats:
    """Return the wrench (6,) of the wind on hull, rig and sailor."""
    u, v = u + WIND * cos(heading), v - WIND * sin(heading)
    q = 0.5 * 1.225 * hypot(u, v)
    side = -q * 0.8 * 2.0 * v
    return np.array([-q * 0.9 * 1.0 * u, side, 0.0, 0.5 * side, 0.0, 0.0])


def unbalanced(unknown: Floats, heading: float) -> list[float]:
    """Return forces, moments and the rate of depth of u, v, w, z, phi, theta, rudder."""
    u, v, w, z, phi, theta, delta = unknown
    nu1 = np.array([u, v, w])
    eta = np.array([0.0, 0.0, z, phi, theta, heading])
    weight = 156.0 * 9.81
    tau = in_the_air(eta, np.append(nu1, np.zeros(3)), np.array([-WIND, 0.0]))
    tau += windage(u, v, heading)
    tau += foil(nu1, 0.09, np.array([-1.95, 0.0, 0.3]), delta)
    tau += foil(nu1, 0.197, np.array([0.2, 0.0, 0.44]), 0.0)
    tau[0] -= np.interp(u, *RESISTANCE)
    tau[1] -= 180.0 * abs(v) * v
    tau[2] -= 900.0 * w + 1025.0 * 9.81 * 2.9 * z
    tau[3:5] -= weight * np.array([1.6 * phi, 18.0 * theta])
    tau[3:] -= np.cross(nu1, np.array([9.0, 130.0, 900.0]) * nu1)  # Munk's moment
    return [*tau, float((Rzyx(phi, theta, heading) @ nu1)[2])]


@pytest.mark.parametrize("off", [45.0, 75.0, 110.0, 150.0])
def test_the_dinghy_sails_where_its_forces_balance(off: float) -> None:
    """As a velocity prediction program finds it: no motion is simulated there."""
    x = sailed(off, seconds=60.0)
    guess = [2.0, -0.1, 0.0, 0.0, -0.1, 0.0, 0.02]
    u, v, _, _, phi, _, delta = fsolve(unbalanced, guess, (x[PSI],))
    assert x[[U_, V_, PHI, 12]] == pytest.approx([u, v, phi, delta], abs=2e-3)
    assert x[PSI] == pytest.approx(radians(off), abs=radians(0.5))


@pytest.mark.slow
def test_the_polar_has_what_sailors_know_of_dinghies() -> None:
    """In irons, with sternway, close to the wind; best made good at 35 to 50; fastest abeam."""
    assert sailed(10.0, seconds=30.0)[U_] < 0.0
    states = {off: sailed(off) for off in (25.0, 35.0, 45.0, 60.0, 90.0, 130.0, 180.0)}
    found = {off: speed_and_course(x) for off, x in states.items()}
    speed = {off: U for off, (U, _) in found.items()}
    made_good = {off: U * cos(course) for off, (U, course) in found.items()}
    assert 35.0 <= max(made_good, key=made_good.__getitem__) <= 50.0
    assert made_good[25.0] < 0.7 * made_good[45.0]
    assert max(speed, key=speed.__getitem__) == 90.0
    assert speed[180.0] < 0.8 * speed[90.0]
    assert all(a < b for a, b in pairwise(list(speed.values())[:5]))
    beating = states[45.0]
    assert 2.0 < degrees(atan2(beating[V_], beating[U_])) < 8.0  # to leeward: starboard
    assert 0.0 < beating[PHI] < radians(30)


def test_a_sail_that_streams_leaves_the_dinghy_to_drift() -> None:
    assert sailed(90.0, power=0.0)[U_] < 0.3 * sailed(90.0)[U_]


def test_a_fixed_fin_has_no_command_and_a_sail_drives_ahead_only() -> None:
    found = [(c.name, c.low, c.high) for c in dinghy().commands]
    assert found == [("cs_1", radians(-35), radians(35)), ("th_1", 0, 1)]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("sail.csv", "\n180,", "\n170,", "beta from 0 to 170 degrees: expected 0 to 180"),
        ("thrusters.yml", "n_min: 0.0", "n_min: -1.0", "expected 0: a sail cannot drive astern"),
        ("thrusters.yml", "area: 7.06", "area: 0", "sail.area = 0: expected a number above 0"),
    ],
)
def test_a_wrong_sail_is_refused(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    folder = copytree(DINGHY, tmp_path / "dinghy")
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    with pytest.raises(InvalidValue, match=said):
        load(folder)
