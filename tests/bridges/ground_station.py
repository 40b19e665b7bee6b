"""A ground station made of pymavlink: it sends a route, commands a vessel, and watches it.

``python ground_station.py PORT`` prints as JSON what it has seen once the vessel holds again.
"""

from __future__ import annotations

import json
import os
import sys
from math import cos, radians, sin
from typing import Any

os.environ["MAVLINK20"] = "1"

from pymavlink import mavutil
from pymavlink.dialects.v20 import ardupilotmega as mavlink

ORIGIN = 59.9075, 10.72
POINTS = [(30.0, -40.0), (40.0, -70.0), (10.0, -60.0)]  # east, north of the datum [m]
SPEED = 2.5
PATIENCE = 20.0
MANUAL, AUTO, RTL, HOLD, GUIDED = 0, 10, 11, 4, 15


def scales() -> tuple[float, float]:
    """Return metres a degree of latitude and of longitude at the datum, by WGS 84's radii."""
    a, e2 = 6378137.0, 6.69437999014e-3
    sine = sin(radians(ORIGIN[0]))
    w = 1.0 - e2 * sine * sine
    return radians(a * (1.0 - e2) / w**1.5), radians(a / w**0.5 * cos(radians(ORIGIN[0])))


def whole(east: float, north: float) -> tuple[int, int]:
    """Return latitude and longitude [1e-7 deg]."""
    per_lat, per_lon = scales()
    return round((ORIGIN[0] + north / per_lat) * 1e7), round((ORIGIN[1] + east / per_lon) * 1e7)


class Station:
    def __init__(self, port: int) -> None:
        self.link: Any = mavutil.mavlink_connection(f"udpin:127.0.0.1:{port}")
        self.kinds: dict[str, int] = {}
        self.track: list[tuple[float, float]] = []
        self.modes: list[int] = []
        self.texts: list[str] = []

    def wait(self, *kinds: str) -> Any:
        """Return the next message of one of these kinds; note all that come before it."""
        while True:
            message = self.link.recv_match(blocking=True, timeout=PATIENCE)
            if message is None:
                raise TimeoutError(f"no {kinds}: {self.kinds}")
            name = message.get_type()
            self.kinds[name] = self.kinds.get(name, 0) + 1
            if name == "GLOBAL_POSITION_INT":
                per_lat, per_lon = scales()
                place = message.lat * 1e-7 - ORIGIN[0], message.lon * 1e-7 - ORIGIN[1]
                self.track.append((place[1] * per_lon, place[0] * per_lat))
                self.last = message
            if name == "HEARTBEAT" and self.modes[-1:] != [message.custom_mode]:
                self.modes.append(message.custom_mode)
            if name == "STATUSTEXT":
                self.texts.append(message.text)
            if name in kinds:
                return message

    def upload(self, items: list[tuple[int, tuple[float, ...], tuple[int, int]]]) -> int:
        """Send a mission; return the code of the acknowledgement."""
        mav, target = self.link.mav, (self.link.target_system, self.link.target_component)
        mav.mission_count_send(*target, len(items))
        while True:
            asked = self.wait("MISSION_REQUEST_INT", "MISSION_ACK")
            if asked.get_type() == "MISSION_ACK":
                return int(asked.type)
            command, settings, place = items[asked.seq]
            frame = mavlink.MAV_FRAME_GLOBAL_RELATIVE_ALT
            head = *target, asked.seq, frame, command, 0, 1, *settings
            mav.mission_item_int_send(*head, *place, 0.0)

    def download(self) -> list[tuple[int, int, int]]:
        """Return the mission that the vessel has: command, latitude, longitude of each item."""
        mav, target = self.link.mav, (self.link.target_system, self.link.target_component)
        mav.mission_request_list_send(*target)
        found = []
        for number in range(self.wait("MISSION_COUNT").count):
            mav.mission_request_int_send(*target, number)
            item = self.wait("MISSION_ITEM_INT")
            found.append((item.command, item.x, item.y))
        mav.mission_ack_send(*target, mavlink.MAV_MISSION_ACCEPTED)
        return found

    def command(self, command: int, *settings: float) -> int:
        """Send a command; return the result."""
        target = self.link.target_system, self.link.target_component
        padded = (*settings, *[0.0] * (7 - len(settings)))
        self.link.mav.command_long_send(*target, command, 0, *padded)
        answer = self.wait("COMMAND_ACK")
        assert answer.command == command
        return int(answer.result)

    def parameters(self) -> dict[str, float]:
        self.link.mav.param_request_list_send(self.link.target_system, self.link.target_component)
        first = self.wait("PARAM_VALUE")
        found = {first.param_id: first.param_value}
        while len(found) < first.param_count:
            one = self.wait("PARAM_VALUE")
            found[one.param_id] = one.param_value
        return found

    def until_mode(self, mode: int) -> Any:
        while True:
            beat = self.wait("HEARTBEAT")
            if beat.custom_mode == mode:
                return beat

    def until_servos(self, *widths: int) -> None:
        while True:
            servos = self.wait("SERVO_OUTPUT_RAW")
            if (servos.servo1_raw, servos.servo3_raw) == widths:
                return


