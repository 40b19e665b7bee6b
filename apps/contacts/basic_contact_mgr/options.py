"""The parameters of ``pBasicContactMgr``.

alert = id=avd, var=CONTACT_INFO, val="name=avd_$[VNAME] # contact=$[VNAME]"
alert = id=avd, range=80, range_cpa=95, range_cpa_time=120      // more of the same alert
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from steerageway.apps.contacts.alerts import Alert, Defaults, parse_alert
from steerageway.apps.framework.block_readers import read_color, read_decay
from steerageway.bus import Config, Entry, Parameter
from steerageway.moos.values import by_key, is_number, pairs
from steerageway.vessel.encounter import Decay

PARAMETERS = (
    Parameter("alert", "", "id=A,var=V,val=TEXT,range=M,range_cpa=M,range_cpa_time=S; repeatable"),
    Parameter("default_alert_range", "1000", "range of alerts without one [m], >= 0"),
    Parameter("default_alert_range_cpa", "1000", "range_cpa of alerts without one [m], >= 0"),
    Parameter("default_cpa_range", "1000", "another name of default_alert_range_cpa"),
    Parameter("default_alert_range_cpa_time", "0", "how far ahead closest points count [s], >= 0"),
    Parameter("default_alert_range_color", "gray65", "colour of the circle of range"),
    Parameter("alert_range_color", "gray65", "another name of default_alert_range_color"),
    Parameter("default_alert_range_cpa_color", "gray35", "colour of the circle of range_cpa"),
    Parameter("default_cpa_range_color", "gray35", "another name of default_alert_range_cpa_color"),
    Parameter("cpa_range_color", "gray35", "another name of default_alert_range_cpa_color"),
    Parameter("decay", "off", "BEGIN,END [s]: a contact keeps its speed until BEGIN, none at END"),
    Parameter("contact_max_age", "600", "a contact silent for so long is retired [s], > 0"),
    Parameter("display_radii", "false", "true: circles of each alert's ranges around ownship"),
    Parameter("alert_verbose", "false", "true: post ALERT_VERBOSE when an alert is raised"),
    Parameter("contact_local_coords", "", "accepted and without effect, as in MOOS-IvP"),
    Parameter("contacts_recap_interval", "0", "time between two CONTACTS_RECAP [s]; or off"),
    Parameter("verbose", "true", "accepted and without effect: there is no terminal"),
)

_NEWER = {
    "range": "alert_range",
    "range_color": "alert_range_color",
    "range_cpa": "cpa_range",
    "range_cpa_color": "cpa_range_color",
    "region": "match_region",
}
_TIME = "range_cpa_time"
_CPA_RANGES = ("default_alert_range_cpa", "default_cpa_range", "alert_cpa_range")
_NEAR_COLORS = ("default_alert_range_color", "alert_range_color")
_CPA_COLORS = ("default_alert_range_cpa_color", "default_cpa_range_color", "cpa_range_color")


@dataclass(frozen=True, slots=True)
class TimedAlert:
    """An alert, and how far ahead closest points of approach count for it [s]."""

    alert: Alert
    horizon: float


@dataclass(frozen=True, slots=True)
class Preset:
    """What counts where an alert says nothing: ranges and colours, range_cpa, and the time."""

    defaults: Defaults
    watch: float
    horizon: float

    def parse(self, text: str) -> TimedAlert:
        """Read an alert.

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


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``."""

    preset: Preset
    alerts: tuple[TimedAlert, ...]
    max_age: float
    display_radii: bool
    decay: Decay | None
    recap_interval: float
    verbose: bool


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    near = config.number("default_alert_range", "alert_range", default=1000.0, low=0.0)
    preset = Preset(
        Defaults(
            near,
            read_color(config, *_NEAR_COLORS, default="gray65"),
            read_color(config, *_CPA_COLORS, default="gray35"),
        ),
        config.number(*_CPA_RANGES, default=1000.0, low=0.0),
        config.number("default_alert_range_cpa_time", "alert_cpa_time", default=0.0, low=0.0),
    )
    config.flag("verbose", default=True)
    config.all("contact_local_coords")
    return Options(
        preset=preset,
        alerts=tuple(_alerts(config.all("alert"), preset)),
        max_age=config.number("contact_max_age", default=600.0, above=0.0),
        display_radii=config.flag("display_radii", default=False),
        decay=read_decay(config, default=None),
        recap_interval=_read_recap(config),
        verbose=config.flag("alert_verbose", default=False),
    )


def _read_recap(config: Config) -> float:
    if config.text("contacts_recap_interval").strip().lower() == "off":
        return inf
    return config.number("contacts_recap_interval", default=0.0, low=0.0)


def _alerts(lines: Iterable[Entry], preset: Preset) -> Iterable[TimedAlert]:
    """Read the alerts; lines of one id are parts of one alert."""
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
