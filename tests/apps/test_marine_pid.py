"""``pMarinePIDV22`` and ``pMarinePID``, driven by mail and time."""

import re
from dataclasses import replace
from math import degrees, radians
from pathlib import Path

import pytest

from apps.marine_pid import MarinePid, MarinePidLegacy
from apps.pid_config import read_pid
from bus.config import Config
from bus.errors import ConfigError
from vessel.pid import Gains, PidParameters

SURFACE = "yaw_pid_kp = 0.5\nspeed_factor = 20\ndepth_control = false\n"
DIVING = "yaw_pid_kp = 0.5\nspeed_factor = 20\nz_to_pitch_pid_kp = 0.1\npitch_pid_kp = 0.5\n"
WANT = {"DESIRED_HEADING": 90.0, "DESIRED_SPEED": 2.0, "DESIRED_DEPTH": 5.0}
HAVE = {"NAV_HEADING": 80.0, "NAV_SPEED": 1.5, "NAV_DEPTH": 4.0, "NAV_PITCH": 0.0}
GO = {"MOOS_MANUAL_OVERRIDE": "false"}


def engaged(drive, block=SURFACE, kind=MarinePid, **more):
    """Give an app that has control and fresh input at 1 s."""
    driven = drive(kind, block)
    driven.tick(1.0, GO | WANT | HAVE | more)
    return driven


# ------------------------------------------------------------------- parameters of the library

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
    assert read_pid(config(line)) == replace(PidParameters(), **change)


def test_the_last_of_several_lines_counts():
    assert read_pid(config("maxrudder = 10", "maxrudder = 20")).max_rudder == 20.0


@pytest.mark.parametrize(
    "line",
    ["yaw_pid_kp = fast", "maxrudder = -1", "sim_instability = 101", "tardy_nav_threshold = -1",
     "speed_factor = -20", "depth_control = maybe", "simulation = 2"],
)  # fmt: skip
def test_a_wrong_line_is_named(line):
    with pytest.raises(ConfigError, match=rf"x\.moos:1: {line}"):
        read_pid(config(line))


# ----------------------------------------------------------------------- parameters of the app


def test_debug_strings_say_what_the_loops_do(drive):
    block = DIVING + "heading_debug = true\nspeed_debug = true\ndepth_debug = true"
    engaged(drive, block)
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
    engaged(drive, block)
    driven = engaged(drive, block)
    driven.tick(1.5, WANT | HAVE)
    assert [text[0] for text in driven.values("PID_MAX_SAT_DEP_DEBUG")] == ["Z", "P"]


def test_nav_yaw_is_a_heading_unless_ignored(drive):
    yaw = {"NAV_YAW": radians(-70.0)}  # a heading of 70
    heard = engaged(drive, SURFACE, **yaw).tick(1.5, {})
    assert heard["DESIRED_RUDDER"] == pytest.approx(10.0)
    deaf = drive(MarinePid, SURFACE + "ignore_nav_yaw = true")
    assert "NAV_YAW" not in deaf.registered


@pytest.mark.parametrize("name", ["verbose", "pid_verbose"])
def test_verbose_rules_the_length_of_the_appcast(drive, name):
    long = list(drive(MarinePid, f"{name} = true").app.report())
    short = list(drive(MarinePid, f"{name} = false").app.report())
    assert any("Yaw PID" in line for line in long)
    assert not any("Yaw PID" in line for line in short)


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


def test_a_thrust_cap_that_is_no_number_is_a_run_warning(drive):
    driven = engaged(drive, SURFACE + "enable_thrust_cap = true", PID_THRUST_CAP="low")
    assert any("PID_THRUST_CAP = low" in warning for warning in driven.app.run_warnings)


def test_output_suffix_is_upper_cased_and_appended(drive):
    posts = engaged(drive, DIVING + "output_suffix = _pid").tick(1.5, {})
    assert list(posts) == ["DESIRED_RUDDER_PID", "DESIRED_THRUST_PID", "DESIRED_ELEVATOR_PID"]


def test_active_start_raises_a_config_warning_and_nothing_else(drive):
    driven = drive(MarinePid, SURFACE + "active_start = true")
    assert "MOOS_MANUAL_OVERRIDE" in driven.app.config_warnings[0]
    assert driven.tick(1.0, WANT | HAVE)["DESIRED_THRUST"] == 0.0


