"""Readers common to several blocks: decay, colours and variables."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from steerageway.apps.shared.block_readers import (
    AbleVars,
    color,
)
from steerageway.bus import Config, ConfigError, Options
from steerageway.geometry.encounter import Track, reckoned
from steerageway.helm.contact import parse_decay


def config(*lines: tuple[str, str]) -> Config:
    """Return a block with these lines."""
    return Config([(key, value, f"a.moos:{n}") for n, (key, value) in enumerate(lines, 1)])


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
    assert parse_decay(text) == decay


@pytest.mark.parametrize("text", ["30,15", "-1,5", "5", "5,", ",5", "five,6", "5,six", "5,6,7"])
def test_an_invalid_duration_is_refused(text):
    with pytest.raises(ValueError, match="expected BEGIN,END in seconds with 0 <= BEGIN <= END"):
        parse_decay(text)


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
def test_a_silent_vessel_loses_its_speed_linearly_within_the_span(decay, age, way):
    found = reckoned(Track(0.0, 0.0, 90.0, 2.0), age, decay)
    assert (found.x, found.y) == (pytest.approx(way), pytest.approx(0.0))


def test_variables_subscribed_to_follow_from_the_keys():
    lines = config(("enable_var", " GO "), ("expunge_var", "GONE"))
    assert AbleVars.read(lines).verbs() == {"GO": "enable", "GONE": "expunge"}
    for wrong in ("", "  ", "TWO WORDS"):
        with pytest.raises(ConfigError, match=r"a\.moos:1: disable_var.*a variable's name"):
            AbleVars.read(config(("disable_var", wrong)))


@dataclass(frozen=True)
class Coloured(Options):
    hue: str = color("red", "colour of a circle")


def test_a_colour_is_one_that_is_known():
    def hue(*lines):
        return Coloured.read(config(*lines)).hue

    assert hue(("hue", " light_green ")) == "light_green"
    assert hue(("hue", "Dark green")) == "Darkgreen"
    assert hue() == "red"
    with pytest.raises(ConfigError, match=r"a\.moos:1: hue = mauvish: expected a colour$"):
        hue(("hue", "mauvish"))
    with pytest.raises(ConfigError, match=r"hue = dark gren: .*a colour; the nearest is darkgreen"):
        hue(("hue", "dark gren"))
