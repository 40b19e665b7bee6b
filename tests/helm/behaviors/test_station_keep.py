"""``BHV_StationKeep``: the effect of each of its parameters, and its posts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from alone import Alone, shows, untested_parameters

from steerageway.helm.behaviors.station_keep import HINTS
from steerageway.moos.polygon import parse_polygon

Make = Callable[..., Alone]
KIND = "BHV_StationKeep"


def speeds(one: Alone, *distances: float) -> list[float]:
    """Return the speed preferred at each distance east of the station at 0,0."""
    found = []
    for x in distances:
        one.step(NAV_X=x)
        found.append(one.decide()["speed"])
    return found


@shows(KIND, "station_pt")
@pytest.mark.parametrize("name", ["station_pt", "point"])
def test_course_is_to_the_station(name: str, alone: Make) -> None:
    one = alone(KIND, f"{name} = 30,-30", NAV_X=0.0)
    one.step()
    assert one.decide()["course"] == 135
    assert one.posted["DIST_TO_STATION"] == 42.4


@shows(KIND, "inner_radius", "outer_radius", "outer_speed", "transit_speed")
def test_speed_falls_towards_the_station(alone: Make) -> None:
    one = alone(KIND, "station_pt = 0,0")
    assert speeds(one, 50, 15, 9.5, 4, 1) == pytest.approx([2.5, 2.5, 0.6, 0, 0])
    text = "station_pt = 0,0\ninner_radius = 10\nouter_radius = 30\nouter_speed = 2"
    one = alone(KIND, text + "\ntransit_speed = 3")
    assert speeds(one, 31, 29.99, 20, 9) == pytest.approx([3, 2, 1, 0])
    one = alone(KIND, text + "\nextra_speed = 1.5")
    assert speeds(one, 31) == pytest.approx([1.5])


def test_objective_weighs_course_and_speed_equally(alone: Make) -> None:
    one = alone(KIND, "station_pt = 0,0", NAV_Y=-40.0)
    one.step()
    assert one.utility(course=0, speed=2.5) == pytest.approx(100)
    assert one.utility(course=90, speed=2.5) == pytest.approx(75)
    assert one.utility(course=0, speed=2.7) == pytest.approx(75)


@shows(KIND, "center_activate", "swing_time")
def test_station_may_be_where_the_vessel_begins(alone: Make) -> None:
    text = "center_activate = true\ncondition = GO = true\n"
    one = alone(KIND, text)
    one.step({"GO": "true"}, NAV_X=10.0)
    assert one.posted["DIST_TO_STATION"] == 0
    one.step(NAV_X=13.0)
    assert one.posted["DIST_TO_STATION"] == 3
    one.step({"GO": "false"})
    one.step({"GO": "true"}, NAV_X=70.0)
    assert one.posted["DIST_TO_STATION"] == 0
    one = alone(KIND, text + "swing_time = 5")
    one.step({"GO": "true"}, NAV_X=10.0)
    one.step(NAV_X=20.0, dt=4.0)
    assert one.posted["DIST_TO_STATION"] == 0
    one.step(NAV_X=25.0, dt=2.0)
    assert one.posted["DIST_TO_STATION"] == 5


@shows(KIND, "hibernation_radius")
def test_it_hibernates_once_there_until_it_drifted_away(alone: Make) -> None:
    one = alone(KIND, "station_pt = 0,0\nhibernation_radius = 40", NAV_X=60.0)
    one.step()
    assert one.posted["PSKEEP_MODE"] == "SEEKING_STATION"
    assert speeds(one, 30, 3, 12, 39) == pytest.approx([2.5, 0, 0, 0])
    assert one.posted["PSKEEP_MODE"] == "HIBERNATING"
    assert speeds(one, 41, 39) == pytest.approx([2.5, 2.5])
    assert one.posted["PSKEEP_MODE"] == "SEEKING_STATION"
    never = alone(KIND, "station_pt = 0,0")
    assert speeds(never, 3, 12) == pytest.approx([0, 1.2 * 8 / 11], abs=0.05)
    assert never.posted["PSKEEP_MODE"] == "DISABLED"


def test_it_keeps_still_until_it_is_beyond_the_hibernation_radius(alone: Make) -> None:
    one = alone(KIND, "station_pt = 0,0\nhibernation_radius = 40\ncondition = GO = true")
    one.step({"GO": "true"}, NAV_X=30.0)
    assert one.posted["PSKEEP_MODE"] == "HIBERNATING"
    assert speeds(one, 39, 41, 39) == pytest.approx([0, 2.5, 2.5])
    one.update("hibernation_radius = 50")
    assert speeds(one, 39, 3, 30) == pytest.approx([2.5, 0, 0])
    one.step({"GO": "false"})
    one.step({"GO": "true"})
    assert one.posted["PSKEEP_MODE"] == "HIBERNATING"
    assert speeds(one, 51) == pytest.approx([2.5])
    one.update("station_pt = 30,0")
    assert speeds(one, 51) == pytest.approx([0])
    one.update("hibernation_radius = off")
    assert speeds(one, 51) == pytest.approx([2.5])
    assert one.posted["PSKEEP_MODE"] == "DISABLED"


def test_it_hibernates_too_when_it_passes_the_station(alone: Make) -> None:
    one = alone(KIND, "station_pt = 0,0\nhibernation_radius = 40", NAV_X=41.0)
    one.step()
    for x in (30.0, 24.0, 18.0, 12.0, 11.0, 10.0):
        one.step(NAV_X=x, dt=1.5)
    assert one.posted["PSKEEP_MODE"] == "SEEKING_STATION"
    one.step(NAV_X=10.5, dt=1.5)
    assert one.posted["PSKEEP_MODE"] == "HIBERNATING"


def test_it_hibernates_too_when_it_comes_no_nearer(alone: Make) -> None:
    one = alone(KIND, "station_pt = 0,0\nhibernation_radius = 40", NAV_X=41.0)
    one.step()
    for x in (30.0, 24.0, 18.0, 12.0, 8.0, 5.0, *(3 * [4.2])):
        one.step(NAV_X=x, dt=1.5)
    assert one.posted["PSKEEP_MODE"] == "SEEKING_STATION"
    one.steps(48)
    assert one.posted["PSKEEP_MODE"] == "HIBERNATING"
    far = alone(KIND, "station_pt = 0,0\nhibernation_radius = 20", NAV_X=30.0)
    far.steps(80)
    assert far.posted["PSKEEP_MODE"] == "SEEKING_STATION"


def test_a_short_approach_is_no_progress(alone: Make) -> None:
    one = alone(KIND, "station_pt = 0,0\nhibernation_radius = 40", NAV_X=41.0)
    one.step()
    for x in (30.0, 28.0, 29.0):
        one.step(NAV_X=x, dt=1.0)
    assert one.posted["PSKEEP_MODE"] == "SEEKING_STATION"


@shows(KIND, "visual_hints")
def test_radii_are_drawn_and_erased(alone: Make) -> None:
    one = alone(KIND, "station_pt = 1,2\nhibernation_radius = 40\ncondition = GO = true")
    one.step({"GO": "true"})
    rings = {
        str(text).split("label=")[1].split(",")[0]: text for text in one.values("VIEW_POLYGON")
    }
    assert set(rings) == {f"abe:station-keep-{which}" for which in ("in", "out", "hiber")}
    drawn = parse_polygon(str(rings["abe:station-keep-out"]))
    assert drawn.center == pytest.approx((1, 2))
    assert len(drawn.points) == 32
    for key in HINTS:
        value = "pink" if key.endswith("color") else "7"
        other = alone(KIND, f"station_pt = 1,2\nvisual_hints = {key}={value}")
        other.step()
        assert f"{key}={value}" in str(other.posts)
    one.step({"GO": "false"})
    assert len([t for t in one.values("VIEW_POLYGON") if "active=false" in str(t)]) == 3


@pytest.mark.parametrize(
    ("text", "speed"),
    [
        ("outer_speed = 3", 3),
        ("outer_speed = 1", 2.5),
        ("outer_speed = 3\ntransit_speed = 2", 2),
        ("transit_speed = 1", 1),
    ],
)
def test_transit_is_no_slower_than_the_outer_speed_by_default(
    text: str, speed: float, alone: Make
) -> None:
    assert speeds(alone(KIND, f"station_pt = 0,0\n{text}"), 50) == pytest.approx([speed])


def test_without_a_station_it_warns_and_one_may_be_set_later(alone: Make) -> None:
    """Source: MOOS-IvP's goes on without influence, and posts this warning."""
    bare = alone(KIND)
    bare.step()
    assert "STATION_POINT_NOT_SET" in str(bare.posted["BHV_WARNING"])
    assert bare.objective is None
    assert alone(KIND, "point = 0,0\nouter_radius = 3").behavior.settings.inner_radius == 3
    one = alone(KIND, "updates = UP")
    one.step()
    assert one.objective is None
    one.update("station_pt = 9,0")
    one.step()
    assert one.decide()["course"] == 90


