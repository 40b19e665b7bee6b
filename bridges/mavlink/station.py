"""One ground station: what it asks for and commands, and the answers.

Source: mavlink.io, services heartbeat, command, parameter; modes as ArduPilot's Rover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from typing import Protocol

from pymavlink.dialects.v20 import ardupilotmega as mavlink

from steerageway.bridges.intervals import Due
from steerageway.bridges.links import Arrivals, Counts, UdpPeer
from steerageway.bridges.mavlink.mission import (
    FASTEST,
    Mission,
    NotTaken,
    Place,
    Transfer,
    is_place,
)
from steerageway.bridges.mavlink.modes import ARM, AUTO, DISARM, GUIDED, HOLD, NUMBERS, RETURN
from steerageway.bridges.mavlink.telemetry import MESSAGES, Message

ACCEPTED: int = mavlink.MAV_RESULT_ACCEPTED
DENIED: int = mavlink.MAV_RESULT_DENIED
UNSUPPORTED: int = mavlink.MAV_RESULT_UNSUPPORTED
COMPONENT = mavlink.MAV_COMP_ID_AUTOPILOT1
CAPABILITIES = (
    mavlink.MAV_PROTOCOL_CAPABILITY_MISSION_INT
    | mavlink.MAV_PROTOCOL_CAPABILITY_MISSION_FLOAT
    | mavlink.MAV_PROTOCOL_CAPABILITY_COMMAND_INT
    | mavlink.MAV_PROTOCOL_CAPABILITY_SET_POSITION_TARGET_GLOBAL_INT
    | mavlink.MAV_PROTOCOL_CAPABILITY_MAVLINK2
)
VERSION = (4 << 24) | (5 << 16) | (mavlink.FIRMWARE_VERSION_TYPE_OFFICIAL)
NO_POSITION, NO_VELOCITY = 0b111, 0b111000  # bits of a type mask
MICROSECONDS = 1e6  # in a second
LONGEST = 60.0 * MICROSECONDS  # interval that a station may ask for [us]
MOST = 50.0  # messages of a kind a second
MODE_NAMES = {number: name for name, number in NUMBERS.items()}
MESSAGE_NAMES = {number: name for name, (number, _, _) in MESSAGES.items()}
HOME = (mavlink.MAVLINK_MSG_ID_HOME_POSITION, mavlink.MAVLINK_MSG_ID_GPS_GLOBAL_ORIGIN)


class Vessel(Protocol):
    """What a station may see and do."""

    mission: Mission

    def readable(self) -> Mapping[str, float]:
        """Return the parameters that are known."""

    def home(self) -> Place | None:
        """Return the latitude and longitude of the datum [deg]."""

    def set_mode(self, name: str) -> bool:
        """Enter a mode, ARM or DISARM; return whether there is such a one."""

    def follow(self, points: list[Place], speed: float | None) -> None:
        """Follow a route."""

    def go_to(self, place: Place) -> bool:
        """Go to a place; return whether it can be reached."""

    def set_speed(self, speed: float) -> None:
        """Set the speed [m/s]."""

    def steer(self, rudder: float, thrust: float) -> None:
        """Steer by hand [%]."""

    def message(self, name: str) -> Message | None:
        """Return a message of telemetry as of now."""


class Station:
    """The dialogue with one ground station.

    Attributes:
        troubles: what was not understood -> how often.
        taken: kinds of messages -> how often.
    """

    def __init__(
        self, link: UdpPeer, vessel: Vessel, system: int, rates: Mapping[str, float]
    ) -> None:
        self.link = link
        self.troubles = Counts()
        self.taken = Counts()
        self._vessel, self._system = vessel, system
        self._usual, self._rates = rates, dict(rates)
        self._is_due = Due()
        self._mav = mavlink.MAVLink(self, srcSystem=system, srcComponent=COMPONENT)
        self._transfer = Transfer(vessel.mission, self.send, vessel.follow)
        self._from = (0, 0)
        self._arrivals = Arrivals(self._received)

    def write(self, data: bytes) -> None:
        """Send bytes; pymavlink calls it."""
        self.link.send(bytes(data))

    def send(self, message: Message) -> None:
        """Send a message."""
        self._mav.send(message)

    def begin(self) -> None:
        """Begin the times of messages anew."""
        self._is_due = Due()

    def tell(self, time: float) -> None:
        """Send the telemetry that is due at a time [s]."""
        for name, rate in self._rates.items():
            if self._is_due(name, time, rate):
                message = self._vessel.message(name)
                if message is not None:
                    self.send(message)

    def take(self) -> None:
        """Answer all that has come."""
        for message in self._arrivals.turn():
            self._handle(message)
        self._transfer.look()

    def _received(self) -> Iterator[Message]:
        for datagram in self.link.receive():
            yield from self._messages(datagram)

    def _messages(self, datagram: bytes) -> list[Message]:
        """Return the messages of a datagram, which holds whole ones."""
        parser = mavlink.MAVLink(None)
        parser.robust_parsing = True
        found = parser.parse_buffer(datagram) or []
        good = [one for one in found if not isinstance(one, mavlink.MAVLink_bad_data)]
        if len(good) < len(found) or parser.buf_len():
            self.troubles["bytes that are no MAVLink message"] += 1
        return good

    def _handle(self, message: Message) -> None:
        name = message.get_type()
        if not isinstance(message, mavlink.MAVLink_unknown):
            self.taken[name] += 1
        self._from = message.get_srcSystem(), message.get_srcComponent()
        if self._from[0] == self._system:
            self.troubles[f"another vehicle has the system id {self._system}, too"] += 1
            return
        target = getattr(message, "target_system", getattr(message, "target", 0))
        if target not in (0, self._system):
            return
        try:
            if name.startswith("MISSION_") and name != "MISSION_SET_CURRENT":
                self._transfer_or_guide(name, message)
            elif name in _HANDLERS:
                _HANDLERS[name](self, message)
        except NotTaken as error:
            self._say(f"Mission {error}")

    def _transfer_or_guide(self, name: str, message: Message) -> None:
        # A station of older times sends the point of GUIDED as an item that is current = 2.
        if name in ("MISSION_ITEM", "MISSION_ITEM_INT") and message.current == 2:
            scale = 1e-7 if name == "MISSION_ITEM_INT" else 1.0
            done = self._go((message.x * scale, message.y * scale))
            code = mavlink.MAV_MISSION_ACCEPTED if done else mavlink.MAV_MISSION_ERROR
            self.send(mavlink.MAVLink_mission_ack_message(*self._from, code))
        else:
            self._transfer.handle(message)

    def _say(self, text: str) -> None:
        self.troubles[text] += 1
        short = text.encode("ascii", "replace")[:50]
        self.send(mavlink.MAVLink_statustext_message(mavlink.MAV_SEVERITY_WARNING, short))

    def _go(self, place: Place) -> bool:
        return is_place(*place) and self._vessel.go_to(place) and self._vessel.set_mode(GUIDED)

    def _command(self, message: Message) -> None:
        whole = message.get_type() == "COMMAND_INT"
        scale = 1e-7 if whole else 1.0
        place = (message.x, message.y) if whole else (message.param5, message.param6)
        handler = _COMMANDS.get(message.command)
        result = UNSUPPORTED
        if handler is not None:
            first = message.param1, message.param2
            if all(map(isfinite, first)) or message.command in _NANS:
                result = handler(self, first, (place[0] * scale, place[1] * scale))
            else:
                result = DENIED
        self.send(mavlink.MAVLink_command_ack_message(message.command, result, 0, 0, *self._from))

    def _arm(self, first: Place, place: Place) -> int:
        return self._mode(ARM if first[0] == 1.0 else DISARM)

    def _mode(self, name: str) -> int:
        return ACCEPTED if self._vessel.set_mode(name) else DENIED

    def _do_set_mode(self, first: Place, place: Place) -> int:
        return self._mode(MODE_NAMES.get(round(first[1]), ""))

    def _pause(self, first: Place, place: Place) -> int:
        return self._mode(AUTO if first[0] == 1.0 else HOLD)

    def _start(self, first: Place, place: Place) -> int:
        return self._mode(ARM) or self._mode(AUTO)

    def _speed(self, first: Place, place: Place) -> int:
        if not 0.0 < first[1] <= FASTEST:
            return DENIED
        self._vessel.set_speed(first[1])
        return ACCEPTED

    def _reposition(self, first: Place, place: Place) -> int:
        if not self._go(place):
            return DENIED
        if 0.0 < first[0] <= FASTEST:  # -1: as it was
            self._vessel.set_speed(first[0])
        return ACCEPTED

    def _request(self, first: Place, place: Place) -> int:
        wanted = round(first[0])
        if wanted == mavlink.MAVLINK_MSG_ID_AUTOPILOT_VERSION:
            return self._version(first, place)
        if wanted in HOME:
            return self._home(first, place)
        name = MESSAGE_NAMES.get(wanted)
        message = self._vessel.message(name) if name else None
        if message is not None:
            self.send(message)
        return ACCEPTED if message is not None else DENIED

    def _interval(self, first: Place, place: Place) -> int:
        name, interval = MESSAGE_NAMES.get(round(first[0])), first[1]
        if not name or interval > LONGEST:
            return DENIED
        usual = self._usual[name]
        rate = usual if interval == 0.0 else 0.0 if interval < 0.0 else MICROSECONDS / interval
        self._rates[name] = min(rate, MOST)
        self._is_due.at_once(name)
        return ACCEPTED

    def _version(self, first: Place, place: Place) -> int:
        empty = bytes(8)
        numbers = CAPABILITIES, VERSION, 0, 0, 0, empty, empty, empty, 0, 0, self._system
        self.send(mavlink.MAVLink_autopilot_version_message(*numbers))
        return ACCEPTED

    def _home(self, first: Place, place: Place) -> int:
        home = self._vessel.home()
        if home is None:
            return DENIED
        lat, lon = round(home[0] * 1e7), round(home[1] * 1e7)
        level = [1.0, 0.0, 0.0, 0.0]
        self.send(mavlink.MAVLink_home_position_message(lat, lon, 0, 0, 0, 0, level, 0, 0, 0))
        self.send(mavlink.MAVLink_gps_global_origin_message(lat, lon, 0))
        return ACCEPTED

    def _set_mode(self, message: Message) -> None:
        if message.base_mode & mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED:
            self._vessel.set_mode(MODE_NAMES.get(message.custom_mode, ""))

    def _set_target(self, message: Message) -> None:
        """Take a position, a velocity, or both, of GUIDED."""
        if not message.type_mask & NO_POSITION:
            self._go((message.lat_int * 1e-7, message.lon_int * 1e-7))
        if not message.type_mask & NO_VELOCITY:
            speed = (message.vx**2 + message.vy**2) ** 0.5
            if 0.0 < speed <= FASTEST:
                self._vessel.set_speed(speed)

    def _set_current(self, message: Message) -> None:
        self._say("Mission: the next point cannot be set")

    def _by_hand(self, message: Message) -> None:
        if max(abs(message.r), abs(message.z)) <= 1000:
            self._vessel.steer(message.r / 10.0, message.z / 10.0)

    def _override(self, message: Message) -> None:
        steering, throttle = message.chan1_raw, message.chan3_raw
        if all(800 <= width <= 2200 for width in (steering, throttle)):
            orders = [max(-100.0, min(100.0, (w - 1500) / 5.0)) for w in (steering, throttle)]
            self._vessel.steer(*orders)

    def _all_parameters(self, message: Message) -> None:
        for name in self._vessel.readable():
            self._parameter(name)

    def _one_parameter(self, message: Message) -> None:
        names = list(self._vessel.readable())
        by_index = 0 <= message.param_index < len(names)
        self._parameter(names[message.param_index] if by_index else str(message.param_id))

    def _refuse_parameter(self, message: Message) -> None:
        self._parameter(str(message.param_id))
        self._say("Parameters can only be read")

    def _parameter(self, name: str) -> None:
        known = self._vessel.readable()
        if name not in known:
            return
        place, kind = list(known).index(name), mavlink.MAV_PARAM_TYPE_REAL32
        content = name.encode(), known[name], kind, len(known), place
        self.send(mavlink.MAVLink_param_value_message(*content))


Command = Callable[[Station, Place, Place], int]

_NANS = (mavlink.MAV_CMD_DO_REPOSITION,)
_COMMANDS: dict[int, Command] = {
    mavlink.MAV_CMD_COMPONENT_ARM_DISARM: Station._arm,
    mavlink.MAV_CMD_DO_SET_MODE: Station._do_set_mode,
    mavlink.MAV_CMD_NAV_RETURN_TO_LAUNCH: lambda station, first, place: station._mode(RETURN),
    mavlink.MAV_CMD_MISSION_START: Station._start,
    mavlink.MAV_CMD_DO_PAUSE_CONTINUE: Station._pause,
    mavlink.MAV_CMD_DO_CHANGE_SPEED: Station._speed,
    mavlink.MAV_CMD_DO_REPOSITION: Station._reposition,
    mavlink.MAV_CMD_REQUEST_MESSAGE: Station._request,
    mavlink.MAV_CMD_SET_MESSAGE_INTERVAL: Station._interval,
    mavlink.MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES: Station._version,
    mavlink.MAV_CMD_GET_HOME_POSITION: Station._home,
}
_HANDLERS: dict[str, Callable[[Station, Message], None]] = {
    "COMMAND_LONG": Station._command,
    "COMMAND_INT": Station._command,
    "SET_MODE": Station._set_mode,
    "SET_POSITION_TARGET_GLOBAL_INT": Station._set_target,
    "MISSION_SET_CURRENT": Station._set_current,
    "MANUAL_CONTROL": Station._by_hand,
    "RC_CHANNELS_OVERRIDE": Station._override,
    "PARAM_REQUEST_LIST": Station._all_parameters,
    "PARAM_REQUEST_READ": Station._one_parameter,
    "PARAM_SET": Station._refuse_parameter,
}
