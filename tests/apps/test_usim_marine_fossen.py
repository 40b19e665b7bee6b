"""``uSimMarineV22`` with a Fossen vessel: every parameter, all mail, all posts."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from math import degrees, pi
from pathlib import Path

import numpy as np
import pytest

from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.apps.vessels.usim_marine.fossen import read_commands
from steerageway.apps.vessels.usim_marine.parameters import FOSSEN
from steerageway.bus import CannotGoOn, ConfigError

ROOT = Path(__file__).parents[2]
OTTER = "model = fossen\nvessel = inputs/otter\n"
DT = 0.2
AHEAD = {"DESIRED_THRUST": 50.0}

slow = pytest.mark.slow  # compiles, unless the cache is warm


@pytest.fixture
def sail(drive):
    """Return ``sail(lines) -> Driven``: an Otter in the simulator."""
    return lambda lines="": drive(USimMarine, OTTER + lines, folder=ROOT)


def after(driven, mail=None, ticks=1):
    """Return the last values of everything posted in some ticks; mail comes with the first."""
    posts = {}
    for k in range(ticks):
        now = (driven.app.iteration + 1) * DT
        posts |= driven.tick(now, mail if k == 0 else None)
    return posts


def fields(text):
    return {name: float(value) for name, _, value in (p.partition("=") for p in text.split(","))}


@pytest.mark.slow
def test_alphas_simulator_loads_neither_numpy_nor_numba():
    program = (
        "import sys\nfrom steerageway.launcher.options import parse_options\n"
        "from steerageway.launcher.plan import plan_launch\nfrom steerageway.bus import run\n"
        "words = 'missions/alpha --only uSimMarineV22 --for 2 --placement one --warp max'\n"
        "words += ' --no-log'\n"
        "run(plan_launch(parse_options(words.split())).plan, lambda progress: None)\n"
        "print(sorted({'numpy', 'numba', 'scipy'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


@slow
def test_a_vessel_is_found_above_the_mission_and_needed(drive, sail):
    found = drive(USimMarine, OTTER, folder=ROOT / "missions" / "otter_survey")
    assert "USM_X" in after(found)
    with pytest.raises(ConfigError, match=r"vessel.*inputs/otter"):
        drive(USimMarine, "model = fossen", folder=ROOT)
    with pytest.raises(ConfigError, match=r"test.moos:1: vessel = inputs/oter: .*did you mean ot"):
        drive(USimMarine, "model = fossen\nvessel = inputs/oter", folder=ROOT)


@slow
@pytest.mark.parametrize("named", ["otter", "inputs/otter"])
def test_a_bundled_vessel_is_found_by_name_from_any_folder(drive, tmp_path, named):
    block = f"model = fossen\nvessel = {named}\n"
    assert "USM_TH_2" in after(drive(USimMarine, block, folder=tmp_path))
    (tmp_path / "otter").mkdir()  # a folder without its files does not hide it
    assert "USM_TH_2" in after(drive(USimMarine, block, folder=tmp_path))
    shutil.copytree(ROOT / "inputs" / "tito_neri", tmp_path / named, dirs_exist_ok=True)
    assert "USM_TH_3" in after(drive(USimMarine, block, folder=tmp_path))
    with pytest.raises(ConfigError, match=rf"kayak: no such vessel in {tmp_path}, .*/inputs; exp"):
        drive(USimMarine, block.replace(named, "kayak"), folder=tmp_path)


@slow
def test_a_vessel_file_may_be_in_another_folder(drive, tmp_path):
    text = (ROOT / "inputs/otter/thrusters.yml").read_text()
    (tmp_path / "one.yml").write_text(text[: text.index("  -", text.index("  -") + 3)])
    block = "model = fossen\nvessel = otter\nvessel_file = thrusters = one.yml\n"
    posts = after(drive(USimMarine, block, folder=tmp_path))
    assert "USM_TH_1" in posts
    assert "USM_TH_2" not in posts
    for wrong, expected in (("two.yml", "no such file as"), ("", "expected FILE = PATH, as")):
        with pytest.raises(ConfigError, match=rf"test.moos:2: vessel_file = thrusters.*{expected}"):
            drive(USimMarine, block.replace("one.yml", wrong), folder=tmp_path)
    with pytest.raises(ConfigError, match=r"vessel_file = engines = one\.yml: expected one of v"):
        drive(USimMarine, block.replace("= thrusters", "= engines"), folder=tmp_path)


@slow
def test_all_mistakes_of_a_vessels_files_are_reported_at_once(drive, tmp_path):
    shutil.copytree(ROOT / "inputs" / "otter", tmp_path / "mine")
    for file, line, wrong in (
        ("inertia", "mass: 55.0", "mass: -3"),
        ("geometry", "length: 2.0", "length: xx"),
    ):
        path = tmp_path / "mine" / f"{file}.yml"
        assert line in path.read_text()
        path.write_text(path.read_text().replace(line, wrong, 1))
    with pytest.raises(ConfigError) as raised:
        drive(USimMarine, "model = fossen\nvessel = mine\n", folder=tmp_path)
    lines = str(raised.value).splitlines()
    assert len(lines) == 2
    assert any("inertia.yml:1: mass = -3: expected a number above 0" in one for one in lines)
    assert any("geometry.yml:3: length = xx: expected a number above 0" in one for one in lines)


@slow
def test_an_override_replaces_a_value_of_the_vessels_files(sail, drive):
    heavy = sail("vessel_override = inertia.mass = 110")
    assert after(heavy, AHEAD, 5)["USM_SPEED"] < 0.9 * after(sail(), AHEAD, 5)["USM_SPEED"]
    for value, expected in (
        ("inertia.mass", "expected FILE.KEY = VALUE"),
        ("inertia.mas = 3", "mas: unknown key; did you mean mass"),
        ("inertia.mass = -3", "mass = -3: expected a number above 0"),
        ("engines.mass = 3", "expected FILE.KEY, FILE one of"),
        ("thrusters.thrusters.3.n_max = 1", "a place from 1 to 2"),
        ("geometry.CG.position = [1, 2]", r"CG.position = a list: expected 3 numbers"),
    ):
        line = re.escape(f"test.moos:2: vessel_override = {value}: ")
        with pytest.raises(ConfigError, match=rf"{line}.*{expected}"):
            sail(f"vessel_override = {value}")


@slow
def test_reference_deviations_may_be_selected_in_the_block(drive):
    block = "model = fossen\nvessel = container\nstart_speed = -3\n"
    ours, peers = (drive(USimMarine, block + p, folder=ROOT) for p in ("", "peer_compat = mss"))
    mine, theirs = (abs(after(one, ticks=50)["USM_SPEED"]) for one in (ours, peers))
    assert theirs - mine > 0.02  # the peer's resistance drives it on astern
    with pytest.raises(ConfigError, match=r"vessel = container.*peer_compat nobody: expected"):
        drive(USimMarine, block + "peer_compat = nobody", folder=ROOT)


@slow
@pytest.mark.parametrize(
    ("fault", "at_once", "later"),
    [
        ("stuck@40", 40.0, 40.0),
        ("stuck", 300.0, 300.0),
        ("loss@0.25", 225.0, 450.0),
        ("backlash@100", 300.0, 550.0),
        ("none", 300.0, 600.0),
    ],
)
def test_a_fault_changes_the_command_of_the_actuator(sail, fault, at_once, later):
    driven = sail()
    after(driven, {"th_1": 300.0, "th_2": 300.0}, 10)
    assert after(driven, {"FAULT_TH_1": fault}, 10)["USM_TH_1"] == pytest.approx(at_once, rel=1e-3)
    posts = after(driven, {"th_1": 600.0, "th_2": 600.0}, 10)
    assert posts["USM_TH_1"] == pytest.approx(later, rel=1e-3)
    assert posts["USM_TH_2"] == pytest.approx(600.0, rel=1e-3)
    assert after(driven, {"FAULT_TH_1": "none"}, 10)["USM_TH_1"] == pytest.approx(600, rel=1e-3)
    assert driven.app.run_warnings == {}


@slow
@pytest.mark.parametrize("fault", ["stuck@", "stuck@half", "loss@2", "backlash@-1", "broken"])
def test_an_invalid_fault_is_a_run_warning(sail, fault):
    driven = sail()
    after(driven, {"FAULT_TH_1": fault})
    assert "stuck" in next(iter(driven.app.run_warnings))


@slow
@pytest.mark.parametrize(("lines", "steps"), [("", 10), ("time_step = 0.05", 4)])
def test_every_step_is_posted_with_its_own_time(sail, lines, steps):
    driven = sail(lines)
    after(driven)
    posts = [post for post in driven.posts if post.name == "USM_STATE"]
    assert len(posts) == steps
    times = [(k + 1) * DT / steps for k in range(steps)]
    assert [post.time for post in posts] == pytest.approx(times)
    assert [fields(post.value)["time"] for post in posts] == pytest.approx(times)


@slow
def test_a_step_too_long_is_taken_in_adaptive_substeps(sail):
    short = after(sail("time_step = 0.05"), AHEAD, 50)
    long = after(sail("time_step = 0.25\nintegrator = adaptive"), AHEAD, 50)
    for name in ("USM_X", "USM_Y", "USM_SPEED", "USM_HEADING"):
        assert long[name] == pytest.approx(short[name], rel=1e-4, abs=1e-4)
    with pytest.raises(ConfigError, match=r"integrator = euler: expected one of rk4, adaptive"):
        sail("integrator = euler")


@slow
def test_a_time_step_too_long_for_the_fastest_mode_is_refused_with_its_line(sail):
    with pytest.raises(ConfigError, match=r"test.moos:\d: time_step = 0\.25: .*q: .*0\.238 s"):
        sail("time_step = 0.25")
    with pytest.raises(ConfigError, match=r"test.moos:\d: vessel = .*steps of 0\.02 s"):
        sail("vessel_override = thrusters.thrusters.2.T_prop = 0.005")


@slow
def test_an_actuator_map_sets_what_commands_move(sail):
    posts = after(sail("actuator_map = th_2:-thrust"), AHEAD, 10)
    assert posts["USM_TH_1"] > 0 > posts["USM_TH_2"]
    with pytest.raises(ConfigError, match=r"actuator_map = th_7:thrust"):
        sail("actuator_map = th_7:thrust")


@slow
def test_actuators_may_be_commanded_from_the_start(sail):
    posts = after(sail("actuator_cmd = th_1=200"), ticks=5)
    assert posts["USM_TH_1"] == pytest.approx(200, rel=1e-3)
    assert posts["USM_TH_2"] == 0.0
    with pytest.raises(ConfigError, match=r"actuator_cmd = th_5=1.*no such actuator"):
        sail("actuator_cmd = th_5=1")


@slow
def test_an_override_ends_when_it_is_not_repeated(sail):
    for lines, ticks in (("", 25), ("override_timeout = 1", 5)):
        driven = sail(lines)
        after(driven, AHEAD | {"ACTUATOR_CMD_OVERRIDE": "th_1=0,th_2=0"})
        assert after(driven, ticks=ticks - 1)["USM_TH_1"] == pytest.approx(0.0, abs=1e-6)
        assert after(driven, ticks=2)["USM_TH_1"] > 50.0


@slow
@pytest.mark.parametrize(
    ("key", "rare", "often"),
    [
        ("position_rate", ("USM_X", "USM_SPEED", "USM_DEPTH"), ("USM_HEADING", "USM_ROLL")),
        ("heading_rate", ("USM_HEADING", "USM_YAW"), ("USM_X", "USM_PITCH")),
        ("aux_rate", ("USM_ROLL", "USM_PITCH", "USM_TH_1", "VESSEL_STATE"), ("USM_X", "USM_YAW")),
    ],
)
def test_each_part_of_the_state_has_its_rate(sail, key, rare, often):
    driven = sail(f"{key} = 1")
    seen = [after(driven).keys() for _ in range(20)]
    assert {sum(name in posts for posts in seen) for name in rare} == {5}
    assert {sum(name in posts for posts in seen) for name in often} == {20}


TESTED = {
    "vessel": test_a_vessel_is_found_above_the_mission_and_needed,
    "vessel_file": test_a_vessel_file_may_be_in_another_folder,
    "vessel_override": test_an_override_replaces_a_value_of_the_vessels_files,
    "peer_compat": test_reference_deviations_may_be_selected_in_the_block,
    "time_step": test_every_step_is_posted_with_its_own_time,
    "integrator": test_a_step_too_long_is_taken_in_adaptive_substeps,
    "actuator_map": test_an_actuator_map_sets_what_commands_move,
    "actuator_cmd": test_actuators_may_be_commanded_from_the_start,
    "override_timeout": test_an_override_ends_when_it_is_not_repeated,
    "position_rate": test_each_part_of_the_state_has_its_rate,
    "heading_rate": test_each_part_of_the_state_has_its_rate,
    "aux_rate": test_each_part_of_the_state_has_its_rate,
}


def test_every_parameter_has_a_test_of_its_effect():
    assert list(TESTED) == [parameter.name for parameter in FOSSEN]


@slow
def test_thrust_map_parameters_are_reported_as_without_effect(sail, drive):
    assert any("turn_rate" in text for text in sail("turn_rate = 50").app.config_warnings)
    plain = drive(USimMarine, "time_step = 0.1")
    assert any("time_step" in text for text in plain.app.config_warnings)


@slow
@pytest.mark.parametrize(
    ("vessel", "feels"),
    [
        ("mariner", False),
        ("otter", False),
        ("otter\nvessel_override = geometry.wind.frontal_area = 0.2", True),
    ],
)
def test_wind_without_effect_on_the_vessel_is_reported(vessel, feels, drive):
    lines = f"model = fossen\nvessel = {vessel}\nwind_conditions = spd=9,dir=45"
    driven = drive(USimMarine, lines, folder=ROOT)
    warnings = [text for text in driven.app.config_warnings if "wind_conditions does not" in text]
    assert (warnings == []) == feels
    driven.tick(DT, {"WIND_CONDITIONS": "spd=3,dir=0"})
    assert any("WIND_CONDITIONS does not" in text for text in driven.app.run_warnings) != feels


@slow
def test_commands_and_names_move_actuators_and_the_last_one_applies(sail):
    driven = sail()
    posts = after(driven, {"DESIRED_THRUST": 50.0, "DESIRED_RUDDER": 10.0}, 5)
    full = degrees(103.93086427398005) / 6
    assert posts["USM_TH_1"] == pytest.approx(0.6 * full, rel=1e-3)
    assert posts["USM_TH_2"] == pytest.approx(0.4 * full, rel=1e-3)
    posts = after(driven, {"ACTUATOR_CMD": "th_2=300"}, 5)
    assert posts["USM_TH_1"] == pytest.approx(0.6 * full, rel=1e-3)
    assert posts["USM_TH_2"] == pytest.approx(300, rel=1e-3)
    assert after(driven, {"th_1": 250.0}, 5)["USM_TH_1"] == pytest.approx(250, rel=1e-3)
    assert after(driven, AHEAD, 5)["USM_TH_2"] == pytest.approx(0.4 * full, rel=1e-3)


@slow
def test_two_thrusts_steer_in_differential_mode(sail):
    driven = sail()
    mode = {"THRUST_MODE_DIFFERENTIAL": "differential"}
    after(driven, mode | {"DESIRED_THRUST_L": 40.0, "DESIRED_THRUST_R": 20.0}, 5)
    posts = after(driven)
    assert posts["USM_TH_1"] == pytest.approx(2 * posts["USM_TH_2"], rel=1e-6)


@slow
def test_an_override_wins_until_it_is_released(sail):
    driven = sail()
    after(driven, AHEAD | {"ACTUATOR_CMD_OVERRIDE": "th_1=100"}, 3)
    assert after(driven, AHEAD, 3)["USM_TH_1"] == pytest.approx(100, rel=1e-2)
    released = after(driven, {"ACTUATOR_CMD_OVERRIDE": "release"}, 5)
    assert released["USM_TH_1"] == pytest.approx(released["USM_TH_2"], rel=1e-3)


@slow
@pytest.mark.parametrize(
    ("mail", "expected"),
    [
        ({"DESIRED_ELEVATOR": 5.0}, "DESIRED_ELEVATOR: no actuator of otter"),
        ({"ACTUATOR_CMD": "th_9=5"}, "th_9: no such actuator"),
        ({"ACTUATOR_CMD": "th_1"}, "expected names and values"),
        ({"USM_TURN_RATE": 50.0}, "without effect"),
    ],
)
def test_lines_without_effect_give_a_warning(sail, mail, expected):
    driven = sail()
    after(driven, mail)
    assert any(expected in text for text in driven.app.run_warnings)


@slow
@slow
def test_a_command_without_a_unit_is_reported_without_one(drive):
    driven = drive(USimMarine, OTTER.replace("otter", "wamv"), folder=ROOT)
    after(driven, {"ACTUATOR_CMD": "th_1=3"})
    (warning,) = driven.app.run_warnings
    assert re.fullmatch(r"th_1 = 3: outside -1 to 1, taken for 1 \(told once\)", warning)


@slow
@pytest.mark.parametrize("name", ["ACTUATOR_CMD", "ACTUATOR_CMD_OVERRIDE"])
def test_a_command_may_have_the_fields_of_panisims_message(sail, name):
    message = "{{header: {{stamp: {{sec: 0}}}}, actuator_names: {}, actuator_values: {}}}"
    plain, message_of = sail(), sail()
    posts = after(plain, {name: "th_1=300,th_2=-200"}, 5)
    text = message.format("['th_1', 'th_2']", "[300.0, -200]")
    assert after(message_of, {name: text}, 5)["USM_STATE"] == posts["USM_STATE"]
    for names, values in (("['th_1']", "[1, 2]"), ("['th_1', 'th_2']", "[3]")):
        driven = sail()
        after(driven, {name: message.format(names, values)})
        (warning,) = driven.app.run_warnings
        assert "expected as many actuator_values as actuator_names" in warning


@pytest.mark.parametrize(
    "text",
    [
        '{"actuator_names": ["cs_1", "th_1"], "actuator_values": [15.0, -200.0]}',
        "Actuator(actuator_names=['cs_1', 'th_1'], actuator_values=[15.0, -200.0])",
        "header:\n  frame_id: ''\nactuator_names:\n- cs_1\n- 'th_1'\n"
        "actuator_values:\n- 15.0\n- -200.0\n---",
    ],
)
def test_panisims_message_is_read_as_programs_print_it(text):
    assert read_commands(text) == {"cs_1": 15.0, "th_1": -200.0}


def test_commands_outside_their_ranges_are_reported_once_with_the_range(sail):
    driven = sail()
    after(driven, {"DESIRED_RUDDER": -150.0, "th_1": 5000.0})
    after(driven, {"DESIRED_RUDDER": -160.0, "ACTUATOR_CMD": "th_1=6000"})
    assert list(driven.app.run_warnings) == [
        "DESIRED_RUDDER = -150: outside -100 to 100, taken for -100 by model = fossen (told once)",
        "th_1 = 5000: outside -971.514 to 992.467 rpm, taken for 992.467 (told once)",
    ]


@slow
def test_an_elevators_range_is_its_planes(drive):
    driven = drive(USimMarine, "model = fossen\nvessel = remus100\n", folder=ROOT)
    after(driven, {"DESIRED_ELEVATOR": 40.0})
    assert "outside -20 to 20, taken for 20" in next(iter(driven.app.run_warnings))


@slow
def test_thrust_without_a_thruster_gives_a_warning(drive):
    block = "model = fossen\nvessel = inputs/otter\nactuator_map = th_1:rudder, th_2:-rudder"
    driven = drive(USimMarine, block, folder=ROOT)
    after(driven, AHEAD)
    assert any("DESIRED_THRUST: no actuator" in text for text in driven.app.run_warnings)


@slow
def test_drift_is_a_current(sail):
    posts = after(sail("drift_x = 0.3"), ticks=50)
    assert posts["USM_X"] == pytest.approx(3.0, abs=0.05)
    assert posts["USM_SPEED"] == pytest.approx(0.0, abs=0.02)


@slow
def test_a_gridded_current_acts_at_the_vessels_depth_and_time(drive, tmp_path):
    """Eastward 0.4 m/s at the surface and 0.1 m/s at 10 m depth; no current after 200 s."""
    rows = ["x,y,depth,t,east,north"]
    for t, share in ((0, 1.0), (200, 0.0)):
        rows += [f"0,0,0,{t},{0.4 * share},0", f"0,0,10,{t},{0.1 * share},0"]
    (tmp_path / "sea.csv").write_text("\n".join(rows) + "\n")
    block = "model = fossen\nvessel = remus100\ncurrent_field = sea.csv\n"
    eastward = {}
    for depth in (0, 10):
        driven = drive(USimMarine, f"{block}start_pos = x=0,y=0,depth={depth}", folder=tmp_path)
        row = fields(after(driven, ticks=5)["USM_STATE"])
        eastward[depth] = row["v"]  # heading north, starboard is east
    assert eastward[0] == pytest.approx(0.4, rel=0.02)
    assert eastward[10] == pytest.approx(0.1, rel=0.02)


@slow
def test_wind_acts_on_the_parts_above_the_water(drive):
    """From the west means eastward, which is to starboard when heading north."""
    area = "vessel_override = geometry.wind.{}\n"
    keys = ("frontal_area = 0.5", "lateral_area = 1", "length = 2", "cx = 0.7", "cy = 0.8")
    above = "".join(area.format(key) for key in (*keys, "cn = 0.1"))
    lines = f"model = fossen\nvessel = otter\n{above}wind_conditions = spd=10,dir=270\n"
    blown = after(drive(USimMarine, lines, folder=ROOT), ticks=25)
    assert blown["USM_X"] > 0.05
    calm = after(drive(USimMarine, lines.replace("spd=10", "spd=0"), folder=ROOT), ticks=25)
    assert abs(calm["USM_X"]) < 1e-3


@slow
def test_a_reset_moves_the_vessel(sail):
    driven = sail()
    after(driven, AHEAD, 5)
    pose = {"USM_RESET": "x=10,y=20,heading=90,speed=0,depth=0", "DESIRED_THRUST": 0.0}
    posts = after(driven, pose)
    assert posts["USM_RESET_COUNT"] == 1.0
    place = [posts[f"USM_{name}"] for name in ("X", "Y", "HEADING")]
    assert place == pytest.approx([10, 20, 90], abs=0.2)


@slow
def test_an_embedded_pid_steers_the_vessel(sail):
    driven = sail("yaw_pid_kp = 0.9\nspeed_factor = 40\ndepth_control = false")
    go = {"MOOS_MANUAL_OVERRIDE": "false", "DESIRED_HEADING": 40.0, "DESIRED_SPEED": 1.0}
    for _ in range(60):
        posts = after(driven, go)
    assert posts["USM_HEADING"] == pytest.approx(40, abs=3)
    assert posts["USM_SPEED"] > 0.4


@slow
def test_the_state_is_posted_in_every_coordinate_order(sail):
    driven = sail("start_pos = x=3,y=4,heading=30,speed=1,depth=0")
    posts = after(driven, AHEAD | {"DESIRED_RUDDER": 5.0}, 10)
    state = fields(posts["USM_STATE"])
    assert state["time"] == 2.0
    assert (state["x"], state["y"]) == pytest.approx((posts["USM_Y"], posts["USM_X"]))
    assert degrees(state["psi"]) == pytest.approx(posts["USM_HEADING"])
    assert (state["phi"], state["z"]) == pytest.approx((posts["USM_ROLL"], posts["USM_HEAVE"]))
    seed = [float(number) for number in posts["VESSEL_STATE"].split(",")]
    names = [*"uvwpqr", "x", "y", "z", "phi", "theta", "psi"]
    assert seed[:12] == pytest.approx([state[name] for name in names])
    assert seed[12:] == pytest.approx([state["th_1"] * 30 / pi, state["th_2"] * 30 / pi])
    assert seed[12:] == pytest.approx([posts["USM_TH_1"], posts["USM_TH_2"]])


@slow
def test_a_quaternion_replaces_the_angles_where_the_files_select_it(sail):
    driven = sail("vessel_override = initial_conditions.use_quaternion = true\nstart_heading = 90")
    seed = [float(number) for number in after(driven)["VESSEL_STATE"].split(",")]
    assert len(seed) == 15
    half = pi / 4
    assert seed[9:13] == pytest.approx([np.cos(half), 0, 0, np.sin(half)], abs=0.02)


@slow
def test_rates_of_velocity_are_their_differences(sail):
    driven = sail()
    after(driven, AHEAD, 5)
    rows = [fields(p.value) for p in driven.posts if p.name == "USM_STATE"]
    for name in ("u", "w", "q"):
        slope = (rows[6][name] - rows[4][name]) / 0.04
        assert rows[5][f"{name}_dot"] == pytest.approx(slope, rel=0.05, abs=2e-3)


@slow
def test_energy_grows_with_the_square_of_speed(sail):
    slow_boat, fast = (after(sail(f"start_speed = {v}")) for v in (1, 2))
    assert slow_boat["USM_ENERGY"] == pytest.approx((80 + 5.28) / 2 * 1.0, rel=0.35)
    assert fast["USM_ENERGY"] > 3 * slow_boat["USM_ENERGY"]


@slow
def test_posted_variables_are_declared(sail):
    driven = sail("dual_state = true")
    after(driven, AHEAD, 5)
    assert driven.app.run_warnings == {}
    assert {"USM_GT_X", "USM_STATE", "USM_TH_2"} <= set(driven.app.publishes)


@slow
def test_a_paused_vessel_posts_no_steps(sail):
    driven = sail()
    after(driven, ticks=2)
    posts = after(driven, {"USM_SIM_PAUSED": "true"}, 3)
    assert "USM_STATE" not in posts


@slow
def test_a_state_beyond_the_envelope_ends_with_a_clear_error(sail):
    driven = sail("start_speed = 1000")
    with pytest.raises(CannotGoOn, match=r"otter.*the likely cause.*last good"):
        after(driven)


@slow
def test_leaving_the_envelope_is_reported_once_with_the_state(sail):
    driven = sail("vessel_override = vessel.envelope = {speed: [-1, 0.5]}")
    counts = [p.get("USM_ENVELOPE_LEFT") for p in (after(driven, AHEAD, 10) for _ in range(3))]
    assert 1.0 in counts
    (warning,) = driven.app.run_warnings
    assert warning.startswith("otter leaves its envelope: speed 0.5")
    assert "outside -1 to 0.5; eta, nu: " in warning


@slow
def test_on_the_bottom_there_is_no_altitude_and_one_warning(drive):
    lines = "model = fossen\nvessel = remus100\nstart_depth = 4\nstart_speed = 2\n"
    driven = drive(USimMarine, lines + "default_water_depth = 5", folder=ROOT)
    posts = after(driven, {"DESIRED_THRUST": 80.0, "DESIRED_ELEVATOR": 15.0}, 100)
    assert posts["USM_AGROUND"] == "true"
    assert posts["USM_ALTITUDE"] == 0.0
    assert [w for w in driven.app.run_warnings if "aground in 5 m of water" in w]
    assert after(driven, {"USM_RESET": "depth=2,speed=1"}, 2)["USM_AGROUND"] == "false"
