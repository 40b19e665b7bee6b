"""``uNavFilter``, driven by what sensors post."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import degrees
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.sensing.nav_filter import FilterOptions, NavFilter
from steerageway.bus import Config, ConfigError
from steerageway.vessel.navigation.tuning import Tuning

ORIGIN = Config([("LatOrigin", "59.9075", "a.moos:1"), ("LongOrigin", "10.72", "a.moos:2")])
EYE = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]


def sensor(name: str, kind: str, rate: float, **parts: float) -> dict[str, Any]:
    """Describe a sensor at CO, with a standard deviation for each of its parts."""
    size = {"position": 3, "orientation": 3, "angular_velocity": 3, "linear_acceleration": 3}
    described = {}
    for part, rms in parts.items():
        n = size.get(part, 1)
        eye = EYE if n == 3 else [1.0]
        described[part] = {
            "covariance": [rms**2 * one for one in eye],
            "bias": [0.0] * n,
            "drift_rms": [0.0] * n,
            "drift_time": [0.0] * n,
        }
    place = {"location": [0.0, 0.0, 0.0], "orientation": [0.0, 0.0, 0.0]}
    about = {"sensor": name, "type": kind, "rate": rate, "topic": "", "latency": 0.0}
    return {**about, **place, "parts": described}


ABOARD = (
    sensor("GPS", "GPS", 1, position=1.0),
    sensor("COMPASS", "compass", 1, heading=1.0),
    sensor("SPEED_LOG", "speed_log", 1, speed=0.1),
    sensor("ALTIMETER", "altimeter", 1, range=0.1),
)


class Boat:
    """A vessel that goes east at 2 m/s, and the app that receives this once a second."""

    def __init__(self, driven: Any, aboard: tuple[dict[str, Any], ...] = ABOARD) -> None:
        self.driven = driven
        self.aboard = aboard
        driven.tick(0.5, {"SENSORS": json.dumps(aboard)})

    def sail(self, until: int, first: int = 1, **other: Any) -> dict[str, Any]:
        """Let seconds pass; return the app's posts of the last."""
        posted: dict[str, Any] = {}
        for t in range(first, until + 1):
            sensors = {
                "GPS": {"position": [0.0, 2.0 * t, 0.0]},
                "COMPASS": {"heading": 90.0},
                "SPEED_LOG": {"speed": 2.0},
            } | other
            mail = {
                f"{name}_DATA": json.dumps({"sensor": name, "time": float(t), **record})
                for name, record in sensors.items()
                if name in [one["sensor"] for one in self.aboard]
            }
            posted = self.driven.tick(t + 0.25, mail)
        return posted


@pytest.fixture
def boat(drive):
    """Return ``boat(lines) -> Boat``."""
    return lambda lines="", **setting: Boat(drive(NavFilter, lines, **setting))


def test_estimates_are_posted_under_the_simulators_names(boat):
    posted = boat(globals=ORIGIN).sail(30)
    assert posted["NAV_X"] == pytest.approx(60.5, abs=0.7)  # a quarter of a second on
    assert posted["NAV_Y"] == pytest.approx(0.0, abs=0.5)
    assert posted["NAV_Z"] == -posted["NAV_DEPTH"]
    assert posted["NAV_HEADING"] == pytest.approx(90.0, abs=1.0)
    assert posted["NAV_YAW"] == pytest.approx(-1.5708, abs=0.02)
    assert posted["NAV_SPEED"] == pytest.approx(2.0, abs=0.2)
    assert posted["NAV_SPEED_OVER_GROUND"] == pytest.approx(2.0, abs=0.2)
    assert posted["NAV_HEADING_OVER_GROUND"] == pytest.approx(90.0, abs=5.0)
    assert abs(posted["NAV_ROLL"]) < 0.1
    assert abs(posted["NAV_PITCH"]) < 0.1
    assert posted["NAV_LAT"] == pytest.approx(59.9075, abs=1e-5)
    assert posted["NAV_LONG"] == pytest.approx(10.72 + 60.5 / 55900, abs=3e-5)


