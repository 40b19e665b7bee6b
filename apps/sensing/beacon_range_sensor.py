"""``uFldBeaconRangeSensor``: ranges from vessels to beacons at known positions.

A vessel pings, the beacons that receive the ping reply, and the vessel measures the range to those
whose reply it receives. A beacon may also ping unasked. A ping is received up to the sum of the
sender's push distance and the receiver's pull distance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from math import dist, inf
from typing import TypeVar

from steerageway.apps.sensing.ranging import NoiseOptions, RangingSensor, report_vars
from steerageway.apps.sensing.vessel_sensor import (
    PerVessel,
    distinct_labels,
    per_vessel,
)
from steerageway.apps.shared import heard
from steerageway.apps.shared.block_readers import parse_reach
from steerageway.bus import Entry, Message, Options, declare, parsed, variables
from steerageway.declarations import Choice, Interval, Number, field_of
from steerageway.geometry.geodesy import check_local
from steerageway.helm.contact import REPORTS, TIME_TOLERANCE, Contact
from steerageway.moos.seglist import Point
from steerageway.moos.values import pairs
from steerageway.moos.view import MARKER_SHAPES, color_of, marker, range_pulse

UPON_RESPONSE, UPON_REQUEST, UPON_ACCEPT = "upon_response", "upon_request", "upon_accept"
PAYMENTS = (UPON_RESPONSE, UPON_REQUEST, UPON_ACCEPT)
NEVER = "never"
_PERIOD = Interval(Number(above=0.0, words={NEVER: inf}))
T = TypeVar("T")

_DEFAULTS = {"freq": NEVER, "push_dist": "50", "pull_dist": "50"}
_LOOKS = {"shape": "circle", "color": "orange", "width": "4"}
_PLACE = ("x", "y", "label")
_OLDER = {"report_range": "push_dist"}  # older names of a beacon's fields

PULSE = 40.0  # radius to which drawn pulses grow, whatever the ranges are [m]
PING, REPLY = ("white", 6.0), ("pink", 15.0)  # colour and duration [s] of a drawn pulse


@dataclass(frozen=True, slots=True)
class Beacon:
    """A range beacon at a fixed position.

    Attributes:
        place: (x, y) [m].
        period: minimum and maximum time between its unasked pings [s]; inf: none.
        push, pull: distances that its pings carry, and from which it receives pings [m].
    """

    label: str
    place: Point
    period: tuple[float, float]
    push: float
    pull: float
    shape: str
    color: str
    width: float


@dataclass(frozen=True)
class DefaultOptions(Options):
    """Defaults of the beacons' fields."""

    freq: Entry | None = declare.line(
        "interval of a beacon's unasked pings [s]: 90, 60:120, or never", default=NEVER
    )
    push_dist: Entry | None = declare.line(
        "distance its pings carry [m], or nolimit", default="50", aliases=("report_range",)
    )
    pull_dist: Entry | None = declare.line(
        "distance from which it receives pings [m], or nolimit", default="50"
    )
    shape: Entry | None = declare.line(
        f"shape of its marker: {', '.join(MARKER_SHAPES)}", default="circle"
    )
    color: Entry | None = declare.line("colour of its marker", default="orange")
    width: Entry | None = declare.line("width of its marker [m], > 0", default="4")


@dataclass(frozen=True)
class SensorOptions(Options):
    """Parameters of the configuration block."""

    beacon: tuple[Entry, ...] = declare.entries(
        "a beacon: x=1,y=2,label=01, optionally freq=, push_dist=, color=, ..."
    )
    defaults: DefaultOptions = declare.group(DefaultOptions, "default_beacon_")
    node_push_dist: PerVessel = per_vessel(
        100, "distance a vessel's pings carry", unit="m", aliases=("reach_distance",)
    )
    node_pull_dist: PerVessel = per_vessel(
        100, "distance from which a vessel receives pings", unit="m"
    )
    ping_wait: PerVessel = per_vessel(
        30, "minimum time between pings of a vessel", unit="s", without_limit=0.0
    )
    ping_payments: str = declare.choice(
        UPON_RESPONSE, dict.fromkeys(PAYMENTS, ""), "event at which ping_wait starts"
    )
    report_vars: str = report_vars("BRS_RANGE_REPORT")
    noise: NoiseOptions = declare.group(NoiseOptions)
    verbose: bool = declare.flag(False, "true: the appcast lists each ping that is not received")


