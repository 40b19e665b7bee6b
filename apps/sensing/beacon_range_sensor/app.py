"""``uFldBeaconRangeSensor``: ranges from vessels to beacons at known positions.

A vessel pings, the beacons that receive the ping reply, and the vessel measures the range to those
whose reply it receives. A beacon may also ping unasked. A ping is received up to the sum of the
sender's push distance and the receiver's pull distance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import dist, inf

from steerageway.apps.contacts.contact import REPORTS, TIME_TOLERANCE, Contact
from steerageway.apps.sensing.beacon_range_sensor.options import (
    UPON_ACCEPT,
    UPON_REQUEST,
    UPON_RESPONSE,
    Beacon,
    SensorOptions,
    read_beacons,
)
from steerageway.apps.sensing.beacon_range_sensor.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.apps.sensing.ranging import Ranging, read_noise
from steerageway.apps.sensing.vessel_sensor import VesselSensor, Waits
from steerageway.bus import Message, variables
from steerageway.moos.pulse import range_pulse
from steerageway.moos.seglist import Point
from steerageway.moos.view import marker

PULSE = 40.0  # radius to which drawn pulses grow, whatever the ranges are [m]
PING, REPLY = ("white", 6.0), ("pink", 15.0)  # colour and duration [s] of a drawn pulse


class BeaconRangeSensor(VesselSensor):
    """A field of beacons."""

    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    requests = ("BRS_RANGE_REQUEST",)
    subscribes = (*REPORTS, *requests)
    parameters = SensorOptions.parameters()

    def configure(self) -> None:
        """Read the configuration block."""
        super().configure()
        options = self._options = SensorOptions.read(self.config)
        noise = read_noise(self.config, options.noise)
        truth = options.noise.ground_truth
        self._ranging = Ranging("BRS_RANGE_REPORT", options.report_vars, noise, truth)
        self._beacons, warnings = read_beacons(options)
        for warning in warnings:
            self.config_warning(warning)
        self._noise = self.random("noise")
        self._rng = self.random("pings")
        self._waits = Waits(options.ping_wait)
        self._due: dict[str, float] = {}
        self._reported: Counter[str] = Counter()

    def on_start(self) -> None:
        """Register the subscriptions, draw the beacons and schedule their pings."""
        super().on_start()
        for beacon in self._beacons:
            self._wait_for(beacon)
            drawn = marker(
                beacon.place,
                label=beacon.label,
                shape=beacon.shape,
                color=beacon.color,
                width=beacon.width,
            )
            self.post("VIEW_MARKER", drawn)

    def _wait_for(self, beacon: Beacon) -> None:
        low, high = beacon.period
        wait = self._rng.uniform(low, high) if high < inf else inf
        self._due[beacon.label] = self.time + wait

    def iterate(self) -> None:
        """Process range requests, and ping from the beacons that are due."""
        super().iterate()
        for beacon in self._beacons:
            if self.time >= self._due[beacon.label] - TIME_TOLERANCE:
                self._broadcast(beacon)

    def _broadcast(self, beacon: Beacon) -> None:
        self._wait_for(beacon)
        self._reported["pings of beacons"] += 1
        self._pulse(beacon.place, beacon.label, REPLY)
        for vessel in self._contacts:
            distance = self._range(vessel, beacon)
            if distance <= beacon.push + self._options.node_pull_dist.of(vessel.name):
                self._report_range(vessel, beacon, distance)
            else:
                self._report_unanswered(f"{vessel.name} does not hear {beacon.label}")

    def answer(self, message: Message, vessel: Contact, fields: Mapping[str, str]) -> None:
        """Ping from a vessel unless its ping_wait has not passed yet."""
        name, payments = vessel.name, self._options.ping_payments
        allowed = self._waits.is_over(name, self.time)
        if payments == UPON_REQUEST:
            self._waits.begin(name, self.time)
        if not allowed:
            self._reported["pings too soon"] += 1
            self.run_warning(f"{message.name}: {name} asks again within ping_wait")
            return
        self._reported["pings of vessels"] += 1
        if payments == UPON_ACCEPT:
            self._waits.begin(name, self.time)
        self._pulse(self.place_of(vessel)[:2], f"{name}_range_req", PING)
        for beacon in self._beacons:
            if self._replies(beacon, vessel) and payments == UPON_RESPONSE:
                self._waits.begin(name, self.time)

    def _replies(self, beacon: Beacon, vessel: Contact) -> bool:
        """Report the range if a beacon receives a vessel's ping and the vessel its reply."""
        distance, options = self._range(vessel, beacon), self._options
        answered = distance <= options.node_push_dist.of(vessel.name) + beacon.pull
        if not answered or distance > beacon.push + options.node_pull_dist.of(vessel.name):
            sender, receiver = (
                (vessel.name, beacon.label) if answered else (beacon.label, vessel.name)
            )
            self._report_unanswered(f"{sender} does not hear {receiver}")
            return False
        self._report_range(vessel, beacon, distance)
        self._pulse(beacon.place, beacon.label, REPLY)
        self._wait_for(beacon)
        return True

    def _range(self, vessel: Contact, beacon: Beacon) -> float:
        return dist(self.place_of(vessel)[:2], beacon.place)

    def _report_range(self, vessel: Contact, beacon: Beacon, distance: float) -> None:
        self._reported["ranges"] += 1
        ranging, other = self._ranging, f"id={beacon.label}"
        for variable, text in ranging.posts(vessel.name, distance, other, self.utc, self._noise):
            self.post(variable, text)

    def _report_unanswered(self, text: str) -> None:
        self._reported["pings not heard"] += 1
        if self._options.verbose:
            self.event(text)

    def _pulse(self, place: Point, label: str, look: tuple[str, float]) -> None:
        color, duration = look
        pulse = range_pulse(
            place, PULSE, color=color, time=self.utc, duration=duration, label=label
        )
        self.post("VIEW_RANGE_PULSE", pulse)

    def report(self) -> Iterable[str]:
        """Return counts, and the range from each vessel to each beacon."""
        yield from (f"{what}: {count}" for what, count in self._reported.items())
        for vessel in self._contacts:
            ranges = (f"{b.label} {self._range(vessel, b):.1f} m" for b in self._beacons)
            yield f"{vessel.name}: {', '.join(ranges)}"
