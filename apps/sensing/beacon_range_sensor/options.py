"""The parameters of ``uFldBeaconRangeSensor``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from math import inf

from steerageway.apps.sensing.ranging import REPORT_PARAMETERS, Ranging, read_ranging
from steerageway.apps.sensing.vessel_sensor import (
    PerVessel,
    parse_reach,
    read_per_vessel,
    unlike_labels,
)
from steerageway.bus import Config, Entry, Parameter
from steerageway.moos.seglist import Point
from steerageway.moos.values import bite, is_number, pairs
from steerageway.moos.view import MARKER_SHAPES, color_of

UPON_RESPONSE, UPON_REQUEST, UPON_ACCEPT = "upon_response", "upon_request", "upon_accept"
PAYMENTS = (UPON_RESPONSE, UPON_REQUEST, UPON_ACCEPT)
NEVER = "never"

PARAMETERS = (
    Parameter("beacon", "", "x=1,y=2,label=01 and perhaps freq=,push_dist=,color=..; repeatable"),
    Parameter("default_beacon_freq", "never", "a beacon pings every so many s: 90, 60:120, never"),
    Parameter("default_beacon_push_dist", "50", "how far its pings carry [m]; nolimit"),
    Parameter("default_beacon_pull_dist", "50", "how far it hears [m]; nolimit"),
    Parameter("default_beacon_shape", "circle", f"how it is drawn: {', '.join(MARKER_SHAPES)}"),
    Parameter("default_beacon_color", "orange", "in what colour"),
    Parameter("default_beacon_width", "4", "and how wide [m], > 0"),
    Parameter("node_push_dist", "100", "how far a vessel's pings carry [m]: default=D or V=D"),
    Parameter("node_pull_dist", "100", "how far a vessel hears [m]: default=D or V=D"),
    Parameter("ping_wait", "30", "least time between pings of a vessel [s]: default=S or V=S"),
    Parameter("ping_payments", "upon_response", f"when that time begins: {', '.join(PAYMENTS)}"),
    Parameter("report_vars", "short", "short: BRS_RANGE_REPORT; long: one for each vessel; both"),
    *REPORT_PARAMETERS,
    Parameter("verbose", "false", "true: the appcast tells of each ping that is not heard"),
)
_DEFAULTS = {"freq": NEVER, "push_dist": "50", "pull_dist": "50"}
_LOOKS = {"shape": "circle", "color": "orange", "width": "4"}
_PLACE = ("x", "y", "label")
_OLDER = {"report_range": "push_dist"}  # older names of a beacon's fields


@dataclass(frozen=True, slots=True)
class Beacon:
    """A beacon.

    Attributes:
        place: (x, y) [m].
        period: least and greatest time between two pings of its own [s]; inf: it makes none.
        push, pull: how far its pings carry, and how far it hears [m].
    """

    label: str
    place: Point
    period: tuple[float, float]
    push: float
    pull: float
    shape: str
    color: str
    width: float


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``.

    Attributes:
        push, pull: of vessels [m].
    """

    beacons: tuple[Beacon, ...]
    push: PerVessel
    pull: PerVessel
    wait: PerVessel
    payments: str
    ranging: Ranging
    verbose: bool
    warnings: tuple[str, ...]


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    warnings = [] if config.all("beacon") else ["beacon is not set: nothing is ever ranged"]
    beacons = _read_beacons(config, warnings)
    return Options(
        beacons=beacons,
        push=read_per_vessel(config, "node_push_dist", "reach_distance", default=100.0),
        pull=read_per_vessel(config, "node_pull_dist", default=100.0),
        wait=read_per_vessel(config, "ping_wait", default=30.0, without_limit=0.0),
        payments=config.choice("ping_payments", default=UPON_RESPONSE, among=PAYMENTS),
        ranging=read_ranging(config, "BRS_RANGE_REPORT"),
        verbose=config.flag("verbose", default=False),
        warnings=tuple(warnings),
    )


def _read_beacons(config: Config, warnings: list[str]) -> tuple[Beacon, ...]:
    """Read the beacons; those without a label get numbers that no other has."""
    defaults = _read_defaults(config)
    lines = [(entry, _fields(entry)) for entry in config.all("beacon")]
    labels = unlike_labels([(entry, fields.get("label", "")) for entry, fields in lines])
    beacons = []
    for number, ((entry, fields), label) in enumerate(zip(lines, labels, strict=True)):
        unknown = [key for key in fields if key not in defaults and key not in _PLACE]
        warnings += [f"{entry.where}: beacon: {key}: no such field" for key in unknown]
        if not label:
            label = next(free for free in map(str, count(number)) if free not in labels)
            labels[number] = label
        beacons.append(_beacon(entry, label, defaults | fields))
    return tuple(beacons)


def _fields(entry: Entry) -> dict[str, str]:
    fields = ((key.lower(), value) for key, value in pairs(entry.value))
    return {_OLDER.get(key, key): value for key, value in fields}


def _read_defaults(config: Config) -> dict[str, str]:
    """Read what beacons have unless they say otherwise, and check it."""
    found = {}
    for key, default in (_DEFAULTS | _LOOKS).items():
        names = [key, *(older for older, name in _OLDER.items() if name == key)]
        entry = config.entry(*(f"default_beacon_{name}" for name in names))
        found[key] = default if entry is None else entry.value
        if entry is not None:
            _beacon(entry, "default", _DEFAULTS | _LOOKS | {"x": "0", "y": "0", key: entry.value})
    return found


def _beacon(entry: Entry, label: str, fields: Mapping[str, str]) -> Beacon:
    if not is_number(fields.get("x", "")) or not is_number(fields.get("y", "")):
        raise Config.error(entry, "expected x=1,y=2 and perhaps a label and more")
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
    low, high = bite(text, ":")
    high = high or low
    if not is_number(low) or not is_number(high) or not 0 < float(low) <= float(high):
        raise Config.error(entry, "expected freq to be seconds above 0, low:high, or never")
    return float(low), float(high)
