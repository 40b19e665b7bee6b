"""The parameters of every behavior: the effect of each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from steerageway.helm.settings import CommonSettings
from tests.apps.parameters import Shown

shows = Shown()


def speed_behavior(parameters: str, speed: float = 2.0, name: str = "b") -> str:
    """Write a behavior that keeps a speed permanently, with additional lines."""
    forever = "" if "duration =" in parameters else "duration = no-time-limit\n"
    text = f"name = {name}\nspeed = {speed}\n{forever}{parameters}"
    return f"Behavior = BHV_ConstantSpeed\n{{\n{text}\n}}\n"


@pytest.fixture
def sail_speed(sail: Callable[..., Any]) -> Callable[..., Any]:
    """Return a helm that decides about speed only."""

    def start(*behaviors: str, **given: Any) -> Any:
        return sail("".join(behaviors), domain=("speed:0:4:41",), **given)

    return start


@shows("name")
def test_posts_carry_the_behaviors_name(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("runflag = A = 1", name="cruise"))
    sailing.step()
    (post,) = [post for post in sailing.posts if post.name == "A"]
    assert post.aux == "1:cruise"


@shows("pwt")
@pytest.mark.parametrize("alias", ["pwt", "priority", "priority_wt"])
def test_greater_weight_decides(alias: str, sail_speed: Callable[..., Any]) -> None:
    slow = speed_behavior(f"{alias} = 150", 1.0, "slow")
    fast = speed_behavior(f"{alias} = 100", 3.0, "fast")
    assert sail_speed(slow, fast).step()["DESIRED_SPEED"] == 1.0


def test_behavior_of_zero_weight_has_no_effect(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("pwt = 0", 1.0, "slow"), speed_behavior("", 3.0, "fast"))
    assert sailing.step()["DESIRED_SPEED"] == 3.0
    assert sailing.posted["IVPHELM_BHV_RUNNING"] == "slow"
    assert sailing.posted["IVPHELM_BHV_ACTIVE"] == "fast"


@shows("condition")
def test_behavior_runs_while_all_its_conditions_hold(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("condition = GO = true\ncondition = DEPTH < 5"))
    states = []
    for mail in ({}, {"GO": "true"}, {"DEPTH": 3.0}, {"GO": "false"}):
        sailing.step(mail)
        states.append(sailing.behavior("b").state)
    assert states == ["idle", "idle", "active", "idle"]


def test_condition_on_elapsed_time_changes_without_mail(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("condition = SEEN_DELTA < 1"))
    sailing.step()
    assert sailing.behavior("b").state == "idle"
    sailing.step({"SEEN": sailing.helm.utc})
    assert sailing.behavior("b").state == "active"
    states = []
    for _ in range(6):
        sailing.step()
        states.append(sailing.behavior("b").state)
    assert states[0] == "active"
    assert states[-1] == "idle"


def test_condition_of_an_update_applies_at_once(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("condition = GO = 1\nupdates = U"))
    states = []
    for mail in ({"GO": 1.0}, {"U": "condition = OTHER = 1"}, {"OTHER": 1.0}):
        sailing.step(mail)
        states.append(sailing.behavior("b").state)
    assert states == ["active", "idle", "active"]


@shows("duration")
def test_duration_starts_at_the_first_run(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("duration = 1\ncondition = GO = true\nendflag = END = 1"))
    sailing.steps(8)
    assert "END" not in sailing.posted
    sailing.step({"GO": "true"})
    sailing.steps(3)
    assert "END" not in sailing.posted
    assert sailing.step()["END"] == 1.0
    assert sailing.posted["IVPHELM_BHV_CNT"] == 1.0
    sailing.step()
    assert sailing.posted["IVPHELM_COMPLETED_COUNT"] == 1.0


@shows("duration_idle_decay")
@pytest.mark.parametrize(("decay", "ticks"), [("true", 4), ("false", 6)])
def test_idle_time_is_included_in_the_duration_or_not(
    decay: str, ticks: int, sail_speed: Callable[..., Any]
) -> None:
    parameters = f"duration = 1\nduration_idle_decay = {decay}\ncondition = GO = true"
    sailing = sail_speed(speed_behavior(parameters + "\nendflag = END = 1"))
    sailing.step({"GO": "true"})
    sailing.step({"GO": "false"})
    sailing.step()
    sailing.step({"GO": "true"})
    ran = 3
    while "END" not in sailing.posted and ran < 20:
        sailing.step()
        ran += 1
    assert ran == ticks


@shows("duration_status")
def test_remaining_seconds_are_posted_on_request(sail_speed: Callable[..., Any]) -> None:
    # as in MOOS-IvP: whole seconds (11.25 is 11) above 10 s, all decimals from there on
    sailing = sail_speed(speed_behavior("duration = 11.25\nduration_status = LEFT"))
    left = [post.value for post in sailing.steps(50) if post.name == "LEFT"]
    assert left == [11.0, 10.0, *(9.75 - 0.25 * number for number in range(40))]


@shows("duration_reset")
@pytest.mark.parametrize(
    ("trigger", "value", "resets"),
    [
        ("AGAIN = true", "true", True),
        ("AGAIN = true", "false", False),
        ("AGAIN", "whatever", True),
        ("AGAIN = 5", 5.0, True),
        ("AGAIN = 5", 4.0, False),
    ],
)
def test_duration_begins_again_when_its_trigger_is_posted(
    trigger: str, value: float | str, resets: bool, sail_speed: Callable[..., Any]
) -> None:
    text = speed_behavior(f"duration = 1\nduration_reset = {trigger}\nendflag = END = 1")
    sailing = sail_speed(text)
    sailing.steps(3)
    sailing.step({"AGAIN": value})
    sailing.step()
    assert ("END" in sailing.posted) is not resets
    sailing.steps(3)
    assert "END" in sailing.posted


@shows("perpetual")
def test_perpetual_behavior_runs_again_after_completing(sail_speed: Callable[..., Any]) -> None:
    parameters = "duration = 0.5\ncondition = GO = true\nendflag = GO = false\nperpetual = true"
    sailing = sail_speed(speed_behavior(parameters))
    for _ in range(2):
        assert sailing.step({"GO": "true"})["DESIRED_SPEED"] == 2.0
        sailing.steps(2)
        assert sailing.posted["GO"] == "false"
        assert "DESIRED_SPEED" not in sailing.step()
    assert sailing.posted["IVPHELM_BHV_CNT"] == 1.0


@shows("updates")
def test_update_changes_several_parameters_at_once(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("updates = UP"))
    sailing.step()
    assert sailing.step({"UP": "speed = 3 # pwt = 40"})["DESIRED_SPEED"] == 3.0
    assert sailing.behavior("b").settings.pwt == 40.0
    assert "result=success,val=speed = 3 # pwt = 40" in sailing.posted["IVPHELM_UPDATE_RESULT"]


def test_an_update_with_one_invalid_part_changes_nothing(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("updates = UP"))
    sailing.step()
    found = sailing.step({"UP": "speed = 3 # pwt = -1"})
    assert found["DESIRED_SPEED"] == 2.0
    assert "pwt = -1: expected a number at least 0" in found["BHV_WARNING"]
    assert "result=param_error" in found["IVPHELM_UPDATE_RESULT"]
    assert any("pwt = -1" in text for text in sailing.helm.run_warnings)


def test_update_of_an_unknown_parameter_names_the_nearest(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("updates = UP"))
    sailing.step()
    warning = sailing.step({"UP": "sped = 3"})["BHV_WARNING"]
    assert "unknown key; did you mean speed" in warning


def test_update_received_while_parked_applies_at_the_next_decision(
    sail_speed: Callable[..., Any],
) -> None:
    sailing = sail_speed(speed_behavior("updates = UP"), block="start_in_drive = false")
    sailing.step({"UP": "speed = 3"})
    sailing.step({"UP": "pwt = 7"})
    sailing.step()
    assert sailing.step({"MOOS_MANUAL_OVERRIDE": "false"})["DESIRED_SPEED"] == 3.0
    assert sailing.behavior("b").settings.pwt == 7.0


def test_update_for_another_name_is_ignored(sail_speed: Callable[..., Any]) -> None:
    one = speed_behavior("updates = UP\npwt = 200", 1.0, "one")
    two = speed_behavior("updates = UP", 2.0, "two")
    sailing = sail_speed(one, two)
    sailing.step({"UP": "name = two # speed = 3"})
    assert sailing.behavior("one").settings.speed == 1.0
    assert sailing.behavior("two").settings.speed == 3.0
    results = sailing.values("IVPHELM_UPDATE_RESULT")
    assert ["name_mismatch" in text for text in results] == [True, False]


@pytest.mark.parametrize(
    ("text", "result"), [("speed = 3", "duplicate"), ("speed = 3 # name = b # mod", "param_error")]
)
def test_repeated_update_is_applied_once_unless_it_contains_mod(
    text: str, result: str, sail_speed: Callable[..., Any]
) -> None:
    sailing = sail_speed(speed_behavior("updates = UP"))
    sailing.step({"UP": text})
    sailing.step({"UP": text})
    assert f"result={result}" in sailing.posted["IVPHELM_UPDATE_RESULT"]


def test_every_update_of_one_iteration_is_taken(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("updates = UP"))
    sailing.step()
    messages = [sailing.driven.message("UP", text, 1.25) for text in ("speed = 3", "pwt = 7")]
    sailing.driven.take(1.25, messages)
    settings = sailing.behavior("b").settings
    assert (settings.speed, settings.pwt) == (3.0, 7.0)


def test_update_may_not_post_undeclared_variables(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("updates = UP\nrunflag = KNOWN = 1"))
    sailing.step()
    found = sailing.step({"UP": "runxflag = NOVELTY = 1"})
    assert "posts NOVELTY, which no line of the behavior files declares" in found["BHV_WARNING"]
    assert sailing.step({"UP": "runxflag = KNOWN = 2"})["KNOWN"] == 2.0


def test_update_may_add_subscriptions(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("updates = UP"))
    sailing.step()
    assert "FRESH" not in sailing.driven.registered
    sailing.step({"UP": "condition = FRESH = true"})
    assert "FRESH" in sailing.driven.registered
    assert sailing.step({"FRESH": "true"})["DESIRED_SPEED"] == 2.0


@shows("nostarve")
def test_starving_behavior_stops_the_vessel(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("nostarve = FOOD, WATER, 1"))
    found = sailing.step({"WATER": 1.0})
    assert found["IVPHELM_ALLSTOP"] == "BehaviorError"
    assert found["DESIRED_SPEED"] == 0.0
    assert found["BHV_ERROR"] == "b: FOOD is never heard, nostarve allows 1 s"
    assert sailing.step({"FOOD": 1.0, "WATER": 1.0})["DESIRED_SPEED"] == 2.0
    sailing.steps(4)
    assert sailing.posted["IVPHELM_ALLSTOP"] == "clear"
    assert "FOOD is last heard 1.25 s ago" in sailing.step()["BHV_ERROR"]


@shows("post_mapping")
def test_posts_can_be_renamed_or_silenced(sail_speed: Callable[..., Any]) -> None:
    flags = "runflag = A = 1\nrunflag = B = 2\nrunflag = C = 3\n"
    sailing = sail_speed(speed_behavior(flags + "post_mapping = A, AA\npost_mapping = B, silent"))
    found = sailing.step()
    assert found["AA"] == 1.0
    assert found["C"] == 3.0
    assert "A" not in found
    assert "B" not in found
    assert {"AA", "C"} <= set(sailing.helm.publishes)
    assert not {"A", "B", "silent"} & set(sailing.helm.publishes)


@shows("build_info", "precision", "comms_policy")
@pytest.mark.parametrize(
    "line",
    [
        "build_info = uniform_piece=discrete@course:3,speed:3",
        "precision = 4",
        "comms_policy = open",
    ],
)
def test_some_moos_ivp_parameters_have_no_effect(line: str, sail_speed: Callable[..., Any]) -> None:
    runs = [sail_speed(speed_behavior(text)) for text in ("", line)]
    assert runs[0].step() == runs[1].step()


@shows("templating", "max_spawnings", "spawnflag", "spawnxflag")
@pytest.mark.parametrize(
    ("flag", "posted"),
    [
        ("spawnflag", ["a_n"]),
        ("spawn_flag", ["a_n"]),
        ("spawnxflag", ["a_", "a_n"]),
        ("spawnx_flag", ["a_", "a_n"]),
    ],
)
def test_spawnxflags_report_every_spawn_and_spawnflags_those_by_updates(
    flag: str, posted: list[str], sail_speed: Callable[..., Any]
) -> None:
    text = f"templating = clone\nmax_spawnings = 1\nupdates = U\n{flag} = BORN = $[BHVNAME]"
    sailing = sail_speed(speed_behavior(text, name="a_"))
    for mail in ({}, {}, {"U": "name = n"}, {}, {"U": "name = m"}):
        sailing.step(mail)
    assert [post.value for post in sailing.log if post.name == "BORN"] == posted


FLAGS = {
    "runflag": [3],
    "run_flag": [3],
    "runxflag": [3, 4, 5],
    "runx_flag": [3, 4, 5],
    "idleflag": [1, 6],
    "idle_flag": [1, 6],
    "activeflag": [3],
    "active_flag": [3],
    "inactiveflag": [1, 6],
    "inactive_flag": [1, 6],
    "configflag": [1],
    "config_flag": [1],
    "endflag": [5],
    "end_flag": [5],
}


@shows("runflag", "runxflag", "idleflag", "activeflag", "inactiveflag", "configflag", "endflag")
@pytest.mark.parametrize("flag", FLAGS)
def test_flag_is_posted_at_its_moment(flag: str, sail_speed: Callable[..., Any]) -> None:
    """Idle in iterations 1 and 2, running from 3, complete in 5, idle from 6."""
    parameters = f"condition = GO = true\nduration = 0.5\nperpetual = true\n{flag} = F = 1"
    sailing = sail_speed(speed_behavior(parameters))
    mail = {3: {"GO": "true"}, 6: {"GO": "false"}}
    posted = [n for n in range(1, 9) if "F" in sailing.step(mail.get(n))]
    assert posted == FLAGS[flag]


def test_configflag_is_posted_again_after_an_update(sail_speed: Callable[..., Any]) -> None:
    sailing = sail_speed(speed_behavior("updates = UP\nconfigflag = PWT = $[PWT]"))
    assert sailing.step()["PWT"] == 100.0
    assert "PWT" not in sailing.step()
    assert sailing.step({"UP": "pwt = 60"})["PWT"] == 60.0


def test_every_parameter_has_a_test() -> None:
    assert {one.name for one in fields(CommonSettings)} == shows.names
