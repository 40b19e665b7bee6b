"""Recordings of traffic: MarineCadastre's tables, sentences with time tags, bags of ROS 2."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from steerageway.bridges.ais_traffic.bags import NotABag, reports_of
from steerageway.bridges.conversions import KNOT
from steerageway.bridges.nmea.ais import NO_COURSE, NO_HEADING, NO_SPEED, Receiver, Station
from steerageway.declarations import Number, Whole

HIGHEST_MMSI = 999_999_999
LONGEST = 1023.0  # above what AIS tells of a length or breadth [m]
MOST_REPORTS = 1_000_000  # in the area; more would fill the memory
_TAG = re.compile(rb"\\(?:[^\\]*,)?c:(\d{1,13})[,*]")  # NMEA 4.10: UTC [s], of some receivers [ms]
_MILLISECONDS = 10**11
LONGEST_LINE = 1 << 16  # bytes or characters; longer ones are read in pieces, and left out

Report = tuple[float, Station]  # UTC [s], and what was reported then
Wanted = Callable[[Station], bool]


class RecordingError(ValueError):
    """A file is no recording of AIS; the text says where, and what is expected."""


class Recording:
    """The position reports of a file, by station and in the order of time.

    Args:
        path: of the file; a name that ends with .csv is a table, a folder a bag of ROS 2.
        wanted: whether a report is in the area.

    Attributes:
        reports: MMSI -> reports.
        left_out: why rows or sentences were left out -> how many.
    Raises:
        RecordingError: it cannot be read, or contains no report.
    """

    def __init__(self, path: Path, wanted: Wanted) -> None:
        self._path = path
        self.left_out: Counter[str] = Counter()
        self.reports: dict[int, list[Report]] = {}
        count = 0
        for time, station in self._read():
            if station.lat is None or not wanted(station):
                continue
            count += 1
            if count > MOST_REPORTS:
                raise RecordingError(f"{path}: expected at most {MOST_REPORTS} reports in range")
            self.reports.setdefault(station.mmsi, []).append((time, station))
        if not count:
            raise RecordingError(f"{path}: no position report in range{self._reasons()}")
        for reports in self.reports.values():
            reports.sort(key=lambda report: report[0])

    @property
    def begin(self) -> float:
        """UTC of the first report [s]."""
        return min(reports[0][0] for reports in self.reports.values())

    def _reasons(self) -> str:
        return "".join(f"; {count} {why}" for why, count in self.left_out.items())

    def _read(self) -> Iterator[Report]:
        try:
            if self._path.suffix.lower() == ".mcap" or self._path.is_dir():
                yield from reports_of(self._path)
            elif self._path.exists() and not self._path.is_file():  # a device never ends
                raise RecordingError(f"{self._path}: expected a file, or a bag's folder")
            elif self._path.suffix.lower() == ".csv":
                with self._path.open(newline="", encoding="utf-8", errors="replace") as text:
                    yield from self._rows(iter(lambda: text.readline(LONGEST_LINE), ""))
            else:
                with self._path.open("rb") as data:
                    yield from self._sentences(iter(lambda: data.readline(LONGEST_LINE), b""))
        except OSError as error:
            raise RecordingError(f"{self._path}: {error.strerror}") from error
        except (csv.Error, NotABag) as error:
            raise RecordingError(f"{self._path}: {error}") from error

    def _sentences(self, lines: Iterable[bytes]) -> Iterator[Report]:
        receiver, time = Receiver(), None
        for line in lines:
            tag = _TAG.match(line)
            if tag is not None:
                number = int(tag[1])
                time = number / 1000.0 if number > _MILLISECONDS else float(number)
            start = line.find(b"!")
            if start < 0 or len(line) > 1000:
                continue
            for station in receiver.take(line[start:].strip()):
                if time is None:
                    self.left_out["sentences before the first time tag (\\c:SECONDS*HH\\)"] += 1
                else:
                    yield time, station
        self.left_out += receiver.rejected

    def _rows(self, text: Iterable[str]) -> Iterator[Report]:
        rows = csv.DictReader(text)
        columns = {_plain(name): name for name in rows.fieldnames or () if name}
        missing = [name for name in ("mmsi", "basedatetime", "lat", "lon") if name not in columns]
        if "longitude" in columns and "latitude" in columns:
            columns |= {"lat": columns["latitude"], "lon": columns["longitude"]}
            missing = [name for name in missing if name not in columns]
        if missing:
            expected = "expected columns MMSI, BaseDateTime, LAT, LON in its first line"
            raise RecordingError(f"{self._path}:1: {expected}, and found no {', '.join(missing)}")
        for row in rows:
            try:
                yield _report({plain: row[name] for plain, name in columns.items()})
            except (ValueError, TypeError, AttributeError, OverflowError):
                self.left_out["rows with unreadable numbers or dates"] += 1


def _plain(name: str) -> str:
    """Return a column's name as both of MarineCadastre's formats spell it: ``BaseDateTime``."""
    return re.sub(r"[^a-z]", "", name.lower())


def _report(row: Mapping[str, str]) -> Report:
    lat, lon = Number(-90.0, 90.0)(row["lat"]), Number(-180.0, 180.0)(row["lon"])
    time = datetime.fromisoformat(row["basedatetime"].strip())
    speed = _available(row, "sog", NO_SPEED)
    station = Station(
        Whole(0, HIGHEST_MMSI)(row["mmsi"]),
        (row.get("vesselname") or "").strip(),
        lat,
        lon,
        None if speed is None else speed * KNOT,
        _available(row, "cog", NO_COURSE),
        _available(row, "heading", NO_HEADING),
        _available(row, "length", LONGEST) or None,
        _available(row, "width", LONGEST) or None,
    )
    utc = time if time.tzinfo else time.replace(tzinfo=UTC)
    return utc.timestamp(), station


def _available(row: Mapping[str, str], column: str, none: float) -> float | None:
    """Return a number; None if it is missing, or the one that stands for "not available"."""
    text = (row.get(column) or "").strip()
    if text.lower() in ("", "nan"):
        return None
    value = Number()(text)
    return value if 0.0 <= value < none else None