def test_post_innovations_posts_nis_of_each_measurement_with_its_time(boat):
    quiet, one = boat(), boat("post_innovations = true")
    assert not [name for name in quiet.sail(5) if "NIS" in name or "INNOV" in name]
    one.sail(20)
    posts = {post.name: post for post in one.driven.posts}
    for name, m in (("GPS", 3), ("COMPASS", 1), ("SPEED_LOG", 1)):
        nis, innovation = posts[f"NAV_NIS_{name}"], posts[f"NAV_INNOVATION_{name}"]
        record = json.loads(innovation.value)
        assert nis.time == innovation.time == record["time"] == 20.0
        assert nis.value == record["nis"] >= 0.0
        assert len(record["innovation"]) == record["dimension"] == m
        assert len(record["covariance"]) == m * m
        assert record["refused"] is False
    posted = one.sail(21, first=21, GPS={"position": [500.0, 42.0, 0.0]})
    assert posted["NAV_NIS_GPS"] > 1000.0
    assert json.loads(posted["NAV_INNOVATION_GPS"])["refused"] is True


def test_without_a_datum_there_is_no_latitude(boat):
    posted = boat().sail(5)
    assert "NAV_X" in posted
    assert "NAV_LAT" not in posted


def test_the_uncertainty_of_an_estimate_is_posted_with_it(boat):
    one = boat()
    early, late = one.sail(2), one.sail(60, first=3)
    for name in ("X", "Y", "DEPTH"):
        assert early[f"NAV_{name}_STD"] > late[f"NAV_{name}_STD"] > 0.2
    assert 0.1 < late["NAV_HEADING_STD"] < 1.0
    assert 0.05 < late["NAV_SPEED_STD"] < 0.5


def test_a_solution_is_posted_with_the_time_of_the_newest_measurement(boat):
    one = boat()
    posted = one.sail(20)
    solution = json.loads(posted["NAV_SOLUTION"])
    (post,) = [post for post in one.driven.posts if post.name == "NAV_SOLUTION"]
    assert solution["time"] == post.time == 20.0
    assert solution["position"][1] == pytest.approx(40.0, abs=1.0)
    assert solution["velocity"] == pytest.approx([0.0, 2.0, 0.0], abs=0.3)
    assert solution["current"] == pytest.approx([0.0, 0.0], abs=0.3)
    assert len(solution["covariance"]) == 121
    assert posted["NAV_X_STD"] == pytest.approx(solution["covariance"][12] ** 0.5)
    assert degrees(solution["attitude"][2]) == pytest.approx(90.0, abs=1.0)


def test_it_subscribes_only_to_what_it_can_use(boat):
    registered = boat().driven.registered
    assert set(registered) == {"SENSORS", "GPS_DATA", "COMPASS_DATA", "SPEED_LOG_DATA"}


def test_the_appcast_shows_its_sensors_and_its_uncertainty(boat):
    one = boat()
    posted = one.sail(10)
    east, north, down = (f"{posted[f'NAV_{name}_STD']:.2f}" for name in ("X", "Y", "DEPTH"))
    assert list(one.driven.app.report()) == [
        "listening to GPS, COMPASS, SPEED_LOG",
        "refused 0 of GPS, 0 of COMPASS, 0 of SPEED_LOG; 0 came too late",
        "began anew 0 times",
        f"standard deviations: east {east}, north {north}, down {down} m",
    ]


def test_sensors_without_useful_measurements_are_not_subscribed_to(drive):
    one = Boat(drive(NavFilter), (ABOARD[3],))
    assert "listening to nothing" in one.driven.app.report()
    assert set(one.driven.registered) == {"SENSORS"}


def test_it_posts_nothing_before_initialization_and_reports_what_is_missing(drive):
    one = Boat(drive(NavFilter), (ABOARD[0], ABOARD[2]))
    assert not one.sail(3)
    report = "\n".join(one.driven.app.report())
    assert "waiting for a heading" in report
    assert "a position" not in report


def test_without_sensors_it_reports_the_app_it_waits_for(drive):
    one = drive(NavFilter)
    assert one.tick(1.0) == {}
    assert "waiting for SENSORS" in "\n".join(one.app.report())


