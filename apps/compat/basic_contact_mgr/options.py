"""The parameters of ``pBasicContactMgr``.

alert = id=avd, var=CONTACT_INFO, val="name=avd_$[VNAME] # contact=$[VNAME]"
alert = id=avd, range=80, range_cpa=95, range_cpa_time=120      // more of the same alert
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steerageway.apps.contacts.alerts import Alert, Defaults, parse_alert
from steerageway.apps.contacts.contact import parse_decay
from steerageway.apps.framework.block_readers import color
from steerageway.bus import Config, Entry, Options, declare
from steerageway.moos.values import by_key, is_number, pairs
from steerageway.vessel.encounter import Decay

_NEWER = {
    "range": "alert_range",
    "range_color": "alert_range_color",
    "range_cpa": "cpa_range",
    "range_cpa_color": "cpa_range_color",
    "region": "match_region",
}
_TIME = "range_cpa_time"


@dataclass(frozen=True, slots=True)
class TimedAlert:
    """An alert, and the time horizon of its closest points of approach [s]."""

    alert: Alert
    horizon: float


@dataclass(frozen=True, slots=True)
class Preset:
    """Default ranges, colours, range_cpa and range_cpa_time of alerts."""

    defaults: Defaults
    watch: float
    horizon: float

    def parse(self, text: str) -> TimedAlert:
        """Parse an alert.

        Raises:
            ValueError: what was expected.
        """
        fields = [(_NEWER.get(key.lower(), key.lower()), value) for key, value in pairs(text)]
        values = dict(fields)
        time = values.pop(_TIME, "")
        if time and not is_number(time):
            raise ValueError(f"expected seconds for {_TIME}")
        if "cpa_range" not in values:
            near = values.get("alert_range", "")
            least = float(near) if is_number(near) else self.defaults.range
            fields.append(("cpa_range", f"{max(self.watch, least):.9f}"))
        rest = ",".join(f"{key}={value}" for key, value in fields if key != _TIME)
        return TimedAlert(parse_alert(rest, self.defaults), float(time) if time else self.horizon)


@dataclass(frozen=True)
class ManagerOptions(Options):
    """Parameters of the configuration block."""

    alert: tuple[Entry, ...] = declare.entries(
        "id=A,var=V,val=TEXT,range=M,range_cpa=M,range_cpa_time=S"
    )
    default_alert_range: float = declare.number(
        1000, "default range of alerts", unit="m", low=0, aliases=("alert_range",)
    )
    default_alert_range_cpa: float = declare.number(
        1000,
        "default range_cpa of alerts",
        unit="m",
        low=0,
        aliases=("default_cpa_range", "alert_cpa_range"),
    )
    default_alert_range_cpa_time: float = declare.number(
        0,
        "default time horizon of closest points of approach",
        unit="s",
        low=0,
        aliases=("alert_cpa_time",),
    )
    default_alert_range_color: str = color(
        "gray65", "colour of the circle of range", aliases=("alert_range_color",)
    )
    default_alert_range_cpa_color: str = color(
        "gray35",
        "colour of the circle of range_cpa",
        aliases=("default_cpa_range_color", "cpa_range_color"),
    )
    decay: Decay | None = declare.value(
        "off",
        parse_decay,
        "BEGIN,END [s]: age from which a contact's speed decreases, to 0 at END; or off",
    )
    contact_max_age: float = declare.number(
        600, "time without reports after which a contact is retired", unit="s", above=0
    )
    display_radii: bool = declare.flag(False, "true: draw each alert's ranges around ownship")
    alert_verbose: bool = declare.flag(False, "true: post ALERT_VERBOSE when an alert is raised")
    contact_local_coords: str = declare.text("", "accepted and without effect, as in MOOS-IvP")
    contacts_recap_interval: float = declare.number(
        0, "time between two posts of CONTACTS_RECAP", unit="s", low=0, off=True
    )
    verbose: bool = declare.flag(True, "accepted and without effect: there is no terminal")

    @property
    def preset(self) -> Preset:
        """Default settings of alerts."""
        colors = self.default_alert_range_color, self.default_alert_range_cpa_color
        return Preset(
            Defaults(self.default_alert_range, *colors),
            self.default_alert_range_cpa,
            self.default_alert_range_cpa_time,
        )


def read_alerts(lines: Iterable[Entry], preset: Preset) -> Iterable[TimedAlert]:
    """Read the alerts; lines with the same id are parts of one alert.

    Raises:
        ConfigError: a line is invalid.
    """
    parts: dict[str, list[Entry]] = {}
    for line in lines:
        values = by_key(line.value)
        parts.setdefault(values.get("id", ""), []).append(line)
    for entries in parts.values():
        try:
            alert = preset.parse(",".join(entry.value for entry in entries))
        except ValueError as error:
            raise Config.error(entries[-1], str(error)) from error
        if not alert.alert.on:
            raise Config.error(entries[-1], "expected var=VAR and val=TEXT")
        yield alert
