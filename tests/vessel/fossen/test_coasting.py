"""Passivity: without propulsion in still water no vessel gains energy, ahead or astern."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import radians
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.state import ACTUATORS, NU
from steerageway.vessel.tools.inertia import inertia_of
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow  # they compile
INPUTS = Path(__file__).parents[3] / "inputs"
SPEED = {  # of the start, ahead and astern [m/s]: what each vessel is for
    "blueboat": 3.0,
    "clarke83": 2.0,
    "container": 8.0,
    "esso_osaka_l3": 0.5,
    "heron": 1.7,
    "kvlcc2": 8.0,
    "kvlcc2_l7": 1.2,
    "navalvessel": 8.0,
    "npsauv": 1.8,
    "dinghy": 2.5,
    "osv": 4.0,
    "otter": 3.0,
    "remus100": 2.5,
    "semisub": 1.0,
    "supply": 2.0,
    "tanker": 8.0,
    "tito_neri": 1.0,
    "torpedo": 2.5,
    "wamv": 3.0,
}
SUBMERGED = ("npsauv", "remus100", "sookshma", "torpedo")
# By their own data: a speed that never changes, or forces about a service speed, without engines.
# Sookshma swings in pitch, which nothing in its files damps, and surges with it.
EXCEPTIONS = {
    *("box_barge", "sphere"),  # bodies that float and are not driven
    *("bluerov2", "bluerov2_heavy", "dsrv", "frigate", "mariner", "mavymini", "rexrov"),
    *("sookshma", "zeefakkel"),
}
# From some starts within its envelope energy grows, by its own data.
GAINS = {
    "bluerov2": "is lighter than the water it displaces, and rises",
    "bluerov2_heavy": "is heavier than the fresh water it displaces, and sinks",
    "dsrv": "keeps its speed, whatever happens",
    "frigate": "keeps its speed, and has no mass",
    "mariner": "forces about its service speed, to which it returns",
    "mavymini": "X_u_u and others of u², which drive it astern; its file of added mass is in mm",
    "rexrov": "is lighter than the water it displaces, and rises",
    "zeefakkel": "keeps its speed, and has no mass",
}
MESHES = ("box_barge", "sphere", "wamv")
LEVEL = 1e-6  # of the start's energy: rounding, and springs that are nearly at rest
# Their matrices of mass are symmetric and positive, and their data those of a dissipative hull.
SYMMETRIC = ("npsauv", "osv", "otter", "remus100", "semisub", "supply", "torpedo")
DRIFT = radians(20.0)
STEP = 0.02


@cache
def vessel(name: str) -> Dynamics:
    return load(INPUTS / name)


def stopped(name: str) -> Floats:
    """Return the vessel's initial state, level, actuators at rest; deep if the surface matters."""
    x = vessel(name).initial.copy()
    x[2] += 50.0 if name in SUBMERGED else 0.0
    x[3:6] = x[NU] = 0.0
    x[ACTUATORS:] = 0.0
    return x


def test_every_vessel_is_here_or_excepted():
    assert {path.name for path in INPUTS.iterdir() if path.is_dir()} == {*SPEED, *EXCEPTIONS}


@pytest.mark.parametrize("name", SPEED)
@pytest.mark.parametrize("share", [1.0, 0.1, -0.1, -1.0])
def test_coasting_straight_no_vessel_gets_faster(name, share):
    v, x = vessel(name), stopped(name)
    x[6] = share * SPEED[name]
    speed = abs(x[6])
    for _ in range(60):
        x = v.step(x, np.zeros(len(v.commands)), v.surroundings(), STEP, 100)
        assert abs(x[6]) <= speed * (1 + 1e-9) + 1e-9
        speed = abs(x[6])


@pytest.mark.parametrize("name", SYMMETRIC)
@pytest.mark.parametrize("seed", range(8))
def test_energy_never_grows_where_mass_is_symmetric(name, seed):
    v, x, rng = vessel(name), stopped(name), np.random.default_rng(seed)
    M = inertia_of(v)
    assert M is not None
    M = 0.5 * (M + M.T)
    speed, drift = rng.uniform(-1, 1) * SPEED[name], rng.uniform(-1, 1) * DRIFT
    x[6], x[7] = speed * np.cos(drift), speed * np.sin(drift)
    x[11] = rng.uniform(-0.3, 0.3) * SPEED[name] / np.sqrt(M[5, 5] / M[0, 0])
    start = x[NU] @ M @ x[NU] / 2
    for _ in range(60):
        x = v.step(x, np.zeros(len(v.commands)), v.surroundings(), STEP, 100)
        assert x[NU] @ M @ x[NU] / 2 <= 1.01 * start  # springs of a floating hull store some
    assert x[NU] @ M @ x[NU] / 2 < start