# -------------------------------------------------------------------------- control and output


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


def test_lifting_the_override_is_told_and_asks_for_fresh_input(drive):
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


def test_fresh_input_gives_control_back_without_a_word(drive):
    driven = engaged(drive)
    driven.tick(9.0)
    assert driven.tick(9.1, WANT | HAVE) == {"DESIRED_RUDDER": 5.0, "DESIRED_THRUST": 40.0}


def test_mail_of_the_first_iteration_counts(drive):
    assert drive(MarinePid, SURFACE).tick(0.0, GO | WANT | HAVE)["DESIRED_THRUST"] == 40.0


def test_mail_six_minutes_old_is_not_taken(drive):
    driven = drive(MarinePid, SURFACE + "simulation = true")
    driven.tick(400.0, GO | WANT)
    old = [driven.message(name, value, 10.0) for name, value in HAVE.items()]
    assert driven.take(400.1, old) == {}


def test_speed_factor_mail_counts_at_once(drive):
    assert engaged(drive).tick(1.5, {"SPEED_FACTOR": 10.0})["DESIRED_THRUST"] == 20.0


def test_text_where_a_number_belongs_is_a_run_warning(drive):
    driven = engaged(drive)
    posts = driven.tick(1.5, {"DESIRED_SPEED": "fast"})
    assert posts["DESIRED_THRUST"] == 40.0
    assert any("DESIRED_SPEED" in warning for warning in driven.app.run_warnings)


# ------------------------------------------------------------------------------- the older PID

GAINS = "".join(
    f"{loop}_pid_{gain} = {value}\n"
    for loop in ("yaw", "speed")
    for gain, value in (("kp", 0.5), ("kd", 0), ("ki", 0), ("integral_limit", 0))
)
LEGACY = GAINS + "maxrudder = 100\nmaxthrust = 100\nspeed_factor = 20\n"
LEGACY_DIVING = (
    LEGACY
    + "depth_control = true\nmaxpitch = 15\nmaxelevator = 13\n"
    + "".join(
        f"{loop}_pid_{gain} = {value}\n"
        for loop, kp in (("z_to_pitch", 0.1), ("pitch", 0.5))
        for gain, value in (("kp", kp), ("kd", 0), ("ki", 0), ("integral_limit", 0))
    )
)


def legacy(drive, block=LEGACY, **more):
    return engaged(drive, block, MarinePidLegacy, **more)


def test_the_older_pid_names_its_successor_unless_told_it_is_known(drive):
    assert "pMarinePIDV22" in drive(MarinePidLegacy, LEGACY).app.config_warnings[0]
    known = drive(MarinePidLegacy, LEGACY + "DEPRECATED_OK = true")
    assert known.app.config_warnings == []


@pytest.mark.parametrize("line", LEGACY_DIVING.splitlines())
def test_the_older_pid_does_not_start_without_a_gain(drive, line):
    name = line.partition(" ")[0]
    block = "\n".join(other for other in LEGACY_DIVING.splitlines() if other != line)
    if name in ("speed_factor", "depth_control"):
        drive(MarinePidLegacy, block)
    else:
        with pytest.raises(ConfigError, match=f"{name}.*missing"):
            drive(MarinePidLegacy, block)


@pytest.mark.parametrize("loop", ["yaw", "speed"])
def test_the_older_pid_takes_either_name_of_the_integral_limit(drive, loop):
    block = LEGACY.replace(f"{loop}_pid_integral_limit", f"{loop}_pid_ki_limit")
    drive(MarinePidLegacy, block)


def test_the_older_pid_steers(drive):
    assert legacy(drive).tick(1.5) == {"DESIRED_RUDDER": 5.0, "DESIRED_THRUST": 40.0}


def test_the_older_pid_dives_only_when_told_to(drive):
    assert "DESIRED_ELEVATOR" not in legacy(drive).tick(1.5)
    diving = legacy(drive, LEGACY_DIVING).tick(1.5)
    assert diving["DESIRED_ELEVATOR"] == pytest.approx(degrees(0.05))


