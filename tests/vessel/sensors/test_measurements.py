"""Measurements of sensors without errors, against closed forms."""

from __future__ import annotations

import json
from math import atan2, cos, degrees, hypot, pi, radians, sin, sqrt, tan

import numpy as np
import pytest
from scipy.stats import chi2

from steerageway.geometry.geodesy import Datum
from steerageway.vessel.fossen.frame import Frame
from steerageway.vessel.kinematics import eul_to_quat, eul_to_rotm
from steerageway.vessel.polar import Wind
from steerageway.vessel.sensors.kinds import KINDS
from steerageway.vessel.sensors.reading import Reader
from steerageway.vessel.sensors.sensor import Aboard, Actuator
from steerageway.vessel.sensors.truth import AIR, BOTTOM, NANO, WATER
from steerageway.world.environment import Environment, WindField
from steerageway.world.ground import Ground
from steerageway.world.weather import Weather

G = 9.81
LEVER = np.array([1.0, -0.5, 0.4])
PLACED = "sensor_location=1:-0.5:0.4"
MOUNT = np.array([0.2, -0.3, 2.0])
MOUNTED = "sensor_orientation=0.2:-0.3:2.0"
R_BS = eul_to_rotm(MOUNT)


@pytest.fixture
def measured(aboard, steady):
    """Return the numbers of one measurement of a sensor in a state that lasts."""

    def measure(line: str, *actuators: float, names=(), around=(), about=None, **state: float):
        vessel = aboard(f"publish_rate=1, {line}", names=names, **(about or {}))
        for where, value in around:
            vessel.suite.around.note(0, where, value)
        row = steady(*actuators, **state)
        vessel.sail([0.99999, 1.0], [row, row])
        readings = vessel.readings()
        return readings[0][1] if readings else None

    return measure


def test_an_imu_at_rest_and_level_measures_gravity_upwards(measured) -> None:
    numbers = measured("sensor_type=IMU")
    assert numbers == pytest.approx([0, 0, 0, 0, 0, 0, 0, 0, -G])


def test_an_imu_on_a_heeled_and_pitched_vessel_measures_gravity_in_its_frame(measured) -> None:
    phi, theta = 0.3, -0.2
    numbers = measured("sensor_type=IMU", phi=phi, theta=theta, psi=1.0)
    down = [-sin(theta), cos(theta) * sin(phi), cos(theta) * cos(phi)]
    assert numbers[:3] == pytest.approx([phi, theta, 1.0])
    assert numbers[6:] == pytest.approx([-G * d for d in down])


def test_an_imu_off_the_axis_measures_the_rotation(aboard, steady) -> None:
    """Source: acceleration of a point of a rotating body, alpha x l + w x (w x l)."""
    w, alpha = np.array([0.3, -0.2, 0.5]), np.array([0.1, 0.4, -0.6])
    before = w - alpha * 1e-3
    vessel = aboard(f"sensor_type=IMU, publish_rate=1, {PLACED}")
    turning = dict(zip(("p_dot", "q_dot", "r_dot"), alpha, strict=True))
    rows = [steady(**dict(zip("pqr", rate, strict=True)), **turning) for rate in (before, w)]
    vessel.sail([0.999, 1.0], rows)
    ((_, numbers),) = vessel.readings()
    force = np.cross(alpha, LEVER) + np.cross(w, np.cross(w, LEVER)) - [0, 0, G]
    assert numbers[3:6] == pytest.approx(w)
    assert numbers[6:] == pytest.approx(force, abs=1e-6)


def test_an_imu_measures_the_centripetal_acceleration_of_the_path(measured) -> None:
    numbers = measured("sensor_type=IMU", u=2.0, v=-0.3, r=0.4, u_dot=0.0)
    assert numbers[6:] == pytest.approx([0.3 * 0.4, 2.0 * 0.4, -G], abs=1e-9)


def test_gravity_acts_in_the_true_attitude(measured) -> None:
    noisy = measured("sensor_type=IMU, orientation_rms=0.5", phi=0.3)
    assert abs(noisy[0] - 0.3) > 0.01
    assert noisy[6:] == pytest.approx([0, -G * sin(0.3), -G * cos(0.3)])


