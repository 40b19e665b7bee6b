"""Contacts of the helm: node reports, variables such as HENRY_NAV_X, summaries of contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from steerageway.apps.helm.options import HelmOptions
from steerageway.apps.shared.datum import read_datum
from steerageway.bus import App, Message
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.contact import ContactList
from steerageway.helm.world import World
from steerageway.moos.node_report import NodeReportError, parse
from steerageway.moos.values import fixed, split_first, trimmed

REPORTS = ("NODE_REPORT", "AIS_REPORT", "AIS_REPORT_LOCAL")
SUMMARIES = ("IVPHELM_CONTACT_SUMMARY", "IVPHELM_LEDGER_SUMMARY")
OWN_REPORT = "NODE_REPORT_LOCAL"

_SUFFIXES = (
    *("_NAV_X", "_NAV_Y", "_NAV_SPEED", "_NAV_HEADING"),
    *("_NAV_DEPTH", "_NAV_UTC", "_NAV_TYPE", "_NAV_GROUP"),
)  # of variables like HENRY_NAV_X


class ContactVariables:
    """Maintains the list of contacts, the variables made of them, and ownship's group."""

    def __init__(self, app: App, options: HelmOptions, world: World) -> None:
        self._app = app
        self._world = world
        self._skews = options.node_skew
        self._posted = False
        world.ledger = ContactList(
            app.community, options.contact_max_age, read_datum(app.setting.globals)
        )

    def handlers(self) -> dict[str, Callable[[Message], None]]:
        """Return the handlers of mail by variable."""
        return {**dict.fromkeys(REPORTS, self._take_report), OWN_REPORT: self._take_own_report}

    def subscriptions(self, wanted: Iterable[str]) -> list[str]:
        """Return the reports to subscribe to, if any, to provide these variables."""
        names = list(wanted)
        if "NODE_REPORT" in names or any(_is_contact_variable(name) for name in names):
            return list(REPORTS)
        return []

    def post_summaries(self, behaviors: Iterable[AnyBehavior]) -> None:
        """Post the summaries: all contacts, and those in use by behaviors."""
        contacts = self._world.ledger
        known = len(contacts) > 0
        if not known and not self._posted:
            return
        self._posted = known
        utc = self._world.utc
        ages = [f"vname={c.name},age={trimmed(utc - c.received, 2)}" for c in contacts]
        self._app.post("IVPHELM_LEDGER_SUMMARY", " # ".join(ages) or "none")
        in_use = dict.fromkeys(filter(None, (b.known_by().get("contact") for b in behaviors)))
        self._app.post("IVPHELM_CONTACT_SUMMARY", ",".join(in_use) or "none")

    def _take_report(self, message: Message) -> None:
        text, utc = str(message.value), self._world.utc
        try:
            if self._skews and self._is_skewed(text, utc):
                return
            contact = self._world.ledger.take(text, utc)
        except NodeReportError as error:
            self._app.run_warning(f"{message.name} of {message.source}: {error}")
            return
        if contact is None:
            return
        name, (x, y, heading, speed), record = contact.name.upper(), contact.track, contact.record
        motion = (x, y, speed, heading, record.depth, contact.seen)
        for suffix, value in zip(_SUFFIXES, (*motion, record.type, record.group), strict=True):
            if value is not None and value != "":
                self._world.take(name + suffix, value)

    def _is_skewed(self, text: str, utc: float) -> bool:
        """Whether the vessel's clock is off by more than the permitted skew; warn if it is."""
        record = parse(text)
        limit = self._skews.get(record.name.lower())
        if limit is None or record.time is None or abs(utc - record.time) <= limit:
            return False
        skew = utc - record.time
        self._app.post("IVPHELM_SKEW", f"{record.name}={fixed(skew, 2)}")
        self._app.run_warning(f"node report of {record.name}: {skew:.2f} s off, not taken")
        return True

    def _take_own_report(self, message: Message) -> None:
        fields = dict(split_first(field, "=") for field in str(message.value).split(","))
        self._world.group = fields.get("GROUP", fields.get("group", ""))


def _is_contact_variable(name: str) -> bool:
    return any(name.endswith(suffix) and name != suffix for suffix in _SUFFIXES)
