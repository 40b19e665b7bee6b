"""The helm as a whole: states, all-stops, postings, restarts, and files it rejects."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steerageway.apps.helm import Helm, post_filter
from steerageway.apps.helm.post_filter import PostFilter
from steerageway.bus import ConfigError, Message
from steerageway.helm import behavior_set
from steerageway.helm.behaviors import BEHAVIORS, Behavior, BehaviorError
from steerageway.ivp import Peak, Variable, one_dimensional, peak

KEEP = "Behavior = BHV_ConstantSpeed\n{\nname = b\nspeed = 2\nduration = -1\n}\n"
WAYPOINT = "Behavior = BHV_Waypoint\n{\nname = w\nspeed = 1\npoints = 50,0 : 100,0\n}\n"
MEET = "Behavior = BHV_AvoidCollision\n{\nname = b\ncontact = Ben\n}\n"
SPEED_ONLY = ("speed:0:4:41",)


@pytest.mark.parametrize("name", ["MOOS_MANUAL_OVERRIDE", "MOOS_MANUAL_OVERIDE"])
def test_override_parks_and_releases_the_helm(name: str, sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, "start_in_drive = false", domain=SPEED_ONLY)
    found = sailing.step()
    assert found["IVPHELM_STATE"] == "PARK"
    assert sailing.posted["IVPHELM_ALLSTOP"] == "ManualOverride"
    assert sailing.posted["DESIRED_SPEED"] == 0.0
    found = sailing.step({name: "FALSE"})
    assert found["IVPHELM_STATE"] == "DRIVE"
    assert found["IVPHELM_ALLSTOP"] == "clear"
    assert found["DESIRED_SPEED"] == 2.0
    assert sailing.step({name: "true"})["IVPHELM_ALLSTOP"] == "ManualOverride"


def test_no_decision_before_navigation_is_known_and_a_second_has_passed(
    drive: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "test.bhv").write_text(KEEP)
    block = "behaviors = test.bhv\ndomain = speed:0:4:41\nstart_in_drive = true"
    nav = {"NAV_X": 0.0, "NAV_Y": 0.0, "NAV_HEADING": 0.0}
    helm = drive(Helm, block, name="pHelmIvP", folder=tmp_path)
    assert "DESIRED_SPEED" not in helm.tick(3.0, nav)
    assert helm.tick(3.25, {"NAV_SPEED": 0.0})["DESIRED_SPEED"] == 2.0
    helm = drive(Helm, block, name="pHelmIvP", folder=tmp_path)
    assert "DESIRED_SPEED" not in helm.tick(0.75, nav | {"NAV_SPEED": 0.0})
    assert helm.tick(1.0)["DESIRED_SPEED"] == 2.0


def test_depth_must_be_known_if_it_is_decided_about(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, domain=("speed:0:4:41", "depth:0:100:101:optional"))
    assert "DESIRED_SPEED" not in sailing.step()
    assert sailing.step(NAV_DEPTH=3.0)["DESIRED_SPEED"] == 2.0


def test_helm_yields_to_a_standby_helm_that_took_over(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, domain=SPEED_ONLY)
    sailing.step()
    taken_over = sailing.driven.message("IVPHELM_STATE", "DRIVE+", 1.25, source="pStandby")
    found = sailing.driven.take(1.25, [taken_over])
    assert found["IVPHELM_STATE"] == "DISABLED"
    assert found["IVPHELM_ALLSTOP"] == "DisabledByStandbyHelm"
    assert found["DESIRED_SPEED"] == 0.0
    assert not sailing.driven.tick(1.5, {"MOOS_MANUAL_OVERRIDE": "false"})


def iterate_standby(sailing: Any, time: float, state: str) -> dict[str, Any]:
    """Let a standby helm iterate when the other helm has posted a state."""
    messages = [sailing.driven.message(name, value, time) for name, value in sailing.nav.items()]
    other = sailing.driven.message("IVPHELM_STATE", state, time, source="pOther")
    found: dict[str, Any] = sailing.driven.take(time, [*messages, *([other] if state else [])])
    return found


@pytest.fixture
def standing_by(sail: Callable[..., Any]) -> Any:
    """Return a helm that takes over when the other is silent for more than 1 s."""
    return sail(WAYPOINT, "standby = 1")


def test_standby_helm_waits_without_limit_for_a_first_message(standing_by: Any) -> None:
    standing_by.steps(20)
    assert standing_by.posted["IVPHELM_STATE"] == "STANDBY"
    assert "DESIRED_SPEED" not in standing_by.posted
    assert "IVPHELM_ALLSTOP" not in standing_by.posted


def test_standby_helm_takes_over_when_the_other_is_silent(standing_by: Any) -> None:
    assert iterate_standby(standing_by, 1.0, "DRIVE")["IVPHELM_STATE"] == "STANDBY"
    assert iterate_standby(standing_by, 2.0, "")["IVPHELM_STATE"] == "STANDBY"
    found = iterate_standby(standing_by, 2.25, "")
    assert found["IVPHELM_STATE"] == "DRIVE+"
    assert found["DESIRED_SPEED"] == 1.0


def test_standby_helm_republishes_all_when_the_other_helm_is_received_after_all(
    standing_by: Any,
) -> None:
    iterate_standby(standing_by, 1.0, "DRIVE")
    iterate_standby(standing_by, 2.25, "")
    iterate_standby(standing_by, 4.0, "")
    quiet = iterate_standby(standing_by, 5.0, "")
    assert not {"VIEW_SEGLIST", "IVPHELM_ALLSTOP"} & set(quiet)
    found = iterate_standby(standing_by, 5.25, "PARK")
    assert found["IVPHELM_STATE"] == "DRIVE+"
    assert found["IVPHELM_ALLSTOP"] == "clear"
    assert "VIEW_SEGLIST" in found
    assert "ivpdomain=" in found["IVPHELM_SUMMARY"]
    assert "IVPHELM_ALLSTOP" not in iterate_standby(standing_by, 5.5, "DISABLED")


class Contact(Behavior):  # type: ignore[type-arg]
    """Prefers 3 m/s because of a contact; it can be disabled."""

    def run(self) -> Any:
        return peak(self.world.domain["speed"], Peak(3.0, 0.0, 0.5))

    def known_by(self) -> dict[str, str]:
        return {"contact": self.settings.name, "vsource": "radar"}

    def can_be_disabled(self) -> bool:
        return True

    def listens(self, settings: Any) -> list[str]:
        return ["NODE_REPORT"]


@pytest.fixture
def sail_two(sail: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a helm with b (which cannot be disabled) and the behaviors of two contacts."""
    monkeypatch.setitem(BEHAVIORS, "BHV_Contact", Contact)
    flags = "runflag = RUN = 1\nidleflag = IDLE = 1\ninactiveflag = INACTIVE = 1\nendflag = END = 1"
    text = "Behavior = BHV_Contact\n{{\nname = {}\n{}\n}}\n"
    sailing = sail(KEEP + text.format("ben", flags) + text.format("amy", ""), domain=SPEED_ONLY)
    sailing.step()
    return sailing


