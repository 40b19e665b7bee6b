"""Parameters of ``uFldContactRangeSensor``."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.contacts.contact import canonical_type
from steerageway.apps.framework.block_readers import color
from steerageway.apps.sensing.ranging import NoiseOptions, report_vars
from steerageway.apps.sensing.vessel_sensor import PerVessel, per_vessel
from steerageway.bus import Options, declare
from steerageway.moos.values import is_number, split_first

ALL_ROUND = 360.0


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
