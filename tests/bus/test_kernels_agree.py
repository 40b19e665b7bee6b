"""The log is the same however far a kernel grants ahead and in whatever order apps answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import pytest
from networks import (
    Recorder,
    app_plan,
    fleet,
    network,
    run_ahead,
    run_in_windows,
    run_serially,
)

from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Condition, Input, Phase, Poke, RunPlan
from steerageway.bus.lockstep.case_kernel import CaseKernel


def some_fast(seeds: Iterable[int]) -> list[object]:
    """Count all but every fourth seed among the slow tests."""
    return [pytest.param(s, marks=pytest.mark.slow) if s % 4 else s for s in seeds]


@pytest.mark.slow
@pytest.mark.parametrize("seed", some_fast(range(60)))
def test_grants_ahead_leave_the_log_of_one_at_a_time(seed: int) -> None:
    expected, counted = run_serially(network(seed))
    assert len(expected[0]) == 64
    for shuffle, eager in ((1, False), (2, True)):
        got, also = run_ahead(network(seed), shuffle, eager=eager)
        assert got == expected
        assert also == counted


@pytest.mark.slow
@pytest.mark.parametrize("seed", some_fast(range(20)))
def test_recorders_that_rest_while_time_is_paced_leave_the_log_of_one_at_a_time(seed: int) -> None:
    assert run_ahead(network(seed), 1, step=0.02) == run_serially(network(seed))
    assert run_ahead(fleet(seed), 2, step=0.03) == run_serially(fleet(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", some_fast(range(20)))
def test_communities_that_receive_from_each_other_leave_the_log_of_one_at_a_time(seed: int) -> None:
    expected, counted = run_serially(fleet(seed))
    for shuffle, eager in ((1, False), (2, True)):
        assert run_ahead(fleet(seed), shuffle, eager=eager) == (expected, counted)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some_fast([*range(30), 272, 501, 580, 982]))
def test_communities_with_separate_time_leave_the_log_of_one_at_a_time(seed: int) -> None:
    expected = run_serially(fleet(seed))
    assert run_in_windows(fleet(seed), 1) == expected
    assert run_in_windows(fleet(seed), 2) == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_obedient_fleets_leave_the_log_of_one_at_a_time(seed: int) -> None:
    expected = run_serially(fleet(seed, seconds=4.0, obedient=True))
    assert run_in_windows(fleet(seed, seconds=4.0, obedient=True), 1) == expected
    assert run_ahead(fleet(seed, seconds=4.0, obedient=True), 1, eager=False) == expected


def poker(seed: int, reported: list[Input]) -> Callable[[CaseKernel], None]:
    """Make a function that posts from outside periodically, and keeps its posts."""
    random = Random(seed)

    def poke(kernel: CaseKernel) -> None:
        if random.random() < 0.1:
            community = random.choice(kernel.state.plan.communities)
            name, value = random.choice(["V0", "V1", "W"]), random.uniform(0.0, 4.0)
            entered = kernel.poke(Poke(community, name, value))
            reported.extend([] if entered is None else [entered])

    return poke


@pytest.mark.parametrize("seed", some_fast(range(40)))
def test_posts_from_outside_give_the_same_log_when_they_are_replayed(seed: int) -> None:
    reported: tuple[list[Input], ...] = ([], [], [])
    logs = [
        run_serially(network(seed), meddle=poker(seed, reported[0]))[0],
        run_ahead(network(seed), 1, eager=False, meddle=poker(seed, reported[1]))[0],
        run_ahead(network(seed), 2, eager=True, meddle=poker(seed, reported[2]))[0],
    ]
    for posts, log in zip(reported, logs, strict=True):
        plan = network(seed)
        replayed = replace(plan, inputs=(*plan.inputs, *posts))
        assert run_serially(replayed)[0] == log


def test_nothing_is_posted_after_the_outside_post_that_ends_the_run() -> None:
    def plan() -> RunPlan:
        apps = (app_plan(Recorder, "pRecorder", 0.0, "0.2"),)
        end = Input(5 * NANO // 2, Phase.AFTER, "alpha", "W", 1.0)
        until = Condition("W", ("W",), lambda see: see("W") is not None)
        return RunPlan(("alpha",), apps, 1.0, stop_at=20 * NANO, until=(until,), inputs=(end,))

    expected = run_serially(plan())
    assert expected[1][-1] == 5 * NANO // 2
    assert run_ahead(plan(), 1, eager=False) == expected
