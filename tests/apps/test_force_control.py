"""Controllers of forces: pose, velocity, who has control, and what they refuse."""

from __future__ import annotations

from math import radians
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.control.dynamic_positioning import DynamicPositioning
from steerageway.apps.control.pose_control import PoseControl
from steerageway.apps.control.velocity_pid import VelocityPid
from steerageway.bus import ConfigError
from tests.apps.parameters import Shown

dp, pose, velocity = Shown(), Shown(), Shown()
AXES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
TAU = dict(zip(AXES, ("TAU_X", "TAU_Y", "TAU_Z", "TAU_K", "TAU_M", "TAU_N"), strict=True))
AT = {
    "NAV_X": 0.0,
    "NAV_Y": 0.0,
    "NAV_HEADING": 0.0,
    "NAV_DEPTH": 5.0,
    "NAV_ROLL": 0.0,
    "NAV_PITCH": 0.0,
}
ON = {"MOOS_MANUAL_OVERRIDE": "false"}
OFF_BY_ONE = {  # a setpoint that asks for a positive force along one axis alone
    "surge": "y=1",
    "sway": "x=1",
    "heave": "depth=6",
    "roll": "roll=57.29577951",
    "pitch": "pitch=57.29577951",
    "yaw": "heading=57.29577951",
}


def at(kind: Any, drive: Any, block: str, setpoint: str = "", **mail: Any) -> Any:
    """Start an app in control, at rest at the origin, level, at a depth of 5 m."""
    driven = drive(kind, block)
    inputs = {**AT, **ON, **({"DP_SETPOINT": setpoint} if setpoint else {}), **mail}
    driven.tick(0.1, inputs)
    return driven


def force(kind: Any, drive: Any, block: str, setpoint: str, ticks: int = 1, **moved: Any) -> Any:
    driven = at(kind, drive, block, setpoint)
    posted: dict[str, Any] = {}
    for k in range(ticks):
        posted = driven.tick(0.2 + 0.1 * k, {**AT, **moved})
    return posted


def all_gains(axis: str) -> str:
    return f"{axis}_kp = 100"


@pose(*(f"{axis}_kp" for axis in AXES))
@pytest.mark.parametrize("axis", AXES)
def test_pose_is_pulled_back_along_the_axis_it_is_off(axis: str, drive: Any) -> None:
    found = force(PoseControl, drive, f"{axis}_kp = 100", OFF_BY_ONE[axis])
    assert found[TAU[axis]] == pytest.approx(100.0, rel=1e-6)
    assert set(found) == {TAU[axis]}


@dp("surge_kp", "sway_kp", "yaw_kp")
@pytest.mark.parametrize("axis", ["surge", "sway", "yaw"])
def test_station_is_pulled_back_to(axis: str, drive: Any) -> None:
    found = force(DynamicPositioning, drive, f"{axis}_kp = 100", OFF_BY_ONE[axis])
    assert found[TAU[axis]] == pytest.approx(100.0, rel=1e-6)


@dp("surge_kd", "sway_kd", "yaw_kd")
@pose(*(f"{axis}_kd" for axis in AXES))
@pytest.mark.parametrize("kind", [DynamicPositioning, PoseControl])
def test_motion_is_damped(kind: Any, drive: Any) -> None:
    names = {"surge": "NAV_Y", "sway": "NAV_X", "heave": "NAV_DEPTH"}
    names |= {"roll": "NAV_ROLL", "pitch": "NAV_PITCH", "yaw": "NAV_HEADING"}
    axes = ("surge", "sway", "yaw") if kind is DynamicPositioning else AXES
    for axis in axes:
        driven = at(kind, drive, f"{axis}_kd = 100\nvelocity_filter = 0", "here")
        name = names[axis]
        step = 1.0 if axis == "yaw" else 0.02
        posted = driven.tick(0.2, {**AT, name: AT[name] + step})
        speed = radians(10.0) if axis == "yaw" else 0.2
        assert posted[TAU[axis]] == pytest.approx(-100.0 * speed, rel=1e-2)


