"""``uSimMarineV22``, driven by mail and time: all parameters, subscriptions and posts."""

from math import asin, degrees, exp, inf, pi
from typing import NamedTuple

import numpy as np
import pytest

from steerageway.apps.shared.pid_config import PidOptions
from steerageway.apps.vessels.usim_marine.app import TO_ACTUATORS, USimMarine
from steerageway.apps.vessels.usim_marine.parameters import FMU, FOSSEN
from steerageway.apps.vessels.usim_marine.pose import read_pose
from steerageway.bus import Config, ConfigError
from steerageway.geometry.geodesy import Datum
from steerageway.geometry.utm import UtmDatum
from steerageway.vessel.errors import InvalidValue, NotFinite
from steerageway.vessel.polar import Wind

HUGE = ("nan", "inf", "1e999", "1e308")  # no drift, or one that exceeds all numbers in time
DRIFTS = ("DRIFT_VECTOR", "DRIFT_VECTOR_ADD")
QUICK = "max_acceleration = 0\nmax_deceleration = 0\nturn_spd_loss = 0\n"
AHEAD = {"DESIRED_THRUST": 40.0}
TURNING = {"DESIRED_RUDDER": 50.0, "DESIRED_THRUST": 40.0}
DIVING = "start_speed = 2\nstart_depth = 10\nbuoyancy_rate = 0\n"
DOWN = {"DESIRED_THRUST": 40.0, "DESIRED_ELEVATOR": 100.0}
DT = 0.25
FIELD = "x, y, east, north\n0, 0, 2, 0\n"
ORIGIN = Config([("LatOrigin", "43.8253", "a.moos:1"), ("LongOrigin", "-70.3304", "a.moos:2")])


def after(driven, mail=None, ticks=1):
    """Return the posts of the last of some ticks; the mail comes with the first."""
    posts = {}
    for k in range(ticks):
        now = (driven.app.iteration + 1) * DT
        posts = driven.tick(now, mail if k == 0 else None)
    return posts


class Effect(NamedTuple):
    """The effect of a line: after ``ticks`` with this mail the variable has this value."""

    line: str
    variable: str
    value: object
    mail: dict[str, object] = {}  # noqa: RUF012
    rest: str = QUICK
    ticks: int = 1


LINES = [
    Effect("model = released", "USM_SPEED", 1.5, AHEAD, QUICK, 2),
    Effect("thrust_map = 100:2", "USM_SPEED", 0.8, AHEAD),
    Effect("thrust_factor = 10", "USM_SPEED", 4.0, AHEAD),
    Effect("thrust_reflect = true", "USM_SPEED", -2.0, {"DESIRED_THRUST": -40.0}),
    Effect(
        "thrust_mode_diff = differential",
        "USM_SPEED",
        2.0,
        {"DESIRED_THRUST_L": 40.0, "DESIRED_THRUST_R": 40.0},
    ),
    Effect("thrust_mode_reverse = reverse", "USM_HEADING", 180.0),
    Effect("turn_rate = 35", "USM_HEADING", 50 * 0.35 * DT * 0.8, TURNING),
    Effect("turn_spd_loss = 0.5", "USM_SPEED", 1.5, TURNING, "max_acceleration = 0"),
    Effect("turn_loss = 0.5", "USM_SPEED", 1.5, TURNING, "max_acceleration = 0"),
    Effect("turn_spd_map_null_speed = 3", "USM_HEADING", 0.0, TURNING),
    Effect(
        "turn_spd_map_null_rate = 20",
        "USM_HEADING",
        50 * 0.2 * DT * 0.8,
        TURNING,
        QUICK + "turn_spd_map_null_speed = 3",
    ),
    Effect(
        "turn_spd_map_null_rate = 10",
        "USM_HEADING",
        50 * 0.4 * DT * 0.2,  # at 0.5 m/s: halfway to 70 at 1 m/s
        {"DESIRED_RUDDER": 50.0, "DESIRED_THRUST": 10.0},
    ),
    Effect("turn_spd_map_full_speed = 4", "USM_HEADING", 50 * 0.35 * DT * 0.8, TURNING),
    Effect("turn_spd_map_full_rate = 50", "USM_HEADING", 50 * 0.5 * DT * 0.8, TURNING),
    Effect(
        "turn_radius = 10",
        "USM_HEADING",
        2 * degrees(asin(0.5 / 20)),
        TURNING,
        QUICK + "start_speed = 2",
    ),
    Effect("max_rudder_degs_per_sec = 40", "USM_HEADING", 10 * 0.7 * DT * 0.8, TURNING),
    Effect("max_speed = 1", "USM_SPEED", 1.0, AHEAD),
    Effect("max_acceleration = 0.8", "USM_SPEED", 0.2, AHEAD, ""),
    Effect("max_deceleration = 0.8", "USM_SPEED", 1.8, {}, "start_speed = 2"),
    Effect("buoyancy_rate = 0.4", "USM_DEPTH", 9.9, {}, "start_depth = 10"),
    Effect("max_depth_rate = 2", "USM_DEPTH", 10.5, DOWN, QUICK + DIVING),
    Effect("max_depth_rate_speed = 4", "USM_DEPTH", 10 + 0.125 / 4, DOWN, QUICK + DIVING),
    Effect(
        "polar_plot = 90,50",
        "USM_SPEED",
        1.0,
        AHEAD,
        QUICK + "start_heading = 90\nwind_conditions = spd=2,dir=0",
    ),
    Effect(
        "wind_conditions = spd=2,dir=0",
        "USM_SPEED",
        1.0,
        AHEAD,
        QUICK + "start_heading = 90\npolar_plot = 90,50",
    ),
    Effect("start_x = 5", "USM_X", 5.0),
    Effect("start_y = 6", "USM_Y", 6.0),
    Effect("start_heading = 70", "USM_HEADING", 70.0),
    Effect("start_speed = 3", "USM_SPEED", 2.875, {}, ""),
    Effect("start_depth = 4", "USM_DEPTH", 4 - 0.025 * DT),
    Effect("start_pos = x=5, y=6, heading=70", "USM_X", 5.0),
    Effect("sim_pause = true", "USM_SPEED", 0.0, AHEAD),
    Effect("drift_x = 1", "USM_X", DT),
    Effect("drift_y = 1", "USM_Y", DT),
    Effect("drift_vector = 90,2", "USM_X", 2 * DT),
    Effect("rotate_speed = 8", "USM_HEADING", 2.0),
    Effect("default_water_depth = 50", "USM_ALTITUDE", 50.0),
    Effect(
        "wormhole = tag=a,madrid_poly={radial:0,0,5,8},weber_poly={radial:100,0,5,8}",
        "USM_X",
        100.0,
    ),
    Effect("prefix = NAV", "NAV_SPEED", 2.0, AHEAD),
    Effect("dual_state = true", "USM_X", 0.0, {}, "drift_x = 1"),
    Effect("post_navpos_summary = true", "USM_NAVPOS_SUMMARY", "x=0,y=0"),
]


@pytest.mark.parametrize("effect", LINES, ids=lambda effect: effect.line)
def test_a_line_has_its_effect(drive, effect):
    posts = after(drive(USimMarine, f"{effect.line}\n{effect.rest}"), effect.mail, effect.ticks)
    if isinstance(effect.value, float):
        assert posts[effect.variable] == pytest.approx(effect.value, abs=1e-12)
    else:
        assert posts[effect.variable] == effect.value


