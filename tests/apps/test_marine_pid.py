"""``pMarinePIDV22``, driven by mail and time."""

import re
from dataclasses import replace
from math import degrees, radians
from pathlib import Path

import pytest

from steerageway.apps.control.marine_pid import MarinePid
from steerageway.apps.shared.pid_config import PidOptions
from steerageway.apps.shared.pid_posts import NARRATION
from steerageway.bus import Config, ConfigError
from steerageway.vessel.pid import Gains, PidParameters

SURFACE = "yaw_pid_kp = 0.5\nspeed_factor = 20\ndepth_control = false\n"
DIVING = "yaw_pid_kp = 0.5\nspeed_factor = 20\nz_to_pitch_pid_kp = 0.1\npitch_pid_kp = 0.5\n"
WANT = {"DESIRED_HEADING": 90.0, "DESIRED_SPEED": 2.0, "DESIRED_DEPTH": 5.0}
HAVE = {"NAV_HEADING": 80.0, "NAV_SPEED": 1.5, "NAV_DEPTH": 4.0, "NAV_PITCH": 0.0}
GO = {"MOOS_MANUAL_OVERRIDE": "false"}


def engaged(drive, block=SURFACE, **more):
    """Return an app that has control and fresh input at 1 s."""
    driven = drive(MarinePid, block)
    driven.tick(1.0, GO | WANT | HAVE | more)
    return driven


def test_numbers_whose_sums_overflow_are_no_speeds(drive):
    # the rate is a mean of nine differences: of 1e308 and -1e308 it has no value
    driven = engaged(drive, f"{SURFACE}speed_pid_kp = 1\nspeed_pid_kd = 1\n")
    for time, speed in ((2.0, 1e308), (3.0, -1e308), (4.0, 1e308)):
        driven.tick(time, WANT | HAVE | {"NAV_SPEED": speed})
    assert "NAV_SPEED = 1e+308: expected a number within 1e+09" in str(driven.app.run_warnings)
    assert driven.tick(5.0, WANT | HAVE)["DESIRED_THRUST"] > 0.0


LIBRARY = [
    ("yaw_pid_kp = 1.5", {"yaw": Gains(kp=1.5)}),
    ("yaw_pid_kd = 1.5", {"yaw": Gains(kd=1.5)}),
    ("yaw_pid_ki = 1.5", {"yaw": Gains(ki=1.5)}),
    ("yaw_pid_integral_limit = 1.5", {"yaw": Gains(integral_limit=1.5)}),
    ("yaw_pid_ki_limit = 1.5", {"yaw": Gains(integral_limit=1.5)}),
    ("speed_pid_kp = 1.5", {"speed": Gains(kp=1.5)}),
    ("speed_pid_kd = 1.5", {"speed": Gains(kd=1.5)}),
    ("speed_pid_ki = 1.5", {"speed": Gains(ki=1.5)}),
    ("speed_pid_integral_limit = 1.5", {"speed": Gains(integral_limit=1.5)}),
    ("speed_pid_ki_limit = 1.5", {"speed": Gains(integral_limit=1.5)}),
    ("z_to_pitch_pid_kp = 1.5", {"z_to_pitch": Gains(kp=1.5)}),
    ("z_to_pitch_pid_kd = 1.5", {"z_to_pitch": Gains(kd=1.5)}),
    ("z_to_pitch_pid_ki = 1.5", {"z_to_pitch": Gains(ki=1.5)}),
    ("z_to_pitch_pid_integral_limit = 1.5", {"z_to_pitch": Gains(integral_limit=1.5)}),
    ("pitch_pid_kp = 1.5", {"pitch": Gains(kp=1.5)}),
    ("pitch_pid_kd = 1.5", {"pitch": Gains(kd=1.5)}),
    ("pitch_pid_ki = 1.5", {"pitch": Gains(ki=1.5)}),
    ("pitch_pid_integral_limit = 1.5", {"pitch": Gains(integral_limit=1.5)}),
    ("MAXRUDDER = 30", {"max_rudder": 30.0}),
    ("MAXTHRUST = 30", {"max_thrust": 30.0}),
    ("MaxPitch = 30", {"max_pitch": 30.0}),
    ("maxelevator = 30", {"max_elevator": 30.0}),
    ("speed_factor = 20", {"speed_factor": 20.0}),
    ("sim_instability = 20", {"sim_instability": 20.0}),
    ("tardy_helm_threshold = 5", {"tardy_helm": 5.0}),
    ("tardy_nav_threshold = 5", {"tardy_nav": 5.0}),
    ("depth_control = false", {"depth_control": False}),
    ("simulation = true", {"simulation": True}),
]


