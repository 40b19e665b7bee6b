"""``pMarinePID``, the older PID, driven by mail and time."""

from math import degrees
from pathlib import Path

import pytest

from steerageway.bus import ConfigError
from steerageway.peers.older.older_marine_pid import MarinePidLegacy

WANT = {"DESIRED_HEADING": 90.0, "DESIRED_SPEED": 2.0, "DESIRED_DEPTH": 5.0}
HAVE = {"NAV_HEADING": 80.0, "NAV_SPEED": 1.5, "NAV_DEPTH": 4.0, "NAV_PITCH": 0.0}
GO = {"MOOS_MANUAL_OVERRIDE": "false"}
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
    """Return an app that has control and fresh input at 1 s."""
    driven = drive(MarinePidLegacy, block)
    driven.tick(1.0, GO | WANT | HAVE | more)
    return driven


def test_the_older_pid_names_its_successor_unless_acknowledged(drive):
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


def test_the_older_pid_dives_only_if_configured(drive):
    assert "DESIRED_ELEVATOR" not in legacy(drive).tick(1.5)
    diving = legacy(drive, LEGACY_DIVING).tick(1.5)
    assert diving["DESIRED_ELEVATOR"] == pytest.approx(degrees(0.05))


@pytest.mark.parametrize(("word", "dives"), [("1", True), ("yes", True), ("0", False)])
def test_the_older_pid_accepts_many_values_of_depth_control(drive, word, dives):
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


def test_the_older_pid_stops_again_each_time_it_is_overridden(drive):
    driven = drive(MarinePidLegacy, LEGACY)
    zeros = {"DESIRED_RUDDER": 0.0, "DESIRED_THRUST": 0.0}
    assert driven.tick(0.5) == zeros
    for start in (1.0, 2.0):
        assert driven.tick(start, GO | WANT | HAVE)["DESIRED_THRUST"] == 40.0
        assert driven.tick(start + 0.1, {"MOOS_MANUAL_OVERRIDE": "true"}) == zeros
        assert driven.tick(start + 0.2) == {}


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


def test_instability_of_the_older_pid_is_applied_after_clipping(drive):
    block = LEGACY.replace("maxrudder = 100", "maxrudder = 4") + "sim_instability = 20"
    driven = legacy(drive, block)
    assert driven.posts[0] == ("DESIRED_RUDDER", 4.0, 1.0, "")
    assert driven.tick(6.0, WANT | HAVE)["DESIRED_RUDDER"] == pytest.approx(4.0 - 10.0)


def test_the_older_pid_stops_when_ordered(drive):
    driven = legacy(drive)
    posts = driven.tick(1.5, {"DESIRED_SPEED": 0.001})
    assert posts == {"DESIRED_RUDDER": 0.0, "DESIRED_THRUST": 0.0}


def test_verbose_older_pid_posts_its_lines(drive):
    driven = legacy(drive, LEGACY_DIVING + "verbose = verbose")
    starts = [text.split(":  ")[0] for text in driven.values("PID_REPORT")]
    assert starts == ["1:PID_COURSE", "1:PID_SPEED", "1:PID_DEPTH"]
    driven.tick(1.1, {"PID_VERBOSE": "terse"})
    assert driven.values("PID_REPORT") == []


def test_mail_controls_the_loop_posts_of_the_older_pid(drive):
    driven = legacy(drive, LEGACY)
    for k, (word, expected) in enumerate(
        (("Verbose", 2), ("quiet", 0), ("verbose", 2), ("nonsense", 0), ("verbose", 2))
    ):
        driven.tick(1.1 + k / 10, {"PID_VERBOSE": word})
        assert len(driven.values("PID_REPORT")) == expected, word


def test_the_appcast_of_the_older_pid_shows_desired_and_awaited_values(drive):
    driven = legacy(drive, LEGACY, DESIRED_HEADING=90.46, DESIRED_SPEED=1.74, DESIRED_DEPTH=5.28)
    report = list(driven.app.report())
    assert report[:2] == ["Overridden: false", "Waiting for: nothing"]
    expected = [line for line in report if line.startswith("Desired")]
    assert expected == ["Desired heading: 90.5", "Desired speed: 1.7", "Desired depth: 5.3"]
    driven.tick(3.1, HAVE)
    assert "Waiting for: HELM" in driven.app.report()


def test_quiet_older_pid_has_a_short_appcast(drive):
    quiet = list(drive(MarinePidLegacy, LEGACY + "verbose = quiet").app.report())
    assert len(quiet) < len(list(drive(MarinePidLegacy, LEGACY).app.report()))


@pytest.mark.parametrize("loop", ["HDG", "SPD", "DEP"])
def test_max_sat_debug_of_the_older_pid_reports_when_a_loop_meets_its_limit(drive, loop):
    block = LEGACY_DIVING.replace("kp = 0.5", "kp = 5000").replace("speed_factor = 20", "")
    watched = legacy(drive, block + f"max_sat_{loop.lower()}_debug = true")
    named = {post.name for post in watched.posts if "SAT" in post.name}
    assert named == {f"PID_MAX_SAT_{loop}", f"PID_MAX_SAT_{loop}_DEBUG"}