@pytest.mark.parametrize("effect", LINES, ids=lambda effect: effect.line)
def test_without_the_line_the_effect_differs(drive, effect):
    name = effect.line.split(" = ")[0]
    rest = "\n".join(line for line in effect.rest.splitlines() if not line.startswith(name))
    posts = after(drive(USimMarine, rest), effect.mail, effect.ticks)
    value = posts.get(effect.variable)
    assert value != (
        pytest.approx(effect.value, abs=1e-9) if isinstance(effect.value, float) else effect.value
    )


PID_LINES = {
    "depth_control": "depth_control = false",
    "simulation": "simulation = true",
    "heading_debug": "heading_debug = true",
    "speed_debug": "speed_debug = true",
    "depth_debug": "depth_debug = true",
}
PID_ON = "yaw_pid_kd = 0.1\nspeed_factor = 20\n"
GO = {"MOOS_MANUAL_OVERRIDE": "false"}
WANT = {"DESIRED_HEADING": 90.0, "DESIRED_SPEED": 2.0, "DESIRED_DEPTH": 5.0}


PID_PARAMETERS = [parameter.name for parameter in PidOptions.parameters()]


@pytest.mark.parametrize("name", PID_PARAMETERS)
def test_every_pid_parameter_reaches_the_embedded_controller(drive, name):
    line = PID_LINES.get(name, f"{name} = 0.7")
    rest = "\n".join(part for part in PID_ON.splitlines() if name not in part)
    plain = drive(USimMarine, rest + "\nyaw_pid_kp = 0.2") if name != "yaw_pid_kp" else None
    tuned = drive(USimMarine, f"{rest}\nyaw_pid_kp = 0.2\n{line}" if plain else f"{rest}\n{line}")
    before = plain or drive(USimMarine, rest + "\nyaw_pid_kd = 0.1")
    posted = [after(driven, GO | WANT, 2) for driven in (before, tuned)]
    engines = [driven.app.pilot.engine.parameters for driven in (before, tuned)]
    debugs = [{name for name in posts if name.endswith("DEBUG")} for posts in posted]
    assert engines[0] != engines[1] or debugs[0] != debugs[1]


def test_trim_ends_within_the_tolerance_or_after_the_delay(drive):
    block = QUICK + "start_depth = 50\nstart_speed = 1\nmax_depth_rate = 5\nbuoyancy_rate = 0\n"
    down = {"DESIRED_THRUST": 20.0, "DESIRED_ELEVATOR": 10.0}  # pitch -asin(0.125) = -7.2 deg
    ask = down | {"TRIM_CONTROL": "true"}
    wide = trim_times(drive(USimMarine, block + "trim_tolerance = 8"), ask)
    narrow = trim_times(drive(USimMarine, block), ask)
    patient = trim_times(drive(USimMarine, block + "max_trim_delay = 12"), ask)
    assert [wide, narrow, patient] == [5.0, 10.0, 12.0]


def trim_times(driven, mail):
    """Return how long trimming takes [s]."""
    after(driven, mail)
    requested = driven.app.time
    while "status=2" not in after(driven).get("TRIM_REPORT", ""):
        assert driven.app.time < 60
    return driven.app.time - requested


def test_a_current_field_carries_the_vessel_while_it_is_active(drive, tmp_path):
    (tmp_path / "bay.csv").write_text(FIELD)
    block = "current_field = bay.csv\ndrift_y = 1\n"
    driven = drive(USimMarine, block, folder=tmp_path)
    assert driven.started[0].value == "ang=63.43, mag=2.24, xmag=2, ymag=1"
    posts = after(driven)
    assert (posts["USM_X"], posts["USM_Y"]) == (2 * DT, DT)
    idle = drive(USimMarine, block + "current_field_active = false", folder=tmp_path)
    assert after(idle)["USM_X"] == 0
    assert after(idle, {"USM_CURRENT_FIELD": "true"})["USM_X"] == 2 * DT
    assert after(idle, {"USM_CURRENT_FIELD": "false"})["USM_X"] == 2 * DT


def test_the_drift_is_reported_again_where_the_current_is_another(drive, tmp_path):
    (tmp_path / "bay.csv").write_text("x, y, east, north\n0, 0, 2, 0\n1, 0, 2, 1\n")
    driven = drive(USimMarine, "current_field = bay.csv", folder=tmp_path)
    assert after(driven, ticks=1)["USM_DRIFT_SUMMARY"] == "ang=75.96, mag=2.06, xmag=2, ymag=0.5"
    assert "ymag=1" in after(driven)["USM_DRIFT_SUMMARY"]
    assert "USM_DRIFT_SUMMARY" not in after(driven, ticks=2)


def test_the_embedded_pids_orders_are_posted_under_given_names(drive):
    block = (
        "yaw_pid_kp = 0.5\nspeed_factor = 20\npost_des_thrust = ORDER_T\npost_des_rudder = ORDER_R"
    )
    posts = after(drive(USimMarine, block), GO | WANT)
    assert (posts["ORDER_T"], posts["ORDER_R"]) == (40.0, 45.0)
    plain = after(drive(USimMarine, "yaw_pid_kp = 0.5\nspeed_factor = 20"), GO | WANT)
    assert not {"ORDER_T", "ORDER_R", "DESIRED_THRUST", "DESIRED_RUDDER"} & set(plain)


WORLD = """
waves: {spectrum: regular, Hs: 0.5, Tp: 6, ramp: 0, drift: {stokes: true}}
wind: {speed: 4, direction_from: 90}
current: {speed: 2, direction_to: 90}
water: {depth: 30}
"""


@pytest.mark.slow
def test_an_environment_carries_and_blows_and_has_a_depth(drive, tmp_path):
    (tmp_path / "sea.yml").write_text(WORLD)
    driven = drive(USimMarine, "environment = sea.yml\npolar_plot = 90,50", folder=tmp_path)
    assert "regular" in next(p for p in driven.started if p.name == "WORLD_SUMMARY").value
    posts = after(driven)
    assert posts["USM_X"] == pytest.approx(2 * DT, abs=1e-3)
    assert posts["USM_Y"] < -0.001 * DT  # Stokes drift: the waves come from the north
    assert driven.app.scene.craft.inputs.wind.direction == pytest.approx(90)
    assert driven.app.scene.water_depth == 30


@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "height", "warned"),
    [
        ("", 1.0, True),  # the documented model knows no waves
        ("model = fossen\nvessel = inputs/box_barge", 1.0, False),
        ("model = fossen\nvessel = inputs/remus100", 1.0, True),
        ("", 0.0, False),
    ],
)
def test_a_vessel_that_floats_on_calm_water_among_waves_says_so(
    drive, tmp_path, block: str, height: float, warned: bool
) -> None:
    waves = f"waves: {{spectrum: jonswap, Hs: {height}, Tp: 6, direction_to: 0}}\n"
    (tmp_path / "sea.yml").write_text(waves if height else "waves: {spectrum: off}\n")
    app = drive(USimMarine, f"environment = sea.yml\n{block}", folder=tmp_path).app
    assert any("floats on calm water" in one for one in app.config_warnings) == warned
    assert app.among_waves == (height > 0.0)


def test_a_key_of_the_block_overrides_that_of_the_file(drive, tmp_path):
    (tmp_path / "sea.yml").write_text(WORLD)
    block = "environment = sea.yml\nenvironment_key = current.speed = 1\n"
    assert after(drive(USimMarine, block, folder=tmp_path))["USM_X"] == pytest.approx(DT, abs=1e-3)
    alone = "environment_key = current.speed = 3\nenvironment_key = current.direction_to = 90\n"
    assert after(drive(USimMarine, alone, folder=tmp_path))["USM_X"] == pytest.approx(3 * DT)
    with pytest.raises(ConfigError, match="did you mean speed"):
        drive(USimMarine, "environment_key = current.sped = 3", folder=tmp_path)
    with pytest.raises(ConfigError, match="no such file"):
        drive(USimMarine, "environment = nowhere.yml", folder=tmp_path)
    with pytest.raises(ConfigError, match="the environment has one, too"):
        drive(USimMarine, "environment = sea.yml\nwind_conditions = spd=1,dir=2", folder=tmp_path)