def config(*lines: str) -> Config:
    entries = [(*map(str.strip, line.split("=")), f"x.moos:{n}") for n, line in enumerate(lines, 1)]
    return Config(entries, where="x.moos", last_wins=True)


@pytest.mark.parametrize(("line", "change"), LIBRARY)
def test_a_line_of_the_block_reaches_the_controller(line, change):
    assert PidOptions.read(config(line)).pid == replace(PidParameters(), **change)


def test_the_last_of_several_lines_is_used():
    assert PidOptions.read(config("maxrudder = 10", "maxrudder = 20")).pid.max_rudder == 20.0


@pytest.mark.parametrize(
    "line",
    ["yaw_pid_kp = fast", "maxrudder = -1", "sim_instability = 101", "tardy_nav_threshold = -1",
     "speed_factor = -20", "depth_control = maybe", "simulation = 2"],
)  # fmt: skip
def test_an_invalid_line_is_reported(line):
    with pytest.raises(ConfigError, match=rf"x\.moos:1: {line}"):
        PidOptions.read(config(line))


def test_debug_strings_describe_the_loops(drive):
    block = DIVING + "heading_debug = true\nspeed_debug = true\ndepth_debug = true"
    driven = engaged(drive, block)
    posts = driven.tick(1.5, WANT | HAVE)
    assert posts["PID_HDG_DEBUG"] == (
        "PID_COURSE:  (Want):90.00000 (Curr):80.00000 (Diff):-10.00000 RUDDER:5.00000"
    )
    assert posts["PID_SPD_DEBUG"] == (
        "PID_SPEED:  (Want):2.00000 (Curr):1.50000 (Diff):0.50000 (Fctr):20.00000 THRUST:40.00000"
    )
    elevator = degrees(0.05)  # depth error -1 m, pitch wanted -0.1 rad, half of its error
    assert posts["PID_DEP_DEBUG"] == (
        f"PID_DEPTH:  (Want):5.00000 (Curr):4.00000 (Diff):-1.00000 ELEVATOR:{elevator:.5f}"
    )


@pytest.mark.parametrize("loop", ["HDG", "SPD", "DEP"])
def test_each_debug_parameter_rules_its_own_string(drive, loop):
    word = {"HDG": "heading", "SPD": "speed", "DEP": "depth"}[loop]
    posts = engaged(drive, f"{DIVING}{word}_debug = true").tick(1.5, WANT | HAVE)
    assert [name for name in posts if name.endswith("DEBUG")] == [f"PID_{loop}_DEBUG"]


def test_a_saturated_loop_is_explained_by_its_own_figures(drive):
    block = "yaw_pid_kp = 50\nspeed_pid_kp = 1\nmaxthrust = 0.25\ndepth_control = false\n"
    driven = engaged(drive, block + "speed_debug = true\nheading_debug = true")
    posts = driven.tick(1.5, WANT | HAVE)
    assert posts["PID_MAX_SAT_SPD_DEBUG"].startswith("error=0.50000,")
    assert posts["PID_MAX_SAT_HDG_DEBUG"].startswith("error=-10.00000,")


def test_a_saturated_depth_loop_is_named(drive):
    block = DIVING + "maxpitch = 1\nmaxelevator = 0.1\ndepth_debug = true"
    driven = engaged(drive, block)
    driven.tick(1.5, WANT | HAVE)
    assert [text[0] for text in driven.values("PID_MAX_SAT_DEP_DEBUG")] == ["Z", "P"]


def test_nav_yaw_is_a_heading_unless_ignored(drive):
    yaw = {"NAV_YAW": radians(-70.0)}  # a heading of 70
    posted = engaged(drive, SURFACE, **yaw).tick(1.5, {})
    assert posted["DESIRED_RUDDER"] == pytest.approx(10.0)
    deaf = drive(MarinePid, SURFACE + "ignore_nav_yaw = true")
    assert "NAV_YAW" not in deaf.registered


