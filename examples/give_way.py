"""The policy of ``give_way_helm`` for two vessels that meet, and its scores of the COLREGs.

    python examples/give_way.py --encounters 64

Each Otter sails to a goal and meets another vessel, head-on, crossing or overtaken, which keeps its
course. The scores are those of ``steerageway colregs``, from 0 to 1.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from give_way_helm import GivesWay, wrapped

from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.tasks import Features
from steerageway.world.arrays import Floats


class Sailor:
    """Sails the courses of the policy, or straight on, at the speed of the begin."""

    def __init__(self, env: VesselVectorEnv, *, gives_way: bool = True) -> None:
        self._scale, self._orders, self._able = env._task.scale, env.orders, gives_way
        self._policy = GivesWay(self._scale.length)

    def act(self, f: Features) -> Any:
        """Return actions (N, orders) of the features."""
        straight = np.arctan2(-f["cross_track"], 5.0 * self._scale.length)
        off = wrapped((self._policy.course(f) if self._able else straight) - f["course_error"])
        rudder = 0.8 * off - 0.6 * f["r"]
        columns = {"rudder": rudder, "thrust": 0.5 + 0.6 * (0.6 * self._scale.speed - f["u"])}
        return np.clip(np.stack([columns[name] for name in self._orders], axis=-1), -1.0, 1.0)


def scored(encounters: int, seed: int, *, gives_way: bool) -> Floats:
    """Return safety and the least score of a rule of each encounter (N, 2); 0 of a collision."""
    env = VesselVectorEnv("Encounter", "otter", encounters, autoreset_mode="SameStep")
    env.reset(seed=seed)
    sailor, found = Sailor(env, gives_way=gives_way), np.full((encounters, 2), np.nan)
    while np.isnan(found).any():
        _, _, ended, cut, info = env.step(sailor.act(env.features))
        first = (ended | cut) & np.isnan(found[:, 0])
        found[first] = np.stack([info["safety"], info["rules"]], axis=-1)[first]
        found[first & info["failed"]] = 0.0
    return found


def main() -> None:
    """Sail the encounters with and without giving way, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--encounters", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for gives_way in (False, True):
        safety, rules = scored(given.encounters, given.seed, gives_way=gives_way).mean(axis=0)
        print(f"gives way: {gives_way!s:5}  safety {safety:.2f}  rules {rules:.2f}")


if __name__ == "__main__":
    main()
