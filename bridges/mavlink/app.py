"""``pMavlink``: shows a vessel to ground stations by MAVLink, and takes their commands.

A vessel looks like ArduPilot's Rover. What stations order is entered as posts from outside, which
are recorded; a replay with ``--inputs`` shows the vessel, and takes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pymavlink.dialects.v20 import ardupilotmega as mavlink

from steerageway.apps.shared.datum import read_datum
from steerageway.bridges.intake import Intake
from steerageway.bridges.intervals import Due
from steerageway.bridges.links import Told, UdpPeer
from steerageway.bridges.mavlink.mission import MOST_ITEMS, Mission, NotTaken, Place
from steerageway.bridges.mavlink.modes import AUTO, DISARM, MANUAL, NUMBERS, USUAL, ModeOf
from steerageway.bridges.mavlink.options import KINDS, MavlinkOptions, StationTiming
from steerageway.bridges.mavlink.station import Station
from steerageway.bridges.mavlink.telemetry import LARGEST, MESSAGES, QUANTITIES
from steerageway.bridges.mavlink.telemetry import Message as Telemetry
from steerageway.bridges.own_state import Own
from steerageway.bus import App, CannotGoOn, Message, variables

MODE, INDEX = "MAVLINK_MODE", "WPT_INDEX"
RUDDER, THRUST = "DESIRED_RUDDER", "DESIRED_THRUST"
PUBLICATIONS = (
    *variables.published(f"""
        {MODE} | text | | `AUTO`, `GUIDED`, `HOLD`, `RTL`, `MANUAL`, `ARM`, `DISARM` .. | on receipt
            | mode that a ground station commands
        WPT_UPDATE | text | m, m/s | | on receipt | `points=60,-40:60,-160 # speed=2`: a route, a
            point or a speed, for a behavior; the name is that of `updates`
    """),
    *(
        variables.text(name, "as `mode` of its block says", when="on receipt")
        for name in dict.fromkeys(name for posts in USUAL.values() for name, _ in posts)
    ),
    *(
        variables.number(
            name, what, unit=unit, range="[-100, 100]", when="with a joystick, in mode MANUAL"
        )
        for name, what, unit in (
            (RUDDER, "rudder", "%, positive to starboard"),
            (THRUST, "thrust", "%, ahead"),
        )
    ),
)
BEAT = 1.0  # heartbeats a second


class Mavlink(App):
    """Sends telemetry to ground stations, and takes routes and commands."""

    publications = PUBLICATIONS
    subscribes = (*QUANTITIES.values(), INDEX, "the variables of source, param and mode")
    parameters = MavlinkOptions.parameters()
    common = StationTiming
    may_lag = True
    observes_case_reset = True

    def configure(self) -> None:
        """Read the parameters."""
        self._options = options = MavlinkOptions.read(self.config)
        self._datum = read_datum(self.setting.globals)
        self._intake = Intake(self)
        self._stations: list[Station] = []
        self._told = Told()
        self.mission = Mission()
        named = (name for posts in options.modes.values() for name, _ in posts)
        self.publishes = (MODE, options.updates, *dict.fromkeys(named), RUDDER, THRUST)
        self._begin()
        if not options.udp:
            self.config_warning("it has no effect without udp, as udp = 14550")
        if self._datum is None:
            self.config_warning("without LatOrigin and LongOrigin there are no positions")

    def _begin(self) -> None:
        self._own = Own()
        self._mode = ModeOf(self._options.modes)
        self._is_due = Due()
        self._values: dict[str, float] = {}
        self._made: dict[str, Telemetry | None] = {}
        self._route: str = ""
        self._aside = False  # by a point of GUIDED

    def on_start(self) -> None:
        """Open the links, and register."""
        options = self._options
        try:
            for address in options.udp:
                link = UdpPeer(address)
                self._stations.append(Station(link, self, options.sysid, options.rates))
        except (OSError, OverflowError) as error:
            self.on_stop()
            raise CannotGoOn(f"{self.name}: a link cannot be opened: {error}") from error
        self._intake.begin()
        wanted = (variable for _, variable in options.params)
        self.register(*options.sources.values(), *self._mode.variables, *wanted, INDEX)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Note the vessel's state."""
        for message in mail:
            self._mode.take(message.name, message.value)
            if not isinstance(message.value, float):
                continue
            utc = self.setting.epoch + message.time
            self._values[message.name] = message.value
            for quantity, variable in self._options.sources.items():
                if variable == message.name:
                    self._own.take(quantity, message.value, utc)

    def iterate(self) -> None:
        """Send what is due, and take what has come."""
        self._own.utc = self.utc
        self._made = {}
        beats = self._is_due("HEARTBEAT", self.time, BEAT)
        for station in self._stations:
            if beats:
                station.send(self._heartbeat())
                station.send(self._current())
            station.tell(self.time)
            if not self._intake.replayed:
                station.take()
        self._intake.warn()
        self._tell_troubles()

    def _heartbeat(self) -> Telemetry:
        mode, armed = self._mode.name, self._mode.armed
        flags = mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED
        flags |= mavlink.MAV_MODE_FLAG_SAFETY_ARMED if armed else 0
        flags |= mavlink.MAV_MODE_FLAG_MANUAL_INPUT_ENABLED if mode == MANUAL else 0
        flags |= mavlink.MAV_MODE_FLAG_AUTO_ENABLED if mode == AUTO else 0
        state = mavlink.MAV_STATE_ACTIVE if armed else mavlink.MAV_STATE_STANDBY
        kind, pilot = KINDS[self._options.kind], mavlink.MAV_AUTOPILOT_ARDUPILOTMEGA
        return mavlink.MAVLink_heartbeat_message(kind, pilot, flags, NUMBERS[mode], state, 3)

    def _current(self) -> Telemetry:
        """Return which item comes next: home is item 0, and the helm counts from 0."""
        known = self.mission.items and not self._aside
        following = round(self._values.get(INDEX, 0.0)) + 1 if known else 0
        return mavlink.MAVLink_mission_current_message(max(0, min(following, MOST_ITEMS)))

    def message(self, name: str) -> Telemetry | None:
        """Return a message of telemetry as of now; one that is unknown is None."""
        if name not in self._made:
            self._made[name] = MESSAGES[name][2](self._own, self.time)
        return self._made[name]

    def readable(self) -> Mapping[str, float]:
        """Return the parameters that are known."""
        named = {name: self._values.get(variable) for name, variable in self._options.params}
        known = {n: v for n, v in named.items() if v is not None and abs(v) <= LARGEST}
        return {"SYSID_THISMAV": float(self._options.sysid), "FRAME_CLASS": 2.0, **known}

    def home(self) -> Place | None:
        """Return the latitude and longitude of the datum [deg]."""
        return None if self._datum is None else self._datum.to_latlon(0.0, 0.0)

    def set_mode(self, name: str) -> bool:
        """Enter a mode, ARM or DISARM; return whether the block has it."""
        if not self._mode.has(name):
            return False
        self._intake.post(MODE, name)
        if name == DISARM:
            self.steer(0.0, 0.0)
        for variable, value in self._mode.command(name):
            self._intake.post(variable, value)
        if name == AUTO and self._aside and self._route:
            self._intake.post(self._options.updates, self._route)
            self._aside = False
        return True

    def follow(self, points: list[Place], speed: float | None) -> None:
        """Follow a route.

        Raises:
            NotTaken: a point is too far from the datum.
        """
        self._route = self._update(points, speed)
        self._aside = False
        self._intake.post(self._options.updates, self._route)

    def go_to(self, place: Place) -> bool:
        """Go to a place; return whether it can be reached."""
        try:
            update = self._update([place], None)
        except NotTaken:
            return False
        self._aside = True
        self._intake.post(self._options.updates, update)
        return True

    def _update(self, points: list[Place], speed: float | None) -> str:
        if self._datum is None:
            raise NotTaken(mavlink.MAV_MISSION_ERROR, "the mission file has no LatOrigin")
        try:
            local = [self._datum.to_local(*place) for place in points]
        except ValueError as error:
            raise NotTaken(mavlink.MAV_MISSION_INVALID_PARAM5_X, str(error)) from error
        text = "points=" + ":".join(f"{x:.2f},{y:.2f}" for x, y in local)
        return text if speed is None else f"{text} # speed={speed:.6g}"

    def set_speed(self, speed: float) -> None:
        """Set the speed [m/s]."""
        self._intake.post(self._options.updates, f"speed={speed:.6g}")

    def steer(self, rudder: float, thrust: float) -> None:
        """Steer by hand [%], in MANUAL only."""
        if self._mode.name == MANUAL and self._mode.armed:
            self._intake.post(RUDDER, rudder)
            self._intake.post(THRUST, thrust)

    def _tell_troubles(self) -> None:
        """Tell what is new among the troubles, once an iteration each."""
        for place, station in enumerate(self._stations):
            troubles = station.troubles + station.link.troubles
            for what in self._told.new(f"{station.link.name} {place}", troubles):
                self.run_warning(f"{station.link.name}: {what}")

    def on_case(self, number: int, seed: int) -> None:
        """Forget the case before; the links and the mission stay."""
        self._begin()
        for station in self._stations:
            station.begin()

    def on_stop(self) -> None:
        """Close the links."""
        self._intake.close()
        for station in self._stations:
            station.link.close()

    def report(self) -> Iterable[str]:
        """Yield mode and mission, the stations, and what they have sent."""
        armed = "armed" if self._mode.armed else "disarmed"
        yield f"Mode:     {self._mode.name}, {armed}; {len(self.mission.items)} mission items"
        for station in self._stations:
            taken = ", ".join(f"{count} {what}" for what, count in station.taken.items())
            yield f"{station.link.name}: {taken or 'nothing has come'}"
