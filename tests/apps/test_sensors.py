"""``uSensors``, driven by the simulator's mail."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from math import degrees, pi
from pathlib import Path

import numpy as np
import pytest

from steerageway.apps.sensing.sensors import Sensors
from steerageway.apps.sensing.simulator_block import Simulator, read_simulator
from steerageway.apps.shared.building import block_of, setting_for
from steerageway.bus import Config, ConfigError, Entry, Message, Setting, run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.mission import read_mission
from steerageway.peers.panisim.missions import missions_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "sensors.md").read_text()
ORIGIN = Config([("LatOrigin", "59.9075", "a.moos:1"), ("LongOrigin", "10.72", "a.moos:2")])
COLUMNS = (
    *("x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r"),
    *("u_dot", "v_dot", "w_dot", "p_dot", "q_dot", "r_dot"),
)
SOOKSHMA = f"sensors_file = {ROOT}/inputs/sookshma/sensors.yml"
GPS = "sensor = sensor_type=GPS, publish_rate=1"
STEP = 0.02


def state(time: float, **values: float) -> Message:
    """Return a state as the simulator posts it."""
    text = ",".join(f"{name}={values.get(name, 0.0):.12g}" for name in COLUMNS)
    more = "".join(f",{k}={v:.12g}" for k, v in values.items() if k not in COLUMNS)
    return Message("USM_STATE", f"time={time:.12g},{text}{more}", time, "uSimMarineV22")


class Sea:
    """A simulator of a vessel that goes north at 2 m/s, and the app with its sensors."""

    def __init__(self, driven) -> None:
        self.driven, self.posts = driven, list(driven.started)
        self.told = 0  # steps so far

    def sail(self, until: float, tick: float = 0.1, sim_tick: float = 0.2, **state_of) -> None:
        """Let time pass: the simulator posts at its ticks, the app receives at its own."""
        start = self.told * STEP
        moments = {round(start + k * tick, 9) for k in range(1, round((until - start) / tick) + 1)}
        for now in sorted(moments):
            mail = []
            posted = int(now / sim_tick + 1e-9) * sim_tick  # the simulator's last tick
            if abs(posted - now) < 1e-9:
                posted -= sim_tick  # of the same instant: not yet seen
            while (self.told + 1) * STEP <= posted + 1e-9:
                self.told += 1
                time = round(self.told * STEP, 9)
                mail.append(state(time, **({"x": 2 * time, "u": 2.0} | state_of)))
            self.driven.take(now, mail)
            self.posts += [(now, post) for post in self.driven.posts]

    def of(self, name: str) -> list[tuple[float, float, float]]:
        """Return (when it came, its stamp, value) of each post of a variable."""
        return [(now, p.time, p.value) for now, p in self.posts[1:] if p.name == name]


@pytest.fixture
def sea(drive: Callable) -> Callable[..., Sea]:
    """Return ``sea(block, **setting) -> Sea``."""

    def make(block: str, **setting) -> Sea:
        return Sea(drive(Sensors, block, "uSensors", **({"globals": ORIGIN} | setting)))

    return make


@pytest.mark.parametrize(("tick", "sim_tick"), [(0.1, 0.2), (0.05, 0.1), (0.5, 0.2), (1.0, 1.0)])
def test_rates_are_exact_and_do_not_depend_on_ticks(tick, sim_tick, sea) -> None:
    water = sea("sensor = sensor_type=rate_gyro, publish_rate=7\n" + GPS)
    water.sail(5.0, tick, sim_tick)
    last = round(5.0 - sim_tick, 9)  # the simulator's tick the app has heard of by its last one
    times = [time for _, time, _ in water.of("GYRO_RATE")]
    assert times == pytest.approx([k / 7 for k in range(1, int(last * 7 + 1e-9) + 1)], abs=1e-9)
    assert [time for _, time, _ in water.of("GPS_X")] == [float(k) for k in range(1, int(last) + 1)]


def test_measurements_do_not_depend_on_the_apps_tick(sea) -> None:
    received = []
    for tick in (0.05, 0.2, 1.0):
        water = sea("sensor = sensor_type=IMU, publish_rate=13, linear_acceleration_rms=1")
        water.sail(4.0, tick)
        received.append(np.array([(time, value) for _, time, value in water.of("IMU_AX")]))
    assert len(received[0]) > 40
    assert received[0] == pytest.approx(received[1], abs=1e-12)
    assert received[0] == pytest.approx(received[2], abs=1e-12)


@pytest.mark.parametrize(("tick", "sim_tick"), [(0.1, 0.2), (0.05, 0.25), (0.5, 0.2)])
def test_a_measurement_arrives_at_most_one_tick_of_both_later(tick, sim_tick, sea) -> None:
    water = sea("sensor = sensor_type=compass, publish_rate=10")
    water.sail(6.0, tick, sim_tick)
    delays = [now - time for now, time, _ in water.of("COMPASS_HEADING")]
    assert len(delays) > 40
    assert max(delays) <= tick + sim_tick + 1e-9
    assert min(delays) >= 0


def test_a_latency_delays_and_keeps_the_stamp(sea) -> None:
    plain, late = sea(GPS), sea(GPS + ", latency=1.5")
    for water in (plain, late):
        water.sail(8.0)
    assert [v[1:] for v in late.of("GPS_Y")] == [v[1:] for v in plain.of("GPS_Y")][:6]
    delays = [now - time for now, time, _ in late.of("GPS_Y")]
    assert all(1.5 - 1e-9 <= delay <= 1.5 + 0.1 + 1e-9 for delay in delays)


def test_values_are_those_of_the_time_of_the_stamp(sea) -> None:
    water = sea("sensor = sensor_type=UWB, publish_rate=3")
    water.sail(5.0)
    for _, time, north in water.of("UWB_Y"):
        assert north == pytest.approx(2 * time, abs=1e-6)


NOISY = "publish_rate=10, position_rms=1"


def test_adding_a_sensor_changes_no_others_noise(sea) -> None:
    received = []
    for more in ("", "\nsensor = sensor_type=GPS, position_rms=5, publish_rate=50\n" + SOOKSHMA):
        water = sea(f"sensor = sensor_type=UWB, sensor_name=TAG, {NOISY}{more}")
        water.sail(3.0)
        received.append(water.of("TAG_X"))
    assert len(received[0]) > 25
    assert received[0] == received[1]


def test_two_identical_sensors_have_different_noise_and_each_seed_too(sea) -> None:
    block = f"sensor = sensor_type=UWB, {NOISY}\nsensor = sensor_type=UWB, {NOISY}"
    one, other = sea(block), sea(block, seed=7)
    for water in (one, other):
        water.sail(3.0)
    noises = one.of("UWB_X"), one.of("UWB_2_X"), other.of("UWB_X")
    assert len({tuple(value for *_, value in noise) for noise in noises}) == 3


def test_lost_measurements_do_not_come_and_the_report_counts_them(sea) -> None:
    water = sea("sensor = sensor_type=compass, publish_rate=50, dropout=0.25")
    water.sail(20.0)
    count = len(water.of("COMPASS_HEADING"))
    assert 990 * 0.69 < count < 990 * 0.81
    (line,) = [line for line in water.driven.app.report() if line.startswith("COMPASS")]
    assert line == f"COMPASS: 50 Hz, {count} told, {990 - count} lost"


def test_a_gps_under_water_publishes_nothing_until_it_surfaces(sea) -> None:
    water = sea(GPS + ", lost_below=0.5")
    water.sail(3.4)
    water.sail(7.4, z=4.0)
    water.sail(10.0)
    assert [time for _, time, _ in water.of("GPS_X")] == [1.0, 2.0, 3.0, 8.0, 9.0]


def test_a_gps_too_far_from_the_datum_publishes_nothing(sea) -> None:
    water = sea(GPS)
    water.sail(2.4)
    water.sail(5.4, y=7e6)
    water.sail(7.9)
    assert [time for _, time, _ in water.of("GPS_LAT")] == [1.0, 2.0, 6.0, 7.0]


def test_a_sensor_publishes_numbers_a_record_and_its_topic(sea) -> None:
    water = sea(SOOKSHMA + "\nsensor = sensor_type=GPS, publish_rate=1, position_rms=2")
    water.sail(1.4)
    (gps,) = water.of("GPS_DATA")
    record = json.loads(gps[2])
    assert record["sensor"] == "GPS"
    assert record["time"] == gps[1] == 1.0
    for key, name in (("latitude", "LAT"), ("longitude", "LONG"), ("altitude", "ALT")):
        assert water.of(f"GPS_{name}")[0][2] == pytest.approx(record[key])
    north, east, down = record["position"]
    assert water.of("GPS_X")[0][2] == pytest.approx(east)
    assert water.of("GPS_Y")[0][2] == pytest.approx(north)
    assert record["position_covariance"] == [4, 0, 0, 0, 4, 0, 0, 0, 4]
    assert record["altitude"] == pytest.approx(-down)
    assert water.of("/sookshma_00/imu/data") == water.of("IMU_DATA")
    assert len(water.of("IMU_DATA")) == 60
    assert water.of("/sookshma_00/uwb") == water.of("UWB_DATA")


def test_the_list_of_sensors_contains_what_a_filter_needs(sea) -> None:
    line = (
        "sensor = sensor_type=IMU, publish_rate=50, sensor_location=1:2:3, latency=0.25, "
        "sensor_orientation=0:0:0.5, angular_velocity_bias=0.1, angular_velocity_drift_rms=0.01, "
        "angular_velocity_drift_time=300, linear_acceleration_rms=0.2"
    )
    (post,) = sea(line).driven.started
    assert (post.name, post.time) == ("SENSORS", 0.0)
    (imu,) = json.loads(post.value)
    assert (imu["sensor"], imu["type"], imu["rate"], imu["latency"]) == ("IMU", "IMU", 50.0, 0.25)
    assert (imu["location"], imu["orientation"]) == ([1, 2, 3], [0, 0, 0.5])
    assert imu["parts"]["angular_velocity"] == {
        "covariance": [0.0] * 9,
        "bias": [0.1] * 3,
        "drift_rms": [0.01] * 3,
        "drift_time": [300.0] * 3,
    }
    assert imu["parts"]["linear_acceleration"]["covariance"][0] == pytest.approx(0.04)


def test_everything_posted_was_declared(sea) -> None:
    water = sea(SOOKSHMA + "\n" + GPS)
    water.sail(3.0)
    posted = {post.name for _, post in water.posts[1:]} | {"SENSORS"}
    assert posted == set(water.driven.app.publishes)
    assert not water.driven.app.run_warnings


def test_current_wind_and_depth_come_from_the_simulators_mail(sea) -> None:
    kinds = ("speed_log", "wind", "altimeter")
    water = sea("\n".join(f"sensor = sensor_type={kind}, publish_rate=1" for kind in kinds))
    water.sail(2.4)
    assert water.of("ALTIMETER_RANGE") == []
    measured = {
        "USM_DRIFT_SUMMARY": "ang=0, mag=0.5, xmag=0, ymag=0.5",
        "WIND_CONDITIONS": "spd=3,dir=0",
        "WATER_DEPTH": 12.0,
    }
    water.driven.take(2.4, [Message(name, value, 2.4, "a") for name, value in measured.items()])
    water.sail(4.4)
    assert [v for *_, v in water.of("SPEED_LOG_SPEED")] == pytest.approx([2.0, 2.0, 1.5, 1.5])
    assert [v for *_, v in water.of("APPARENT_WIND_SPEED")] == pytest.approx([2, 2, 5, 5])
    assert [v for *_, v in water.of("ALTIMETER_RANGE")] == pytest.approx([12.0, 12.0])


@pytest.mark.parametrize("tick", [0.1, 0.5, 1.0])
def test_a_fault_by_mail_affects_measurements_from_its_instant_on(sea, tick) -> None:
    """The mail of an instant comes with the tick after it, with the states up to that tick."""
    water = sea("sensor = sensor_type=speed_log, publish_rate=10")
    water.sail(2.0, tick=tick)
    mail = [
        Message("FAULT_SPEED_LOG", "bias@1.5", 2.35, "a")._replace(instant=2_350_000_000),
        Message("FAULT_SPEED_LOG", "none", 3.25, "a")._replace(instant=3_250_000_000),
    ]
    water.driven.take(2.0 + 1e-6, mail)
    water.sail(5.0, tick=tick)
    for _, time, speed in water.of("SPEED_LOG_SPEED"):
        assert speed == pytest.approx(3.5 if 2.35 <= time < 3.25 else 2.0)
    assert water.driven.app.run_warnings == {}


def test_an_invalid_fault_is_a_run_warning_and_changes_nothing(sea) -> None:
    water = sea("sensor = sensor_type=speed_log, publish_rate=10")
    water.driven.take(0.1, [Message("FAULT_SPEED_LOG", "bias@a lot", 0.1, "a")])
    water.sail(1.0)
    assert {value for *_, value in water.of("SPEED_LOG_SPEED")} == {2.0}
    (warning,) = water.driven.app.run_warnings
    assert warning.startswith("FAULT_SPEED_LOG = 'bias@a lot': ")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("USM_STATE", "time=1,x=what"),
        ("USM_STATE", "time=9,x=1"),
        ("USM_STATE", 3.0),
        ("WATER_DEPTH", "deep"),
        ("USM_WATER_DEPTH", -1.0),
        ("WIND_CONDITIONS", "a breeze"),
        ("USM_DRIFT_SUMMARY", "ang=0"),
        ("USM_DRIFT_SUMMARY", "ang=0, mag=nan, xmag=nan, ymag=0"),
        ("USM_DRIFT_SUMMARY", "ang=0, mag=inf, xmag=0, ymag=1e999"),
    ],
)
def test_mail_that_makes_no_sense_is_reported_and_changes_nothing(name, value, sea) -> None:
    water = sea(GPS)
    water.sail(1.0)
    water.driven.take(1.01, [Message(name, value, 1.01, "uPokeDB")])
    water.sail(3.0)
    assert [warning.split(" =")[0] for warning in water.driven.app.run_warnings] == [name]
    assert len(water.of("GPS_X")) == 2


def test_a_silent_simulator_is_reported_missing_until_it_posts(sea) -> None:
    water = sea(GPS)
    for now in (5.0, 11.0, 12.0):
        water.driven.take(now, [])
    silence = "nothing heard of USM_STATE: nothing is measured"
    assert water.driven.app.run_warnings == {silence: 1}
    water.driven.take(13.0, [state(12.98)])
    assert water.driven.app.run_warnings == {}


MISSION = """
LatOrigin = 59.9
LongOrigin = 10.7
ProcessConfig = ANTLER
{{
  Run = MOOSDB
  Run = uSimMarineV22
  Run = uSensors
}}
ProcessConfig = uSimMarineV22
{{
{}
}}
"""


@pytest.fixture
def mission(tmp_path: Path, sea) -> Callable[..., Sea]:
    """Return the app in a mission whose simulator has these lines."""

    def make(lines: str, block: str = "") -> Sea:
        path = tmp_path / "test.moos"
        path.write_text(MISSION.format(lines))
        return sea(block, file=path, folder=tmp_path)

    return make


def names(sea: Sea) -> list[str]:
    return [sensor["sensor"] for sensor in json.loads(sea.driven.started[0].value)]


def test_sensors_are_those_of_the_simulators_vessel(mission) -> None:
    water = mission("model = fossen\nvessel = sookshma")
    assert names(water) == ["IMU", "UWB", "ENC_CS_1"]
    water.sail(1.4, cs_1=0.1)
    assert len(water.of("IMU_AX")) == 60
    noise = 4 * 0.1
    assert all(abs(value - degrees(0.1)) < noise for *_, value in water.of("ENC_CS_1"))


def test_the_simulators_block_may_name_variables_of_the_environment(mission, monkeypatch) -> None:
    monkeypatch.setenv("BOAT", "sookshma")
    assert "UWB" in names(mission("model = fossen\nvessel = ${BOAT}"))


def test_a_vessels_drawing_shows_where_its_sensors_are(mission) -> None:
    co = "vessel_override = geometry.CO.position = [1, 0.5, 0]"
    water = mission(f"model = fossen\nvessel = mavymini\n{co}")
    imu, *_ = json.loads(water.driven.started[0].value)
    assert imu["location"] == pytest.approx([0.25 - 1, 0.01 - 0.5, 0.1])


def test_a_line_of_the_block_is_a_sensor_more(mission) -> None:
    water = mission("model = fossen\nvessel = sookshma", GPS)
    assert names(water) == ["IMU", "UWB", "ENC_CS_1", "GPS"]


def test_an_imu_measures_the_gravity_of_the_vessels_world(mission) -> None:
    water = mission(
        "model = fossen\nvessel = otter\nvessel_override = vessel.gravity = 9.7",
        "sensor = sensor_type=IMU, publish_rate=1",
    )
    water.sail(1.4)
    assert water.of("IMU_AZ")[0][2] == pytest.approx(-9.7)


def test_the_simulators_wind_and_depth_count_from_the_start(mission) -> None:
    lines = (
        "model = fossen\nvessel = otter\nwind_conditions = spd=3,dir=0\ndefault_water_depth = 30"
    )
    kinds = "\n".join(f"sensor = sensor_type={k}, publish_rate=1" for k in ("wind", "altimeter"))
    water = mission(lines, kinds)
    water.sail(1.4)
    assert water.of("APPARENT_WIND_SPEED")[0][2] == pytest.approx(5.0)
    assert water.of("ALTIMETER_RANGE")[0][2] == pytest.approx(30.0)


def test_sensors_follow_changes_of_the_simulator_by_the_command_line(tmp_path) -> None:
    path = tmp_path / "test.moos"
    block = "ProcessConfig = uSensors\n{\n  sensor = sensor_type=wind, publish_rate=1\n}\n"
    path.write_text(MISSION.format("wind_conditions = spd=3,dir=0") + block)
    felt = "(APPARENT_WIND_SPEED > 7.9) and (APPARENT_WIND_ANGLE > 89.9)"
    how = ["--placement", "one", "--warp", "max", "--for", "5", "--no-log", "--until", felt]
    blows = "--config=uSimMarineV22.wind_conditions=spd=8,dir=90"
    outcome = run(plan_launch(parse_options([str(path), *how, blows])).plan, lambda progress: None)
    assert outcome.exit_reason == "until"


def simulator_of(tmp_path: Path, process: str, lines: str, *instead: str) -> Simulator:
    """Read a simulator's block as the sensors do, with lines from the command line."""
    path = tmp_path / "test.moos"
    path.write_text(MISSION.format(lines).replace("uSimMarineV22", process))
    pairs = (line.split("=", 1) for line in instead)
    overrides = {process: [Entry(key, value, f"--config {key}") for key, value in pairs]}
    return read_simulator(setting_for(Sensors, read_mission(path), "uSensors", overrides=overrides))


