"""Requests for range reports: ``var=NEAR,range=50,group=red,type=kayak,refresh=true``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from steerageway.apps.contacts.contact import Contact
from steerageway.moos.values import by_key, is_number

_KEYS = ("var", "range", "group", "type", "refresh", "reason")


@dataclass
class RangeReport:
    """A variable to be kept up to date with the names of the contacts that are near.

    Attributes:
        variable: where the names go, by commas.
        range: how near [m].
        group, type: only these; "" for all.
        refresh: an unchanged list is posted again after so long [s]; inf: never.
        asked: when it was asked for last [s].
        posted, posted_at: the list posted last, and when.
    """

    variable: str
    range: float
    group: str
    type: str
    refresh: float
    asked: float
    posted: str | None = None
    posted_at: float = 0.0

    def names(self, ranges: Iterable[tuple[Contact, float]]) -> str:
        """Return the names of the contacts that are near, in alphabetical order."""
        near = (c.name for c, away in ranges if away <= self.range and self._wants(c))
        return ",".join(sorted(near))

    def _wants(self, contact: Contact) -> bool:
        record = contact.record
        same_group = not self.group or record.group.lower() == self.group
        return same_group and (not self.type or record.type == self.type)


def parse_report_request(text: str, asked: float) -> RangeReport:
    """Read a request.

    ``refresh=true`` has the list posted once whether or not it changed, a number every so many
    seconds; ``reason`` may say what for, and has no effect.

    Args:
        asked: when it comes [s].
    Raises:
        ValueError: what was expected.
    """
    fields = by_key(text)
    if not set(fields) <= set(_KEYS) or not fields.get("var"):
        raise ValueError(f"expected var=NAME,range=METRES and perhaps {', '.join(_KEYS[2:])}")
    if not is_number(fields.get("range", "0")):
        raise ValueError("expected a number for range")
    again = fields.get("refresh", "false").lower()
    if again not in ("true", "false") and not is_number(again):
        raise ValueError("expected true, false or seconds for refresh")
    return RangeReport(
        fields["var"],
        float(fields.get("range", "inf")),
        fields.get("group", "").lower(),
        fields.get("type", "").lower(),
        float(again) if is_number(again) else inf,
        asked,
    )


def is_wanted_again(text: str) -> bool:
    """Whether a request says ``refresh=true``."""
    return by_key(text).get("refresh", "").lower() == "true"
