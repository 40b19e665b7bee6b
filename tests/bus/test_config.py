"""Typed getters of a configuration block."""

from __future__ import annotations

import pytest

from steerageway.bus.core.config import Config, parsed
from steerageway.bus.core.errors import ConfigError
from steerageway.declarations import Number


def block(value: str) -> Config:
    """Return a block with one line of this value."""
    return Config([("most", value, "a.moos:7")])


@pytest.mark.parametrize("text", ["3", "3.0", " 3 "])
def test_a_whole_number_is_read_as_one(text: str) -> None:
    count = block(text).whole("most", default=1)
    assert count == 3
    assert isinstance(count, int)


def test_a_missing_whole_number_is_the_default() -> None:
    assert block("3").whole("least", default=8) == 8


@pytest.mark.parametrize("text", ["2.5", "many", "0", "10"])
def test_an_invalid_whole_number_is_refused(text: str) -> None:
    expected = "expected a whole number from 1 to 9"
    with pytest.raises(ConfigError, match=rf"a\.moos:7: most = {text}: {expected}$"):
        block(text).whole("most", default=1, low=1, high=9)


REPEATED = [("Gain", "1", "a.moos:2"), ("width", "7", "a.moos:3"), ("gain", "2", "a.moos:4")]


def test_keys_are_case_insensitive_and_the_first_or_last_line_applies() -> None:
    first, last = Config(REPEATED), Config(REPEATED, last_wins=True)
    assert (first.text("GAIN"), last.text("GAIN")) == ("1", "2")
    assert [entry.where for entry in first.all("breadth", "Gain")] == ["a.moos:2", "a.moos:4"]
    assert first.number("breadth", "WIDTH", default=3.0) == 7.0
    assert first.text("breadth", default="none") == "none"
    assert "Width" in first
    assert "breadth" not in first
    assert [entry.key for entry in first] == ["Gain", "width", "gain"]


def test_an_unused_line_is_reported_with_the_nearest_known_key() -> None:
    config = Config([*REPEATED, ("AppTik", "4", "a.moos:5")], known=("AppTick",))
    assert config.number("GAIN", default=0.0) == 1.0
    unread = config.unread()
    assert [entry.key for entry in unread] == ["width", "AppTik"]
    assert [str(config.unknown_key(entry)) for entry in unread] == [
        "a.moos:3: width = 7: unknown key; expected one of AppTick, GAIN",
        "a.moos:5: AppTik = 4: unknown key; did you mean AppTick?",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("ON", True),
        (" Yes ", True),
        ("False", False),
        ("off", False),
        ("no", False),
    ],
)
def test_a_flag_is_one_of_six_values(text: str, value: bool) -> None:
    assert block(text).flag("most", default=not value) is value
    assert block(text).flag("least", default=value) is value


def test_a_flag_with_extra_text_is_accepted_with_a_warning() -> None:
    config = block("true @ 0")
    assert config.flag("most", default=False)
    expected = "a.moos:7: most = true @ 0: expected true or false alone; true counts"
    assert config.flag("most", default=False)
    assert config.warnings == [expected]


def test_an_invalid_flag_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"a\.moos:7: most = 1: expected true or false"):
        block("1").flag("most", default=True)


def test_a_choice_is_one_of_its_values_in_lower_case() -> None:
    assert block(" Short ").choice("most", default="long", among=("short", "long")) == "short"
    assert block("x").choice("least", default="long", among=("short", "long")) == "long"
    with pytest.raises(ConfigError, match=r"most = both: expected one of short, long$"):
        block("both").choice("most", default="long", among=("short", "long"))


def test_bounds_of_numbers_belong_to_them_unless_they_must_be_above() -> None:
    assert block("2").number("most", default=0.0, low=2.0, high=2.0, above=1.0) == 2.0
    assert block("x").number("least", default=9.0, low=1.0, high=2.0) == 9.0
    for bound, expected in (
        ({"low": 2.5}, "expected a number at least 2.5"),
        ({"high": 1.5}, "expected a number at most 1.5"),
        ({"above": 2.0}, "expected a number above 2"),
    ):
        with pytest.raises(ConfigError, match=rf"a\.moos:7: most = 2: {expected}$"):
            block("2").number("most", default=0.0, **bound)


@pytest.mark.parametrize("text", ["far", "", "nan", "-inf", "1e999"])
def test_a_number_that_is_not_finite_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"expected a number$"):
        parsed(block(text).entries[0], Number())
