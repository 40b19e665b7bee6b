"""Eight vessels at a time: each moves as it does alone."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numba import njit

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.lanes import in_lanes
from steerageway.vessel.fossen.state import PHI, PSI, THETA, U_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import pointer
from steerageway.world.lanes import LANES, WIDEST, aligned, lanes, sine_and_cosine

pytestmark = pytest.mark.slow  # compiles, unless the cache is warm

DT = 0.1


def batch_of_states(vessel: Dynamics, count: int) -> tuple[Floats, Floats, Floats]:
    """Return states far from rest, commands beyond their limits, and currents for every other."""
    random = np.random.default_rng(count)
    x = np.tile(vessel.initial, (count, 1))
    x[:, 2:] += 0.3 * random.normal(size=(count, x.shape[1] - 2))
    x[:, PSI] += random.uniform(-300.0, 300.0, count)
    x[::3, 6:12] = 0.0
    commands = random.uniform(-120.0, 120.0, (count, len(vessel.commands)))
    around = np.tile(vessel.surroundings(), (count, 1))
    around[::2, :3] = random.normal(size=(len(around[::2]), 3))
    return x, commands, around


@pytest.mark.parametrize("count", [1, 8, 21])
@pytest.mark.parametrize("name", ["otter", "blueboat"])
def test_vessels_in_lanes_move_as_each_does_alone(name: str, count: int) -> None:
    vessel = load(name)
    batch = in_lanes(vessel).scheme("batch")
    assert batch is not vessel.scheme("batch")
    one, other = batch_of_states(vessel, count), batch_of_states(vessel, count)
    for _ in range(20):
        assert batch(vessel.parameters, *one, DT, 2) == -1
        assert vessel.scheme("batch")(vessel.parameters, *other, DT, 2) == -1
    assert abs(one[0] - other[0]).max() < 1e-9
    assert np.array_equal(one[2], other[2])
    x, command, around = (rows[0] for rows in one)
    stepped = in_lanes(vessel).step(x, command, around, DT, 3)
    assert abs(stepped - vessel.step(x, command, around, DT, 3)).max() < 1e-9


@pytest.mark.parametrize(("entry", "value"), [(U_, 150.0), (THETA, np.pi / 2), (PHI, np.nan)])
def test_a_vessel_that_fails_stops_the_batch_where_it_is(entry: int, value: float) -> None:
    vessel = load("otter")
    one, other = batch_of_states(vessel, 12), batch_of_states(vessel, 12)
    for states, *_ in (one, other):
        states[5, entry] = value
    assert in_lanes(vessel).scheme("batch")(vessel.parameters, *one, DT, 3) == 5
    assert vessel.scheme("batch")(vessel.parameters, *other, DT, 3) == 5
    assert np.allclose(one[0], other[0], atol=1e-9, equal_nan=True)


def test_a_heading_of_many_turns_is_that_of_the_vessel_alone() -> None:
    vessel = load("otter")
    one, other = batch_of_states(vessel, 3), batch_of_states(vessel, 3)
    for states, *_ in (one, other):
        states[1, PSI] = 1e9
    assert in_lanes(vessel).scheme("batch")(vessel.parameters, *one, DT, 1) == -1
    vessel.scheme("batch")(vessel.parameters, *other, DT, 1)
    assert np.array_equal(one[0][1], other[0][1])


def test_vessels_that_need_more_are_stepped_alone() -> None:
    for name in ("remus100", "tito_neri", "wamv", "dinghy"):
        vessel = load(name)
        assert in_lanes(vessel) is vessel, name


def test_an_environment_of_otters_needs_no_machine_code_of_a_single_one() -> None:
    """Neither to begin, nor if some fail."""
    program = (
        "from steerageway.envs.vector import VesselVectorEnv\n"
        "from steerageway.vessel.fossen.coefficient import MODEL\n"
        "env = VesselVectorEnv('PathFollowing', num_envs=9)\n"
        "env.reset(seed=1)\n"
        "env._engine.x[[2, 8], 6] = 150.0\n"
        "print(env.step(env.action_space.sample() * 0.0)[4]['failed'].nonzero()[0])\n"
        "print(*(one.signatures for one in MODEL if hasattr(one, 'signatures')))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[2 8]", " ".join(["[]"] * 11)], done.stderr


@njit(error_model="numpy")  # type: ignore[untyped-decorator]
def angles_in_lanes(angles: Floats, found: Floats) -> None:
    """Write sine and cosine of LANES angles."""
    room = np.empty(4 * LANES)
    numbers = aligned(pointer(room))
    for lane in range(LANES):
        numbers[lane] = angles[lane]
    both = lanes(numbers, 1)
    both[0], both[1] = sine_and_cosine(lanes(numbers, 0)[0])
    for lane in range(LANES):
        found[0, lane], found[1, lane] = numbers[LANES + lane], numbers[2 * LANES + lane]


def test_sine_and_cosine_are_those_of_the_c_library_to_the_last_digit() -> None:
    random, found = np.random.default_rng(1), np.empty((2, LANES))
    near = np.arange(4 * LANES) * np.pi / 4  # changes of quadrant
    angles = np.concatenate((near, -near, random.uniform(-WIDEST, WIDEST, 4000), [0.0] * 8))
    for some in angles.reshape(-1, LANES):
        angles_in_lanes(some, found)
        assert abs(found - [np.sin(some), np.cos(some)]).max() <= 2.3e-16