def test_the_height_of_waves_changes_two_seconds_after_its_mail(drive, tmp_path):
    (tmp_path / "sea.yml").write_text(WORLD)
    driven = drive(USimMarine, "environment = sea.yml", folder=tmp_path)
    posts = after(driven, {"WAVE_HEIGHT": 1.0})
    assert posts["WORLD_CHANGE"].startswith("number=1,time=")
    rows = driven.app._world.weather.sea.rows
    assert rows[:, 0].tolist() == [0.25, 0.5]
    assert rows[0, 7] == rows[1, 6] == float(posts["WORLD_CHANGE"].split("time=")[1].split(",")[0])


def test_a_change_reported_by_another_simulator_equals_its_own(drive, tmp_path):
    (tmp_path / "sea.yml").write_text(WORLD)
    first, second = (drive(USimMarine, "environment = sea.yml", folder=tmp_path) for _ in range(2))
    posted = after(first, {"WAVE_HEIGHT": 1.0, "WIND_CONDITIONS": "spd=9,dir=200"})["WORLD_CHANGE"]
    assert "wind:spd=9:dir=200" in posted
    texts = [post.value for post in first.posts if post.name == "WORLD_CHANGE"]
    assert "WORLD_CHANGE" not in after(second, {"WORLD_CHANGE": texts[1]})
    assert "WORLD_CHANGE" not in after(second, {"WORLD_CHANGE": texts[0]})
    weathers = [driven.app._world.weather for driven in (first, second)]
    assert np.array_equal(weathers[0].sea.rows, weathers[1].sea.rows)
    assert weathers[0].wind(100.0) == weathers[1].wind(100.0) == Wind(9.0, pytest.approx(200.0))
    assert after(second, {"WORLD_CHANGE": "nonsense"})
    assert any("WORLD_CHANGE" in warning for warning in second.app.run_warnings)


TESTED_ABOVE = {
    "environment": test_an_environment_carries_and_blows_and_has_a_depth,
    "environment_key": test_a_key_of_the_block_overrides_that_of_the_file,
    "trim_tolerance": test_trim_ends_within_the_tolerance_or_after_the_delay,
    "max_trim_delay": test_trim_ends_within_the_tolerance_or_after_the_delay,
    "current_field": test_a_current_field_carries_the_vessel_while_it_is_active,
    "current_field_active": test_a_current_field_carries_the_vessel_while_it_is_active,
    "post_des_thrust": test_the_embedded_pids_orders_are_posted_under_given_names,
    "post_des_rudder": test_the_embedded_pids_orders_are_posted_under_given_names,
    **dict.fromkeys(PID_PARAMETERS, test_every_pid_parameter_reaches_the_embedded_controller),
}


def test_every_parameter_has_a_test_of_its_effect():
    names = {p.name for p in USimMarine.parameters if p not in (*FOSSEN, *FMU)}
    assert names - {*TESTED_ABOVE} - {effect.line.split(" = ")[0] for effect in LINES} == set()


MOVED = {"USM_RESET": "x=1,y=2,heading=90,speed=1,depth=4"}
SAILING = QUICK + "start_heading = 90\npolar_plot = 90,50\n"
MAIL = [
    Effect("DESIRED_THRUST", "USM_SPEED", 2.0, AHEAD),
    Effect("DESIRED_RUDDER", "USM_HEADING", 50 * 0.7 * DT * 0.8, TURNING),
    Effect("DESIRED_ELEVATOR", "USM_DEPTH", 10.125, DOWN, QUICK + DIVING),
    Effect(
        "DESIRED_THRUST_L",
        "USM_HEADING",
        36 * 0.5 * DT,
        {"DESIRED_THRUST_L": 100.0},
        QUICK + "thrust_mode_diff = true",
    ),
    Effect(
        "DESIRED_THRUST_R",
        "USM_HEADING",
        360 - 36 * 0.5 * DT,
        {"DESIRED_THRUST_R": 100.0},
        QUICK + "thrust_mode_diff = true",
    ),
    Effect("USM_TURN_RATE", "USM_HEADING", 5.0, TURNING | {"USM_TURN_RATE": 50.0}),
    Effect(
        "USM_TURN_RADIUS",
        "USM_HEADING",
        2 * degrees(asin(0.5 / 20)),
        TURNING | {"USM_TURN_RADIUS": 10.0},
        QUICK + "start_speed = 2",
    ),
    Effect("BUOYANCY_RATE", "USM_DEPTH", 9.9, {"BUOYANCY_RATE": 0.4}, "start_depth = 10"),
    Effect("USM_BUOYANCY_RATE", "USM_DEPTH", 9.9, {"USM_BUOYANCY_RATE": 0.4}, "start_depth = 10"),
    Effect("WATER_DEPTH", "USM_ALTITUDE", 30.0, {"WATER_DEPTH": 30.0}),
    Effect("USM_WATER_DEPTH", "USM_ALTITUDE", 30.0, {"USM_WATER_DEPTH": 30.0}),
    Effect("CURRENT_X", "USM_X", DT, {"CURRENT_X": 1.0}),
    Effect("CURRENT_Y", "USM_Y", DT, {"CURRENT_Y": 1.0}),
    Effect("DRIFT_X", "USM_X", DT, {"DRIFT_X": 1.0}),
    Effect("DRIFT_Y", "USM_Y", DT, {"DRIFT_Y": 1.0}),
    Effect("USM_DRIFT_X", "USM_X", DT, {"USM_DRIFT_X": 1.0}),
    Effect("USM_DRIFT_Y", "USM_Y", DT, {"USM_DRIFT_Y": 1.0}),
    Effect("DRIFT_VECTOR", "USM_X", 2 * DT, {"DRIFT_VECTOR": "90, 2"}, "drift_x = 5"),
    Effect("USM_DRIFT_VECTOR", "USM_X", 2 * DT, {"USM_DRIFT_VECTOR": "90,2"}, "drift_x = 5"),
    Effect("DRIFT_VECTOR_ADD", "USM_X", 7 * DT, {"DRIFT_VECTOR_ADD": "90,2"}, "drift_x = 5"),
    Effect(
        "USM_DRIFT_VECTOR_ADD", "USM_X", 7 * DT, {"USM_DRIFT_VECTOR_ADD": "90,2"}, "drift_x = 5"
    ),
    Effect("DRIFT_VECTOR_MULT", "USM_X", -5 * DT, {"DRIFT_VECTOR_MULT": -1.0}, "drift_x = 5"),
    Effect(
        "USM_DRIFT_VECTOR_MULT", "USM_X", 10 * DT, {"USM_DRIFT_VECTOR_MULT": 2.0}, "drift_x = 5"
    ),
    Effect("ROTATE_SPEED", "USM_HEADING", 2.0, {"ROTATE_SPEED": 8.0}),
    Effect("USM_ROTATE_SPEED", "USM_HEADING", 2.0, {"USM_ROTATE_SPEED": 8.0}),
    Effect(
        "WIND_CONDITIONS", "USM_SPEED", 1.0, AHEAD | {"WIND_CONDITIONS": "spd=2,dir=0"}, SAILING
    ),
    Effect(
        "THRUST_MODE_DIFFERENTIAL",
        "USM_SPEED",
        1.0,
        {"DESIRED_THRUST_L": 40.0, "THRUST_MODE_DIFFERENTIAL": "true"},
    ),
    Effect("THRUST_MODE_REVERSE", "USM_HEADING", 180.0, {"THRUST_MODE_REVERSE": "true"}),
    Effect("BUOYANCY_CONTROL", "USM_DEPTH", 10.0, {"BUOYANCY_CONTROL": "true"}, "start_depth = 10"),
    Effect("USM_SIM_PAUSED", "USM_SPEED", 0.0, AHEAD | {"USM_SIM_PAUSED": "true"}),
    Effect("OBSTACLE_HIT", "USM_SPEED", 0.0, AHEAD | {"OBSTACLE_HIT": "true"}),
    Effect("USM_RESET", "USM_X", 1 + 1.0 * DT / 2, MOVED),
    Effect("USM_TELEPORT", "USM_X", 7.0, {"USM_TELEPORT": "x=7,y=8"}),
    Effect("DESIRED_HEADING", "R", 45.0, GO | WANT),
    Effect("DESIRED_SPEED", "T", 40.0, GO | WANT),
    Effect("SPEED_FACTOR", "T", 20.0, GO | WANT | {"SPEED_FACTOR": 10.0}),
    Effect("MOOS_MANUAL_OVERRIDE", "T", 40.0, GO | WANT),
    Effect("MOOS_MANUAL_OVERIDE", "T", 40.0, {"MOOS_MANUAL_OVERIDE": "false"} | WANT),
]
EMBEDDED = "yaw_pid_kp = 0.5\nspeed_factor = 20\npost_des_thrust = T\npost_des_rudder = R\n"


