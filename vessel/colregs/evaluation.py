"""Evaluation of one run of a scenario: every encounter's score, grounding, and the passage's cost.

The result is plain data, as JSON writes it: lengths in the own vessel's lengths where it says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np

from steerageway.geometry.encounter import Track, closest_approach, separation
from steerageway.vessel.colregs.scenario import Point, Scenario, course
from steerageway.vessel.colregs.scores import LIMITS, Floats, Meeting, Score, score
from steerageway.world.contact import inside

DIGITS = 4  # of the numbers of a result, after the point


@dataclass(frozen=True)
class Passage:
    """The tracks of all vessels of a run, at the same instants.

    Attributes:
        times: (n,) [s].
        own: (n, 4): x east, y north [m], heading [deg], speed [m/s].
        others: those of the other vessels, in the scenario's order.
        clear: whether it ended past and clear of all of them.
    """

    times: Floats
    own: Floats
    others: tuple[Floats, ...]
    clear: bool


def evaluate(scenario: Scenario, passage: Passage) -> dict[str, Any]:
    """Return the result of a run of a scenario."""
    length = scenario.length
    scores = [score(Meeting(passage.times, passage.own, other, length)) for other in passage.others]
    nearest = min(scores, key=lambda one: one.cpa)
    return {
        "clear": passage.clear,
        "cpa": _rounded(nearest.cpa),
        "cpa_lengths": _rounded(nearest.cpa / length),
        "cpa_time": _rounded(nearest.cpa_time),
        "collision": nearest.cpa < LIMITS.collision * length,
        "near_miss": nearest.cpa < LIMITS.near_miss * length,
        "domain": _rounded(min(one.domain for one in scores)),
        "aground": _first_inside(scenario.shallow, passage),
        "in_zone": _first_inside(scenario.zones, passage),
        "safety": _rounded(min(one.safety for one in scores)),
        "rules": _by_rule(scores),
        "worst": _rounded(min(one.least for one in scores)),
        **cost(scenario, passage),
        "encounters": [_as_data(one, length) for one in scores],
    }


def is_clear(scenario: Scenario, own: Track, others: Sequence[Track]) -> bool:
    """Whether the own vessel is past and clear of all others, also when it goes on to its goal."""
    safe = LIMITS.least * scenario.length
    for other in others:
        if closest_approach(own, other).time > 0.0 or separation(own, other) < safe:
            return False
    onward = own._replace(heading=course((own.x, own.y), scenario.goal), speed=scenario.start.speed)
    return all(closest_approach(onward, other).range >= safe for other in others)


def cost(scenario: Scenario, passage: Passage) -> dict[str, Any]:
    """Return the cost of the passage, compared with going straight to the goal.

    From the end of the run on the own vessel is taken to go straight there. ``late`` and
    ``farther`` are shares of the time and of the distance of the straight passage; ``fuel`` is the
    ratio of the fuel by the cubic law (power with the cube of the speed); ``steered`` is the sum of
    all changes of heading [deg].
    """
    steps, pauses = np.diff(passage.own[:, :2], axis=0), np.diff(passage.times)
    turns = (np.diff(passage.own[:, 2]) + 180.0) % 360.0 - 180.0
    speed, (x, y) = scenario.start.speed, scenario.goal
    left = hypot(x - passage.own[-1, 0], y - passage.own[-1, 1])
    straight = hypot(x - passage.own[0, 0], y - passage.own[0, 1])
    way = float(np.hypot(steps[:, 0], steps[:, 1]).sum()) + left
    time = float(passage.times[-1] - passage.times[0]) + left / speed
    burnt = float((passage.own[1:, 3] ** 3 * pauses).sum()) + speed * speed * left
    return {
        "late": _rounded(time * speed / straight - 1.0),
        "farther": _rounded(way / straight - 1.0),
        "fuel": _rounded(burnt / (speed * speed * straight)),
        "steered": _rounded(float(np.abs(turns).sum())),
    }


def _first_inside(polygons: Sequence[Sequence[Point]], passage: Passage) -> float | None:
    """Return the first instant at which the own vessel is inside a polygon [s]; None: never."""
    entered = [inside(passage.own[:, :2], np.array(polygon)) > 0.0 for polygon in polygons]
    if not np.any(entered):
        return None
    return _rounded(passage.times[np.any(entered, axis=0)][0])


def _by_rule(scores: Iterable[Score]) -> dict[str, float]:
    """Return the least score of each rule that applied."""
    least: dict[int, float] = {}
    for one in scores:
        for verdict in one.verdicts:
            least[verdict.rule] = min(verdict.score, least.get(verdict.rule, 1.0))
    return {str(rule): _rounded(least[rule]) for rule in sorted(least)}


def _as_data(one: Score, length: float) -> dict[str, Any]:
    return {
        "situation": str(one.situation),
        "begins": one.begins,
        "cpa": _rounded(one.cpa),
        "cpa_lengths": _rounded(one.cpa / length),
        "cpa_time": _rounded(one.cpa_time),
        "domain": _rounded(one.domain),
        "domain_time": _rounded(one.domain_time),
        "safety": _rounded(one.safety),
        "verdicts": [
            {
                "rule": verdict.rule,
                "score": _rounded(verdict.score),
                "kept": verdict.kept,
                "why": verdict.why,
            }
            for verdict in one.verdicts
        ],
    }


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)