@pytest.mark.parametrize(
    ("keys", "disabled"),
    [
        ("contact=ben", "ben"),
        ("contact=BEN", "ben"),
        ("contact=eve", ""),
        ("vsource=radar", "ben,amy"),
        ("vsource=radar,contact=amy", "amy"),
        ("vsource=ais,contact=amy", ""),
        ("bhv_type=BHV_Contact", "ben,amy"),
        ("bhv_type=BHV_ConstantSpeed", ""),
        ("obstacle_id=ben", ""),
    ],
)
def test_filter_disables_the_behaviors_it_is_about(keys: str, disabled: str, sail_two: Any) -> None:
    sail_two.step({"BHV_ABLE_FILTER": f"action=disable,{keys}"})
    assert sail_two.posted["IVPHELM_BHV_DISABLED"] == disabled
    count = float(disabled.count(",") + 1 if disabled else 0)
    assert sail_two.posted["IVPHELM_BHV_DISABLED_CNT"] == count


def test_disabled_behavior_has_no_effect_until_it_is_enabled(sail_two: Any) -> None:
    found = sail_two.step({"BHV_ABLE_FILTER": "contact=ben,action=disable"})
    assert sail_two.behavior("ben").state == "disabled"
    assert (found["INACTIVE"], found["IVPHELM_IPF_CNT"]) == (1.0, 2.0)
    assert "IDLE" not in found
    assert "disabled_bhvs=ben$1.25$n/a" in found["IVPHELM_SUMMARY"]
    assert sail_two.step()["IVPHELM_IPF_CNT"] == 2.0
    found = sail_two.step({"BHV_ABLE_FILTER": "contact=ben,action=enable"})
    assert (found["RUN"], found["IVPHELM_IPF_CNT"]) == (1.0, 3.0)


def test_expunged_behavior_leaves_without_endflags(sail_two: Any) -> None:
    found = sail_two.step({"BHV_ABLE_FILTER": "action=expunge,contact=ben"})
    assert "bname=ben,btype=BHV_Contact,event=death" in found["IVPHELM_LIFE_EVENT"]
    assert "END" not in sail_two.posted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("contact=ben", "expected action= and one of disable, enable, able, expunge"),
        ("action=sink,contact=ben", "expected action= and one of"),
        ("action=disable", "expected one or more of contact=, obstacle_id="),
        ("action=disable,name=ben", "expected one or more of contact="),
        ("action=disable,contact=", "expected one or more of contact="),
    ],
)
def test_invalid_filter_gives_a_warning(text: str, expected: str, sail_two: Any) -> None:
    sail_two.step({"BHV_ABLE_FILTER": text})
    (warning,) = sail_two.helm.run_warnings
    assert warning.startswith(f"BHV_ABLE_FILTER = {text}: {expected}")
    assert sail_two.posted["IVPHELM_BHV_DISABLED"] == ""