def block_of(effect):
    return EMBEDDED if effect.variable in "RT" else effect.rest


@pytest.mark.parametrize("effect", MAIL, ids=lambda effect: effect.line)
def test_a_variable_has_its_effect(drive, effect):
    driven = drive(USimMarine, block_of(effect))
    assert effect.line in driven.registered
    assert after(driven, effect.mail)[effect.variable] == pytest.approx(effect.value, abs=1e-12)


@pytest.mark.parametrize("effect", MAIL, ids=lambda effect: effect.line)
def test_without_the_variable_the_effect_differs(drive, effect):
    others = {name: value for name, value in effect.mail.items() if name != effect.line}
    posts = after(drive(USimMarine, block_of(effect)), others)
    assert posts.get(effect.variable) != pytest.approx(effect.value, abs=1e-9)


def test_the_desired_depth_moves_the_elevator(drive):
    block = EMBEDDED + QUICK + DIVING + "z_to_pitch_pid_kp = 0.1\npitch_pid_kp = 0.5\n"
    deep = after(drive(USimMarine, block), GO | WANT | {"DESIRED_DEPTH": 11.0}, ticks=2)
    assert deep["USM_DEPTH"] > 10
    level = after(drive(USimMarine, block), GO | WANT | {"DESIRED_DEPTH": 10.0}, ticks=2)
    assert level["USM_DEPTH"] == 10


def test_another_simulator_moves_the_vessel_while_this_one_is_disabled(drive):
    driven = drive(USimMarine, QUICK + "prefix = NAV\ndrift_x = 1")
    assert "NAV_X" not in driven.registered
    assert after(driven, AHEAD | {"USM_ENABLED": "false"}) == {}
    assert {"NAV_X", "NAV_Y", "NAV_HEADING"} <= set(driven.registered)
    elsewhere = {"DESIRED_RUDDER": 30.0, "NAV_X": 10.0, "NAV_Y": 20.0, "NAV_HEADING": 180.0}
    assert after(driven, elsewhere, 8) == {}
    posts = after(driven, {"USM_ENABLED": "true"})
    assert (posts["NAV_X"], posts["NAV_HEADING"]) == (10.25, 180.0)
    assert posts["NAV_Y"] == pytest.approx(20 - 1.0 * DT)


@pytest.mark.parametrize("name", ["NAV_X", "NAV_Y", "NAV_HEADING"])
def test_each_command_of_another_simulator_centers_the_rudder(drive, name):
    driven = drive(USimMarine, QUICK + "prefix = NAV")
    after(driven, TURNING | {"USM_ENABLED": "false"})
    after(driven, {name: 0.0})
    assert after(driven, {"USM_ENABLED": "true"})["NAV_HEADING"] == 0.0


def test_in_reverse_another_simulator_reports_the_stern_too(drive):
    driven = drive(USimMarine, QUICK + "prefix = NAV\nthrust_mode_reverse = true")
    after(driven, {"USM_ENABLED": "false"})
    after(driven, {"NAV_HEADING": 30.0})
    assert after(driven, {"USM_ENABLED": "true"})["NAV_HEADING"] == 30.0
    assert after(driven, {"THRUST_MODE_REVERSE": "false"})["NAV_HEADING"] == 210.0


@pytest.mark.parametrize("mode", ["DIFFERENTIAL", "REVERSE"])
def test_modes_are_switched_by_their_own_values_and_by_true_and_false(drive, mode):
    driven = drive(USimMarine, QUICK)
    inputs = driven.app.scene.craft.inputs
    for word, switched in (
        *((mode, True), ("normal", False), (mode.lower(), True), ("False", False), ("TRUE", True)),
    ):
        after(driven, {f"THRUST_MODE_{mode}": word})
        assert getattr(inputs, mode.lower()) is switched
    after(driven, {f"THRUST_MODE_{mode}": "astern"})
    assert getattr(inputs, mode.lower()) is True
    (warning,) = driven.app.run_warnings
    assert f"expected {mode.lower()}, true, normal or false" in warning


def test_a_radius_of_zero_is_no_limit(drive):
    posts = after(
        drive(USimMarine, QUICK + "turn_radius = 10\nstart_speed = 2"),
        TURNING | {"USM_TURN_RADIUS": 0.0},
    )
    assert posts["USM_HEADING"] == pytest.approx(50 * 0.7 * DT * 0.8)


def test_without_water_a_vessel_is_aground_until_there_is_some(drive):
    driven = drive(USimMarine, QUICK + "start_speed = 2\ndefault_water_depth = 50")
    afloat = after(driven, AHEAD)
    posts = after(driven, {"WATER_DEPTH": 0.0})
    assert (posts["USM_AGROUND"], posts["USM_ENVELOPE_LEFT"]) == ("true", 1.0)
    assert (posts["USM_X"], posts["USM_Y"]) == (afloat["USM_X"], afloat["USM_Y"])
    assert posts["USM_ALTITUDE"] == posts["USM_SPEED"] == posts["USM_SPEED_OVER_GROUND"] == 0.0
    (warning,) = driven.app.run_warnings
    assert "aground in 0 m of water; x=" in warning
    posts = after(driven, {"WATER_DEPTH": 30.0})
    assert posts["USM_AGROUND"] == "false"
    assert posts["USM_Y"] > afloat["USM_Y"]


@pytest.mark.parametrize(("model", "told"), [("documented", True), ("released", False)])
def test_a_depth_of_zero_is_unknown_to_the_released_program_only(drive, model, told):
    driven = drive(USimMarine, f"model = {model}\ndefault_water_depth = 0")
    first, second = after(driven), after(driven)
    assert ("USM_AGROUND" in first) == ("USM_ALTITUDE" in second) == told
    assert any("default_water_depth = 0" in w for w in driven.app.config_warnings) == told