@pytest.mark.parametrize("name", ["verbose", "pid_verbose"])
def test_verbose_rules_the_length_of_the_appcast(drive, name):
    long = list(drive(MarinePid, f"{name} = true").app.report())
    short = list(drive(MarinePid, f"{name} = false").app.report())
    assert any("Yaw PID" in line for line in long)
    assert not any("Yaw PID" in line for line in short)


def test_the_appcast_shows_missing_inputs(drive):
    steering = ("DESIRED_HEADING", "DESIRED_SPEED", "NAV_HEADING", "NAV_SPEED")
    mail = {"MOOS_MANUAL_OVERRIDE": "false", **dict.fromkeys(steering, 1.0)}
    mail |= {"NAV_DEPTH": 0.0, "NAV_PITCH": 0.0}
    for block, unsubscribed in (("depth_control = true", True), ("depth_control = false", False)):
        driven = drive(MarinePid, block)
        driven.tick(1.0, mail)
        report = list(driven.app.report())
        assert ("No output before it hears DESIRED_DEPTH" in report) is unsubscribed
        assert any("No output" in line for line in report) is unsubscribed


@pytest.mark.parametrize("name", [*WANT, *HAVE])
def test_the_appcast_names_each_missing_input(drive, name):
    values = {one: value for one, value in (WANT | HAVE).items() if one != name}
    driven = drive(MarinePid, DIVING)
    driven.tick(1.0, GO | values)
    assert f"No output before it hears {name}" in driven.app.report()


def test_loops_without_a_gain_are_config_warnings(drive):
    for block, expected in (
        ("yaw_pid_kp = 1\nspeed_factor = 20", []),
        ("yaw_pid_ki = 1\nspeed_pid_kp = 1", []),
        ("yaw_pid_kp = 1\nspeed_pid_integral_limit = 1", ["neither speed_factor nor a gain"]),
        ("speed_factor = 20", ["no gain of the yaw loop"]),
    ):
        warnings = drive(MarinePid, block).app.config_warnings
        assert len(warnings) == len(expected)
        assert all(text in warning for text, warning in zip(expected, warnings, strict=True))


def test_a_pid_never_in_control_warns_at_the_end_of_missing_inputs(drive):
    def warnings(block, *ticks):
        driven = drive(MarinePid, block)
        for i, mail in enumerate(ticks):
            driven.tick(1.0 + 0.1 * i, mail)
        driven.stop(2.0)
        return list(driven.app.run_warnings)

    values = {one: value for one, value in (WANT | HAVE).items() if one != "DESIRED_DEPTH"}
    warning = "never steered: in control, it heard no DESIRED_DEPTH"
    assert warnings(DIVING, GO | values) == [warning]
    assert warnings(SURFACE, GO | values) == []
    (reported,) = warnings(
        SURFACE, values
    )  # a helm that starts in drive, and nobody gave it control
    orders = "DESIRED_HEADING, DESIRED_SPEED"
    assert reported == (
        f"never steered, though it heard {orders}: nobody posted MOOS_MANUAL_OVERRIDE = false"
    )
    assert warnings(SURFACE, HAVE) == []  # somebody else steers
    again = {"MOOS_MANUAL_OVERRIDE": "true"}, GO
    assert warnings(DIVING, GO | WANT | HAVE, *again) == []  # it steered before


def test_the_appcast_shows_gains_limits_and_the_cap(drive):
    diving = list(drive(MarinePid, DIVING).app.report())
    surface = list(engaged(drive, SURFACE).app.report())
    capped = engaged(drive, SURFACE + "enable_thrust_cap = true", PID_THRUST_CAP="30")
    assert any(line.startswith("Depth PID: kp=0.1, ") for line in diving)
    assert any(line.startswith("Pitch PID: kp=0.5, ") for line in diving)
    assert not any(line.startswith(("Depth PID", "Pitch PID")) for line in surface)
    assert "Thrust cap: off" in surface
    assert "Thrust cap: 30" in capped.app.report()


def test_pid_verbose_mail_rules_the_length_of_the_appcast(drive):
    driven = drive(MarinePid)
    driven.tick(1.0, {"PID_VERBOSE": "false"})
    assert not any("Yaw PID" in line for line in driven.app.report())


def test_thrust_cap_bounds_the_thrust_when_enabled(drive):
    cap = {"PID_THRUST_CAP": "30"}
    posts = engaged(drive, SURFACE + "enable_thrust_cap = true", **cap).tick(1.5, {})
    assert posts["DESIRED_THRUST"] == 30.0
    assert "PID_THRUST_CAP" not in drive(MarinePid, SURFACE).registered


