"""What several blocks have: numbers and times that may be off, decay, colours and variables."""

from __future__ import annotations

from math import inf

import pytest

from steerageway.apps.framework.block_readers import (
    read_able_vars,
    read_color,
    read_decay,
    read_or_off,
)
from steerageway.bus import Config, ConfigError
from steerageway.vessel.encounter import Track, reckoned


def config(*lines: tuple[str, str]) -> Config:
    """Give a block with these lines."""
    return Config([(key, value, f"a.moos:{n}") for n, (key, value) in enumerate(lines, 1)])


@pytest.mark.parametrize(
    ("text", "value"), [("9", 9.0), ("0.25", 0.25), ("off", inf), ("Off", inf)]
)
def test_a_number_may_be_off(text, value):
    assert read_or_off(config(("most", text)), "most", default=5.0) == value
    assert read_or_off(config(), "most", default=5.0) == 5.0


@pytest.mark.parametrize("text", ["0", "-1", "on", ""])
def test_what_is_neither_a_number_above_0_nor_off_is_refused(text):
    with pytest.raises(ConfigError, match=r"a\.moos:1: most"):
        read_or_off(config(("most", text)), "most", default=5.0)


@pytest.mark.parametrize(
    ("text", "decay"),
    [
        ("15,30", (15.0, 30.0)),
        ("0, 0.5", (0.0, 0.5)),
        ("7,7", (7.0, 7.0)),
        ("off", None),
        (" OFF ", None),
    ],
)
def test_decay_is_a_span_of_time_or_off(text, decay):
    assert read_decay(config(("decay", text)), default=(1.0, 2.0)) == decay
    assert read_decay(config(), default=(1.0, 2.0)) == (1.0, 2.0)


@pytest.mark.parametrize("text", ["30,15", "-1,5", "5", "5,", ",5", "five,6", "5,six", "5,6,7"])
def test_what_is_no_span_of_time_is_refused(text):
    with pytest.raises(ConfigError, match="expected BEGIN,END in seconds with 0 <= BEGIN <= END"):
        read_decay(config(("decay", text)), default=None)


@pytest.mark.parametrize(
    ("decay", "age", "way"),
    [
        ((15.0, 30.0), 10.0, 20.0),
        ((15.0, 30.0), 22.5, 30.0 + 7.5 * 1.5),  # from 2 m/s to 1 m/s
        ((15.0, 30.0), 99.0, 30.0 + 15.0),
        ((7.0, 7.0), 7.0, 14.0),
        ((7.0, 7.0), 99.0, 14.0),  # it stops at once
        ((0.0, 0.0), 5.0, 0.0),
        (None, 99.0, 198.0),
    ],
)
def test_a_silent_vessel_goes_on_and_loses_its_speed_evenly_within_the_span(decay, age, way):
    found = reckoned(Track(0.0, 0.0, 90.0, 2.0), age, decay)
    assert (found.x, found.y) == (pytest.approx(way), pytest.approx(0.0))


def test_variables_ask_for_what_their_keys_say():
    lines = config(("enable_var", " GO "), ("expunge_var", "GONE"))
    assert read_able_vars(lines) == {"GO": "enable", "GONE": "expunge"}
    for wrong in ("", "  ", "TWO WORDS"):
        with pytest.raises(ConfigError, match=r"a\.moos:1: disable_var.*a variable's name"):
            read_able_vars(config(("disable_var", wrong)))


def test_a_colour_is_one_that_is_known():
    assert read_color(config(("hue", " light_green ")), "hue", default="red") == "light_green"
    assert read_color(config(("hue", "Dark green")), "hue", default="red") == "Darkgreen"
    assert read_color(config(), "hue", default="red") == "red"
    with pytest.raises(ConfigError, match=r"a\.moos:1: hue = mauvish: expected a colour$"):
        read_color(config(("hue", "mauvish")), "hue", default="red")
    with pytest.raises(ConfigError, match=r"hue = dark gren: .*a colour; the nearest is darkgreen"):
        read_color(config(("hue", "dark gren")), "hue", default="red")