def test_the_released_program_tells_of_the_bottom_and_sails_on(drive):
    driven = drive(USimMarine, "model = released\nstart_depth = 30\ndefault_water_depth = 20")
    assert after(driven, AHEAD)["USM_AGROUND"] == "true"
    first, second = after(driven), after(driven, ticks=2)
    assert second["USM_Y"] > first["USM_Y"]


def test_an_obstacle_may_be_given_as_a_number(drive):
    for hit, x in ((1.0, 0.0), (-1.0, 0.0), (0.5, 0.0), (0.0, DT)):
        assert after(drive(USimMarine, "drift_x = 1"), {"OBSTACLE_HIT": hit})["USM_X"] == x


def test_a_fix_brings_the_navigation_record_to_the_truth(drive):
    driven = drive(USimMarine, "dual_state = true\ndrift_x = 4")
    posts = after(driven)
    assert (posts["USM_X"], posts["USM_GT_X"], posts["TRUE_X"]) == (0.0, 1.0, 1.0)
    posts = after(driven, {"USM_RESET_NAV": "true"})
    assert (posts["USM_X"], posts["USM_GT_X"]) == (1.0, 2.0)
    assert after(driven, {"USM_RESET_NAV": 1.0})["USM_X"] == 2.0


def test_trim_control_is_acknowledged_at_once_and_when_done(drive):
    driven = drive(USimMarine, "buoyancy_rate = 0.1\nstart_depth = 10")
    first = after(driven, {"TRIM_CONTROL": "true", "BUOYANCY_CONTROL": "true"})
    assert first["TRIM_REPORT"] == "status=1,error=0,progressing,trim_pitch=0.0,trim_roll=0.0"
    assert first["BUOYANCY_REPORT"] == "status=1,error=0,progressing,buoyancy=0.0"
    assert "TRIM_REPORT" not in after(driven, ticks=19)
    last = after(driven)
    assert last["TRIM_REPORT"] == "status=2,error=0,completed,trim_pitch=0.00000,trim_roll=0.0"
    assert last["BUOYANCY_REPORT"] == "status=2,error=0,completed,buoyancy=0.0"
    assert last["USM_DEPTH"] == 10
    assert "TRIM_REPORT" not in after(driven, {"TRIM_CONTROL": "false"}, 40)


def test_trimming_reports_its_pitch_every_five_seconds(drive):
    block = QUICK + "start_depth = 50\nstart_speed = 1\nmax_depth_rate = 5\nbuoyancy_rate = 0\n"
    driven = drive(USimMarine, block)
    after(driven, {"DESIRED_THRUST": 20.0, "DESIRED_ELEVATOR": 10.0, "TRIM_CONTROL": "true"})
    pitch = -degrees(asin(0.125)) * (1 - exp(-5.25))  # it lags by a second
    expected = f"status=1,error=0,progressing,trim_pitch={pitch:.5f},trim_roll=0.0"
    assert after(driven, ticks=20)["TRIM_REPORT"] == expected


def test_trim_and_buoyancy_are_posted_only_at_their_reports(drive):
    block = QUICK + "start_depth = 50\nstart_speed = 1\nmax_depth_rate = 5\nmax_trim_delay = 12"
    driven = drive(USimMarine, block)
    requested = {"TRIM_CONTROL": "true", "BUOYANCY_CONTROL": "true"}
    mail = {"DESIRED_THRUST": 20.0, "DESIRED_ELEVATOR": 10.0} | requested
    times = {"TRIM_REPORT": [], "BUOYANCY_REPORT": []}
    for k in range(80):
        posts = after(driven, mail if k == 0 else None)
        for name in times.keys() & posts.keys():
            times[name].append(k * DT)
    assert times == {"TRIM_REPORT": [0.0, 5.0, 10.0, 12.0], "BUOYANCY_REPORT": [0.0, 5.0]}


MAIL_TESTED_ABOVE = {
    "USM_CURRENT_FIELD": test_a_current_field_carries_the_vessel_while_it_is_active,
    "DESIRED_DEPTH": test_the_desired_depth_moves_the_elevator,
    "USM_ENABLED": test_another_simulator_moves_the_vessel_while_this_one_is_disabled,
    "NAV_X": test_another_simulator_moves_the_vessel_while_this_one_is_disabled,
    "NAV_Y": test_another_simulator_moves_the_vessel_while_this_one_is_disabled,
    "NAV_HEADING": test_another_simulator_moves_the_vessel_while_this_one_is_disabled,
    "USM_RESET_NAV": test_a_fix_brings_the_navigation_record_to_the_truth,
    "TRIM_CONTROL": test_trim_control_is_acknowledged_at_once_and_when_done,
    "WAVE_HEIGHT": test_the_height_of_waves_changes_two_seconds_after_its_mail,
    "WORLD_CHANGE": test_a_change_reported_by_another_simulator_equals_its_own,
}


TESTED_WITH_CONTACT = ("NODE_REPORT",)  # in test_usim_marine_contact.py


def test_every_subscribed_variable_has_a_test_of_its_effect():
    tested = {*TO_ACTUATORS, *TESTED_WITH_CONTACT, *MAIL_TESTED_ABOVE}
    assert {*USimMarine.subscribes} - tested - {effect.line for effect in MAIL} == set()


def test_posted_and_declared_variables_are_the_same(drive):
    block = "dual_state = true\npost_navpos_summary = true\ndefault_water_depth = 90\n"
    driven = drive(USimMarine, block, globals=ORIGIN)
    seen = {post.name for post in driven.started} | set(after(driven))
    requested = {"USM_TELEPORT": "x=0,y=0", "TRIM_CONTROL": "true", "BUOYANCY_CONTROL": "true"}
    requested["WATER_DEPTH"] = 0.0
    seen |= set(after(driven, MOVED | requested))
    assert seen == set(driven.app.publishes)
    assert driven.app.refused == 0


def test_each_navigation_variable_has_one_meaning(drive):
    block = (
        QUICK + "start_pos = 10,20,90,2,5\nbuoyancy_rate = 0\ndrift_y = 2\ndefault_water_depth = 9"
    )
    posts = after(drive(USimMarine, block, globals=ORIGIN), AHEAD)
    lat, lon = Datum(43.8253, -70.3304).to_latlon(10.5, 20.5)
    assert posts == {
        "USM_X": pytest.approx(10.5),
        "USM_Y": pytest.approx(20.5),
        "USM_HEADING": 90.0,
        "USM_SPEED": 2.0,
        "USM_DEPTH": 5.0,
        "USM_HEADING_OVER_GROUND": pytest.approx(45.0),
        "USM_SPEED_OVER_GROUND": pytest.approx(8**0.5),
        "USM_ALTITUDE": 4.0,
        "USM_Z": -5.0,
        "USM_PITCH": 0.0,
        "USM_YAW": pytest.approx(-pi / 2),
        "USM_LAT": pytest.approx(lat, abs=1e-12),
        "USM_LONG": pytest.approx(lon, abs=1e-12),
        "SIMULATION_MODE": "TRUE",
        "TRUE_X": pytest.approx(10.5),
        "TRUE_Y": pytest.approx(20.5),
    }


def test_geodesy_utm_gives_the_reference_latitude(drive):
    utm = Config([*ORIGIN.entries, ("Geodesy", "utm", "a.moos:3")])
    posts = after(drive(USimMarine, "start_x = 5000\nstart_y = 3000", globals=utm))
    expected = UtmDatum(43.8253, -70.3304).to_latlon(5000, 3000)
    assert (posts["USM_LAT"], posts["USM_LONG"]) == pytest.approx(expected, abs=1e-12)
    assert expected != pytest.approx(Datum(43.8253, -70.3304).to_latlon(5000, 3000), abs=1e-6)


