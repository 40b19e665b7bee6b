"""``uSensors``: simulates a vessel's instruments: IMU, GPS, DVL, compass, encoders and others.

They measure the true motion posted by the simulator, each at its own rate. Each reading is posted
with the time of its measurement.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from steerageway.apps.sensing.sensor_lines import read_lines, sensors_file
from steerageway.apps.sensing.simulator_block import Simulator, read_simulator, read_vessel
from steerageway.apps.sensing.state_mail import CHANGE, DEPTHS, DRIFT, STATES, WIND, Inbox
from steerageway.apps.shared import heard
from steerageway.apps.shared.datum import read_datum
from steerageway.apps.shared.registry import imported
from steerageway.bus import NANO, App, Config, Entry, Message, Options, Setting, declare, variables
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.sensors.positions import Gps
from steerageway.vessel.sensors.reading import CLASSES, Reader, actuators_of, classes_of
from steerageway.vessel.sensors.sensor import Aboard, Sensor
from steerageway.vessel.sensors.suite import Suite
from steerageway.world.constants import GRAVITY

PUBLICATIONS = (
    variables.text(
        "SENSORS",
        "list of the sensors, as JSON: name, type, place, rate, errors",
        unit="m, rad, Hz",
        when="once",
    ),
    variables.text(
        "*_DATA",
        "a sensor's complete reading with covariances, as JSON",
        unit="SI; deg for angles posted in deg",
        when="each measurement",
    ),
    variables.text(
        "/*",
        "the same under the sensor's `sensor_topic`",
        unit="as `*_DATA`",
        when="each measurement",
    ),
    variables.number(
        "IMU_ROLL",
        "attitude of the sensor",
        unit="rad",
        range="[-3.1416, 3.1416]",
        when="each measurement",
    ),
    variables.number(
        "IMU_PITCH",
        "attitude of the sensor",
        unit="rad",
        range="[-3.1416, 3.1416]",
        when="each measurement",
    ),
    variables.number(
        "IMU_YAW",
        "attitude of the sensor",
        unit="rad, clockwise from north",
        range="[-3.1416, 3.1416]",
        when="each measurement",
    ),
    variables.number(
        "IMU_WX", "angular velocity", unit="rad/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_WY", "angular velocity", unit="rad/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_WZ", "angular velocity", unit="rad/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_AX", "specific force", unit="m/s², sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_AY", "specific force", unit="m/s², sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_AZ",
        "specific force; -g level and at rest",
        unit="m/s², sensor's axes",
        when="each measurement",
    ),
    variables.number(
        "GPS_LAT",
        "the antenna's latitude",
        unit="deg, WGS84",
        range="[-90, 90]",
        when="each measurement, with a datum",
    ),
    variables.number(
        "GPS_LONG",
        "the antenna's longitude",
        unit="deg, WGS84",
        range="[-180, 180]",
        when="each measurement, with a datum",
    ),
    variables.number(
        "GPS_ALT",
        "height of the antenna above the ellipsoid",
        unit="m, up",
        when="each measurement",
    ),
    variables.number("GPS_X", "position of the antenna", unit="m, east", when="each measurement"),
    variables.number("GPS_Y", "position of the antenna", unit="m, north", when="each measurement"),
    variables.number("UWB_X", "position of the tag", unit="m, east", when="each measurement"),
    variables.number("UWB_Y", "position of the tag", unit="m, north", when="each measurement"),
    variables.number("UWB_DEPTH", "depth of the tag", unit="m, down", when="each measurement"),
    variables.number(
        "DVL_VX", "velocity over ground", unit="m/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "DVL_VY", "velocity over ground", unit="m/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "DVL_VZ", "velocity over ground", unit="m/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "DVL_RANGE",
        "with `bottom_range`: height above the bottom",
        unit="m, sensor's axes",
        range="> 0",
        when="each measurement",
    ),
    variables.number("ENC_CS_*", "a control surface's angle", unit="deg", when="each measurement"),
    variables.number(
        "ENC_TH_*",
        "a thruster's revolutions; fraction or force [N] if it is commanded so",
        unit="rpm",
        when="each measurement",
    ),
    variables.number(
        "ENC_AZ_*", "an azimuth thruster's angle", unit="deg", when="each measurement"
    ),
    variables.number(
        "COMPASS_HEADING",
        "true heading of the sensor",
        unit="deg",
        range="[0, 360)",
        when="each measurement",
    ),
    variables.number(
        "SPEED_LOG_SPEED",
        "speed through the water",
        unit="m/s, sensor's x axis",
        when="each measurement",
    ),
    variables.number(
        "PRESSURE_DEPTH",
        "depth of the sensor, by pressure",
        unit="m, down",
        when="each measurement",
    ),
    variables.number(
        "ALTIMETER_RANGE",
        "range to the bottom along the beam",
        unit="m",
        when="each measurement, with the bottom in range",
    ),
    variables.number(
        "GYRO_RATE", "angular rate", unit="rad/s, sensor's z axis", when="each measurement"
    ),
    variables.number(
        "APPARENT_WIND_SPEED",
        "speed of the apparent wind",
        unit="m/s",
        range=">= 0",
        when="each measurement",
    ),
    variables.number(
        "APPARENT_WIND_ANGLE",
        "direction from which the apparent wind comes",
        unit="deg off the sensor's x axis",
        range="[-180, 180]",
        when="each measurement",
    ),
)

SUBSCRIPTIONS = (
    heard.FAULT,
    heard.WATER_DEPTH,
    heard.WIND_CONDITIONS,
    heard.WORLD_CHANGE,
)

SUITE, FAULT = "SENSORS", "FAULT_"
OUTWARD = "uSceneSensors"  # app of the exteroceptive sensors
TIMEOUT = 10.0  # without mail of the simulator, before a run warning [s]
ANY = (
    *("IMU_*", "GPS_*", "UWB_*", "DVL_*", "ENC_*", "COMPASS_*", "SPEED_LOG_*", "PRESSURE_*"),
    *("ALTIMETER_*", "GYRO_*", "APPARENT_WIND_*", "/*"),
)
"""Variables of the sensors of this project under their default names, and topics."""


@dataclass(frozen=True)
class SensorsOptions(Options):
    """Parameters of the configuration block."""

    sensor: tuple[Entry, ...] = declare.entries(
        "KEY=VALUE,..: a sensor, see steerageway help sensors"
    )
    sensors_file: Entry | None = declare.line(
        "file of sensors; default: the vessel's sensors.yml, if any"
    )
    sensor_class: tuple[Entry, ...] = declare.entries(
        "module:ClassName of a user-defined type of sensor"
    )
    datum_height: float = declare.number(
        0, "height of the local plane above the ellipsoid", unit="m"
    )


def read_sensors(setting: Setting, simulator: Simulator) -> tuple[Reader, float]:
    """Return the reader with the sensors, and gravity [m/s²].

    Raises:
        ConfigError: a line, or a file it names, is wrong.
    """
    options = SensorsOptions.read(setting.config)
    own = [_own_kind(entry) for entry in options.sensor_class]
    vessel = read_vessel(simulator, setting.places)
    projection = read_datum(setting.globals)
    aboard = Aboard(projection, options.datum_height, None)
    gravity = GRAVITY
    if vessel is not None and simulator.vessel is not None:
        try:
            frame, actuators = frame_of(vessel["geometry"]), actuators_of(vessel)
            gravity = vessel["vessel"].positive("gravity", GRAVITY)
        except InvalidValue as error:
            raise Config.error(simulator.vessel, str(error)) from None
        aboard = replace(aboard, actuators=actuators, frame=frame)
    reader = Reader(aboard, own)
    named = sensors_file(options.sensors_file, simulator, vessel, setting.places)
    if named is not None:
        entry, path = named
        try:
            reader.add_kinds(_own_kind(Entry(CLASSES, *line)) for line in classes_of(path))
            reader.file(path)
        except InvalidValue as error:
            raise Config.error(entry, str(error)) from None
    read_lines(options.sensor, named, reader.line, reader.finish)
    return reader, gravity


def _own_kind(entry: Entry) -> type[Sensor]:
    """Return the sensor class that a line names."""
    module_name, _, class_name = entry.value.strip().partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), class_name)):
        raise Config.error(entry, "expected module:ClassName")
    try:
        kind = getattr(imported(module_name), class_name, None)
    except ImportError as error:
        raise Config.error(entry, str(error)) from error
    if not (isinstance(kind, type) and issubclass(kind, Sensor) and hasattr(kind, "kind")):
        raise Config.error(entry, "expected a subclass of vessel.sensors.Sensor with a kind")
    return kind


class Sensors(App):
    """Simulates a vessel's instruments, as IMU, GPS and DVL, with their errors."""

    last_wins = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = (SUITE, *ANY)
    subscriptions = SUBSCRIPTIONS
    subscribes = (STATES, "USM_*", DRIFT, WIND, CHANGE, *DEPTHS, f"{FAULT}*")
    parameters = SensorsOptions.parameters()

    def configure(self) -> None:
        """Read the sensors."""
        self._simulator = read_simulator(self.setting)
        reader, gravity = read_sensors(self.setting, self._simulator)
        for doubt in reader.doubts:
            self.config_warning(doubt)
        for name in reader.left_out:
            self.config_warning(f"{name}: it measures nothing")
        for name in reader.outward:
            if OUTWARD not in self.setting.launch_list:
                self.config_warning(
                    f"{name}: it measures nothing: expected {OUTWARD} in the launch list"
                )
        sensors = reader.sensors
        if not sensors:
            self.config_warning("there is no sensor: no sensors.yml, and no line that is one")
        if any(isinstance(s, Gps) and s.aboard.projection is None for s in sensors):
            self.config_warning("LatOrigin or LongOrigin is missing: GPS without LAT and LONG")
        self._suite = Suite(sensors, gravity, self._seed)
        self._inbox = Inbox(self._simulator, self._suite, self.run_warning)
        self._posting = [
            (one, (*one.sensor.scalar_names(), *records), len(records))
            for one in self._suite.instruments
            for records in (one.sensor.record_names(),)
        ]
        self._failures = {
            f"{FAULT}{one.sensor.name.upper()}": one for one in self._suite.instruments
        }
        names = (name for _, some, _ in self._posting for name in some)
        self.publishes = (SUITE, *dict.fromkeys(names))

    def _seed(self, sensor: str, stream: str) -> int:
        return self.random(f"{sensor}.{stream}").getrandbits(64)

    def on_start(self) -> None:
        """Register the subscriptions, and post the list of sensors."""
        self.register(*self._inbox.subscriptions, *self._failures)
        self._deadline: float | None = self.time + TIMEOUT
        sensors = [instrument.sensor.description() for instrument in self._suite.instruments]
        self.post(SUITE, json.dumps(sensors, separators=(",", ":")))

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process the simulator's mail, and measure up to the newest state."""
        states = [message for message in mail if not self._take_fault(message)]
        self._inbox.take(states)
        self._suite.measure()

    def _take_fault(self, message: Message) -> bool:
        """Process a message with a sensor's fault; return whether it was one.

        The fault affects measurements from the instant of its commit on.
        """
        instrument = self._failures.get(message.name)
        if instrument is None:
            return False
        try:
            instrument.fail(str(message.value), message.instant)
        except InvalidValue as error:
            self.run_warning(f"{message.name} = {message.value!r}: {error}")
        return True

    def iterate(self) -> None:
        """Post the readings whose latency has passed."""
        if self._deadline is not None:
            self._check_simulator(self._deadline)
        now = self.instant
        for instrument, names, records in self._posting:
            for time, numbers, record in instrument.arrived(now):
                self.post_all(names, (*numbers, *[record] * records), time=time / NANO)

    def _check_simulator(self, deadline: float) -> None:
        """Warn that there is no mail of a simulator; retract it at the first state."""
        silence = f"nothing heard of {self._inbox.subscriptions[0]}: nothing is measured"
        if self._suite.track.end is not None:
            self.retract_run_warning(silence)
            self._deadline = None
        elif self.time >= deadline and silence not in self.run_warnings:
            self.run_warning(silence)

    def report(self) -> Iterable[str]:
        """Return rate, readings and lost measurements of each sensor."""
        for instrument in self._suite.instruments:
            sensor = instrument.sensor
            counts = f"{instrument.posted} told, {instrument.lost} lost"
            yield f"{sensor.name}: {sensor.publish_rate:g} Hz, {counts}"
        if not self._simulator.fossen:
            yield (
                "the simulator's model has no accelerations, rates of turn and roll: the first "
                "two are differences between its ticks, roll is 0"
            )
