"""Mirror symmetry and uniform currents, in the tracks of every vessel.

A mirrored start with mirrored orders gives the mirrored track, and in a uniform current the track
is that of still water carried along: both follow from the symmetry of a hull about its centre plane
and from Galilean invariance, whatever the equations. Exceptions by a vessel's data have names.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow
INPUTS = Path(__file__).parents[3] / "inputs"
NAMES = tuple(sorted(folder.name for folder in INPUTS.iterdir() if folder.is_dir()))
MIRROR = np.array([1, -1, 1, -1, 1, -1] * 2, float)
DT, SECONDS = 0.02, 20
STILL = np.zeros(3)
SUBMERGED = (
    *("bluerov2", "bluerov2_heavy", "dsrv", "npsauv", "remus100", "rexrov", "torpedo", "mavymini"),
)
SIDES = {
    "blueboat": "1 0",
    "bluerov2": "1 0 3 2 5 4",
    "bluerov2_heavy": "1 0 3 2 6 7 4 5",
    "box_barge": "",
    "clarke83": "-0 1",
    "container": "-0 1",
    "dinghy": "-0 1",
    "dsrv": "0",
    "esso_osaka_l3": "-0 1",
    "frigate": "-0",
    "heron": "1 0",
    "kvlcc2": "-0 1",
    "kvlcc2_l7": "-0 1",
    "mariner": "-0",
    "mavymini": "0 1 2 3 4 5 6",
    "navalvessel": "0 -1 -2 -3",
    "npsauv": "-0 1 3 2 4",
    "osv": "-0 -1 3 2 -5 -4",
    "otter": "1 0",
    "remus100": "-0 1 2",
    "rexrov": "1 0 3 2 5 4 7 6",
    "semisub": "-0 -1 -2 -3 5 4",
    "sookshma": "-0",
    "sphere": "",
    "supply": "-0 -1 -2 -3 5 4",
    "tanker": "-0 1",
    "tito_neri": "1 0 -2 -4 -3",
    "torpedo": "-0 -1 -3 -2 4",
    "wamv": "1 0 3 2 -5 -4",
    "zeefakkel": "-0",
}
"""The actuator whose mirror image each one is: rudders reversed, port and starboard exchanged."""


def even(rows: list[list[float]]) -> list[list[float]]:
    """Return a matrix (6, 6) without the entries that the mirror image has with another sign."""
    M = np.array(rows)
    mean: list[list[float]] = (0.5 * (M + np.outer(MIRROR[:6], MIRROR[:6]) * M)).tolist()
    return mean


REXROV = yaml.safe_load((INPUTS / "rexrov" / "inertia.yml").read_text())
WAKE = {"hydrodynamics.gamma_R_minus": 0.64, "hydrodynamics.C_2_minus": 1.6}
ASYMMETRIC: dict[str, dict[str, object] | None] = {
    "esso_osaka_l3": {"hydrodynamics.gamma_R_minus": 0.4406},
    "kvlcc2": WAKE,
    "kvlcc2_l7": WAKE,
    "mariner": {f"hydrodynamics.{axis}_{term}": 0 for axis in "YN" for term in ("0", "0u", "0uu")},
    "tanker": {"hydrodynamics.Y_T": 0, "hydrodynamics.N_T": 0},
    "npsauv": {"inertia.I_xy": 0, "inertia.I_yz": 0},
    "osv": {"thrusters.thrusters.4.thrust_max": 420e3, "thrusters.thrusters.4.n_max": 150},
    "remus100": {"thrusters.thrusters.1.torque_factor": 0},
    "torpedo": {"thrusters.thrusters.1.torque_factor": 0},
    "rexrov": {
        f"inertia.{name}_matrix": even(REXROV[f"{name}_matrix"])
        for name in ("inertia", "added_mass")
    },
    "sookshma": {"hydrodynamics.hydra_file": "None"},
    "mavymini": None,  # without it no step is short enough
}
"""What makes a vessel's sides differ, and values that make them alike.

Of the mariner and the tankers the single screw; products of inertia of NPS AUV II and RexROV; two
thrusters of other power; the torque of one propeller; HydRA's added mass of a hull's panels.
"""


def mirrored(name: str, actuators: Floats) -> Floats:
    """Return actuators or commands in the mirror."""
    found = [
        (-1.0 if word.startswith("-") else 1.0) * actuators[int(word.lstrip("-"))]
        for word in SIDES[name].split()
    ]
    return np.array(found)


def start(name: str, vessel: Dynamics, seed: int) -> tuple[Floats, Floats]:
    """Return a state under way with drift, heel, yaw and actuators, and commands."""
    rng = np.random.default_rng(seed)
    x = vessel.initial.copy()
    speed = max(float(x[6]), 0.5)
    x[:2], x[2], x[5] = rng.normal(size=2), 10.0 if name in SUBMERGED else x[2], rng.normal()
    x[3] += 0.1 * rng.normal()
    x[6:12] = [
        speed,
        0.1 * speed * rng.normal(),
        0.0,
        0.01 * rng.normal(),
        0.0,
        0.01 * rng.normal(),
    ]
    command = np.array([rng.uniform(0.1, 0.4) * one.high for one in vessel.commands])
    x[12:] = command
    return x, command


def track(
    vessel: Dynamics, x: Floats, command: Floats, current: Floats, wind: Floats = STILL
) -> Floats:
    """Return eta (n, 6) of each second."""
    around, states = vessel.surroundings(current=current, wind=wind[:2]), [x]
    for _ in range(SECONDS):
        states.append(vessel.step(states[-1], command, around, DT, steps=round(1.0 / DT)))
    return np.array(states)[:, :6]


def skew(name: str, vessel: Dynamics) -> float:
    """Return the greatest distance of the mirrored track from the mirror image of the track."""
    x, command = start(name, vessel, 3)

    own = track(vessel, x, command, STILL)
    twin = np.concatenate((MIRROR * x[:12], mirrored(name, x[12:])))
    other = track(vessel, twin, mirrored(name, command), STILL)
    return float(np.abs(own - other * MIRROR[:6]).max())


@pytest.mark.parametrize("name", NAMES)
def test_a_mirrored_start_with_mirrored_orders_gives_the_mirrored_track(name: str) -> None:
    alike = ASYMMETRIC.get(name, {})
    if alike is not None:
        assert skew(name, load(INPUTS / name, overrides=alike)) < 1e-7
    if alike != {}:
        assert skew(name, load(INPUTS / name)) > 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_in_a_uniform_current_the_track_is_that_of_still_water_carried_along(name: str) -> None:
    vessel = load(INPUTS / name)
    x, command = start(name, vessel, 4)
    current = np.array([0.7, -0.4, 0.0])
    alone = track(vessel, x, command, STILL)
    carried = x.copy()
    carried[6:9] += eul_to_rotm(x[3:6]).T @ current
    along = np.arange(len(alone))[:, None] * current
    # the air moves with the water: at rest over ground it would be a wind
    together = track(vessel, carried, command, current, wind=current)
    together[:, :3] -= along
    # the steps' own error; of mavymini's added mass, in the wrong unit, rounding leaves more
    assert np.abs(together - alone).max() < (1e-2 if name == "mavymini" else 2e-5)