UTM_ZONES = pytest.mark.parametrize("geodesy", ["ecef", "utm"])
UTM_NORTH = "x=569000,y=7032000"  # a fjord in Norway; there is a point 5000 km north of 43.8, too
UTM_BOSTON = "x=393000,y=4853000"


@UTM_ZONES
@pytest.mark.parametrize("place", [UTM_NORTH, UTM_BOSTON])
@pytest.mark.parametrize("form", ["start_pos = {place}", "start_x = {x}\nstart_y = {y}"])
def test_a_start_at_utm_coordinates_is_refused_with_its_line(drive, geodesy, place, form):
    globals = Config([*ORIGIN.entries, ("Geodesy", geodesy, "a.moos:3")])
    x, y = (part.partition("=")[2] for part in place.split(","))
    with pytest.raises(ConfigError, match=r"start_\w+ = .*: are these UTM coordinates\?"):
        drive(USimMarine, form.format(place=place, x=x, y=y), globals=globals)
    drive(USimMarine, form.format(place=place, x=x, y=y) + "\nstart_pos = 1,2", globals=globals)
    without = drive(USimMarine, form.format(place=place, x=x, y=y))
    assert after(without)["USM_Y"] == float(y)


def test_a_start_far_from_the_datum_is_a_warning(drive):
    warnings = drive(USimMarine, "start_pos = 0,150e3", globals=ORIGIN).app.config_warnings
    (warning,) = [one for one in warnings if "UTM" in one]
    assert "150 km from the datum: are these UTM coordinates?" in warning
    near = drive(USimMarine, "start_pos = 0,90e3", globals=ORIGIN).app.config_warnings
    assert not any("UTM" in one for one in near)


@UTM_ZONES
@pytest.mark.parametrize("name", ["USM_RESET", "USM_TELEPORT"])
@pytest.mark.parametrize("place", [UTM_NORTH, UTM_BOSTON])
def test_mail_with_utm_coordinates_is_a_warning_and_changes_nothing(drive, geodesy, name, place):
    globals = Config([*ORIGIN.entries, ("Geodesy", geodesy, "a.moos:3")])
    driven = drive(USimMarine, "start_pos = 5,6,70,0,0", globals=globals)
    posts = after(driven, {name: place})
    assert (posts["USM_X"], posts["USM_Y"], posts["USM_HEADING"]) == (5, 6, 70)
    assert f"{name}_COUNT" not in posts
    (warning,) = driven.app.run_warnings
    assert warning.endswith("are these UTM coordinates?")


@UTM_ZONES
def test_a_vessel_carried_away_has_no_latitude_and_the_mission_goes_on(drive, geodesy):
    globals = Config([*ORIGIN.entries, ("Geodesy", geodesy, "a.moos:3")])
    block = "start_pos = 999000,0,90,0,0\ndrift_x = 100\npost_navpos_summary = true"
    driven = drive(USimMarine, block, globals=globals)
    assert "USM_LAT" in after(driven, ticks=4)
    for _ in range(40):
        posts = after(driven)
    assert posts["USM_X"] == pytest.approx(999000 + 100 * DT * 44)
    assert posts["USM_PITCH"] == 0.0
    assert not {"USM_LAT", "USM_LONG"} & set(posts)
    assert "lat" not in posts["USM_NAVPOS_SUMMARY"]
    assert list(driven.app.run_warnings) == [
        "more than 1000 km from the datum: no latitude and longitude"
    ]


@pytest.mark.parametrize("missing", ["LatOrigin", "LongOrigin"])
def test_without_a_datum_there_is_a_warning_and_no_latitude(drive, missing):
    half = Config([entry for entry in ORIGIN.entries if entry.key != missing])
    driven = drive(USimMarine, globals=half)
    assert "no latitude" in driven.app.config_warnings[0]
    assert not {"USM_LAT", "USM_LONG"} & (set(after(driven)) | set(driven.app.publishes))


def test_the_position_summary_contains_the_known_values(drive):
    block = "post_navpos_summary = true\nstart_x = 1.23456"
    posts = after(drive(USimMarine, block, globals=ORIGIN))
    lat, lon = Datum(43.8253, -70.3304).to_latlon(1.23456, 0)
    assert lat == pytest.approx(43.8253, abs=1e-9)
    assert posts["USM_NAVPOS_SUMMARY"] == f"x=1.235,y=0,lat=43.8253,lon={lon:.7f}"


def test_the_position_summary_has_millimetres_and_seven_decimals_of_a_degree(drive):
    block = "post_navpos_summary = true\nstart_x = 1.23456\nstart_y = -9.87654"
    posts = after(drive(USimMarine, block, globals=ORIGIN))
    lat, lon = Datum(43.8253, -70.3304).to_latlon(1.23456, -9.87654)
    expected = f"x=1.235,y=-9.877,lat={lat:.7f},lon={lon:.7f}"
    assert posts["USM_NAVPOS_SUMMARY"] == expected
    assert not expected.endswith("0")
    equator = Config([("LatOrigin", "0", "a.moos:1"), ("LongOrigin", "-70", "a.moos:2")])
    posts = after(drive(USimMarine, "post_navpos_summary = true", globals=equator))
    assert posts["USM_NAVPOS_SUMMARY"] == "x=0,y=0"


def test_an_altitude_is_never_negative(drive):
    posts = after(drive(USimMarine, "start_depth = 50\ndefault_water_depth = 20"))
    assert posts["USM_ALTITUDE"] == 0


def test_without_depth_control_the_embedded_pid_leaves_attitude_out(drive):
    driven = drive(USimMarine, EMBEDDED + "depth_control = false")
    posts = after(driven)
    assert not {"USM_Z", "USM_PITCH", "SIMULATION_MODE", "TRUE_X"} & set(posts)
    assert "USM_PITCH" not in driven.app.publishes


def test_the_drift_is_reported_at_the_start(drive):
    (post,) = drive(USimMarine, "drift_vector = 90,1.5").started
    assert post[:2] == ("USM_DRIFT_SUMMARY", "ang=90, mag=1.5, xmag=1.5, ymag=0")


def test_a_sailing_vessel_shows_the_wind_every_fifty_iterations(drive):
    driven = drive(USimMarine, SAILING + "wind_conditions = spd=2,dir=30")
    assert "VIEW_ARROW" not in after(driven, ticks=49)
    assert after(driven)["VIEW_ARROW"].startswith("ctrx=0,ctry=0,ang=210,bwid=5,")
    assert "VIEW_ARROW" not in drive(USimMarine, QUICK).app.publishes
    for half in (SAILING, QUICK + "wind_conditions = spd=2,dir=30"):
        assert "VIEW_ARROW" not in after(drive(USimMarine, half), ticks=50)


def test_resets_are_counted_and_keep_unnamed_values(drive):
    driven = drive(USimMarine, "start_pos = 5,6,70,0,0")
    posts = after(driven, {"USM_RESET": "y=9"})
    assert (posts["USM_X"], posts["USM_Y"], posts["USM_HEADING"]) == (5, 9, 70)
    assert posts["USM_RESET_COUNT"] == 1
    assert after(driven, MOVED)["USM_RESET_COUNT"] == 2


POSE = {"x": 1.0, "y": 2.0, "heading": 70.0, "speed": 1.5, "depth": 4.0}