def test_an_imu_measures_everything_in_its_own_axes(measured) -> None:
    state = {"phi": 0.1, "theta": 0.2, "psi": -1.0, "p": 0.3, "q": -0.1, "r": 0.2, "u": 1.5}
    plain = measured(f"sensor_type=IMU, {PLACED}", **state)
    turned = measured(f"sensor_type=IMU, {PLACED}, {MOUNTED}", **state)
    R_ns = eul_to_rotm([0.1, 0.2, -1.0]) @ R_BS
    assert eul_to_rotm(turned[:3]) == pytest.approx(R_ns)
    assert turned[3:6] == pytest.approx(R_BS.T @ plain[3:6])
    assert turned[6:] == pytest.approx(R_BS.T @ plain[6:])


def test_the_record_of_an_imu_has_the_quaternion_of_its_angles(aboard, steady) -> None:
    vessel = aboard("sensor_type=IMU, publish_rate=10, orientation_rms=0.1")
    row = steady(phi=0.3, psi=3.1)
    vessel.sail([0.0, 0.5, 1.0], [row, row, row])
    records = list(vessel.suite.instruments[0].arrived(2 * NANO))
    assert len(records) == 11
    for reading in records:
        record = json.loads(reading.record)
        q = eul_to_quat(reading.numbers[:3])
        assert abs(np.dot(record["orientation"], q)) == pytest.approx(1.0)
        assert record["angular_velocity"] == pytest.approx([0, 0, 0])
        assert record["time"] == reading.time / NANO
        assert all(-pi < angle <= pi for angle in reading.numbers[:3])


def test_places_and_axes_are_moved_from_the_drawing_to_body(measured) -> None:
    frame = Frame(np.array([0.5, 1.0, -0.2]), eul_to_rotm([0.0, 0.1, pi]))
    state = {"p": 0.3, "q": -0.1, "r": 0.2, "u": 1.5}
    values = measured(f"sensor_type=DVL, {PLACED}, {MOUNTED}", about={"frame": frame}, **state)
    place = frame.R.T @ (LEVER - frame.origin)
    velocity = np.array([1.5, 0, 0]) + np.cross([0.3, -0.1, 0.2], place)
    assert values == pytest.approx((frame.R.T @ R_BS).T @ velocity)


def test_a_compass_shows_the_heading_of_its_own_axis(measured) -> None:
    assert measured("sensor_type=compass", psi=radians(350)) == pytest.approx([350])
    turned = measured("sensor_type=compass, sensor_orientation=0:0:0.5", psi=radians(350))
    assert turned == pytest.approx([(350 + degrees(0.5)) % 360])
    # with a pitch and a heel the axis is still seen from above
    axis = eul_to_rotm([0.3, 0.2, 1.0]) @ R_BS[:, 0]
    tilted = measured(f"sensor_type=compass, {MOUNTED}", phi=0.3, theta=0.2, psi=1.0)
    assert tilted == pytest.approx([degrees(atan2(axis[1], axis[0])) % 360])


def test_a_compass_with_an_error_still_shows_a_heading(measured) -> None:
    over = measured("sensor_type=compass, heading_bias=15", psi=radians(350))
    under = measured("sensor_type=compass, heading_bias=-15", psi=radians(10))
    assert (over, under) == (pytest.approx([5]), pytest.approx([355]))


def test_a_rate_gyro_measures_turning_about_its_own_axis(measured) -> None:
    state = {"p": 0.3, "q": -0.1, "r": 0.2}
    assert measured("sensor_type=rate_gyro", **state) == pytest.approx([0.2])
    turned = measured(f"sensor_type=rate_gyro, {MOUNTED}", **state)
    assert turned == pytest.approx([np.dot(R_BS[:, 2], [0.3, -0.1, 0.2])])


def antenna(eul: tuple[float, float, float], place: tuple[float, float, float]) -> np.ndarray:
    return np.array(place) + eul_to_rotm(eul) @ LEVER


POSE = {"x": 100.0, "y": -50.0, "z": 2.0, "phi": 0.3, "theta": -0.2, "psi": 2.0}


def test_a_gps_finds_its_antenna(measured) -> None:
    plane = Datum(59.9075, 10.72)
    north, east, down = antenna((0.3, -0.2, 2.0), (100, -50, 2))
    about = {"projection": plane, "height": 40.0}
    lat, lon, altitude, x, y = measured(f"sensor_type=GPS, {PLACED}", about=about, **POSE)
    assert plane.to_local(lat, lon) == pytest.approx((east, north), abs=1e-6)
    assert (altitude, x, y) == pytest.approx((40 - down, east, north))


def test_without_a_datum_a_gps_reports_no_latitude(measured) -> None:
    north, east, down = antenna((0.3, -0.2, 2.0), (100, -50, 2))
    assert measured(f"sensor_type=GPS, {PLACED}", **POSE) == pytest.approx([-down, east, north])


