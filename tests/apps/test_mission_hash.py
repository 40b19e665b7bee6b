"""``pMissionHash``: the same run has the same name, another seed another one."""

from __future__ import annotations

import re
from random import Random

import pytest

from steerageway.apps.experiments.mission_hash import MissionHasher
from steerageway.bus import ConfigError
from steerageway.moos.mission_hash import ADJECTIVES, NOUNS, draw, parse_mission_hash

EPOCH = 1767259800.0  # 2026-01-01T09:30:00Z
SHAPE = re.compile(r"mhash=260101-0930[A-Z]-[A-Z]{4}-[A-Z]{4},utc=1767259800\.00")


def name(drive, block="", **setting):
    driven = drive(MissionHasher, block, name="pMissionHash", epoch=EPOCH, **setting)
    return {post.name: post.value for post in driven.started}


def test_the_name_has_the_moos_ivp_shape_and_follows_from_epoch_and_seed(drive):
    mission_hash = name(drive)
    assert SHAPE.fullmatch(mission_hash["MISSION_HASH"])
    assert mission_hash["MISSION_HASH"].partition(",")[0].endswith(mission_hash["MHASH"])
    assert name(drive) == mission_hash
    assert {name(drive, seed=seed)["MISSION_HASH"] for seed in range(5)} - {
        mission_hash["MISSION_HASH"]
    }


def test_it_is_reported_again_each_thirty_seconds(drive):
    driven = drive(MissionHasher, "", epoch=EPOCH)
    assert [time for time in range(1, 100) if driven.tick(time)] == [30, 60, 90]


@pytest.mark.parametrize("variable", ["RESET_MHASH", "MHASH_RESET"])
def test_a_reset_generates_another_name_from_its_time(drive, variable):
    driven = drive(MissionHasher, "", epoch=EPOCH)
    first = driven.started[0].value
    posted = driven.tick(60.0, {variable: "true"})["MISSION_HASH"]
    assert posted != first
    assert posted.startswith("mhash=260101-0931")


def test_its_variables_may_have_other_names_or_be_off(drive):
    assert set(name(drive, "mission_hash_var = RUN\nmhash_short_var = R")) == {"RUN", "R"}
    assert set(name(drive, "mhash_short_var = off")) == {"MISSION_HASH"}
    assert set(name(drive, "mission_hash_var = OFF")) == {"MHASH"}
    off = drive(MissionHasher, "mission_hash_var = off\nmhash_short_var = off")
    assert (off.started, tuple(off.app.publishes)) == ([], ())
    with pytest.raises(ConfigError, match="expected a variable's name"):
        name(drive, "mhash_short_var = A B")


def test_a_written_report_is_read_back():
    made = draw(EPOCH, Random(3))
    assert parse_mission_hash(made.text()) == made
    assert parse_mission_hash(made.name).short == made.short
    assert made.letter_and_words == f"{made.name[11]}-{made.short}"
    assert {len(word) for word in (*ADJECTIVES, *NOUNS)} == {4}
    for wrong in ("utc=3", "mhash=A-B,utc=now", ""):
        with pytest.raises(ValueError, match="expected mhash="):
            parse_mission_hash(wrong)