@pytest.mark.parametrize(("watched", "expected"), [("hdg", True), ("spd", False), ("dep", False)])
def test_a_loop_within_its_limit_is_not_reported(drive, watched, expected):
    block = LEGACY_DIVING.replace("yaw_pid_kp = 0.5", "yaw_pid_kp = 5000")
    driven = legacy(drive, f"{block}max_sat_{watched}_debug = true")
    assert any("SAT" in post.name for post in driven.posts) is expected


RESETS = [
    ("HEADING", "yaw", "DESIRED_RUDDER", {"NAV_HEADING": 89.0}, {"NAV_HEADING": 91.0}),
    ("SPEED", "speed", "DESIRED_THRUST", {"NAV_SPEED": 1.0}, {"NAV_SPEED": 2.5}),
    ("DEPTH", "z_to_pitch", "DESIRED_ELEVATOR", {"NAV_DEPTH": 4.9}, {"NAV_DEPTH": 5.1}),
    ("PITCH", "pitch", "DESIRED_ELEVATOR", {"NAV_PITCH": 0.1}, {"NAV_PITCH": -0.3}),
]
NEW = {
    "HEADING": {"DESIRED_HEADING": 90.01},
    "SPEED": {"DESIRED_SPEED": 2.01},
    "DEPTH": {"DESIRED_DEPTH": 5.01},
    "PITCH": {"DESIRED_DEPTH": 5.01},
}


def integrating(gains: str) -> str:
    """Return a block in which one loop integrates, with the speed loop enabled."""
    lines = [
        text.replace("ki = 0", "ki = 0.2").replace("limit = 0", "limit = 9")
        if text.startswith(f"{gains}_pid")
        else text
        for text in LEGACY_DIVING.splitlines()
        if not text.startswith("speed_factor")
    ]
    return "\n".join([*lines, ""])


def matters(drive, block, parameter, output, before, last) -> bool:
    """Whether a parameter changes an output after two seconds of one error, by the last mail."""
    outputs = []
    for word in ("true", "false"):
        driven = legacy(drive, f"{block}{parameter} = {word}", **before)
        driven.tick(2.0, WANT | HAVE | before)
        outputs.append(driven.tick(3.0, WANT | HAVE | last)[output])
    return outputs[0] != outputs[1]


@pytest.mark.parametrize(("loop", "gains", "output", "before", "after"), RESETS)
def test_integrals_of_the_older_pid_restart_at_zero_error(
    drive, loop, gains, output, before, after
):
    parameter, block = f"RESET_{loop}_I_AT_ZERO_ERROR", integrating(gains)
    assert matters(drive, block, parameter, output, before, after)
    assert not matters(drive, block, parameter, output, before, before)


@pytest.mark.parametrize(("loop", "gains", "output", "before", "_after"), RESETS)
def test_integrals_of_the_older_pid_restart_at_a_new_desired(
    drive, loop, gains, output, before, _after
):
    parameter, block = f"RESET_{loop}_I_AT_NEW_DESIRED", integrating(gains)
    assert matters(drive, block, parameter, output, before, before | NEW[loop])
    assert not matters(drive, block, parameter, output, before, before)


def test_nav_yaw_of_the_older_pid_can_be_ignored(drive):
    assert "NAV_YAW" in drive(MarinePidLegacy, LEGACY).registered
    ignoring = drive(MarinePidLegacy, LEGACY + "ignore_nav_yaw = true")
    assert "NAV_YAW" not in ignoring.registered


def test_every_parameter_has_a_test():
    """The gains' own effects are those of the newer PID, which reads them by the same function."""
    folder = Path(__file__).parent
    text = Path(__file__).read_text().lower()
    library = (folder / "test_marine_pid.py").read_text().lower()
    written = {f"max_sat_{loop}_debug" for loop in ("hdg", "spd", "dep")}
    for loop in ("heading", "speed", "depth", "pitch"):
        written |= {f"reset_{loop}_i_at_zero_error", f"reset_{loop}_i_at_new_desired"}
    for parameter in MarinePidLegacy.parameters:
        name = parameter.name.lower()
        assert name in written or f"{name} =" in text or f'"{name} =' in library, name


def test_orders_too_long_before_control_are_reported_until_the_older_pid_steers(drive):
    driven = drive(MarinePidLegacy, LEGACY)
    driven.tick(1.0, WANT | HAVE)
    driven.tick(20.0, GO | HAVE)
    (warning,) = driven.app.run_warnings
    assert warning == (
        "DESIRED_HEADING, DESIRED_SPEED, DESIRED_DEPTH: too old, as it came 19 s before "
        "MOOS_MANUAL_OVERRIDE = false"
    )
    assert any(warning in event for event in driven.app.events)
    driven.tick(21.0, WANT | HAVE)
    assert driven.app.run_warnings == {}


def test_fresh_orders_before_control_are_no_reason_for_the_older_pid_to_warn(drive):
    driven = drive(MarinePidLegacy, LEGACY)
    driven.tick(1.0, WANT | HAVE)
    driven.tick(1.5, GO)
    assert driven.app.run_warnings == {}


@pytest.mark.parametrize(("mail", "lacks"), [(HAVE, "DESIRED_HEADING"), (WANT, "NAV_HEADING")])
def test_an_older_pid_never_in_control_reports_missing_inputs_at_the_end(drive, mail, lacks):
    driven = drive(MarinePidLegacy, LEGACY)
    driven.tick(1.0, GO | mail)
    driven.stop(2.0)
    (warning,) = driven.app.run_warnings
    assert warning.startswith(f"never steered: in control, it heard no fresh {lacks}")