def read_beacons(options: SensorOptions) -> tuple[list[Beacon], list[str]]:
    """Read the beacons; those without a label get unused numbers.

    Returns: the beacons, and warnings.
    Raises:
        ConfigError: a line is wrong.
    """
    warnings = [] if options.beacon else ["beacon is not set: nothing is ever ranged"]
    defaults = _read_defaults(options.defaults)
    lines = [(entry, _fields(entry)) for entry in options.beacon]
    labels = distinct_labels([(entry, fields.get("label", "")) for entry, fields in lines])
    beacons = []
    for number, ((entry, fields), label) in enumerate(zip(lines, labels, strict=True)):
        unknown = [key for key in fields if key not in defaults and key not in _PLACE]
        warnings += [f"{entry.where}: beacon: {key}: no such field" for key in unknown]
        if not label:
            label = next(free for free in map(str, count(number)) if free not in labels)
            labels[number] = label
        beacons.append(_beacon(entry, label, defaults | fields))
    return beacons, warnings


def _fields(entry: Entry) -> dict[str, str]:
    fields = ((key.lower(), value) for key, value in pairs(entry.value))
    return {_OLDER.get(key, key): value for key, value in fields}


def _read_defaults(options: DefaultOptions) -> dict[str, str]:
    """Return the checked defaults of the beacons' fields."""
    found = _DEFAULTS | _LOOKS
    for key in tuple(found):
        entry = getattr(options, key)
        if entry is not None:
            _beacon(entry, "default", _DEFAULTS | _LOOKS | {"x": "0", "y": "0", key: entry.value})
            found[key] = entry.value
    return found


def _beacon(entry: Entry, label: str, fields: Mapping[str, str]) -> Beacon:
    def value(key: str, read: Callable[[str], T]) -> T:
        return parsed(entry, lambda _: field_of(fields, key, read))

    place = value("x", Number()), value("y", Number())
    parsed(entry, lambda _: check_local(*place))
    return Beacon(
        label,
        place,
        value("freq", _PERIOD),
        value("push_dist", parse_reach),
        value("pull_dist", parse_reach),
        value("shape", Choice(*MARKER_SHAPES)),
        value("color", color_of),
        value("width", Number(above=0.0)),
    )


class BeaconRangeSensor(RangingSensor):
    """A field of beacons."""

    publications = variables.published("""
        VIEW_RANGE_PULSE | text | m, s | | on pings | an expanding ring, for viewers
        BRS_RANGE_REPORT | text | m, s UTC | | on each range, `report_vars` short or both |
            `vname=abe,range=50.2,id=01,time=..`: to a beacon
        BRS_RANGE_REPORT_* | text | m, s UTC | | on each range, `report_vars` long or both | the
            same without `vname`
        BRS_RANGE_REPORT_GT, BRS_RANGE_REPORT_GT_* | text | m, s UTC | | with noise and
            `ground_truth` | the true range
        VIEW_MARKER | text | m | | once | a beacon, for viewers
    """)
    subscriptions = (
        heard.NODE_REPORT,
        variables.heard("BRS_RANGE_REQUEST", what="`name=abe`: ping the beacons from this vessel"),
    )
    prefix = "BRS_RANGE_REPORT"
    requests = ("BRS_RANGE_REQUEST",)
    subscribes = (*REPORTS, *requests)
    parameters = SensorOptions.parameters()

    def configure(self) -> None:
        options = self._options = SensorOptions.read(self.config)
        self.configure_ranging(options.report_vars, options.noise, options.ping_wait)
        self._beacons, warnings = read_beacons(options)
        for warning in warnings:
            self.config_warning(warning)
        self._rng = self.random("pings")
        self._due: dict[str, float] = {}

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
            self.refuse_ping(message, vessel)
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
        self.report_range(vessel, distance, f"id={beacon.label}")

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
