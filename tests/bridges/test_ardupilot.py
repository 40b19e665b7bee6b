"""``pArduPilot`` with a stand-in for the firmware in a process of its own, and by itself."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import degrees, hypot, radians
from pathlib import Path
from typing import Any

import pytest

from steerageway.bridges.ardupilot import ArduPilot
from steerageway.bridges.ardupilot.link import FirmwareLink
from steerageway.bridges.ardupilot.servos import NotServos, Servo, read_packet, read_servo
from steerageway.bridges.ardupilot.state import VesselState
from steerageway.bus import CannotGoOn, ConfigError, Message
from steerageway.launcher.mission import Mission
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.summary import log_sha256
from tests.bridges.conftest import Drive, free_port

FIRMWARE = Path(__file__).with_name("ardupilot_firmware.py")
MISSION = """
Community = boat
LatOrigin = 59.9075
LongOrigin = 10.7200
ProcessConfig = ANTLER
{
  MSBetweenLaunches = 100
  Run = pLogger
  Run = uSimMarineV22
  Run = pArduPilot
}
ProcessConfig = pLogger
{
  WildCardLogging = true
  WildCardOmitPattern = USM_STATE
}
ProcessConfig = uSimMarineV22
{
  AppTick = 50
  prefix = NAV
  VESSEL
}
ProcessConfig = pArduPilot
{
  listen = PORT
  LINES
}
"""
OTTER = "model = fossen\nvessel = inputs/otter\ntime_step = 0.02"
REMUS = "model = fossen\nvessel = inputs/remus100\ntime_step = 0.02\nstart_pos = x=0,y=0,speed=1"
MAPPED = "thrust_map = 0:0, 100:5\nturn_rate = 70"
SKID = "servo = channel=1, order=DESIRED_THRUST_L\nservo = channel=3, order=DESIRED_THRUST_R"
SUB = (
    "servo = channel=1, order=DESIRED_RUDDER\nservo = channel=3, order=DESIRED_THRUST\n"
    "servo = channel=2, order=DESIRED_ELEVATOR, low=-13, high=13"
)


@contextmanager
def firmware(port: int, seconds: float, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run the stand-in beside a run."""
    command = (sys.executable, str(FIRMWARE), str(port), str(seconds), *options)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as one:
        try:
            yield one
        finally:
            one.kill()


def run(folder: Path, vessel: str, lines: str, *words: str, port: int = 9002) -> Any:
    """Run a mission in one process; return its outcome and its final state."""
    from steerageway.bus import run as run_plan

    mission = folder / "boat.moos"
    text = MISSION.replace("VESSEL", vessel).replace("LINES", lines).replace("PORT", str(port))
    mission.write_text(text)
    command = [str(mission), "--placement", "one", "--warp", "max", *words]
    return run_plan(plan_launch(parse_options(command)).plan, lambda progress: None)


def seen_by(one: subprocess.Popen[str]) -> dict[str, Any]:
    """Return what the stand-in reports."""
    assert one.stdout is not None
    seen: dict[str, Any] = json.loads(one.stdout.readline())
    return seen


@pytest.mark.process
@pytest.mark.parametrize(
    ("vessel", "lines", "options"),
    [
        (OTTER, "", ()),
        (OTTER, SKID, ("skid=1", "channels=32")),
        (MAPPED, "", ("throttle=0.2",)),
    ],
    ids=["rudder and thrust", "skid steering", "no mass"],
)
def test_the_firmware_turns_a_vessel_by_what_its_own_sensors_tell(
    tmp_path: Path, vessel: str, lines: str, options: tuple[str, ...]
) -> None:
    port = free_port()
    with firmware(port, 15.0, *options) as one:
        outcome = run(tmp_path, vessel, lines, "--for", "16", "--no-log", port=port)
        seen = seen_by(one)
    assert outcome.exit_reason == "for"
    assert seen["count"] == 751  # frames: one for each of the vessel's states
    assert degrees(seen["last"]["attitude"][2]) == pytest.approx(90.0, abs=1.0)
    way = hypot(*seen["last"]["position"][:2])
    assert way > 5.0
    # Dead reckoning from gyro and accelerometer alone ends where the frames say that it is.
    assert seen["drift"] < 0.03 * way
    values = outcome.values["boat"]
    assert values["NAV_X"] == pytest.approx(seen["last"]["position"][1], abs=1.5)


