"""``BHV_FullStop``, ``_AbortToPoint``, ``_SimpleWaypoint``, ``_BearingLine``, ``_RangePulse``."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from alone import Alone, shows, untested_parameters

from steerageway.helm.behaviors.full_stop import HINTS

Make = Callable[..., Alone]
STOP, ABORT, LINE = "BHV_FullStop", "BHV_AbortToPoint", "BHV_BearingLine"
SIMPLE = "BHV_SimpleWaypoint"


@shows(STOP, "stop_thresh", "delay_complete")
@pytest.mark.parametrize(("text", "speed"), [("", 0.09), ("stop_thresh = 1", 0.9)])
def test_it_completes_when_the_vessel_has_stopped(text: str, speed: float, alone: Make) -> None:
    one = alone(STOP, f"{text}\nendflag = DONE = true", NAV_SPEED=2.0, NAV_HEADING=70.0)
    one.step()
    one.step(NAV_HEADING=80.0)
    assert one.decide() == {"course": 70, "speed": 0}
    one.step(NAV_SPEED=speed * 1.2)
    assert "DONE" not in one.posted
    one.step(NAV_SPEED=speed)
    assert one.posted["DONE"] == "true"
    slow = alone(STOP, f"{text}\ndelay_complete = 5\nendflag = DONE = true")
    slow.step()
    slow.step(dt=4.9)
    assert "DONE" not in slow.posted
    slow.step(dt=0.1)
    assert slow.posted["DONE"] == "true"


@shows(STOP, "mark_flag", "unmark_flag", "mark_duration")
def test_marks_are_posted_at_the_begin_and_taken_back(alone: Make) -> None:
    text = "mark_flag = MARK = true\nunmark_flag = MARK = false\nmark_duration = 3"
    one = alone(STOP, text, NAV_SPEED=2.0)
    assert one.step()["MARK"] == "true"
    assert "MARK" not in one.step(dt=2.0)
    assert one.step(dt=1.0)["MARK"] == "false"
    assert "MARK" not in one.step(dt=1.0)


@shows(STOP, "visual_hints")
def test_place_of_the_stop_is_drawn_and_erased(alone: Make) -> None:
    one = alone(STOP, "condition = GO = true", NAV_SPEED=2.0, NAV_X=12.0)
    one.step({"GO": "true"})
    assert str(one.posted["VIEW_POINT"]).startswith("x=12,y=0,active=true,label=fstop_abe")
    one.step({"GO": "false"})
    assert "active=false" in str(one.posted["VIEW_POINT"])
    for key in HINTS:
        value = "red" if key.endswith("color") else "7"
        one = alone(STOP, f"visual_hints = {key}={value}", NAV_SPEED=2.0)
        one.step()
        assert f"{key}={value}" in str(one.posted["VIEW_POINT"])


@shows(ABORT, "point", "speed")
def test_it_goes_to_the_point(alone: Make) -> None:
    one = alone(ABORT, "point = 100,-100\nspeed = 1.4\nnm_radius = 30")
    one.step()
    assert one.decide() == {"course": 135, "speed": pytest.approx(1.4)}
    assert one.utility(course=135, speed=2.7) == pytest.approx(75)
    with pytest.raises(ValueError, match="point"):
        alone(ABORT)


@shows(ABORT, "radius", "nm_radius")
@pytest.mark.parametrize(
    ("text", "xs", "done"),
    [
        ("", (60.0, 76.0), True),
        ("radius = 20\nnm_radius = 5", (76.0, 79.0), False),
        ("radius = 5", (70.0, 60.0), True),
        ("radius = 5\nnm_radius = 20", (70.0, 60.0), False),
    ],
)
def test_point_is_reached_within_the_radii(
    text: str, xs: tuple[float, ...], done: bool, alone: Make
) -> None:
    one = alone(ABORT, f"point = 100,0\nspeed = 1\nendflag = DONE = true\n{text}")
    for x in xs:
        assert "DONE" not in one.posted
        one.step(NAV_X=x)
    assert ("DONE" in one.posted) is done


@shows(ABORT, "ipf_type")
@pytest.mark.parametrize("name", ["ipf_type", "ipf-type"])
def test_rate_of_closure_joins_course_and_speed(name: str, alone: Make) -> None:
    one = alone(ABORT, f"point = 100,0\nspeed = 1.4\n{name} = roc")
    one.step()
    assert one.decide() == {"course": 90, "speed": pytest.approx(1.4)}
    assert one.objective is not None
    assert ("course", "speed") in one.objective.parts


@shows(SIMPLE, "ptx", "pty", "speed")
def test_simple_waypoint_desires_the_course_to_its_point_and_a_speed(alone: Make) -> None:
    one = alone(SIMPLE, "ptx = 100\npty = -100\nspeed = 2")
    one.step()
    assert one.decide() == {"course": 135, "speed": pytest.approx(2.0)}
    assert one.utility(course=315, speed=2.0) == pytest.approx(50)
    assert one.utility(course=45, speed=2.0) == pytest.approx(75)
    for speed, utility in (
        (2.5, 99.6),
        (1.5, 99.6),
        (3.0, 74.8),
        (3.5, 50.0),
    ):  # 0.8 less, then none
        assert one.utility(course=135, speed=speed) == pytest.approx(utility)
    faster = alone(SIMPLE, "ptx = 100\nspeed = 5")
    faster.step()
    assert faster.decide() == {"course": 90, "speed": 4}
    assert faster.posted["BHV_WARNING"] == "b: speed 5 is above the domain's 4, which counts"


@shows(SIMPLE, "radius")
@pytest.mark.parametrize(("text", "radius"), [("", 10.0), ("radius = 25", 25.0)])
def test_simple_waypoint_completes_within_its_radius(text: str, radius: float, alone: Make) -> None:
    one = alone(SIMPLE, f"ptx = 100\nspeed = 2\nendflag = DONE = true\n{text}")
    one.step(NAV_X=100.0, NAV_Y=radius + 0.1)
    assert "DONE" not in one.posted
    found = one.step(NAV_Y=radius)
    assert found["DONE"] == "true"
    assert one.objective is None
    assert one.behavior.completed


@shows(SIMPLE, "ipf_type")
def test_simple_waypoint_by_reflector_weighs_closing_detour_and_speed(alone: Make) -> None:
    one = alone(SIMPLE, "ptx = 100\nspeed = 2\nipf_type = reflector")
    one.step()
    assert one.decide() == {"course": 90, "speed": pytest.approx(2.0)}
    assert one.utility(course=90, speed=2.0) == pytest.approx(100)
    # across: 2 m/s too slow of 8; 90 degrees of 180 at half the domain's speed
    assert one.utility(course=0, speed=2.0) == pytest.approx(75 * 6 / 8 + 20 * 3 / 4 + 5)
    # at rest: as slow, and no detour, but 2 m/s off the speed, as far as the domain goes
    assert one.utility(course=90, speed=0.0) == pytest.approx(75 * 6 / 8 + 20)
    # too fast by 1 m/s counts half, of 8, and half as far from the speed
    assert one.utility(course=90, speed=3.0) == pytest.approx(75 * 7.5 / 8 + 20 + 5 / 2)


def test_simple_waypoints_point_is_drawn_while_it_runs(alone: Make) -> None:
    one = alone(SIMPLE, "ptx = 100\npty = -50\nspeed = 2\ncondition = GO = true")
    shown = "x=100,y=-50,active=true,label=abe's next waypoint"
    gone = shown.replace("true", "false")
    assert one.step({"GO": "true"})["VIEW_POINT"] == shown
    assert one.step({"GO": "false"})["VIEW_POINT"] == gone
    assert one.step({"GO": "true"})["VIEW_POINT"] == shown
    assert one.step(NAV_X=99.0, NAV_Y=-50.0)["VIEW_POINT"] == gone


@shows(LINE, "bearing_point", "line_pct", "show_pt")
def test_line_is_drawn_towards_the_point(alone: Make) -> None:
    one = alone(LINE, "", NAV_X=40.0, NAV_Y=20.0)
    one.step()
    assert one.objective is None
    assert one.posted["VIEW_SEGLIST"] == "pts={40,20:20,10},label=abe_b"
    assert str(one.posted["VIEW_POINT"]).startswith("x=0,y=0,active=true")
    text = "bearing_point = 140,20\nline_pct = 10\nshow_pt = false\ncondition = GO = true"
    one = alone(LINE, text, NAV_X=40.0, NAV_Y=20.0)
    one.step({"GO": "true"})
    assert one.posted["VIEW_SEGLIST"] == "pts={40,20:50,20},label=abe_b"
    assert str(one.posted["VIEW_POINT"]).startswith("x=140,y=20,active=false")
    one.step({"GO": "false"})
    assert "active=false" in str(one.posted["VIEW_SEGLIST"])


@shows("BHV_HSLine", "time_on_leg")
def test_line_is_drawn_to_where_the_vessel_is_going(alone: Make) -> None:
    one = alone("BHV_HSLine", "condition = GO = true", NAV_X=40.0)
    one.step({"GO": "true"})
    assert one.posts == []
    one.step({"DESIRED_HEADING": 90.0, "DESIRED_SPEED": 2.0})
    assert one.posted["VIEW_SEGLIST"] == "pts={40,0:160,0},label=abe_b"
    one.step({"GO": "false"})
    assert "active=false" in str(one.posted["VIEW_SEGLIST"])
    short = alone("BHV_HSLine", "time_on_leg = 10")
    short.step({"DESIRED_HEADING": 90.0, "DESIRED_SPEED": 2.0})
    assert short.posted["VIEW_SEGLIST"] == "pts={0,0:20,0},label=abe_b"
    assert {"DESIRED_HEADING", "DESIRED_SPEED"} <= set(short.subscriptions)


def test_ring_is_drawn_for_each_range_report(alone: Make) -> None:
    one = alone("BHV_RangePulse", NAV_X=40.0)
    assert "RANGE_REPORTabe" in one.subscriptions
    one.step()
    assert one.posts == []
    for _ in range(2):
        found = one.step({"RANGE_REPORTabe": "range=12"})
        assert found["VIEW_RANGE_PULSE"] == "x=40,y=0,radius=25,duration=20,label=abe_b"
    assert one.step() == {}


@pytest.mark.parametrize("kind", [STOP, ABORT, SIMPLE, LINE, "BHV_RangePulse", "BHV_HSLine"])
def test_every_parameter_has_a_test(kind: str) -> None:
    assert untested_parameters(kind) == set()


def test_macros_contain_the_stopping_distance(alone: Make) -> None:
    text = "stop_thresh = 0.2\nendflag = DONE = $[STOP_DIST]:$[STOP_TIME]"
    one = alone(STOP, text, NAV_X=5.0, NAV_SPEED=2.0)
    one.step()
    one.step(dt=2.0, NAV_X=8.0, NAV_SPEED=1.0)
    one.step(dt=1.5, NAV_Y=1.0, NAV_SPEED=0.1)
    assert one.posted["DONE"] == "4:3.5"


@pytest.mark.parametrize(
    ("kind", "text"),
    [(ABORT, "point = 100,0\nipf_type = roc"), (SIMPLE, "ptx = 100\nipf_type = reflector")],
)
def test_a_course_is_decided_even_without_a_possible_speed(
    kind: str, text: str, alone: Make
) -> None:
    one = alone(kind, text, ("course:0:359:360", "speed:0:0:1"))
    one.step()
    assert one.decide()["speed"] == 0
