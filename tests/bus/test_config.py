"""How the lines of a block are read as values."""

from __future__ import annotations

import pytest

from bus.config import Config
from bus.errors import ConfigError


def block(value: str) -> Config:
    """Give a block with one line of this value."""
    return Config([("most", value, "a.moos:7")])


@pytest.mark.parametrize("text", ["3", "3.0", " 3 "])
def test_a_whole_number_is_read_as_one(text: str) -> None:
    count = block(text).whole("most", default=1)
    assert count == 3
    assert isinstance(count, int)


def test_a_whole_number_that_is_not_there_is_the_default() -> None:
    assert block("3").whole("least", default=8) == 8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.5", "expected a whole number"),
        ("many", "expected a number"),
        ("0", "must be at least 1"),
        ("10", "must be at most 9"),
    ],
)
def test_what_is_no_whole_number_within_its_bounds_is_refused(text: str, expected: str) -> None:
    with pytest.raises(ConfigError, match=rf"a\.moos:7: most = {text}: {expected}"):
        block(text).whole("most", default=1, low=1, high=9)
