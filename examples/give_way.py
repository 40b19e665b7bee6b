"""A written policy for two vessels that meet, and the scores of the COLREGs that it gets.

    python examples/give_way.py --encounters 64

Each Otter sails to a goal and meets another vessel, head-on, crossing or overtaken, which keeps its
course. The scores are those of ``steerageway colregs``, from 0 to 1.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.tasks import Features, wrapped
from steerageway.world.arrays import Floats

PASSING = 10.0  # wanted distance of the closest approach, in vessel lengths
EARLY = 40.0  # gives way within it, in vessel lengths
LATE = 20.0  # within it, also for a vessel that should give way and does not (rule 17)
TURN = np.radians(60.0)  # of a vessel that gives way, to starboard: readily apparent (rule 8)
ABAFT = np.radians(112.5)  # a vessel further aft overtakes, and keeps out of the way (rule 13)
AHEAD = np.radians(15.0)  # a vessel so far to port is still ahead: both turn (rule 14)


class GivesWay:
    """Turns to starboard until it may resume its way: for others than these, late."""

    def __init__(self, env: VesselVectorEnv, *, gives_way: bool = True) -> None:
        self._scale, self._orders, self._able = env._task.scale, env.orders, gives_way
        self._giving = np.zeros(env.num_envs, np.bool_)

    def act(self, f: Features) -> Any:
        """Return actions (N, orders) of the features."""
        L, U = self._scale
        way = np.arctan2(-f["cross_track"], 5.0 * L)  # course of the line of sight, from the way's
        closest, until = approach(f, wrapped(way - f["course_error"]))
        risk = (until > 0.0) & (closest < PASSING * L)
        theirs = (f["bearing"] < -AHEAD) | (f["bearing"] > ABAFT)
        soon = f["range"] < np.where(theirs, LATE, EARLY) * L
        self._giving = risk & (self._giving | soon)
        course = np.where(self._giving & self._able, TURN, way)
        off = wrapped(course - f["course_error"])
        rudder = 0.8 * off - 0.6 * f["r"]
        columns = {"rudder": rudder, "thrust": 0.5 + 0.6 * (0.6 * U - f["u"])}
        return np.clip(np.stack([columns[name] for name in self._orders], axis=-1), -1.0, 1.0)


def approach(f: Features, turn: Floats) -> tuple[Floats, Floats]:
    """Return the distance of the closest approach (N,) [m], and the time until it [s].

    Args:
        f: the features. turn: of the own vessel before, at the same speed (N,) [rad].
    """
    place = f["range"] * np.array([np.cos(f["bearing"]), np.sin(f["bearing"])])
    theirs = f["other_speed"] * np.array([np.cos(f["crossing"]), np.sin(f["crossing"])])
    own = np.hypot(f["u"], f["v"]) * np.array([np.cos(turn), np.sin(turn)])
    relative = theirs - own
    until = -(place * relative).sum(axis=0) / (relative**2).sum(axis=0)
    return np.hypot(*(place + until * relative)), until


def scored(encounters: int, seed: int, *, gives_way: bool) -> Floats:
    """Return safety and the least score of a rule of each encounter (N, 2); 0 of a collision."""
    env = VesselVectorEnv("Encounter", "otter", encounters, autoreset_mode="SameStep")
    env.reset(seed=seed)
    policy, found = GivesWay(env, gives_way=gives_way), np.full((encounters, 2), np.nan)
    while np.isnan(found).any():
        _, _, ended, cut, info = env.step(policy.act(env.features))
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
