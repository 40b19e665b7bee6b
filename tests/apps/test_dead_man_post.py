"""``pDeadManPost``, driven by mail and time."""

from __future__ import annotations

import pytest

from steerageway.apps.scripts.dead_man_post import DeadManPost
from steerageway.bus import ConfigError

BLOCK = "heartbeat_var = HEART\ndeadflag = DEPLOY=false\ndeadflag = COUNT=3\nmax_noheart = 2\n"
FLAGS = {"DEPLOY": "false", "COUNT": 3.0}


def posts(driven, beats, until=12):
    """Return the whole seconds at which it posted."""
    return [
        time
        for time in range(1, until)
        if driven.tick(time, {"HEART": 1.0} if time in beats else {})
    ]


def test_the_flags_are_posted_once_a_silence_is_too_long(drive):
    driven = drive(DeadManPost, BLOCK)
    assert driven.tick(2.0) == {}
    assert driven.tick(2.5) == FLAGS
    assert driven.tick(3.0) == {}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("once", [4]), ("repeat", [4, 5, 10, 11]), ("reset", [4, 10])],
)
def test_the_policy_sets_how_often_flags_are_posted(drive, policy, expected):
    driven = drive(DeadManPost, BLOCK + f"post_policy = {policy}")
    assert posts(driven, beats=(1, 6, 7)) == expected


def test_it_may_wait_for_the_first_beat(drive):
    driven = drive(DeadManPost, BLOCK + "active_at_start = false")
    assert posts(driven, beats=(5,)) == [8]


def test_its_timeout_is_ten_seconds_by_default(drive):
    driven = drive(DeadManPost, BLOCK.replace("max_noheart = 2\n", ""))
    assert posts(driven, beats=(), until=14) == [11]


def test_with_zero_timeout_the_first_silent_moment_is_too_long(drive):
    driven = drive(DeadManPost, BLOCK.replace("max_noheart = 2\n", "max_noheart = 0\n"))
    assert posts(driven, beats=(1, 2)) == [3]


@pytest.mark.parametrize("policy", ["once", "repeat", "reset"])
def test_its_appcast_shows_the_present_silence_and_the_number_of_silences(drive, policy):
    driven = drive(DeadManPost, BLOCK + f"post_policy = {policy}")
    posts(driven, beats=(1, 6, 7))
    assert list(driven.app.report()) == ["HEART: 4.0 s ago, at most 2 s", "silences: 2"]


def test_missing_settings_give_a_warning(drive):
    assert drive(DeadManPost, "deadflag = A=1").tick(99.0) == {}
    assert "deadflag" in drive(DeadManPost, "heartbeat_var = H").app.config_warnings[0]
    assert "heartbeat_var" in drive(DeadManPost, "deadflag = A=1").app.config_warnings[0]


@pytest.mark.parametrize(
    "line", ["deadflag = DEPLOY", "max_noheart = -1", "post_policy = twice", "active_at_start = 3"]
)
def test_an_invalid_line_is_reported(drive, line):
    with pytest.raises(ConfigError, match=r"test\.moos:0: "):
        drive(DeadManPost, line)
