"""The database's summaries, which are rewritten only when they change."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from steerageway.bus.core.app import Registration
from steerageway.bus.core.message import NANO, Message
from steerageway.bus.core.stamps import ITERATE, NEVER, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Mailbox
from steerageway.bus.database.reports import LONGEST_SUMMARY, MORE, Reports

APP = "pFirst"


def post(database: Database, name: str, source: str, instant: int) -> None:
    """Commit a number at an instant."""
    message = Message(name, 1.0, instant / NANO, source, "", "", instant)
    database.commit(database.variable(name), (stamp(instant, ITERATE), 0, 0, message))


def register_at(
    database: Database, mailbox: Mailbox, registration: Registration, instant: int
) -> None:
    """Register at an instant."""
    database.register(mailbox, registration, stamp(instant, ITERATE))


Change = Callable[[Database, Mailbox, Reports], None]
CHANGES: dict[str, Change] = {
    "a new variable": lambda d, m, r: post(d, "NEW", APP, 3 * NANO),
    "a new source": lambda d, m, r: post(d, "SHARED", APP, 3 * NANO),
    "a registration": lambda d, m, r: register_at(d, m, Registration("NEW"), 3 * NANO),
    "one taken back": lambda d, m, r: register_at(
        d, m, Registration("KNOWN", active=False), 3 * NANO
    ),
    "an app that leaves": lambda d, m, r: d.leave(m),
    "an app that is gone": lambda d, m, r: r.disconnected(APP),
    "a clearance": lambda d, m, r: d.clear(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_summaries_follow_every_change(change: Change) -> None:
    database = Database("alpha")
    mailbox, reports = database.join(APP), Reports(database, 0.0)
    reports.connected(APP, 0)
    register_at(database, mailbox, Registration("KNOWN"), 0)
    post(database, "KNOWN", APP, NANO)
    post(database, "SHARED", "pOther", NANO)
    before = reports.summaries(2 * NANO)
    assert before == [("DB_VARSUMMARY", "KNOWN,SHARED"), ("DB_RWSUMMARY", f"{APP}=KNOWN&KNOWN")]
    change(database, mailbox, reports)
    assert reports.summaries(4 * NANO) != before


def test_summaries_omit_future_registrations_until_their_time() -> None:
    database = Database("alpha")
    mailbox, reports = database.join(APP), Reports(database, 0.0)
    reports.connected(APP, 3 * NANO)
    register_at(database, mailbox, Registration("KNOWN"), 3 * NANO)
    post(database, "KNOWN", APP, 5 * NANO)
    seen = [dict(reports.summaries(second * NANO)) for second in (2, 4, 6)]
    assert [one["DB_VARSUMMARY"] for one in seen] == ["", "", "KNOWN"]
    assert [one["DB_RWSUMMARY"] for one in seen] == ["", f"{APP}=KNOWN&", f"{APP}=KNOWN&KNOWN"]


def test_summaries_are_not_written_again_for_observers() -> None:
    database = Database("alpha")
    database.join(APP)
    reports = Reports(database, 0.0)
    reports.connected(APP, 0)
    post(database, "KNOWN", APP, NANO)
    watching = database.join("observer viewer")
    database.register(watching, Registration("KNOWN"), NEVER)
    before = reports.summaries(2 * NANO)
    assert reports.summaries(4 * NANO) is before
    assert before == [("DB_VARSUMMARY", "KNOWN"), ("DB_RWSUMMARY", f"{APP}=&KNOWN")]


def test_summaries_of_many_variables_are_cut_behind_a_whole_name() -> None:
    database = Database("alpha")
    reports = Reports(database, 0.0)
    database.join(APP)
    reports.connected(APP, 0)
    names = [f"{number:05d}".ljust(200, "X") for number in range(LONGEST_SUMMARY // 150)]
    for name in names:
        post(database, name, APP, NANO)
    for name, summary in reports.summaries(2 * NANO):
        assert isinstance(summary, str)
        assert LONGEST_SUMMARY - 201 < len(summary) <= LONGEST_SUMMARY + len(MORE), name
        whole, *_ = summary.removeprefix(f"{APP}=&").partition(MORE)
        listed = whole.replace(":", ",").split(",")[:-1]
        assert listed == names[: len(listed)]
        assert summary.endswith(MORE)
