"""Node reports, against texts of MOOS-IvP's own reporter and by round trip."""

from dataclasses import fields
from math import pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.moos.node_report import (
    NodeRecord,
    NodeReportError,
    heading_to_yaw,
    parse,
    write,
    write_json,
)

EXAMPLE = (
    "NAME=alpha,X=0,Y=-20,SPD=0,HDG=180,DEP=0,LAT=43.8251,LON=-70.3304,TYPE=kayak,COLOR=yellow,"
    "MODE=MODE@ACTIVE:LOITERING,ALLSTOP=clear,INDEX=12,YAW=-1.5707963,TIME=1700000000.25,LENGTH=4"
)
FULL = NodeRecord(
    name="ben", x=1.0, y=2.0, speed=3.0, heading=4.0, cog=5.0, depth=6.0, lat=7.0, lon=8.0,
    type="kayak", color="red", group="blue", vsource="ais", mode="DRIVE", mode_aux="slow",
    allstop="clear", load_warning="pX:2", altitude=9.0, speed_og=10.0, heading_og=11.0, index=12,
    thrust_mode_reverse=True, yaw=0.5, time=13.0, transparency=0.5, length=14.0, beam=15.0,
    trajectory="1,2:3,4", properties={"HULL": "steel"},
)  # fmt: skip


def test_the_moos_ivp_example_is_read_and_written_again():
    record = parse(EXAMPLE)
    assert (record.name, record.heading, record.index, record.time) == (
        "alpha", 180.0, 12, 1700000000.25,
    )  # fmt: skip
    assert record.yaw == pytest.approx(heading_to_yaw(180.0))
    assert write(record.fields()) == EXAMPLE


def test_order_of_all_fields():
    assert write(FULL.fields()) == (
        "NAME=ben,X=1,Y=2,SPD=3,HDG=4,COG=5,DEP=6,LAT=7,LON=8,TYPE=kayak,COLOR=red,GROUP=blue,"
        "VSOURCE=ais,MODE=DRIVE,MODE_AUX=slow,ALLSTOP=clear,LOAD_WARNING=pX:2,ALTITUDE=9,"
        "SPD_OG=10,HDG_OG=11,INDEX=12,THRUST_MODE_REVERSE=true,YAW=0.5,TIME=13,TRANSPARENCY=0.5,"
        "LENGTH=14,BEAM=15,TRAJECTORY={1,2:3,4},HULL=steel"
    )


def test_decimals():
    record = NodeRecord(
        "a",
        x=1.23456,
        speed=-0.001,
        heading=359.999,
        depth=2.5,
        lat=43.123456789,
        lon=-70.123456789,
    )
    record.yaw = pi / 3
    assert write(record.fields()) == (
        "NAME=a,X=1.23,SPD=0,HDG=0,DEP=2.5,LAT=43.12345679,LON=-70.12345679,YAW=1.0471976"
    )


def test_all_other_measures_have_two_decimals_as_well():
    third = 1 / 3
    others = ("cog", "altitude", "speed_og", "heading_og", "transparency", "length", "beam")
    record = NodeRecord("a", y=third, time=third, **dict.fromkeys(others, third))
    assert {value for key, value in record.fields() if key not in ("NAME", "INDEX")} == {"0.33"}


def test_blanks_around_keys_and_values_do_not_count():
    assert parse(" NAME = a , X = 1 , GROUP = red ") == NodeRecord("a", x=1.0, group="red")
    assert parse('{ "NAME" : "a" , "X" : 1 }') == NodeRecord("a", x=1.0)


def test_absent_fields_are_left_out():
    assert write(NodeRecord("a").fields()) == "NAME=a"


