"""Helms with contacts: reports received before the first decision are used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TEMPLATE = """
Behavior = BHV_AvoidCollision
{
  name       = avd_
  templating = spawn
  updates    = NEAR
}
"""


def names(sailing: Any) -> list[str]:
    """Return the names of the behaviors that are alive."""
    return [one.settings.name for one in sailing.helm._engine.behaviors.behaviors]


def test_an_alert_before_the_first_decision_spawns_at_that_decision(
    sail: Callable[..., Any],
) -> None:
    sailing = sail(TEMPLATE, wait=0.0)
    sailing.step({"NEAR": "name=ben # contact=ben"})
    assert names(sailing) == []
    sailing.steps(6)
    assert names(sailing) == ["avd_ben"]


def test_an_alert_to_a_parked_helm_waits_until_it_drives(sail: Callable[..., Any]) -> None:
    sailing = sail(TEMPLATE, wait=0.0)
    sailing.step({"MOOS_MANUAL_OVERRIDE": "true"})
    sailing.step({"NEAR": "name=ben # contact=ben"})
    sailing.step({"MOOS_MANUAL_OVERRIDE": "false"})
    sailing.steps(6)
    assert names(sailing) == ["avd_ben"]


def test_a_report_that_is_not_usable_gives_a_warning(sail: Callable[..., Any]) -> None:
    sailing = sail(TEMPLATE)
    sailing.step({"NODE_REPORT": "NAME=ben,X=1,Y=2"})
    assert any("expected the UTC time" in text for text in sailing.helm.run_warnings)