@pytest.mark.parametrize(
    "text",
    [
        "x=1,y=2,heading=70,speed=1.5,depth=4",
        "depth=4, speed=1.5, heading=70, y=2, x=1",
        "X=1, Y=2, HDG=70, SPD=1.5, DEP=4",
        "deg=70, x=1, y=2, dep=4, spd=1.5",
        "1,2,70,1.5,4",
        "x=1, 2, deg=70, 1.5, depth=4",
    ],
)
def test_a_pose_may_have_any_moos_ivp_format(drive, text):
    assert read_pose(text) == POSE
    motion = drive(USimMarine, f"start_pos = {text}").app.scene.craft.motion
    assert {name: getattr(motion, name) for name in POSE} == POSE


@pytest.mark.parametrize("text", ["", "1,2,3,4,5,6", "x=1,z=2", "x=one", "depth=-1", "1,2,3,4,-5"])
def test_an_invalid_pose_is_refused_with_a_valid_example(text):
    with pytest.raises(InvalidValue, match="expected x=<m>, y=<m>, heading=<deg>"):
        read_pose(text)


def test_teleports_are_counted_and_are_no_resets(drive):
    driven = drive(USimMarine, QUICK)
    for count in (1, 2):
        posts = after(driven, {"USM_TELEPORT": "x=7,y=8"})
        assert posts["USM_TELEPORT_COUNT"] == count
        assert "USM_RESET_COUNT" not in posts


def test_a_pause_holds_the_vessel_and_not_time(drive):
    driven = drive(USimMarine, "drift_x = 1\nstart_heading = 90")
    after(driven, ticks=4)
    assert after(driven, {"USM_SIM_PAUSED": "true"}, 100)["USM_X"] == 1
    assert after(driven, {"USM_SIM_PAUSED": "false"})["USM_X"] == 1.25


def test_in_reverse_the_vessel_reports_its_stern(drive):
    block = QUICK + "thrust_reflect = true\nthrust_mode_reverse = true\nstart_heading = 90"
    driven = drive(USimMarine, block)
    for k in (1, 2, 3):
        posts = after(driven, AHEAD)
        assert posts["USM_HEADING"] == posts["USM_HEADING_OVER_GROUND"] == pytest.approx(270)
        assert posts["USM_YAW"] == pytest.approx(pi / 2)
        assert posts["USM_SPEED"] == 2
        assert posts["USM_X"] == pytest.approx(-0.25 - 0.5 * (k - 1))
    assert after(driven, TURNING)["USM_HEADING"] > 270


def test_with_an_embedded_pid_it_ignores_actuator_commands(drive):
    driven = drive(USimMarine, EMBEDDED)
    assert "DESIRED_THRUST" not in driven.registered
    assert "DESIRED_SPEED" not in drive(USimMarine, QUICK).registered


def test_the_embedded_pid_goes_stale_in_simulated_seconds(drive):
    driven = drive(USimMarine, EMBEDDED)
    assert after(driven, GO | WANT, 9)["T"] == 40
    posts = after(driven)
    assert posts["T"] == 0
    assert driven.values("PID_STALE") == [
        f"Stale {name}:2.25" for name in ("DesHdg", "DesSpd", "DesDepth")
    ]


def test_the_embedded_pid_steers_to_the_desired_heading(drive):
    block = "yaw_pid_kp = 0.9\nyaw_pid_kd = 0.3\nspeed_factor = 20\ndepth_control = false\n"
    driven = drive(USimMarine, block)
    posts = after(driven, GO | WANT)
    assert posts["PID_HAS_CONTROL"] == "true"
    for _ in range(80):
        posts = after(driven, WANT)
    assert posts["USM_HEADING"] == pytest.approx(90, abs=0.1)
    assert posts["USM_SPEED"] == pytest.approx(2, abs=0.05)


def test_pid_mail_of_long_ago_is_refused(drive):
    driven = drive(USimMarine, EMBEDDED)
    old = driven.message("DESIRED_SPEED", 2.0, 0.0)
    assert driven.take(1359.75, [old])["T"] == 0
    assert "USM_NOGO" not in driven.take(1359.9, [old])
    assert driven.take(1400.0, [old])["USM_NOGO"] == 1400
    fresh = [driven.message("MOOS_MANUAL_OVERRIDE", "false", 1400.0)]
    fresh += [driven.message(name, value, 1400.0) for name, value in WANT.items()]
    posts = driven.take(1400.25, fresh)
    assert posts["T"] == 40
    assert "USM_NOGO" not in posts


def test_a_repeated_line_is_reported_with_the_one_that_counts(drive):
    found = drive(USimMarine, "turn_rate = 70\nturn_rate = 10").app.config.warnings
    (warning,) = [text for text in found if "not used" in text]
    assert "turn_rate = 70: not used" in warning
    assert warning.endswith("counts: turn_rate = 10")


def test_pid_lines_without_a_yaw_gain_are_named(drive):
    driven = drive(USimMarine, "speed_factor = 20\nmaxrudder = 50")
    assert driven.app.pilot is None
    warnings = [w for w in driven.app.config_warnings if "no embedded PID" in w]
    assert len(warnings) == 2
    assert warnings[0].startswith("test.moos:0: speed_factor has no effect")


def test_a_turn_rate_beyond_100_is_100_with_a_warning(drive):
    fast, full = (drive(USimMarine, f"turn_rate = {rate}\nprefix = NAV") for rate in (133, 100))
    expected = "test.moos:0: turn_rate = 133: taken for 100, which is all there is"
    assert fast.app.config_warnings == [expected, *full.app.config_warnings]
    headings = []
    for driven in (fast, full):
        driven.tick(0.25, {"DESIRED_THRUST": 50.0, "DESIRED_RUDDER": 10.0})
        headings.append(driven.tick(0.5)["NAV_HEADING"])
    assert headings[0] == headings[1] != 0.0


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("model = fast", "expected one of documented, released, legacy"),
        ("turn_rate = quick", "expected a number"),
        ("turn_spd_loss = 2", "from 0 to 1"),
        ("start_depth = -1", "at least 0"),
        ("start_pos = x=1,z=2", "expected x=<m>, .* not z=2"),
        ("start_pos = x=1,depth=-2", "not depth=-2"),
        ("start_pos = 1,2,3,4,5,6", "expected x=<m>"),
        ("start_pos = x=one", "not x=one"),
        ("drift_vector = 90", "expected <direction in degrees>,<magnitude in m/s>"),
        *((f"drift_vector = 90, {speed}", "expected") for speed in HUGE),
        *((f"drift_{axis} = {speed}", "expected a number") for axis in "xy" for speed in HUGE),
        ("max_acceleration = -1", "at least 0"),
        ("max_speed = 0", "above 0"),
        ("turn_spd_map_full_rate = 0", "above 0"),
        ("turn_spd_map_full_rate = 101", "at most 100"),
        ("turn_rate = -1", "at least 0"),
        ("trim_tolerance = -1", "at least 0"),
        ("max_trim_delay = -1", "at least 0"),
        ("default_water_depth = -1", "at least 0"),
        ("turn_spd_map_null_speed = 2\nturn_spd_map_full_speed = 1", "above 2"),
        ("thrust_map = 20:1, fast:2", "expected thrust:speed pairs"),
        ("thrust_mode_diff = both", "expected one of normal, false, differential, true"),
        ("thrust_mode_reverse = both", "expected one of normal, false, reverse, true"),
        ("dual_state = maybe", "expected true or false"),
        ("polar_plot = 200,1", "expected <angle 0 to 180>"),
        ("wind_conditions = 5", "expected a number"),
        ("current_field = none.csv", "expected a readable text file"),
        ("prefix = NAV X", "expected a name without blanks"),
        ("post_des_thrust = DESIRED_THRUST", "expected a name without blanks other than"),
        ("yaw_pid_kp = fast", "expected a number"),
    ],
)
def test_an_invalid_line_is_reported(drive, line, expected):
    last = line.splitlines()[-1]
    with pytest.raises(ConfigError, match=rf"test\.moos:\d: {last}: .*{expected}"):
        drive(USimMarine, line)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DESIRED_THRUST", "full"),
        ("DRIFT_VECTOR", "90"),
        ("DRIFT_VECTOR", 90.0),
        *((name, f"90, {mag}") for name in DRIFTS for mag in HUGE),
        *((name, "-inf, 1") for name in DRIFTS),
        ("DRIFT_VECTOR_MULT", 1e308),
        ("DRIFT_X", 1.7e308),
        ("USM_RESET", "x=1,q=2"),
        ("USM_RESET", 5.0),
        ("USM_TURN_RATE", 120.0),
        ("USM_TURN_RADIUS", -1.0),
        ("WATER_DEPTH", -5.0),
        ("WIND_CONDITIONS", "gusty"),
        ("USM_SIM_PAUSED", "maybe"),
        ("THRUST_MODE_REVERSE", "sideways"),
        ("THRUST_MODE_DIFFERENTIAL", "odd"),
        ("USM_ENABLED", "perhaps"),
        ("OBSTACLE_HIT", "perhaps"),
        ("USM_CURRENT_FIELD", "perhaps"),
        ("DRIFT_X", "east"),
        ("USM_TELEPORT", "x=1"),
        ("USM_TELEPORT", "x=1,y=two"),
        ("USM_TELEPORT", "x=1,y=2,z=3"),
    ],
)
def test_mail_that_makes_no_sense_is_a_run_warning_and_changes_nothing(drive, name, value):
    block = "start_x = 7\ndrift_x = 5"
    driven, other = drive(USimMarine, block), drive(USimMarine, block)
    assert after(driven, {name: value}, 2) == after(other, {}, 2)
    assert [w for w in driven.app.run_warnings if w.startswith(f"{name} = {value!r}: ")]