def test_filters_that_disable_behaviors_to_come_are_limited(
    sail_two: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(behavior_set, "MOST_DISABLED", 10)
    for number in range(12):
        sail_two.step({"BHV_ABLE_FILTER": f"action=disable,contact=v{number}"})
    refused = list(sail_two.helm.run_warnings)
    assert [text.partition(": ")[0][-3:] for text in refused] == ["v10", "v11"]
    assert all(text.endswith("at most 10 different filters that disable") for text in refused)
    sail_two.step({"BHV_ABLE_FILTER": "action=disable,contact=v3"})  # not another one
    sail_two.step({"BHV_ABLE_FILTER": "action=able,contact=v4"})
    sail_two.step({"BHV_ABLE_FILTER": "action=disable,contact=v12"})
    assert list(sail_two.helm.run_warnings) == refused


def test_reports_of_others_become_variables_for_conditions(sail: Callable[..., Any]) -> None:
    text = KEEP.replace(
        "name = b", "name = b\ncondition = (BEN_NAV_X > 5) and (BEN_NAV_GROUP = red)"
    )
    sailing = sail(text, domain=SPEED_ONLY)
    assert {"NODE_REPORT", "AIS_REPORT", "AIS_REPORT_LOCAL"} <= set(sailing.driven.registered)
    report = "NAME=ben,X={},Y=2,SPD=1.5,HDG=90,DEP=3,TYPE=kayak,GROUP=red,TIME={}"
    sailing.step({"NODE_REPORT": report.format(4, 1)})
    assert sailing.behavior("b").state == "idle"
    sailing.step({"AIS_REPORT": report.format(6, 1.25)})
    assert sailing.behavior("b").state == "active"
    assert {name: value for name, value in sailing.helm._world.values.items() if "BEN" in name} == {
        "BEN_NAV_X": 6.0,
        "BEN_NAV_Y": 2.0,
        "BEN_NAV_SPEED": 1.5,
        "BEN_NAV_HEADING": 90.0,
        "BEN_NAV_DEPTH": 3.0,
        "BEN_NAV_UTC": 1.25,
        "BEN_NAV_TYPE": "kayak",
        "BEN_NAV_GROUP": "red",
    }


def test_reports_of_others_are_registered_only_when_needed(sail: Callable[..., Any]) -> None:
    assert "NODE_REPORT" not in sail(KEEP, domain=SPEED_ONLY).driven.registered


def test_contacts_are_reported_while_there_are_any(sail_two: Any) -> None:
    found = sail_two.step({"NODE_REPORT": "NAME=eve,X=9,Y=9,TIME=1.25"})
    assert found["IVPHELM_LEDGER_SUMMARY"] == "vname=eve,age=0"
    assert found["IVPHELM_CONTACT_SUMMARY"] == "ben,amy"
    assert sail_two.step()["IVPHELM_LEDGER_SUMMARY"] == "vname=eve,age=0.25"
    sail_two.steps(4 * 45)
    assert sail_two.posted["IVPHELM_LEDGER_SUMMARY"] == "none"
    assert "IVPHELM_LEDGER_SUMMARY" not in sail_two.step()


def test_invalid_report_gives_a_warning(sail: Callable[..., Any]) -> None:
    sailing = sail(MEET)
    sailing.step({"NODE_REPORT": "X=9,Y=9,TIME=1.25"})
    (warning,) = sailing.helm.run_warnings
    assert warning == "NODE_REPORT of pTest: node report: NAME=: expected a name"


def test_turn_rate_is_that_of_the_heading_in_the_shorter_direction(
    sail: Callable[..., Any],
) -> None:
    sailing = sail(KEEP, domain=SPEED_ONLY, NAV_HEADING=358.0)
    sailing.step()
    assert sailing.step(NAV_HEADING=3.0)["TURN_RATE"] == 20.0
    assert "TURN_RATE" not in sailing.step(NAV_HEADING=8.0)
    assert sailing.step(NAV_HEADING=6.0)["TURN_RATE"] == -8.0


class Greeter(Behavior):  # type: ignore[type-arg]
    """Asks others for something when the helm starts."""

    def on_helm_start(self) -> None:
        self.post("ASKED", self.settings.name)

    def publishes(self, settings: Any) -> Any:
        return ["ASKED"]


def test_behaviors_and_templates_post_once_when_the_helm_and_its_apps_are_there(
    sail: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BEHAVIORS, "BHV_Greeter", Greeter)
    text = "Behavior = BHV_Greeter\n{\nname = g\n}\n"
    template = text.replace("name = g", "name = t\nupdates = U\ntemplating = spawn")
    sailing = sail(text + template + KEEP, "hold_on_apps = pX", domain=SPEED_ONLY)
    assert "ASKED" not in sailing.posted
    sailing.step({"DB_CLIENTS": "pX"})
    sailing.steps(4)
    requested = [(post.value, post.aux) for post in sailing.log if post.name == "ASKED"]
    assert requested == [("g", "HELM_STARTUP_MSG"), ("t", "HELM_STARTUP_MSG")]


def test_first_empty_decision_is_let_pass(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP.replace("name", "condition = GO = true\nname"), domain=SPEED_ONLY)
    sailing.step({"GO": "true"})
    assert "IVPHELM_ALLSTOP" not in sailing.step({"GO": "false"})
    assert sailing.step({"GO": "true"})["DESIRED_SPEED"] == 2.0
    sailing.step({"GO": "false"})
    found = sailing.step()
    assert found["IVPHELM_ALLSTOP"] == "NothingToDo"
    assert found["DESIRED_SPEED"] == 0.0
    assert "IVPHELM_ALLSTOP" not in sailing.step()


def test_decision_without_a_mandatory_variable_stops_the_vessel(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP)
    sailing.step()
    found = sailing.step()
    assert found["IVPHELM_ALLSTOP"] == found["BHV_ERROR"] == "MissingDecVars:course"
    assert (found["DESIRED_SPEED"], found["DESIRED_HEADING"]) == (0.0, 0.0)


class Faulty(Behavior):  # type: ignore[type-arg]
    """Performs the configured ``fault``."""

    fault: Any = None

    def run(self) -> Any:
        return self.fault()


def refuse() -> None:
    raise BehaviorError("out of coffee")


def crash() -> None:
    raise ZeroDivisionError("division by zero")


def wish_nonsense() -> Any:
    return {"course": 90}


def infinite() -> Any:
    return one_dimensional(Variable("speed", 0, 4, 41), np.full(41, np.inf))


def unknown_variable() -> Any:
    return one_dimensional(Variable("pitch", 0, 1, 2), np.zeros(2))


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (refuse, "f: out of coffee"),
        (crash, "f: ZeroDivisionError: division by zero"),
        (
            wish_nonsense,
            "f: run gave {'course': 90}: expected an objective, as ivp.peak makes one, or None",
        ),
        (infinite, "f: its function holds infinity or NaN"),
        (unknown_variable, "f: decision variable pitch is not in the helm's domain"),
    ],
)
def test_faulty_behavior_stops_the_vessel_with_a_reason(
    fault: Any, text: str, sail: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BEHAVIORS, "BHV_Faulty", Faulty)
    monkeypatch.setattr(Faulty, "fault", staticmethod(fault))
    sailing = sail(KEEP + "Behavior = BHV_Faulty\n{\nname = f\n}\n", domain=SPEED_ONLY)
    found = sailing.step()
    assert found["IVPHELM_ALLSTOP"] == "BehaviorError"
    assert found["DESIRED_SPEED"] == 0.0
    error = found["BHV_ERROR"]
    assert re.fullmatch(re.escape(text) + r"( \(\w+\.py:\d+\))?", error)
    assert ("test_helm.py:" in error) is (fault in (crash, wish_nonsense))
    assert "halted=true" in found["IVPHELM_SUMMARY"]
    assert f"halt_msg=BHV_ERROR: {error}" in found["IVPHELM_SUMMARY"]
    assert sailing.helm.run_warnings == {f"BHV_ERROR: {error}": 1}


