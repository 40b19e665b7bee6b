"""The mission protocol: routes up from a ground station, and down to it.

As with ArduPilot, item 0 is the home position, and no point of the route.
Source: mavlink.io, services/mission.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite

from pymavlink.dialects.v20 import ardupilotmega as mavlink

from steerageway.bridges.mavlink.telemetry import Message
from steerageway.bus import wall

MOST_ITEMS = 1000
PATIENCE, TRIALS = 1.0, 5  # wall seconds before an item is asked for again, and how often
FRAMES = (
    mavlink.MAV_FRAME_GLOBAL,
    mavlink.MAV_FRAME_GLOBAL_INT,
    mavlink.MAV_FRAME_GLOBAL_RELATIVE_ALT,
    mavlink.MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
)
WAYPOINT, SPEED = mavlink.MAV_CMD_NAV_WAYPOINT, mavlink.MAV_CMD_DO_CHANGE_SPEED
ACCEPTED: int = mavlink.MAV_MISSION_ACCEPTED
FASTEST = 100.0  # m/s

Place = tuple[float, float]
"""Latitude and longitude [deg]."""


class NotTaken(ValueError):
    """A mission item is not taken; with the code of the acknowledgement and a sentence."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True)
class Item:
    """One mission item, as it was sent; places in degrees.

    Attributes:
        settings: param1 to param4.
    """

    frame: int
    command: int
    settings: tuple[float, float, float, float]
    place: Place
    height: float


def read_item(message: Message) -> Item:
    """Return the item of a MISSION_ITEM_INT or a MISSION_ITEM.

    Raises:
        NotTaken: it is none that a vessel can follow.
    """
    scale = 1e-7 if message.get_type() == "MISSION_ITEM_INT" else 1.0
    place = message.x * scale, message.y * scale
    settings = message.param1, message.param2, message.param3, message.param4
    known = place if is_place(*place) else (0.0, 0.0)  # it means nothing, unless of a waypoint
    item = Item(message.frame, message.command, settings, known, message.z)
    number = message.seq
    if number and item.command not in (WAYPOINT, SPEED):
        code = mavlink.MAV_MISSION_UNSUPPORTED
        raise NotTaken(code, f"item {number}: expected NAV_WAYPOINT or DO_CHANGE_SPEED")
    if item.command == WAYPOINT:
        if item.frame not in FRAMES:
            code = mavlink.MAV_MISSION_UNSUPPORTED_FRAME
            raise NotTaken(code, f"item {number}: expected a global frame")
        if not is_place(*place):
            code = mavlink.MAV_MISSION_INVALID_PARAM5_X
            raise NotTaken(code, f"item {number}: expected a latitude and a longitude")
    elif number and not 0.0 < settings[1] <= FASTEST:
        code = mavlink.MAV_MISSION_INVALID_PARAM2
        raise NotTaken(code, f"item {number}: expected a speed above 0, to {FASTEST:g} m/s")
    return item


def is_place(lat: float, lon: float) -> bool:
    """Whether this is a latitude and a longitude [deg]."""
    return isfinite(lat) and isfinite(lon) and abs(lat) <= 90.0 and abs(lon) <= 180.0


@dataclass(slots=True)
class Mission:
    """The mission of a vessel: all stations see the same one.

    Attributes:
        items: from home on.
        owner: the station that sends one at present; None: nobody.
    """

    items: list[Item] = field(default_factory=list)
    owner: Transfer | None = None


def route_of(items: list[Item]) -> tuple[list[Place], float | None]:
    """Return the points of a mission's items, and its speed [m/s].

    Raises:
        NotTaken: there are no points, or there is a second speed.
    """
    points: list[Place] = []
    speed: float | None = None
    for number, item in enumerate(items[1:], 1):
        if item.command == WAYPOINT:
            points.append(item.place)
        elif speed is None and len(points) <= 1:
            speed = item.settings[1]
        else:
            code = mavlink.MAV_MISSION_UNSUPPORTED
            raise NotTaken(code, f"item {number}: expected one speed, before the second point")
    if items and not points:
        raise NotTaken(mavlink.MAV_MISSION_ERROR, "expected points behind the home position")
    return points, speed