@pytest.mark.parametrize(("word", "dives"), [("1", True), ("yes", True), ("0", False)])
def test_the_older_pid_reads_depth_control_in_many_words(drive, word, dives):
    block = LEGACY_DIVING.replace("depth_control = true", f"depth_control = {word}")
    assert ("DESIRED_ELEVATOR" in legacy(drive, block).tick(1.5)) == dives


def test_active_start_gives_the_older_pid_control(drive):
    driven = drive(MarinePidLegacy, LEGACY + "active_start = true")
    assert driven.tick(1.0, WANT | HAVE)["DESIRED_THRUST"] == 40.0
    assert drive(MarinePidLegacy, LEGACY).tick(1.0, WANT | HAVE)["DESIRED_THRUST"] == 0.0


def test_the_older_pid_stops_once_when_overridden(drive):
    driven = legacy(drive)
    zeros = {"DESIRED_RUDDER": 0.0, "DESIRED_THRUST": 0.0}
    assert driven.tick(1.5, {"MOOS_MANUAL_OVERRIDE": "true"}) == zeros
    assert driven.tick(1.6) == {}


def test_tardy_input_stops_only_the_thrust_of_the_older_pid(drive):
    driven = legacy(drive)
    assert driven.tick(3.1, HAVE) == {"DESIRED_THRUST": 0.0}
    assert driven.tick(3.2) == {"DESIRED_THRUST": 0.0}
    assert [event.split("]: ")[1] for event in driven.app.events] == [
        "Paused Due To Tardy HELM Input: THRUST=0"
    ]
    assert driven.tick(3.3, WANT)["DESIRED_THRUST"] == 40.0


@pytest.mark.parametrize(
    ("line", "mail", "tardy"),
    [
        ("tardy_helm_threshold = 5", HAVE, False),
        ("tardy_helm_threshold = 1", HAVE, True),
        ("tardy_nav_threshold = 5", WANT, False),
        ("tardy_nav_threshold = 1", WANT, True),
    ],
)
def test_thresholds_of_the_older_pid(drive, line, mail, tardy):
    driven = legacy(drive, f"{LEGACY}{line}")
    driven.tick(3.0, mail)
    posts = driven.tick(3.5)
    assert (posts == {"DESIRED_THRUST": 0.0}) == tardy


def test_one_helm_value_keeps_the_older_pid_fresh(drive):
    driven = legacy(drive)
    assert len(driven.tick(4.0, {"NAV_DEPTH": 0.0, "DESIRED_SPEED": 1.0})) == 2


def test_instability_of_the_older_pid_comes_after_the_clip(drive):
    block = LEGACY.replace("maxrudder = 100", "maxrudder = 4") + "sim_instability = 20"
    driven = legacy(drive, block)
    assert driven.posts[0] == ("DESIRED_RUDDER", 4.0, 1.0, "")
    assert driven.tick(6.0, WANT | HAVE)["DESIRED_RUDDER"] == pytest.approx(4.0 - 10.0)


def test_the_older_pid_stands_still_when_told_to(drive):
    driven = legacy(drive)
    posts = driven.tick(1.5, {"DESIRED_SPEED": 0.001})
    assert posts == {"DESIRED_RUDDER": 0.0, "DESIRED_THRUST": 0.0}


def test_verbose_older_pid_posts_its_lines(drive):
    driven = legacy(drive, LEGACY_DIVING + "verbose = verbose")
    starts = [text.split(":  ")[0] for text in driven.values("PID_REPORT")]
    assert starts == ["1:PID_COURSE", "1:PID_SPEED", "1:PID_DEPTH"]
    driven.tick(1.1, {"PID_VERBOSE": "terse"})
    assert driven.values("PID_REPORT") == []


def test_quiet_older_pid_has_a_short_appcast(drive):
    quiet = list(drive(MarinePidLegacy, LEGACY + "verbose = quiet").app.report())
    assert len(quiet) < len(list(drive(MarinePidLegacy, LEGACY).app.report()))


@pytest.mark.parametrize("loop", ["HDG", "SPD", "DEP"])
def test_max_sat_debug_of_the_older_pid_tells_when_a_loop_meets_its_limit(drive, loop):
    block = LEGACY_DIVING.replace("kp = 0.5", "kp = 5000").replace("speed_factor = 20", "")
    watched = legacy(drive, block + f"max_sat_{loop.lower()}_debug = true")
    named = {post.name for post in watched.posts if "SAT" in post.name}
    assert named == {f"PID_MAX_SAT_{loop}", f"PID_MAX_SAT_{loop}_DEBUG"}


