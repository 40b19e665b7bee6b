"""``pNodeReporter``, driven by mail and time."""

import pytest

from steerageway.apps.communication.node_reporter.app import NodeReporter
from steerageway.bus import Config
from steerageway.moos.node_report import parse

EPOCH = 1_700_000_000.0
NAV = {"NAV_X": 10.0, "NAV_Y": -20.0, "NAV_SPEED": 2.0, "NAV_HEADING": 90.0}


def reporter(drive, block=""):
    return drive(NodeReporter, block, epoch=EPOCH)


def report(drive, mail):
    """Return the first report's record, 1 s after the start."""
    return parse(reporter(drive).tick(1.0, NAV | mail)["NODE_REPORT_LOCAL"])


def test_a_report_of_a_kayak(drive):
    driven = reporter(drive, "platform_type = kayak\nplatform_color = yellow")
    helm = {"IVPHELM_STATE": "DRIVE", "IVPHELM_ALLSTOP": "clear"}
    helm["IVPHELM_SUMMARY"] = "iter=3,modes=MODE@ACTIVE:LOITERING,active_bhvs=x"
    mail = NAV | helm | {"NAV_DEPTH": 0.5, "NAV_LAT": 43.8, "NAV_LONG": -70.3, "NAV_YAW": 1.0}
    posts = driven.tick(1.25, mail)
    assert posts["NODE_REPORT_LOCAL"] == (
        "NAME=alpha,X=10,Y=-20,SPD=2,HDG=90,DEP=0.5,LAT=43.8,LON=-70.3,TYPE=kayak,COLOR=yellow,"
        "MODE=MODE@ACTIVE:LOITERING,ALLSTOP=clear,YAW=0,TIME=1700000001.25,LENGTH=4"
    )
    assert posts["NODE_REPORT_LOCAL_FIRST"] == posts["NODE_REPORT_LOCAL"]
    assert posts["PNR_POST_GAP"] == 0.0


def test_reports_after_the_first_are_numbered_and_contain_the_gap(drive):
    driven = reporter(drive)
    driven.tick(1.0, NAV)
    posts = driven.tick(1.5)
    assert parse(posts["NODE_REPORT_LOCAL"]).index == 1
    assert posts["PNR_POST_GAP"] == 0.5
    assert "NODE_REPORT_LOCAL_FIRST" not in posts


def test_a_place_far_beyond_the_datum_is_reported_without_latitude(drive):
    datum = Config([("LatOrigin", "63.4", "a.moos:1"), ("LongOrigin", "10.4", "a.moos:2")])
    driven = drive(NodeReporter, "cross_fill_policy = fill-empty", epoch=EPOCH, globals=datum)
    near = parse(driven.tick(1.0, NAV)["NODE_REPORT_LOCAL"])
    far = parse(driven.tick(2.0, {"NAV_X": 569000.0, "NAV_Y": 7032000.0})["NODE_REPORT_LOCAL"])
    assert near.lat == pytest.approx(63.4, abs=1e-3)
    assert (far.y, far.lat, far.lon) == (7032000.0, None, None)
    assert list(driven.app.run_warnings) == [
        "more than 1000 km from the datum: no latitude and longitude"
    ]


def test_heading_is_brought_into_a_full_turn(drive):
    assert report(drive, {"NAV_HEADING": -10.0}).heading == 350.0
    assert report(drive, {"NAV_HEADING": -1e-14}).heading == 0.0


def test_mail_that_changes_its_appearance(drive):
    mail = {"NAV_ALTITUDE": 7.0, "NAV_TRANSP": 0.25, "NAV_TRAJECTORY": "1,2:3,4"}
    mail |= {"AUX_MODE": "slow", "THRUST_MODE_REVERSE": "true", "NODE_GROUP_UPDATE": "blue"}
    mail |= {"PLATFORM_COLOR": "red"}
    record = report(drive, mail)
    assert (record.altitude, record.transparency, record.trajectory) == (7.0, 0.25, "1,2:3,4")
    assert (record.mode_aux, record.thrust_mode_reverse) == ("slow", True)
    assert (record.group, record.color) == ("blue", "red")


