"""All placements record the same mail, however slowly apps answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from networks import fleet, network

from steerageway.bus import Outcome, Placement, RunPlan, run

pytestmark = pytest.mark.process

Digests = tuple[dict[str, str], tuple[float | int | str, ...]]


class Slow:
    """A runner that is slow at random times, so that processes answer in any order."""

    def __init__(self, runner: Any, seed: int) -> None:
        self._runner = runner
        self._random = Random(f"{seed} {runner.app.name} {runner.app.community}")

    def run(self, *grant: Any) -> Any:
        if self._random.random() < 0.05:
            time.sleep(0.001 * self._random.random())
        return self._runner.run(*grant)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._runner, name)


def counts(outcome: Outcome) -> tuple[float | int | str, ...]:
    """Return the counts of a run, and its end."""
    return (
        outcome.posted,
        outcome.delivered,
        outcome.thinned,
        outcome.refused,
        outcome.simulated_seconds,
        outcome.exit_reason,
    )


def digests_of(plan: RunPlan, placement: Placement, digests: Path) -> Digests:
    """Return digests of the mail of each community's recorder in a placement, and the counts."""
    outcome = run(replace(plan, placement=placement), lambda progress: None)
    assert outcome.deterministic
    found = {file.name: file.read_text() for file in digests.iterdir()}
    for file in digests.iterdir():
        file.unlink()
    return found, counts(outcome)


def compare(make: Callable[[], RunPlan], seed: int, digests: Path) -> None:
    """Check that all placements of a plan come to the same, with apps that are slow at times."""
    plan = make()
    expected = digests_of(plan, Placement.ONE, digests)
    assert set(expected[0]) == set(plan.communities)
    slowed = replace(make(), wrap=lambda runner: Slow(runner, seed))
    for placement in (Placement.PROCESS, Placement.COMMUNITY):
        assert digests_of(slowed, placement, digests) == expected


@pytest.mark.parametrize("seed", range(16))
def test_a_network_of_apps_receives_the_same_in_every_placement(seed: int, tmp_path: Path) -> None:
    compare(lambda: network(seed, digests=str(tmp_path)), seed, tmp_path)


@pytest.mark.parametrize("seed", [*range(8), 272, 501, 580, 982])
def test_communities_that_share_receive_the_same_in_every_placement(
    seed: int, tmp_path: Path
) -> None:
    compare(lambda: fleet(seed, digests=str(tmp_path)), seed, tmp_path)


@pytest.mark.parametrize("seed", range(8))
def test_communities_without_activity_receive_the_same_in_every_placement(
    seed: int, tmp_path: Path
) -> None:
    def make() -> RunPlan:
        return fleet(seed, seconds=4.0, obedient=True, digests=str(tmp_path))

    compare(make, seed, tmp_path)