@pytest.mark.parametrize("kind", [DynamicPositioning, PoseControl])
@pytest.mark.parametrize("number", [1e308, -1e308, 1e160, 1.1e9])
def test_a_number_beyond_all_places_leaves_no_trace(kind: Any, number: float, drive: Any) -> None:
    block = "surge_kp = 1\nsurge_ki = 1\nsurge_kd = 1\nyaw_kp = 1\nyaw_kd = 1"
    one, other = (at(kind, drive, block, "x=1,y=2,heading=3") for _ in range(2))
    for k in range(20):
        mail: dict[str, Any] = {**AT, "NAV_Y": 0.01 * k}
        left = one.tick(0.2 + 0.1 * k, mail)
        if k == 7:
            for name in ("NAV_X", "NAV_HEADING"):  # after the right value of the same instant
                other.tick(0.2 + 0.1 * k - 0.01, {name: number})
            other.tick(0.2 + 0.1 * k - 0.01, {"DP_SETPOINT": f"x={number}"})
        right = other.tick(0.2 + 0.1 * k, mail)
    assert left == pytest.approx(right, rel=0.1)
    assert any("expected a number within 1e+09" in text for text in other.app.run_warnings)


@dp("surge_ki", "sway_ki", "yaw_ki")
@pose(*(f"{axis}_ki" for axis in AXES))
@pytest.mark.parametrize("kind", [DynamicPositioning, PoseControl])
def test_lasting_errors_are_integrated(kind: Any, drive: Any) -> None:
    for axis in ("surge", "sway", "yaw") if kind is DynamicPositioning else AXES:
        block = f"{axis}_kp = 1\n{axis}_ki = 100"
        found = force(kind, drive, block, OFF_BY_ONE[axis], ticks=10)
        assert found[TAU[axis]] == pytest.approx(1.0 + 100.0 * 1.1, rel=0.02)


@pytest.mark.slow
@dp("surge_limit", "sway_limit", "yaw_limit")
@pose(*(f"{axis}_limit" for axis in AXES))
@pytest.mark.parametrize("kind", [DynamicPositioning, PoseControl])
def test_forces_keep_their_limit(kind: Any, drive: Any) -> None:
    for axis in ("surge", "sway", "yaw") if kind is DynamicPositioning else AXES:
        block = f"{axis}_kp = 1000\n{axis}_ki = 1000\n{axis}_limit = 30"
        driven = at(kind, drive, block, OFF_BY_ONE[axis])
        for k in range(100):
            posted = driven.tick(0.2 + 0.1 * k, AT)
        assert posted[TAU[axis]] == pytest.approx(30.0)
        back = driven.tick(10.3, {**AT, "DP_SETPOINT": "here"})
        assert back[TAU[axis]] <= 30.0  # the integral did not run away


@dp("velocity_filter")
@pose("velocity_filter")
@velocity("velocity_filter")
def test_velocity_is_smoothed(drive: Any) -> None:
    found = []
    for constant in (0.0, 1.0):
        block = f"surge_kd = 100\nvelocity_filter = {constant}"
        driven = at(DynamicPositioning, drive, block, "here")
        found.append(driven.tick(0.2, {**AT, "NAV_Y": 0.1})["TAU_X"])
    assert abs(found[1]) < 0.2 * abs(found[0])


@dp("tardy_nav_threshold")
@pose("tardy_nav_threshold")
@velocity("tardy_nav_threshold")
@pytest.mark.parametrize("kind", [DynamicPositioning, PoseControl])
def test_an_old_pose_stops_it_once(kind: Any, drive: Any) -> None:
    driven = at(kind, drive, "surge_kp = 100\ntardy_nav_threshold = 1", "y=1")
    assert driven.tick(1.0)["TAU_X"] == pytest.approx(100.0)
    assert driven.tick(1.5)["TAU_X"] == 0.0
    assert "TAU_X" not in driven.tick(1.6)
    assert "Waiting for NAV_X" in driven.app.appcast()
    patient = at(kind, drive, "surge_kp = 100\ntardy_nav_threshold = 9", "y=1")
    assert patient.tick(5.0)["TAU_X"] == pytest.approx(100.0)


@pytest.mark.parametrize("kind", [DynamicPositioning, PoseControl, VelocityPid])
def test_only_one_in_control_orders_forces(kind: Any, drive: Any) -> None:
    driven = drive(kind, "surge_kp = 100")
    desired = {"DP_SETPOINT": "y=1", "DESIRED_SPEED": 1.0, "DESIRED_YAW_RATE": 0.0}
    assert "TAU_X" not in driven.tick(0.1, {**AT, **desired})
    posted = driven.tick(0.2, {**ON, **AT, **desired})
    assert posted["PID_HAS_CONTROL"] == "true"
    assert posted["TAU_X"] == pytest.approx(100.0)
    lost = driven.tick(0.3, {"MOOS_MANUAL_OVERRIDE": "true"})
    assert (lost["PID_HAS_CONTROL"], lost["TAU_X"]) == ("false", 0.0)
    assert "TAU_X" not in driven.tick(0.4, {**AT, **desired})


