"""Range reports of the contact manager: ``var=NEAR,range=50,group=red,type=kayak,refresh=true``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from steerageway.apps.shared.limited import Limited
from steerageway.declarations import Number, field_of
from steerageway.helm.contact import Contact
from steerageway.moos.values import by_key

_KEYS = ("var", "range", "group", "type", "refresh", "reason")


@dataclass
class RangeReport:
    """A request to post the names of the contacts within a range.

    Attributes:
        variable: in which the names are posted, separated by commas.
        range: maximum range [m].
        group, type: of the contacts; "" for all.
        refresh: interval for posting an unchanged list again [s]; inf: never.
        requested_at: time of the last request [s].
        posted, posted_at: the list posted last, and its time [s].
    """

    variable: str
    range: float
    group: str
    type: str
    refresh: float
    requested_at: float
    posted: str | None = None
    posted_at: float = 0.0

    def names(self, ranges: Iterable[tuple[Contact, float]]) -> str:
        """Return the names of the contacts within the range, in alphabetical order."""
        near = (c.name for c, away in ranges if away <= self.range and self._matches(c))
        return ",".join(sorted(near))

    def _matches(self, contact: Contact) -> bool:
        record = contact.record
        same_group = not self.group or record.group.lower() == self.group
        return same_group and (not self.type or record.type == self.type)


def parse_report_request(text: str, requested_at: float) -> RangeReport:
    """Read a request.

    ``refresh=true`` posts the list once whether or not it has changed, a number at this interval
    [s]; ``reason`` is free text without effect.

    Args:
        requested_at: time of the request [s].
    Raises:
        ValueError: what was expected.
    """
    fields = by_key(text)
    if not set(fields) <= set(_KEYS) or not fields.get("var"):
        raise ValueError(f"expected var=NAME,range=METRES and perhaps {', '.join(_KEYS[2:])}")
    return RangeReport(
        fields["var"],
        field_of(fields, "range", Number()) if "range" in fields else inf,
        fields.get("group", "").lower(),
        fields.get("type", "").lower(),
        field_of(fields, "refresh", Number(words={"true": inf, "false": inf}), "false"),
        requested_at,
    )


class RangeReports:
    """The requested range reports, the oldest request first.

    Args:
        most: number of reports above which the oldest request is removed once it has timed out.
        timeout: age of a request at which it has [s].
    """

    def __init__(self, most: int, timeout: float) -> None:
        self._most = most
        self._timeout = timeout
        self._reports = Limited[RangeReport]()

    def add(self, text: str, now: float) -> None:
        """Add a request; one of the same variable replaces the last.

        Raises:
            ValueError: what was expected.
        """
        report = parse_report_request(text, now)
        known = self._reports.pop(report.variable, None)
        refreshes = by_key(text).get("refresh", "").lower() == "true"
        if known is not None and not refreshes:
            report.posted, report.posted_at = known.posted, known.posted_at
        self._reports[report.variable] = report

    def due(self, ranges: Sequence[tuple[Contact, float]], now: float) -> Iterator[tuple[str, str]]:
        """Yield the variables to post now, with the names of the contacts within their ranges."""
        if len(self._reports) > self._most:
            oldest = next(iter(self._reports.values()))
            if now - oldest.requested_at >= self._timeout:
                del self._reports[oldest.variable]
        for variable, report in self._reports.items():
            names = report.names(ranges)
            if names != report.posted or now - report.posted_at >= report.refresh:
                report.posted, report.posted_at = names, now
                yield variable, names
