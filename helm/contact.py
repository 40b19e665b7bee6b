"""Contacts: list of other vessels from node reports, with dead-reckoned present positions."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from functools import lru_cache
from math import inf, isfinite
from typing import NamedTuple

from steerageway.geometry.encounter import Decay, Track, reckoned
from steerageway.geometry.geodesy import Projection
from steerageway.moos.node_report import NodeRecord, NodeReportError, parse
from steerageway.moos.values import is_number, split_first

REPORTS = ("NODE_REPORT", "NODE_REPORT_LOCAL")
TIME_TOLERANCE = 1e-6  # tolerance for comparing times [s]
KEEP_FACTOR = 2.0  # contacts in use are kept this multiple of max_age
DECAY: Decay = (15.0, 30.0)  # age of the last report from which the speed falls, and is 0 [s]
FUTURE = 0.1  # tolerance for stamps later than now [s]; stamps are rounded
SUBMERGED = ("auv", "glider")  # types whose reports must contain the depth
MOST_CONTACTS = 500  # of one app; further names are refused
CACHED_REPORTS = 2 * MOST_CONTACTS  # parsed reports, shared by the apps of a process
LONGEST_NAME, LONGEST_REPORT = 100, 65_536  # characters
_new = tuple.__new__  # creates a named tuple in half the time
_RENAMED = {"uuv": "auv", "unknown": "ship", "": "ship"}


def parse_decay(text: str) -> Decay | None:
    """Read BEGIN,END [s], between which a silent contact's speed falls to 0; None for off or -1.

    Raises:
        ValueError: neither.
    """
    if text.strip().lower() in ("off", "-1"):
        return None
    begin, end = split_first(text, ",")
    if not (is_number(begin) and is_number(end) and 0 <= float(begin) <= float(end)):
        raise ValueError("expected BEGIN,END in seconds with 0 <= BEGIN <= END, or off")
    return float(begin), float(end)


def canonical_type(name: str) -> str:
    """Return the canonical name of a vessel type: ``uuv`` is an ``auv``."""
    word = name.strip().lower()
    return _RENAMED.get(word, word)


class Contact(NamedTuple):
    """A vessel known from its node reports.

    Attributes:
        name: as spelt in its report.
        record: its last report.
        track: position, heading and speed in that report.
        seen: time stamp of the report; received: time of its receipt; UTC [s].
    """

    name: str
    record: NodeRecord
    track: Track
    seen: float
    received: float

    def now(self, utc: float, decay: Decay | None) -> Track:
        """Return its present track by dead reckoning; see ``geometry.encounter.reckoned``."""
        _, _, track, seen, _ = self
        return reckoned(track, utc - seen, decay)


class ContactList:
    """The list of contacts of one vessel, in the order of their first reports; names in any case.

    Args:
        own: the vessel's own name, whose reports are ignored.
        max_age: time without reports after which a contact is removed [s].
        datum: converts latitude and longitude to local positions, for reports without those.
    """

    def __init__(self, own: str, max_age: float, datum: Projection | None = None) -> None:
        self._own = own.lower()
        self._max_age = max_age
        self._datum = datum
        self._contacts: dict[str, Contact] = {}
        self._oldest = inf  # no contact was received before [UTC, s]

    def __iter__(self) -> Iterator[Contact]:
        return iter(self._contacts.values())

    def __len__(self) -> int:
        return len(self._contacts)

    def get(self, name: str) -> Contact | None:
        """Return a contact by name; None if it is unknown or was removed."""
        return self._contacts.get(name.lower())

    def take(self, text: str, utc: float) -> Contact | None:
        """Add a node report.

        Args:
            text: of the report.
            utc: now [s].
        Returns: the contact; None if the report is ownship's, older than the last one, or equal to
            it (the same report may be received in two variables).
        Raises:
            NodeReportError: the report is invalid.
        """
        if len(text) > LONGEST_REPORT:
            expected = f"expected a report of at most {LONGEST_REPORT} characters"
            raise NodeReportError("", text[:20], expected)
        record = _read(text)
        key = record.name.lower()
        if not key:
            raise NodeReportError("NAME", "", "expected a name")
        if len(key) > LONGEST_NAME:
            expected = f"expected at most {LONGEST_NAME} characters"
            raise NodeReportError("NAME", record.name[:20], expected)
        if key == self._own:
            return None
        contact = self._contact(record, utc)
        known = self._contacts.get(key)
        if known is None and len(self._contacts) >= MOST_CONTACTS:
            raise NodeReportError("NAME", record.name, f"expected at most {MOST_CONTACTS} vessels")
        if known is not None and (
            contact.seen < known.seen
            or (contact.seen == known.seen and contact.record == known.record)
        ):
            return None
        self._contacts[key] = contact
        self._oldest = min(self._oldest, utc)
        return contact

    def take_report(
        self, variable: str, report: object, utc: float, warn: Callable[[str], None]
    ) -> Contact | None:
        """Add a node report; warn of an invalid one.

        Args:
            variable, report: which was posted, and its value.
            utc: now [s].
        Returns: as ``take``; None also for an invalid report.
        """
        try:
            return self.take(str(report), utc)
        except NodeReportError as error:
            warn(f"{variable}: {error}")
            return None

    def forget(self, name: str) -> None:
        """Remove a contact."""
        self._contacts.pop(name.lower(), None)

    def remove_expired(
        self, utc: float, wanted: Callable[[], Container[str]] = tuple
    ) -> list[Contact]:
        """Remove the contacts without recent reports, and return them.

        Args:
            utc: now [s].
            wanted: returns the names, in lower case, of contacts that are kept twice as long.
        """
        if utc - self._oldest <= self._max_age:
            return []
        silent = [c for c in self._contacts.values() if utc - c.received > self._max_age]
        if silent:
            kept, limit = wanted(), KEEP_FACTOR * self._max_age
            silent = [c for c in silent if utc - c.received > limit or c.name.lower() not in kept]
        for contact in silent:
            del self._contacts[contact.name.lower()]
        self._oldest = min((c.received for c in self._contacts.values()), default=inf)
        return silent

    def _contact(self, record: NodeRecord, utc: float) -> Contact:
        seen = record.time
        if seen is None:
            raise NodeReportError("TIME", "", "expected the UTC time of the report")
        if seen > utc + FUTURE:
            raise NodeReportError("TIME", f"{seen:.2f}", f"expected at most now, {utc:.2f}")
        if record.type in SUBMERGED and record.depth is None:
            raise NodeReportError("DEP", "", f"expected the depth, as of every {record.type}")
        x, y = record.x, record.y
        if x is None or y is None:
            x, y = self._position(record)
            record = replace(record, x=x, y=y)
        # NaN or infinity in either one makes the sum so
        elif not isfinite(x + y):
            raise NodeReportError("X", f"{x:g},Y={y:g}", "expected a place on earth")
        track = _new(Track, (x, y, record.heading or 0.0, record.speed or 0.0))
        return _new(Contact, (record.name, record, track, seen, utc))

    def _position(self, record: NodeRecord) -> tuple[float, float]:
        if record.lat is None or record.lon is None:
            raise NodeReportError("X", "", "expected X and Y, or LAT and LON")
        if self._datum is None:
            expected = "expected X and Y: the mission has no LatOrigin, LongOrigin"
            raise NodeReportError("LAT", f"{record.lat}", expected)
        return self._datum.to_local(record.lat, record.lon)


@lru_cache(maxsize=CACHED_REPORTS)
def _read(text: str) -> NodeRecord:
    """Return a parsed report, shared by all apps that receive it: it must not be modified."""
    record = parse(text)
    record.type = canonical_type(record.type)
    return record
