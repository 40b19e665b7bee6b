"""Learn path following in current by PPO, draw the training curve, and save the policy.

python examples/learn_path/learn.py --out path.onnx --curve curve.png
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # for matrices this small, threads only wait

import argparse
import time
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from ppo import PPO

from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.tasks import Features
from steerageway.world.arrays import Floats

IN_CURRENT = {"current": (0.0, 0.2), "delay": (0.1, 0.2)}  # a mission's orders come a step late


def close(f: Features) -> Floats:
    """Return at most 1, on the path and along it at the desired speed; sharp within a metre."""
    near = 1.0 / (1.0 + abs(f["cross_track"]))
    pace = np.exp(-abs(f["speed_error"]))
    return np.asarray(near * pace * 0.5 * (1.0 + f["cos_course_error"]))


def learn(updates: int, vessels: int, seed: int) -> tuple[PPO, list[float]]:
    """Return what has learned, and the mean reward of a step in each update; print it."""
    envs = VesselVectorEnv(
        *("PathFollowing", "otter", vessels),
        reward=close,
        randomise=IN_CURRENT,
        autoreset_mode="SameStep",
    )
    agent, curve = PPO(envs, seed), []
    wall, spent = time.perf_counter(), time.process_time()
    for k, reward in enumerate(agent.learn(updates), 1):
        curve.append(reward)
        if k % 10 == 0 or k == updates:
            took, own = time.perf_counter() - wall, time.process_time() - spent
            steps = k * agent.settings.steps * vessels
            print(
                f"{took:6.1f} s, of processors {own:6.1f} s: {steps:8} steps, reward {reward:.3f}",
                flush=True,
            )
    return agent, curve


def draw(curve: list[float], steps: int, file: Path) -> None:
    """Write a picture of the mean reward over the number of steps; ``steps``: of an update."""
    figure = Figure(figsize=(6.0, 3.0), layout="constrained")
    axes = figure.subplots()
    axes.plot(steps * np.arange(1, len(curve) + 1) / 1e6, curve)
    axes.set_xlabel("steps of the Otter [millions]")
    axes.set_ylabel("mean reward of a step")
    axes.set_ylim(0.0, 1.0)
    axes.grid(visible=True, linewidth=0.3)
    figure.savefig(file, dpi=100)


def main() -> None:
    """Learn, and save what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=80)
    parser.add_argument("--vessels", type=int, default=512)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("path.onnx"))
    parser.add_argument("--curve", type=Path)
    given = parser.parse_args()
    agent, curve = learn(given.updates, given.vessels, given.seed)
    agent.save(given.out)
    if given.curve is not None:
        draw(curve, given.vessels * agent.settings.steps, given.curve)


if __name__ == "__main__":
    main()