class Clumsy(Behavior):  # type: ignore[type-arg]
    """Fails at the place given by its name."""

    def fail(self, where: str) -> None:
        if where in self.settings.name:
            raise IndexError(f"of {where}")

    def on_helm_start(self) -> None:
        self.fail("start")

    def configured(self, fields: frozenset[str]) -> None:
        self.fail("configured")
        if fields == {"pwt"}:
            self.fail("update")

    def on_every_state(self) -> None:
        if "post" in self.settings.name:
            self.post("SAID", [1, 2])  # type: ignore[arg-type]

    def own_macros(self) -> Any:
        return {"BAD": lambda: self.fail("macro") or ""}

    def publishes(self, settings: Any) -> Any:
        return ["SAID"]


CLUMSY = "Behavior = BHV_Clumsy\n{\nname = c\nupdates = U\n}\n"


@pytest.mark.parametrize(
    ("name", "line", "text"),
    [
        ("post", "", "post: TypeError: SAID = [1, 2]: a list cannot be posted"),
        ("macro", "runflag = M = $[BAD]\n", "macro: IndexError: of macro"),
    ],
)
def test_clumsy_behavior_stops_the_vessel(
    name: str, line: str, text: str, sail: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BEHAVIORS, "BHV_Clumsy", Clumsy)
    behavior = CLUMSY.replace("name = c\n", f"name = {name}\n{line}")
    found = sail(KEEP + behavior, domain=SPEED_ONLY).step()
    assert found["BHV_ERROR"].startswith(text)
    assert found["IVPHELM_ALLSTOP"] == "BehaviorError"


def test_behavior_that_fails_to_apply_an_update_keeps_its_settings(
    sail: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BEHAVIORS, "BHV_Clumsy", Clumsy)
    sailing = sail(KEEP + CLUMSY.replace("= c", "= update"), domain=SPEED_ONLY)
    found = sailing.step({"U": "pwt = 7"})
    expected = "update: update 'pwt = 7' refused: the behavior fails: IndexError: of update"
    assert found["BHV_WARNING"] == expected
    assert sailing.behavior("update").settings.pwt == 100.0
    assert found["DESIRED_SPEED"] == 2.0


def test_flag_that_fails_after_an_update_or_spawn_stops_only_its_behavior(
    sail: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BEHAVIORS, "BHV_Clumsy", Clumsy)
    flags = "name = macro\nconfigflag = M = $[BAD] if (GO = 1)\nspawnflag = M = $[BAD]"
    text = CLUMSY.replace("name = c", f"{flags}\ntemplating = clone")
    sailing = sail(KEEP + text, domain=SPEED_ONLY)
    found = sailing.step({"GO": 1.0, "U": "pwt = 7"})
    assert "the behavior fails: IndexError: of macro" in found["BHV_WARNING"]
    assert sailing.behavior("macro").settings.pwt == 100.0
    found = sailing.step({"GO": 0.0, "U": "name = two"})
    assert found["BHV_ERROR"].startswith("macrotwo: IndexError: of macro (test_helm.py:")


def test_behavior_that_fails_at_the_start_warns(
    sail: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BEHAVIORS, "BHV_Clumsy", Clumsy)
    sailing = sail(KEEP + CLUMSY.replace("= c", "= start"), domain=SPEED_ONLY)
    assert sailing.posted["BHV_WARNING"] == "start: at the helm's start: IndexError: of start"


