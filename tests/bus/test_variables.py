"""Declared variables: their names with the settings of the poster."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from steerageway.bus import App, variables


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


def test_a_table_declares_what_the_functions_declare() -> None:
    posted = variables.published("""
        RANGE_L, RANGE_R | number | m | >= 0 | on change | range of an echo, of
            either side
        STATE | text | | | | state
    """)
    assert posted == (
        *(
            variables.number(
                name, "range of an echo, of either side", unit="m", range=">= 0", when="on change"
            )
            for name in ("RANGE_L", "RANGE_R")
        ),
        variables.text("STATE", "state"),
    )
    heard = variables.subscribed("GO, START | number | m | with `x` | begin")
    assert heard == (
        variables.heard("GO", "START", what="begin", kind="number", unit="m", given="with `x`"),
    )


def test_the_rows_of_a_table_share_names_and_conditions_by_settings() -> None:
    declared = variables.published(
        "A, B | text | | | | state",
        posted_if=lambda settings: settings.reports,
        named=lambda name, settings: f"{name}_{settings.name}",
    )
    assert variables.names_with(Settings(reports=True), declared) == ["A_X", "B_X"]
    assert variables.names_with(Settings(), declared) == []


def test_a_table_refuses_a_row_of_other_columns_and_another_kind() -> None:
    with pytest.raises(ValueError, match=r"A \| number \| m: expected 6 columns"):
        variables.published("A | number | m")
    with pytest.raises(ValueError, match="A: numbr: expected one of number, text, bytes"):
        variables.published("A | numbr | m | | | range")


def test_an_app_publishes_the_publications_of_its_class() -> None:
    class Odometer(App):
        """Declares what it posts."""

        publications = (variables.number("ODOMETRY", "way made"),)

    class Wider(Odometer):
        """Declares more than the other."""

        publications = (*Odometer.publications, variables.text("STATE", "state"))
        publishes = ("*_STATE",)

    assert App.publishes == ("*",)
    assert Odometer.publishes == ("ODOMETRY",)
    assert Wider.publishes == ("*_STATE",)
    assert type("Same", (Odometer,), {}).publishes == ("ODOMETRY",)