@pytest.mark.process
def test_a_submarine_is_held_at_a_depth_and_sees_the_bottom(tmp_path: Path) -> None:
    port = free_port()
    vessel = f"{REMUS}\ndefault_water_depth = 20"
    with firmware(port, 60.0, "depth=3", "course=0", "throttle=0.8") as one:
        outcome = run(tmp_path, vessel, SUB, "--for", "61", "--no-log", port=port)
        seen = seen_by(one)
    assert outcome.exit_reason == "for"
    last = seen["last"]
    assert last["position"][2] == pytest.approx(3.0, abs=0.5)
    assert last["rng_1"] == pytest.approx(20.0 - last["position"][2], abs=0.05)


@pytest.mark.process
def test_what_the_network_loses_or_adds_changes_no_log_and_a_replay_needs_no_firmware(
    tmp_path: Path,
) -> None:
    digests = []
    for number, options in enumerate(((), ("lost=0.01", "noise=1"))):
        port, log = free_port(), tmp_path / f"log{number}"
        with firmware(port, 6.0, *options) as one:
            outcome = run(tmp_path, OTTER, "", "--for", "8", "--log", str(log), port=port)
            resent = seen_by(one)["resent"]
        digests.append(log_sha256(log))
    assert resent > 0
    (app,) = (one for one in outcome.apps if one.name == "pArduPilot")
    assert any("another protocol or version" in text for text in app.run_warnings)
    again = tmp_path / "again"
    inputs = ("--inputs", str(tmp_path / "log0"), "--log", str(again))
    run(tmp_path, OTTER, "", "--for", "8", *inputs, port=port)
    assert digests[0] == digests[1] == log_sha256(again)


@pytest.mark.process
def test_a_firmware_started_again_finds_the_vessel_where_it_began(tmp_path: Path) -> None:
    port = free_port()
    with firmware(port, 8.0, "restart=5") as one:
        outcome = run(tmp_path, OTTER, "", "--for", "9", "--no-log", port=port)
        seen = seen_by(one)
    assert outcome.values["boat"]["USM_RESET_COUNT"] == 1.0
    assert seen["last"]["timestamp"] < 3.1
    # From there on it has reckoned its own way without a jump.
    assert seen["drift"] < 0.1


@pytest.mark.process
def test_a_firmware_that_dies_ends_the_run_and_says_so(tmp_path: Path) -> None:
    port = free_port()
    with firmware(port, 60.0, "die=2"):
        outcome = run(tmp_path, MAPPED, "patience = 1", "--for", "9", "--no-log", port=port)
    assert outcome.exit_reason == "app_failed"
    assert outcome.failures[0].reason == "the firmware has not answered for 1 s of wall time"


def test_without_a_firmware_it_says_what_to_start(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steerageway.bridges.ardupilot.link.START", 0.2)
    port = free_port()
    with (
        pytest.raises(CannotGoOn, match=r"no firmware has sent .* expected sim_vehicle.py"),
        firmware(port, 1.0, "wait=30"),
    ):
        drive(ArduPilot, f"listen = {port}")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(CannotGoOn, match="cannot be opened"):
            drive(ArduPilot, f"listen = {taken.getsockname()[1]}")


def test_a_second_firmware_is_not_answered(drive: Drive) -> None:
    port = free_port()
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as first,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as second,
    ):
        for one in (first, second):
            one.connect(("127.0.0.1", port))
            one.settimeout(0.2)

        def packet(count: int, pwm: int) -> bytes:
            return struct.pack("<HHI16H", 18458, 50, count, *[pwm] * 16)

        import threading

        threading.Timer(0.3, first.send, [packet(0, 0)]).start()
        driven = drive(ArduPilot, f"listen = {port}")
        second.send(packet(7, 1900))
        first.send(packet(0, 0))
        threading.Timer(0.1, first.send, [packet(1, 1600)]).start()
        pose = {"NAV_X": 1.0, "NAV_Y": 2.0, "NAV_DEPTH": 0.0, "NAV_HEADING": 0.0}
        moving = {"NAV_SPEED_OVER_GROUND": 0.0, "NAV_HEADING_OVER_GROUND": 0.0}
        posts = driven.tick(0.1, {**pose, **moving})
        assert posts == [("DESIRED_RUDDER", 20.0), ("DESIRED_THRUST", 20.0)]
        frame = json.loads(first.recv(4096))
        assert (frame["timestamp"], frame["position"]) == (0.0, [2.0, 1.0, 0.0])
        with pytest.raises(TimeoutError):
            second.recv(4096)
    (warning,) = driven.app.run_warnings
    assert warning.startswith("a second firmware, at 127.0.0.1:")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("servo = 1:DESIRED_RUDDER", "1:DESIRED_RUDDER: expected channel, order, low"),
        ("servo = chanel=1, order=X", "the nearest is channel"),
        ("servo = channel=1", "order: expected the variable to post"),
        ("servo = channel=33, order=X", "channel = 33: expected a whole number from 1 to 32"),
        ("servo = channel=1, order=X, min=2000, max=1000", "expected min < max"),
        ("servo = channel=1, order=X, trim=1000", "trim: expected it above min"),
        ("servo = channel=1, order=X, low=5, high=5", "two different values"),
        ("servo = channel=1, order=X\nservo = channel=2, order=X", "X has a line already"),
        ("source = SPEEDY:X", "expected QUANTITY:VARIABLE, QUANTITY among NORTH"),
        ("listen = nowhere", "expected PORT"),
        ("patience = 0", "expected a number above 0"),
        ("on_restart = leave", "expected one of reset, keep"),
    ],
)
def test_a_mistake_in_the_block_is_told_with_its_line(
    drive: Drive, lines: str, expected: str
) -> None:
    with pytest.raises(ConfigError) as error:
        drive(ArduPilot, lines)
    assert expected in str(error.value)
    assert f"test.moos:{lines.count(chr(10))}" in str(error.value)