@pytest.mark.parametrize(
    ("lines", "instead", "attribute", "value"),
    [
        ("prefix = NAV", "Prefix=TRUE", "truth", "TRUE_"),
        ("dual_state = true", "dual_state=false", "truth", "USM_"),
        ("default_water_depth = 5", "default_water_depth=30", "water_depth", 30.0),
        ("model = fossen", "model=thruster", "fossen", False),
        (
            "model = fossen\nvessel_override = a.b = 1\nvessel_override = a.c = 2",
            "vessel_override=a.b=3",
            "overrides",
            {"a.b": "3"},
        ),
    ],
)
def test_a_line_of_the_command_line_replaces_all_of_its_key(
    lines, instead, attribute, value, tmp_path
) -> None:
    settings = simulator_of(tmp_path, "uSimMarineV22", lines, instead)
    assert getattr(settings, attribute) == value
    assert getattr(simulator_of(tmp_path, "uSimMarineV22", lines), attribute) != value


@pytest.mark.parametrize(("process", "counts"), [("uSimMarine", "A_"), ("uSimMarineV22", "B_")])
def test_the_repeated_line_in_effect_is_that_of_the_simulator(process, counts, tmp_path) -> None:
    assert simulator_of(tmp_path, process, "prefix = A\nprefix = B").truth == counts


