"""Parameters of ``uFldBeaconRangeSensor``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from math import inf

from steerageway.apps.sensing.ranging import NoiseOptions, report_vars
from steerageway.apps.sensing.vessel_sensor import (
    PerVessel,
    distinct_labels,
    parse_reach,
    per_vessel,
)
from steerageway.bus import Config, Entry, Options, declare
from steerageway.moos.seglist import Point
from steerageway.moos.values import is_number, pairs, split_first
from steerageway.moos.view import MARKER_SHAPES, color_of

UPON_RESPONSE, UPON_REQUEST, UPON_ACCEPT = "upon_response", "upon_request", "upon_accept"
PAYMENTS = (UPON_RESPONSE, UPON_REQUEST, UPON_ACCEPT)
NEVER = "never"

_DEFAULTS = {"freq": NEVER, "push_dist": "50", "pull_dist": "50"}
_LOOKS = {"shape": "circle", "color": "orange", "width": "4"}
_PLACE = ("x", "y", "label")
_OLDER = {"report_range": "push_dist"}  # older names of a beacon's fields


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
    if not is_number(fields.get("x", "")) or not is_number(fields.get("y", "")):
        raise Config.error(entry, "expected x=1,y=2, optionally label=NAME and more")
    push, pull = parse_reach(fields["push_dist"]), parse_reach(fields["pull_dist"])
    if push is None or pull is None:
        raise Config.error(entry, "expected a distance in metres, or nolimit")
    shape = fields["shape"].strip().lower()
    if shape not in MARKER_SHAPES:
        raise Config.error(entry, f"expected a shape: {', '.join(MARKER_SHAPES)}")
    try:
        color = color_of(fields["color"])
    except ValueError as error:
        raise Config.error(entry, str(error)) from None
    if not is_number(fields["width"]) or float(fields["width"]) <= 0:
        raise Config.error(entry, "expected a width above 0")
    place = float(fields["x"]), float(fields["y"])
    period = _period(entry, fields["freq"])
    return Beacon(label, place, period, push, pull, shape, color, float(fields["width"]))


def _period(entry: Entry, text: str) -> tuple[float, float]:
    if text.strip().lower() == NEVER:
        return inf, inf
    low, high = split_first(text, ":")
    high = high or low
    if not is_number(low) or not is_number(high) or not 0 < float(low) <= float(high):
        raise Config.error(entry, "expected freq to be seconds above 0, low:high, or never")
    return float(low), float(high)
