"""``BHV_ConstantHeading``, ``BHV_MaintainHeading``, ``BHV_ConstantDepth``: each parameter."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from alone import DEEP, Alone, shows, untested_parameters

from steerageway.helm.geometry import angle_between, turn

Make = Callable[..., Alone]
ALWAYS = "duration = no-time-limit\n"
HEADING, DEPTH = "BHV_ConstantHeading", "BHV_ConstantDepth"


@pytest.mark.parametrize(
    ("start", "end", "angle"), [(350, 10, 20), (10, 350, -20), (0, 180, 180), (90, 90, 0)]
)
def test_turns_take_the_shorter_way(start: float, end: float, angle: float) -> None:
    assert turn(start, end) == angle
    assert angle_between(start, end) == abs(angle)


@shows(HEADING, "heading")
@pytest.mark.parametrize(("heading", "kept"), [(217, 217), (359.8, 0), (-90, 270), (44.4, 44)])
def test_course_is_kept_on_the_domains_grid(heading: float, kept: float, alone: Make) -> None:
    one = alone(HEADING, f"{ALWAYS}heading = {heading}")
    one.step()
    assert one.decide()["course"] == kept
    assert one.utility(course=kept) == 100


@shows(HEADING, "peakwidth", "basewidth", "summitdelta")
def test_other_courses_have_less_utility(alone: Make) -> None:
    one = alone(HEADING, f"{ALWAYS}heading = 0")
    one.step()
    assert [one.utility(course=c) for c in (5, 10, 95, 180, 350)] == [87.5, 75, 37.5, 0, 75]
    text = f"{ALWAYS}heading = 0\npeakwidth = 20\nbasewidth = 40\nsummitdelta = 60"
    one = alone(HEADING, text)
    one.step()
    assert [one.utility(course=c) for c in (340, 320, 61)] == [40, 20, 0]


@shows(HEADING, "complete_thresh")
def test_it_completes_near_the_course_if_requested(alone: Make) -> None:
    text = f"{ALWAYS}heading = 10\nendflag = DONE = true\n"
    assert "DONE" not in alone(HEADING, text, NAV_HEADING=10.0).step()
    one = alone(HEADING, text + "complete_thresh = 15", NAV_HEADING=354.0)
    one.step()
    assert "DONE" not in one.posted
    one.step(NAV_HEADING=355.0)
    assert one.posted["DONE"] == "true"
    assert one.objective is None


@shows(HEADING, "heading_mismatch_var")
def test_distance_from_the_course_is_posted_on_request(alone: Make) -> None:
    text = f"{ALWAYS}heading = 10\nheading_mismatch_var = OFF"
    assert alone(HEADING, text, NAV_HEADING=350.0).step()["OFF"] == 20


@shows(HEADING, "duration")
@shows("BHV_MaintainHeading", "duration")
@shows(DEPTH, "duration")
@pytest.mark.parametrize("kind", [HEADING, "BHV_MaintainHeading", DEPTH])
def test_without_a_duration_it_completes_at_once(kind: str, alone: Make) -> None:
    one = alone(kind, "endflag = DONE = true", domain=DEEP)
    assert one.step()["DONE"] == "true"
    assert one.objective is None


def test_present_heading_is_maintained_until_the_next_run(alone: Make) -> None:
    one = alone("BHV_MaintainHeading", f"{ALWAYS}condition = GO = true", NAV_HEADING=40.0)
    one.step({"GO": "true"})
    one.step(NAV_HEADING=90.0)
    assert one.decide()["course"] == 40
    assert [one.utility(course=c) for c in (70, 145, 220)] == [20, 10, 0]
    one.step({"GO": "false"})
    one.step({"GO": "true"})
    assert one.decide()["course"] == 90


@shows("BHV_MaintainHeading", "peakwidth", "basewidth", "summitdelta")
def test_hill_about_the_present_heading_can_be_set(alone: Make) -> None:
    hill = "peakwidth = 20\nbasewidth = 40\nsummitdelta = 10"
    one = alone("BHV_MaintainHeading", ALWAYS + hill)
    one.step()
    assert [one.utility(course=c) for c in (0, 10, 20, 40, 60)] == [100, 95, 90, 45, 0]


@shows(DEPTH, "depth", "peakwidth", "basewidth", "summitdelta")
def test_other_depths_have_less_utility(alone: Make) -> None:
    one = alone(DEPTH, f"{ALWAYS}depth = 30", domain=DEEP)
    one.step()
    assert one.decide()["depth"] == 30
    assert [one.utility(depth=d) for d in (27, 33, 83)] == [50, 50, 25]
    text = f"{ALWAYS}depth = 30\npeakwidth = 10\nbasewidth = 20\nsummitdelta = 20"
    one = alone(DEPTH, text, domain=DEEP)
    one.step()
    assert [one.utility(depth=d) for d in (20, 10, 60)] == [80, 40, 0]


@shows(DEPTH, "depth_mismatch_var")
def test_distance_from_the_depth_is_posted_on_request(alone: Make) -> None:
    text = f"{ALWAYS}depth = 30\ndepth_mismatch_var = OFF"
    one = alone(DEPTH, text, domain=DEEP, NAV_DEPTH=22.5)
    assert one.step()["OFF"] == 7.5
    assert "NAV_DEPTH" in one.subscriptions


@pytest.mark.parametrize(
    ("kind", "lines", "off"),
    [
        (HEADING, "heading = 10\nheading_mismatch_var = OFF", 30.0),
        (DEPTH, "depth = 30\ndepth_mismatch_var = OFF", 7.5),
        ("BHV_ConstantSpeed", "speed = 2\nspeed_mismatch_var = OFF", 0.5),
        ("BHV_MaxDepth", "max_depth = 20\ndepth_slack_var = OFF", -2.5),
        ("BHV_MaxSpeed", "max_speed = 2\nspeed_slack_var = OFF", 0.5),
    ],
)
def test_distances_are_posted_while_it_is_idle_too_as_in_moos_ivp(
    kind: str, lines: str, off: float, alone: Make
) -> None:
    nav = {"NAV_HEADING": 340.0, "NAV_DEPTH": 22.5, "NAV_SPEED": 1.5}
    one = alone(kind, f"{lines}\ncondition = GO = true", domain=DEEP, **nav)
    assert one.step()["OFF"] == off
    assert one.objective is None


@pytest.mark.parametrize("kind", [HEADING, "BHV_MaintainHeading", DEPTH])
def test_every_parameter_has_a_test(kind: str) -> None:
    assert untested_parameters(kind) == set()
