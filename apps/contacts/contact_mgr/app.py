"""``pContactMgrV20``: maintains the list of contacts, and posts alerts for near ones.

Behaviors request alerts by ``BCM_ALERT_REQUEST`` and are spawned by their flags. Since a request
may name any variable, this app may post any. Deviation from MOOS-IvP: the macro ``$[SPD]`` works.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from steerageway.apps.contacts.alerts import MOST_ALERTS, Alert, circles, macros
from steerageway.apps.contacts.contact_mgr.early import EarlyWarnings
from steerageway.apps.contacts.contact_mgr.options import ManagerOptions
from steerageway.apps.contacts.contact_mgr.requests import RangeReports
from steerageway.apps.contacts.own_track import NAVIGATION, own_track
from steerageway.apps.shared import heard
from steerageway.apps.shared.datum import read_datum
from steerageway.apps.shared.flags import bracketed
from steerageway.apps.shared.limited import MOST_NAMES
from steerageway.bus import App, Message, Value, variables
from steerageway.declarations import truth
from steerageway.geometry.encounter import Track, closest_approach, relative_bearing, separation
from steerageway.helm.contact import Contact, ContactList
from steerageway.moos.values import by_key, fixed, trimmed

HORIZON = 36000.0  # time horizon of CPA calculations [s]
_COMMANDS = ("BCM_ALERT_REQUEST", "BCM_REPORT_REQUEST", "BCM_DISPLAY_RADII", "IVPHELM_STATE")


class Radii:
    """Draws the circles of all alerts or of one, and erases those that are no longer shown.

    Args:
        shown: whether circles are drawn.
        only: the alert whose circles are drawn; "" for all.
    """

    def __init__(self, only: str, *, shown: bool) -> None:
        self._shown = shown
        self._only = only
        self._drawn: tuple[str, ...] = ()

    def choose(self, word: str, alerts: Mapping[str, Alert]) -> None:
        """Show or hide circles: true, false, toggle, or the name of the alert to draw."""
        if word.lower() == "toggle":
            self._shown = not self._shown
        else:
            self._shown = word in alerts or truth(word) is True
        if word in alerts:
            self._only = word

    def texts(self, alerts: Mapping[str, Alert], vessel: str, own: Track) -> list[str]:
        """Return the circles to draw around ownship, after those to erase."""
        chosen = [
            alert for name, alert in alerts.items() if self._shown and self._only in ("", name)
        ]
        drawn = circles(chosen, vessel, own)
        gone = [label for label in self._drawn if label not in drawn]
        self._drawn = tuple(drawn)
        erased = [f"x=0,y=0,radius=0,active=false,label={label}" for label in gone]
        return [*erased, *drawn.values()]


class AbleStates:
    """Disabled contacts, and those enabled again, the most recent first, up to ``MOST_NAMES``."""

    def __init__(self) -> None:
        self._disabled: deque[str] = deque(maxlen=MOST_NAMES)
        self._enabled: deque[str] = deque(maxlen=MOST_NAMES)

    def record(self, verb: str, contact: str) -> None:
        """Record disable, enable or expunge (which removes it from both lists) of a contact."""
        for known in (self._disabled, self._enabled):
            if contact in known:
                known.remove(contact)
        if verb == "disable":
            self._disabled.appendleft(contact)
        elif verb == "enable":
            self._enabled.appendleft(contact)

    def macros(self) -> dict[str, float | str]:
        """Return the flag macros, without their brackets."""
        return {
            "RECENT_DISABLED": self._disabled[0] if self._disabled else "",
            "RECENT_ENABLED": self._enabled[0] if self._enabled else "",
            "ALL_DISABLED": ",".join(self._disabled),
            "TOTAL_DISABLED": float(len(self._disabled)),
        }


class ContactMgr(App):
    """The contact manager of one vessel."""

    keeps_quotes = True
    publications = variables.published("""
        CONTACTS_LIST | text | | | on change | names of the contacts, in the order of their first
            reports
        CONTACTS_COUNT | number | | >= 0 | on change | number of alerts that are on
        CONTACTS_ALERTED | text | | | on change | `(ben,avd)(carl,avd)`: contacts and the alerts
            that are on for them
        CONTACTS_RETIRED | text | | | on change | the contacts that were retired last
        CONTACTS_RECAP | text | m, s | | `contacts_recap_interval` | `vname=ben,range=9.00,age=0.50
            # ...`
        CONTACT_CLOSEST | text | | | on change | name of the closest contact
        CONTACT_CLOSEST_TIME | number | s, UTC | >= 0 | on change | time since which it is the
            closest
        CONTACT_CLOSEST_RANGE | number | m | >= 0 | on change, with `post_closest_range` | range of
            the closest contact, in whole metres
        CONTACT_CLOSEST_RELBNG | number | deg, from the bow | [0, 360) | on change, with
            `post_closest_relbng` | relative bearing of the closest contact, in whole degrees
        CONTACT_RANGES | text | m | | on change, with `post_all_ranges` | ranges of all contacts in
            ascending order: `10,30`
        VIEW_CIRCLE | text | m | | tick, with `display_radii` | ranges of alerts, for viewers
        ALERT_VERBOSE | text | | | when it happens | an alert turned on or off
        BHV_ABLE_FILTER | text | | | on request | disables or enables the behaviors of a contact
    """)
    subscriptions = (
        heard.NODE_REPORT,
        heard.BCM_ALERT_REQUEST,
        *variables.subscribed("""
            BCM_REPORT_REQUEST | text | m, s | | `var=NEAR,range=50`: post the names of the contacts
                within 50 m in NEAR
            BCM_DISPLAY_RADII | text | | | `true`, `false`, `toggle` or an alert's name: draw the
                ranges of alerts
        """),
    )
    subscribes = (
        "NODE_REPORT",
        *NAVIGATION,
        *_COMMANDS,
        "variables of disable_var, enable_var, expunge_var",
    )
    parameters = ManagerOptions.parameters()

    def configure(self) -> None:
        self._options = ManagerOptions.read(self.config)
        self._filter = self._options.rules.filter()
        self._able_vars = self._options.able_vars.verbs()
        self._book, alerts = self._options.book()
        for alert in alerts:
            if alert.warning:
                self.config_warning(f"alert {alert.name}: {alert.warning}")
        datum = read_datum(self.setting.globals)
        self._ledger = ContactList(self.community, self._options.contact_max_age, datum)
        self._alerts = {alert.name: alert for alert in alerts}
        self._alerted: dict[tuple[str, str], Contact] = {}
        self._disabled: set[str] = set()  # names of alerts that stay as they are
        self._retired: deque[str] = deque(maxlen=self._options.max_retired_history)
        self._range_reports = RangeReports(
            self._options.range_report_maxsize, self._options.range_report_timeout
        )
        self._nav: dict[str, float] = {}
        self._posted: dict[str, Value] = {}
        self._early = EarlyWarnings(self._options.early, HORIZON)
        self._able_states = AbleStates()
        self._radii = Radii(self._options.display_radii_id, shown=self._options.display_radii)
        self._helm_drives = not self._options.hold_alerts_for_helm
        self._recap_due = 0.0
        self.publishes = (*self.publishes, "*")

    def on_start(self) -> None:
        self.register("NODE_REPORT", *NAVIGATION, *_COMMANDS, *self._able_vars)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process navigation, node reports and requests."""
        for message in mail:
            name = message.name
            if name in NAVIGATION:
                if isinstance(message.value, float):
                    self._nav[name] = message.value
                continue
            if name == "NODE_REPORT":
                self._take_report(message)
                continue
            text = str(message.value)
            if name == "IVPHELM_STATE":
                self._helm_drives = self._helm_drives or text.startswith("DRIVE")
            elif name == "BCM_DISPLAY_RADII":
                self._radii.choose(text.strip(), self._alerts)
            elif name in self._able_vars:
                self._forward_able(self._able_vars[name], text)
            else:
                self._take_request(name, text)

    def _take_report(self, message: Message) -> None:
        contact = self._ledger.take_report(message.name, message.value, self.utc, self.run_warning)
        if contact is None:
            return
        if not self._accepts(contact):
            self._ledger.forget(contact.name)
            if contact.name in str(self._posted.get("CONTACTS_LIST", "")).split(","):
                self._retire(contact.name)
        elif self._is_too_far(contact):
            self._ledger.forget(contact.name)
            self._retire(contact.name)
        elif contact.name in self._retired:
            self._retired.remove(contact.name)

    def _accepts(self, contact: Contact) -> bool:
        options = self._options
        # the list contains the new contact already
        return self._filter.admits(contact) and len(self._ledger) <= options.max_contacts

    def _is_too_far(self, contact: Contact) -> bool:
        own = own_track(self._nav)
        return own is not None and separation(own, contact.track) > self._options.reject_range

    def _retire(self, name: str) -> None:
        self._early.remove(name)
        if name in self._retired:
            return
        self._retired.appendleft(name)
        flag_macros = bracketed({"CONTACT": name, "UTC": fixed(self.utc, 2)})
        for flag in self._options.retire_flag:
            self.post(flag.variable, flag.expanded(flag_macros))

    def _take_request(self, name: str, text: str) -> None:
        try:
            if name == "BCM_ALERT_REQUEST" and "action" in (fields := by_key(text)):
                self._able_alert(fields["action"].lower(), fields.get("id", ""))
            elif name == "BCM_ALERT_REQUEST":
                alert = self._book.add(text)
                self._alerts[alert.name] = alert
                if alert.warning:
                    self.run_warning(f"{name} = {text}: {alert.warning}")
            else:
                self._range_reports.add(text, self.time)
        except ValueError as error:
            self.run_warning(f"{name} = {text}: {error}")

    def _able_alert(self, verb: str, alert: str) -> None:
        if verb == "disable" and alert and len(self._disabled) < MOST_ALERTS:
            self._disabled.add(alert)  # it may be requested later
        elif verb == "enable" and alert:
            self._disabled.discard(alert)
        else:
            expected = f"expected id=NAME,action=disable or enable, of at most {MOST_ALERTS} alerts"
            raise ValueError(expected)

    def _forward_able(self, verb: str, text: str) -> None:
        field = text if "=" in text else f"contact={text}"
        values = by_key(field)
        if values.get("action", verb).lower() != verb:
            self.run_warning(f"to {verb} takes no other action: {text}")
            return
        self.post("BHV_ABLE_FILTER", field if "action" in values else f"{field},action={verb}")
        contact = values.get("contact")
        if contact:
            self._able_states.record(verb, contact)
        flag_macros = bracketed({"VNAME": text} | self._able_states.macros())
        for flag in self._options.able_flags(verb):
            self.post(flag.variable, flag.expanded(flag_macros))

    def iterate(self) -> None:
        """Update alerts, warnings, lists and reports for every contact."""
        for contact in self._ledger.remove_expired(self.utc):
            self._retire(contact.name)
        if self._retired or "CONTACTS_RETIRED" in self._posted:
            self._post_changed("CONTACTS_RETIRED", ",".join(self._retired))
        own = own_track(self._nav)
        if own is None:
            return
        utc, decay = self.utc, self._options.decay
        tracks = [(contact, contact.now(utc, decay)) for contact in self._ledger]
        ranges = [(contact, separation(own, track)) for contact, track in tracks]
        enabled = [one for name, one in self._alerts.items() if name not in self._disabled]
        for name, value in self._early.check(own, tracks, enabled):
            self.post(name, value)
        if self._helm_drives:
            self._look_for_alerts(own, tracks, [away for _, away in ranges])
        self._post_changed("CONTACTS_LIST", ",".join([contact.name for contact, _ in ranges]))
        self._post_changed("CONTACTS_COUNT", float(len(self._alerted)))
        self._post_closest(own, tracks, ranges)
        self._post_recap(ranges)
        for variable, names in self._range_reports.due(ranges, self.time):
            self.post(variable, names)
        warned = self._early.circle(own, self.community)
        circles = self._radii.texts(self._alerts, self.community, own)
        for text in circles if warned is None else (warned, *circles):
            self.post("VIEW_CIRCLE", text)

    def _look_for_alerts(
        self, own: Track, tracks: list[tuple[Contact, Track]], ranges: list[float]
    ) -> None:
        gone = dict(self._alerted)
        for (contact, track), away in zip(tracks, ranges, strict=True):
            for alert in self._alerts.values():
                key = (contact.name, alert.name)
                if alert.name in self._disabled:
                    gone.pop(key, None)
                    continue
                if not _is_due(alert, contact, own, track, away):
                    continue
                gone.pop(key, None)
                if key not in self._alerted:
                    self._switch(alert, contact, track, on=True)
                self._alerted[key] = contact
        # alerts that were not due in this iteration turn off
        for (name, alert_name), contact in gone.items():
            del self._alerted[name, alert_name]
            now = (track for other, track in tracks if other.name == name)
            track = next(now, contact.track)
            self._switch(self._alerts[alert_name], contact, track, on=False)
        pairs = "".join([f"({name},{alert})" for name, alert in self._alerted])
        self._post_changed("CONTACTS_ALERTED", pairs)

    def _switch(self, alert: Alert, contact: Contact, track: Track, *, on: bool) -> None:
        flag_macros = macros(contact, track)
        for flag in alert.on if on else alert.off:
            self.post(flag.named(flag_macros), flag.expanded(flag_macros))
        self.event(f"{alert.name} {'on' if on else 'off'} for {contact.name}")
        if self._options.alert_verbose:
            change = "off-->alerted" if on else "alerted-->off"
            ranges = (
                f"alert_range={trimmed(alert.near, 1)},alert_range_cpa={trimmed(alert.watch, 1)}"
            )
            self.post(
                "ALERT_VERBOSE", f"contact={contact.name},alert_id={alert.name},{change},{ranges}"
            )

    def _post_closest(
        self,
        own: Track,
        tracks: list[tuple[Contact, Track]],
        ranges: list[tuple[Contact, float]],
    ) -> None:
        if not ranges:
            return
        contact, away = min(ranges, key=itemgetter(1))
        if self._posted.get("CONTACT_CLOSEST") != contact.name:
            self._post_changed("CONTACT_CLOSEST_TIME", self.utc)
        self._post_changed("CONTACT_CLOSEST", contact.name)
        if self._options.post_closest_range:
            self._post_changed("CONTACT_CLOSEST_RANGE", float(int(away)))
        if self._options.post_closest_relbng:
            track = next(track for other, track in tracks if other is contact)
            bearing = relative_bearing(own, track)
            self._post_changed("CONTACT_CLOSEST_RELBNG", float(int(bearing)))
        if self._options.post_all_ranges:
            text = ",".join(trimmed(away, 1) for away in sorted(away for _, away in ranges))
            self._post_changed("CONTACT_RANGES", text)

    def _post_recap(self, ranges: list[tuple[Contact, float]]) -> None:
        if self.time < self._recap_due:
            return
        self._recap_due = self.time + self._options.recap_interval
        if self._options.recap_interval < float("inf"):
            entries = (
                f"vname={c.name},range={fixed(away, 2)},age={fixed(self.utc - c.received, 2)}"
                for c, away in ranges
            )
            self.post("CONTACTS_RECAP", " # ".join(entries))

    def _post_changed(self, name: str, value: Value) -> None:
        """Post a variable if its value changed."""
        if self._posted.get(name) != value:
            self._posted[name] = value
            self.post(name, value)

    def report(self) -> Iterable[str]:
        """Yield alerts and contacts for the appcast."""
        for alert in self._alerts.values():
            yield f"Alert {alert.name}: within {alert.near:g} m, watched within {alert.watch:g} m"
        for contact in self._ledger:
            on = [alert for name, alert in self._alerted if name == contact.name]
            age = self.utc - contact.received
            yield f"{contact.name}: {age:.1f} s old, alerted: {','.join(on)}"


def _is_due(alert: Alert, contact: Contact, own: Track, track: Track, away: float) -> bool:
    """Whether an alert is on for a contact at a track and a range [m]."""
    if not alert.filter.admits(contact):
        return False
    if alert.near == 0:  # without a range, its filter alone decides
        return True
    return alert.is_due(away, lambda: closest_approach(own, track, HORIZON).range)