def test_a_flood_of_datagrams_does_not_hold_a_run_for_ever() -> None:
    link = FirmwareLink(("127.0.0.1", 0), 0.05)
    link._datagram = lambda timeout: (b"flood", ("127.0.0.1", 1))  # type: ignore[method-assign]
    with pytest.raises(CannotGoOn, match=r"has not answered for 0\.05 s"):
        link.exchange(b"frame")
    link.close()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("low=-100, high=100", {1000: -100, 1500: 0, 1750: 50, 2000: 100, 2300: 100, 0: 0}),
        ("low=-40, high=100", {1000: -40, 1250: -20, 1500: 0, 1750: 50, 0: 0}),
        ("low=0, high=100, min=1100, max=1900", {1100: 0, 1500: 50, 1900: 100, 0: 0}),
        ("low=35, high=-35, idle=3", {1000: 35, 1500: 0, 2000: -35, 0: 3}),
    ],
)
def test_a_pulse_width_is_an_order_in_proportion(text: str, expected: dict[int, float]) -> None:
    servo = read_servo(f"channel=1, order=X, {text}")
    assert {pwm: servo.value(pwm) for pwm in expected} == expected
    assert not servo.is_within(2300)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "too short"),
        # The interface before the magic number: count, speed-up as a float, widths.
        (struct.pack("<If16H", 5, 1.0, *[1500] * 16), "another protocol or version"),
        (struct.pack("<HHI15H", 18458, 50, 5, *[1500] * 15), "not the 40 bytes"),
        (struct.pack("<HHI16H", 29569, 50, 5, *[1500] * 16), "not the 72 bytes"),
    ],
)
def test_other_datagrams_are_told_apart(data: bytes, expected: str) -> None:
    with pytest.raises(NotServos, match=expected):
        read_packet(data)


def frame_of(values: dict[str, float | str], sources: dict[str, str], time: float = 1.0) -> Any:
    """Return the frame after mail, as data."""
    state = VesselState(sources)
    for name, value in values.items():
        state.take(Message(name, value, time, "uSim", "", "boat", 0))
    motion = state.motion()
    assert motion is not None
    return json.loads(state.frame(motion, 0.5))


SIX = (
    "time=1,x=10,y=20,z=3,phi=0.1,theta=0.2,psi=0,u=2,v=0,w=0,p=0,q=0,r=0.3,u_dot=0,v_dot=0,w_dot=0"
)


def test_a_frame_holds_what_an_accelerometer_feels_in_a_turn() -> None:
    imu = frame_of({"USM_STATE": SIX}, {})["imu"]
    assert imu["gyro"] == [0.0, 0.0, 0.3]
    # At 2 m/s and 0.3 rad/s the centripetal acceleration is 0.6 m/s²; weight in BODY by hand.
    g = 9.80665
    assert imu["accel_body"] == pytest.approx(
        [g * 0.198669331, 0.6 - g * 0.0978433950, -g * 0.975170327], abs=1e-6
    )


