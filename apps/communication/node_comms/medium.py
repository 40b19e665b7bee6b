"""Communication channel model: whether a report or message reaches a vessel (range, loss, groups).

Within the critical range every report passes. Beyond it a report passes if the receiver has
reported recently, is in range and in the same group where groups are required, and if neither
random loss nor the minimum interval between two reports stops it.
"""

from __future__ import annotations

from collections.abc import Container
from math import inf
from random import Random

from steerageway.apps.communication.node_comms.options import CommsOptions
from steerageway.geometry.encounter import separation
from steerageway.helm.contact import TIME_TOLERANCE, Contact

STALE, RANGE, GROUP, LOSS, INTERVAL = "stale", "range", "group", "loss", "interval"


class Medium:
    """Decides which reports and messages pass.

    Args:
        options: of the app.
        random: the generator for losses.

    Attributes:
        range: communication range [m]; loss: lost share of messages, 0 to 1.
        stealth, earange: vessel -> factor on the range as a sender, and as a receiver.
    """

    def __init__(self, options: CommsOptions, random: Random) -> None:
        self.range = options.comms_range
        self.loss = options.drop_percentage / 100.0
        # As in MOOS-IvP, the first of two lines about one vessel takes effect.
        self.stealth = dict(reversed(options.stealth))
        self.earange = dict(reversed(options.earange))
        self._options = options
        self._random = random
        self._has_interval = options.min_rpt_interval > TIME_TOLERANCE
        self._passed: dict[tuple[str, str], float] = {}

    def holds_report(self, sender: Contact, receiver: Contact, utc: float) -> str:
        """Return why a report does not pass; "" if it does, and the minimum interval starts."""
        distance = separation(sender.track, receiver.track)
        why = ""
        if distance > self._options.critical_range:
            why = self._holds_report(sender, receiver, distance, utc)
        if self._has_interval and not why:
            self._passed[_pair(sender, receiver)] = utc
        return why

    def forget(self, gone: Container[str]) -> None:
        """Forget the intervals of vessels that are gone; their names are in lower case."""
        known = self._passed.items()
        self._passed = {p: since for p, since in known if p[0] not in gone and p[1] not in gone}

    def farthest(self, sender: Contact) -> float:
        """Return the range beyond which no vessel gets the sender's reports [m]."""
        factor = self.stealth.get(sender.name.lower(), 1.0)
        factor *= max((1.0, *self.earange.values()))
        reach = self.range * factor if factor > 0.0 else 0.0
        return max(reach, self._options.critical_range)

    def holds_message(self, sender: Contact, receiver: Contact, utc: float) -> str:
        """Return why a message does not pass; "" if it does."""
        distance, groups = separation(sender.track, receiver.track), self._options.msg_groups
        return self._holds(sender, receiver, distance, utc, groups=groups) or self.loses()

    def is_recent(self, vessel: Contact, utc: float) -> bool:
        """Whether a vessel has reported recently enough to receive anything."""
        return utc - vessel.received <= self._options.stale_after + TIME_TOLERANCE

    def _holds_report(self, sender: Contact, receiver: Contact, distance: float, utc: float) -> str:
        groups = self._options.groups
        # Loss comes last: pairs out of range or of other groups draw no random number.
        why = self._holds(sender, receiver, distance, utc, groups=groups) or self.loses()
        if why or not self._has_interval:
            return why
        since = utc - self._passed.get(_pair(sender, receiver), -inf)
        return INTERVAL if since < self._options.min_rpt_interval - TIME_TOLERANCE else ""

    def _holds(
        self, sender: Contact, receiver: Contact, distance: float, utc: float, *, groups: bool
    ) -> str:
        if not self._reaches(sender, receiver, distance):
            return RANGE
        if not self.is_recent(receiver, utc):
            return STALE
        if groups and sender.record.group.lower() != receiver.record.group.lower():
            return GROUP
        return ""

    def _reaches(self, sender: Contact, receiver: Contact, distance: float) -> bool:
        if self.range == 0.0:
            return False
        factor = 1.0
        if self.stealth or self.earange:
            factor *= self.stealth.get(sender.name.lower(), 1.0)
            factor *= self.earange.get(receiver.name.lower(), 1.0)
        reach = self.range * factor if factor > 0.0 else 0.0
        return distance <= reach

    def loses(self) -> str:
        """Return why a report or message is lost at random; "" if it is not."""
        return LOSS if self.loss > 0.0 and self._random.random() < self.loss else ""


def _pair(sender: Contact, receiver: Contact) -> tuple[str, str]:
    return sender.name.lower(), receiver.name.lower()
