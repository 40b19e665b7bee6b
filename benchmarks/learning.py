"""Environment steps per processor second, compared to bare integration and to missions.

    python -m benchmarks.learning [--rounds 7]

Each round steps 1000 Otters of ``PathFollowing``, the same vessels without task, and one in a
mission, one after another; the ratios are medians over the rounds. Times are processor times.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from steerageway.envs.batch import Batch
from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tasks import DT

COUNT = 1000
STEPS, ALONE = 100, 100  # in a round: of the batch, and of the mission


def rate(step: Callable[[], object], steps: int, vessels: int) -> float:
    """Return the steps of a vessel per processor second."""
    began = time.process_time()
    for _ in range(steps):
        step()
    return steps * vessels / (time.process_time() - began)


def measured(rounds: int) -> dict[str, float]:
    """Return medians over rounds."""
    bare, env = Batch(load("otter"), COUNT, DT), VesselVectorEnv("PathFollowing", num_envs=COUNT)
    mission = VesselVectorEnv("PathFollowing", num_envs=1, engine="mission")
    env.reset(seed=1)
    mission.reset(seed=1)
    many = np.random.default_rng(1).uniform(-1.0, 1.0, (COUNT, len(env.orders)))
    commands, one = np.ascontiguousarray(bare.commands(many)), many[:1]
    scheme, x, around = bare.vessel.scheme("batch"), bare.x, bare.surroundings

    def integrate() -> None:
        scheme(bare.vessel.parameters, x, commands, around, DT, bare.steps)

    rows = [
        (
            rate(integrate, STEPS, COUNT),
            rate(lambda: env.step(many), STEPS, COUNT),
            rate(lambda: mission.step(one), ALONE, 1),
        )
        for _ in range(rounds + 1)
    ][1:]  # the first compiles
    mission.close()
    bared, stepped, alone = np.array(rows).T
    return {
        "bare_steps_per_second": float(np.median(bared)),
        "environment_steps_per_second": float(np.median(stepped)),
        "mission_steps_per_second": float(np.median(alone)),
        "ratio_to_bare": float(np.median(stepped / bared)),
        "ratio_to_mission": float(np.median(stepped / alone)),
    }


def main() -> None:
    """Measure, print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, default=Path("logs/learning.json"))
    given = parser.parse_args()
    figures = measured(given.rounds)
    for name, value in figures.items():
        print(f"{name:32} {value:12.4g}")
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
