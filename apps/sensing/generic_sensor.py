"""``uFldGenericSensor``: a sensor of point sources, less accurate with a longer range.

A vessel requests a reading and gets a noisy position of every source within its sensor's range. It
may select the range from those offered, at a limited rate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cos, dist, sin, tau

from steerageway.apps.sensing.vessel_sensor import PerVessel, VesselSensor, Waits, distinct_labels
from steerageway.apps.shared import heard
from steerageway.apps.shared.block_readers import color
from steerageway.bus import Entry, Message, Options, declare, parsed, variables
from steerageway.declarations import Number, field_of, read
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.helm.contact import REPORTS, TIME_TOLERANCE, Contact
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, fixed, trimmed
from steerageway.moos.view import look, point

REQUEST, CONFIG = "UGS_SENSOR_REQUEST", "UGS_CONFIG_REQUEST"
SPREAD = 0.25  # standard deviation of the error of a reported position, as a fraction of the range
SHOWN_FOR = 10  # duration of a drawn circle [s]


@dataclass(frozen=True, slots=True)
class Source:
    """A point source: (x, y) [m], and its label, "" for none."""

    place: Point
    label: str


def _parse_range(text: str) -> float:
    return field_of(by_key(text), "range", Number(above=0.0))


@dataclass(frozen=True)
class SensorOptions(Options):
    """Parameters of the configuration block."""

    source_point: tuple[Entry, ...] = declare.entries("a source: x=1,y=2, optionally label=01")
    sensor_config: tuple[float, ...] = declare.lines(
        _parse_range, "range=30: a sensor range that vessels may select [m]"
    )
    min_sensor_interval: float = declare.number(
        30, "minimum time between reports to a vessel", unit="s", low=0, minus=True
    )
    min_reset_interval: float = declare.number(
        300, "minimum time between range selections of a vessel", unit="s", low=0
    )
    options_summary_interval: float = declare.number(
        10, "interval of UGS_OPTIONS_SUMMARY", unit="s", low=0
    )
    show_source_pts: bool = declare.flag(True, "false: sources are not drawn")
    color_source_pts: str = color(
        "green", "colour of sources", aliases=("default_color_source_pts",)
    )
    scope_transparency: float = declare.number(
        0.25, "opacity of the drawn sensor range: 0 invisible, 1 opaque", low=0, high=1
    )


class GenericSensor(VesselSensor):
    """Simulates a sensor of point sources for every vessel of a fleet."""

    publications = variables.published("""
        VIEW_POINT | text | m | | at the start and on each report | a source or a report of one, for
            viewers
        VIEW_CIRCLE | text | m | | on each reading | sensor range of a vessel, for viewers
        UGS_SENSOR_REPORT_* | text | m | | for each source in range, on request |
            `vname=abe,x=1.5,y=2.0`: measured position of a source
        UGS_CONFIG_ACK_* | text | m | | on a range selection | `vname=abe,range=30`: the selected
            range
        UGS_OPTIONS_SUMMARY | text | m | | `options_summary_interval` | `range=30,range=60`: ranges
            to select from
    """)
    subscriptions = (
        heard.NODE_REPORT,
        *variables.subscribed("""
            UGS_SENSOR_REQUEST | text | | | `vname=abe`: request a reading
            UGS_CONFIG_REQUEST | text | m | | `vname=abe,range=30`: select this range, or the
                nearest offered
        """),
    )
    requests = (REQUEST, CONFIG)
    subscribes = (*REPORTS, *requests)
    parameters = SensorOptions.parameters()

    def configure(self) -> None:
        super().configure()
        options = SensorOptions.read(self.config)
        points = options.source_point
        self._sources = [_source(entry) for entry in points]
        distinct_labels([(e, one.label) for e, one in zip(points, self._sources, strict=True)])
        self._offered = tuple(dict.fromkeys(options.sensor_config))
        self._answers = Waits(PerVessel(options.min_sensor_interval, {}))
        self._choices = Waits(PerVessel(options.min_reset_interval, {}))
        self._summary_interval = options.options_summary_interval
        self._shows = options.show_source_pts
        self._color = options.color_source_pts
        self._opacity = options.scope_transparency
        if not self._offered or not self._sources:
            missing = "source_point" if self._offered else "sensor_config"
            self.config_warning(f"{missing} is not set: nothing is ever sensed")
        self._ranges: dict[str, float] = {}
        self._noise = self.random("noise")
        self._summary_due = 0.0
        self._reported: Counter[str] = Counter()

    def on_start(self) -> None:
        """Register the subscriptions, and draw the sources."""
        super().on_start()
        for source in self._sources if self._shows else ():
            drawn = look(label=source.label, vertex_color=self._color, vertex_size=4)
            self.post("VIEW_POINT", point(source.place, drawn, active=True))

    def iterate(self) -> None:
        """Process requests, and post the offered ranges periodically."""
        super().iterate()
        if self._offered and self.time >= self._summary_due - TIME_TOLERANCE:
            self._summary_due = self.time + self._summary_interval
            offers = (f"range={trimmed(one, 2)}" for one in self._offered)
            self.post("UGS_OPTIONS_SUMMARY", ",".join(offers))

    def answer(self, message: Message, vessel: Contact, fields: Mapping[str, str]) -> None:
        """Report the sources in range to a vessel, or select its range."""
        if not self._offered:
            return
        if message.name == CONFIG:
            self._choose(message, vessel, fields)
        elif self._may(message, vessel, self._answers, "min_sensor_interval"):
            self._sense(vessel)

    def _may(self, message: Message, vessel: Contact, waits: Waits, limit: str) -> bool:
        if not waits.is_over(vessel.name, self.time):
            self.run_warning(f"{message.name}: {vessel.name} asks again within {limit}")
            return False
        waits.begin(vessel.name, self.time)
        return True

    def _choose(self, message: Message, vessel: Contact, fields: Mapping[str, str]) -> None:
        requested = read(Number(), fields.get("range", ""), key="range")
        if message.community.lower() != vessel.name.lower():
            expected = f"expected it to come from {vessel.name}, not from {message.community}"
        elif isinstance(requested, Diagnostic):
            expected = str(requested)
        else:
            if self._may(message, vessel, self._choices, "min_reset_interval"):
                self._set(vessel, requested)
            return
        self.run_warning(f"{message.name} = {message.value!s}: {expected}")

    def _set(self, vessel: Contact, requested: float) -> None:
        """Set a vessel's range to the offered one nearest to the request, and acknowledge it."""
        chosen = min(self._offered, key=lambda offered: abs(offered - requested))
        self._ranges[vessel.name.lower()] = chosen
        text = f"vname={vessel.name},range={trimmed(chosen, 2)}"
        self.post(f"UGS_CONFIG_ACK_{vessel.name.upper()}", text)

    def _sense(self, vessel: Contact) -> None:
        self._reported["answers"] += 1
        reach = self._ranges.setdefault(vessel.name.lower(), self._offered[0])
        here = self.place_of(vessel)[:2]
        for source in self._sources:
            if dist(here, source.place) <= reach:
                self._report_source(vessel, source, reach)
        self._draw_scope(vessel, here, reach)

    def _report_source(self, vessel: Contact, source: Source, reach: float) -> None:
        self._reported["reports"] += 1
        bearing, off = self._noise.uniform(0.0, tau), self._noise.gauss(0.0, SPREAD * reach)
        x, y = source.place[0] + off * sin(bearing), source.place[1] + off * cos(bearing)
        text = f"vname={vessel.name},x={fixed(x, 1)},y={fixed(y, 1)}"
        self.post(f"UGS_SENSOR_REPORT_{vessel.name.upper()}", text)
        label = f"{vessel.name}_{self._reported['reports']}"
        drawn = look(label=label, label_color="off", vertex_color="white", vertex_size=4)
        self.post("VIEW_POINT", point((x, y), drawn, active=True))

    def _draw_scope(self, vessel: Contact, here: Point, reach: float) -> None:
        label = f"gs_scope_{vessel.name}"
        drawn = look(label=label, edge_color="white", vertex_size=0, edge_size=1)
        where = f"x={trimmed(here[0], 2)},y={trimmed(here[1], 2)},radius={trimmed(reach, 2)}"
        inside = f"fill_color=white,fill_transparency={trimmed(self._opacity, 2)}"
        when = f"time={fixed(self.utc, 2)},duration={SHOWN_FOR}"
        self.post("VIEW_CIRCLE", f"{where},{drawn},{inside},{when}")

    def report(self) -> Iterable[str]:
        """Return the sources and ranges, counts, and each vessel's range."""
        yield f"sources: {len(self._sources)}, ranges: {', '.join(f'{r:g}' for r in self._offered)}"
        yield from (f"{what}: {count}" for what, count in self._reported.items())
        yield from (f"{vessel}: range {reach:g} m" for vessel, reach in self._ranges.items())


def _source(entry: Entry) -> Source:
    fields = by_key(entry.value)

    def value(key: str) -> float:
        return parsed(entry, lambda _: field_of(fields, key, Number()))

    return Source((value("x"), value("y")), fields.get("label", ""))
