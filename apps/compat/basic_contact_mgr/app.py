"""``pBasicContactMgr``: the older contact manager, which raises each alert once per contact.

An alert is raised when a contact comes near; ``CONTACT_RESOLVED`` with the contact's name, or its
retirement, lets the alert be raised again. Behaviors request alerts by ``BCM_ALERT_REQUEST``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from steerageway.apps.compat.basic_contact_mgr.options import (
    ManagerOptions,
    TimedAlert,
    read_alerts,
)
from steerageway.apps.compat.basic_contact_mgr.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.apps.contacts.alerts import circles, macros
from steerageway.apps.contacts.contact import Contact, ContactList
from steerageway.apps.framework.datum import read_datum
from steerageway.bus import App, Message, Value, variables
from steerageway.moos.node_report import NodeReportError
from steerageway.moos.values import fixed, split_first
from steerageway.vessel.encounter import Track, closest_approach, separation

NAVIGATION = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED")


class BasicContactMgr(App):
    """The older contact manager of a vessel, which raises each alert once per contact."""

    last_wins = True
    keeps_quotes = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    subscribes = ("NODE_REPORT", *NAVIGATION, "CONTACT_RESOLVED", "BCM_ALERT_REQUEST")
    parameters = ManagerOptions.parameters()

    def configure(self) -> None:
        """Read the parameters."""
        self._options = ManagerOptions.read(self.config)
        self._preset = self._options.preset
        datum = read_datum(self.setting.globals)
        self._ledger = ContactList(self.community, self._options.contact_max_age, datum)
        self._alerts = {
            timed.alert.name: timed for timed in read_alerts(self._options.alert, self._preset)
        }
        self._alerted: dict[tuple[str, str], None] = {}
        self._retired: list[str] = []
        self._nav: dict[str, float] = {}
        self._posted: dict[str, Value] = {}
        self._recap_due = 0.0
        self.publishes = (*self.publishes, "*")

    def on_start(self) -> None:
        """Register."""
        self.register(*self.subscribes)

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
            self._ledger.take(text, self.utc)
        elif name == "BCM_ALERT_REQUEST":
            timed = self._preset.parse(text)
            self._alerts[timed.alert.name] = timed
        else:
            self._resolve(text)

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
        alerted = {name for name, _ in self._alerted}
        names = [contact.name for contact, _ in tracks]
        recap = (
            f"vname={contact.name},range={fixed(separation(own, track), 2)},"
            f"age={fixed(self.utc - contact.seen, 2)}"
            for contact, track in tracks
        )
        self._post_changed("CONTACTS_LIST", ",".join(names))
        self._post_changed("CONTACTS_ALERTED", ",".join(n for n in names if n.lower() in alerted))
        self._post_changed(
            "CONTACTS_UNALERTED", ",".join(n for n in names if n.lower() not in alerted)
        )
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
