"""Decision time of a helm, compared with exhaustive search: ``python benchmarks/helm.py``.

Options: ``--rounds N``, ``--json FILE``. A decision comprises all behaviors' iterations, posts
included,
and solving. The vessel is at another position each time, so that nothing can be reused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.helm.behavior_set import BehaviorSet
from steerageway.helm.kinds import Kinds
from steerageway.helm.life_cycle import live
from steerageway.helm.world import World
from steerageway.ivp import Domain, Function, on_grid, parse_variable, solve
from steerageway.moos.bhv import parse_behaviors

ROOT = Path(__file__).parents[1]
PLACES = 40  # of the vessel, in each round
AREA = 150.0  # vessels are within a square of twice this side [m]

WAYPOINT = """
Behavior = BHV_Waypoint
{
  name = survey
  points = 60,-40 : 60,-160 : 150,-160 : 180,-100 : 150,-40
  speed = 2
  lead = 8
  perpetual = true
}
"""
SLOW = """
Behavior = BHV_ConstantSpeed
{
  name = slow
  speed = 0.5
  duration = no-time-limit
}
"""
AVOID = """
Behavior = BHV_AvoidCollision
{{
  name = avoid_{0}
  contact = c{0}
  pwt_outer_dist = 1000
  completed_dist = 1000
}}
"""
SURFACE = ("course:0:359:360", "speed:0:4:41")
FIELDS = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED")


@dataclass
class Case:
    """A decision problem.

    Attributes:
        title: its name in the table.
        target: maximum time [us].
        objectives: moves the vessel and returns the functions of all behaviors.
    """

    title: str
    target: float
    domain: Domain
    objectives: Callable[[], list[Function]]


def cases() -> list[Case]:
    """Return the cases to measure."""
    return [
        sailing("alpha: Waypoint", 120, WAYPOINT, 0),
        sailing("Waypoint and ConstantSpeed", 120, WAYPOINT + SLOW, 0),
        sailing("Waypoint and 10 AvoidCollision", 2000, WAYPOINT, 10),
        diving(),
    ]


def sailing(title: str, target: float, behaviors: str, contacts: int) -> Case:
    """Return a case of behaviors over course and speed, among contacts."""
    domain = Domain(tuple(map(parse_variable, SURFACE)))
    return Case(title, target, domain, helm(domain, behaviors, contacts))


def diving() -> Case:
    """Return a case of three variables: one behavior over two of them, one over another pair."""
    domain = Domain((*map(parse_variable, SURFACE), parse_variable("depth:0:500:101")))
    avoid = helm(domain, "", 1)
    random = Random(3)

    def objectives() -> list[Function]:
        bottom, slope = random.uniform(0.0, 300.0), random.uniform(0.0, 1.0)
        shape = on_grid(domain, ("course", "depth"), lambda c, d: -abs(d - bottom - slope * c))
        return [*avoid(), shape]

    return Case("course-speed and course-depth", 5000, domain, objectives)


def helm(domain: Domain, behaviors: str, contacts: int) -> Callable[[], list[Function]]:
    """Create behaviors and contacts; return a function that moves the vessel and runs them all."""
    random = Random(contacts)
    world = World("alpha", domain, Random(0))
    for number in range(contacts):
        x, y, heading, speed = (random.uniform(-AREA, AREA) for _ in range(4))
        report = f"NAME=c{number},X={x},Y={y},SPD={abs(speed) / 50},HDG={heading % 360},TIME=0"
        world.ledger.take(report, 0.0)
        behaviors += AVOID.format(number)
    file = parse_behaviors(behaviors, "benchmark.bhv")
    alive = BehaviorSet(file.behaviors, world, Kinds()).behaviors

    def objectives() -> list[Function]:
        pose = (random.uniform(-AREA, AREA), random.uniform(-AREA, AREA))
        for name, value in zip(FIELDS, (*pose, random.uniform(0, 360), 1.5), strict=True):
            world.take(name, value)
        world.locate()
        for behavior in alive:
            behavior.postings.clear()
        return [objective for behavior in alive if (objective := live(behavior)) is not None]

    return objectives


def brute_force(domain: Domain, functions: Sequence[Function]) -> dict[str, float]:
    """Decide by evaluating the sum at every point of the whole grid."""
    used = {name for function in functions for name in function.variables}
    names = [name for name in domain.names if name in used]
    total = np.zeros([domain[name].points for name in names])
    for function in functions:
        for some, table in function.parts.items():
            axes = tuple(slice(None) if name in some else np.newaxis for name in names)
            order = sorted(range(len(some)), key=lambda axis: names.index(some[axis]))
            total += function.weight * table.transpose(order)[axes]
    best = np.unravel_index(total.argmax(), total.shape)
    return {name: domain[name].values.item(at) for name, at in zip(names, best, strict=True)}


def measure(case: Case, rounds: int) -> dict[str, float]:
    """Return minimum times [us]: objective functions, solving, their sum, and brute force."""
    best = dict.fromkeys(("behaviors", "solving", "decision", "brute_force"), float("inf"))
    for _ in range(rounds * PLACES):
        began = perf_counter()
        functions = case.objectives()
        evaluated = perf_counter()
        decision = solve(case.domain, functions)
        solved = perf_counter()
        tried = brute_force(case.domain, functions)
        done = perf_counter()
        assert decision.values.keys() == tried.keys()
        times = (evaluated - began, solved - evaluated, solved - began, done - solved)
        for key, seconds in zip(best, times, strict=True):
            best[key] = min(best[key], seconds * 1e6)
    return best


def main() -> None:
    """Measure, print, write."""
    parser = options_of(__doc__, "helm")
    parser.add_argument("--rounds", type=int, default=10, help=f"rounds of {PLACES} decisions each")
    options = parser.parse_args()
    found: dict[str, Any] = {**load_before()}
    print("                                behaviors  solving  decision  target [us]   brute force")
    for case in cases():
        figures = found[case.title] = measure(case, options.rounds)
        times = figures["brute_force"] / figures["solving"]
        print(
            f"{case.title:34}{figures['behaviors']:7.0f}{figures['solving']:9.0f}"
            f"{figures['decision']:10.0f}{case.target:8.0f}"
            f"{figures['brute_force']:14.0f} us, {times:.0f} x solving"
        )
    write(found, options.json)


if __name__ == "__main__":
    main()
