"""The parameters of ``uFldContactRangeSensor``."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.contacts.contact import type_known_as
from steerageway.apps.framework.block_readers import read_color
from steerageway.apps.sensing.ranging import REPORT_PARAMETERS, Ranging, read_ranging
from steerageway.apps.sensing.vessel_sensor import PerVessel, read_per_vessel
from steerageway.bus import Config, Entry, Parameter
from steerageway.moos.values import bite, is_number

ALL_ROUND = 360.0

PARAMETERS = (
    Parameter("push_dist", "100", "how far a vessel's pings carry [m]: default=D or V=D; nolimit"),
    Parameter("pull_dist", "100", "how far its echo carries [m]: default=D or V=D; nolimit"),
    Parameter("ping_wait", "30", "least time between pings of a vessel [s]: default=S or V=S"),
    Parameter("allow_echo_types", "", "types of vessels that echo, with commas; none given: all"),
    Parameter("ignore_group", "", "vessels of this group do not echo; repeatable"),
    Parameter("sensor_arc", "360", "from:to of the bow, clockwise [deg], with commas; or 360"),
    Parameter("report_vars", "short", "short: CRS_RANGE_REPORT; long: one for each vessel; both"),
    *REPORT_PARAMETERS,
    Parameter("display_pulses", "true", "false: pings and echoes are not drawn"),
    Parameter("ping_color", "white", "colour of pings"),
    Parameter("echo_color", "chartreuse", "colour of echoes"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``.

    Attributes:
        push, pull: how far pings and echoes carry [m].
        types, groups: in lower case; those that echo (none: all), and those that do not.
        arcs: first bearing from the bow, and how far it goes clockwise [deg].
    """

    push: PerVessel
    pull: PerVessel
    wait: PerVessel
    types: tuple[str, ...]
    groups: tuple[str, ...]
    arcs: tuple[tuple[float, float], ...]
    ranging: Ranging
    draws: bool
    ping_color: str
    echo_color: str


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    arcs = config.entry("sensor_arc")
    types = config.text("allow_echo_types").replace(":", ",").split(",")
    pushes = ("push_dist", "push_distance", "reach_distance")
    pulls = ("pull_dist", "pull_distance", "reply_distance")
    return Options(
        push=read_per_vessel(config, *pushes, default=100.0),
        pull=read_per_vessel(config, *pulls, default=100.0),
        wait=read_per_vessel(config, "ping_wait", default=30.0, without_limit=0.0),
        types=tuple(type_known_as(word) for word in types if word.strip()),
        groups=tuple(entry.value.strip().lower() for entry in config.all("ignore_group")),
        arcs=_arcs(arcs) if arcs else ((0.0, ALL_ROUND),),
        ranging=read_ranging(config, "CRS_RANGE_REPORT"),
        draws=config.flag("display_pulses", default=True),
        ping_color=read_color(config, "ping_color", default="white"),
        echo_color=read_color(config, "echo_color", "reply_color", default="chartreuse"),
    )


def _arcs(entry: Entry) -> tuple[tuple[float, float], ...]:
    if entry.value.strip() == "360":
        return ((0.0, ALL_ROUND),)
    found = []
    for arc in entry.value.split(","):
        start, end = bite(arc, ":")
        if not is_number(start) or not is_number(end) or float(start) == float(end):
            raise Config.error(entry, "expected FROM:TO in degrees, with commas, or 360")
        found.append((float(start) % 360.0, (float(end) - float(start)) % 360.0 or ALL_ROUND))
    return tuple(found)