@pytest.mark.parametrize(("model", "taken"), [("documented", "for 100"), ("released", "as it is")])
def test_an_order_outside_its_range_is_reported_once_with_the_range(drive, model, taken):
    driven = drive(USimMarine, f"model = {model}")
    for value in (1000.0, 2000.0, 100.0):
        after(driven, {"DESIRED_THRUST": value})
    assert list(driven.app.run_warnings) == [
        f"DESIRED_THRUST = 1000: outside -100 to 100, taken {taken} by model = {model} (told once)"
    ]


def test_text_for_the_embedded_pid_is_a_run_warning(drive):
    driven = drive(USimMarine, EMBEDDED)
    after(driven, {"DESIRED_SPEED": "fast"})
    assert "DESIRED_SPEED = 'fast': expected a number" in driven.app.run_warnings


def test_left_out_pairs_of_a_thrust_map_are_named(drive):
    driven = drive(USimMarine, "thrust_map = 20:1, 120:6, 40:2")
    expected = "test.moos:0: thrust_map: left out 120:6: expected thrusts from -100 to 100"
    assert any(warning.startswith(expected) for warning in driven.app.config_warnings)
    assert after(driven, AHEAD, 60)["USM_SPEED"] == 2


def test_a_diverging_vessel_stops_the_mission(drive):
    driven = drive(USimMarine, "thrust_map = 0:0, 100:1.7e308\nmax_acceleration = 1.7e308")
    after(driven, {"DESIRED_THRUST": 100.0})
    with pytest.raises(NotFinite, match=rf"y = {inf}"):
        after(driven, ticks=20)


def test_the_last_of_repeated_lines_is_used(drive):
    assert after(drive(USimMarine, "start_pos = 1,1\nstart_x = 3"))["USM_X"] == 3
    assert after(drive(USimMarine, "start_x = 3\nstart_pos = 1,1"))["USM_X"] == 1
    assert after(drive(USimMarine, "drift_x = 3\ndrift_vector = 90,1"))["USM_X"] == DT


def test_the_appcast_shows_where_the_vessel_is_and_what_moves_it(drive):
    block = (
        "start_pos = 1,2,90,0,0\nthrust_map = -100:-1, 100:5\npolar_plot = 90,50\ndual_state = on"
    )
    driven = drive(USimMarine, block)
    after(driven, AHEAD | {"DRIFT_X": 1.0, "WIND_CONDITIONS": "spd=2,dir=0", "WATER_DEPTH": 9.0})
    text = "\n".join(driven.app.report())
    assert "Start:   x=1 y=2 heading=90 speed=0 depth=0" in text
    assert "Present: x=1" in text
    assert "Truth:   x=1.27" in text
    assert "xmag=1, ymag=0, set by pTest" in text
    assert "Thrust map: -100:-1, 100:5" in text
    assert "Wind: 2 m/s from 0" in text
    assert "Water depth: 9 m" in text
    assert "Thrust: 40  Rudder: 0" in text


def test_the_appcast_of_two_thrusters_names_both(drive):
    driven = drive(USimMarine, "thrust_mode_diff = true")
    after(driven, {"DESIRED_THRUST_L": 10.0, "DESIRED_THRUST_R": -5.0})
    text = "\n".join(driven.app.report())
    assert "Thrust left: 10  right: -5" in text
    assert "Thrust map: thrust / 20" in text


@pytest.mark.parametrize(
    ("fields", "warned"),
    [("tag=both", 0), ("tag=one,connection=both", 1), ("tag=both,Connection=BOTH", 1)],
)
def test_only_a_connection_of_both_ends_accepts_no_vessel(drive, fields, warned):
    mouths = "madrid_poly={radial:0,0,9,8},weber_poly={radial:0,50,9,8}"
    driven = drive(USimMarine, f"model = released\nwormhole = {fields},{mouths}")
    warnings = [text for text in driven.app.config_warnings if "lets nobody in" in text]
    assert len(warnings) == warned


def test_a_prefix_that_gets_two_underscores_is_reported(drive):
    for model in ("documented", "released", "legacy"):
        for prefix in ("NAV", "NAV_"):
            app = drive(USimMarine, f"model = {model}\nprefix = {prefix}").app
            warnings = [text for text in app.config_warnings if "posts NAV__X" in text]
            assert len(warnings) == (prefix == "NAV_" and model != "documented")


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("x=1,y=2,heading=90, 180, 0", "180 has no name, and is the speed by its place"),
        ("x=1,y=2,180", "180 has no name, and is the heading by its place"),
        ("x=1, 0, 180", "180 has no name, and is the heading by its place"),
        ("x=1,y=2,heading=90, 0", ""),
        ("1,2,180,speed=1", ""),
        ("1,2,180,0", ""),
    ],
)
def test_an_ambiguous_number_of_a_start_is_reported(drive, start, expected):
    warnings = drive(USimMarine, f"prefix = NAV\nstart_pos = {start}").app.config_warnings
    warnings = [text for text in warnings if "start_pos" in text]
    assert [text.endswith(expected) for text in warnings] == ([True] if expected else [])


def test_wind_that_moves_nothing_is_reported(drive):
    wind, sails = "wind_conditions = spd=2,dir=0", "polar_plot = 90,50"
    for lines, silent in ((wind, ()), (f"{wind}\n{sails}", ("documented", "released"))):
        for model in ("documented", "released", "legacy"):
            driven = drive(USimMarine, f"model = {model}\n{lines}")
            driven.tick(DT, {"WIND_CONDITIONS": "spd=3,dir=0"})
            app = driven.app
            for warning in (app.config_warnings, app.run_warnings):
                assert any("wind" in text.lower() for text in warning) == (model not in silent)
