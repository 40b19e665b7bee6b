"""Behaviors about depth, and ``BHV_MaxSpeed``: the effect of each of their parameters."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from alone import DEEP, Alone, shows, untested_parameters

from steerageway.helm.behaviors import BEHAVIORS, BehaviorError

Make = Callable[..., Alone]
SURFACE = "BHV_PeriodicSurface"


@shows("BHV_MaxDepth", "max_depth", "basewidth", "depth_slack_var")
@pytest.mark.parametrize("name", ["basewidth", "tolerance"])
def test_depths_below_the_limit_have_less_utility(name: str, alone: Make) -> None:
    one = alone("BHV_MaxDepth", "max_depth = 20", domain=DEEP)
    assert "SLACK" not in one.step()
    assert [one.utility(depth=d) for d in (0, 20, 45, 70)] == [100, 100, 75, 50]
    text = f"max_depth = 20\n{name} = 10\ndepth_slack_var = SLACK"
    one = alone("BHV_MaxDepth", text, domain=DEEP, NAV_DEPTH=23.0)
    assert one.step()["SLACK"] == -3
    assert [one.utility(depth=d) for d in (20, 25, 30)] == [100, 50, 0]
    cliff = alone("BHV_MaxDepth", f"max_depth = 20\n{name} = 0", domain=DEEP)
    cliff.step()
    assert [cliff.utility(depth=d) for d in (20, 21)] == [100, 0]


@shows("BHV_MaxSpeed", "max_speed", "basewidth", "speed_slack_var")
@pytest.mark.parametrize("name", ["basewidth", "tolerance"])
def test_speeds_above_the_limit_have_less_utility(name: str, alone: Make) -> None:
    one = alone("BHV_MaxSpeed", "")
    assert "SLACK" not in one.step()
    assert [one.utility(speed=v) for v in (0, 1, 1.2, 1.5)] == pytest.approx([100, 100, 60, 0])
    text = f"max_speed = 2\n{name} = 1\nspeed_slack_var = SLACK"
    one = alone("BHV_MaxSpeed", text, NAV_SPEED=1.5)
    assert one.step()["SLACK"] == 0.5
    assert [one.utility(speed=v) for v in (2, 2.5, 3)] == pytest.approx([100, 50, 0])


@shows("BHV_MinAltitude", "min_altitude")
def test_depths_keep_off_the_ground(alone: Make) -> None:
    one = alone("BHV_MinAltitude", "min_altitude = 5", domain=DEEP, NAV_DEPTH=30.0)
    one.step({"NAV_ALTITUDE": 12.0})
    assert [one.utility(depth=d) for d in (0, 37, 38)] == [100, 100, 0]
    one.step({"NAV_ALTITUDE": 1.0})
    assert [one.utility(depth=d) for d in (26, 27)] == [100, 0]
    one.step({"NAV_ALTITUDE": 2.0}, NAV_DEPTH=1.0)
    assert [one.utility(depth=d) for d in (0, 1)] == [100, 0]
    assert "NAV_ALTITUDE" in one.subscriptions
    assert BEHAVIORS["BHV_MinAltitudeX"] is BEHAVIORS["BHV_MinAltitude"]


@shows("BHV_MinAltitude", "missing_altitude_critical")
def test_missing_altitude_is_an_error_unless_configured_otherwise(alone: Make) -> None:
    with pytest.raises(BehaviorError, match="NAV_ALTITUDE"):
        alone("BHV_MinAltitude", domain=DEEP).step()
    one = alone("BHV_MinAltitude", "missing_altitude_critical = false", domain=DEEP)
    one.step()
    assert one.objective is None
    assert "NAV_ALTITUDE" in str(one.posted["BHV_WARNING"])


@pytest.mark.parametrize("kind", ["BHV_MaxDepth", "BHV_MaxSpeed", "BHV_MinAltitude"])
def test_limits_are_constraints(kind: str) -> None:
    assert BEHAVIORS[kind].constraint


@shows("BHV_GoToDepth", "depth")
def test_depths_are_gone_to_one_after_the_other(alone: Make) -> None:
    one = alone("BHV_GoToDepth", "depth = 20,10:40\nendflag = DONE = true", domain=DEEP)
    one.step(dt=1.0)
    assert one.decide()["depth"] == 20
    assert [one.utility(depth=d) for d in (22, 25)] == [60, 0]
    one.step(NAV_DEPTH=19.5)
    for _ in range(9):
        one.step(dt=1.0)
        assert one.decide()["depth"] == 20
    one.step(dt=1.0)
    assert one.decide()["depth"] == 40
    one.step(NAV_DEPTH=30.0)
    one.step(NAV_DEPTH=45.0)
    assert one.posted["DONE"] == "true"
    assert one.objective is None
    with pytest.raises(ValueError, match="DEPTH,SECONDS"):
        alone("BHV_GoToDepth", domain=DEEP)


@shows("BHV_GoToDepth", "repeat", "capture_delta", "capture_flag")
def test_list_of_depths_can_be_repeated(alone: Make) -> None:
    text = "depth = 10:20\nrepeat = 1\ncapture_flag = HIT\nendflag = DONE = $[UTC]\n"
    one = alone("BHV_GoToDepth", text, domain=DEEP)
    for depth, hits in ((10, 1), (20, 2), (10, 3), (20, 4)):
        assert "DONE" not in one.posted
        one.step(NAV_DEPTH=float(depth))
        assert one.posted["GTD_HIT"] == hits
    assert "DONE" in one.posted
    again = alone("BHV_GoToDepth", f"{text}perpetual = true", domain=DEEP)
    posted = [again.step(NAV_DEPTH=float(depth)) for depth in (10, 20, 10, 20, 0, 10)]
    assert [posts.get("LEVEL_DEPTH") for posts in posted] == [20, 10, 20, None, None, 20]
    assert [posts.get("GTD_HIT") for posts in posted] == [1, 2, 3, 4, None, 1]
    for name in ("capture_delta", "arrival_delta"):
        near = alone("BHV_GoToDepth", f"depth = 10:20\n{name} = 4", domain=DEEP, NAV_DEPTH=6.0)
        near.step()
        assert near.decide()["depth"] == 20


@shows(SURFACE, "period", "pending_status_var")
@pytest.mark.parametrize("name", ["pending_status_var", "pending_status_variable"])
def test_it_comes_up_when_the_period_is_over(name: str, alone: Make) -> None:
    one = alone(SURFACE, f"period = 60\n{name} = LEFT", domain=DEEP, NAV_DEPTH=30.0)
    one.step(NAV_SPEED=2.0)
    one.step(dt=59.0)
    assert one.posted["LEFT"] == 1
    assert one.objective is None
    one.step(dt=1.0)
    assert one.decide() == {"speed": 2.0, "depth": 0.0}
    assert one.posted["PERIODIC_ASCEND"] == "true"


@shows(SURFACE, "mark_variable")
def test_a_mark_restarts_the_period(alone: Make) -> None:
    for name, text in (("GPS_UPDATE_RECEIVED", ""), ("FIX", "mark_variable = FIX")):
        one = alone(SURFACE, f"period = 60\n{text}", domain=DEEP, NAV_DEPTH=30.0)
        one.step()
        one.step({name: "1"}, dt=40.0)
        one.step(dt=40.0)
        assert one.objective is None
        one.step(dt=20.0)
        assert one.objective is not None
        one.step({name: "2"})
        assert one.objective is None
        assert one.posted["PERIODIC_ASCEND"] == "false"
        assert name in one.subscriptions


@shows(SURFACE, "acomms_mark_variable")
def test_acoustic_mail_puts_the_ascent_off(alone: Make) -> None:
    text = "period = 60\nacomms_mark_variable = MAIL, 30, 50"
    one = alone(SURFACE, text, domain=DEEP, NAV_DEPTH=30.0)
    one.step({"MAIL": "a"})
    assert one.posted["PENDING_SURFACE"] == 90
    one.step({"MAIL": "b"})
    assert round(float(one.posted["PENDING_SURFACE"])) == 110
    one.step({"MAIL": "c"})
    assert round(float(one.posted["PENDING_SURFACE"])) in (109, 110)
    with pytest.raises(ValueError, match="at least INTERVAL"):
        alone(SURFACE, "acomms_mark_variable = MAIL, 30, 20", domain=DEEP)


@shows(SURFACE, "max_time_at_surface", "atsurface_status_var")
@pytest.mark.parametrize("name", ["atsurface_status_var", "atsurface_status_variable"])
def test_it_waits_at_the_surface_for_a_mark(name: str, alone: Make) -> None:
    text = f"period = 60\nmax_time_at_surface = 30\n{name} = THERE"
    one = alone(SURFACE, text, domain=DEEP, NAV_DEPTH=30.0)
    one.step()
    one.step(dt=60.0)
    one.step(NAV_DEPTH=0.0)
    assert one.posted["PERIODIC_ASCEND"] == "false"
    assert one.decide() == {"speed": 0.0, "depth": 0.0}
    one.step(dt=29.0)
    assert one.posted["THERE"] == 29
    assert "PSF_AT_SURFACE_TIMEOUT" not in one.posted
    one.step(dt=1.0)
    assert one.posted["PSF_AT_SURFACE_TIMEOUT"] == "Timestamp=90.50"
    assert one.objective is None
    assert one.step()["PENDING_SURFACE"] == 60


@shows(SURFACE, "ascent_speed", "ascent_grade", "zero_speed_depth")
@pytest.mark.parametrize(
    ("text", "halfway"),
    [
        ("", 1.6),
        ("ascent_grade = quadratic", 0.8),
        ("ascent_grade = quasi", 3.2 * 0.5**1.5),
        ("ascent_grade = fullspeed", 3.2),
        ("ascent_speed = 2", 1.0),
        ("speed_to_surface = current", 1.6),
        ("zero_speed_depth = 10", 0.8),
    ],
)
def test_speed_of_the_ascent_falls_with_depth(text: str, halfway: float, alone: Make) -> None:
    one = alone(SURFACE, f"period = 1\n{text}", domain=DEEP, NAV_DEPTH=40.0, NAV_SPEED=3.2)
    one.step()
    one.step(dt=2.0)
    one.step(NAV_DEPTH=20.0 if "zero" not in text else 17.5)
    assert one.decide()["speed"] == pytest.approx(halfway, abs=0.051)
    if "zero" in text:
        one.step(NAV_DEPTH=10.0)
        assert one.posted["PERIODIC_ASCEND"] == "false"


def test_ascent_never_becomes_faster_on_the_way_up(alone: Make) -> None:
    one = alone(SURFACE, "period = 1", domain=DEEP, NAV_DEPTH=40.0, NAV_SPEED=3.2)
    one.step()
    speeds = []
    for depth in range(40, 0, -1):
        one.step(dt=1.0, NAV_DEPTH=float(depth))
        if one.objective is not None:
            speeds.append(one.decide()["speed"])
    assert len(speeds) > 30
    assert all(later <= earlier for earlier, later in pairwise(speeds))


@pytest.mark.parametrize(
    "kind", ["BHV_MaxDepth", "BHV_MaxSpeed", "BHV_MinAltitude", "BHV_GoToDepth", SURFACE]
)
def test_every_parameter_has_a_test(kind: str) -> None:
    assert untested_parameters(kind) == set()
