"""Reading of a mission's pMarineViewer block."""

from __future__ import annotations

from pathlib import Path

from steerageway.moos.lines import split_line
from steerageway.moos.mission import read_mission
from steerageway.web.viewer.block import macros_at, read_block

REFERENCE = Path(__file__).parents[2] / "reference" / "s1_alpha" / "alpha.moos"


def block(*lines: str):
    """Read the lines of a block."""
    return read_block("abe", [split_line(text, f"a.moos:{n}") for n, text in enumerate(lines, 1)])


def test_the_alpha_of_moos_ivp_has_its_buttons_actions_contexts_and_scopes():
    mission = read_mission(REFERENCE)
    found = mission.block("pMarineViewer")
    assert found is not None
    shown = read_block("alpha", found.lines).shown()
    assert [one["label"] for one in shown["buttons"]] == ["DEPLOY", "RETURN", "SLOWER", "FASTER"]
    deploy, back, slower, _ = shown["buttons"]
    assert deploy["posts"] == ["DEPLOY = true", "MOOS_MANUAL_OVERRIDE = false", "RETURN = false"]
    assert back["posts"] == ["RETURN = true"]
    assert slower["posts"] == ["WPT_UPDATE = speed=1.5"]
    assert shown["contexts"] == {"left": [], "right": ["return"]}
    assert shown["scopes"][:3] == ["SUMMARY", "RETURN", "WPT_STAT"]
    assert shown["actions"][0]["label"] == "deploy"
    assert shown["trouble"] == []


def test_numbers_are_numbers_and_quoted_values_are_text():
    (choice,) = block('button_1 = GO # A=12 # B="12" # C=go # D=$[UTC]').buttons.values()
    assert choice.values({"UTC": "7.5"}) == [("A", 12.0), ("B", "12"), ("C", "go"), ("D", 7.5)]


def test_a_button_may_have_a_colour_and_more_lines():
    found = block("button_one = GO # A=1 # color=Light_Green", "button_one = B=2")
    (choice,) = found.buttons.values()
    assert (choice.label, choice.color) == ("GO", "lightgreen")
    assert choice.posts == [("A", "1"), ("B", "2")]


def test_macros_of_a_click_are_filled_in():
    found = block("left_context[go] = STATION = x=$(XPOS),y=$(YPOS),v=$(VNAME_CLOSEST)")
    macros = macros_at(3.14159, -2.0, (59.9, 10.7), "", "ben", 1e9)
    assert found.contexts["left", "go"].values(macros) == [("STATION", "x=3.1,y=-2.0,v=ben")]


def test_an_action_without_a_menu_key_is_known_by_its_first_post():
    found = block("action = DEPLOY=true # RETURN=false", "action+ = MENU_KEY=b # C=1")
    assert [one.label for one in found.actions] == ["DEPLOY=true", "b"]


def test_lines_that_cannot_be_used_are_named_and_the_others_are_used():
    found = block(
        "button_99 = X # A=1",
        "button_two = A=1",
        "button_three = Y # B",
        "right_context[r] = nonsense",
        "watch_cluster = nothing",
        "button_one = GO # A=1",
        "set_pan_x = -90",
    )
    places = [problem.split(": ")[0] for problem in found.trouble]
    assert places == [f"a.moos:{n}" for n in range(1, 6)]
    assert all("expected" in problem for problem in found.trouble)
    assert found.buttons[0].label == "GO"


def test_clusters_are_keys_with_variables():
    found = block("watch_cluster = key=helm,vars=DEPLOY:RETURN", "scope = A, B")
    assert found.clusters == {"helm": ["DEPLOY", "RETURN"]}
    assert found.scopes == ["A", "B"]
