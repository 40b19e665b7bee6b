"""``pBasicContactMgr``: the older contact manager, which raises each alert once per contact.

An alert is raised when a contact comes near; ``CONTACT_RESOLVED`` with the contact's name, or its
retirement, lets the alert be raised again. Behaviors request alerts by ``BCM_ALERT_REQUEST``.

    alert = id=avd, var=CONTACT_INFO, val="name=avd_$[VNAME] # contact=$[VNAME]"
    alert = id=avd, range=80, range_cpa=95, range_cpa_time=120      // more of the same alert
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from steerageway.apps.contacts.alerts import (
    Alert,
    Defaults,
    circles,
    macros,
    parse_alert,
    readable_part,
)
from steerageway.apps.shared import heard
from steerageway.apps.shared.block_readers import color
from steerageway.apps.shared.datum import read_datum
from steerageway.bus import App, Config, Entry, Message, Options, Value, declare, variables
from steerageway.geometry.encounter import Decay, Track, closest_approach, separation
from steerageway.helm.contact import Contact, ContactList, parse_decay
from steerageway.moos.node_report import NodeReportError
from steerageway.moos.values import by_key, fixed, is_number, pairs, split_first

_NEWER = {
    "range": "alert_range",
    "range_color": "alert_range_color",
    "range_cpa": "cpa_range",
    "range_cpa_color": "cpa_range_color",
    "region": "match_region",
}
_TIME = "range_cpa_time"

NAVIGATION = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED")


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
    ignore_group: tuple[str, ...] = declare.lines(str.lower, "group whose vessels are no contacts")
    reject_range: float = declare.number(
        2000, "range beyond which a vessel does not become a contact", unit="m", above=0, off=True
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


def read_alerts(config: Config, lines: Iterable[Entry], preset: Preset) -> Iterable[TimedAlert]:
    """Read the alerts; lines with the same id are parts of one alert.

    Args:
        config: takes the warnings about wrong fields, and about alerts that post nothing.
    """
    parts: dict[str, list[Entry]] = {}
    for line in lines:
        values = by_key(line.value)
        parts.setdefault(values.get("id", ""), []).append(line)
    for entries in parts.values():
        text = ",".join(entry.value for entry in entries)
        alert, _, warning = readable_part(preset.parse, text)
        if warning or not alert.alert.on:
            config.warn(entries[-1], warning or "posts nothing: expected var=VAR and val=TEXT")
        if alert.alert.on:
            yield alert


class BasicContactMgr(App):
    """The older contact manager of a vessel, which raises each alert once per contact."""

    last_wins = True
    keeps_quotes = True
    publications = variables.published("""
        CONTACTS_LIST | text | | | on change | contacts by commas, in order of their first report
        CONTACTS_ALERTED | text | | | on change | `(ben,avd)(carl,avd)`: which alerts are on for
            whom
        CONTACTS_RETIRED | text | | | on change | the last contacts that fell silent
        CONTACTS_RECAP | text | m, s | | `contacts_recap_interval` | `vname=ben,range=9.00,age=0.50
            # ...`
        VIEW_CIRCLE | text | m | | tick, with `display_radii` | ranges of alerts, for viewers
        ALERT_VERBOSE | text | | | when it happens | an alert went on or off
        CONTACTS_UNALERTED | text | | | on change | `(ben,avd)`: which alerts are off for whom
        CONTACT_MGR_WARNING | text | | | when it happens | warnings about invalid mail
    """)
    subscriptions = (
        heard.NODE_REPORT,
        heard.BCM_ALERT_REQUEST,
        variables.heard(
            "CONTACT_RESOLVED",
            what="`ben`, or `ben,avd`: contact whose alerts, or one, may be raised again",
        ),
    )
    subscribes = ("NODE_REPORT", *NAVIGATION, "CONTACT_RESOLVED", "BCM_ALERT_REQUEST")
    parameters = ManagerOptions.parameters()

    def configure(self) -> None:
        self._options = ManagerOptions.read(self.config)
        self._preset = self._options.preset
        datum = read_datum(self.setting.globals)
        self._ledger = ContactList(self.community, self._options.contact_max_age, datum)
        self._alerts = {
            timed.alert.name: timed
            for timed in read_alerts(self.config, self._options.alert, self._preset)
        }
        self._alerted: dict[tuple[str, str], None] = {}
        self._retired: list[str] = []
        self._nav: dict[str, float] = {}
        self._posted: dict[str, Value] = {}
        self._recap_due = 0.0
        self.publishes = (*self.publishes, "*")

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take navigation, node reports, resolved contacts, and alert requests."""
        for message in mail:
            if message.name in NAVIGATION:
                if isinstance(message.value, float):
                    self._nav[message.name] = message.value
                continue
            text = str(message.value)
            try:
                self._take(message.name, text)
            except NodeReportError as error:
                self._warn(f"NODE_REPORT: {error}")
            except ValueError as error:
                self._warn(f"{message.name} = {text}: {error}")

    def _take(self, name: str, text: str) -> None:
        if name == "NODE_REPORT":
            known = len(self._ledger)
            contact = self._ledger.take(text, self.utc)
            if contact is not None and self._is_none(contact, is_new=len(self._ledger) > known):
                self._ledger.forget(contact.name)
        elif name == "BCM_ALERT_REQUEST":
            timed = self._preset.parse(text)
            self._alerts[timed.alert.name] = timed
        else:
            self._resolve(text)

    def _is_none(self, contact: Contact, *, is_new: bool) -> bool:
        if contact.record.group.lower() in self._options.ignore_group:
            return True
        own = Track(*(self._nav.get(name, 0.0) for name in NAVIGATION))
        return is_new and separation(own, contact.track) > self._options.reject_range

    def _resolve(self, text: str) -> None:
        """Let alerts be raised for a contact again: all, ``ben``, or one, ``ben,avd``."""
        vessel, alert = split_first(text, ",")
        if self._ledger.get(vessel) is None:
            raise ValueError("expected the name of a contact")
        if alert and alert not in self._alerts:
            raise ValueError("expected the id of an alert behind the contact")
        for key in [key for key in self._alerted if key[0] == vessel.lower()]:
            if alert in ("", key[1]):
                del self._alerted[key]

    def _warn(self, text: str) -> None:
        self.run_warning(text)
        self.post("CONTACT_MGR_WARNING", text)

    def iterate(self) -> None:
        """Retire silent contacts, check the alerts of the others, and post the lists."""
        for contact in self._ledger.remove_expired(self.utc):
            self._retired.append(contact.name)
            gone = contact.name.lower()
            self._alerted = {key: None for key in self._alerted if key[0] != gone}
        if len(self._nav) < len(NAVIGATION):
            return
        own = Track(*(self._nav[name] for name in NAVIGATION))
        decay = self._options.decay
        tracks = [(contact, contact.now(self.utc, decay)) for contact in self._ledger]
        for contact, track in tracks:
            for timed in self._alerts.values():
                self._look(timed, contact, own, track)
        self._post_lists(own, tracks)
        if self._options.display_radii:
            alerts = (timed.alert for timed in self._alerts.values())
            for text in circles(alerts, self.community, own).values():
                self.post("VIEW_CIRCLE", text)

    def _look(self, timed: TimedAlert, contact: Contact, own: Track, track: Track) -> None:
        alert = timed.alert
        key = (contact.name.lower(), alert.name)
        was_due = key in self._alerted
        if was_due and not alert.off:
            return
        distance = separation(own, track)
        is_due = alert.filter.admits(contact) and alert.is_due(
            distance, lambda: closest_approach(own, track, timed.horizon).range
        )
        if is_due == was_due:
            return
        flag_macros = macros(contact, track)
        for flag in alert.on if is_due else alert.off:
            self.post(flag.named(flag_macros), flag.expanded(flag_macros))
        self.event(f"{alert.name} for {contact.name}{'' if is_due else ' is over'}")
        if was_due:
            del self._alerted[key]
            return
        self._alerted[key] = None
        if self._options.alert_verbose:
            self.post("ALERT_VERBOSE", f"contact={contact.name},alert_id={alert.name}")

    def _post_lists(self, own: Track, tracks: list[tuple[Contact, Track]]) -> None:
        names = [contact.name for contact, _ in tracks]
        pairs_of_all = [(name, alert) for name in sorted(names) for alert in sorted(self._alerts)]
        alerted, others = "", ""
        for name, alert in pairs_of_all:
            if (name.lower(), alert) in self._alerted:
                alerted += f"({name},{alert})"
            else:
                others += f"({name},{alert})"
        recap = (
            f"vname={contact.name},range={fixed(separation(own, track), 2)},"
            f"age={fixed(self.utc - contact.seen, 2)}"
            for contact, track in tracks
        )
        self._post_changed("CONTACTS_LIST", ",".join(names))
        self._post_changed("CONTACTS_ALERTED", alerted)
        self._post_changed("CONTACTS_UNALERTED", others)
        self._post_changed("CONTACTS_RETIRED", ",".join(self._retired))
        if self.time >= self._recap_due:
            self._recap_due = self.time + self._options.contacts_recap_interval
            if self._options.contacts_recap_interval < inf:
                self._post_changed("CONTACTS_RECAP", " # ".join(recap))

    def _post_changed(self, name: str, text: str) -> None:
        """Post a text if it has changed."""
        if self._posted.get(name, "") != text:
            self._posted[name] = text
            self.post(name, text)

    def report(self) -> Iterable[str]:
        """List alerts and contacts."""
        for timed in self._alerts.values():
            alert = timed.alert
            yield f"Alert {alert.name}: within {alert.near:g} m, watched within {alert.watch:g} m"
        for contact in self._ledger:
            on = [alert for name, alert in self._alerted if name == contact.name.lower()]
            age = self.utc - contact.received
            yield f"{contact.name}: {age:.1f} s old, alerted: {','.join(on)}"
