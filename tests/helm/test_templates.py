"""Templates: behaviors spawned by updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from steerageway.bus import ConfigError

SPEED_ONLY = ("speed:0:4:41",)
KEEP = "Behavior = BHV_ConstantSpeed\n{\nname = k\nspeed = 1\npwt = 1\nduration = -1\n}\n"


def template(parameters: str = "", kind: str = "spawn") -> str:
    text = f"name = t_\nspeed = 2\nupdates = U\nduration = -1\ntemplating = {kind}\n{parameters}"
    return f"Behavior = BHV_ConstantSpeed\n{{\n{text}\n}}\n" + KEEP


@pytest.fixture
def spawning(sail: Callable[..., Any]) -> Callable[..., Any]:
    """Return a helm with a template t_ and a behavior k of little weight."""
    return lambda parameters="", kind="spawn": sail(template(parameters, kind), domain=SPEED_ONLY)


@pytest.mark.parametrize(("kind", "speed"), [("spawn", 1.0), ("clone", 2.0), ("disallow", 2.0)])
def test_clone_runs_itself_and_spawn_does_not(
    kind: str, speed: float, spawning: Callable[..., Any]
) -> None:
    assert spawning(kind=kind).step()["DESIRED_SPEED"] == speed


@pytest.mark.parametrize("kind", ["spawn", "clone"])
@pytest.mark.parametrize(("called", "name"), [("ben", "t_ben"), ("t_ben", "t_ben")])
def test_update_with_a_new_name_makes_a_behavior(
    kind: str, called: str, name: str, spawning: Callable[..., Any]
) -> None:
    sailing = spawning(kind=kind)
    sailing.step()
    found = sailing.step({"U": f"name={called} # speed=3 # pwt=900"})
    assert found["DESIRED_SPEED"] == 3.0
    assert sailing.behavior(name).state == "active"
    event = f"bname={name},btype=BHV_ConstantSpeed,event=spawn,seed=name={called} # speed=3"
    assert event in found["IVPHELM_LIFE_EVENT"]


@pytest.mark.parametrize("text", ["speed=3", "name= # speed=3"])
def test_update_without_a_name_makes_none(text: str, spawning: Callable[..., Any]) -> None:
    sailing = spawning()
    sailing.step({"U": text})
    assert sailing.posted["IVPHELM_BHV_CNT"] == 1.0


def test_disallowed_template_makes_none(spawning: Callable[..., Any]) -> None:
    sailing = spawning(kind="disallow")
    sailing.step({"U": "name=ben"})
    assert sailing.posted["IVPHELM_BHV_CNT"] == 2.0
    assert "result=name_mismatch" in sailing.posted["IVPHELM_UPDATE_RESULT"]


@pytest.mark.parametrize("called", ["ben", "t_ben"])
def test_later_update_with_the_name_changes_that_behavior(
    called: str, spawning: Callable[..., Any]
) -> None:
    sailing = spawning()
    sailing.step({"U": "name=ben # speed=3"})
    sailing.step({"U": "name=amy # speed=3"})
    sailing.step({"U": f"name={called} # speed=4"})
    assert sailing.behavior("t_ben").settings.speed == 4.0
    assert sailing.behavior("t_amy").settings.speed == 3.0
    assert sailing.posted["IVPHELM_BHV_CNT"] == 3.0


def test_two_updates_of_one_name_in_one_iteration_make_one_behavior(
    spawning: Callable[..., Any],
) -> None:
    sailing = spawning()
    texts = ("name=ben # speed=3", "name=ben # speed=4", "name=amy")
    messages = [sailing.driven.message("U", text, 1.0) for text in texts]
    sailing.driven.take(1.0, messages)
    assert sailing.behavior("t_ben").settings.speed == 4.0
    assert sailing.behavior("t_amy").settings.speed == 2.0


def test_name_is_free_again_when_its_behavior_has_completed(spawning: Callable[..., Any]) -> None:
    sailing = spawning()
    sailing.step({"U": "name=ben # duration=0.25"})
    sailing.steps(3)
    assert sailing.posted["IVPHELM_COMPLETED_COUNT"] == 1.0
    assert sailing.step({"U": "name=ben # duration=9"})["IVPHELM_BHV_ACTIVE"] == "k,t_ben"
    assert sailing.posted["IVPHELM_BHV_CNT_EVER"] == 3.0


def test_invalid_update_makes_none_and_reports_the_reason(spawning: Callable[..., Any]) -> None:
    sailing = spawning()
    sailing.step()
    found = sailing.step({"U": "name=ben # sped=3"})
    assert "event=abort,seed=name=ben # sped=3" in found["IVPHELM_LIFE_EVENT"]
    expected = "t_ben is not made of t_: sped = 3: unknown key; did you mean spe"
    assert expected in found["IVPHELM_BHVSET_WARNING"]
    assert any(expected in warning for warning in sailing.helm.run_warnings)
    assert found["DESIRED_SPEED"] == 1.0


def test_spawned_behavior_may_not_post_undeclared_variables(spawning: Callable[..., Any]) -> None:
    sailing = spawning("endflag = KNOWN = 1")
    found = sailing.step({"U": "name=ben # runflag = NOVELTY = 1"})
    assert "posts NOVELTY, which no line" in found["IVPHELM_BHVSET_WARNING"]
    assert sailing.step({"U": "name=ben # runflag = KNOWN = 2"})["KNOWN"] == 2.0


def test_no_more_are_made_than_max_spawnings(spawning: Callable[..., Any]) -> None:
    sailing = spawning("max_spawnings = 2")
    for name in "abc":
        sailing.step({"U": f"name={name}"})
    assert sailing.posted["IVPHELM_BHV_CNT"] == 3.0
    assert "expected at most 2 of t_" in sailing.posted["IVPHELM_BHVSET_WARNING"]


def test_spawned_behavior_is_registered_for_at_once(spawning: Callable[..., Any]) -> None:
    sailing = spawning()
    sailing.step({"U": "name=ben # condition = FRESH = 1"})
    assert "FRESH" in sailing.driven.registered
    assert "U" in sailing.driven.registered
    sailing.step({"FRESH": 1.0})
    assert sailing.behavior("t_ben").state == "active"
    assert sailing.posted["IVPHELM_UPDATEVARS"] == "t_ben=U"


def test_appcast_shows_templates(spawning: Callable[..., Any]) -> None:
    sailing = spawning("max_spawnings = 1")
    for name in "ab":
        sailing.step({"U": f"name={name}"})
    assert "Template t_: 1 made of 2 asked for" in list(sailing.helm.report())


@pytest.mark.parametrize(("kind", "speed"), [("spawn", 1.0), ("clone", 2.0)])
def test_template_without_updates_spawns_nothing_and_warns(
    kind: str, speed: float, sail: Callable[..., Any]
) -> None:
    """As BehaviorSpec::checkForSpawningStrings of MOOS-IvP: no updates variable, no spawning."""
    sailing = sail(template(kind=kind).replace("updates = U\n", ""), domain=SPEED_ONLY)
    (warning,) = [text for text in sailing.helm.config_warnings if "templating" in text]
    assert warning.endswith("expected an updates line, too; without it no behavior is spawned")
    sailing.step({"U": "name=ben"})
    assert sailing.posted["DESIRED_SPEED"] == speed


def test_error_in_a_template_is_one_before_anything_starts(sail: Callable[..., Any]) -> None:
    with pytest.raises(ConfigError, match="sped = 2: unknown key"):
        sail(template("sped = 2"), domain=SPEED_ONLY)


AVOID = """
Behavior = BHV_AvoidCollision
{
name = avd_
updates = U
templating = spawn
can_disable = %s
duration = 2
}
"""


@pytest.mark.parametrize(
    ("actions", "state"),
    [
        ([], "running"),
        (["disable,contact=ben"], "disabled"),
        (["disable,contact=BEN,bhv_type=bhv_avoidcollision"], "disabled"),
        (["disable,contact=carl"], "running"),
        (["disable,contact=ben", "enable,contact=ben"], "running"),
        (["disable,contact=ben", "able,contact=ben"], "running"),
        (["disable,contact=ben", "able,contact=carl"], "disabled"),
        (["disable,contact=ben", "expunge,contact=ben"], "disabled"),
    ],
)
def test_disabled_behaviors_stay_disabled_for_those_made_later(
    actions: list[str], state: str, sail: Callable[..., Any]
) -> None:
    sailing = sail(AVOID % "true")
    for action in actions:
        sailing.step({"BHV_ABLE_FILTER": f"action={action}"})
    sailing.step({"U": "name=ben # contact=ben"})
    assert sailing.behavior("avd_ben").state == state


@pytest.mark.parametrize(
    ("action", "states"),
    [
        ("disable", "disabled"),
        ("enable", "running"),
        ("able", "disabled"),
        ("expunge", "completed"),
    ],
)
def test_each_action_has_its_effect(action: str, states: str, sail: Callable[..., Any]) -> None:
    sailing = sail(AVOID % "true")
    sailing.step({"U": "name=ben # contact=ben"})
    behavior = sailing.behavior("avd_ben")
    sailing.step({"BHV_ABLE_FILTER": "action=disable,contact=ben"})
    sailing.step({"BHV_ABLE_FILTER": f"action={action},contact=ben"})
    assert behavior.state == states


def test_behaviors_that_cannot_be_disabled_are_not(sail: Callable[..., Any]) -> None:
    sailing = sail(AVOID % "false")
    sailing.step({"BHV_ABLE_FILTER": "action=disable,contact=ben"})
    sailing.step({"U": "name=ben # contact=ben"})
    sailing.step({"BHV_ABLE_FILTER": "action=disable,contact=ben"})
    assert sailing.behavior("avd_ben").state == "running"


TAGGED = """
Behavior = BHV_AvoidCollision
{{
  name       = avd_
  templating = spawn
  updates    = CONTACT_INFO
  condition  = {condition}
  pwt_outer_dist = 300
  completed_dist = 200
}}
"""


@pytest.mark.parametrize(
    ("macro", "variable"),
    [("$[CONTACT]", "TAGGED_BEN"), ("$[contact]", "TAGGED_ben"), ("$[Contact]", "TAGGED_Ben")],
)
def test_condition_may_be_about_the_contact_of_the_behavior_that_is_made(
    macro: str, variable: str, sail: Callable[..., Any]
) -> None:
    sailing = sail(TAGGED.format(condition=f"TAGGED_{macro} = true"))
    assert not any("TAGGED" in name for name in sailing.driven.registered)
    sailing.step({"CONTACT_INFO": "name=Ben # contact=Ben"})
    assert sailing.behavior("avd_Ben").state == "idle"
    sailing.step()
    assert variable in sailing.driven.registered
    sailing.step({variable: "true"})
    assert sailing.behavior("avd_Ben").state == "running"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("TAGGED_$[CONTACT] = true", []),
        ("TAGGED_$[VNAME] = true", ["expected one of $[CONTACT], $[contact], $[Contact]"]),
    ],
)
def test_changed_lines_give_a_warning(
    condition: str, expected: list[str], sail: Callable[..., Any]
) -> None:
    warnings = sail(TAGGED.format(condition=condition)).helm.config_warnings
    messages = [f"test.bhv:7: condition = {condition}: {text}: it never holds" for text in expected]
    near = "test.bhv:9: completed_dist = 200: below pwt_outer_dist, 300: it avoids nothing beyond"
    assert [text for text in warnings if "test.bhv" in text] == [*messages, near]


def test_macro_in_a_condition_without_a_contact_gives_a_warning(
    sail: Callable[..., Any],
) -> None:
    sailing = sail(KEEP.replace("pwt", "condition = GO_$[CONTACT] = true\npwt"))
    (warning,) = [text for text in sailing.helm.config_warnings if "GO_" in text]
    assert warning.endswith("this behavior replaces no macro: it never holds")
