"""Warnings of lines that MOOS-IvP's present helm refuses, and of those that others replace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.refusals import _NAMES, _OF_ALL, PERMIT, alike_names
from steerageway.helm.settings import declarations
from steerageway.moos.bhv import parse_behaviors

OBSTACLE = "poly = 90,0:90,9:99,9\n"
LEGS = "p1 = 0,0\np2 = 90,0\nturn_rad = 10\n"


@pytest.mark.parametrize(
    ("kind", "lines", "expected"),
    [
        # MOOS-IvP's own s1_alpha_obsavoid, x1_legs and m2_berta_obstacles
        ("BHV_AvoidObstacleV21", OBSTACLE, "test.bhv:1: MOOS-IvP's helm refuses"),
        ("BHV_AvoidObstacleV21", f"{OBSTACLE}{PERMIT} = true", ""),
        ("BHV_LegRun", f"{LEGS}mid_pct = 10", "test.bhv:7: mid_pct = 10: MOOS-IvP's helm knows no"),
        ("BHV_LegRun", f"{LEGS}mid_leg_pct = 10", ""),
        ("BHV_AvoidObstacleV24", f"{OBSTACLE}buffer_dist = 3", "test.bhv:5: buffer_dist = 3: "),
        ("BHV_AvoidObstacleV24", OBSTACLE, ""),
        # harnesses of cbenjamin23/moos-ivp-cicd-testing, in which MOOS-IvP's helm is MALCONFIG
        ("BHV_AvoidObstacleV24", f"{OBSTACLE}pwt_grade = linear", "test.bhv:5: pwt_grade = linear"),
        (
            "BHV_AvoidObstacleV24",
            f"{OBSTACLE}pwt_outer_dist = 28\ncompleted_dist = 20",
            "test.bhv:6: completed_dist = 20: MOOS-IvP's helm refuses this, and does not start: "
            "expected pwt_outer_dist <= completed_dist",
        ),
        ("BHV_AvoidObstacleV24", f"{OBSTACLE}completed_dist = 20", ""),
        (
            "BHV_PeriodicSurface",
            "ascent_speed = -1",
            "test.bhv:4: ascent_speed = -1: MOOS-IvP's helm refuses this",
        ),
        ("BHV_PeriodicSurface", "ascent_speed = current", ""),
    ],
)
def test_a_line_that_moos_ivp_refuses_gives_a_warning(
    kind: str, lines: str, expected: str, behave: Callable[..., Any]
) -> None:
    found = [text for text in behave(kind, lines).helm.config_warnings if "MOOS-IvP" in text]
    assert len(found) == bool(expected)
    assert not found or found[0].startswith(expected)


@pytest.mark.parametrize(
    ("names", "refused"),
    [
        # which of two ConstantSpeed blocks of these names MOOS-IvP's pHelmIvP takes: its cerr says
        # "Duplicate behavior name found: pspd", and its state is MALCONFIG
        (("ps", "pspd"), True),
        (("pspd", "ps"), True),
        (("ps1", "ps2"), False),
    ],
)
def test_names_that_begin_alike_give_a_warning(names: tuple[str, str], refused: bool) -> None:
    block = "Behavior = BHV_ConstantSpeed\n{{\nname = {}\n}}\n"
    text = "".join(map(block.format, names))
    found = [str(one) for one in alike_names(parse_behaviors(text, "test.bhv").behaviors)]
    refusal = "MOOS-IvP's helm refuses this, and does not start"
    alike = f"{names[0]} of test.bhv:3 and it begin alike"
    assert found == [f"test.bhv:7: name = {names[1]}: {refusal}: {alike}"] * refused


def test_a_line_that_a_later_one_replaces_gives_a_warning(behave: Callable[..., Any]) -> None:
    lines = "speed = 3\nspeed = 2\ncondition = A = 1\ncondition = B = 1\npriority = 9\npwt = 9"
    found = behave("BHV_ConstantSpeed", lines).helm.config_warnings
    (warning,) = [text for text in found if "not used" in text]
    assert warning == "test.bhv:4: speed = 3: not used; test.bhv:5 counts: speed = 2"


def test_every_name_that_gives_this_warning_is_one_that_is_taken_here() -> None:
    for kind, names in _NAMES.items():
        known = declarations(BEHAVIORS[kind].settings_class)
        assert {*names, *_OF_ALL} <= known.keys(), kind