def test_behavior_that_cannot_be_made_is_an_error_of_its_block(
    sail: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BEHAVIORS, "BHV_Clumsy", Clumsy)
    with pytest.raises(ConfigError, match="BHV_Clumsy: the behavior fails: IndexError: of conf"):
        sail(CLUMSY.replace("= c", "= configured"))
    spawning = CLUMSY.replace("updates", "templating = spawn\nupdates")
    sailing = sail(KEEP + spawning, domain=SPEED_ONLY)
    found = sailing.step({"U": "name=configured"})
    assert "the behavior fails: IndexError" in found["IVPHELM_BHVSET_WARNING"]
    assert found["DESIRED_SPEED"] == 2.0


def test_every_invalid_line_of_all_behaviors_is_reported(sail: Callable[..., Any]) -> None:
    text = KEEP.replace("speed = 2", "sped = 2\npwt = -1") + WAYPOINT.replace("speed = 1", "lead=x")
    with pytest.raises(ConfigError) as raised:
        sail(text + "Behavior = BHV_Nought\n{\nname = n\n}\n")
    places = [line.partition(" ")[0] for line in str(raised.value).splitlines()]
    assert places == ["test.bhv:4:", "test.bhv:5:", "test.bhv:11:", "test.bhv:14:"]


def test_initial_values_are_posted_and_known_at_once(sail: Callable[..., Any]) -> None:
    text = "initialize GO = true, N = 3\n" + KEEP.replace("name", "condition = GO = true\nname")
    sailing = sail(text, domain=SPEED_ONLY, wait=0.0)
    initial = {(p.name, p.value, p.aux) for p in sailing.posts if p.name in ("GO", "N")}
    assert initial == {("GO", "true", "HELM_VAR_INIT"), ("N", 3.0, "HELM_VAR_INIT")}
    sailing.steps(4)
    assert sailing.posted["DESIRED_SPEED"] == 2.0


def test_deferred_initial_value_gives_way_to_one_that_was_posted(
    sail: Callable[..., Any],
) -> None:
    text = "initialize_ A = 1\ninitialize_ B = 2\n" + KEEP
    sailing = sail(text, domain=SPEED_ONLY, wait=0.0)
    assert "A" not in sailing.posted
    sailing.step()
    assert "B" not in sailing.posted
    sailing.step({"A": 5.0})
    assert sailing.posted["B"] == 2.0


def test_own_initial_value_does_not_undo_another_apps(sail: Callable[..., Any]) -> None:
    sailing = sail("initialize A = 1\n" + WAYPOINT.replace("name", "condition = A = 2\nname"))
    own = Message("A", 1.0, 0.0, "pHelmIvP", "HELM_VAR_INIT")
    sailing.driven.take(1.0, [sailing.driven.message("A", 2.0, 1.0), own])
    assert sailing.helm._world.values["A"] == 2.0


MODES = """
set MODE = ACTIVE {
  DEPLOY = true
} INACTIVE
set MODE = FAST {
  MODE = ACTIVE
  HURRY = true
} SLOW
"""


def test_modes_switch_behaviors_and_are_posted_when_they_change(
    sail: Callable[..., Any],
) -> None:
    slow = KEEP.replace("name = b", "name = slow\ncondition = MODE == SLOW").replace("2", "1")
    fast = KEEP.replace("name = b", "name = fast\ncondition = MODE == ACTIVE:FAST")
    sailing = sail(MODES + slow + fast, domain=SPEED_ONLY)
    modes = "MODE#---,ACTIVE#---,INACTIVE#ACTIVE,FAST#ACTIVE,SLOW"
    assert sailing.posted["IVPHELM_MODESET"] == modes
    assert sailing.step()["MODE"] == "INACTIVE"
    found = sailing.step({"DEPLOY": "true"})
    assert (found["MODE"], found["DESIRED_SPEED"]) == ("ACTIVE:SLOW", 1.0)
    assert [post.aux for post in sailing.posts if post.name == "MODE"] == ["HELM_MODE"]
    assert "modes=MODE@ACTIVE:SLOW" in found["IVPHELM_SUMMARY"]
    assert "MODE" not in sailing.step()
    found = sailing.step({"HURRY": "true"})
    assert (found["MODE"], found["DESIRED_SPEED"]) == ("ACTIVE:FAST", 2.0)
    assert {"DEPLOY", "HURRY"} <= set(sailing.driven.registered)


def test_mode_changes_with_time_alone_if_its_condition_is_on_a_delta(
    sail: Callable[..., Any],
) -> None:
    modes = "set MODE = NEWS {\n SEEN_DELTA < 1\n} OLD\n"
    sailing = sail(modes + KEEP.replace("name = b", "name = b\ncondition = MODE = NEWS"))
    sailing.step({"SEEN": sailing.helm.utc})
    assert sailing.posted["MODE"] == "NEWS"
    sailing.steps(5)
    assert sailing.posted["MODE"] == "OLD"


def test_mode_posted_by_another_app_is_replaced_by_that_of_the_rules(
    sail: Callable[..., Any],
) -> None:
    text = MODES + KEEP.replace("name = b", "name = b\ncondition = MODE = INACTIVE")
    sailing = sail(text, domain=SPEED_ONLY)
    sailing.step()
    sailing.step({"MODE": "ACTIVE"})
    assert sailing.behavior("b").state == "active"