@pytest.mark.parametrize(("cap", "thrust"), [("5", 20.0), (25.0, 25.0), ("400", 40.0)])
def test_thrust_cap_lies_between_20_and_100(drive, cap, thrust):
    driven = engaged(drive, SURFACE + "enable_thrust_cap = true", PID_THRUST_CAP=cap)
    assert driven.tick(1.5, {})["DESIRED_THRUST"] == thrust


@pytest.mark.parametrize("cap", ["low", "nan", "inf", "1e999", ""])
def test_a_thrust_cap_that_is_no_number_is_a_run_warning_and_caps_nothing(drive, cap):
    driven = engaged(drive, SURFACE + "enable_thrust_cap = true", PID_THRUST_CAP=cap)
    assert any(f"PID_THRUST_CAP = {cap}" in warning for warning in driven.app.run_warnings)
    free = engaged(drive, SURFACE + "enable_thrust_cap = true")
    assert driven.tick(1.5, {})["DESIRED_THRUST"] == free.tick(1.5, {})["DESIRED_THRUST"]


def test_output_suffix_is_upper_cased_and_appended(drive):
    posts = engaged(drive, DIVING + "output_suffix = _pid").tick(1.5, {})
    assert list(posts) == ["DESIRED_RUDDER_PID", "DESIRED_THRUST_PID", "DESIRED_ELEVATOR_PID"]


def test_active_start_raises_a_config_warning_and_nothing_else(drive):
    driven = drive(MarinePid, SURFACE + "active_start = true")
    assert "MOOS_MANUAL_OVERRIDE" in driven.app.config_warnings[0]
    assert driven.tick(1.0, WANT | HAVE)["DESIRED_THRUST"] == 0.0


def test_its_declared_variables_are_those_it_registers_and_may_post(drive):
    driven = drive(MarinePid, DIVING + "enable_thrust_cap = true")
    assert set(driven.registered) == set(MarinePid.subscribes)
    outputs = {"DESIRED_RUDDER", "DESIRED_THRUST", "DESIRED_ELEVATOR", "PID_HAS_CONTROL"}
    assert set(driven.app.publishes) == outputs | set(NARRATION)


def test_zeros_are_posted_once_before_control(drive):
    driven = drive(MarinePid, DIVING)
    zeros = {"DESIRED_RUDDER": 0.0, "DESIRED_THRUST": 0.0, "DESIRED_ELEVATOR": 0.0}
    assert driven.tick(0.1, WANT | HAVE) == zeros
    assert driven.tick(0.2, WANT | HAVE) == {}


def test_outputs_come_every_iteration_with_control(drive):
    driven = engaged(drive)
    for time in (1.1, 1.2, 1.3):
        assert driven.tick(time) == {"DESIRED_RUDDER": 5.0, "DESIRED_THRUST": 40.0}


def test_a_surface_vessel_gets_no_elevator(drive):
    assert "DESIRED_ELEVATOR" not in engaged(drive, SURFACE).app.publishes


def test_lifting_the_override_is_reported_and_requests_fresh_input(drive):
    driven = drive(MarinePid, SURFACE)
    driven.tick(0.5, WANT | HAVE)
    assert driven.tick(1.0, GO) == {"PID_HAS_CONTROL": "true"}
    assert driven.tick(1.1, WANT | HAVE)["DESIRED_THRUST"] == 40.0


@pytest.mark.parametrize("name", ["MOOS_MANUAL_OVERRIDE", "MOOS_MANUAL_OVERIDE"])
def test_an_override_stops_the_vessel_once(drive, name):
    driven = engaged(drive)
    posts = driven.tick(1.5, {name: "TRUE"})
    assert posts == {"PID_HAS_CONTROL": "false", "DESIRED_RUDDER": 0.0, "DESIRED_THRUST": 0.0}
    assert driven.tick(1.6, {name: "true"}) == {}


def test_the_vessel_is_stopped_again_each_time_control_is_lost(drive):
    driven = drive(MarinePid, SURFACE)
    zeros = {"DESIRED_RUDDER": 0.0, "DESIRED_THRUST": 0.0}
    assert driven.tick(0.5) == zeros
    for start in (1.0, 10.0):
        assert driven.tick(start, GO | WANT | HAVE)["DESIRED_THRUST"] == 40.0
        stopped = driven.tick(start + 1.0, {"MOOS_MANUAL_OVERRIDE": "true"})
        assert zeros.items() <= stopped.items()
        assert driven.tick(start + 1.1) == {}
    driven.tick(20.0, GO | WANT | HAVE)
    assert zeros.items() <= driven.tick(23.0).items()