@pytest.mark.parametrize(
    ("how", "gone"),
    [
        ({"terse": True}, {"DEP", "LAT", "LON", "YAW"}),
        ({"global_only": True}, {"X", "Y"}),
        ({"terse": True, "global_only": True}, {"X", "Y", "DEP", "YAW"}),
    ],
)
def test_shorter_forms(how, gone):
    assert {key for key, _ in FULL.fields()} - {key for key, _ in FULL.fields(**how)} == gone


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("utc_time=5", "time", 5.0),
        ("SPEED=5", "speed", 5.0),
        ("Heading=5", "heading", 5.0),
        ("DEPTH=5", "depth", 5.0),
        ("ALT=5", "altitude", 5.0),
        ("len=5", "length", 5.0),
    ],
)
def test_other_spellings(text, attribute, value):
    assert getattr(parse(f"NAME=a, {text}"), attribute) == value


def test_unknown_keys_are_kept_unchanged():
    assert parse("NAME=a,Hull={wood,x=1}").properties == {"Hull": "{wood,x=1}"}


def test_an_all_stop_with_a_comma_spoils_no_report():
    # string2NodeRecordCSP of MOOS-IvP: what is no number is a property, and does not count
    text = "NAME=abe,SPD=2,ALLSTOP=MissingDecVars:course,speed,YAW=0.5"
    record = parse(text)
    assert (record.speed, record.allstop, record.yaw) == (2.0, "MissingDecVars:course", 0.5)
    assert parse(write(record.fields())) == record


@pytest.mark.parametrize("number", ["north", "1e2", "1 m", "nan", "9" * 400])
@pytest.mark.parametrize("key", ["HDG", "INDEX"])
def test_a_field_that_is_not_a_number_is_refused(key, number):
    with pytest.raises(NodeReportError, match=f"{key}={number}: expected a number"):
        parse(f"NAME=a,{key}={number}")


def test_json_form():
    record = NodeRecord("alpha", x=1.5, mode="MODE@ACTIVE:LOITERING", trajectory="1,2")
    text = write_json(record.fields())
    assert text == ('{"NAME":"alpha","X":1.5,"MODE":"MODE@ACTIVE:LOITERING","TRAJECTORY":"{1,2}"}')
    assert parse(text) == record


def test_json_numbers_may_be_quoted():
    assert parse('{"NAME":"alpha", "X":"29.66"}') == NodeRecord("alpha", x=29.66)


@pytest.mark.parametrize(
    ("heading", "yaw"), [(90, 0), (0, pi / 2), (180, -pi / 2), (350, pi * 100 / 180), (270, -pi)]
)
def test_yaw_of_a_heading(heading, yaw):
    assert heading_to_yaw(heading) == pytest.approx(yaw)


@pytest.mark.parametrize("heading", [1e15, -1e15, 1e308])
def test_the_largest_heading_has_a_yaw_within_half_a_turn(heading):
    assert abs(heading_to_yaw(heading)) <= pi


def test_positions_are_known_in_pairs():
    assert not NodeRecord(x=1.0).has_local_position
    assert not NodeRecord(y=1.0).has_local_position
    assert not NodeRecord(lon=1.0).has_global_position
    assert NodeRecord(x=1.0, y=0.0).has_local_position
    assert not NodeRecord(lat=1.0).has_global_position
    assert NodeRecord(lat=1.0, lon=0.0).has_global_position


words = st.text("abcXYZ019_@:.-", min_size=1, max_size=8)
numbers = st.none() | st.integers(-(10**6), 10**6).map(lambda n: n / 100)
BY_TYPE = {"str": words, "float | None": numbers, "int": st.integers(0, 10**6)}
BY_TYPE |= {"bool": st.booleans()}
BY_TYPE["dict[str, str]"] = st.dictionaries(st.sampled_from(["HULL", "Sonar_2", "p"]), words)
courses = st.none() | st.integers(0, 35999).map(lambda n: n / 100)  # one of 360 is written as 0
BY_NAME = dict.fromkeys(("heading", "cog", "heading_og"), courses)
records = st.builds(
    NodeRecord, **{f.name: BY_NAME.get(f.name, BY_TYPE[f.type]) for f in fields(NodeRecord)}
)


@pytest.mark.slow
@settings(max_examples=60)
@given(records)
def test_a_written_report_is_read_back(record):
    assert parse(write(record.fields())) == record
    assert parse(write_json(record.fields())) == record
