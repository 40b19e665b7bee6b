"""Warnings of conditions on values that no mode declaration sets, with suggestions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from steerageway.helm.mode_values import unset_modes
from steerageway.moos.bhv import parse_behaviors

MODES = """\
set MODE = ACTIVE {
  DEPLOY = true
} INACTIVE
set MODE = SURVEYING {
  MODE = ACTIVE
} LOITERING
"""


def warnings_of(condition: str, modes: str = MODES, key: str = "condition") -> list[str]:
    block = f"Behavior = BHV_Waypoint\n{{\n  {key} = {condition}\n}}\n"
    return list(map(str, unset_modes(parse_behaviors(modes + block, "a.bhv"))))


@pytest.mark.parametrize(
    "condition",
    [
        "MODE == SURVEYING",
        "MODE == ACTIVE:SURVEYING",
        "MODE = ACTIVE:SURVEYING",
        "MODE != INACTIVE",
        '(MODE == "LOITERING") and (DEPLOY = tru)',
        "MODE = $(OTHER)",
        "MODE < ZEBRA",
        "NODE == SURVEYNG",
    ],
)
def test_a_value_set_by_a_declaration_is_not_reported(condition: str) -> None:
    assert warnings_of(condition) == []


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("MODE == SURVEYNG", "no declaration sets MODE to SURVEYNG; the nearest is SURVEYING"),
        ("MODE == Surveying", "no declaration sets MODE to Surveying; the nearest is SURVEYING"),
        (
            "MODE = ACTIVE:SURVEY",
            "no declaration sets MODE to ACTIVE:SURVEY; the nearest is ACTIVE:SURVEYING",
        ),
        (
            "MODE != LOITERING",
            "MODE is ACTIVE:LOITERING, never LOITERING alone (== in a behavior asks for a part)",
        ),
        (
            "(DEPLOY = true) and not (MODE == X)",
            "no declaration sets MODE to X; "
            "there are ACTIVE, ACTIVE:LOITERING, ACTIVE:SURVEYING, INACTIVE, LOITERING, SURVEYING",
        ),
    ],
)
@pytest.mark.parametrize("key", ["condition", "lead_condition"])
def test_a_value_not_set_by_a_declaration_is_reported_with_the_nearest(
    key: str, condition: str, why: str
) -> None:
    assert warnings_of(condition, key=key) == [f"a.bhv:9: {condition}: {why}"]


def test_a_declaration_below_a_misspelt_one_is_reported() -> None:
    modes = MODES.replace("MODE = ACTIVE\n", "MODE = ACTVE\n")
    (text,) = warnings_of("MODE == ACTIVE", modes)
    expected = "a.bhv:4: MODE = ACTVE: no declaration sets MODE to ACTVE; the nearest is ACTIVE"
    assert text == expected


def test_a_declaration_above_the_one_it_needs_is_reported() -> None:
    first, second = MODES.split("set MODE = SURVEYING")
    (text,) = warnings_of("MODE == ACTIVE", "set MODE = SURVEYING" + second + first)
    assert text.startswith("a.bhv:1: MODE = ACTIVE: no declaration sets MODE to ACTIVE; none ")


def test_a_value_that_is_initialized_is_known() -> None:
    assert warnings_of("MODE == ASLEEP", "initialize MODE = ASLEEP\n" + MODES) == []


def test_the_helm_warns_of_it_at_its_start(sail: Callable[..., Any]) -> None:
    helm = sail(MODES + "Behavior = BHV_Timer\n{\n  condition = MODE == SURVEYNG\n}\n")
    assert any("the nearest is SURVEYING" in text for text in helm.helm.config_warnings)
