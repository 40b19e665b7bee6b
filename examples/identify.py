"""Identify the damping of an Otter from two runs, and what the environment says of each.

    python examples/identify.py

The Otter has 1.2 times the damping of its files (X_u = -93.1, Y_v = -195, N_r = -48.1,
N_ar_r = -481), and its motion is measured with noise. The reward of the environment
``Identification`` says how much a run tells; the estimates show it. Needs the extra ``control``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from steerageway.control import estimation, identify, recording
from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.fossen.state import R_, U_, V_
from steerageway.vessel.tasks import DT

FACTOR = 1.2
FREE = ("X_u", "Y_v", "N_r", "N_ar_r")
NOISE = {"u": 0.02, "v": 0.02, "r": 0.005}  # standard deviations [m/s, rad/s]
STEPS = 600
RUNS = {"gentle zigzag": 0.05, "zigzag": 0.4}  # rudder, of the full order


def orders() -> Any:
    """Return rudder and thrust (STEPS, runs, 2), from -1 to 1."""
    time = DT * np.arange(STEPS)
    rudder = np.outer(np.sign(np.sin(0.4 * time)), list(RUNS.values()))
    thrust = np.tile(0.5 + 0.3 * np.sign(np.sin(0.25 * time)), (len(RUNS), 1)).T
    return np.stack((rudder, thrust), axis=-1)


def sailed(seed: int) -> tuple[Any, Any]:
    """Return the information of each run (runs,), and the measured u, v, r (STEPS, runs, 3)."""
    randomise = {"damping": (FACTOR, FACTOR)}
    env = VesselVectorEnv("Identification", "otter", len(RUNS), randomise=randomise)
    assert env.orders == ["rudder", "thrust"]
    env.reset(seed=seed)
    told, motion = np.zeros(len(RUNS)), []
    for row in orders():
        motion.append(env._engine.x[:, (U_, V_, R_)])
        told += env.step(row)[1]
    noise = np.random.default_rng(seed).standard_normal((STEPS, len(RUNS), 3))
    return told, np.array(motion) + noise * list(NOISE.values())


def identified(run: int, motion: Any) -> estimation.Estimate:
    """Return the estimates of ``FREE`` from a run's orders and its motion (STEPS, 3)."""
    given = 100.0 * orders()[:, run]
    columns = dict(zip(("rudder", "thrust", *NOISE), [*given.T, *motion.T], strict=True))
    units = {"rudder": "%", "thrust": "%", "u": "m/s", "v": "m/s", "r": "rad/s"}
    record = recording.Recording(DT * np.arange(STEPS), columns, units)
    return identify.fossen3(record, "otter", FREE)


def main() -> None:
    """Sail, identify and print."""
    told, motion = sailed(seed=0)
    for k, name in enumerate(RUNS):
        print(f"{name}: information {told[k]:.1f}")
        print(identified(k, motion[:, k]))


if __name__ == "__main__":
    main()
