"""``uFldHazardSensor``: detection and classification of objects on the sea floor, from the shore.

A vessel requests a swath width and a probability of detection, and then detections. Each object
that enters its swath is detected with this probability, and a benign one with that of a false
alarm, ``pd ** exp``. The vessel may request a classification of each detection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

from steerageway.apps.sensing.hazard_file import read_hazard_file
from steerageway.apps.sensing.vessel_sensor import VesselSensor
from steerageway.apps.shared import heard
from steerageway.apps.shared.block_readers import color
from steerageway.bus import Entry, Message, Options, declare, variables
from steerageway.declarations import Number, Whole, field_of
from steerageway.geometry.encounter import Track
from steerageway.helm.contact import REPORTS, TIME_TOLERANCE, Contact
from steerageway.helm.geometry import turn
from steerageway.moos.hazard import Hazard
from steerageway.moos.polygon import Polygon, PolygonError
from steerageway.moos.seglist import Point, project
from steerageway.moos.values import by_key, fixed, trimmed
from steerageway.moos.view import MARKER_SHAPES, marker, points_text

_DURATION = Number(low=0.0, words={"nolimit": inf, "unlimited": inf})
REQUEST_AGE = 600.0  # time for which a request for detections holds [s]
TURN_WINDOW = 2.0  # time over which a rate of turn is measured [s]
CIRCLE = 10.0  # radius of a drawn report [m]
GUESSED_PD = 0.9
_SHARE = Number(0.0, 1.0)


class Setting(NamedTuple):
    """A setting of the sensor to select from.

    Attributes:
        width: from the track to each edge of the swath [m].
        exponent: of the probability of a false alarm, pd ** exponent.
        classes: probability of a correct classification.
        most: number of vessels that may have it; 0: any.
        text: as in ``UHZ_OPTIONS_SUMMARY``.
    """

    width: float
    exponent: float
    classes: float
    most: int
    text: str


def parse_setting(text: str) -> Setting:
    """Parse ``width=25,exp=4,class=0.85,max=1``.

    Raises:
        ValueError: a field is missing or invalid.
    """
    fields = by_key(text)
    if "pclass" in fields:
        fields["class"] = fields.pop("pclass")
    width = field_of(fields, "width", Number(above=0.0))
    exponent = field_of(fields, "exp", Number(low=1.0))
    classes, most = field_of(fields, "class", _SHARE), field_of(fields, "max", Whole(low=0), "0")
    summary = f"width={fields['width']},exp={fields['exp']},class={fields['class']}"
    return Setting(width, exponent, classes, most, summary + (f",max={most}" if most else ""))


@dataclass(frozen=True)
class LookOptions(Options):
    """How objects of a kind are drawn."""

    shape: str = declare.choice("triangle", dict.fromkeys(MARKER_SHAPES, ""), "shape of a marker")
    color: str = color("green", "colour of a marker")
    width: float = declare.number(8, "width of a marker", unit="m", above=0)


@dataclass(frozen=True)
class BenignLookOptions(LookOptions):
    """The same for benign objects."""

    color: str = color("light_blue", "colour of a marker")


@dataclass(frozen=True)
class SensorOptions(Options):
    """Parameters of the configuration block."""

    hazard_file: Entry | None = declare.line(
        "file with lines hazard = x=1,y=2,label=01,type=hazard"
    )
    hazard: tuple[Entry, ...] = declare.entries(
        "an object: x=1,y=2,label=01,type=hazard or benign, optionally hr, color, shape, width"
    )
    sensor_config: tuple[Setting, ...] = declare.lines(
        parse_setting, "a setting to select from: width=25,exp=4,class=0.85, optionally max=1"
    )
    swath_length: float = declare.number(
        5, "length of the swath ahead and astern of the vessel", unit="m", low=1
    )
    min_reset_interval: float = declare.number(
        300, "minimum time between selections of a swath by a vessel", unit="s", low=0, minus=True
    )
    min_classify_interval: float = declare.number(
        30,
        "time between classifications for a vessel",
        unit="s",
        low=0,
        minus=True,
        aliases=("classify_period",),
    )
    options_summary_interval: float = declare.number(
        10, "time between posts of UHZ_OPTIONS_SUMMARY", unit="s", low=0, high=120
    )
    max_turn_rate: float = declare.number(
        1.5, "rate of turn above which the sensor is off", unit="deg/s", low=0
    )
    max_vehicle_speed: float = declare.number(
        2.05, "speed above which the sensor is off", unit="m/s", low=0
    )
    ignore_resemblances: bool = declare.flag(False, "true: hr has no effect")
    show_hazards: bool = declare.flag(True, "false: do not draw the objects")
    show_swath: bool = declare.flag(True, "false: do not draw swaths")
    show_pd: bool = declare.flag(
        True, "false: do not write the probability of detection on a swath"
    )
    show_pfa: bool = declare.flag(True, "false: do not write that of a false alarm on a swath")
    show_detections: float = declare.value(
        "unlimited",
        _DURATION,
        "how long a report is drawn [s], or unlimited; 0: never",
        aliases=("show_reports",),
    )
    hazard_look: LookOptions = declare.group(LookOptions, "default_hazard_")
    benign_look: BenignLookOptions = declare.group(BenignLookOptions, "default_benign_")
    swath_transparency: float = declare.number(
        0.2, "opacity of a drawn swath: 0 invisible, 1 opaque", low=0, high=1
    )
    seed_random: bool = declare.flag(
        False, "accepted and without effect: the mission's seed decides"
    )


@dataclass
class Vessel:
    """The sensor of a vessel.

    Attributes:
        setting: the selected one; pd: its probability of detection; since: when selected [s].
        asked: when it requested detections last [s].
        inside: labels of the objects in its swath.
        passes: detections for which no classification has been requested.
        queue: classifications to report, (negative priority, order, object).
        reported: when it got the last classification, or the queue began [s].
        headings: (time [s], heading [deg]) of its last reports.
    """

    setting: Setting
    pd: float
    since: float
    asked: float = -inf
    inside: set[str] = field(default_factory=set)
    passes: int = 0
    queue: list[tuple[float, int, Hazard]] = field(default_factory=list)
    reported: float = 0.0
    headings: list[tuple[float, float]] = field(default_factory=list)

    @property
    def false_alarm(self) -> float:
        """The probability of a false alarm."""
        return float(self.pd**self.setting.exponent)

    def turn_rate(self, now: float, heading: float) -> float:
        """Note the present heading, and return the rate of turn [deg/s]."""
        self.headings = [
            one for one in self.headings if one[0] >= now - TURN_WINDOW - TIME_TOLERANCE
        ]
        self.headings.append((now, heading))
        then, before = self.headings[0]
        return abs(turn(before, heading)) / (now - then) if now > then else 0.0


class HazardSensor(VesselSensor):
    """Detects and classifies objects for the vessels that request it."""

    publications = variables.published("""
        UHZ_DETECTION_REPORT | text | m | | on a detection | `x=51,y=11.3,label=12,vname=abe`
        UHZ_DETECTION_REPORT_* | text | m | | on a detection | the same without `vname`
        UHZ_HAZARD_REPORT | text | m | | `min_classify_interval` |
            `vname=abe,x=51,y=11.3,label=12,type=hazard`: a classification
        UHZ_HAZARD_REPORT_* | text | m | | with the other | the same without `vname`
        UHZ_CONFIG_ACK_* | text | m | | on a selection |
            `vname=abe,width=20,pd=0.9,pfa=0.53,pclass=0.91`: the sensor's settings
        UHZ_OPTIONS_SUMMARY | text | m | | `options_summary_interval` |
            `width=10,exp=6,class=0.9:...`: the settings to select from
        VIEW_MARKER | text | m | | once | an object, for viewers
        VIEW_POLYGON | text | m | | each tick | a vessel's swath, for viewers
        VIEW_CIRCLE | text | m | | on each | a detection or classification, for viewers
    """)
    subscriptions = (
        heard.NODE_REPORT,
        variables.heard("UHZ_SENSOR_REQUEST", what="`vname=abe`: detect for this vessel"),
        variables.heard("UHZ_CONFIG_REQUEST", what="`vname=abe,width=50,pd=0.9`: set its sensor"),
        variables.heard(
            "UHZ_CLASSIFY_REQUEST", what="`vname=abe,label=07,priority=50`: classify a detection"
        ),
    )
    requests = ("UHZ_SENSOR_REQUEST", "UHZ_CONFIG_REQUEST", "UHZ_CLASSIFY_REQUEST")
    subscribes = (*REPORTS, *requests, "PMV_CONNECT")
    parameters = SensorOptions.parameters()

    def configure(self) -> None:
        """Read the block and the file of objects."""
        super().configure()
        options = self._options = SensorOptions.read(self.config)
        self._settings = sorted(options.sensor_config, key=lambda one: one.width)
        folder = self.setting.folder
        file = read_hazard_file(self.config, options.hazard_file, folder, options.hazard)
        self._hazards = file.hazards
        self._vessels: dict[str, Vessel] = {}
        self._summary_due = 0.0
        self._order = 0
        self._detections, self._classes = self.random("detections"), self.random("classes")
        if not self._hazards:
            self.config_warning("no hazard_file and no hazard: nothing is ever detected")
        if not self._settings:
            self.config_warning("no sensor_config: no sensor can be selected")

    def on_start(self) -> None:
        """Register the subscriptions and draw the objects."""
        super().on_start()
        self._draw_objects()

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Draw the objects for a new viewer, select sensors, and take reports and requests."""
        others = []
        for message in mail:
            if message.name == "PMV_CONNECT":
                self._draw_objects()
            elif message.name == "UHZ_CONFIG_REQUEST":  # also of a vessel that has not reported
                fields = by_key(str(message.value))
                self._serve(message, fields.get("vname", ""), fields)
            else:
                others.append(message)
        super().on_mail(others)

    def iterate(self) -> None:
        """Serve requests, detect, and report classifications."""
        super().iterate()
        if self.time >= self._summary_due - TIME_TOLERANCE:
            self._summary_due = self.time + self._options.options_summary_interval
            self.post(
                "UHZ_OPTIONS_SUMMARY", ":".join(one.text for one in self._options.sensor_config)
            )
        for name, vessel in self._vessels.items():
            contact = self._contacts.get(name)
            if contact is not None and self.time - vessel.asked < REQUEST_AGE:
                self._detect(contact, vessel)
            waited = self.time - vessel.reported >= self._options.min_classify_interval
            if vessel.queue and waited:
                vessel.reported = self.time
                self._report_class(name, vessel.queue.pop(0)[2])

    def answer(self, message: Message, vessel: Contact, fields: Mapping[str, str]) -> None:
        """Serve a request of a vessel that has reported."""
        self._serve(message, vessel.name, fields)

    def _serve(self, message: Message, name: str, fields: Mapping[str, str]) -> None:
        serve = {
            "UHZ_SENSOR_REQUEST": self._start,
            "UHZ_CONFIG_REQUEST": self._configure,
            "UHZ_CLASSIFY_REQUEST": self._classify,
        }[message.name]
        try:
            serve(name, fields, message)
        except ValueError as error:
            text = str(message.value)
            self.run_warning(f"{message.name} = {text}: {error}")

    def _start(self, name: str, fields: Mapping[str, str], message: Message) -> None:
        vessel = self._vessels.get(name)
        if vessel is None:
            widths = [one.width for one in self._settings]
            vessel = self._select(
                name, (min(widths, default=0) + max(widths, default=0)) / 2, GUESSED_PD
            )
        vessel.asked = self.time

    def _configure(self, name: str, fields: Mapping[str, str], message: Message) -> None:
        if name != message.community:
            raise ValueError(f"expected a request of {message.community} for itself")
        pd, width = field_of(fields, "pd", Number()), fields.get("width", "")
        pd = min(max(pd, 0.0), 1.0)
        vessel = self._vessels.get(name)
        if not width and vessel is not None:
            vessel.pd = pd
            self._acknowledge(name, vessel)
        elif vessel is None or self.time - vessel.since >= self._options.min_reset_interval:
            self._select(name, field_of(fields, "width", Number(), "0"), pd)
        else:
            self.event(f"{name} selects a swath again within min_reset_interval")

    def _select(self, name: str, width: float, pd: float) -> Vessel:
        """Give a vessel the setting with the nearest width that is free."""
        others = [one.setting.width for key, one in self._vessels.items() if key != name]
        free = [one for one in self._settings if not one.most or others.count(one.width) < one.most]
        if not self._settings:
            raise ValueError("there is no sensor_config")
        setting = min(free or self._settings[:1], key=lambda one: abs(one.width - width))
        vessel = self._vessels.get(name)
        if vessel is None:
            vessel = self._vessels[name] = Vessel(setting, pd, self.time)
        vessel.setting, vessel.pd, vessel.since = setting, pd, self.time
        self._acknowledge(name, vessel)
        return vessel

    def _acknowledge(self, name: str, vessel: Vessel) -> None:
        numbers = {"pd": vessel.pd, "pfa": vessel.false_alarm, "pclass": vessel.setting.classes}
        chances = ",".join(f"{key}={trimmed(value, 3)}" for key, value in numbers.items())
        text = f"vname={name},width={trimmed(vessel.setting.width, 1)},{chances}"
        self.post(f"UHZ_CONFIG_ACK_{name.upper()}", text)

    def _detect(self, contact: Contact, vessel: Vessel) -> None:
        here, options = self.place_of(contact), self._options
        turning = vessel.turn_rate(self.time, here.heading)
        is_on = turning <= options.max_turn_rate and here.speed <= options.max_vehicle_speed
        try:
            swath = self._swath(here, vessel.setting.width)
        except PolygonError:  # its corners are closer than numbers of this size are apart
            self.run_warning(f"{contact.name}: x = {here.x:g}, y = {here.y:g}: too far for a swath")
            return
        if options.show_swath:
            self.post("VIEW_POLYGON", self._drawn(contact.name, vessel, swath, is_on=is_on))
        if not is_on:
            return
        for label, hazard in self._hazards.items():
            if not swath.contains(hazard.place):
                vessel.inside.discard(label)
            elif label not in vessel.inside:
                vessel.inside.add(label)
                if self._detections.random() < self._chance(hazard, vessel):
                    self._report(contact.name, vessel, hazard)

    def _swath(self, here: Track, width: float) -> Polygon:
        length, place = self._options.swath_length, (here.x, here.y)
        corners: list[Point] = []
        for along, across in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
            ahead = project(place, here.heading, along * length)
            corners.append(project(ahead, here.heading + 90, across * width))
        return Polygon(tuple(corners))

    def _chance(self, hazard: Hazard, vessel: Vessel) -> float:
        if hazard.is_hazard:
            return vessel.pd
        if hazard.resemblance is None or self._options.ignore_resemblances:
            return vessel.false_alarm
        return (vessel.false_alarm + hazard.resemblance) / 2

    def _report(self, name: str, vessel: Vessel, hazard: Hazard) -> None:
        vessel.passes += 1
        self.post("UHZ_DETECTION_REPORT", f"{hazard.spec},vname={name}")
        self.post(f"UHZ_DETECTION_REPORT_{name.upper()}", hazard.spec)
        self._circle(hazard, "white")

    def _classify(self, name: str, fields: Mapping[str, str], message: Message) -> None:
        vessel, hazard = self._vessels.get(name), self._hazards.get(fields.get("label", ""))
        if vessel is None or hazard is None:
            raise ValueError("expected the label of a detection")
        if fields.get("action") == "clear":
            vessel.queue.clear()
            return
        priority = field_of(fields, "priority", Number(), "50")
        if not vessel.passes:
            raise ValueError("expected one request for each detection")
        vessel.passes -= 1
        right = vessel.setting.classes
        if not hazard.is_hazard and hazard.resemblance is not None:
            ignored = self._options.ignore_resemblances
            right += 0.0 if ignored else (1 - right) * (1 - hazard.resemblance)
        if self._classes.random() > right:
            hazard = replace(hazard, is_hazard=not hazard.is_hazard)
        if not vessel.queue:
            vessel.reported = self.time
        self._order += 1
        vessel.queue.append(
            (-inf if fields.get("action") == "top" else -priority, self._order, hazard)
        )
        vessel.queue.sort(key=lambda one: one[:2])

    def _report_class(self, name: str, hazard: Hazard) -> None:
        self.post(f"UHZ_HAZARD_REPORT_{name.upper()}", hazard.classified)
        self.post("UHZ_HAZARD_REPORT", f"vname={name},{hazard.classified}")
        self._circle(hazard, "yellow" if hazard.is_hazard else "green")

    def _circle(self, hazard: Hazard, drawn: str) -> None:
        duration = self._options.show_detections
        if duration > 0:
            x, y = (trimmed(one, 2) for one in hazard.place)
            lasts = f",duration={trimmed(duration, 2)}" if duration < inf else ""
            look = f"edge_color={drawn},fill_color={drawn},fill_transparency=0.3"
            self.post(
                "VIEW_CIRCLE",
                f"x={x},y={y},radius={trimmed(CIRCLE)},label={hazard.label},{look}"
                f",time={fixed(self.utc, 2)}{lasts}",
            )

    def _drawn(self, name: str, vessel: Vessel, swath: Polygon, *, is_on: bool) -> str:
        options = self._options
        shown = [(options.show_pd, vessel.pd), (options.show_pfa, vessel.false_alarm)]
        text = "/".join(fixed(value, 2) for wanted, value in shown if wanted)
        message = f"pfa={text}" if options.show_pfa and not options.show_pd else text or "_null_"
        look = f"fill_color={'white' if is_on else 'red'},edge_size=0,vertex_size=0"
        transparency = f"fill_transparency={trimmed(options.swath_transparency, 2)}"
        points = points_text(swath.points, 2)
        return f"pts={{{points}}},label=sensor_swath_{name},msg={message},{look},{transparency}"

    def _draw_objects(self) -> None:
        for hazard in self._hazards.values() if self._options.show_hazards else ():
            look = self._options.hazard_look if hazard.is_hazard else self._options.benign_look
            drawn = marker(
                hazard.place,
                label=hazard.label,
                shape=hazard.shape or look.shape,
                color=hazard.color or look.color,
                width=look.width if hazard.width is None else hazard.width,
            )
            self.post("VIEW_MARKER", drawn)