ANY = sorted({*SPEED, *EXCEPTIONS} - {*GAINS})


@pytest.mark.parametrize("name", ANY)
def test_no_vessel_gains_energy_from_a_level_start_within_its_envelope(name):
    """Until it capsizes, where it may: linear righting moments and derivatives end there."""
    v, rng = vessel(name), np.random.default_rng(3)
    M = inertia_of(v)
    assert M is not None
    moves, limits = np.diag(M) > 0.0, v.envelope
    top = min(limits.speed[1], SPEED.get(name, 1.0))
    low = max(limits.speed[0], -top)
    drift, attack = (min(a, DRIFT) for a in (limits.drift_angle, limits.angle_of_attack))
    rate = 0.3 * top / np.sqrt(M[5, 5] / M[0, 0])
    for _ in range(1 if name in MESHES else 10):
        x, U = v.initial.copy(), rng.uniform(low, top)
        x[2] += 50.0 if name in SUBMERGED else 0.0
        beta, alpha = rng.uniform(-drift, drift), rng.uniform(-attack, attack)
        x[ACTUATORS:] = 0.0
        x[6:9] = U * np.array([np.cos(beta) * np.cos(alpha), np.sin(beta), np.sin(alpha)])
        x[9:12] = rng.uniform(-rate, rate, 3)
        x[NU] *= moves
        start = x[NU] @ M @ x[NU] / 2
        for _ in range(40):
            x = v.step(x, np.zeros(len(v.commands)), v.surroundings(), STEP, 100)
            if abs(x[3]) > limits.heel:
                break
            assert x[NU] @ M @ x[NU] / 2 <= (1 + LEVEL) * start


def test_vessels_reported_to_gain_energy_do():
    """Or keeps a speed for ever: no name stays in the list without need."""
    for name in ("mariner", "mavymini"):
        v, x = vessel(name), stopped(name)
        M = inertia_of(v)
        assert M is not None
        x[6] = 4.0 if name == "mariner" else -1.0
        start = x[NU] @ M @ x[NU] / 2
        x = v.step(x, np.zeros(len(v.commands)), v.surroundings(), STEP, 5000)
        assert x[NU] @ M @ x[NU] / 2 > start
    for name in ("dsrv", "frigate", "zeefakkel"):
        v, x = vessel(name), vessel(name).initial.copy()
        x[ACTUATORS:] = 0.0
        later = v.step(x, np.zeros(len(v.commands)), v.surroundings(), STEP, 5000)
        assert later[6] == pytest.approx(x[6])


@pytest.mark.parametrize(
    ("name", "astern"), [("container", [0.0, -16.0]), ("tanker", [0.0, -8.0]), ("npsauv", None)]
)
def test_full_astern_stops_a_ship_and_drives_it_astern_no_faster_than_ahead(name, astern):
    v, x = vessel(name), stopped(name)
    command = [0.0] * 4 + [-150.0] if astern is None else astern
    x[6], speeds = SPEED[name], []
    for _ in range(120):
        x = v.step(x, command, v.surroundings(), 0.05, 400)
        speeds.append(x[6])
    assert min(speeds) == pytest.approx(speeds[-1], abs=0.2 * SPEED[name])
    assert -2.2 * SPEED[name] < speeds[-1] < -0.3 * SPEED[name]
    crossing = next(i for i, speed in enumerate(speeds) if speed < 0.0)
    assert all(a > b for a, b in pairwise(speeds[: crossing + 1]))


def test_the_reference_container_ship_diverges_astern():
    v = load(INPUTS / "container", peer_compat="mss")
    x = stopped("container")
    x[6] = -3.0
    x = v.step(x, [0.0, 0.0], v.surroundings(), 0.05, 12000)
    assert x[6] < -5.0


@pytest.mark.parametrize("name", ["container", "tanker"])
def test_ahead_the_forces_equal_those_of_the_reference(name):
    ours, reference = vessel(name), load(INPUTS / name, peer_compat="mss")
    rng = np.random.default_rng(1)
    for _ in range(50):
        x = ours.initial.copy()
        x[NU] = 0.0
        x[6], x[7], x[11] = rng.uniform(4, 8), rng.uniform(-0.3, 0.3), rng.uniform(-0.01, 0.01)
        x[12:] = rng.uniform(0, 0.15), rng.uniform(1, 8)
        command, around = x[12:].copy(), ours.surroundings()
        assert ours.derivative(x, command, around) == pytest.approx(
            reference.derivative(x, command, around), abs=1e-15
        )