def test_every_false_is_answered_but_only_the_first_true(drive):
    driven = engaged(drive)
    assert driven.tick(1.2, GO)["PID_HAS_CONTROL"] == "true"
    assert driven.tick(1.4, {"MOOS_MANUAL_OVERRIDE": "true"})["PID_HAS_CONTROL"] == "false"
    assert "PID_HAS_CONTROL" not in driven.tick(1.6, {"MOOS_MANUAL_OVERRIDE": "true"})


def test_stale_input_is_named_each_iteration_and_stops_the_vessel_once(drive):
    driven = engaged(drive)
    first = driven.tick(3.25, WANT)
    assert driven.values("PID_STALE") == ["Stale NavHdg:2.25", "Stale NavSpd:2.25"]
    assert (first["DESIRED_THRUST"], first["DESIRED_RUDDER"]) == (0.0, 0.0)
    assert list(driven.tick(3.5, {})) == ["PID_STALE"]


def test_fresh_input_gives_control_back_silently(drive):
    driven = engaged(drive)
    driven.tick(9.0)
    assert driven.tick(9.1, WANT | HAVE) == {"DESIRED_RUDDER": 5.0, "DESIRED_THRUST": 40.0}


def test_mail_of_the_first_iteration_is_used(drive):
    assert drive(MarinePid, SURFACE).tick(0.0, GO | WANT | HAVE)["DESIRED_THRUST"] == 40.0


def test_mail_six_minutes_old_is_not_taken(drive):
    driven = drive(MarinePid, SURFACE + "simulation = true")
    driven.tick(400.0, GO | WANT)
    old = [driven.message(name, value, 10.0) for name, value in HAVE.items()]
    assert driven.take(400.1, old) == {}
    at_six_minutes = [driven.message(name, value, 40.5) for name, value in HAVE.items()]
    assert driven.take(400.5, at_six_minutes) == {}
    assert driven.tick(400.6, HAVE)["DESIRED_THRUST"] == 40.0


def test_speed_factor_mail_applies_at_once(drive):
    assert engaged(drive).tick(1.5, {"SPEED_FACTOR": 10.0})["DESIRED_THRUST"] == 20.0


def test_text_where_a_number_belongs_is_a_run_warning(drive):
    driven = engaged(drive)
    posts = driven.tick(1.5, {"DESIRED_SPEED": "fast"})
    assert posts["DESIRED_THRUST"] == 40.0
    assert any("DESIRED_SPEED" in warning for warning in driven.app.run_warnings)


def test_every_parameter_has_a_test_above():
    text = Path(__file__).read_text().lower()
    covered = {line.partition(" ")[0].lower() for line, _ in LIBRARY}
    for parameter in MarinePid.parameters:
        name = parameter.name.lower()
        assert name in covered or f"{name} =" in text or f'"{name}"' in text, name


def test_every_mended_bug_in_the_docs_has_its_test():
    root = Path(__file__).parents[2]
    tests = Path(__file__).read_text() + (root / "tests/vessel/test_pid.py").read_text()
    named = re.findall(r"`(test_\w+)`", (root / "docs/pid.md").read_text())
    assert len(named) == 12
    assert [name for name in named if f"def {name}(" not in tests] == []


def test_orders_received_before_control_are_reported_as_ignored_until_it_steers(drive):
    driven = drive(MarinePid, SURFACE)
    driven.tick(1.0, WANT | HAVE)
    driven.tick(2.0, GO)
    (warning,) = driven.app.run_warnings
    assert warning == (
        "DESIRED_HEADING, DESIRED_SPEED, DESIRED_DEPTH: forgotten, as it came before "
        "MOOS_MANUAL_OVERRIDE = false"
    )
    assert warning in driven.app.events[-1]
    driven.tick(3.0, WANT | HAVE)
    assert driven.app.run_warnings == {}


def test_measurements_that_came_before_control_are_no_reason_to_warn(drive):
    driven = drive(MarinePid, SURFACE)
    driven.tick(1.0, HAVE)
    driven.tick(2.0, GO | WANT)
    assert driven.app.run_warnings == {}
