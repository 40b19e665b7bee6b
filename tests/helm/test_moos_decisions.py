"""Decisions of the helm against those measured on MOOS-IvP's own libraries."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pytest

from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.bench import Bench, behavior_bench

REFERENCE = Path(__file__).parents[1] / "reference" / "moos_decisions"
FROM_ABOVE = "peer_compat = moos\n"
STEP = 1.0  # between two iterations of the recorded behaviors [s]
NEAR = 0.5  # utilities that are equal but for the knots of straight lines
Row = dict[str, str]


def rows(file: str) -> list[Row]:
    """Return the rows of a reference file."""
    with (REFERENCE / file).open() as lines:
        return list(csv.DictReader(lines))


ENCOUNTERS = rows("encounters.csv")
RULES = [row for row in ENCOUNTERS if row["modes"]]


def block(number: int, text: str) -> str:
    """Return the block of a behavior that a row of the ties gives in one line."""
    kind, *lines = text.split()
    spread = "\n".join(line.replace("=", " = ", 1) for line in lines)
    return f"Behavior = {kind}\n{{\nname = b{number}\n{spread}\n}}\n"


def decided(sail: Callable[..., Any], row: Row, lines: str) -> dict[str, float]:
    """Return the second decision of a helm: the first has no previous one."""
    behaviors = "".join(block(i, text) for i, text in enumerate(row["behaviors"].split(" | ")))
    sailing = sail(
        behaviors, lines, domain=tuple(row["domain"].split()), NAV_SPEED=1.0, NAV_DEPTH=0.0
    )
    sailing.steps(2)
    names = {"course": "HEADING", "speed": "SPEED", "depth": "DEPTH"}
    asked = [pair.split("=")[0] for pair in row["decision"].split()]
    return {name: sailing.posted[f"DESIRED_{names[name]}"] for name in asked}


def expected(row: Row) -> dict[str, float]:
    """Return the recorded decision of a row of the ties."""
    pairs = (pair.split("=") for pair in row["decision"].split())
    return {name: pytest.approx(float(value)) for name, value in pairs}


@pytest.mark.parametrize("row", rows("ties.csv"), ids=lambda row: row["behaviors"][:40])
def test_of_equally_good_points_the_one_of_moos_ivp_is_decided(sail, row: Row) -> None:
    assert decided(sail, row, FROM_ABOVE) == expected(row)


@pytest.mark.parametrize(
    "row",
    [row for row in rows("ties.csv") if row["decision"].startswith("depth")],
    ids=lambda row: row["behaviors"][:40],
)
def test_ties_in_depth_are_those_of_moos_ivp_without_a_switch(sail, row: Row) -> None:
    assert decided(sail, row, "") == expected(row)


def iterations(row: Row, *, as_moos: bool) -> Iterator[Bench]:
    """Yield the bench after each iteration of a recorded encounter."""
    lines = "\n".join(part.replace("=", " = ", 1) for part in row["parameters"].split())
    bench = behavior_bench(BEHAVIORS[row["behavior"]], f"contact = cn\nname = b\n{lines}")
    bench.world.as_moos = as_moos
    bench.behavior.configured(frozenset())
    own = [float(row[name]) for name in ("x", "y", "heading", "speed")]
    other = [float(row[f"contact_{name}"]) for name in ("x", "y", "heading", "speed")]
    while True:
        bench.world.time += STEP
        bench.world.utc += STEP
        bench.own(*own)
        bench.contact("cn", *other)
        bench.step(0.0)
        yield bench
        for track in (own, other):
            way, angle = track[3] * STEP, radians(track[2])
            track[0] += way * sin(angle)
            track[1] += way * cos(angle)


def modes(row: Row, *, as_moos: bool) -> list[str]:
    """Return the rule in each second of a recorded encounter."""
    found = []
    for second, bench in enumerate(iterations(row, as_moos=as_moos)):
        if second == 60:
            return found
        found.append(bench.behavior.mode.full_name)
    return found


def recorded_modes(row: Row) -> list[str]:
    """Return the recorded rule in each second of an encounter."""
    words = row["modes"].split()
    changes = dict(zip(map(int, words[::2]), words[1::2], strict=True))
    found: list[str] = []
    for second in range(60):
        found.append(changes.get(second, found[-1] if found else ""))
    return found


@pytest.mark.slow
def test_the_rules_of_the_road_follow_each_other_as_in_moos_ivp() -> None:
    differ = [row for row in RULES if modes(row, as_moos=True) != recorded_modes(row)]
    # where the range begins to open, rounding decides
    assert len(differ) <= len(RULES) // 50


@pytest.mark.slow
def test_only_faults_of_moos_ivp_begin_another_rule_than_it() -> None:
    pairs = [(recorded_modes(row)[0], modes(row, as_moos=False)[0]) for row in RULES]
    faults = {pair for pair in pairs if pair[0] != pair[1]}
    assert faults
    assert all(there.startswith(("giveway", "standon_ot")) for there, _ in faults)
    assert {here for _, here in faults} <= {"giveway:stern", "cpa"}


@pytest.mark.parametrize("kind", sorted({row["behavior"] for row in ENCOUNTERS}))
def test_weights_and_utilities_of_an_encounter_are_those_of_moos_ivp(kind: str) -> None:
    off = []
    for row in (row for row in ENCOUNTERS if row["behavior"] == kind):
        bench = next(iterations(row, as_moos=True))
        weight = bench.objective.weight if bench.objective else 0.0
        assert weight == pytest.approx(float(row["weight"]), abs=1e-3)
        for point in row["utilities"].split():
            course, speed, utility = map(float, point.split(":"))
            off.append(abs(bench.utility(course=course, speed=speed) - utility))
    assert len(off) > 80
    # at jumps, and on lines with knots between grid points, MOOS-IvP's functions are approximate
    assert sum(one > NEAR for one in off) < 0.1 * len(off)