EVERY_ITERATION = {
    "IVPHELM_STATE",
    "IVPHELM_CPU",
    "IVPHELM_ITER",
    "IVPHELM_SUMMARY",
    "IVPHELM_IPF_CNT",
    "IVPHELM_TOTAL_PCS_FORMED",
    "IVPHELM_TOTAL_PCS_CACHED",
    "IVPHELM_CREATE_CPU",
    "IVPHELM_LOOP_CPU",
}


def test_each_iteration_gives_an_account(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, domain=SPEED_ONLY)
    sailing.step()
    assert set(sailing.step()) == EVERY_ITERATION | {"DESIRED_SPEED"}


def test_behavior_lists_are_posted_when_they_change(sail: Callable[..., Any]) -> None:
    idle = KEEP.replace("name = b", "name = i\ncondition = GO = true")
    sailing = sail(KEEP + idle, domain=SPEED_ONLY)
    found = sailing.step()
    assert (found["IVPHELM_BHV_ACTIVE"], found["IVPHELM_BHV_IDLE"]) == ("b", "i")
    assert (found["IVPHELM_BHV_CNT"], found["IVPHELM_BHV_CNT_EVER"]) == (2.0, 2.0)
    assert found["IVPHELM_STATEVARS"] == "GO"
    found = sailing.step({"GO": "true"})
    assert (found["IVPHELM_BHV_ACTIVE"], found["IVPHELM_BHV_ACTIVE_CNT"]) == ("b,i", 2.0)
    assert (found["IVPHELM_BHV_IDLE"], found["IVPHELM_BHV_IDLE_CNT"]) == ("", 0.0)
    assert "IVPHELM_BHV_CNT" not in found


def test_spawning_and_completion_are_reported(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP.replace("-1", "0.5"), domain=SPEED_ONLY)
    assert sailing.step()["IVPHELM_LIFE_EVENT"] == (
        "time=0.00,bname=b,btype=BHV_ConstantSpeed,event=spawn,seed=helm_startup,iter=0"
    )
    sailing.step()
    found = sailing.step()
    assert found["IVPHELM_LIFE_EVENT"] == (
        "time=1.50,bname=b,btype=BHV_ConstantSpeed,event=death,seed=,iter=3"
    )
    assert found["IVPHELM_COMPLETED_PENDING"] == "true"
    assert found["IVPHELM_COMPLETED_COUNT"] == 1.0
    found = sailing.step()
    assert found["IVPHELM_BHV_CNT"] == 0.0
    assert "completed_bhvs=b$1.50$n/a" in found["IVPHELM_SUMMARY"]


def test_summary_is_full_at_first_and_then_contains_changes(sail: Callable[..., Any]) -> None:
    sailing = sail(WAYPOINT)
    full = (
        "iter=1,utc_time=1.00,ofnum=1,total_pcs_formed=401,total_pcs_cached=0,warnings=0,"
        "solve_time=0.00,create_time=0.00,max_create_time=0.00,max_solve_time=0.00,"
        "max_loop_time=0.00,loop_time=0.00,var=course:90,var=speed:1,halted=false,"
        "active_goal=true,modes=none,running_bhvs=none,"
        "active_bhvs=w$1.00$100.00000$401$0.00000$n/a$1$$,idle_bhvs=none,disabled_bhvs=none,"
        'completed_bhvs=none,ivpdomain="course,0,359,360:speed,0,4,41",halt_msg=none'
    )
    assert sailing.step()["IVPHELM_SUMMARY"] == full
    assert sailing.step()["IVPHELM_SUMMARY"] == "iter=2,utc_time=1.25,total_pcs_formed=802"
    found = sailing.step(NAV_X=25.0, NAV_Y=25.0)["IVPHELM_SUMMARY"]
    assert found == "iter=3,utc_time=1.50,total_pcs_formed=1203,var=course:135,var=speed:1"
    again = sailing.step({"IVPHELM_REJOURNAL": "true"})["IVPHELM_SUMMARY"]
    expected = full.replace("iter=1,utc_time=1.00", "iter=4,utc_time=1.75")
    assert again == expected.replace("=401,", "=1604,").replace("course:90", "course:135")


def test_posts_that_do_not_change_are_left_out_until_a_refresh(sail: Callable[..., Any]) -> None:
    sailing = sail(WAYPOINT)
    assert "VIEW_SEGLIST" in sailing.step()
    sailing.steps(8)
    assert "VIEW_SEGLIST" not in sailing.step()
    assert "VIEW_SEGLIST" in sailing.step({"HELM_MAP_CLEAR": 1.0})
    assert "VIEW_SEGLIST" not in sailing.step({"HELM_MAP_CLEAR": 2.0})
    assert "VIEW_SEGLIST" in [post.name for post in sailing.steps(8)]


def test_the_first_of_many_remembered_posts_is_forgotten(
    sail: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post_filter, "MOST_SENT", 10)
    sailing = sail(KEEP, domain=SPEED_ONLY)
    behavior, released = sailing.behavior("b"), []
    monkeypatch.setattr(sailing.helm, "post", lambda name, value, **_: released.append(value))
    posts = PostFilter(sailing.helm)
    for number in (*range(11), 10, 1, 0):
        behavior.post("V", f"x={number}", key=str(number))
        posts.release(behavior)
    assert released == [f"x={number}" for number in (*range(11), 0)]


