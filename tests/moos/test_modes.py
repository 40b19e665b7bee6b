"""Mode declarations: values of modes."""

from __future__ import annotations

import pytest

from steerageway.moos.bhv import parse_behaviors
from steerageway.moos.modes import ModeSet

TEXT = """
set MODE = ACTIVE {
  DEPLOY = true
} INACTIVE
set MODE = RETURNING {
  MODE = ACTIVE
  RETURN = true
}
set MODE = LOITERING {
  MODE = ACTIVE
  LOITER = true
} TRANSITING
set MODE = DEEP {
  MODE = ACTIVE:LOITERING
  DEPTH > 10
}
set LIGHTS = ON {
  MODE != INACTIVE
  NIGHT = true
} OFF
"""


def modes() -> ModeSet:
    return ModeSet(parse_behaviors(TEXT, "m.bhv").modes)


@pytest.mark.parametrize(
    ("world", "mode", "lights"),
    [
        ({}, "INACTIVE", "OFF"),
        ({"NIGHT": "true"}, "INACTIVE", "OFF"),
        ({"DEPLOY": "false"}, "INACTIVE", "OFF"),
        ({"DEPLOY": "true"}, "ACTIVE:TRANSITING", "OFF"),
        ({"DEPLOY": "true", "NIGHT": "true"}, "ACTIVE:TRANSITING", "ON"),
        ({"DEPLOY": "true", "LOITER": "true"}, "ACTIVE:LOITERING", "OFF"),
        ({"DEPLOY": "true", "LOITER": "true", "DEPTH": 12.0}, "ACTIVE:LOITERING:DEEP", "OFF"),
        ({"DEPLOY": "true", "LOITER": "true", "DEPTH": 9.0}, "ACTIVE:LOITERING", "OFF"),
        ({"DEPLOY": "true", "RETURN": "true"}, "ACTIVE:RETURNING", "OFF"),
        ({"DEPLOY": "true", "RETURN": "true", "LOITER": "true"}, "ACTIVE:RETURNING", "OFF"),
        ({"DEPLOY": "false", "LOITER": "true", "DEPTH": 12.0}, "INACTIVE", "OFF"),
    ],
)
def test_modes_follow_the_first_rules_that_hold(
    world: dict[str, float | str], mode: str, lights: str
) -> None:
    assert modes().evaluate(world.get, 0.0) == {"MODE": mode, "LIGHTS": lights}


def test_modes_do_not_remember_the_evaluation_before() -> None:
    mode_set = modes()
    mode_set.evaluate({"DEPLOY": "true", "LOITER": "true"}.get, 0.0)
    assert mode_set.evaluate({}.get, 0.0)["MODE"] == "INACTIVE"


def test_mode_set_names_its_outputs_and_inputs() -> None:
    assert modes().variables == ("MODE", "LIGHTS")
    assert modes().watched == ("DEPLOY", "RETURN", "LOITER", "DEPTH", "NIGHT")


def test_description_names_each_variable_and_each_value_after_its_parent() -> None:
    assert modes().describe() == (
        "MODE#---,ACTIVE#---,INACTIVE#ACTIVE,RETURNING#ACTIVE,LOITERING#ACTIVE,TRANSITING"
        "#ACTIVE:LOITERING,DEEP#LIGHTS#---,ON#---,OFF"
    )


def test_summary_shows_the_present_values() -> None:
    mode_set = modes()
    mode_set.evaluate({"DEPLOY": "true"}.get, 0.0)
    assert mode_set.summary() == "MODE@ACTIVE:TRANSITING#LIGHTS@OFF"
    assert ModeSet().summary() == ""
