"""``uFldPathCheck``, driven by node reports."""

from __future__ import annotations

import pytest

from steerageway.apps.contacts.path_check import PathCheck
from steerageway.bus import ConfigError
from steerageway.moos.values import pairs

EPOCH = 1_000_000.0


@pytest.fixture
def sail(drive):
    """Return ``sail(block, xs)``: posts at the last of reports from (x, 0), one a second."""

    def go(block="", xs=(), mail=()):
        go.driven = drive(PathCheck, block, name="uFldPathCheck", epoch=EPOCH)
        for time, x in enumerate(xs, 1):
            receive(time, "NODE_REPORT", f"NAME=Abe,X={x},Y=0,TIME={EPOCH + time:.2f}")
        for name, text in mail:
            receive(len(xs) + 1, name, text)
        return go.found

    def receive(time, name, text):
        go.found = go.driven.tick(time, {name: text})

    go.receive = receive
    return go


def ways(found):
    """Return a vessel's name, and its way in all and of the trip [m]."""
    fields = dict(pairs(found["UPC_ODOMETRY_REPORT"]))
    return fields["vname"], float(fields["total_dist"]), float(fields["trip_dist"])


def test_every_leg_from_the_first_on_is_counted(sail):
    assert ways(sail("", (0, 3, 1, 5))) == ("Abe", 9, 9)


def test_a_turn_in_place_adds_no_distance(sail):
    sail("", (0, 4))
    for time, heading in ((3, 90), (4, 180)):
        where = f"X=4,Y=0,HDG={heading},SPD={time}"
        sail.receive(time, "NODE_REPORT", f"NAME=Abe,{where},TIME={EPOCH + time:.2f}")
    assert ways(sail.found) == ("Abe", 4, 4)


def test_a_trip_restarts_and_the_total_continues(sail):
    sail("", (0, 4), mail=[("UPC_TRIP_RESET", "abe")])
    assert sail.found == {}
    sail.receive(4, "NODE_REPORT_LOCAL", f"NAME=abe,X=7,Y=4,TIME={EPOCH + 4}")
    assert ways(sail.found) == ("Abe", 9, 5)


def test_a_report_received_under_two_names_is_one_report(sail):
    sail("history_length = 3", (0, 4))
    sail.receive(3, "NODE_REPORT_LOCAL", f"NAME=Abe,X=4,Y=0,TIME={EPOCH + 2:.2f}")
    sail.receive(4, "NODE_REPORT", f"NAME=Abe,X=10,Y=0,TIME={EPOCH + 4:.2f}")
    assert sail.found["UPC_SPEED_REPORT"] == "vname=Abe,avg_spd=3.33"  # 10 m in 3 s


@pytest.mark.parametrize("length", [2, 3, 6, 10])
def test_the_speed_is_that_of_the_last_reports(sail, length):
    block = "" if length == 10 else f"history_length = {length}"
    xs = (0, 9, 12, 13, 15, 16, 20, 22, 25, 31, 32, 40)
    found, last = sail(block, xs), xs[-length:]
    expected = (last[-1] - last[0]) / (len(last) - 1)
    assert found["UPC_SPEED_REPORT"] == f"vname=Abe,avg_spd={expected:.2f}"


def test_a_single_report_gives_no_speed(sail):
    found = sail("", (5,))
    assert "UPC_SPEED_REPORT" not in found
    sail.receive(2, "NODE_REPORT", f"NAME=Abe,X=6,Y=0,TIME={EPOCH + 1:.2f}")
    assert "UPC_SPEED_REPORT" not in sail.found
    assert ways(sail.found) == ("Abe", 1, 1)


def test_invalid_mail_is_a_warning(sail):
    mail = [("NODE_REPORT", "NAME=abe,X=1"), ("UPC_TRIP_RESET", "zoe")]
    sail("", (1, 2), mail=mail)
    report, reset = sail.driven.app.run_warnings
    assert report.startswith("NODE_REPORT: ")
    assert reset == "UPC_TRIP_RESET = zoe: expected a vessel that has reported"


def test_a_history_of_one_report_is_refused(sail):
    with pytest.raises(ConfigError, match="at least 2"):
        sail("history_length = 1")
