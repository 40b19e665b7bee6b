"""AIS messages: a vessel's reports of class A and B out of its state, and back.

Source: ITU-R M.1371-5; encoded and decoded by pyais.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from zlib import crc32

from pyais import encode_dict
from pyais.exceptions import AISBaseException
from pyais.messages import AISSentence
from pyais.queue import NMEAQueue

from steerageway.bridges.conversions import KNOT
from steerageway.bridges.links import Counts
from steerageway.moos.node_report import NodeRecord

NO_SPEED, NO_COURSE, NO_HEADING, NO_LAT, NO_LON = 102.3, 360.0, 511, 91.0, 181.0
FASTEST = 102.2  # knots; "this or more"
LONGEST = 511  # m, from bow or stern to the antenna
WIDEST = 63  # m
UNASSIGNED = 299_000_000  # no country has these identification digits
PLEASURE_CRAFT = 37
LONGEST_NAME = 20
STATIC_INTERVAL = 360.0  # s
CLASS_A, CLASS_B = "A", "B"
MOST_PARTS = 20  # messages in several sentences that wait for the rest
MOST_STATIONS = 2000

_SHAPE = re.compile(
    rb"(\\[^\\]*\\)?![A-Z]{2}VD[MO],[1-9],[1-9],[0-9]?,.?,[0-W`-w]*,[0-5]\*[0-9A-Fa-f]{2}"
)
_POSITIONS = (1, 2, 3, 18, 19)
_INTERVALS = ((23.0, 2.0), (14.0, 6.0), (0.0, 10.0))  # of class A: above [knots], every [s]
SILENT = 60.0  # s; a vessel whose last report is older is no longer told of
TOLERANCE = 1e-6  # s

Placed = tuple[NodeRecord, int, float, float, bool]


@dataclass(frozen=True, slots=True)
class Station:
    """A vessel as AIS describes it; None where unknown.

    Attributes:
        mmsi: nine digits.
        lat, lon, course, heading: [deg]; speed: over ground [m/s].
        length, beam: [m].
    """

    mmsi: int
    name: str = ""
    lat: float | None = None
    lon: float | None = None
    speed: float | None = None
    course: float | None = None
    heading: float | None = None
    length: float | None = None
    beam: float | None = None

    @classmethod
    def of_report(cls, record: NodeRecord, mmsi: int, lat: float, lon: float) -> Station:
        """Return what a node report tells, at its place in latitude and longitude."""
        courses = (record.cog, record.heading_og, record.heading)
        course = next((one for one in courses if one is not None), None)
        speed = record.speed_og if record.speed_og is not None else record.speed
        size = record.length or None, record.beam or None
        is_placed = abs(lat) <= 90.0 and abs(lon) <= 180.0
        north, east = (lat, lon) if is_placed else (None, None)
        return cls(mmsi, record.name, north, east, speed, course, record.heading, *size)

    def report(self, utc: float, place: tuple[float, float] | None) -> NodeRecord:
        """Return a node report.

        Args:
            utc: of the position [s].
            place: x, y from the datum [m]; None without a datum.
        """
        x, y = place or (None, None)
        heading = self.course if self.heading is None else self.heading
        named = {"SHIPNAME": self.name} if self.name else {}
        return NodeRecord(
            name=f"AIS_{self.mmsi:09d}",
            x=x,
            y=y,
            lat=self.lat,
            lon=self.lon,
            speed=self.speed,
            heading=heading,
            cog=self.course,
            type="ship",
            vsource="ais",
            time=utc,
            length=self.length,
            beam=self.beam,
            properties=named,
        )


def derived_mmsi(name: str) -> int:
    """Return an MMSI for a vessel that has none, the same for the same name."""
    return UNASSIGNED + crc32(name.lower().encode()) % 1_000_000


def interval(station: Station, kind: str) -> float:
    """Return the reporting interval of positions [s] of a class at this speed.

    Source: ITU-R M.1371-5, tables 1 and 2, vessels that keep their course.
    """
    knots = (station.speed or 0.0) / KNOT
    if kind == CLASS_B:
        return 30.0 if knots > 2.0 else 180.0
    return next(every for above, every in _INTERVALS if knots > above or not above)


def position(station: Station, utc: float, kind: str, *, own: bool) -> list[bytes]:
    """Return the sentences of a position report (type 1 or 18), each with its end of line."""
    second = datetime.fromtimestamp(utc, UTC).second
    message = {
        "msg_type": 1 if kind == CLASS_A else 18,
        "mmsi": station.mmsi,
        "lat": NO_LAT if station.lat is None else station.lat,
        "lon": NO_LON if station.lon is None else station.lon,
        "speed": NO_SPEED if station.speed is None else _knots(station.speed),
        "course": NO_COURSE if station.course is None else round(station.course, 1) % 360.0,
        "heading": NO_HEADING if station.heading is None else round(station.heading) % 360,
        "second": second,
    }
    under_way = {"status": 0, "maneuver": 0}
    return _encoded({**message, **under_way} if kind == CLASS_A else message, own=own)


def static(station: Station, kind: str, *, own: bool) -> list[bytes]:
    """Return the sentences of name and size (type 5, or both parts of type 24)."""
    half = min(round((station.length or 0.0) / 2), LONGEST)
    side = min(round((station.beam or 0.0) / 2), WIDEST)
    size = {"to_bow": half, "to_stern": half, "to_port": side, "to_starboard": side}
    name = {"mmsi": station.mmsi, "shipname": _letters(station.name)}
    ship = {**size, "ship_type": PLEASURE_CRAFT}
    if kind == CLASS_A:
        return _encoded({"msg_type": 5, **name, **ship}, own=own)
    parts = {"partno": 0, **name}, {"partno": 1, "mmsi": station.mmsi, **ship}
    return [text for part in parts for text in _encoded({"msg_type": 24, **part}, own=own)]


def _knots(speed: float) -> float:
    return min(round(abs(speed) / KNOT, 1), FASTEST)


def _letters(name: str) -> str:
    """Return a name in the six-bit alphabet."""
    upper = name.upper()[:LONGEST_NAME]
    return "".join(one if " " <= one < "`" else "?" for one in upper)


def _encoded(message: dict[str, Any], *, own: bool) -> list[bytes]:
    texts = encode_dict(message, talker_id="AI", sentence_type="VDO" if own else "VDM", seq_id=1)
    return [text.encode() + b"\r\n" for text in texts]


class Receiver:
    """Takes the AIS sentences of other stations.

    Name and size are kept of the ``MOST_STATIONS`` that were heard last.

    Attributes:
        rejected: why something was not taken -> how often.
    """

    def __init__(self) -> None:
        self._queue = NMEAQueue()
        self._stations: dict[int, Station] = {}
        self.rejected = Counts()

    def take(self, line: bytes) -> Iterator[Station]:
        """Take a sentence; yield the station whose position is complete with it."""
        if not _SHAPE.fullmatch(line.strip()):
            self.rejected["a line that is no AIS sentence"] += 1
            return
        try:
            if len(self._queue.buffer) >= MOST_PARTS:
                self._queue.buffer.clear()
            self._queue.put_line(line)
            while (sentence := self._queue.get_or_none()) is not None:
                if isinstance(sentence, AISSentence) and sentence.is_valid:
                    yield from self._taken(sentence.decode().asdict())
                else:
                    self.rejected["an AIS sentence with a wrong checksum"] += 1
        except (AISBaseException, ValueError, LookupError, TypeError, ArithmeticError):
            self.rejected["an AIS sentence that cannot be decoded"] += 1

    def _taken(self, message: dict[str, Any]) -> Iterator[Station]:
        mmsi = int(message["mmsi"])
        known = self._stations.pop(mmsi, None)
        if known is None:
            known = Station(mmsi)
            if len(self._stations) >= MOST_STATIONS:
                del self._stations[next(iter(self._stations))]
        kind = message["msg_type"]
        known = replace(known, **_static_fields(message))
        if kind in _POSITIONS:
            known = replace(known, **_motion(message))
        self._stations[mmsi] = known
        if kind in _POSITIONS and known.lat is not None and known.lon is not None:
            yield known


def _static_fields(message: dict[str, Any]) -> dict[str, Any]:
    """Return name and size, as far as a message (type 5, 19 or 24) contains them."""
    fields: dict[str, Any] = {}
    name = str(message.get("shipname") or "").strip()
    if name:
        fields["name"] = "".join(c if c.isalnum() or c in " -." else "_" for c in name)
    for key, ends in (("length", ("to_bow", "to_stern")), ("beam", ("to_port", "to_starboard"))):
        size = sum(int(message.get(end) or 0) for end in ends)
        if size:
            fields[key] = float(size)
    return fields


def _motion(message: dict[str, Any]) -> dict[str, Any]:
    """Return place and motion; None for what is marked as not available."""
    lat, lon = float(message["lat"]), float(message["lon"])
    speed, course = float(message["speed"]), float(message["course"])
    heading = float(message["heading"])
    is_placed = abs(lat) <= 90.0 and abs(lon) <= 180.0
    return {
        "lat": lat if is_placed else None,
        "lon": lon if is_placed else None,
        "speed": None if speed >= NO_SPEED - 0.05 else speed * KNOT,
        "course": course if course < NO_COURSE else None,
        "heading": heading if heading < 360.0 else None,
    }


class Transponder:
    """Reports this vessel and others, each at the intervals of its class.

    Args:
        kind: class A or B.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._positions: dict[int, float] = {}
        self._statics: dict[int, float] = {}

    def due(self, time: float, utc: float, vessels: Iterable[Placed]) -> Iterator[bytes]:
        """Yield the sentences that are due at a time [s].

        Args:
            vessels: report, MMSI, latitude, longitude [deg], whether it is this vessel.
        """
        for record, mmsi, lat, lon, own in vessels:
            if not own and (record.time is None or utc - record.time > SILENT):
                continue
            station = Station.of_report(record, mmsi, lat, lon)
            if self._is_due(self._positions, mmsi, time, interval(station, self._kind)):
                yield from position(station, utc, self._kind, own=own)
            if self._is_due(self._statics, mmsi, time, STATIC_INTERVAL):
                yield from static(station, self._kind, own=own)

    @staticmethod
    def _is_due(last: dict[int, float], mmsi: int, time: float, every: float) -> bool:
        if time < last.get(mmsi, float("-inf")) + every - TOLERANCE:
            return False
        last[mmsi] = time
        return True
