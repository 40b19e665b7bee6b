"""``uSensors``: simulates a vessel's instruments: IMU, GPS, DVL, compass, encoders and others.

They measure the true motion posted by the simulator, each at its own rate. Each reading is posted
with the time of its measurement.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from steerageway.apps.sensing.sensors.block import SensorsOptions, read_sensors
from steerageway.apps.sensing.sensors.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.apps.sensing.simulator_block import read_simulator
from steerageway.apps.sensing.state_mail import CHANGE, DEPTHS, DRIFT, STATES, WIND, Inbox
from steerageway.bus import NANO, App, Message
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.sensors.positions import Gps
from steerageway.vessel.sensors.suite import Suite

SUITE, FAULT = "SENSORS", "FAULT_"
OUTWARD = "uSceneSensors"  # app of the exteroceptive sensors
TIMEOUT = 10.0  # without mail of the simulator, before a run warning [s]
ANY = (
    *("IMU_*", "GPS_*", "UWB_*", "DVL_*", "ENC_*", "COMPASS_*", "SPEED_LOG_*", "PRESSURE_*"),
    *("ALTIMETER_*", "GYRO_*", "APPARENT_WIND_*", "/*"),
)
"""Variables of the sensors of this project under their default names, and topics."""


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
