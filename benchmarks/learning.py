"""Environment steps per processor second, compared to bare integration and to missions.

    python -m benchmarks.learning [--rounds 7]

Each round steps 2000 vessels of every environment, the same vessels without task, and one Otter of
``PathFollowing`` in a mission, one after another; the ratios are medians over the rounds. Times are
processor times. A game is one of its usual number of vessels, and a step is one of each.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.envs import TASKS
from steerageway.envs.batch import Batch
from steerageway.envs.kinematic import NAME, KinematicBatch
from steerageway.envs.parallel import FleetEnv
from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.games import GAMES
from steerageway.vessel.tasks import DT
from steerageway.vessel.tasks_around import ALL_TASKS

COUNT = 2000
STEPS, ALONE = 200, 100  # in a round: of a batch, and of the mission or a game

Step = Callable[[], object]


def rate(step: Step, steps: int, vessels: int) -> float:
    """Return the steps of a vessel per processor second."""
    began = time.process_time()
    for _ in range(steps):
        step()
    return steps * vessels / (time.process_time() - began)


def drawn(count: int, orders: int) -> Any:
    """Return actions (count, orders)."""
    return np.random.default_rng(1).uniform(-1.0, 1.0, (count, orders))


def stepped(task: str, vessel: str, count: int = COUNT, engine: str = "batch") -> Step:
    """Return what steps an environment by the same actions; episodes end one after another."""
    env = VesselVectorEnv(task, vessel, count, engine=engine)
    env.reset(seed=1)
    env._steps += np.arange(count) * env._last // count
    actions = drawn(count, len(env.orders))
    return lambda: env.step(actions)


def integrated(vessel: str) -> Step:
    """Return what steps the vessels alone."""
    if vessel == NAME:
        kinematic = KinematicBatch(COUNT, DT)
        actions = drawn(COUNT, len(kinematic.orders))
        return lambda: kinematic.step(actions)
    bare = Batch(load(vessel), COUNT, DT)
    commands = bare.commands(drawn(COUNT, len(bare.orders)))
    scheme, x, around = bare.vessel.scheme("batch"), bare.x, bare.surroundings
    return lambda: scheme(bare.vessel.parameters, x, commands, around, DT / bare.steps, bare.steps)


def played(game: str) -> tuple[Step, int]:
    """Return what steps a game, and its number of vessels."""
    env = FleetEnv(game, "otter")
    agents = env.possible_agents
    actions = dict(zip(agents, drawn(len(agents), len(env.orders)), strict=True))

    def step() -> None:
        if not env.agents:
            env.reset(seed=1)
        env.step(actions)

    return step, len(agents)


def measured(rounds: int) -> dict[str, list[float]]:
    """Return the steps per processor second of each round, by what is stepped."""
    tasks = [
        (task, "remus100" if "elevator" in ALL_TASKS[task].orders else "otter") for task in TASKS
    ]
    tasks.append(("PathFollowing", NAME))
    vessels = dict.fromkeys(vessel for _, vessel in tasks)
    work = {f"{vessel} alone": (integrated(vessel), STEPS, COUNT) for vessel in vessels}
    work |= {f"{task}, {vessel}": (stepped(task, vessel), STEPS, COUNT) for task, vessel in tasks}
    for game in GAMES:
        step, vessels = played(game)
        work[f"{game}, otter"] = step, ALONE, vessels
    work["mission, otter"] = stepped("PathFollowing", "otter", 1, "mission"), ALONE, 1
    rows: list[list[float]] = [[rate(*one) for one in work.values()] for _ in range(rounds + 1)]
    columns = list(zip(*rows[1:], strict=True))  # the first compiles
    return {name: list(column) for name, column in zip(work, columns, strict=True)}


def main() -> None:
    """Measure, print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, default=Path("logs/learning.json"))
    given = parser.parse_args()
    found = {name: np.array(rates) for name, rates in measured(given.rounds).items()}
    figures: dict[str, dict[str, float]] = {}
    for name, rates in found.items():
        alone = found[name if name.endswith("alone") else f"{name.split(', ')[1]} alone"]
        ratio = float(np.median(rates / alone))
        figures[name] = {"steps_per_second": float(np.median(rates)), "ratio_to_alone": ratio}
        print(f"{name:28} {np.median(rates):12.0f} {ratio:8.3f}")
    beside = float(np.median(found["PathFollowing, otter"] / found["mission, otter"]))
    figures["PathFollowing, otter"]["ratio_to_mission"] = beside
    print(f"PathFollowing to the same in a mission: {beside:.0f}")
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
