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
from steerageway.bus import (
    NANO,
    App,
    Config,
    Entry,
    Message,
    Options,
    Setting,
    at_line,
    declare,
    variables,
)
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.frame import frame_of
from steerageway.vessel.sensors.kinds import Gps
from steerageway.vessel.sensors.reading import CLASSES, Reader, actuators_of, classes_of
from steerageway.vessel.sensors.sensor import Aboard, Sensor
from steerageway.vessel.sensors.suite import Suite
from steerageway.world.constants import GRAVITY

PUBLICATIONS = variables.published("""
    SENSORS | text | m, rad, Hz | | once | list of the sensors, as JSON: name, type, place, rate,
        errors
    *_DATA | text | SI; deg for angles posted in deg | | each measurement | a sensor's complete
        reading with covariances, as JSON
    /* | text | as `*_DATA` | | each measurement | the same under the sensor's `sensor_topic`
    IMU_ROLL, IMU_PITCH | number | rad | [-3.1416, 3.1416] | each measurement | attitude of the
        sensor
    IMU_YAW | number | rad, clockwise from north | [-3.1416, 3.1416] | each measurement | attitude
        of the sensor
    IMU_WX, IMU_WY, IMU_WZ | number | rad/s, sensor's axes | | each measurement | angular velocity
    IMU_AX, IMU_AY | number | m/s², sensor's axes | | each measurement | specific force
    IMU_AZ | number | m/s², sensor's axes | | each measurement | specific force; -g level and at
        rest
    GPS_LAT | number | deg, WGS84 | [-90, 90] | each measurement, with a datum | the antenna's
        latitude
    GPS_LONG | number | deg, WGS84 | [-180, 180] | each measurement, with a datum | the antenna's
        longitude
    GPS_ALT | number | m, up | | each measurement | height of the antenna above the ellipsoid
    GPS_X | number | m, east | | each measurement | position of the antenna
    GPS_Y | number | m, north | | each measurement | position of the antenna
    UWB_X | number | m, east | | each measurement | position of the tag
    UWB_Y | number | m, north | | each measurement | position of the tag
    UWB_DEPTH | number | m, down | | each measurement | depth of the tag
    DVL_VX, DVL_VY, DVL_VZ | number | m/s, sensor's axes | | each measurement | velocity over ground
    DVL_RANGE | number | m, sensor's axes | > 0 | each measurement | with `bottom_range`: height
        above the bottom
    ENC_CS_* | number | deg | | each measurement | a control surface's angle
    ENC_TH_* | number | rpm | | each measurement | a thruster's revolutions; fraction or force [N]
        if it is commanded so
    ENC_AZ_* | number | deg | | each measurement | an azimuth thruster's angle
    COMPASS_HEADING | number | deg | [0, 360) | each measurement | true heading of the sensor
    SPEED_LOG_SPEED | number | m/s, sensor's x axis | | each measurement | speed through the water
    PRESSURE_DEPTH | number | m, down | | each measurement | depth of the sensor, by pressure
    ALTIMETER_RANGE | number | m | | each measurement, with the bottom in range | range to the
        bottom along the beam
    GYRO_RATE | number | rad/s, sensor's z axis | | each measurement | angular rate
    APPARENT_WIND_SPEED | number | m/s | >= 0 | each measurement | speed of the apparent wind
    APPARENT_WIND_ANGLE | number | deg off the sensor's x axis | [-180, 180] | each measurement |
        direction from which the apparent wind comes
""")

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
        with at_line(simulator.vessel):
            frame, actuators = frame_of(vessel["geometry"]), actuators_of(vessel)
            gravity = vessel["vessel"].positive("gravity", GRAVITY)
        aboard = replace(aboard, actuators=actuators, frame=frame)
    reader = Reader(aboard, own)
    named = sensors_file(options.sensors_file, simulator, vessel, setting.places)
    if named is not None:
        entry, path = named
        with at_line(entry):
            reader.add_kinds(_own_kind(Entry(CLASSES, *line)) for line in classes_of(path))
            reader.file(path)
    read_lines(options.sensor, named, reader.line, reader.finish)
    return reader, gravity


def _own_kind(entry: Entry) -> type[Sensor]:
    """Return the sensor class that a line names."""
    module_name, _, class_name = entry.value.strip().partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), class_name)):
        raise Config.error(entry, "expected module:ClassName")
    with at_line(entry, ImportError):
        kind = getattr(imported(module_name), class_name, None)
    if not (isinstance(kind, type) and issubclass(kind, Sensor) and hasattr(kind, "kind")):
        raise Config.error(entry, "expected a subclass of vessel.sensors.Sensor with a kind")
    return kind


class Sensors(App):
    """Simulates a vessel's instruments, as IMU, GPS and DVL, with their errors."""

    last_wins = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = (SUITE, *ANY)
    subscriptions = (
        heard.FAULT,
        heard.WATER_DEPTH,
        heard.WIND_CONDITIONS,
        heard.WORLD_CHANGE,
    )
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