def test_two_behaviors_posts_do_not_hide_each_other(sail: Callable[..., Any]) -> None:
    twins = [
        KEEP.replace("name = b", f"name = {name}\nspeed_mismatch_var = M") for name in ("a", "b")
    ]
    sailing = sail("".join(twins), domain=SPEED_ONLY)
    sailing.step()
    assert sailing.values("M") == [2.0, 2.0]


def test_posts_of_behaviors_carry_iteration_and_name(sail: Callable[..., Any]) -> None:
    sailing = sail(WAYPOINT)
    sailing.step()
    assert {p.aux for p in sailing.posts if p.name.startswith(("WPT", "VIEW"))} == {"1:w"}
    sailing.step(NAV_X=10.0)
    assert {p.aux for p in sailing.posts if p.name == "WPT_STAT"} == {"2:w"}


def test_own_posts_are_known_in_the_next_iteration(sail: Callable[..., Any]) -> None:
    first = KEEP.replace("name = b", "name = a\nrunflag = GO = true")
    second = KEEP.replace("name = b", "name = c\ncondition = GO = true")
    sailing = sail(first + second, domain=SPEED_ONLY)
    assert sailing.step()["IVPHELM_BHV_ACTIVE"] == "a"
    assert sailing.step()["IVPHELM_BHV_ACTIVE"] == "a,c"


def test_helm_declares_exactly_what_its_files_may_post(sail: Callable[..., Any]) -> None:
    text = "initialize I = 1\nset MODE = A { I = 1 } B\n" + KEEP.replace(
        "name = b", "name = b\nendflag = E = 1\nduration_status = D\nrunflag = #all R = 1"
    )
    publishes = set(sail(text, domain=SPEED_ONLY).helm.publishes)
    assert {"I", "MODE", "E", "D", "NODE_MESSAGE_LOCAL", "DESIRED_SPEED"} <= publishes
    assert not {"R", "DESIRED_HEADING", "WPT_STAT"} & publishes
    assert not any("*" in name for name in publishes)


def test_same_mail_gives_the_same_posts(sail: Callable[..., Any]) -> None:
    text = WAYPOINT.replace("name", "runxflag = H = $[HASH]\nname")
    runs = []
    for _ in range(2):
        sailing = sail(text)
        for x in range(0, 60, 4):
            sailing.step(NAV_X=float(x), NAV_Y=x * 0.1)
        runs.append(sailing.log)
    assert runs[0] == runs[1]


def test_restart_reads_the_files_again(sail: Callable[..., Any], tmp_path: Path) -> None:
    sailing = sail("initialize A = 1\n" + KEEP, domain=SPEED_ONLY)
    sailing.step()
    (tmp_path / "test.bhv").write_text("initialize A = 1\n" + KEEP.replace("2", "3"))
    found = sailing.step({"RESTART_HELM": "type1"})
    assert found["IVPHELM_RESTARTED"] == "true"
    assert found["DESIRED_SPEED"] == 3.0
    assert "A" not in found
    assert sailing.step({"RESTART_HELM": "type2"})["A"] == 1.0
    assert "IVPHELM_RESTARTED" not in sailing.step({"RESTART_HELM": "type3"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (KEEP.replace("speed = 2", "speed = fast"), "test.bhv:4: speed = fast: expected a number"),
        (KEEP.replace("name", "endflag = NEW = 1\nname"), "NEW: expected only variables that were"),
    ],
)
def test_restart_with_invalid_files_leaves_the_helm_malconfigured(
    text: str, expected: str, sail: Callable[..., Any], tmp_path: Path
) -> None:
    sailing = sail(KEEP, domain=SPEED_ONLY)
    sailing.step()
    (tmp_path / "test.bhv").write_text(text)
    found = sailing.step({"RESTART_HELM": "type1"})
    assert found["IVPHELM_STATE"] == "MALCONFIG"
    assert expected in found["IVPHELM_BHVSET_WARNING"]
    assert "DESIRED_SPEED" not in found
    (tmp_path / "test.bhv").write_text(KEEP)
    assert sailing.step({"RESTART_HELM": "type1"})["IVPHELM_STATE"] == "DRIVE"


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        (
            "Behavior = BHV_Waypont\n{\nname = w\n}",
            "test.bhv:1",
            "Behavior = BHV_Waypont: no such behavior; the nearest is BHV_Waypoint; "
            "--config pHelmIvP.behavior_path=FILE.py adds one of your own",
        ),
        (
            "Behavior = BHV_loitr\n{\nname = w\n}",
            "test.bhv:1",
            "Behavior = BHV_loitr: no such behavior; the nearest is BHV_Loiter",
        ),
        (
            "Behavior = BHV_Quixotic\n{\nname = w\n}",
            "test.bhv:1",
            "Behavior = BHV_Quixotic: no such behavior; there are BHV_",
        ),
        (
            "Behavior = BHV_Waypoint\n{\nname = w\n\ncapture_radios = 5\n}",
            "test.bhv:5",
            "capture_radios = 5: unknown key; did you mean capture_radius? "
            "(behavior w, BHV_Waypoint)",
        ),
        (
            "Behavior = BHV_Waypoint\n{\nspeed = fast\n}",
            "test.bhv:3",
            "speed = fast: expected a number at least 0 (behavior bhv_waypoint, BHV_Waypoint)",
        ),
        (
            WAYPOINT + KEEP.replace("name = b", "name = w"),
            "test.bhv:7",
            "name = w: expected a name of its own: it is also that of test.bhv:1",
        ),
        (
            "Behavior = BHV_Waypoint\n{\nname = w\npoints = 1,1:2,2\ncurrix = 2\n}",
            "test.bhv:5",
            "currix = 2: expected an index below the number of points: 2",
        ),
        (
            "Behavior = BHV_Waypoint\n{\nname = w\ncondition = A & B\n}",
            "test.bhv:4",
            "condition = A & B: column 3: expected one of =",
        ),
        ("Behaviour = BHV_Waypoint", "test.bhv:1", "expected initialize VAR = value"),
    ],
)
def test_wrong_behavior_file_is_an_error_before_anything_starts(
    text: str, where: str, expected: str, sail: Callable[..., Any]
) -> None:
    with pytest.raises(ConfigError) as raised:
        sail(text)
    assert raised.value.where == where
    assert expected in str(raised.value)


