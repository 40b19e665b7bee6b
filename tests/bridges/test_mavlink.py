"""``pMavlink`` with a ground station in a process of its own, and with datagrams one by one."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import hypot, inf, radians
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pymavlink.dialects.v20 import ardupilotmega as mavlink

from steerageway.bridges import links
from steerageway.bridges.mavlink import Mavlink
from steerageway.bridges.mavlink.station import _COMMANDS, _HANDLERS
from steerageway.bus import ConfigError, run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.summary import log_sha256
from steerageway.moos.alog import read_entries
from tests.bridges.conftest import Drive, Driven, free_port
from tests.bridges.ground_station import HOLD, POINTS, SPEED

STATION = Path(__file__).with_name("ground_station.py")
ALPHA = Path(__file__).parents[2] / "missions" / "alpha"
BLOCK = """
ProcessConfig = pMavlink
{
  udp     = PORT
  updates = SURVEY_UPDATE
  param   = WP_SPEED:DESIRED_SPEED
}
"""
HERE = {
    "NAV_LAT": 59.9,
    "NAV_LONG": -10.7,
    "NAV_DEPTH": 1.5,
    "NAV_HEADING": 350.0,
    "NAV_SPEED": 1.9,
    "NAV_SPEED_OVER_GROUND": 2.0,
    "NAV_HEADING_OVER_GROUND": 330.0,
    "NAV_PITCH": 0.1,
    "DESIRED_RUDDER": -20.0,
    "DESIRED_THRUST": 40.0,
}


def alpha(folder: Path, port: int) -> Path:
    """Write alpha with a station, as a mission that waits for its command."""
    text = (ALPHA / "alpha.moos").read_text().replace("Run = pRealm", "Run = pMavlink")
    (folder / "alpha.moos").write_text(text + BLOCK.replace("PORT", str(port)))
    behaviors = (ALPHA / "alpha.bhv").read_text()
    (folder / "alpha.bhv").write_text(behaviors.replace("DEPLOY = true", "DEPLOY = false", 1))
    return folder / "alpha.moos"


@pytest.mark.process
@pytest.mark.slow
def test_a_route_drawn_at_a_ground_station_is_sailed_and_replayed_without_it(
    tmp_path: Path,
) -> None:
    port, log = free_port(), tmp_path / "log"
    mission = alpha(tmp_path, port)
    words = [str(mission), "--for", "240", "--skip", "pNodeReporter,uProcessWatch"]
    words += ["--placement", "one", "--attach", "--port", "auto"]
    command = (sys.executable, str(STATION), str(port))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as one:
        run(plan_launch(parse_options([*words, "--warp", "20", "--log", str(log)])).plan, print)
        output, _ = one.communicate(timeout=30)
    seen = json.loads(output.splitlines()[-1])
    assert seen["first"] == {"type": 11, "autopilot": 3, "mode": HOLD}
    assert seen["parameters"]["SYSID_THISMAV"] == 1.0
    done = ("upload", "arm", "interval", "auto", "reposition", "return", "manual", "disarm")
    assert {name: seen[name] for name in done} == dict.fromkeys(done, mavlink.MAV_RESULT_ACCEPTED)
    assert seen["download"]
    assert seen["armed"]
    assert seen["wrong"] == seen["unknown"] == mavlink.MAV_MISSION_UNSUPPORTED
    assert seen["texts"] == ["Mission item 5: expected NAV_WAYPOINT or DO_CHANGE"]
    # It has passed each point of the route, by the positions that the station got.
    for east, north in (*POINTS, (20.0, -40.0)):
        assert min(hypot(x - east, y - north) for x, y in seen["track"]) < 6.0
    assert seen["modes"] == [HOLD, 10, 11, HOLD, 15, 11, HOLD, 0]
    assert seen["kinds"]["ATTITUDE"] > 1.8 * seen["kinds"]["GLOBAL_POSITION_INT"]  # 10 Hz now
    (first, *_) = (
        entry.value
        for entry in read_entries(next(log.rglob("*.alog")))
        if entry.name == "SURVEY_UPDATE"
    )
    points, speed = first.split(" # ")
    assert speed == f"speed={SPEED}"
    drawn = [tuple(map(float, point.split(","))) for point in points[7:].split(":")]
    assert drawn == [pytest.approx(point, abs=0.05) for point in POINTS]
    again = [*words, "--warp", "max", "--log", str(tmp_path / "again"), "--inputs", str(log)]
    run(plan_launch(parse_options(again)).plan, lambda progress: None)
    assert log_sha256(log) == log_sha256(tmp_path / "again")


class Peer:
    """A ground station of single messages."""

    def __init__(self, link: socket.socket, system: int = 255) -> None:
        self.link = link
        self.port = link.getsockname()[1]
        self.vessel: Any = None
        self.mav = mavlink.MAVLink(None, srcSystem=system, srcComponent=190)

    def heard(self) -> list[Any]:
        """Return the messages that have come."""
        found: list[Any] = []
        parser = mavlink.MAVLink(None)
        try:
            while True:
                data, self.vessel = self.link.recvfrom(2000)
                found += parser.parse_buffer(data) or []
        except BlockingIOError:
            return found

    def send(self, *messages: Any) -> None:
        for message in messages:
            self.link.sendto(message.pack(self.mav), self.vessel)

    def answers(self, driven: Driven, *messages: Any) -> list[Any]:
        """Send messages; return what comes back with the next iteration, but for telemetry."""
        self.heard()
        self.send(*messages)
        driven.tick(driven.app.time + 0.1)
        return [one for one in self.heard() if one.get_msgId() not in TELEMETRY]


MISSIONS = (
    *("MISSION_COUNT", "MISSION_ITEM_INT", "MISSION_ITEM", "MISSION_REQUEST_LIST"),
    *("MISSION_REQUEST_INT", "MISSION_REQUEST", "MISSION_CLEAR_ALL", "MISSION_ACK"),
)
TELEMETRY = (0, 1, 2, 24, 30, 33, 36, 42, 74)


@contextmanager
def peers(count: int) -> Iterator[list[Peer]]:
    """Return ground stations, each at a port of its own."""
    links = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for link in links:
        link.bind(("127.0.0.1", 0))
        link.setblocking(False)
    try:
        yield [Peer(link) for link in links]
    finally:
        for link in links:
            link.close()


def begun(drive: Drive, stations: list[Peer], lines: str = "") -> Driven:
    """Return a vessel that all stations have heard of."""
    ports = "\n".join(f"udp = {one.port}" for one in stations)
    driven = drive(Mavlink, f"{ports}\n{lines}")
    driven.tick(0.0, HERE)
    assert all(station.heard() for station in stations)
    return driven


def test_telemetry_has_the_units_of_its_messages(drive: Drive) -> None:
    with peers(1) as (peer,):
        driven = drive(Mavlink, f"udp = {peer.port}\nkind = submarine\nsysid = 7")
        driven.tick(0.0, HERE)
        driven.tick(1.0, {**HERE, "NAV_HEADING": 2.0})
        by_name = {one.get_type(): one for one in peer.heard()}
    beat, place = by_name["HEARTBEAT"], by_name["GLOBAL_POSITION_INT"]
    assert (beat.get_srcSystem(), beat.type) == (7, mavlink.MAV_TYPE_SUBMARINE)
    assert (place.lat, place.lon, place.alt) == (599000000, -107000000, -1500)
    assert (place.vx, place.vy, place.hdg) == (173, -100, 200)  # 2 m/s towards 330 degrees
    attitude = by_name["ATTITUDE"]
    assert (attitude.pitch, attitude.yaw) == pytest.approx((0.1, radians(2.0)))
    assert attitude.yawspeed == pytest.approx(radians(12.0))  # 12 degrees in a second
    hud, gps, servos = (by_name[n] for n in ("VFR_HUD", "GPS_RAW_INT", "SERVO_OUTPUT_RAW"))
    assert (hud.groundspeed, hud.heading, hud.throttle) == (2.0, 2, 40)
    assert (gps.fix_type, gps.vel, gps.cog) == (3, 200, 33000)
    assert (servos.servo1_raw, servos.servo3_raw) == (1400, 1700)


def test_each_message_comes_at_its_rate_and_what_is_unknown_not_at_all(drive: Drive) -> None:
    with peers(1) as (peer,):
        lines = "message = ATTITUDE:10, VFR_HUD:0\nmessage = SYSTEM_TIME:2"
        driven = drive(Mavlink, f"udp = {peer.port}\n{lines}")
        for tick in range(20):
            driven.tick(0.1 * tick, {"NAV_HEADING": 10.0})
        kinds = [one.get_type() for one in peer.heard()]
    counts = {name: kinds.count(name) for name in dict.fromkeys(kinds)}
    assert counts == {
        **dict.fromkeys(("HEARTBEAT", "MISSION_CURRENT", "SYS_STATUS"), 2),
        "SYSTEM_TIME": 4,
        "ATTITUDE": 20,
    }


def item(seq: int, *, lat: float = 59.91, lon: float = 10.72, **fields: Any) -> Any:
    """Return a mission item."""
    usual = {"command": mavlink.MAV_CMD_NAV_WAYPOINT, "frame": mavlink.MAV_FRAME_GLOBAL, "p2": 0.0}
    given = {**usual, **fields}
    head = 1, 1, seq, given["frame"], given["command"], 0, 1, 0.0, given["p2"], 0.0, 0.0
    return mavlink.MAVLink_mission_item_message(*head, lat, lon, 0.0)


def code(answers: list[Any]) -> int:
    """Return the code of the acknowledgement among answers."""
    (found,) = (one.type for one in answers if one.get_type() == "MISSION_ACK")
    return int(found)


def count(number: int) -> Any:
    return mavlink.MAVLink_mission_count_message(1, 1, number)


def test_of_two_ground_stations_one_sends_a_mission_and_both_read_it(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    with peers(2) as (one, other):
        driven = begun(drive, [one, other])
        (asked,) = one.answers(driven, count(2))
        assert (asked.get_type(), asked.seq) == ("MISSION_REQUEST_INT", 0)
        assert code(other.answers(driven, count(5))) == mavlink.MAV_MISSION_DENIED
        one.answers(driven, item(0))
        # An item out of order is asked for again, one that came before is passed over.
        (asked,) = one.answers(driven, item(0), item(5))
        assert asked.seq == 1
        assert code(one.answers(driven, item(1))) == mavlink.MAV_MISSION_ACCEPTED
        (counted,) = other.answers(driven, mavlink.MAVLink_mission_request_list_message(1, 1))
        assert counted.count == 2
        (given,) = other.answers(driven, mavlink.MAVLink_mission_request_message(1, 1, 1))
        assert (given.get_type(), given.x) == ("MISSION_ITEM", pytest.approx(59.91))
        # A station that falls silent in the middle does not keep others from sending.
        one.answers(driven, count(3))
        monkeypatch.setattr("steerageway.bridges.mavlink.mission.PATIENCE", 0.0)
        for _ in range(7):
            driven.tick(driven.app.time + 0.1)
        assert code(one.heard()) == mavlink.MAV_MISSION_OPERATION_CANCELLED
        monkeypatch.undo()
        (asked,) = (a for a in other.answers(driven, count(2)) if a.seq == 0)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (item(1, lat=91.0), mavlink.MAV_MISSION_INVALID_PARAM5_X),
        (item(1, lon=float("nan")), mavlink.MAV_MISSION_INVALID_PARAM5_X),
        (item(1, frame=mavlink.MAV_FRAME_LOCAL_NED), mavlink.MAV_MISSION_UNSUPPORTED_FRAME),
        (item(1, command=mavlink.MAV_CMD_NAV_LAND), mavlink.MAV_MISSION_UNSUPPORTED),
        (
            item(1, command=mavlink.MAV_CMD_DO_CHANGE_SPEED, p2=float("inf")),
            mavlink.MAV_MISSION_INVALID_PARAM2,
        ),
        (
            item(1, command=mavlink.MAV_CMD_DO_CHANGE_SPEED, p2=2.0),
            mavlink.MAV_MISSION_ERROR,  # a mission without a point
        ),
    ],
)
def test_a_mission_that_cannot_be_sailed_is_refused_with_its_item(
    drive: Drive, wrong: Any, expected: int
) -> None:
    with peers(1) as (peer,):
        driven = begun(drive, [peer])
        peer.answers(driven, count(2))
        peer.answers(driven, item(0))
        answers = peer.answers(driven, wrong)
        assert code(answers) == expected
        assert any(one.get_type() == "STATUSTEXT" for one in answers)
        (counted,) = peer.answers(driven, mavlink.MAVLink_mission_request_list_message(1, 1))
    assert counted.count == 0
    assert driven.app.run_warnings


def test_garbage_half_messages_and_other_vehicles_change_nothing(drive: Drive) -> None:
    with peers(1) as (peer,):
        driven = begun(drive, [peer])
        whole = count(3).pack(peer.mav)
        damaged = whole[:-1] + bytes([whole[-1] ^ 1])
        for data in (b"\x00nonsense", whole[:9], damaged, b"\xfd" * 300, b""):
            peer.link.sendto(data, peer.vessel)
        own = Peer(peer.link, system=1)
        own.vessel = peer.vessel
        own.send(count(3))
        elsewhere = mavlink.MAVLink_mission_count_message(9, 1, 3)
        assert peer.answers(driven, elsewhere) == []
        assert list(driven.app.run_warnings) == [
            f"udp 127.0.0.1:{peer.port}: bytes that are no MAVLink message",
            f"udp 127.0.0.1:{peer.port}: another vehicle has the system id 1, too",
        ]
        # The former version of the protocol is understood.
        old = mavlink.MAVLink_mission_count_message(1, 1, 3).pack(peer.mav, force_mavlink1=True)
        assert old[0] == 0xFE
        peer.link.sendto(old, peer.vessel)
        (asked,) = peer.answers(driven)
        assert asked.get_type() == "MISSION_REQUEST_INT"


def command(number: int, *settings: float) -> Any:
    """Return a command."""
    return mavlink.MAVLink_command_long_message(
        1, 1, number, 0, *settings, *[0.0] * (7 - len(settings))
    )


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (command(mavlink.MAV_CMD_DO_CHANGE_SPEED, 0.0, 3.0), mavlink.MAV_RESULT_ACCEPTED),
        (command(mavlink.MAV_CMD_DO_CHANGE_SPEED, 0.0, -1.0), mavlink.MAV_RESULT_DENIED),
        (command(mavlink.MAV_CMD_DO_CHANGE_SPEED, 0.0, float("nan")), mavlink.MAV_RESULT_DENIED),
        (command(mavlink.MAV_CMD_DO_SET_MODE, 1.0, 99.0), mavlink.MAV_RESULT_DENIED),
        (command(mavlink.MAV_CMD_DO_SET_MODE, 1.0, 5.0), mavlink.MAV_RESULT_DENIED),  # LOITER
        (command(mavlink.MAV_CMD_MISSION_START), mavlink.MAV_RESULT_ACCEPTED),
        (command(mavlink.MAV_CMD_NAV_TAKEOFF), mavlink.MAV_RESULT_UNSUPPORTED),
        (command(mavlink.MAV_CMD_REQUEST_MESSAGE, 148.0), mavlink.MAV_RESULT_ACCEPTED),
        (command(mavlink.MAV_CMD_REQUEST_MESSAGE, 9999.0), mavlink.MAV_RESULT_DENIED),
        (command(mavlink.MAV_CMD_DO_REPOSITION, -1.0, 0, 0, 0, 95.0, 0.0), 2),
        (command(mavlink.MAV_CMD_SET_MESSAGE_INTERVAL, 30.0, float("inf")), 2),
    ],
)
def test_a_command_is_answered_with_what_becomes_of_it(
    drive: Drive, sent: Any, expected: int
) -> None:
    with peers(1) as (peer,):
        driven = begun(drive, [peer])
        answers = peer.answers(driven, sent)
    (answer,) = (one for one in answers if one.get_type() == "COMMAND_ACK")
    assert (answer.command, answer.result) == (sent.command, expected)


def test_parameters_are_read_and_not_written(drive: Drive) -> None:
    with peers(1) as (peer,):
        driven = begun(drive, [peer], "param = cruise:NAV_SPEED\nparam = NEVER:NO_SUCH")
        everything = peer.answers(driven, mavlink.MAVLink_param_request_list_message(1, 1))
        listed = {one.param_id: (one.param_value, one.param_index) for one in everything}
        assert listed["CRUISE"] == (pytest.approx(1.9), 2)
        assert len(listed) == everything[0].param_count == 3
        (one,) = peer.answers(driven, mavlink.MAVLink_param_request_read_message(1, 1, b"", 1))
        assert one.param_id == "FRAME_CLASS"
        wanted = mavlink.MAVLink_param_set_message(1, 1, b"CRUISE", 5.0, 9)
        one, refused = peer.answers(driven, wanted)
    assert one.param_value == pytest.approx(1.9)
    assert refused.text == "Parameters can only be read"


def test_the_mode_is_the_one_whose_posts_hold(drive: Drive) -> None:
    def shown(mail: dict[str, str]) -> tuple[int, bool]:
        driven.tick(driven.app.time + 1.0, mail)
        (beat,) = (one for one in peer.heard() if one.get_type() == "HEARTBEAT")
        return beat.custom_mode, bool(beat.base_mode & mavlink.MAV_MODE_FLAG_SAFETY_ARMED)

    free = {"MOOS_MANUAL_OVERRIDE": "false"}
    with peers(1) as (peer,):
        driven = begun(drive, [peer], "mode = LOITER # STATION_KEEP=true")
        assert shown({**free, "DEPLOY": "false", "RETURN": "false"}) == (HOLD, True)
        assert shown({"DEPLOY": "TRUE"}) == (10, True)
        assert shown({"RETURN": "true"}) == (11, True)
        assert shown({"MOOS_MANUAL_OVERRIDE": "true"}) == (11, False)
        assert shown({"DEPLOY": "false", "STATION_KEEP": "true"}) == (HOLD, False)
        driven.app.set_mode("LOITER")  # type: ignore[attr-defined]
        assert shown(free) == (5, True)
        driven.app.set_mode("MANUAL")  # type: ignore[attr-defined]
        assert shown({"MOOS_MANUAL_OVERRIDE": "true"}) == (0, True)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("udp = qgc", "expected PORT (127.0.0.1) or HOST:PORT"),
        ("sysid = 255", "expected a whole number from 1 to 254"),
        ("kind = plane", "expected one of boat, submarine"),
        ("message = ATITUDE:5", "the nearest is ATTITUDE"),
        ("message = ATTITUDE:100", "expected a number"),
        ("message = ATTITUDE", "expected a number"),
        ("mode = AUTOMATIC # DEPLOY=true", "the nearest is AUTO"),
        ("mode = AUTO # DEPLOY", "DEPLOY: expected VARIABLE=VALUE"),
        ("mode = AUTO", "expected posts, as AUTO # DEPLOY=true"),
        ("param = A_NAME_THAT_IS_TOO_LONG:X", "a name of at most 16 characters"),
        ("source = HEAD:X", "expected QUANTITY:VARIABLE, QUANTITY among LAT"),
        ("updates = A B", "expected a name without blanks"),
    ],
)
def test_a_mistake_in_the_block_is_told_with_its_line(
    drive: Drive, line: str, expected: str
) -> None:
    with pytest.raises(ConfigError) as error:
        drive(Mavlink, line)
    assert expected in str(error.value)
    assert "test.moos:0" in str(error.value)


def test_without_a_station_it_says_that_it_has_no_effect(drive: Drive) -> None:
    assert "no effect without udp" in drive(Mavlink, "").app.config_warnings[0]


def test_values_that_no_message_can_hold_end_nothing(drive: Drive) -> None:
    with peers(1) as (peer,):
        lines = "param = P:NAV_SPEED\nmode = LOITER # X=1"
        driven = drive(Mavlink, f"udp = {peer.port}\n{lines}", epoch=-1e9)
        for time, value in enumerate((1e308, -1e308, 1e12, 5e-324)):
            extreme = {**dict.fromkeys(HERE, value), "WPT_INDEX": value, "DEPLOY": value}
            driven.tick(float(time), extreme)
        driven.tick(1e7, HERE)  # 49 days later the time begins anew
        peer.answers(driven, mavlink.MAVLink_param_request_list_message(1, 1))
        assert not driven.app.run_warnings


def any_of(kind: Any, random: Random) -> Any:
    """Return a message of a kind for this vessel, with fields of random bytes."""
    content = kind.unpacker.unpack(random.randbytes(kind.unpacker.size))
    fields, place = [], 0
    for name, length in zip(kind.ordered_fieldnames, kind.lengths, strict=True):
        size = 1 if length == 0 or isinstance(content[place], bytes) else length
        part = content[place : place + size]
        fields.append((name, list(part) if size > 1 else part[0]))
        place += size
    given = {**dict(fields), "target_system": 1, "target": 1, "mission_type": 0, "seq": 0}
    return kind(*(given[name] for name in kind.fieldnames))


def test_no_message_of_any_kind_ends_the_vessel(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "REST", 0.0)  # all is taken at once
    monkeypatch.setattr(links, "LONGEST_TURN", inf)
    random = Random(11)
    kinds = [mavlink.mavlink_map[number] for number in sorted(mavlink.mavlink_map)]
    handled = [kind for kind in kinds if kind.msgname in (*_HANDLERS, *MISSIONS)]
    assert len(handled) == len({*_HANDLERS, *MISSIONS})
    with peers(1) as (peer,):
        driven = begun(drive, [peer])
        for _ in range(20):
            peer.send(*(any_of(kind, random) for kind in handled))
            for number in _COMMANDS:
                wild = [random.choice((0.0, 1.0, -1.0, 1e38, float("nan"))) for _ in range(7)]
                peer.send(command(number, *wild))
            driven.tick(driven.app.time + 0.1, HERE)
            peer.heard()
        for kind in kinds:  # of which other vehicles send many
            peer.send(any_of(kind, random))
        driven.tick(driven.app.time + 0.1, HERE)
        peer.heard()
        # Home may be anywhere, and is given back as it can be.
        home = item(0, lat=float("inf"), command=mavlink.MAV_CMD_DO_SET_HOME)
        peer.answers(driven, count(2))
        assert code(peer.answers(driven, home, item(1))) == mavlink.MAV_MISSION_ACCEPTED
        (given,) = peer.answers(driven, mavlink.MAVLink_mission_request_int_message(1, 1, 0))
        assert (given.x, given.y) == (0, 0)