def test_a_uwb_tag_is_found_where_it_is(measured) -> None:
    north, east, down = antenna((0.3, -0.2, 2.0), (100, -50, 2))
    assert measured(f"sensor_type=UWB, {PLACED}", **POSE) == pytest.approx([east, north, down])


@pytest.mark.parametrize("latitude", [13.0, 59.9, -75.0])
def test_the_noise_of_a_gps_is_in_metres_north_east_down(latitude, aboard, steady) -> None:
    plane = Datum(latitude, 10.0)
    noise = "position_covariance=4:1:0:1:9:0:0:0:25"
    vessel = aboard(f"sensor_type=GPS, publish_rate=1000, {noise}", projection=plane)
    row = steady(x=500.0, y=300.0)
    vessel.sail(np.arange(4.0), [row] * 4)
    offsets = []
    for _, (lat, lon, altitude, *_rest) in vessel.readings():
        east, north = plane.to_local(lat, lon)
        offsets.append([north - 500.0, east - 300.0, -altitude])
    assert len(offsets) == 3001
    factor = np.linalg.cholesky([[4, 1, 0], [1, 9, 0], [0, 0, 25]])
    white = np.linalg.solve(factor, np.array(offsets).T)
    assert np.abs(white @ white.T / len(offsets) - np.eye(3)).max() < 4 * sqrt(2 / len(offsets))


def test_a_radio_is_lost_when_its_antenna_is_under_water_if_requested(measured) -> None:
    for kind in ("GPS", "UWB"):
        mast = f"sensor_type={kind}, sensor_location=0:0:-0.5"
        assert measured(mast, z=3.0) is not None
        assert measured(f"{mast}, lost_below=0.2", z=0.6) is not None
        assert measured(f"{mast}, lost_below=0.2", z=0.8) is None


def test_a_depth_sensor_measures_the_depth_of_its_place(measured) -> None:
    down = antenna((0.3, -0.2, 2.0), (0, 0, 2))[2]
    assert measured(f"sensor_type=depth, {PLACED}", **POSE) == pytest.approx([down])
    assert measured("sensor_type=depth", z=-1.0) == [0.0]


def test_an_altimeter_measures_along_its_beam(measured) -> None:
    deep = [(BOTTOM, 20.0)]
    line = f"sensor_type=altimeter, {PLACED}, sensor_orientation=0:0.1:0"
    down = antenna((0.3, -0.2, 2.0), (0, 0, 2))[2]
    beam = (eul_to_rotm([0.3, -0.2, 2.0]) @ eul_to_rotm([0, 0.1, 0]))[2, 2]
    assert measured(line, around=deep, **POSE) == pytest.approx([(20 - down) / beam])


def test_an_altimeter_reports_nothing_where_its_beam_meets_no_bottom(measured) -> None:
    deep = [(BOTTOM, 20.0)]
    line = "sensor_type=altimeter"
    assert measured(line) is None  # the depth of the water is not known
    assert measured(line, around=deep, phi=2.0) is None
    assert measured(line, around=deep, z=21.0) is None
    assert measured(line, around=deep, z=5.0) == pytest.approx([15.0])


@pytest.mark.parametrize(("depth", "z"), [(5.0, 5.0), (0.0, 0.0), (-3.0, 0.0)])
def test_on_the_ground_an_altimeter_and_a_dvl_read_zero(measured, depth: float, z: float) -> None:
    below = "sensor_location=0:0:0.2"
    around = [(BOTTOM, depth)]
    assert measured(f"sensor_type=altimeter, {below}", around=around, z=z) == [0.0]
    dvl = measured(f"sensor_type=DVL, {below}, bottom_range=0:50", around=around, z=z)
    assert dvl[3] == 0.0


@pytest.fixture
def slope() -> Weather:
    """Return a world whose bottom falls by 1 m in 5 m to the north, with a wind from the east."""
    heights = np.linspace(20.0, 60.0, 41)[:, None].repeat(41, axis=1)
    ground = Ground("slope.asc", -100.0, -100.0, 5.0, heights)
    return Weather(Environment(ground=ground, wind=WindField(6.0, 90.0)))


