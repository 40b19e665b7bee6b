"""The list of contacts: reports accepted and rejected, and removal of old contacts."""

from __future__ import annotations

import pytest

from steerageway.geometry.geodesy import Datum
from steerageway.helm.contact import ContactList
from steerageway.moos.node_report import NodeReportError

REPORT = "NAME=ben,X=10,Y=20,SPD=2,HDG=90,TYPE=kayak,TIME=100"


def ledger(**given):
    return ContactList("abe", **{"max_age": 45.0} | given)


def test_the_position_of_a_contact_is_extrapolated_from_its_report():
    book = ledger()
    book.take(REPORT, 105.0)
    contact = book.get("BEN")
    assert contact is not None
    assert contact.name == "ben"
    assert contact.now(105.0, (15, 30)) == (pytest.approx(20), pytest.approx(20), 90, 2)


def test_a_report_of_oneself_is_no_contact():
    book = ledger()
    assert book.take(REPORT.replace("ben", "ABE"), 100.0) is None
    assert len(book) == 0
    assert ContactList("BEN", 45.0).take(REPORT, 100.0) is None


def test_a_report_overtaken_by_a_newer_one_is_not_taken():
    book = ledger()
    book.take(REPORT, 100.0)
    assert book.take(REPORT.replace("TIME=100", "TIME=99").replace("X=10", "X=7"), 101.0) is None
    assert [contact.track.x for contact in book] == [10]


def test_a_message_with_a_report_that_is_not_usable_gives_a_warning():
    book, received = ledger(), []
    variable = "NODE_REPORT_LOCAL"
    assert book.take_report(variable, REPORT, 100.0, received.append) is book.get("ben")
    assert book.take_report(variable, "X=1", 100.0, received.append) is None
    assert received == ["NODE_REPORT_LOCAL: node report: NAME=: expected a name"]


def test_a_report_that_comes_twice_is_taken_once():
    book = ledger()
    assert book.take(REPORT, 100.0) is not None
    assert book.take(REPORT, 101.0) is None
    assert [contact.received for contact in book] == [100.0]
    assert book.take(REPORT.replace("X=10", "X=7"), 101.0) is not None
    assert book.take(REPORT.replace("TIME=100", "TIME=101"), 101.0) is not None


def test_a_contact_is_removed_when_it_is_silent_for_too_long():
    book = ledger(max_age=10)
    book.take(REPORT, 100.0)
    assert book.remove_expired(110.0) == []
    assert [contact.name for contact in book.remove_expired(110.1)] == ["ben"]
    assert book.get("ben") is None


def test_a_contact_in_use_is_kept_twice_as_long():
    book = ledger(max_age=10)
    book.take(REPORT.replace("ben", "Ben"), 100.0)
    assert book.remove_expired(120.0, lambda: ("ben",)) == []
    assert book.remove_expired(120.1, lambda: ("ben",)) != []


def test_a_contact_may_be_removed_by_name():
    book = ledger()
    book.take(REPORT, 100.0)
    book.forget("Ben")
    book.forget("nobody")
    assert len(book) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X=1,Y=2,TIME=3", "NAME=: expected a name"),
        ("NAME=ben,X=1,Y=2", "TIME=: expected the UTC time"),
        ("NAME=ben,X=1,Y=2,TIME=101", "TIME=101.00: expected at most now, 100.00"),
        ("NAME=ben,X=1,TIME=3", "X=: expected X and Y, or LAT and LON"),
        ("NAME=ben,Y=1,TIME=3", "X=: expected X and Y, or LAT and LON"),
        ("NAME=ben,LAT=1,TIME=3", "X=: expected X and Y, or LAT and LON"),
        ("NAME=ben,LON=1,TIME=3", "X=: expected X and Y, or LAT and LON"),
        ("NAME=ben,LAT=1,LON=2,TIME=3", "LAT=1.0: expected X and Y: .* no LatOrigin"),
        ("NAME=ben,X=1,Y=2,TIME=3,TYPE=uuv", "DEP=: expected the depth, as of every auv"),
        ("NAME=ben,X=1,Y=2,TIME=3,TYPE=glider", "DEP=: expected the depth, as of every glider"),
        ("NAME=ben,X=one,Y=2,TIME=3", "expected a number"),
        (f"NAME=ben,X=1{'0' * 400},Y=2,TIME=3", "expected a number"),
        (f"NAME=ben,X=1{'0' * 308},Y=1{'0' * 308},TIME=3", r"X=1e\+308,Y=1e\+308: expected a"),
    ],
)
def test_a_report_that_is_not_usable_is_refused_with_the_reason(text, expected):
    with pytest.raises(NodeReportError, match=expected):
        ledger().take(text, 100.0)


def test_types_are_those_of_moos_ivp():
    book = ledger()
    book.take("NAME=a,X=1,Y=2,TIME=3,TYPE=unknown", 3.0)
    book.take("NAME=b,X=1,Y=2,TIME=3,TYPE=UUV,DEP=4", 3.0)
    book.take("NAME=c,X=1,Y=2,TIME=3", 3.0)
    assert [contact.record.type for contact in book] == ["ship", "auv", "ship"]


def test_a_vessel_that_reports_no_course_is_at_rest():
    contact = ledger().take("NAME=ben,X=1,Y=2,TIME=3", 3.0)
    assert contact is not None
    assert contact.now(9.0, None) == (1, 2, 0, 0)


def test_a_position_in_degrees_becomes_a_local_one():
    datum = Datum(59.9, 10.7)
    lat, lon = datum.to_latlon(120.0, -40.0)
    book = ledger(datum=datum)
    contact = book.take(f"NAME=ben,LAT={lat:.9f},LON={lon:.9f},TIME=3", 3.0)
    assert contact is not None
    assert contact.track[:2] == pytest.approx((120, -40), abs=1e-3)


def test_a_report_in_degrees_that_comes_twice_is_taken_once():
    book = ledger(datum=Datum(59.9, 10.7))
    text = "NAME=ben,LAT=59.91,LON=10.71,TIME=100"
    assert book.take(text, 100.0) is not None
    assert book.take(text, 101.0) is None


def test_contact_lists_that_share_a_report_do_not_disturb_each_other():
    text = "NAME=ben,LAT=59.91,LON=10.71,TIME=100"
    here, there = ledger(datum=Datum(59.9, 10.7)), ledger(datum=Datum(59.91, 10.71))
    one, other = here.take(text, 100.0), there.take(text, 100.0)
    assert other.track[:2] == pytest.approx((0.0, 0.0), abs=1e-6)
    assert one.track.x > 100
    assert (one.record.x, one.record.y) == one.track[:2]