@dp("setpoint")
@pose("setpoint")
@pytest.mark.parametrize("kind", [DynamicPositioning, PoseControl])
def test_a_first_setpoint_comes_from_the_block(kind: Any, drive: Any) -> None:
    driven = at(kind, drive, "surge_kp = 100\nsetpoint = x=0,y=3,heading=0")
    assert driven.tick(0.2, AT)["TAU_X"] == pytest.approx(300.0)


@pytest.mark.parametrize("kind", [DynamicPositioning, PoseControl])
def test_setpoints_may_be_partial_or_off_and_invalid_ones_are_reported(
    kind: Any, drive: Any
) -> None:
    driven = at(kind, drive, "surge_kp = 100\nsway_kp = 100", "y=1")
    posted = driven.tick(0.2, {**AT, "DP_SETPOINT": "x=2"})
    assert (posted["TAU_X"], posted["TAU_Y"]) == pytest.approx((100.0, 200.0))
    driven.tick(0.3, {**AT, "DP_SETPOINT": "latitude=5"})
    assert "expected x=, y=, heading=" in driven.app.appcast()
    assert driven.tick(0.4, {**AT, "DP_SETPOINT": "off"})["TAU_X"] == 0.0
    here = driven.tick(0.5, {**AT, "DP_SETPOINT": "here"})
    assert here["TAU_X"] == pytest.approx(0.0)


def test_distance_and_heading_are_reported(drive: Any) -> None:
    found = force(DynamicPositioning, drive, "surge_kp = 1", "x=3,y=4,heading=350")
    assert found["DP_DISTANCE"] == pytest.approx(5.0)
    assert found["DP_HEADING_ERROR"] == pytest.approx(10.0)


@dp("wave_period")
def test_wave_frequency_motion_is_not_controlled(drive: Any) -> None:
    from math import pi, sin

    spread = {}
    for period in (0, 3):
        block = f"surge_kp = 100\nsurge_kd = 100\nwave_period = {period}"
        driven = at(DynamicPositioning, drive, block, "y=0")
        forces = []
        for k in range(1, 300):
            t = 0.1 + 0.1 * k
            posted = driven.tick(t, {**AT, "NAV_Y": 0.3 * sin(2 * pi * t / 3)})
            forces.append(posted["TAU_X"])
        spread[period] = max(forces[200:]) - min(forces[200:])
    assert spread[3] < 0.15 * spread[0]


@dp("wind_feedforward", "vessel", "vessel_file", "vessel_override", "peer_compat", "environment")
@pytest.mark.slow  # a vessel compiles, unless the cache is warm
def test_wind_is_met_before_it_moves_the_vessel(drive: Any, tmp_path: Path) -> None:
    wind = {"WIND_CONDITIONS": "spd=10,dir=0"}  # from ahead
    block = "surge_kp = 1\nvessel = inputs/wamv\nwind_feedforward = "

    def met(block: str, **setting: object) -> float:
        driven = drive(DynamicPositioning, block, **setting)
        driven.tick(0.1, {**AT, **ON, "DP_SETPOINT": "here"})
        return float(driven.tick(0.2, {**AT, **wind})["TAU_X"])

    # 1/2 rho_air c_x A V² of the WAM-V's files
    assert met(f"{block}1") == pytest.approx(0.5 * 1.225 * 0.7 * 1.0 * 100.0, rel=1e-6)
    assert met(f"{block}0.5") == pytest.approx(0.5 * met(f"{block}1"))
    assert met("surge_kp = 1") == pytest.approx(0.0, abs=1e-9)
    twice = f"{block}1\nvessel_override = geometry.wind.frontal_area = 2.0"
    assert met(twice) == pytest.approx(2.0 * met(f"{block}1"))
    (tmp_path / "world.yml").write_text(
        "wind: {speed: 5, direction_from: 0, gust: {spectrum: none}}"
    )
    calm = met(f"{block}1\nenvironment = world.yml", folder=tmp_path)
    assert calm == pytest.approx(0.25 * met(f"{block}1"))
    (tmp_path / "hull.yml").write_text("length: 4.85\nwind: {frontal_area: 3, lateral_area: 1}")
    with pytest.raises(ConfigError, match="nothing that the wind moves"):
        met(block.replace("wamv", "remus100") + "1")
    with pytest.raises(ConfigError, match="wind_feedforward needs it"):
        met("surge_kp = 1\nwind_feedforward = 1")
    with pytest.raises(ConfigError, match="no such file"):
        met(f"{block}1\nenvironment = nothing.yml", folder=tmp_path)
    with pytest.raises(ConfigError, match="no such file as"):
        met(f"{block}1\nvessel_file = geometry = nothing.yml", folder=tmp_path)
    with pytest.raises(ConfigError, match="peer_compat nobody"):
        met(f"{block}1\npeer_compat = nobody")