def main(port: int) -> None:
    station = Station(port)
    seen: dict[str, Any] = {}
    beat = station.wait("HEARTBEAT")
    station.link.target_system = beat.get_srcSystem()
    station.link.target_component = beat.get_srcComponent()
    seen["first"] = {"type": beat.type, "autopilot": beat.autopilot, "mode": beat.custom_mode}
    seen["parameters"] = station.parameters()
    waypoint, nothing = mavlink.MAV_CMD_NAV_WAYPOINT, (0.0,) * 4
    route = [(waypoint, nothing, whole(0.0, 0.0))]
    route += [(mavlink.MAV_CMD_DO_CHANGE_SPEED, (1.0, SPEED, -1.0, 0.0), (0, 0))]
    route += [(waypoint, nothing, whole(*point)) for point in POINTS]
    seen["wrong"] = station.upload([*route, (mavlink.MAV_CMD_NAV_LAND, nothing, (0, 0))])
    seen["upload"] = station.upload(route)
    seen["download"] = station.download() == [(item[0], *item[2]) for item in route]
    seen["unknown"] = station.command(mavlink.MAV_CMD_NAV_TAKEOFF)
    seen["arm"] = station.command(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 1.0)
    seen["interval"] = station.command(
        mavlink.MAV_CMD_SET_MESSAGE_INTERVAL, mavlink.MAVLINK_MSG_ID_ATTITUDE, 1e5
    )
    seen["auto"] = station.command(
        mavlink.MAV_CMD_DO_SET_MODE, mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED, AUTO
    )
    seen["armed"] = station.until_mode(AUTO).base_mode & mavlink.MAV_MODE_FLAG_SAFETY_ARMED
    station.until_mode(RTL)  # the behavior's endflag
    station.until_mode(HOLD)
    # A point in GUIDED, of a station that draws it as a repositioning.
    lat, lon = whole(20.0, -40.0)
    target = station.link.target_system, station.link.target_component
    station.link.mav.command_int_send(
        *target, mavlink.MAV_FRAME_GLOBAL, mavlink.MAV_CMD_DO_REPOSITION,
        0, 0, 1.5, 0.0, 0.0, float("nan"), lat, lon, 0.0,
    )  # fmt: skip
    seen["reposition"] = int(station.wait("COMMAND_ACK").result)
    station.until_mode(GUIDED)
    station.until_mode(RTL)
    seen["return"] = station.command(mavlink.MAV_CMD_NAV_RETURN_TO_LAUNCH)
    station.until_mode(HOLD)
    seen["manual"] = station.command(mavlink.MAV_CMD_DO_SET_MODE, 1.0, MANUAL)
    station.until_mode(MANUAL)
    station.link.mav.manual_control_send(target[0], 0, 0, 250, -300, 0)
    station.until_servos(1350, 1625)
    seen["disarm"] = station.command(mavlink.MAV_CMD_COMPONENT_ARM_DISARM, 0.0)
    station.until_servos(1500, 1500)
    seen.update(kinds=station.kinds, track=station.track, modes=station.modes, texts=station.texts)
    print(json.dumps(seen))


if __name__ == "__main__":
    main(int(sys.argv[1]))