@pytest.mark.parametrize(
    ("process", "model", "truth"),
    [
        ("uSimMarine", "", "NAV__"),
        ("uSimMarineV22", "", "NAV_"),
        ("uSimMarineV22", "model = released", "NAV__"),
        ("uSimMarineV22", "model = fossen", "NAV_"),
    ],
)
def test_a_prefix_with_an_underscore_is_as_the_simulator_makes_it(
    process, model, truth, tmp_path
) -> None:
    assert simulator_of(tmp_path, process, f"prefix = NAV_\n{model}").truth == truth
    assert simulator_of(tmp_path, process, f"prefix = NAV\n{model}").truth == "NAV_"


def tick(driven, now: float, prefix: str, **values: float) -> list:
    """Let the app receive a tick of a simulator that posts only its motion."""
    mail = [Message(f"{prefix}{k}", v, now, "uSimMarineV22") for k, v in values.items()]
    driven.take(now, mail)
    return list(driven.posts)


@pytest.mark.parametrize(
    ("lines", "prefix"),
    [
        ("", "USM_"),
        ("prefix = NAV", "NAV_"),
        ("prefix = NAV_\ndual_state = true", "NAV_GT_"),
        ("prefix = A\nprefix = B", "B_"),
    ],
)
def test_a_simulator_without_rates_is_measured_as_far_as_its_state_allows(
    lines, prefix, mission
) -> None:
    kinds = ("IMU", "compass", "DVL", "depth")
    sensors = "\n".join(f"sensor = sensor_type={kind}, publish_rate=8" for kind in kinds)
    water = mission(lines, sensors)
    posts = []
    for k in range(1, 5):
        now = 0.25 * k
        values = {"X": 0.5 * k, "Y": 0.0, "DEPTH": 0.25 * k, "HEADING": 90.0, "PITCH": 0.0}
        values |= {"SPEED_OVER_GROUND": 2.0, "HEADING_OVER_GROUND": 90.0}
        posts += tick(water.driven, now, prefix, **values)
    last = {post.name: post.value for post in posts}
    assert last["COMPASS_HEADING"] == pytest.approx(90.0)
    assert [last["DVL_VX"], last["DVL_VY"], last["DVL_VZ"]] == pytest.approx([2, 0, 1])
    assert [last["IMU_AX"], last["IMU_AZ"]] == pytest.approx([0, -9.81])
    assert last["PRESSURE_DEPTH"] == pytest.approx(1.0)
    assert [p.time for p in posts if p.name == "COMPASS_HEADING"] == [k / 8 for k in range(2, 9)]
    assert any("differences between its ticks" in line for line in water.driven.app.report())