@pose("buoyancy")
def test_buoyancy_is_compensated_from_the_start(drive: Any) -> None:
    found = force(PoseControl, drive, "heave_kp = 1\nbuoyancy = 264", "here")
    assert found["TAU_Z"] == pytest.approx(264.0)


def test_the_helm_is_followed_without_a_setpoint(drive: Any) -> None:
    block = "surge_kd = 100\nyaw_kp = 100\nheave_kp = 10\nsway_kd = 5\nvelocity_filter = 0"
    helm = {"DESIRED_SPEED": 1.0, "DESIRED_HEADING": 57.29577951, "DESIRED_DEPTH": 7.0}
    driven = at(PoseControl, drive, block, **helm)
    posted = driven.tick(0.2, {**AT, **helm})
    assert posted["TAU_X"] == pytest.approx(100.0)
    assert posted["TAU_N"] == pytest.approx(100.0)
    assert posted["TAU_Z"] == pytest.approx(20.0)
    held = driven.tick(0.3, {**AT, **helm, "DP_SETPOINT": "here"})
    assert held["TAU_N"] == pytest.approx(0.0)  # a setpoint goes before the helm


def test_speed_that_is_missed_is_summed_up(drive: Any) -> None:
    helm = {"DESIRED_SPEED": 1.0, "DESIRED_HEADING": 0.0}
    driven = at(PoseControl, drive, "surge_kp = 50\nsurge_kd = 100\nyaw_kp = 1", **helm)
    for k in range(10):
        posted = driven.tick(0.2 + 0.1 * k, {**AT, **helm})
    assert posted["TAU_X"] == pytest.approx(100.0 + 50.0 * 1.1, rel=0.1)


@pose("tardy_helm_threshold")
@velocity("tardy_helm_threshold")
@pytest.mark.parametrize("kind", [PoseControl, VelocityPid])
def test_an_old_helm_stops_it(kind: Any, drive: Any) -> None:
    helm = {"DESIRED_SPEED": 1.0, "DESIRED_HEADING": 0.0}
    block = "surge_kp = 100\nsurge_kd = 100\nyaw_kp = 1\ntardy_helm_threshold = "
    for threshold, steers in ((1, False), (9, True)):
        driven = at(kind, drive, f"{block}{threshold}", **helm)
        driven.tick(0.2, {**AT, **helm})
        posted = driven.tick(3.0, AT)
        assert (posted.get("TAU_X", 0.0) != 0.0) == steers


@pytest.mark.parametrize(
    ("helm", "kept", "old"),
    [
        ({"DESIRED_SPEED": 1.0, "DESIRED_HEADING": 0.0}, {}, ["SPEED", "YAW_RATE or"]),
        ({"DESIRED_SPEED": 1.0, "DESIRED_YAW_RATE": 0.0}, {"DESIRED_SPEED": 1.0}, ["YAW_RATE or"]),
        ({"DESIRED_SPEED": 1.0, "DESIRED_HEADING": 0.0}, {"DESIRED_HEADING": 0.0}, ["SPEED"]),
    ],
)
def test_it_says_which_desired_value_is_too_old(
    drive: Any, helm: dict[str, float], kept: dict[str, float], old: list[str]
) -> None:
    driven = at(VelocityPid, drive, "surge_kp = 100\nyaw_kp = 1")
    assert not driven.app.run_warnings  # nothing was desired yet
    driven.tick(0.2, {**AT, **helm})
    for time in (2.0, 2.4, 3.0):
        driven.tick(time, {**AT, **kept})
    found = list(driven.app.run_warnings)
    assert [one for one in found if "is older than 2 s: no force" in one] == found
    assert [sum(name in one for one in found) for name in old] == [1] * len(found)
    driven.tick(3.1, {**AT, **helm})
    assert not driven.app.run_warnings