def test_sensors_take_the_place_of_the_truth() -> None:
    values: dict[str, float | str] = {"IMU_WZ": 0.31, "GPS_X": 20.5, "COMPASS_HEADING": 270.0}
    wind: dict[str, float | str] = {"APPARENT_WIND_SPEED": 4.0, "APPARENT_WIND_ANGLE": -90.0}
    sources = {"GYRO_Z": "IMU_WZ", "EAST": "GPS_X", "HEADING": "COMPASS_HEADING"}
    sources["RANGE_2"] = "ALTIMETER_RANGE"
    mail = {"USM_STATE": SIX, **values, **wind, "ALTIMETER_RANGE": 7.0}
    frame = frame_of(mail, sources)
    assert frame["imu"]["gyro"] == [0.0, 0.0, 0.31]
    assert frame["position"] == [10.0, 20.5, 3.0]
    assert frame["attitude"] == pytest.approx([0.1, 0.2, radians(-90.0)])
    assert frame["windvane"] == {"direction": pytest.approx(radians(270.0)), "speed": 4.0}
    assert (frame["rng_2"], "rng_1" in frame) == (7.0, False)


def test_usual_outputs_are_those_of_rover() -> None:
    from steerageway.bridges.ardupilot.servos import USUAL

    assert [(one.channel, one.order) for one in USUAL] == [
        (1, "DESIRED_RUDDER"),
        (3, "DESIRED_THRUST"),
    ]
    assert Servo(1, "X", -100.0, 100.0).value(1501) == pytest.approx(0.2)


@pytest.mark.process
def test_a_firmware_goes_on_through_cases_which_are_alike(tmp_path: Path) -> None:
    port, mission = free_port(), tmp_path / "boat.moos"
    text = MISSION.replace("VESSEL", MAPPED).replace("LINES", "").replace("PORT", str(port))
    mission.write_text(text)
    ends = []
    with firmware(port, 60.0, "throttle=0.2"), Mission(mission, log=None) as run:
        for _ in range(3):
            run.run_until(4.0)
            ends.append([run.get(name) for name in ("NAV_X", "NAV_Y", "NAV_HEADING")])
            run.reset()
    assert ends[1] == ends[2]
    assert ends[1] == pytest.approx(ends[0], rel=0.1)
    assert ends[1][2] > 20.0


@pytest.mark.parametrize("text", ["none", "x=1,y=2", SIX.replace("x=10", "x=nan"), SIX + ",a=b"])
def test_a_state_that_is_none_makes_no_frame(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        frame_of({"USM_STATE": text}, {})


def test_a_speed_and_a_course_of_sensors_are_the_velocity() -> None:
    frame = frame_of({"USM_STATE": SIX, "LOG": 3.0}, {"SPEED": "LOG"})
    assert hypot(*frame["velocity"][:2]) == pytest.approx(3.0)
    both = {"SPEED": "LOG", "COURSE": "GPS_COG"}
    frame = frame_of({"USM_STATE": SIX, "LOG": 3.0, "GPS_COG": 90.0}, both)
    assert frame["velocity"][:2] == pytest.approx([0.0, 3.0])


def test_a_vessel_whose_state_is_not_posted_is_told_of(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "otter.pBridge.servos").write_text("0 0 0 1500,1500,1600\n")
    driven = drive(ArduPilot, "", replays=tmp_path)
    driven.tick(2.0, {"USM_X": 1.0})
    assert not driven.app.run_warnings
    driven.tick(4.0, {"USM_STATE": "x=1"})
    first, second = driven.app.run_warnings
    assert first.startswith("no frame: the vessel's state")
    assert second.startswith("the vessel's state is not known: expected USM_STATE, or NAV_X")
    assert driven.tick(5.0, {"USM_STATE": SIX}) == [
        ("DESIRED_RUDDER", 0.0),
        ("DESIRED_THRUST", 20.0),
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "expected what the firmware answered in the run that is repeated"),
        ("0 0 0 1500\n0 x 0 1500\n", "servos:2: expected case, instant, 0 or 1"),
    ],
)
def test_a_record_that_cannot_be_repeated_is_told_with_its_line(
    drive: Drive, tmp_path: Path, content: str | None, expected: str
) -> None:
    if content is not None:
        (tmp_path / "otter.pBridge.servos").write_text(content)
    with pytest.raises(CannotGoOn, match=expected):
        drive(ArduPilot, "", replays=tmp_path)