def test_encoders_of_a_simulator_without_actuators_are_reported_and_left_out(mission) -> None:
    water = mission("prefix = NAV", SOOKSHMA)
    assert names(water) == ["IMU", "UWB"]
    (warning,) = water.driven.app.config_warnings
    assert re.search(r"sensors.yml:\d+: .*encoder: the simulator's model has no actuators", warning)


def test_without_sensors_there_is_a_warning(mission) -> None:
    water = mission("model = fossen\nvessel = otter")
    (warning,) = water.driven.app.config_warnings
    assert "there is no sensor" in warning


def test_a_file_of_sensors_is_found_above_the_mission(sea) -> None:
    folder = ROOT / "missions" / "alpha"
    water = sea("sensors_file = inputs/mavymini/sensors.yml", folder=folder)
    assert "GPS" in names(water)


def test_the_datums_height_is_that_of_the_local_plane(sea) -> None:
    for block, altitude in ((GPS, 0.0), (f"{GPS}\ndatum_height = -87", -87.0)):
        water = sea(block)
        water.sail(1.4)
        assert water.of("GPS_ALT")[0][2] == pytest.approx(altitude)


def test_without_a_datum_a_gps_reports_local_positions_with_a_warning(sea) -> None:
    water = sea(GPS, globals=Config())
    water.sail(1.4)
    assert water.of("GPS_LAT") == []
    assert water.of("GPS_Y")[0][2] == pytest.approx(2.0)
    assert any("LatOrigin" in warning for warning in water.driven.app.config_warnings)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (
            "sensor = sensor_type=GPS",
            r"test.moos:0: sensor = sensor_type=GPS: .*publish_rate is miss",
        ),
        ("sensor = publish_rate=1", r"test.moos:0: .*sensor_type: nothing"),
        (f"{GPS}\nsensor = sensor_type=GSP", r"test.moos:1: .*GSP: expected GPS, the nearest"),
        ("sensors_file = nowhere.yml", r"test.moos:0: sensors_file = nowhere.yml: no such file"),
        ("sensor_class = sonar", r"test.moos:0: sensor_class = sonar: expected module:ClassName"),
        ("sensor_class = :", r"test.moos:0: sensor_class = :: expected module:ClassName"),
        ("sensor_class = .mine:Sonar", r"test.moos:0: .*expected module:ClassName"),
        ("sensor_class = no_such:Sonar", r"test.moos:0: .*expected a module that can be imported"),
        (
            "sensor_class = steerageway.bus:App",
            r"test.moos:0: .*expected a subclass of vessel.se",
        ),
        ("datum_height = high", r"test.moos:0: datum_height = high: expected a number"),
        (
            f"{GPS}, sensor_name=A\n{GPS}, sensor_name=A",
            r"test.moos:1: .*sensor_name A: expected a name of its own",
        ),
    ],
)
def test_errors_are_reported_with_file_and_line(block, message, sea) -> None:
    with pytest.raises(ConfigError, match=message):
        sea(block)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("publish_rate: 50", "publish_rate: -50", r"sensors.yml:9: .*publish_rate = -50"),
        ("sensor_topic: /sookshma_00", "sensor_name: A\n    sensor_topic: /s", "name A: expected"),
    ],
)
def test_errors_in_a_vessels_file_are_reported(right, wrong, message, mission, tmp_path) -> None:
    (tmp_path / "boat").mkdir()
    for file in (ROOT / "inputs" / "sookshma").glob("*.yml"):
        (tmp_path / "boat" / file.name).write_text(file.read_text().replace(right, wrong))
    with pytest.raises(ConfigError, match=rf"vessel = boat: .*{message}"):
        mission("model = fossen\nvessel = boat")


