"""Contacts: other vessels, as their node reports tell of them, and where they are by now."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite

from steerageway.bus import Message
from steerageway.moos.node_report import NodeRecord, NodeReportError, parse
from steerageway.moos.values import bite, is_number
from steerageway.vessel.encounter import Decay, Track, reckoned
from steerageway.vessel.geodesy import Projection

REPORTS = ("NODE_REPORT", "NODE_REPORT_LOCAL")
SAME_TIME = 1e-6  # two times that differ by less are one [s]
TEXTS_KEPT = 256  # reports that are not read again when the next app of a process hears them
KEPT = 2.0  # a contact that is wanted is kept so many times as long
DECAY: Decay = (15.0, 30.0)  # a silent vessel keeps its speed until then, and has none then [s]
FUTURE = 0.1  # a report may be stamped so far ahead of now [s]; stamps are rounded
SUBMERGED = ("auv", "glider")  # a report of one of these must tell the depth
_RENAMED = {"uuv": "auv", "unknown": "ship", "": "ship"}


def parse_decay(text: str) -> Decay | None:
    """Read BEGIN,END [s], between which a silent contact loses its speed; None for off, or -1.

    Raises:
        ValueError: neither.
    """
    if text.strip().lower() in ("off", "-1"):
        return None
    begin, end = bite(text, ",")
    if not (is_number(begin) and is_number(end) and 0 <= float(begin) <= float(end)):
        raise ValueError("expected BEGIN,END in seconds with 0 <= BEGIN <= END, or off")
    return float(begin), float(end)


def type_known_as(name: str) -> str:
    """Return the type by which a vessel that says so is known: ``uuv`` is an ``auv``."""
    word = name.strip().lower()
    return _RENAMED.get(word, word)


@dataclass(frozen=True, slots=True)
class Contact:
    """A vessel that reports.

    Attributes:
        name: as it spells it.
        record: its last report.
        track: where that report has it.
        seen: when it was there, by its own stamp; received: when the report came; UTC [s].
    """

    name: str
    record: NodeRecord
    track: Track
    seen: float
    received: float

    def now(self, utc: float, decay: Decay | None) -> Track:
        """Return where it is now by dead reckoning; see ``vessel.encounter.reckoned``."""
        return reckoned(self.track, utc - self.seen, decay)


class Ledger:
    """The contacts known to one vessel, in the order they first reported; names in any case.

    Args:
        own: the vessel's own name, whose reports are not a contact's.
        max_age: a contact is forgotten when it was not heard for so long [s].
        datum: turns latitude and longitude into local positions, for reports without those.
    """

    def __init__(self, own: str, max_age: float, datum: Projection | None = None) -> None:
        self._own = own.lower()
        self._max_age = max_age
        self._datum = datum
        self._contacts: dict[str, Contact] = {}

    def __iter__(self) -> Iterator[Contact]:
        return iter(self._contacts.values())

    def __len__(self) -> int:
        return len(self._contacts)

    def get(self, name: str) -> Contact | None:
        """Give a contact by name; None if it is not known, or was forgotten."""
        return self._contacts.get(name.lower())

    def take(self, text: str, utc: float) -> Contact | None:
        """Take a node report.

        Args:
            text: of the report.
            utc: now [s].
        Returns: the contact; None if the report is one's own, or tells nothing new: it is older
            than what is known, or the same, as one that comes under two names.
        Raises:
            NodeReportError: the report is not usable; it says what was expected.
        """
        record = _read(text)
        key = record.name.lower()
        if not key:
            raise NodeReportError("NAME", "", "expected a name")
        if key == self._own:
            return None
        contact = self._contact(record, utc)
        known = self._contacts.get(key)
        if known is not None and (
            contact.seen < known.seen
            or (contact.seen == known.seen and contact.record == known.record)
        ):
            return None
        self._contacts[key] = contact
        return contact

    def take_report(
        self, message: Message, utc: float, warn: Callable[[str], None]
    ) -> Contact | None:
        """Take a message with a node report; warn of one that is not usable.

        Args:
            utc: now [s].
        Returns: as ``take`` does; None, too, if the report is not usable.
        """
        try:
            return self.take(str(message.value), utc)
        except NodeReportError as error:
            warn(f"{message.name}: {error}")
            return None

    def forget(self, name: str) -> None:
        """Forget a contact."""
        self._contacts.pop(name.lower(), None)

    def forget_silent(
        self, utc: float, wanted: Callable[[], Container[str]] = tuple
    ) -> list[Contact]:
        """Forget the contacts that were not heard for too long, and give them.

        Args:
            utc: now [s].
            wanted: gives the names, in lower case, of those that are kept twice as long.
        """
        silent = [c for c in self._contacts.values() if utc - c.received > self._max_age]
        if silent:
            kept, limit = wanted(), KEPT * self._max_age
            silent = [c for c in silent if utc - c.received > limit or c.name.lower() not in kept]
        for contact in silent:
            del self._contacts[contact.name.lower()]
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
        elif not isfinite(x + y):
            raise NodeReportError("X", f"{x:g},Y={y:g}", "expected a place on earth")
        track = Track(x, y, record.heading or 0.0, record.speed or 0.0)
        return Contact(record.name, record, track, seen, utc)

    def _position(self, record: NodeRecord) -> tuple[float, float]:
        if record.lat is None or record.lon is None:
            raise NodeReportError("X", "", "expected X and Y, or LAT and LON")
        if self._datum is None:
            expected = "expected X and Y: the mission has no LatOrigin, LongOrigin"
            raise NodeReportError("LAT", f"{record.lat}", expected)
        return self._datum.to_local(record.lat, record.lon)


@lru_cache(maxsize=TEXTS_KEPT)
def _read(text: str) -> NodeRecord:
    """Read a report, once for all who hear it; none of them may change what it says."""
    record = parse(text)
    record.type = type_known_as(record.type)
    return record
