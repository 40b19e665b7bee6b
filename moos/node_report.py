"""Node reports: position, motion and properties of a vessel, as one line of text.

    NAME=alpha,X=0,Y=-20,SPD=0,HDG=180,DEP=0,TYPE=kayak,MODE=PARK,TIME=1700000000.25,LENGTH=4

Unknown fields are left out. When read, some keys have other spellings, and the form
``{"NAME":"alpha","X":0}`` is accepted. Positions are metres east and north of the datum or degrees,
speeds m/s, headings compass degrees, yaw radians counter-clockwise from east, time UTC seconds.

Source: the node report of MOOS-IvP (pNodeReporter), from its documented format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import radians, remainder, tau
from operator import attrgetter
from typing import Any

from steerageway.moos.values import is_number, number_of, split_outside, trimmed, trimmed360

Fields = list[tuple[str, str]]

_LAYOUT = (
    ("X", "x", 2),
    ("Y", "y", 2),
    ("SPD", "speed", 2),
    ("HDG", "heading", 2),
    ("COG", "cog", 2),
    ("DEP", "depth", 2),
    ("LAT", "lat", 8),
    ("LON", "lon", 8),
    ("TYPE", "type", None),
    ("COLOR", "color", None),
    ("GROUP", "group", None),
    ("VSOURCE", "vsource", None),
    ("MODE", "mode", None),
    ("MODE_AUX", "mode_aux", None),
    ("ALLSTOP", "allstop", None),
    ("LOAD_WARNING", "load_warning", None),
    ("ALTITUDE", "altitude", 2),
    ("SPD_OG", "speed_og", 2),
    ("HDG_OG", "heading_og", 2),
    ("INDEX", "index", None),
    ("THRUST_MODE_REVERSE", "thrust_mode_reverse", None),
    ("YAW", "yaw", 7),
    ("TIME", "time", 2),
    ("TRANSPARENCY", "transparency", 2),
    ("LENGTH", "length", 2),
    ("BEAM", "beam", 2),
    ("TRAJECTORY", "trajectory", None),
)
"""Key, attribute and number of decimals (None: no measured number), in the order of writing."""

_ATTRIBUTES = attrgetter(*(attribute for _, attribute, _ in _LAYOUT))
_COURSES = ("HDG", "COG", "HDG_OG", "HEADING")
_NUMBERS = {key: attribute for key, attribute, digits in _LAYOUT if digits is not None}
_NUMBERS |= {"UTC_TIME": "time", "SPEED": "speed", "HEADING": "heading", "DEPTH": "depth"}
_NUMBERS |= {"ALT": "altitude", "LEN": "length", "INDEX": "index"}
_TEXTS = {key: attribute for key, attribute, digits in _LAYOUT if digits is None} | {"NAME": "name"}

_READERS: dict[str, Callable[[str], Any]] = {
    "THRUST_MODE_REVERSE": lambda value: value.lower() == "true",
    "TRAJECTORY": lambda value: value.removeprefix("{").removesuffix("}"),
}

_TERSE = frozenset({"DEP", "LAT", "LON", "YAW"})
_TERSE_GLOBAL = frozenset({"X", "Y", "DEP", "YAW"})
_GLOBAL = frozenset({"X", "Y"})
_NOTHING: frozenset[str] = frozenset()


class NodeReportError(ValueError):
    """A text is no node report.

    Attributes: key, value, expected.
    """

    def __init__(self, key: str, value: str, expected: str) -> None:
        self.key, self.value, self.expected = key, value, expected
        super().__init__(f"node report: {key}={value}: {expected}")


@dataclass(slots=True)
class NodeRecord:
    """State of a vessel; None, "" or 0 where unknown.

    Attributes:
        x, y: position east and north of the datum [m].
        lat, lon: position [deg].
        speed, speed_og: through the water and over ground [m/s].
        heading, heading_og, cog: [deg]; heading_og is the older name of cog.
        depth, altitude: below the surface, above the bottom [m].
        yaw: counter-clockwise from east [rad].
        time: UTC [s].
        transparency: 0 invisible, 1 opaque.
        length, beam: [m].
        index: number of the report, from 0.
        trajectory: its planned path, without the braces.
        properties: other keys and values, unchanged.
    """

    name: str = ""
    x: float | None = None
    y: float | None = None
    speed: float | None = None
    heading: float | None = None
    cog: float | None = None
    depth: float | None = None
    lat: float | None = None
    lon: float | None = None
    type: str = ""
    color: str = ""
    group: str = ""
    vsource: str = ""
    mode: str = ""
    mode_aux: str = ""
    allstop: str = ""
    load_warning: str = ""
    altitude: float | None = None
    speed_og: float | None = None
    heading_og: float | None = None
    index: int = 0
    thrust_mode_reverse: bool = False
    yaw: float | None = None
    time: float | None = None
    transparency: float | None = None
    length: float | None = None
    beam: float | None = None
    trajectory: str = ""
    properties: dict[str, str] = field(default_factory=dict)

    @property
    def has_local_position(self) -> bool:
        """Whether x and y are known."""
        return self.x is not None and self.y is not None

    @property
    def has_global_position(self) -> bool:
        """Whether latitude and longitude are known."""
        return self.lat is not None and self.lon is not None

    def fields(self, *, terse: bool = False, global_only: bool = False) -> Fields:
        """Return keys and values in the order of a report.

        Args:
            terse: without depth, yaw and, unless ``global_only``, latitude and longitude.
            global_only: without x and y.
        """
        if terse:
            hidden = _TERSE_GLOBAL if global_only else _TERSE
        else:
            hidden = _GLOBAL if global_only else _NOTHING
        fields = [("NAME", self.name)]
        for (key, _, digits), value in zip(_LAYOUT, _ATTRIBUTES(self), strict=True):
            if value is None or key in hidden:
                continue
            if digits is not None:
                written = trimmed360 if key in _COURSES else trimmed
                fields.append((key, written(value, digits)))
            elif value:
                fields.append((key, _text(key, value)))
        fields += self.properties.items()
        return fields


def write(fields: Iterable[tuple[str, str]]) -> str:
    """Return fields as ``KEY=value,KEY=value``."""
    return ",".join([f"{key}={value}" for key, value in fields])


def write_json(fields: Iterable[tuple[str, str]]) -> str:
    """Return fields as ``{"KEY":"value","KEY":1.5}``."""
    parts = [f'"{k}":{v}' if is_number(v) else f'"{k}":"{v}"' for k, v in fields]
    return "{" + ",".join(parts) + "}"


def parse(text: str) -> NodeRecord:
    """Parse a report in either form; keys in any case, unknown ones become properties.

    Raises:
        NodeReportError: a number is wrong.
    """
    text = text.strip()
    is_json = text.startswith("{") and text.endswith("}")
    body, colon = (text[1:-1], ":") if is_json else (text, "=")
    values: dict[str, Any] = {}
    properties: dict[str, str] = {}
    # In the plain form a quote is an ordinary character.
    for part in split_outside(body, ",", quotes=is_json):
        key, _, value = part.partition(colon)
        if is_json:
            key, value = key.strip().strip('"'), value.strip().strip('"')
        key, value = key.strip(), value.strip()
        upper = key.upper()
        if value and (attribute := _NUMBERS.get(upper)) is not None:
            if (number := number_of(value)) is None:
                raise NodeReportError(key, value, "expected a number")
            # of 1e30 degrees the bearing of a side would be that of the bow
            turned = upper in _COURSES and abs(number) > 360.0
            values[attribute] = number % 360.0 if turned else number
        elif (word := _TEXTS.get(upper)) is not None:
            values[word] = value if (read := _READERS.get(upper)) is None else read(value)
        elif key:
            properties[key] = value
    values["index"] = int(values.get("index", 0))
    return NodeRecord(**values, properties=properties)


def heading_to_yaw(heading: float) -> float:
    """Return the yaw, counter-clockwise from east in [-pi, pi], of a compass heading [deg]."""
    return remainder(radians(90.0 - heading), tau)


def _text(key: str, value: str | int | bool) -> str:
    if key == "TRAJECTORY":
        return f"{{{value}}}"
    return "true" if value is True else str(value)