def test_a_module_of_sensors_that_fails_is_an_error_of_its_line(sea, tmp_path, monkeypatch) -> None:
    (tmp_path / "failing_sonar.py").write_text("PINGS = 1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    message = r"test.moos:0: .*can be imported: ZeroDivisionError: .*\(failing_sonar.py:1\)"
    with pytest.raises(ConfigError, match=message):
        sea("sensor_class = failing_sonar:Sonar")


PANISIM = """\
sim_time: 3
time_step: 0.02
gps_datum: [12.993, 80.239, -87.0]
agents:
  - name: sookshma
    type: usv
    U: 0.5
    geometry: /workspaces/mavlab/inputs/{name}/geometry.yml
    sensors: /workspaces/mavlab/inputs/{name}/SENSORS
"""


@pytest.mark.slow
def test_a_vessel_of_panisims_main_file_has_its_sensors(tmp_path) -> None:
    shutil.copytree(ROOT / "inputs" / "sookshma", tmp_path / "sookshma")
    shutil.copy(ROOT / "inputs" / "mavymini" / "sensors.yml", tmp_path / "sookshma" / "other.yml")
    (tmp_path / "sookshma" / "none.yml").write_text("# none yet\n")
    for file, aboard in (("sensors.yml", 3), ("other.yml", 4), ("none.yml", 0)):
        (tmp_path / "main.yml").write_text(PANISIM.replace("SENSORS", file))
        _, (mission,) = missions_of(tmp_path / "main.yml")
        assert ("Run = uSensors" in mission.moos) == (aboard > 0)
        if aboard:
            path = tmp_path / "sookshma.moos"
            path.write_text(mission.moos)
            parsed = read_mission(path)
            block = block_of(Sensors, parsed, "uSensors")
            app = Sensors(Setting("uSensors", config=block, file=path, folder=tmp_path))
            app.configure()
            assert len([*app.report()]) == aboard
            assert block.number("datum_height", default=0.0) == -87.0
            assert block.unread() == []


def test_a_user_defined_sensor_works_as_documented(sea, tmp_path, monkeypatch) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "inclinometer.py").write_text(program)
    monkeypatch.syspath_prepend(tmp_path)
    lines = re.findall(r"^    (sensor\w* += .*Inclin.*)$", PAGE, re.MULTILINE)
    assert len(lines) == 2
    water = sea("\n".join(lines))
    water.sail(1.4, phi=0.3, theta=0.4)
    (values,) = {value for *_, value in water.of("INCLINOMETER_ANGLE")}
    upright = np.cos(0.3) * np.cos(0.4)
    assert values == pytest.approx(round(np.degrees(np.arccos(upright)) * 2) / 2)
    assert values < 180 / pi