def test_behavior_fails_when_it_runs_if_the_domain_lacks_its_variable(
    sail: Callable[..., Any],
) -> None:
    # as BHV_ConstantDepth::onRunState of MOOS-IvP, which posts an error and no function
    depth = "Behavior = BHV_ConstantDepth\n{\ndepth = 3\nduration = 100\ncondition = DIVE = 1\n}"
    sailing = sail(KEEP + depth, domain=SPEED_ONLY)
    why = "expected depth among the helm's domain lines; there are speed"
    warning = f"test.bhv:7: Behavior = BHV_ConstantDepth: {why}; it fails when it runs"
    assert [str(one) for one in sailing.helm.config_warnings] == [warning]
    sailing.step()
    assert sailing.posted["IVPHELM_ALLSTOP"] == "clear"
    sailing.step({"DIVE": 1.0})
    assert sailing.posted["IVPHELM_ALLSTOP"] == "BehaviorError"
    assert why in str(sailing.posted["BHV_ERROR"])
    sailing.step({"DIVE": 0.0})
    assert sailing.posted["IVPHELM_ALLSTOP"] == "clear"


def test_misspelt_variable_of_the_domain_is_an_error(sail: Callable[..., Any]) -> None:
    misspelt = ("course:0:359:360", "sped:0:4:41")
    with pytest.raises(ConfigError, match=r"expected speed among .* lines; the nearest is sped$"):
        sail(WAYPOINT, domain=misspelt)


def test_behaviors_without_a_name_are_called_by_their_type(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP.replace("name = b\n", ""), domain=SPEED_ONLY)
    assert sailing.step()["IVPHELM_BHV_ACTIVE"] == "bhv_constantspeed"


@pytest.mark.slow
@pytest.mark.parametrize("file", ["tests/reference/s1_alpha/alpha.bhv", "missions/alpha/alpha.bhv"])
def test_file_of_a_mission_is_read_unchanged(file: str, sail: Callable[..., Any]) -> None:
    text = (Path(__file__).parents[2] / file).read_text()
    sailing = sail(text, NAV_Y=-20.0)
    sailing.step({"DEPLOY": "true", "RETURN": "false"})
    assert not sailing.helm.run_warnings
    assert sailing.behavior(sailing.posted["IVPHELM_BHV_ACTIVE"]).kind == "BHV_Waypoint"


DIVE = """
Behavior = BHV_MaxDepth
{
name = floor
pwt = 200
max_depth = 7
basewidth = 0
}
Behavior = BHV_ConstantDepth
{
name = deep
depth = 30
peakwidth = 2
basewidth = 5
duration = no-time-limit
condition = DIVE = true
}
"""


def test_depth_is_the_upper_end_of_the_flat_piece_whatever_it_was(sail: Callable[..., Any]) -> None:
    first = "Behavior = BHV_ConstantDepth\n{\nname = a\ndepth = 3\nduration = 1\n}\n"
    sailing = sail(f"{first}{DIVE}", domain=("depth:0:100:101",), NAV_DEPTH=0.0)
    assert sailing.step()["DESIRED_DEPTH"] == 3.0
    sailing.steps(8)
    assert sailing.posted["IVPHELM_BHV_ACTIVE"] == "floor"
    assert sailing.posted["DESIRED_DEPTH"] == 7.0


def test_busy_helm_is_silent_and_decides_late(sail: Callable[..., Any]) -> None:
    burn = "Behavior = BHV_TestFailure\n{\nname = f\ncondition = B = 1\nfailure_type = burn,2\n}\n"
    sailing = sail(KEEP + burn, domain=SPEED_ONLY)
    sailing.steps(4)
    began = sailing.step({"B": 1.0})
    assert began["IVPHELM_STATE"] == "DRIVE"
    assert "DESIRED_SPEED" not in began
    assert sailing.steps(7) == []
    ended = sailing.step({"B": 0.0})
    assert ended["DESIRED_SPEED"] == 2.0
    assert ended["IVPHELM_STATE"] == "DRIVE"
    assert sailing.step()["DESIRED_SPEED"] == 2.0