def test_over_a_grid_an_altimeter_meets_the_slope_ahead_of_it(aboard, steady, slope) -> None:
    for tilt in (0.0, 0.4, -0.4):
        vessel = aboard(f"publish_rate=1, sensor_type=altimeter, sensor_orientation=0:{tilt}:0")
        vessel.suite.around.weather = slope
        row = steady(x=10.0, y=3.0, z=2.0)
        vessel.sail([0.99999, 1.0], [row, row])
        # from 42 m of water: z = 42 + (x - 10)/5 meets 2 + s cos(tilt), 10 + s sin(tilt)
        expected = 40.0 / (cos(tilt) - sin(tilt) / 5.0)
        assert vessel.readings()[0][1] == pytest.approx([expected], abs=1e-5)


def test_off_the_grid_an_altimeter_reports_nothing(aboard, steady, slope) -> None:
    vessel = aboard("publish_rate=1, sensor_type=altimeter")
    vessel.suite.around.weather = slope
    row = steady(x=500.0)
    vessel.sail([0.99999, 1.0], [row, row])
    assert vessel.readings() == []


def test_a_dvl_finds_its_height_above_the_bottom_within_its_range(measured) -> None:
    line = "sensor_type=DVL, bottom_range=0.5:30"
    deep = [(BOTTOM, 20.0)]
    found = measured(line, around=deep, z=5.0, u=1.0)
    assert found == pytest.approx([1.0, 0.0, 0.0, 15.0])
    # 30 m along beams 30 degrees off are 26 m of height
    assert measured(line, around=[(BOTTOM, 30.0)], z=5.0) is not None
    assert measured(line, around=[(BOTTOM, 32.0)], z=5.0) is None
    assert measured(line, z=5.0) is None  # the depth of the water is not known
    assert measured(line, around=deep, phi=1.2) is None  # all beams too slanting
    assert len(measured("sensor_type=DVL", around=deep)) == 3


def test_a_dvl_takes_the_mean_of_its_beams_over_a_slope(aboard, steady, slope) -> None:
    vessel = aboard("publish_rate=1, sensor_type=DVL, bottom_range=0.2:100")
    vessel.suite.around.weather = slope
    row = steady(x=10.0, z=2.0)
    vessel.sail([0.99999, 1.0], [row, row])
    ahead = tan(radians(30)) * cos(pi / 4) / 5.0
    heights = [40.0 / (1.0 - side * ahead) for side in (1, 1, -1, -1)]
    assert vessel.readings()[0][1][3] == pytest.approx(np.mean(heights), abs=1e-5)


def test_an_anemometer_measures_the_wind_of_the_environment(aboard, steady, slope) -> None:
    vessel = aboard("publish_rate=1, sensor_type=wind")
    vessel.suite.around.weather = slope
    row = steady()
    vessel.sail([0.99999, 1.0], [row, row])
    assert vessel.readings()[0][1] == pytest.approx([6.0, 90.0])


MOVING = {"psi": 0.7, "u": 1.5, "v": -0.2, "w": 0.1, "p": 0.05, "q": -0.1, "r": 0.3}
NU1, NU2 = np.array([1.5, -0.2, 0.1]), np.array([0.05, -0.1, 0.3])


def test_a_dvl_measures_its_own_velocity_in_its_own_axes(measured) -> None:
    assert measured("sensor_type=DVL", **MOVING) == pytest.approx(NU1)
    moved = NU1 + np.cross(NU2, LEVER)
    assert measured(f"sensor_type=DVL, {PLACED}", **MOVING) == pytest.approx(moved)
    turned = measured(f"sensor_type=DVL, {PLACED}, {MOUNTED}", **MOVING)
    assert turned == pytest.approx(R_BS.T @ moved)


def test_a_speed_log_measures_the_water_that_passes_it(measured) -> None:
    current = np.array([0.4, -0.3, 0.0])
    through = NU1 + np.cross(NU2, LEVER) - eul_to_rotm([0, 0, 0.7]).T @ current
    line = f"sensor_type=speed_log, {PLACED}"
    around = [(WATER, current)]
    assert measured(line, around=around, **MOVING) == pytest.approx([through[0]])
    turned = measured(f"{line}, {MOUNTED}", around=around, **MOVING)
    assert turned == pytest.approx([(R_BS.T @ through)[0]])


