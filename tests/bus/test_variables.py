"""Declared variables: their names with the settings of the poster."""

from __future__ import annotations

from typing import NamedTuple

from steerageway.bus import variables


class Settings(NamedTuple):
    """Settings on which posts depend."""

    reports: bool = False
    name: str = "X"


DECLARED = (
    variables.number("ALWAYS", "posted with any settings"),
    variables.text("REPORT", "posted if set", posted_if=lambda settings: settings.reports),
    variables.number(
        "RANGE", "named by a setting", named=lambda name, settings: settings.name and name + "_X"
    ),
)


def test_names_are_those_posted_with_the_settings_in_declared_order() -> None:
    assert variables.names(DECLARED) == ("ALWAYS", "REPORT", "RANGE")
    assert variables.names_with(Settings(), DECLARED) == ["ALWAYS", "RANGE_X"]
    assert variables.names_with(Settings(reports=True, name=""), DECLARED) == ["ALWAYS", "REPORT"]
