"""``uFldContactRangeSensor``: ranges from vessels to each other, by ping and echo.

A vessel pings and measures the range to every other vessel whose echo returns: always within the
sum of its push distance and the other's pull distance, and with decreasing probability beyond.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp

from steerageway.apps.sensing.ranging import NoiseOptions, RangingSensor, report_vars
from steerageway.apps.sensing.vessel_sensor import PerVessel, per_vessel
from steerageway.apps.shared import heard
from steerageway.apps.shared.block_readers import color
from steerageway.bus import Message, Options, declare, variables
from steerageway.geometry.encounter import relative_bearing, separation
from steerageway.helm.contact import REPORTS, Contact, canonical_type
from steerageway.moos.values import is_number, split_first
from steerageway.moos.view import range_pulse

ALL_ROUND = 360.0

FADING = 3.0  # an echo from r beyond the reach R returns with probability exp(FADING (R - r)/R)
PING_RADIUS, PING_DURATION = 50.0, 6.0  # of drawn pulses [m], [s]
ECHO_RADIUS, ECHO_DURATION = 40.0, 15.0


def _parse_arcs(text: str) -> tuple[tuple[float, float], ...]:
    if text.strip() == "360":
        return ((0.0, ALL_ROUND),)
    found = []
    for arc in text.split(","):
        start, end = split_first(arc, ":")
        if not is_number(start) or not is_number(end) or float(start) == float(end):
            raise ValueError("expected FROM:TO in degrees, with commas, or 360")
        found.append((float(start) % 360.0, (float(end) - float(start)) % 360.0 or ALL_ROUND))
    return tuple(found)


def _parse_types(text: str) -> tuple[str, ...]:
    words = text.replace(":", ",").split(",")
    return tuple(canonical_type(word) for word in words if word.strip())


@dataclass(frozen=True)
class SensorOptions(Options):
    """Parameters of the configuration block; types and groups are in lower case.

    Attributes:
        sensor_arc: start bearing from the bow, and extent clockwise [deg], of each arc.
    """

    push_dist: PerVessel = per_vessel(
        100,
        "distance a vessel's pings carry, or nolimit",
        unit="m",
        aliases=("push_distance", "reach_distance"),
    )
    pull_dist: PerVessel = per_vessel(
        100,
        "distance its echo carries, or nolimit",
        unit="m",
        aliases=("pull_distance", "reply_distance"),
    )
    ping_wait: PerVessel = per_vessel(
        30, "minimum time between pings of a vessel", unit="s", without_limit=0.0
    )
    allow_echo_types: tuple[str, ...] | None = declare.value(
        "", _parse_types, "vessel types that echo, separated by commas; default: all"
    )
    ignore_group: tuple[str, ...] = declare.lines(
        lambda text: text.strip().lower(), "group whose vessels do not echo"
    )
    sensor_arc: tuple[tuple[float, float], ...] = declare.value(
        "360", _parse_arcs, "from:to relative to the bow, clockwise [deg], with commas; or 360"
    )
    report_vars: str = report_vars("CRS_RANGE_REPORT")
    noise: NoiseOptions = declare.group(NoiseOptions)
    display_pulses: bool = declare.flag(True, "false: pings and echoes are not drawn")
    ping_color: str = color("white", "colour of pings")
    echo_color: str = color("chartreuse", "colour of echoes", aliases=("reply_color",))


class ContactRangeSensor(RangingSensor):
    """An active sonar for every vessel of a fleet."""

    publications = variables.published("""
        VIEW_RANGE_PULSE | text | m, s | | on pings | an expanding ring, for viewers
        CRS_RANGE_REPORT | text | m, s UTC | | on each echo, `report_vars` short or both |
            `vname=abe,range=50.2,target=ben,time=..`: to another vessel
        CRS_RANGE_REPORT_* | text | m, s UTC | | on each echo, `report_vars` long or both | the same
            without `vname`
        CRS_RANGE_REPORT_GT, CRS_RANGE_REPORT_GT_* | text | m, s UTC | | with noise and
            `ground_truth` | the true range
    """)
    subscriptions = (
        heard.NODE_REPORT,
        variables.heard(
            "CRS_RANGE_REQUEST", what="`name=abe`: ping the other vessels from this one"
        ),
    )
    prefix = "CRS_RANGE_REPORT"
    requests = ("CRS_RANGE_REQUEST",)
    subscribes = (*REPORTS, *requests)
    parameters = SensorOptions.parameters()

    def configure(self) -> None:
        options = self._options = SensorOptions.read(self.config)
        self.configure_ranging(options.report_vars, options.noise, options.ping_wait)
        self._rng = self.random("echoes")

    def answer(self, message: Message, vessel: Contact, fields: Mapping[str, str]) -> None:
        """Ping from a vessel unless its ping_wait has not passed yet."""
        if not self._waits.is_over(vessel.name, self.time):
            self.refuse_ping(message, vessel)
            return
        self._waits.begin(vessel.name, self.time)
        self._reported["pings"] += 1
        options = self._options
        self._draw(vessel, "ping", options.ping_color, PING_RADIUS, PING_DURATION)
        for other in self._contacts:
            if other is vessel or not self._echoes(vessel, other):
                continue
            self._reported["echoes"] += 1
            distance = separation(self.place_of(vessel), self.place_of(other))
            self.report_range(vessel, distance, f"target={other.name}")
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
