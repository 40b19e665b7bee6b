"""``uFldGenericSensor``: a sensor of points, the vaguer the farther it reaches.

A vessel asks, and is told of every source within its sensor's range, each a little beside its
place. How far its sensor reaches it may choose among what is offered, now and then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, dist, sin, tau

from steerageway.apps.contacts.contact import REPORTS, SAME_TIME, Contact
from steerageway.apps.framework import heard
from steerageway.apps.framework.block_readers import color
from steerageway.apps.sensing.vessel_sensor import PerVessel, VesselSensor, Waits, unlike_labels
from steerageway.bus import Config, Entry, Message, Options, declare, variables
from steerageway.moos.seglist import Point
from steerageway.moos.values import by_key, fixed, is_number, trimmed
from steerageway.moos.view import look, point

REQUEST, CONFIG = "UGS_SENSOR_REQUEST", "UGS_CONFIG_REQUEST"
SPREAD = 0.25  # standard deviation of how far off a reported place is, as a share of the range
SHOWN_FOR = 10  # s, of a circle


@dataclass(frozen=True, slots=True)
class Source:
    """Something to be sensed: (x, y) [m], and its label, "" for none."""

    place: Point
    label: str


def _parse_range(text: str) -> float:
    fields = by_key(text).get("range", "")
    if not is_number(fields) or float(fields) <= 0:
        raise ValueError("expected range=METRES above 0")
    return float(fields)


@dataclass(frozen=True)
class SensorOptions(Options):
    """What the block says."""

    source_point: tuple[Entry, ...] = declare.entries("x=1,y=2 and perhaps label=01: to be sensed")
    sensor_config: tuple[float, ...] = declare.lines(
        _parse_range, "range=30: a range that vessels may choose [m]"
    )
    min_sensor_interval: float = declare.number(
        30, "least time between two answers to it", unit="s", low=0
    )
    min_reset_interval: float = declare.number(
        300, "least time between two of its choices", unit="s", low=0
    )
    options_summary_interval: float = declare.number(
        10, "what is offered is told so often", unit="s", low=0
    )
    show_source_pts: bool = declare.flag(True, "false: sources are not drawn")
    color_source_pts: str = color("green", "their colour", aliases=("default_color_source_pts",))
    scope_transparency: float = declare.number(
        0.25, "of the circle of an answer: 0 invisible, 1 opaque", low=0, high=1
    )


class GenericSensor(VesselSensor):
    """A sensor of points for every vessel of a fleet."""

    publications = (
        variables.text(
            "VIEW_POINT",
            "what is sensed, for viewers",
            unit="m",
            when="as it is sensed",
        ),
        variables.text(
            "VIEW_CIRCLE",
            "how far a sensor reaches, for viewers",
            unit="m",
            when="when it answers",
        ),
        variables.text(
            "UGS_SENSOR_REPORT_*",
            "`vname=abe,x=1.5,y=2.0`: where it seems to be",
            unit="m",
            when="for each source in range, when it asks",
        ),
        variables.text(
            "UGS_CONFIG_ACK_*",
            "`vname=abe,range=30`: the range it has got",
            unit="m",
            when="when it has chosen",
        ),
        variables.text(
            "UGS_OPTIONS_SUMMARY",
            "`range=30,range=60`: what it may choose",
            unit="m",
            when="`options_summary_interval`",
        ),
    )
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = (
        heard.NODE_REPORT,
        variables.heard("UGS_SENSOR_REQUEST", what="`vname=abe`: tell it what it senses"),
        variables.heard(
            "UGS_CONFIG_REQUEST",
            what="`vname=abe,range=30`: give it this range, or the nearest",
            unit="m",
        ),
    )
    requests = (REQUEST, CONFIG)
    subscribes = (*REPORTS, *requests)
    parameters = SensorOptions.parameters()

    def configure(self) -> None:
        """Read the block."""
        super().configure()
        options = SensorOptions.read(self.config)
        points = options.source_point
        self._sources = [_source(entry) for entry in points]
        unlike_labels([(e, one.label) for e, one in zip(points, self._sources, strict=True)])
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
        """Register, and draw the sources."""
        super().on_start()
        for source in self._sources if self._shows else ():
            drawn = look(label=source.label, vertex_color=self._color, vertex_size=4)
            self.post("VIEW_POINT", point(source.place, drawn, active=True))

    def iterate(self) -> None:
        """Answer vessels, and tell from time to time what is offered."""
        super().iterate()
        if self._offered and self.time >= self._summary_due - SAME_TIME:
            self._summary_due = self.time + self._summary_interval
            offers = (f"range={trimmed(one, 2)}" for one in self._offered)
            self.post("UGS_OPTIONS_SUMMARY", ",".join(offers))

    def answer(self, message: Message, vessel: Contact, fields: Mapping[str, str]) -> None:
        """Let a vessel sense, or choose its range."""
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
        requested = fields.get("range", "")
        if message.community.lower() != vessel.name.lower():
            expected = f"expected it to come from {vessel.name}, not from {message.community}"
        elif not is_number(requested):
            expected = "expected range=METRES"
        else:
            if self._may(message, vessel, self._choices, "min_reset_interval"):
                self._set(vessel, float(requested))
            return
        self.run_warning(f"{message.name} = {message.value!s}: {expected}")

    def _set(self, vessel: Contact, requested: float) -> None:
        """Give a vessel the range nearest to the requested one, and tell it."""
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
        """Return counts, and what each vessel has chosen."""
        yield f"sources: {len(self._sources)}, ranges: {', '.join(f'{r:g}' for r in self._offered)}"
        yield from (f"{what}: {count}" for what, count in self._reported.items())
        yield from (f"{vessel}: range {reach:g} m" for vessel, reach in self._ranges.items())


def _source(entry: Entry) -> Source:
    fields = by_key(entry.value)
    if not is_number(fields.get("x", "")) or not is_number(fields.get("y", "")):
        raise Config.error(entry, "expected x=1,y=2 and perhaps label=NAME")
    return Source((float(fields["x"]), float(fields["y"])), fields.get("label", ""))


if __name__ == "__main__":
    from steerageway.apps.framework.shell import main

    main(GenericSensor)
