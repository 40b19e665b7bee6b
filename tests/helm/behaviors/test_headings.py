"""Behaviors about turning: the effect of each of their parameters."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from alone import Alone, shows, untested_parameters
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.behaviors.heading_memory import HeadingMemory
from steerageway.helm.geometry import angle_between

Make = Callable[..., Alone]
LIMIT, HYSTERESIS, CHANGE = "BHV_MemoryTurnLimit", "BHV_Hysteresis", "BHV_HeadingChange"
OBSERVER = "BHV_HeadingHysteresis"


@settings(max_examples=30)
@given(st.floats(0, 359.9), st.lists(st.floats(-80, 80), min_size=1, max_size=8))
def test_mean_heading_turns_with_the_headings(start: float, offsets: list[float]) -> None:
    one, other = HeadingMemory(), HeadingMemory()
    for offset in offsets:
        one.add(0.0, offset % 360, 10.0)
        other.add(0.0, (start + offset) % 360, 10.0)
    assert angle_between(one.mean + start, other.mean) < 1e-6
    assert other.deviation == pytest.approx(one.deviation, abs=1e-6)


def test_a_mean_heading_slightly_to_port_of_north_is_north() -> None:
    memory = HeadingMemory()
    memory.add(0.0, -1e-14, 10.0)
    assert memory.mean == 0.0


@shows(LIMIT, "memory_time", "turn_range")
def test_courses_far_from_the_mean_heading_are_forbidden(alone: Make) -> None:
    text = "memory_time = 10\nturn_range = 40"
    one = alone(LIMIT, text, NAV_HEADING=350.0, NAV_SPEED=2.0)
    one.step()
    one.step(NAV_HEADING=10.0)
    assert one.posted["MEM_HDG_AVG"] in (0, 360)
    assert min(one.utility(course=c) for c in (0, 40, 320)) >= 99
    assert [one.utility(course=c) for c in (41, 319, 180)] == [0, 0, 0]
    one.step(NAV_HEADING=90.0, dt=10.3)
    assert one.posted["MEM_HDG_AVG"] == 90
    one.step(NAV_SPEED=0.75)
    assert one.utility(course=110) > 99
    assert one.utility(course=111) == 0
    one.step(NAV_SPEED=0.0)
    assert [round(one.utility(course=c)) for c in (98, 99)] == [100, 0]
    assert BEHAVIORS[LIMIT].constraint
    now = alone(LIMIT, "memory_time = 0\nturn_range = 40", NAV_HEADING=350.0)
    now.step()
    now.step(NAV_HEADING=77.4)
    assert now.posted["MEM_HDG_AVG"] == 77
    for missing in text.splitlines():
        with pytest.raises(ValueError, match="must be given"):
            alone(LIMIT, missing)


@shows(OBSERVER, "memory_time", "filter_var")
def test_recent_values_of_a_heading_are_observed_without_an_objective(alone: Make) -> None:
    """With values a and b, the mean is between them, and sqrt(2 ((b - a) / 2)^2) / 2 the spread."""
    one = alone(OBSERVER, "memory_time = 10\nfilter_var = crs", CRS=350.0)
    one.step()
    one.step(CRS=10.0, dt=5.0)
    assert one.posted["HIST_HEADING_AVERAGE"] in (0, 360)
    assert one.posted["HIST_HEADING_VARIANCE"] == pytest.approx((2 * 10**2) ** 0.5 / 2)
    one.step(CRS=90.0, dt=10.5)
    assert one.posted["HIST_HEADING_AVERAGE"] == pytest.approx(90)
    assert one.posted["HIST_HEADING_VARIANCE"] == 0
    silent = alone(OBSERVER, "", DESIRED_HEADING_UNFILTERED=350.0)
    silent.step()
    assert "HIST_HEADING_AVERAGE" not in silent.posted
    assert "memory_time" in silent.posted["BHV_WARNING"]


@shows(HYSTERESIS, "memory_time")
def test_window_is_the_larger_the_steadier_the_heading(alone: Make) -> None:
    one = alone(HYSTERESIS, "memory_time = 20", NAV_HEADING=60.0)
    one.step()
    assert (one.posted["HYSTER_HDG_AVG"], one.posted["HYSTER_HDG_VAR"]) == (60, 0)
    assert one.utility(course=60) == 100
    assert one.utility(course=60 + 140) == pytest.approx(90)
    assert one.utility(course=60 + 160) == pytest.approx(45)
    one.step(NAV_HEADING=120.0, dt=19.0)
    assert (one.posted["HYSTER_HDG_AVG"], one.posted["HYSTER_HDG_VAR"]) == (90, 30)
    assert one.utility(course=125) == pytest.approx(90)
    assert one.utility(course=130) < 90
    one.step(dt=21.0)
    assert one.posted["HYSTER_HDG_VAR"] == 0
    with pytest.raises(ValueError, match="memory_time"):
        alone(HYSTERESIS)


@shows(HYSTERESIS, "min_heading_window", "max_heading_window", "max_window_utility")
def test_window_is_within_its_limits(alone: Make) -> None:
    text = "memory_time = 20\nmin_heading_window = 40\nmax_heading_window = 100\n"
    one = alone(HYSTERESIS, text + "max_window_utility = 60", NAV_HEADING=60.0)
    one.step()
    assert one.utility(course=110) == pytest.approx(60)
    one.step(NAV_HEADING=120.0, dt=10.0)
    assert one.utility(course=140) == pytest.approx(60)
    assert one.utility(course=220) == pytest.approx(60 * 80 / 160)
    with pytest.raises(ValueError, match="at most max_heading_window, which is 100"):
        alone(HYSTERESIS, text + "min_heading_window = 120")


@shows(CHANGE, "heading_delta", "turn_type")
@pytest.mark.parametrize(("side", "goal", "way"), [("starboard", 30, 1), ("port", 310, -1)])
def test_vessel_turns_by_the_angle_to_the_side(
    side: str, goal: float, way: int, alone: Make
) -> None:
    text = f"heading_delta = 40\nturn_type = {side}\nendflag = DONE = true"
    one = alone(CHANGE, text, NAV_HEADING=350.0)
    one.step()
    assert one.posted["HEADING_GOAL"] == goal
    assert one.decide()["course"] == goal
    one.step(NAV_HEADING=(350 + 30 * way) % 360)
    assert one.posted["CURR_HDG_DELTA"] == 10
    assert "DONE" not in one.posted
    one.step(NAV_HEADING=goal - way * 0.9)
    assert (one.posted["DONE"], one.posted["TURNS"]) == ("true", 1)
    assert one.objective is None


def test_turn_of_more_than_half_a_circle_goes_the_configured_way(alone: Make) -> None:
    one = alone(CHANGE, "heading_delta = 270\nendflag = DONE = true", NAV_HEADING=0.0)
    heading = 0.0
    while "DONE" not in one.posted:
        one.step(NAV_HEADING=heading % 360)
        if one.objective is not None:
            assert 0 <= (one.decide()["course"] - heading) % 360 <= 121
        heading += 5
    assert heading == 275


@shows(CHANGE, "turn_speed")
def test_speed_of_the_turn_is_the_present_one_or_a_configured_one(alone: Make) -> None:
    one = alone(CHANGE, "", NAV_SPEED=1.7)
    one.step()
    one.step(NAV_SPEED=1.0)
    assert one.decide()["speed"] == pytest.approx(1.7)
    one = alone(CHANGE, "turn_speed = 0.8", NAV_SPEED=1.7)
    one.step()
    assert one.decide()["speed"] == pytest.approx(0.8)


@shows("BHV_HeadingBias", "bias")
@pytest.mark.parametrize(("bias", "better", "worse"), [("right", 80, 260), ("left", 260, 80)])
def test_bias_favours_one_side(bias: str, better: float, worse: float, alone: Make) -> None:
    one = alone("BHV_HeadingBias", f"bias = {bias}", NAV_HEADING=350.0)
    one.step()
    assert one.utility(course=better) == 100
    assert one.utility(course=worse) == 0
    assert one.utility(course=350) == one.utility(course=170) == 50


@pytest.mark.parametrize("kind", [LIMIT, HYSTERESIS, CHANGE, "BHV_HeadingBias"])
def test_every_parameter_has_a_test(kind: str) -> None:
    assert untested_parameters(kind) == set()