def test_the_wind_sensor_measures_the_wind_of_own_motion(measured) -> None:
    assert measured("sensor_type=wind", u=2.0) == pytest.approx([2.0, 0.0])
    # 5 m/s from the east on a vessel that goes north at 5 m/s: from 45 degrees to starboard
    wind = Wind.read("spd=5,dir=90")
    around = [(AIR, (0.0, -wind.speed, 0.0))]
    speed, angle = measured("sensor_type=wind", around=around, u=5.0)
    assert (speed, angle) == pytest.approx((hypot(5, 5), 45.0))
    turned = measured("sensor_type=wind, sensor_orientation=0:0:1", around=around, u=5.0)
    assert turned == pytest.approx([hypot(5, 5), 45.0 - degrees(1)])
    masthead = measured("sensor_type=wind, sensor_location=0:0:-10", p=0.1)
    assert masthead == pytest.approx([1.0, 90.0])  # heeling to starboard, the mast goes there


def test_a_wind_sensor_with_errors_reports_speeds_and_angles(measured) -> None:
    line = "sensor_type=wind, wind_bias=-3:200"
    assert measured(line, u=2.0) == pytest.approx([0.0, -160.0])


THREE = (
    Actuator("cs_1", "Rudder", 180 / pi, "deg"),
    Actuator("th_1", "thruster", 30 / pi, "rpm"),
    Actuator("az_1", "azimuth", 180 / pi, "deg"),
)


@pytest.mark.parametrize(
    ("kind", "name", "unit", "value"),
    [
        ("Rudder", "ENC_CS_1", "deg", degrees(0.2)),
        ("Thruster", "ENC_TH_1", "rpm", 1500.0),
        ("azimuth", "ENC_AZ_1", "deg", degrees(-1.0)),
    ],
)
def test_encoders_report_degrees_and_revolutions_a_minute(kind, name, unit, value, aboard, steady):
    vessel = aboard(
        f"sensor_type=encoder, actuator_type={kind}, actuator_id=1, publish_rate=1",
        names=("cs_1", "th_1", "az_1"),
        actuators=THREE,
    )
    row = steady(0.2, 1500 * pi / 30, -1.0)
    vessel.sail([0.5, 1.0], [row, row])
    (reading,) = vessel.suite.instruments[0].arrived(NANO)
    assert reading.numbers == pytest.approx([value])
    record = json.loads(reading.record)
    assert (record["sensor"], record["unit"]) == (name, unit)
    assert record["actuator"] == pytest.approx([value])


def test_encoders_are_one_for_each_actuator() -> None:
    reader = Reader(Aboard(actuators=THREE))
    reader.line("sensor_type=encoders, publish_rate=10", "a.moos:1")
    assert [s.name for s in reader.finish()] == ["ENC_CS_1", "ENC_TH_1", "ENC_AZ_1"]


CORRELATED = {1: "0.04", 2: "0.04:0.01:0.01:0.09", 3: "0.04:0.01:0:0.01:0.09:-0.02:0:-0.02:0.01"}
ABOUT = {"encoder": "actuator_type=Rudder, actuator_id=1"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_noise_of_every_sensor_has_its_covariance(kind, aboard, steady) -> None:
    parts = KINDS[kind].parts
    noise = [f"{part}_covariance={CORRELATED[size]}" for part, size in parts.items()]
    line = ", ".join((f"sensor_type={kind}", "publish_rate=500", ABOUT.get(kind, MOUNTED), *noise))
    vessel = aboard(line, names=("cs_1", "th_1", "az_1"), actuators=THREE)
    vessel.suite.around.note(0, BOTTOM, 60.0)
    vessel.suite.around.note(0, AIR, (9.0, -1.0, 0.0))
    row = steady(0.2, 1.0, 0.5, z=20.0, phi=0.1, theta=0.2, psi=2.0)
    vessel.sail([0.0, 1.0, 2.0, 3.0, 4.0], [row] * 5)
    (instrument,) = vessel.suite.instruments
    readings = list(instrument.arrived(5 * NANO))
    assert len(readings) == 2001
    rows = []
    for one in readings:
        record = json.loads(one.record) | {"orientation": one.numbers[:3]}
        rows.append([value for part in parts for value in record[part]])
        assert record["time"] == one.time / NANO
    for part in parts:
        assert (
            record[f"{part}_covariance"]
            == instrument.sensor.by_part[part].covariance.ravel().tolist()
        )
    offsets = np.array(rows) - np.mean(rows, axis=0)
    white = np.linalg.solve(np.linalg.cholesky(instrument.sensor.errors.covariance), offsets.T)
    freedom = len(readings) - 1
    low, high = chi2.ppf([0.0001, 0.9999], freedom)
    assert all(low < statistic < high for statistic in np.sum(white**2, axis=1))
    correlations = white @ white.T / freedom - np.diag(np.sum(white**2, axis=1)) / freedom
    assert np.abs(correlations).max() < 4.5 / sqrt(freedom)
