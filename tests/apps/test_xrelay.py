"""``pXRelay``, driven by mail and time."""

import pytest

from steerageway.apps.scripts.xrelay import XRelay
from steerageway.bus import ConfigError

APPLES = "INCOMING_VAR = PEARS\nOUTGOING_VAR = APPLES"


def test_each_message_is_answered_with_a_count(drive):
    driven = drive(XRelay, APPLES)
    pears = [driven.message("PEARS", 0.0, 1.0) for _ in range(3)]
    driven.take(1.0, pears)
    assert driven.values("APPLES") == [1.0, 2.0, 3.0]
    driven.take(2.0, pears[:1])
    assert driven.values("APPLES") == [4.0]


def test_rates_follow_the_first_iteration_and_the_first_post(drive):
    driven = drive(XRelay, APPLES)
    assert driven.tick(1.0) == {}
    assert driven.tick(2.0) == {"APPLES_ITER_HZ": pytest.approx(2 / 1.01)}
    assert "APPLES_POST_HZ" not in driven.tick(3.0, {"PEARS": 1.0})
    assert driven.tick(5.0, {"PEARS": 1.0})["APPLES_POST_HZ"] == pytest.approx(2 / 2.01)


def test_without_an_incoming_variable_only_the_rate_is_posted(drive):
    driven = drive(XRelay, "OUTGOING_VAR = APPLES")
    assert driven.registered == {}
    driven.tick(1.0)
    assert list(driven.tick(2.0)) == ["APPLES_ITER_HZ"]


def test_without_an_outgoing_variable_nothing_is_posted(drive):
    driven = drive(XRelay, "INCOMING_VAR = PEARS")
    assert driven.tick(1.0, {"PEARS": 1.0}) == {}
    assert "OUTGOING_VAR" in driven.app.config_warnings[0]


@pytest.mark.parametrize("key", ["INCOMING_VAR", "OUTGOING_VAR"])
def test_a_name_with_blanks_is_refused(drive, key):
    with pytest.raises(ConfigError, match=rf"{key} = TWO WORDS"):
        drive(XRelay, f"{key} = TWO WORDS")
