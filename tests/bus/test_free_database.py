"""Free run's database, mailbags and exit reports."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest
from networks import app_plan

from steerageway.bus import App
from steerageway.bus.core.app import Registration
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import Failure
from steerageway.bus.database.mailbag import BATCH
from steerageway.bus.free.database import FreeDatabase, Poster
from steerageway.bus.free.exit_reports import ExitReports
from steerageway.bus.free.mailbag import BatchBag
from steerageway.bus.observers import limits
from steerageway.bus.transport.wire import CREDIT_UNIT, LARGEST_VALUE, ungroup, unpack

Rows = list[tuple[Any, ...]]


@pytest.fixture
def database() -> FreeDatabase:
    return FreeDatabase("alpha")


def listener(database: FreeDatabase, pattern: str = "*") -> BatchBag:
    """Return the mailbag of a subscriber."""
    bag = BatchBag("pB")
    database.mailboxes.append(bag)
    database.register(bag, Registration(pattern, "*", 0.0))
    return bag


def frames(bag: BatchBag) -> list[list[Message]]:
    """Take everything out of a mailbag, frame by frame."""
    taken = []
    while (frame := bag.pack()) is not None:
        taken.append(ungroup(unpack(frame)[1]))
        bag.remove_sent()
    return taken


def mail_of(bag: BatchBag) -> list[Message]:
    """Take everything out of a mailbag."""
    return [message for mail in frames(bag) for message in mail]


def test_each_larger_value_of_a_variable_counts_for_the_sum_of_large_ones(
    database: FreeDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_LARGE", 9 * limits.LARGE)
    poster = Poster("pA")
    for number in range(9):
        assert database.take(poster, [(f"V{number}", "x", None, "")], 10, 0) == []
    large = "x" * (2 * limits.LARGE)
    refused = [database.take(poster, [(f"V{n}", large, None, "")], len(large), 1) for n in range(9)]
    # four of twice the size, beside five short ones, are within the sum of nine
    assert [bool(one) for one in refused] == [False] * 4 + [True] * 5
    others = 8 * limits.LARGE + 4
    assert refused[4] == [f"V4: clients can add no value of {len(large)} bytes to {others}"]
    assert database.value("V4") == "x"


def test_the_first_post_fixes_the_type_of_a_variable_for_all_apps(database: FreeDatabase) -> None:
    expected = "X = 'far': refused, this variable is a number"
    one, other = Poster("pA"), Poster("pC")
    rows: Rows = [("X", 1.0, None, ""), ("X", "far", None, ""), ("X", 2.0, None, "")]
    assert database.take(one, rows, 10, 0) == [expected]
    assert database.take(other, [("X", "far", None, "")], 10, 1) == [expected]
    assert database.take(one, [("X", b"far", None, "")], 10, 2) == [expected.replace("'", "b'", 1)]
    assert (database.value("X"), database.posted, database.refused) == (2.0, 2, 3)


@pytest.mark.parametrize(
    "bad",
    [
        ("X", nan, None, ""),
        ("X", inf, None, ""),
        ("X", -inf, None, ""),
        ("X", True, None, ""),
        ("X", None, None, ""),
        ("X", 2.0, nan, ""),
        ("X", 2.0, "now", ""),
        ("X", 2.0, None, None),
        ("X", 2.0, None),
        ("*", 2.0, None, ""),
        7,
    ],
)
def test_a_bad_post_among_good_ones_is_refused_alone(database: FreeDatabase, bad: object) -> None:
    bag = listener(database)
    rows: Any = [("X", 1.0, None, ""), bad, ("Y", 3.0, None, "")]
    assert len(database.take(Poster("pA"), rows, 10, 0)) == 1
    assert [(m.name, m.value) for m in mail_of(bag)] == [("X", 1.0), ("Y", 3.0)]
    assert (database.posted, database.refused, database.delivered) == (2, 1, 2)


def test_a_value_too_long_is_refused_after_any_number_of_valid_ones(
    database: FreeDatabase,
) -> None:
    poster = Poster("pA")
    assert database.take(poster, [("X", "short", None, "")], 20, 0) == []
    long = "x" * (LARGEST_VALUE + 1)
    (reference,) = database.take(poster, [("X", long, None, "")], len(long) + 10, 1)
    assert reference == f"X: a value of {LARGEST_VALUE + 1} bytes; at most {LARGEST_VALUE} go"


def test_a_post_without_a_time_has_that_at_which_it_came(database: FreeDatabase) -> None:
    rows: Rows = [("X", 1.0, None, ""), ("X", 2.0, 0.25, "by hand"), ("Y", 1.0, 7, "")]
    database.take(Poster("pA"), rows, 10, 1_500_000_000)
    database.take(Poster("pA", "beta"), [("Z", 1.0, None, "")], 10, 1_500_000_000)
    x, y, z = mail_of(listener(database))  # the present values, as a newcomer gets them
    assert (x.time, x.instant, x.aux, x.source) == (0.25, 1_500_000_000, "by hand", "pA")
    assert (y.time, y.community) == (7.0, "alpha")
    assert (z.time, z.community) == (1.5, "beta")


def test_a_post_goes_to_its_subscribers_only(
    database: FreeDatabase,
) -> None:
    hears, deaf = listener(database, "X"), listener(database, "Y")
    poster, batches = Poster("pA"), list[BatchBag]()
    database.take(poster, [("X", 1.0, None, "")], 10, 0, batches.append)
    assert batches == [hears]
    assert poster.audience == (hears,)
    assert frames(deaf) == []
    database.leave(hears)
    database.take(poster, [("X", 2.0, None, "")], 10, 1, batches.append)
    assert batches == [hears]
    assert poster.audience == ()


def batch(bag: BatchBag, first: int, count: int, size: int = 0) -> None:
    """Put a batch of numbers into a mailbag."""
    bag.rows += [("X", float(n), None, "") for n in range(first, first + count)]
    bag.close_batch("pA", "alpha", 0, size)


def test_mail_leaves_in_frames_of_whole_batches_no_larger_than_one_may_be() -> None:
    bag = BatchBag("pB")
    for first in range(0, 3 * BATCH, BATCH // 4):
        batch(bag, first, BATCH // 4)
    batch(bag, 3 * BATCH, 2 * BATCH)
    batch(bag, 5 * BATCH, 1)
    assert bag.weight() == 5 * BATCH + 1
    found = frames(bag)
    assert [len(mail) for mail in found] == [BATCH] * 3 + [2 * BATCH, 1]
    assert [m.value for mail in found for m in mail] == [float(n) for n in range(5 * BATCH + 1)]
    assert bag.weight() == 0


def test_long_mail_leaves_in_smaller_frames() -> None:
    bag = BatchBag("pB")
    for first in range(3):
        batch(bag, first, 1, BATCH * CREDIT_UNIT)
    assert [len(mail) for mail in frames(bag)] == [1, 1, 1]


def test_thinned_mail_weighs_only_what_remains() -> None:
    bag = BatchBag("pB")
    batch(bag, 0, 100)
    batch(bag, 100, 100, 200 * CREDIT_UNIT)
    assert bag.weight() == 300
    assert bag.thin() == 199
    assert bag.weight() == 2  # a message's share of its batch
    assert [message.value for message in mail_of(bag)] == [199.0]
    assert bag.weight() == 0


@pytest.fixture
def exit_reports() -> ExitReports:
    return ExitReports((app_plan(App, "pA", 0.0, "1"), app_plan(App, "pB", 0.0, "1", None, "beta")))


def test_an_exit_report_is_the_outcome_of_its_app_and_adds_to_that_of_the_run(
    exit_reports: ExitReports,
) -> None:
    message = {"grants": 5, "wall_seconds": 0.25, "refused": 2, "missed_ticks": 3, "unsent": 4}
    message |= {"run_warnings": {"hot": 2}, "config_warnings": ("odd",)}
    assert exit_reports.take("beta", "pB", message) is None
    assert exit_reports.take("alpha", "pA", {"missed_ticks": 10, "unsent": 20}) is None
    assert (exit_reports.missed_ticks, exit_reports.unsent) == (13, 24)
    silent, active = exit_reports.outcomes()
    assert (silent.name, silent.community, silent.grants, silent.wall_seconds) == (
        *("pA", "alpha", 0, 0.0),
    )
    assert (active.name, active.community, active.grants, active.wall_seconds) == (
        "pB",
        "beta",
        5,
        0.25,
    )
    assert (active.refused, active.run_warnings, active.config_warnings) == (
        2,
        {"hot": 2},
        ("odd",),
    )


def test_an_app_that_disconnected_is_known_until_it_returns(exit_reports: ExitReports) -> None:
    exit_reports.take("beta", "pB", {"grants": 5})
    assert exit_reports.has("beta", "pB")
    assert not exit_reports.has("alpha", "pB")
    exit_reports.forget("beta", "pB")
    exit_reports.forget("beta", "pB")
    assert not exit_reports.has("beta", "pB")


def test_the_reason_why_an_app_left_is_its_failure(exit_reports: ExitReports) -> None:
    exit_report = {"failure": "ValueError: stumbled", "time": 2.5, "details": "Traceback"}
    expected = Failure("pB", "beta", 2.5, "ValueError: stumbled", "Traceback")
    assert exit_reports.take("beta", "pB", exit_report) == expected
    muddled = exit_report | {"time": "late", "details": 7}
    assert exit_reports.take("beta", "pB", muddled) == Failure(
        "pB", "beta", 0.0, "ValueError: stumbled", ""
    )


@pytest.mark.parametrize("seconds", [nan, inf, -inf, -1.0, 3])
def test_impossible_seconds_in_a_report_are_ignored(
    exit_reports: ExitReports, seconds: float
) -> None:
    failed = exit_reports.take("alpha", "pA", {"failure": "why", "time": seconds})
    assert failed is not None
    exit_reports.take("beta", "pB", {"wall_seconds": seconds})
    assert (failed.time, exit_reports.outcomes()[1].wall_seconds) == (0.0, 0.0)


def test_unexpected_fields_in_a_report_are_ignored(exit_reports: ExitReports) -> None:
    fields: dict[str, Any] = dict.fromkeys(("grants", "wall_seconds", "refused", "unsent"), "many")
    fields |= {"missed_ticks": -3, "run_warnings": ["hot"], "config_warnings": 7, "failure": 1}
    assert exit_reports.take("alpha", "pA", fields) is None
    assert (exit_reports.missed_ticks, exit_reports.unsent) == (0, 0)
    exit_reports.take("beta", "pB", {"grants": True, "run_warnings": {"hot": "often", "cold": 1}})
    first, second = exit_reports.outcomes()
    assert (first.grants, first.wall_seconds, first.refused) == (0, 0.0, 0)
    assert (first.run_warnings, first.config_warnings) == ({}, ())
    assert (second.grants, second.run_warnings) == (0, {"cold": 1})