@velocity("surge_kp", "surge_ki", "surge_kd", "surge_limit")
def test_speed_loop_of_the_thesis(drive: Any) -> None:
    def driven_to(block: str, ticks: int = 1, ahead: float = 0.0) -> float:
        driven = at(VelocityPid, drive, f"{block}\nyaw_kp = 1\nvelocity_filter = 0")
        desired = {"DESIRED_SPEED": 1.0, "DESIRED_YAW_RATE": 0.0}
        for k in range(1, ticks + 1):
            posted = driven.tick(0.1 + 0.1 * k, {**AT, **desired, "NAV_Y": ahead * 0.1 * k})
        return float(posted["TAU_X"])

    assert driven_to("surge_kp = 100") == pytest.approx(100.0)
    assert driven_to("surge_kp = 100", 5, ahead=0.4) == pytest.approx(60.0)
    assert driven_to("surge_ki = 100", 10) == pytest.approx(100.0)
    assert driven_to("surge_kp = 100\nsurge_limit = 40") == pytest.approx(40.0)
    driven = at(
        VelocityPid, drive, "surge_kp = 100\nsurge_kd = 10\nyaw_kp = 1\nvelocity_filter = 0"
    )
    desired = {"DESIRED_SPEED": 1.0, "DESIRED_YAW_RATE": 0.0}
    driven.tick(0.2, {**AT, **desired})
    posted = driven.tick(0.3, {**AT, **desired, "NAV_Y": 0.04})  # 0.4 m/s within 0.1 s
    assert posted["TAU_X"] == pytest.approx(60.0 - 10.0 * 4.0)


@velocity("yaw_kp", "yaw_ki", "yaw_kd", "yaw_limit", "heading_gain", "max_yaw_rate")
def test_turning_loop_of_the_thesis(drive: Any) -> None:
    def turned(block: str, ticks: int = 1, **desired: float) -> float:
        block = f"surge_kp = 1\nvelocity_filter = 0\n{block}"
        driven = at(VelocityPid, drive, block)
        for k in range(1, ticks + 1):
            posted = driven.tick(0.1 + 0.1 * k, {**AT, "DESIRED_SPEED": 0.0, **desired})
        return float(posted["TAU_N"])

    rate = {"DESIRED_YAW_RATE": 10.0}
    assert turned("yaw_kp = 100", **rate) == pytest.approx(100 * radians(10))
    assert turned("yaw_ki = 100", 10, **rate) == pytest.approx(100 * radians(10))
    assert turned("yaw_kp = 100\nyaw_limit = 5", **rate) == pytest.approx(5.0)
    helm = {"DESIRED_HEADING": 30.0}
    assert turned("yaw_kp = 100", **helm) == pytest.approx(100 * radians(15))
    assert turned("yaw_kp = 100\nheading_gain = 0.1", **helm) == pytest.approx(100 * radians(3))
    assert turned("yaw_kp = 100\nmax_yaw_rate = 6", **helm) == pytest.approx(100 * radians(6))
    driven = at(VelocityPid, drive, "surge_kp = 1\nyaw_kp = 1\nyaw_kd = 10\nvelocity_filter = 0")
    driven.tick(0.2, {**AT, "DESIRED_SPEED": 0.0, **rate})
    posted = driven.tick(0.3, {**AT, "DESIRED_SPEED": 0.0, **rate, "NAV_HEADING": 1.0})
    assert posted["TAU_N"] == pytest.approx(0.0 - 10.0 * radians(100.0), rel=1e-6)


@pytest.mark.parametrize(
    ("kind", "block", "expected"),
    [
        (DynamicPositioning, "surge_kp = -1", "surge_kp"),
        (DynamicPositioning, "surge_kp = 1\nsetpoint = north", "expected x=, y=, heading="),
        (DynamicPositioning, "surge_kp = 1\nwind_feedforward = 2", "wind_feedforward"),
        (PoseControl, "heave_limit = -1", "heave_limit"),
        (VelocityPid, "max_yaw_rate = 0", "max_yaw_rate"),
    ],
)
def test_invalid_lines_are_refused(kind: Any, block: str, expected: str, drive: Any) -> None:
    with pytest.raises(ConfigError, match=expected):
        drive(kind, block)


@pytest.mark.parametrize("kind", [DynamicPositioning, PoseControl, VelocityPid])
def test_no_gains_are_a_warning(kind: Any, drive: Any) -> None:
    assert "no force" in drive(kind, "").app.appcast()


@pytest.mark.parametrize(
    ("kind", "shown"), [(DynamicPositioning, dp), (PoseControl, pose), (VelocityPid, velocity)]
)
def test_every_parameter_has_a_test(kind: Any, shown: Shown) -> None:
    assert {one.name for one in kind.parameters} == shown.names
