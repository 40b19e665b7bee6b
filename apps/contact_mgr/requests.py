"""Requests for range reports: ``var=NEAR,range=50,group=red,type=kayak,refresh=5``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from apps.contacts import Contact
from moos.values import is_number, pairs

_KEYS = ("var", "range", "group", "type", "refresh")


@dataclass
class RangeReport:
    """A variable to be kept up to date with the names of the contacts that are near.

    Attributes:
        variable: where the names go, by commas.
        range: how near [m].
        group, type: only these; "" for all.
        refresh: an unchanged list is posted again after so long [s]; inf: never.
        until: the request ends then [s].
        said, said_at: the list posted last, and when.
    """

    variable: str
    range: float
    group: str
    type: str
    refresh: float
    until: float
    said: str | None = None
    said_at: float = 0.0

    def names(self, ranges: Iterable[tuple[Contact, float]], limit: int) -> str:
        """Give the names of the contacts that are near, nearest first."""
        near = sorted((away, c.name) for c, away in ranges if away <= self.range and self._wants(c))
        return ",".join(name for _, name in near[:limit])

    def _wants(self, contact: Contact) -> bool:
        record = contact.record
        same_group = not self.group or record.group.lower() == self.group
        return same_group and (not self.type or record.type == self.type)


def parse_report_request(text: str, until: float) -> RangeReport:
    """Read a request.

    Args:
        until: when it ends [s].
    Raises:
        ValueError: what was expected.
    """
    said = {key.lower(): value for key, value in pairs(text)}
    if not set(said) <= set(_KEYS) or not said.get("var"):
        raise ValueError(f"expected var=NAME,range=METRES and perhaps {', '.join(_KEYS[2:])}")
    for key in ("range", "refresh"):
        if key in said and not is_number(said[key]):
            raise ValueError(f"expected a number for {key}")
    return RangeReport(
        said["var"],
        float(said.get("range", "inf")),
        said.get("group", "").lower(),
        said.get("type", "").lower(),
        float(said.get("refresh", inf)),
        until,
    )