def test_a_filter_that_cannot_begin_is_a_run_warning_until_it_can(drive):
    one = Boat(drive(NavFilter))
    one.sail(16, COMPASS={"heading": "?"})
    warnings = [text for text in one.driven.app.run_warnings if "no estimate" in text]
    assert warnings == [
        "no estimate after 15 s: waiting for a heading (of an IMU or compass, or start_pos)"
    ]
    one.sail(18, first=17)
    assert not any("no estimate" in text for text in one.driven.app.run_warnings)
    alone = drive(NavFilter)
    alone.tick(20.0)
    alone.tick(21.0)
    ((text, count),) = alone.app.run_warnings.items()
    assert (text.endswith("waiting for SENSORS, which uSensors posts"), count) == (True, 1)


def spoilt(boat: Boat) -> Mapping[str, Any]:
    """Sail, with one position far away in between."""
    boat.sail(20)
    boat.sail(21, first=21, GPS={"position": [500.0, 42.0, 0.0]})
    return boat.sail(22, first=22)


def test_prefix_begins_every_name(boat):
    posted = boat("prefix = EST").sail(5)
    assert posted
    assert all(name.startswith("EST_") for name in posted)
    assert "EST_X" in boat("prefix = EST_").sail(5)
    assert "EST_X" in boat("prefix = NAV\nprefix = EST").sail(5)  # the last line counts


def test_gate_rejects_outliers(boat):
    guarded = boat()
    assert abs(spoilt(guarded)["NAV_Y"]) < 5.0
    assert "refused 1 of GPS" in "\n".join(guarded.driven.app.report())
    assert spoilt(boat("gate = 0"))["NAV_Y"] > 50.0


def test_start_pos_is_the_position_without_a_position_sensor(drive):
    log = (sensor("SPEED_LOG", "speed_log", 1, speed=0.1),)
    lines = "start_pos = x=100, Y=50, heading=90, depth=3\ncurrent_std = 0.001"
    posted = Boat(drive(NavFilter, lines), log).sail(10)
    assert posted["NAV_X"] == pytest.approx(100 + 2 * 9.25, abs=3.0)
    assert posted["NAV_Y"] == pytest.approx(50.0, abs=3.0)
    assert posted["NAV_DEPTH"] == pytest.approx(3.0, abs=3.0)
    assert posted["NAV_HEADING"] == pytest.approx(90.0, abs=1.0)


def test_start_std_and_start_heading_std_are_the_uncertainty_of_the_start(drive):
    log = (sensor("SPEED_LOG", "speed_log", 1, speed=0.1),)
    start = "start_pos = x=0, y=0, heading=90"
    sure, unsure = (
        Boat(drive(NavFilter, f"{start}\nstart_std={std}\nstart_heading_std={hdg}"), log).sail(1)
        for std, hdg in ((0.1, 1), (30, 20))
    )
    assert sure["NAV_X_STD"] == pytest.approx(0.1, rel=0.5)
    assert unsure["NAV_X_STD"] == pytest.approx(30.0, rel=0.1)
    assert unsure["NAV_HEADING_STD"] > 10 * sure["NAV_HEADING_STD"]


def test_speed_std_is_the_initial_uncertainty_of_speed(boat):
    slow, fast = (boat(f"speed_std = {std}").sail(2)["NAV_SPEED_OVER_GROUND"] for std in (0.01, 5))
    assert slow < 0.3
    assert fast > 1.0


@pytest.mark.parametrize("name", ["acceleration_std", "turn_std", "current_std"])
def test_larger_process_noise_gives_larger_uncertainty(boat, name):
    posted_name = {"acceleration_std": "NAV_X_STD", "turn_std": "NAV_HEADING_STD"}
    calm, wild = (boat(f"{name} = {std}").sail(30) for std in (0.01, 10))
    which = posted_name.get(name, "NAV_SPEED_STD")
    if name == "current_std":  # with a current that may be anything, the log tells no more of it
        calm, wild = (json.loads(one["NAV_SOLUTION"]) for one in (calm, wild))
        assert wild["covariance"][120] > 10 * calm["covariance"][120]
    else:
        assert wild[which] > 1.3 * calm[which]