@pytest.mark.parametrize(("alt", "renamed"), [("_GT", "alpha_1_GT"), ("truth", "truth")])
def test_a_vessel_may_get_another_name(drive, alt, renamed):
    driven = reporter(drive, f"alt_nav_prefix = NAV_GT\nalt_nav_name = {alt}")
    values = NAV | {name.replace("NAV_", "NAV_GT_"): value for name, value in NAV.items()}
    driven.tick(1.0, values)
    driven.tick(2.0, values | {"NODE_NAME_UPDATE": "alpha_1"})
    names = [parse(str(value)).name for value in driven.values("NODE_REPORT_LOCAL")]
    assert names == ["alpha_1", renamed]
    driven.tick(3.0, values | {"NODE_NAME_UPDATE": "two words"})
    names = [parse(str(value)).name for value in driven.values("NODE_REPORT_LOCAL")]
    assert names == ["alpha_1", renamed]
    assert "expected a name, one word" in str(driven.app.run_warnings)


def test_a_load_warning_is_reported_once(drive):
    driven = reporter(drive)
    first = driven.tick(1.0, NAV | {"LOAD_WARNING": "app=pX,maxgap=1.5,node=alpha"})
    assert parse(first["NODE_REPORT_LOCAL"]).load_warning == "pX:1.5"
    assert "LOAD_WARNING" not in driven.tick(2.0)["NODE_REPORT_LOCAL"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("NAV_X", "east"), ("PLATFORM_COLOR", "dark red"), ("LOAD_WARNING", "pX"),
     ("PNR_PAUSE", "perhaps")],
)  # fmt: skip
def test_mail_of_no_use_is_a_run_warning(drive, name, value):
    driven = reporter(drive)
    driven.tick(1.0, {name: value})
    assert any(text.startswith(f"{name} = ") for text in driven.app.run_warnings)


@pytest.mark.parametrize(
    ("mail", "mode"),
    [
        ({}, "NOHELM-EVER"),
        ({"IVPHELM_STATE": "PARK"}, "PARK"),
        ({"IVPHELM_STATE": "DRIVE"}, "DRIVE"),
        ({"IVPHELM_STATE": "DRIVE", "IVPHELM_SUMMARY": "iter=1,modes=none"}, "DRIVE"),
        ({"IVPHELM_STATE": "PARK", "IVPHELM_SUMMARY": "modes=A@B,iter=1"}, "PARK"),
        ({"IVPHELM_STATE": "DRIVE", "IVPHELM_SUMMARY": "modes=A@B"}, "A@B"),
        ({"IVPHELM_SUMMARY": "modes=A@B", "IVPHELM_STATE": "DRIVE+"}, "DRIVE+"),
        ({"IVPHELM_ALLSTOP": "clear"}, "unknown"),
    ],
)
def test_mode_is_that_of_the_helm(drive, mail, mode):
    assert report(drive, mail).mode == mode


def test_a_helm_that_went_silent_is_counted_in_seconds(drive):
    driven = reporter(drive)
    driven.tick(1.0, NAV | {"IVPHELM_STATE": "DRIVE"})
    assert parse(driven.tick(6.0)["NODE_REPORT_LOCAL"]).mode == "DRIVE"
    assert parse(driven.tick(8.6)["NODE_REPORT_LOCAL"]).mode == "NOHELM-8"


@pytest.mark.parametrize(
    ("mail", "allstop"),
    [({}, "unknown"), ({"IVPHELM_ALLSTOP": "ManualOverride"}, "ManualOverride"),
     ({"IVPHELM_STATE": "MALCONFIG"}, "n/a")],
)  # fmt: skip
def test_allstop_is_the_helms(drive, mail, allstop):
    assert report(drive, mail).allstop == allstop


def test_extent_of_a_mission(drive):
    driven = reporter(drive)
    driven.tick(1.0, NAV | {"MISSION_HASH": "mhash=240101-0000A-BOLD-PONY,utc=1"})
    assert "PNR_MHASH" not in driven.tick(2.0, {"NAV_X": 10.9})
    posts = driven.tick(3.0, {"NAV_X": 13.0, "NAV_Y": -16.0})
    assert posts["PNR_MHASH"] == "mhash=240101-0000A-BOLD-PONY,ext=5"
    again = {"MISSION_HASH": "mhash=240101-0000A-BOLD-PONY,utc=31", "NAV_X": 13.5}
    assert "PNR_MHASH" not in driven.tick(4.0, again)
