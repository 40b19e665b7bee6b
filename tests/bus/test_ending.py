"""End conditions over commits of two communities, evaluated instant by instant."""

from __future__ import annotations

from itertools import count

import pytest

from steerageway.bus.core.cases import CASE_RESET
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import Condition
from steerageway.bus.core.stamps import INPUT, ITERATE, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.ending import CASE, End, Ending
from steerageway.declarations.posted import Value


def equal(name: str, value: Value, community: str = "") -> Condition:
    """Hold while a variable has a value."""
    return Condition(f"{name} = {value}", (name,), lambda see: see(name) == value, community)


class Watched:
    """An ending over the communities abe and ben, and their commits."""

    def __init__(
        self, *until: Condition, fail_if: tuple[Condition, ...] = (), cases: bool = False
    ) -> None:
        self.databases = {name: Database(name) for name in ("abe", "ben")}
        self.ending = Ending(until, fail_if, self.databases, cases=cases)
        self._numbers = count()

    def commit(
        self, instant: int, name: str, value: Value, community: str = "abe", place: int = ITERATE
    ) -> None:
        """Commit a value at an instant [ns]."""
        message = Message(name, value, 0.0, "pTest", "", community, instant)
        entry = (stamp(instant, place), 0, next(self._numbers), message)
        for hook in self.databases[community].variable(name).hooks:
            hook.committed(entry)

    def evaluate(self, before: int) -> End | None:
        """Evaluate the commits before the iterations of an instant."""
        return self.ending.evaluate(stamp(before, ITERATE))


def test_a_condition_is_evaluated_once_an_instant_when_it_is_complete() -> None:
    run = Watched(equal("A", 1.0))
    run.commit(5, "A", 1.0, place=INPUT)
    assert run.evaluate(5) is None  # others may still post at 5
    run.commit(5, "A", 0.0)  # it held in between: that does not count
    assert run.evaluate(6) is None
    run.commit(6, "A", 1.0)
    assert run.evaluate(6) is None
    run.commit(7, "A", 0.0)
    assert run.evaluate(9) == End(6, "until", "A = 1.0")


def test_the_first_of_several_instants_evaluated_together_is_used() -> None:
    run = Watched(equal("A", 1.0))
    for instant, value in ((3, 0.0), (4, 1.0), (5, 2.0), (6, 1.0)):
        run.commit(instant, "A", value)
    assert run.ending.evaluate_rest() == End(4, "until", "A = 1.0")


def test_late_commits_are_checked_at_their_place_in_the_order() -> None:
    run = Watched(equal("A", 1.0))
    run.commit(6, "A", 2.0)
    run.commit(4, "A", 1.0)
    assert run.evaluate(7) == End(4, "until", "A = 1.0")


def test_all_conditions_must_have_held_each_at_any_time() -> None:
    run = Watched(equal("A", 1.0), equal("B", 1.0))
    run.commit(3, "A", 1.0)
    run.commit(4, "A", 0.0)
    assert run.evaluate(5) is None
    run.commit(5, "B", 1.0)
    assert run.evaluate(6) == End(5, "until", "A = 1.0 and B = 1.0")


@pytest.mark.parametrize(
    ("community", "ends_at"), [("", 3), ("abe", 4), ("ben", 3), ("*", 4), ("cal", None)]
)
def test_a_condition_is_about_any_community_or_one_or_all(
    community: str, ends_at: int | None
) -> None:
    run = Watched(equal("A", 1.0, community))
    run.commit(3, "A", 1.0, "ben")
    run.commit(4, "A", 1.0, "abe")
    end = run.evaluate(9)
    assert (end.instant if end else None) == ends_at


def test_a_failure_takes_precedence_over_conditions_of_its_instant() -> None:
    run = Watched(equal("A", 1.0), fail_if=(equal("HIT", 1.0),))
    run.commit(3, "A", 1.0)
    run.commit(3, "HIT", 1.0, "ben")
    assert run.evaluate(4) == End(3, "fail_if", "HIT = 1.0")


def test_without_a_condition_nothing_ends() -> None:
    run = Watched()
    run.commit(3, "A", 1.0)
    assert run.ending.evaluate_rest() is None


def test_the_first_of_two_case_requests_at_an_instant_is_used() -> None:
    run = Watched(cases=True)
    run.commit(3, CASE_RESET, "one")
    run.commit(3, CASE_RESET, "two", "ben")
    run.commit(4, CASE_RESET, "three")
    assert run.evaluate(9) == End(3, CASE, "one", "abe", "pTest")
    assert run.evaluate(9) == End(4, CASE, "three", "abe", "pTest")
    ended = Watched(equal("A", 1.0), cases=True)
    ended.commit(3, CASE_RESET, "one")
    ended.commit(3, "A", 1.0)
    assert ended.evaluate(9) == End(3, "until", "A = 1.0")
    assert CASE_RESET not in Watched(equal("A", 1.0)).ending.names
