"""``pSpoofNode``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

import re

import pytest

from steerageway.apps.contacts.spoof_node import SpoofNode
from steerageway.bus import ConfigError
from steerageway.moos.node_report import parse
from tests.apps.parameters import Shown

EPOCH = 1_000_000.0
shows = Shown()


class Ghosts:
    """The reports of vessels that are not there, with an iteration each half second."""

    def __init__(self, driven):
        self.driven = driven
        self.time = 0.0

    def see(self, *mail, dt=0.5):
        """Iterate ``dt`` later; return the reports by name."""
        self.time += dt
        self.driven.take(self.time, [self.driven.message(k, v, self.time) for k, v in mail])
        records = map(parse, self.driven.values("NODE_REPORT"))
        return {record.name: record for record in records}


@pytest.fixture
def ghosts(drive):
    return lambda block="": Ghosts(drive(SpoofNode, block, name="pSpoofNode", epoch=EPOCH))


@shows("spoof")
def test_a_vessel_of_the_block_is_reported_at_its_present_position(ghosts):
    sea = ghosts("spoof = x=10,y=20,hdg=90,spd=2,name=Val,type=heron,group=red,vsource=ais,len=7")
    sea.see()
    val = sea.see()["Val"]
    assert (val.x, val.y, val.heading, val.speed) == (12, 20, 90, 2)
    assert (val.type, val.group, val.vsource, val.length) == ("heron", "red", "ais", 7)
    assert val.time == EPOCH + 1.0
    assert sea.see(dt=9.0)["Val"].x == 30


def test_a_mailed_vessel_replaces_the_one_of_the_same_name(ghosts):
    sea = ghosts()
    assert sea.see() == {}
    assert sea.see(("SPOOF", "x=1,y=2,name=val"))["val"].y == 2
    assert sea.see(("SPOOF", "x=5,y=6,name=val"))["val"].x == 5


def test_names_are_found_for_those_without(ghosts):
    sea = ghosts("spoof = x=0,y=0\nspoof = x=1,y=0")
    assert list(sea.see()) == ["C0001", "C0002"]
    assert sorted(sea.see(("SPOOF_CANCEL", "vname=C0001"), ("SPOOF", "x=2,y=0"))) == [
        "C0001",
        "C0002",
    ]


@shows("refresh_interval")
def test_reports_come_at_the_interval(ghosts):
    def times(block):
        sea = ghosts("spoof = x=0,y=0\n" + block)
        return [bool(sea.see(dt=0.25)) for _ in range(8)]

    assert times("") == [True, False] * 4
    assert times("refresh_interval = 1") == [True, False, False, False] * 2
    assert times("refresh_interval = 0") == [True] * 8


@shows("default_hdg", "default_spd", "default_length", "default_vtype", "default_color")
@shows("default_group", "default_vsource")
def test_unset_fields_have_their_defaults(ghosts):
    plain = ghosts("spoof = x=0,y=0").see()["C0001"]
    assert (plain.heading, plain.speed, plain.length) == (45, 0, 5)
    assert (plain.type, plain.color, plain.group, plain.vsource) == ("kayak", "purple", "", "")
    block = (
        "default_hdg = 10\ndefault_spd = 1.5\ndefault_length = 8\ndefault_vtype = ship\n"
        "default_color = red\ndefault_group = blue\ndefault_vsource = radar\n"
    )
    for how in ("block", "mail"):
        sea = ghosts(block + ("spoof = x=0,y=0" if how == "block" else ""))
        ghost = sea.see(*([("SPOOF", "x=0,y=0")] if how == "mail" else []))["C0001"]
        assert (ghost.heading, ghost.speed, ghost.length) == (10, 1.5, 8)
        fields = (ghost.type, ghost.color, ghost.group, ghost.vsource)
        assert fields == ("ship", "red", "blue", "radar")


def test_a_vessel_may_go_astern_and_have_an_unknown_colour(ghosts):
    sea = ghosts()
    sea.see(("SPOOF", "x=3,y=3,spd=-1,hdg=90,name=val,color=mauvish"))
    val = sea.see(dt=1.0)["val"]
    assert (val.x, val.y, val.speed, val.heading) == (2.0, 3.0, -1.0, 90.0)
    assert val.color == "mauvish"
    with pytest.raises(ConfigError, match=r"default_color = mauvish.*expected a colour"):
        ghosts("default_color = mauvish")


@shows("default_duration")
def test_a_vessel_may_be_there_for_a_time_only(ghosts):
    for block in ("spoof = x=0,y=0,dur=2", "default_duration = 2\nspoof = x=0,y=0"):
        sea = ghosts(block)
        assert [bool(sea.see()) for _ in range(6)] == [True] * 4 + [False] * 2
    assert ghosts("default_duration = 2\nspoof = x=0,y=0,dur=0").see(dt=99)
    brief = ghosts("spoof = x=0,y=0,dur=0.5")
    assert [bool(brief.see()) for _ in range(2)] == [True, False]


def test_empty_fields_have_their_defaults_and_names_are_case_insensitive(ghosts):
    ghost = ghosts("spoof = X=1,Y=2,HDG=,Type=,LEN=0.5").see()["C0001"]
    assert (ghost.x, ghost.heading, ghost.type, ghost.length) == (1.0, 45.0, "kayak", 0.5)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("vname=VAL", ["wes"]),
        ("contact=val", ["wes"]),
        ("group=Red", []),
        ("vname=zoe", ["val", "wes"]),
    ],
)
def test_vessels_are_removed_by_name_or_group(ghosts, text, left):
    sea = ghosts("spoof = x=0,y=0,name=val,group=red\nspoof = x=1,y=0,name=wes,group=red")
    assert list(sea.see(("SPOOF_CANCEL", text))) == left


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("SPOOF", "x=1", "y is missing: expected a number"),
        ("SPOOF", "x=1,y=2,name=a b", "expected letters and digits for name"),
        ("SPOOF", "x=1,y=2,colour=red", "expected fields among .* found colour"),
        ("SPOOF", "x=1,y=2,color=no-color", "expected letters and digits for color"),
        ("SPOOF_CANCEL", "all", "expected vname=NAME or group=NAME"),
    ],
)
def test_invalid_mail_is_a_warning_and_an_invalid_line_is_refused(ghosts, name, text, expected):
    sea = ghosts()
    assert sea.see((name, text)) == {}
    (warning,) = sea.driven.app.run_warnings
    assert re.match(f"{re.escape(f'{name} = {text}: ')}.*{expected}", warning)
    if name == "SPOOF":
        with pytest.raises(ConfigError, match=expected):
            ghosts(f"spoof = {text}")


def test_every_parameter_has_a_test():
    assert {one.name for one in SpoofNode.parameters} == shows.names