def test_an_outer_radius_below_the_inner_one_is_as_great_as_that(alone: Make) -> None:
    """Source: MOOS-IvP's takes the inner radius for both."""
    one = alone(KIND, "station_pt = 0,0\ninner_radius = 18\nouter_radius = 8")
    one.step(NAV_X=19.0)
    assert "outer_radius 8 is below inner_radius 18, which counts" in str(one.posted["BHV_WARNING"])
    assert speeds(one, 17, 19) == pytest.approx([0, 2.5])


def test_every_parameter_has_a_test() -> None:
    assert untested_parameters(KIND) == set()


@pytest.mark.parametrize(
    ("update", "changed"),
    [
        # settings that harness H01-stationkeep_behavior_motion of
        # cbenjamin23/moos-ivp-cicd-testing has recorded of MOOS-IvP's helm
        ("inner_radius = 10 # outer_radius = 28", "inner_radius=10.0,outer_radius=28.0"),
        ("outer_radius = 16", "inner_radius=4.0,outer_radius=16.0"),
    ],
)
def test_its_settings_are_posted_at_its_start_when_it_runs_again_and_after_updates(
    update, changed, alone
):
    one = alone(KIND, "station_pt = 12,-121\nupdates = UP\ncondition = GO = true\n")
    expected = (
        f"type={KIND},name=b,x=12.00,y=-121.00,{{}},hibernation_radius=-1.0,outer_speed=1.2,"
        "center_activate=false"
    )
    assert "BHV_SETTINGS" not in one.step()
    told = one.step({"GO": "true"})["BHV_SETTINGS"]
    assert (
        one.posted["BHV_SETTINGS"] == told == expected.format("inner_radius=4.0,outer_radius=15.0")
    )
    one.update(update)
    assert one.step()["BHV_SETTINGS"] == expected.format(changed)