def test_current_time_is_the_correlation_time_of_the_current(boat):
    brief, lasting = (
        json.loads(boat(f"current_time = {time}").sail(40)["NAV_SOLUTION"])["covariance"][120]
        for time in (1, 100000)
    )
    assert brief > 1.5 * lasting


def test_gravity_is_subtracted_from_accelerometer_measurements(drive):
    imu = sensor("IMU", "IMU", 1, orientation=0.01, angular_velocity=0.01, linear_acceleration=0.1)
    felt = {
        "orientation": [1.0, 0.0, 0.0, 0.0],
        "angular_velocity": [0.0] * 3,
        "linear_acceleration": [0.0, 0.0, -3.7],
    }
    aboard = (imu, sensor("GPS", "GPS", 1, position=0.1))
    sunk = {}
    for gravity in (3.7, 9.81):
        one = Boat(drive(NavFilter, f"gravity = {gravity}\ngate = 0"), aboard)
        sunk[gravity] = one.sail(8, IMU=felt, GPS={"position": [0.0, 0.0, 0.0]})["NAV_DEPTH"]
    assert abs(sunk[3.7]) < 0.1
    assert sunk[9.81] > 0.3


def test_every_parameter_has_a_test_above():
    text = Path(__file__).read_text()
    for parameter in NavFilter.parameters:
        assert parameter.name in text


@pytest.mark.parametrize(
    "line",
    [
        "gate = -1",
        "start_pos = x=1",
        "start_pos = x=1,y=2,heading=north",
        "start_pos = x=1,y=2,heading=3,hight=4",
        "speed_std = fast",
        *(f"{name}_std = 0" for name in ("start", "start_heading", "speed", "current", "turn")),
        *(f"{name} = 0" for name in ("acceleration_std", "current_time", "gravity")),
    ],
)
def test_an_invalid_line_is_reported(drive, line):
    with pytest.raises(ConfigError, match=r"test\.moos:0: "):
        drive(NavFilter, line)


def test_an_invalid_record_is_reported_and_left_out(boat):
    one = boat()
    one.sail(3)
    one.driven.tick(4.0, {"GPS_DATA": "here", "COMPASS_DATA": "{}"})
    assert len(one.driven.app.run_warnings) == 2
    assert "NAV_X" in one.sail(6, first=5)


def test_an_invalid_description_is_reported(drive):
    one = drive(NavFilter)
    one.tick(1.0, {"SENSORS": "none"})
    assert "steerageway help sensors" in "".join(one.app.run_warnings)


def test_a_displaced_vessel_is_found_again_and_reported(boat):
    one = boat()
    one.sail(20)
    posted = one.sail(60, first=21, GPS={"position": [900.0, 0.0, 0.0]}, SPEED_LOG={"speed": 0.0})
    assert posted["NAV_Y"] == pytest.approx(900.0, abs=3.0)
    assert "elsewhere" in "".join(one.driven.app.run_warnings)


def test_an_empty_block_uses_the_filters_defaults() -> None:
    assert FilterOptions.read(Config()).tuning == Tuning()


@pytest.mark.parametrize("variable", ["SENSORS", "GPS_DATA"])
def test_json_of_any_depth_ends_nothing(drive: Any, variable: str) -> None:
    boat = Boat(drive(NavFilter, ""))
    deep = '{"time": ' + "[" * 20_000
    boat.driven.tick(0.6, {variable: deep})
    assert "nested less deep" in str(boat.driven.app.run_warnings)
    assert "NAV_X" in boat.sail(5)


@pytest.mark.parametrize(("degrees_known", "warns"), [(30.0, True), (15.0, False)])
def test_a_vague_first_heading_gives_a_warning(
    drive: Any, degrees_known: float, warns: bool
) -> None:
    # 0.35 rad are 20 degrees
    aboard = (ABOARD[0], sensor("COMPASS", "compass", 1, heading=degrees_known))
    boat = Boat(drive(NavFilter, ""), aboard)
    boat.sail(5)
    found = [text for text in boat.driven.app.run_warnings if "standard deviations" in text]
    assert len(found) == warns
    assert [boat.driven.app.run_warnings[text] for text in found] == [1] * warns
