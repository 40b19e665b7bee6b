"""What lies between vessels: it decides whose words reach whom. Pure.

Range comes first: within the critical range every report passes. Beyond it, it passes if the
receiver was heard lately, is in range and of the right group, and neither chance nor the interval
between two reports is against it.
"""

from __future__ import annotations

from math import inf
from random import Random

from steerageway.apps.communication.node_comms.options import CommsOptions
from steerageway.apps.contacts.contact import TIME_TOLERANCE, Contact
from steerageway.vessel.encounter import separation

STALE, RANGE, GROUP, LOSS, INTERVAL = "stale", "range", "group", "loss", "interval"


class Medium:
    """Carries reports and messages.

    Args:
        options: of the app.
        random: decides what is lost.

    Attributes:
        range: how far words reach [m]; loss: share of them that is lost.
        stealth: vessel -> how far it is heard; earange: vessel -> how far it hears; as factors.
    """

    def __init__(self, options: CommsOptions, random: Random) -> None:
        self.range = options.comms_range
        self.loss = options.drop_percentage / 100.0
        # Of two lines about one vessel the first counts.
        self.stealth = dict(reversed(options.stealth))
        self.earange = dict(reversed(options.earange))
        self._options = options
        self._random = random
        self._spaced = options.min_rpt_interval > TIME_TOLERANCE
        self._passed: dict[tuple[str, str], float] = {}

    def holds_report(self, sender: Contact, receiver: Contact, utc: float) -> str:
        """Say why a report does not pass; "" if it does, which is then taken note of."""
        away = separation(sender.track, receiver.track)
        why = ""
        if away > self._options.critical_range:
            why = self._holds_report(sender, receiver, away, utc)
        if self._spaced and not why:
            self._passed[_pair(sender, receiver)] = utc
        return why

    def holds_message(self, sender: Contact, receiver: Contact, utc: float) -> str:
        """Say why a message does not pass; "" if it does."""
        away, groups = separation(sender.track, receiver.track), self._options.msg_groups
        return self._holds(sender, receiver, away, utc, groups=groups) or self._loses()

    def is_recent(self, vessel: Contact, utc: float) -> bool:
        """Whether a vessel spoke lately, and so is thought to be where it said."""
        return utc - vessel.received <= self._options.stale_after + TIME_TOLERANCE

    def _holds_report(self, sender: Contact, receiver: Contact, away: float, utc: float) -> str:
        groups = self._options.groups
        why = self._holds(sender, receiver, away, utc, groups=groups) or self._loses()
        if why or not self._spaced:
            return why
        since = utc - self._passed.get(_pair(sender, receiver), -inf)
        return INTERVAL if since < self._options.min_rpt_interval - TIME_TOLERANCE else ""

    def _holds(
        self, sender: Contact, receiver: Contact, away: float, utc: float, *, groups: bool
    ) -> str:
        if not self.is_recent(receiver, utc):
            return STALE
        if not self._reaches(sender, receiver, away):
            return RANGE
        if groups and sender.record.group.lower() != receiver.record.group.lower():
            return GROUP
        return ""

    def _reaches(self, sender: Contact, receiver: Contact, away: float) -> bool:
        if self.range == 0.0:
            return False
        factor = 1.0
        if self.stealth or self.earange:
            factor *= self.stealth.get(sender.name.lower(), 1.0)
            factor *= self.earange.get(receiver.name.lower(), 1.0)
        reach = self.range * factor if factor > 0.0 else 0.0
        return away <= reach

    def _loses(self) -> str:
        return LOSS if self.loss > 0.0 and self._random.random() < self.loss else ""


def _pair(sender: Contact, receiver: Contact) -> tuple[str, str]:
    return sender.name.lower(), receiver.name.lower()
