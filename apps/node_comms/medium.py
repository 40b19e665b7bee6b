"""What lies between vessels: it decides whose words reach whom. Pure.

Range comes first: within the critical range every report passes. Beyond it, it passes if the
receiver was heard lately, is in range and of the right group, and neither chance nor the interval
between two reports is against it.
"""

from __future__ import annotations

from math import inf
from random import Random

from apps.contacts import SAME_TIME, Contact
from apps.node_comms.options import Options
from vessel.encounter import separation

STALE, RANGE, GROUP, LOSS, INTERVAL = "stale", "range", "group", "loss", "interval"


class Medium:
    """Carries reports and messages.

    Args:
        options: of the app.
        random: decides what is lost.

    Attributes:
        range: how far words reach [m]; loss: share of them that is lost.
        stealth: vessel -> how far she is heard; earange: vessel -> how far she hears; as factors.
    """

    def __init__(self, options: Options, random: Random) -> None:
        self.range = options.range
        self.loss = options.loss
        self.stealth = dict(options.stealth)
        self.earange = dict(options.earange)
        self._options = options
        self._random = random
        self._passed: dict[tuple[str, str], float] = {}

    def holds_report(self, sender: Contact, receiver: Contact, utc: float) -> str:
        """Say why a report does not pass; "" if it does, which is then taken note of."""
        pair = (sender.name.lower(), receiver.name.lower())
        critical = separation(sender.track, receiver.track) <= self._options.critical_range
        why = "" if critical else self._holds_report(pair, sender, receiver, utc)
        if not why:
            self._passed[pair] = utc
        return why

    def holds_message(self, sender: Contact, receiver: Contact, utc: float) -> str:
        """Say why a message does not pass; "" if it does."""
        groups = self._options.message_groups
        return self._holds(sender, receiver, utc, groups=groups) or self._loses()

    def hears(self, vessel: Contact, utc: float) -> bool:
        """Whether a vessel spoke lately, and so is thought to be where she said."""
        return utc - vessel.heard <= self._options.stale_time + SAME_TIME

    def _holds_report(
        self, pair: tuple[str, str], sender: Contact, receiver: Contact, utc: float
    ) -> str:
        why = self._holds(sender, receiver, utc, groups=self._options.groups) or self._loses()
        if why:
            return why
        since = utc - self._passed.get(pair, -inf)
        return INTERVAL if since < self._options.report_interval - SAME_TIME else ""

    def _holds(self, sender: Contact, receiver: Contact, utc: float, *, groups: bool) -> str:
        if not self.hears(receiver, utc):
            return STALE
        if not self._reaches(sender, receiver):
            return RANGE
        if groups and sender.record.group.lower() != receiver.record.group.lower():
            return GROUP
        return ""

    def _reaches(self, sender: Contact, receiver: Contact) -> bool:
        if self.range == 0.0:
            return False
        factor = self.stealth.get(sender.name.lower(), 1.0)
        factor *= self.earange.get(receiver.name.lower(), 1.0)
        reach = self.range * factor if factor > 0.0 else 0.0
        return separation(sender.track, receiver.track) <= reach

    def _loses(self) -> str:
        return LOSS if self.loss > 0.0 and self._random.random() < self.loss else ""
