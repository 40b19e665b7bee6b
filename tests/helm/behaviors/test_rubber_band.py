"""``BHV_RubberBand``: the effect of each of its parameters, and its posts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from alone import Alone, shows, untested_parameters

Make = Callable[..., Alone]
KIND = "BHV_RubberBand"


@shows(KIND, "station_pt")
@pytest.mark.parametrize("name", ["station_pt", "point", "points"])
def test_course_is_to_the_point(name: str, alone: Make) -> None:
    one = alone(KIND, f"{name} = 30,-30", NAV_X=0.0)
    one.step()
    assert one.decide()["course"] == 135
    assert one.posted["DIST_TO_STATION"] == 42
    assert one.posted["STATION_CIRCLE"] == "30,-30,15,abe"


@shows(KIND, "inner_radius", "outer_radius", "outer_speed", "extra_speed")
def test_speed_falls_towards_the_point(alone: Make) -> None:
    text = "station_pt = 0,0\ninner_radius = 10\nouter_radius = 30\nouter_speed = 2"
    one = alone(KIND, text)
    preferred = []
    for x in (60.0, 29.99, 20.0):
        one.step(NAV_X=x)
        preferred.append(one.decide()["speed"])
    assert preferred == pytest.approx([2, 2, 1])
    one.step(NAV_X=9.9)
    assert one.objective is None
    one = alone(KIND, text + "\nextra_speed = 3", NAV_X=60.0)
    one.step()
    assert one.decide()["speed"] == pytest.approx(3)


@shows(KIND, "stiffness")
def test_weight_is_whole_between_the_radii_and_grows_from_nothing_beyond(alone: Make) -> None:
    one = alone(KIND, "station_pt = 0,0\nstiffness = 0.5\nouter_radius = 20")
    weights = []
    for x in (10.0, 30.0, 40.0, 100.0):
        one.step(NAV_X=x)
        assert one.objective is not None
        weights.append(one.objective.weight)
    assert weights == pytest.approx([100, 25, 50, 200])


@shows(KIND, "width")
def test_courses_within_the_width_have_nearly_the_same_utility(alone: Make) -> None:
    for width, at_width, at_120 in ((90, 95, 80), (60, 95, 72.5)):
        one = alone(KIND, f"station_pt = 0,0\nwidth = {width}", NAV_Y=-10.0)
        one.step()
        speed = one.decide()["speed"]
        assert one.utility(course=width, speed=speed) == pytest.approx(at_width)
        assert one.utility(course=120, speed=speed) == pytest.approx(at_120)


@shows(KIND, "center_activate")
def test_after_an_idle_time_the_point_may_be_where_the_vessel_is(alone: Make) -> None:
    one = alone(KIND, "center_activate = true\ncondition = GO = true")
    one.step({"GO": "true"}, NAV_X=10.0)
    assert one.posted["DIST_TO_STATION"] == 0
    one.step({"GO": "false"}, NAV_X=20.0)
    assert one.posted["STATION_CIRCLE"] == "10,0,0,abe"
    one.step({"GO": "true"}, NAV_X=70.0)
    assert one.posted["DIST_TO_STATION"] == 0
    assert one.posted["STATION_CIRCLE"] == "70,0,15,abe"


def test_every_parameter_has_a_test() -> None:
    assert untested_parameters(KIND) == set()