RESETS = [
    ("HEADING", "yaw", "DESIRED_RUDDER", {"NAV_HEADING": 89.0}, {"NAV_HEADING": 91.0}),
    ("SPEED", "speed", "DESIRED_THRUST", {"NAV_SPEED": 1.0}, {"NAV_SPEED": 2.5}),
    ("DEPTH", "z_to_pitch", "DESIRED_ELEVATOR", {"NAV_DEPTH": 4.9}, {"NAV_DEPTH": 5.1}),
    ("PITCH", "pitch", "DESIRED_ELEVATOR", {"NAV_PITCH": 0.1}, {"NAV_PITCH": -0.3}),
]
NEW = {"HEADING": "DESIRED_HEADING", "SPEED": "DESIRED_SPEED", "DEPTH": "DESIRED_DEPTH",
       "PITCH": "DESIRED_DEPTH"}  # fmt: skip


def reset_block(gains: str, line: str) -> str:
    lines = [
        text.replace("ki = 0", "ki = 0.2").replace("limit = 0", "limit = 9")
        if text.startswith(f"{gains}_pid")
        else text
        for text in LEGACY_DIVING.splitlines()
        if not text.startswith("speed_factor")
    ]
    return "\n".join([*lines, line])


@pytest.mark.parametrize(("loop", "gains", "output", "before", "after"), RESETS)
def test_integrals_of_the_older_pid_restart_at_zero_error(
    drive, loop, gains, output, before, after
):
    results = []
    for word in ("true", "false"):
        block = reset_block(gains, f"RESET_{loop}_I_AT_ZERO_ERROR = {word}")
        driven = legacy(drive, block, **before)
        driven.tick(2.0, WANT | HAVE | before)
        results.append(driven.tick(3.0, WANT | HAVE | after)[output])
    assert results[0] != results[1]


@pytest.mark.parametrize(("loop", "gains", "output", "before", "_after"), RESETS)
def test_integrals_of_the_older_pid_restart_at_a_new_desired(
    drive, loop, gains, output, before, _after
):
    results = []
    for word in ("true", "false"):
        block = reset_block(gains, f"RESET_{loop}_I_AT_NEW_DESIRED = {word}")
        driven = legacy(drive, block, **before)
        driven.tick(2.0, WANT | HAVE | before)
        new = {NEW[loop]: WANT[NEW[loop]] + 0.01}
        results.append(driven.tick(3.0, WANT | HAVE | before | new)[output])
    assert results[0] != results[1]


def test_nav_yaw_of_the_older_pid_can_be_ignored(drive):
    assert "NAV_YAW" in drive(MarinePidLegacy, LEGACY).registered
    ignoring = drive(MarinePidLegacy, LEGACY + "ignore_nav_yaw = true")
    assert "NAV_YAW" not in ignoring.registered


# ------------------------------------------------------------------------------- completeness


@pytest.mark.parametrize("kind", [MarinePid, MarinePidLegacy])
def test_every_parameter_has_a_test_above(kind):
    text = Path(__file__).read_text().lower()
    covered = {line.partition(" ")[0].lower() for line, _ in LIBRARY}
    written = {f"max_sat_{loop}_debug" for loop in ("hdg", "spd", "dep")}
    written |= {"verbose", "pid_verbose"}
    written |= {f"reset_{loop.lower()}_i_at_{when}" for loop, *_ in RESETS
                for when in ("zero_error", "new_desired")}  # fmt: skip
    for parameter in kind.parameters:
        name = parameter.name.lower()
        assert name in covered or name in written or f"{name} =" in text, name


def test_every_mended_bug_in_the_docs_has_its_test():
    root = Path(__file__).parents[2]
    tests = Path(__file__).read_text() + (root / "tests/vessel/test_pid.py").read_text()
    named = re.findall(r"`(test_\w+)`", (root / "docs/pid.md").read_text())
    assert len(named) == 12
    assert [name for name in named if f"def {name}(" not in tests] == []
