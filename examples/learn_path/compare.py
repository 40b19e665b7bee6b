"""Compare a learned policy with the shipped helm and PID, on paths of kept-back seeds in currents.

    python examples/learn_path/compare.py path.onnx --seeds 100

Both run in whole missions (``path.moos``): the same Otter, start, path, speed and current. The
cross-track error is that of the task ``PathFollowing``, its mean over time until the path's end.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from steerageway.launcher import Case, Mission
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.state import PSI, STATE_NAMES, U_
from steerageway.vessel.fossen.time_step_limit import steps_within
from steerageway.vessel.tasks import DT, PathFollowing, scale_of
from steerageway.world.arrays import Floats

MISSION = Path(__file__).with_name("path.moos")
FIRST_SEED = 1_000_000  # of those that no training draws
STRONGEST = 0.2  # current, as a share of the full speed
LONGEST = 240.0  # [s]
HELM = ["pHelmIvP", "pMarinePIDV22"]


class Course(NamedTuple):
    """What a seed draws: points (k, 2) north, east [m]; state (12,); current north, east [m/s]."""

    points: Floats
    start: Floats
    current: Floats
    speed: float


def drawn(task: PathFollowing, seed: int) -> Course:
    """Return a path from the origin, a start on it, and a current of up to ``STRONGEST``."""
    random, x = np.random.default_rng(FIRST_SEED + seed), np.zeros((1, 12))
    task.draw(random, np.arange(1), x)
    x[0, :2] = 0.0
    speed, towards = (
        random.uniform(0.0, STRONGEST) * task.scale.speed,
        random.uniform(-np.pi, np.pi),
    )
    current = speed * np.array([np.cos(towards), np.sin(towards)])
    return Course(task.points[0], x[0], current, task.SPEED * task.scale.speed)


def sailed(mission: Mission, task: PathFollowing, course: Course) -> tuple[float, float]:
    """Return the mean cross-track error [m] and the time to the path's end [s], inf without it."""
    path = ":".join(f"{east:.3f},{north:.3f}" for north, east in course.points[1:])
    heading = math.degrees(course.start[PSI]) % 360.0
    first = {
        "MOOS_MANUAL_OVERRIDE": "false",
        "USM_RESET": f"x=0,y=0,heading={heading:.6f},speed={course.start[U_]:.6f}",
        "DRIFT_X": course.current[1],
        "DRIFT_Y": course.current[0],
        "POLICY_GOAL": path,
        "PATH": f"points={path}#speed={course.speed:.4f}",
    }
    mission.reset(Case(seed=0, first=first))
    task.aim(course.points)
    off: list[float] = []
    while mission.time < LONGEST and mission.run_until(mission.time + DT):
        if not (state := mission.get("USM_STATE", "")):
            continue
        pairs = dict(pair.split("=") for pair in state.split(","))
        found = task.features(np.array([[float(pairs[name]) for name in STATE_NAMES]]))
        off.append(abs(found["cross_track"][0]))
        if found["finished"][0]:
            return float(np.mean(off)), mission.time
    return math.inf, math.inf


def measured(policy: Path | None, seeds: Iterable[int]) -> Floats:
    """Return what ``sailed`` does for each seed (n, 2), by a policy, or else by helm and PID."""
    vessel = load("otter")
    task = PathFollowing(scale_of(vessel, steps_within(vessel, DT)), 1, DT)
    skip = ["pPolicy"] if policy is None else HELM
    config = [] if policy is None else [f"pPolicy.policy={policy.resolve()}"]
    with Mission(MISSION, skip=skip, config=config) as mission:
        return np.array([sailed(mission, task, drawn(task, seed)) for seed in seeds])


def main() -> None:
    """Compare, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("policy", type=Path)
    parser.add_argument("--seeds", type=int, default=100)
    given = parser.parse_args()
    seeds = range(given.seeds)
    ways = {"policy": measured(given.policy, seeds), "helm and PID": measured(None, seeds)}
    for name, rows in ways.items():
        off, took = rows.mean(axis=0)
        print(f"{name}: mean cross-track error {off:.3f} m, {took:.1f} s to the path's end")
    less = [rows[:, 0] for rows in ways.values()]
    print(f"the policy's is less on {(less[0] < less[1]).sum()} of {given.seeds} paths")


if __name__ == "__main__":
    main()