class Transfer:
    """The mission protocol with one station.

    Args:
        mission: of the vessel.
        send: sends a message to the station.
        take: called with the points and the speed of a complete mission; raises ``NotTaken``.
    """

    def __init__(
        self,
        mission: Mission,
        send: Callable[[Message], None],
        take: Callable[[list[Place], float | None], None],
    ) -> None:
        self._mission, self._send, self._take = mission, send, take
        self._peer = (0, 0)
        self._expected = 0
        self._got: list[Item] = []
        self._asked, self._trials = 0.0, 0

    def handle(self, message: Message) -> None:
        """Answer a message of the protocol; those of fences and rally points are refused."""
        self._peer = message.get_srcSystem(), message.get_srcComponent()
        kind = getattr(message, "mission_type", mavlink.MAV_MISSION_TYPE_MISSION)
        name = message.get_type()
        if kind != mavlink.MAV_MISSION_TYPE_MISSION:
            self._refuse_other(name, kind)
        elif name == "MISSION_COUNT":
            self._begin(message.count)
        elif name in ("MISSION_ITEM_INT", "MISSION_ITEM"):
            self._item(message)
        elif name == "MISSION_REQUEST_LIST":
            self._send(mavlink.MAVLink_mission_count_message(*self._peer, len(self._mission.items)))
        elif name in ("MISSION_REQUEST_INT", "MISSION_REQUEST"):
            self._give(message.seq, whole=name == "MISSION_REQUEST_INT")
        elif name == "MISSION_CLEAR_ALL" and not self._is_busy():
            self._mission.items = []
            self.acknowledge(ACCEPTED)

    def look(self) -> None:
        """Ask again for an item that has not come; give up after some trials."""
        if self._mission.owner is not self or wall() < self._asked + PATIENCE:
            return
        self._trials += 1
        if self._trials > TRIALS:
            self._end(mavlink.MAV_MISSION_OPERATION_CANCELLED)
        else:
            self._ask()

    def acknowledge(self, code: int, kind: int = mavlink.MAV_MISSION_TYPE_MISSION) -> None:
        """Send an acknowledgement."""
        self._send(mavlink.MAVLink_mission_ack_message(*self._peer, code, kind))

    def _refuse_other(self, name: str, kind: int) -> None:
        if name == "MISSION_REQUEST_LIST":
            self._send(mavlink.MAVLink_mission_count_message(*self._peer, 0, kind))
        elif name != "MISSION_ACK":
            self.acknowledge(mavlink.MAV_MISSION_UNSUPPORTED, kind)

    def _is_busy(self) -> bool:
        """Whether another station sends a mission; this one is then refused."""
        busy = self._mission.owner not in (None, self)
        if busy:
            self.acknowledge(mavlink.MAV_MISSION_DENIED)
        return busy

    def _begin(self, count: int) -> None:
        if self._is_busy():
            return
        if count > MOST_ITEMS:
            self.acknowledge(mavlink.MAV_MISSION_NO_SPACE)
            return
        self._mission.owner, self._expected, self._got = self, count, []
        self._trials = 0
        if count:
            self._ask()
        else:
            self._mission.items = []
            self._end(ACCEPTED)

    def _ask(self) -> None:
        self._asked = wall()
        self._send(mavlink.MAVLink_mission_request_int_message(*self._peer, len(self._got)))

    def _item(self, message: Message) -> None:
        if self._mission.owner is not self:
            self.acknowledge(mavlink.MAV_MISSION_ERROR)
        elif message.seq < len(self._got):
            return  # it came twice
        elif message.seq != len(self._got):
            self._ask()
        else:
            try:
                self._next(read_item(message))
            except NotTaken as error:
                self._end(error.code)
                raise

    def _next(self, item: Item) -> None:
        self._got.append(item)
        self._trials = 0
        if len(self._got) < self._expected:
            self._ask()
            return
        self._take(*route_of(self._got))
        self._mission.items = self._got
        self._end(ACCEPTED)

    def _give(self, number: int, *, whole: bool) -> None:
        if not 0 <= number < len(self._mission.items):
            self.acknowledge(mavlink.MAV_MISSION_INVALID_SEQUENCE)
            return
        item = self._mission.items[number]
        head = *self._peer, number, item.frame, item.command, 0, 1, *item.settings
        lat, lon = item.place
        if whole:
            place = round(lat * 1e7), round(lon * 1e7), item.height
            self._send(mavlink.MAVLink_mission_item_int_message(*head, *place))
        else:
            self._send(mavlink.MAVLink_mission_item_message(*head, lat, lon, item.height))

    def _end(self, code: int) -> None:
        self._mission.owner = None
        self._got = []
        self.acknowledge(code)
