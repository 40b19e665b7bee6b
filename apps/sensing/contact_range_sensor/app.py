"""``uFldContactRangeSensor``: ranges from vessels to each other, by ping and echo.

A vessel pings and measures the range to every other vessel whose echo returns: always within the
sum of its push distance and the other's pull distance, and with decreasing probability beyond.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp

from steerageway.apps.contacts.contact import REPORTS, Contact
from steerageway.apps.sensing.contact_range_sensor.options import SensorOptions
from steerageway.apps.sensing.contact_range_sensor.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.apps.sensing.ranging import Ranging, read_noise
from steerageway.apps.sensing.vessel_sensor import VesselSensor, Waits
from steerageway.bus import Message, variables
from steerageway.moos.pulse import range_pulse
from steerageway.vessel.encounter import relative_bearing, separation

FADING = 3.0  # an echo from r beyond the reach R returns with probability exp(FADING (R - r)/R)
PING_RADIUS, PING_DURATION = 50.0, 6.0  # of drawn pulses [m], [s]
ECHO_RADIUS, ECHO_DURATION = 40.0, 15.0


class ContactRangeSensor(VesselSensor):
    """An active sonar for every vessel of a fleet."""

    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    requests = ("CRS_RANGE_REQUEST",)
    subscribes = (*REPORTS, *requests)
    parameters = SensorOptions.parameters()

    def configure(self) -> None:
        """Read the configuration block."""
        super().configure()
        options = self._options = SensorOptions.read(self.config)
        noise = read_noise(self.config, options.noise)
        truth = options.noise.ground_truth
        self._ranging = Ranging("CRS_RANGE_REPORT", options.report_vars, noise, truth)
        self._noise = self.random("noise")
        self._rng = self.random("echoes")
        self._waits = Waits(options.ping_wait)
        self._reported: Counter[str] = Counter()

    def answer(self, message: Message, vessel: Contact, fields: Mapping[str, str]) -> None:
        """Ping from a vessel unless its ping_wait has not passed yet."""
        if not self._waits.is_over(vessel.name, self.time):
            self._reported["pings too soon"] += 1
            self.run_warning(f"{message.name}: {vessel.name} asks again within ping_wait")
            return
        self._waits.begin(vessel.name, self.time)
        self._reported["pings"] += 1
        options = self._options
        self._draw(vessel, "ping", options.ping_color, PING_RADIUS, PING_DURATION)
        for other in self._contacts:
            if other is vessel or not self._echoes(vessel, other):
                continue
            self._reported["echoes"] += 1
            self._report_range(vessel, other)
            self._draw(other, "echo", options.echo_color, ECHO_RADIUS, ECHO_DURATION)

    def _echoes(self, vessel: Contact, other: Contact) -> bool:
        options, here, there = self._options, self.place_of(vessel), self.place_of(other)
        if options.allow_echo_types and other.record.type not in options.allow_echo_types:
            return False
        if other.record.group.lower() in options.ignore_group:
            return False
        bearing = relative_bearing(here, there)
        if not any((bearing - start) % 360.0 <= sweep for start, sweep in options.sensor_arc):
            return False
        reach = options.push_dist.of(vessel.name) + options.pull_dist.of(other.name)
        distance = separation(here, there)
        if distance < reach:
            return True
        return reach > 0 and self._rng.random() < exp(FADING * (reach - distance) / reach)

    def _report_range(self, vessel: Contact, other: Contact) -> None:
        distance = separation(self.place_of(vessel), self.place_of(other))
        ranging, target = self._ranging, f"target={other.name}"
        for variable, text in ranging.posts(vessel.name, distance, target, self.utc, self._noise):
            self.post(variable, text)

    def _draw(self, vessel: Contact, what: str, color: str, radius: float, duration: float) -> None:
        if not self._options.display_pulses:
            return
        pulse = range_pulse(
            self.place_of(vessel)[:2],
            radius,
            color=color,
            time=self.utc,
            duration=duration,
            label=f"{vessel.name}_{what}",
        )
        self.post("VIEW_RANGE_PULSE", pulse)

    def report(self) -> Iterable[str]:
        """Return counts, and the names of the known vessels."""
        yield from (f"{what}: {count}" for what, count in self._reported.items())
        yield f"vessels: {', '.join(vessel.name for vessel in self._contacts)}"
