"""Index of a log: the file offsets of each variable's messages, for fast seeking to any time.

Only the offset of each message is kept. A time is looked up in a table of blocks, then in one
block; the last message of a variable before that offset is found by bisection. So a picture at any
time takes reading one block, and one line for each variable or drawing, however long the log is.
The index can be continued while the log is being written.
"""

from __future__ import annotations

import mmap
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from steerageway.moos.alog import (
    DATABASE,
    LATEST,
    Entry,
    parse_entry,
    part_path,
    read_banner,
    whole_lines,
)
from steerageway.moos.errors import FormatError
from steerageway.web.viewer.picture import MOST_DRAWINGS, RELEVANT, column_of, is_drawing
from steerageway.web.viewer.tracks import REPORT, Tracks, affects_trails

BY_HAND = (
    *("uPokeDB", "uTermCommand", "iRemote", "iRemoteLite", "uMACView", "pMarineViewer"),
    *("viewer", "pMarineCommander"),
)  # programs that post for people
BLOCK = 1 << 16  # bytes between entries of the time table
LONGEST_HEAD = 400  # characters before a message's source
CHUNK = 1 << 20  # bytes read at once
FIRST_LINES = 1000  # lines of a log that are searched for its database's first message
PACKED = ".gz"
CASE = "%% CASE"
REPORTS = b"NODE_REPORT"
_REPORT = re.compile(REPORT.pattern.encode())
_CASE_TIME = re.compile(rb"%% CASE .*time=([-\d.]+)")
_DATABASE = re.compile(rb"^[-\d.]+\s+\S+\s+" + DATABASE.encode() + rb"(\S+)", re.MULTILINE)
Progress = Callable[[float], None]


class Cut(NamedTuple):
    """An offset in a log before which all messages are no later than a time.

    Attributes:
        place: the offset [bytes]. time: of the last message before it [s since LOGSTART].
    """

    place: int
    time: float


class LogIndex:
    """The index of one log; ``read_on`` builds and continues it.

    Attributes:
        path: of the log.
        data: the file that is read: the log itself, or the file it was unpacked to.
        start: UTC of its time zero [s].
        marks: whether its values carry type marks.
        community: of the log; the file's name if the log does not contain it.
        first, last: times of its first and last message [s since LOGSTART].
        places: variable, as bytes of the log -> offsets of its messages.
        columns: column of a picture (see ``picture.column_of``) -> offsets of its messages.
        cases: offsets at which cases begin. case_times: their times [s since LOGSTART].
        by_hand: offsets of messages of programs that post for people (``BY_HAND``).
        tracks: of its vessels, in seconds since LOGSTART.
        done: how far it has been read [bytes].
    """

    def __init__(self, path: Path, scratch: Path | None = None) -> None:
        """Create an empty index; only the log's banner is read.

        Args:
            path: of the log.
            scratch: a folder into which ``read_on`` unpacks a log that is compressed or in parts;
                it must exist as long as the index is used.

        Raises:
            FormatError: the log cannot be read, or must be unpacked and ``scratch`` is None.
        """
        banner = read_banner(path)
        self.path, self.start, self.marks = path, banner.start, banner.marks
        self.data = path
        if path.suffix == PACKED or part_path(path, 2).exists():
            if scratch is None:
                expected = "expected a log that is not compressed or in parts"
                raise FormatError(str(path), "", "", expected)
            self.data = Path(mkdtemp(dir=scratch)) / path.name.removesuffix(PACKED)
        self.community = _community_in(path)
        self.first: float | None = None
        self.last = 0.0
        self.places: dict[bytes, array[int]] = {}
        self.columns: dict[str, array[int]] = {}
        self.cases, self.case_times = array("Q"), array("d")
        self.by_hand = array("Q")
        self.tracks = Tracks()
        self.done = 0
        self._read: set[bytes] = set()
        self._reported: dict[bytes, tuple[str, array[int]]] = {}
        self._block_places, self._block_times = array("Q"), array("d")
        is_short = self.data == path and path.stat().st_size < 1 << 31
        self._kind = "I" if is_short else "Q"

    def read_on(self, progress: Progress | None = None) -> int:
        """Index what has been added to the log; an incomplete last line is left for later.

        Args:
            progress: called with the fraction of the file that is done.

        Returns: the number of bytes read.
        Raises:
            FormatError: the log cannot be read.
        """
        began = self.done
        try:
            if not self.data.exists():
                self._unpack()
            with self.data.open("rb") as file:
                size = max(1, file.seek(0, 2))
                file.seek(self.done)
                while chunk := file.read(CHUNK):
                    whole = chunk.rfind(b"\n") + 1
                    if not whole:
                        if len(chunk) < CHUNK:
                            break
                        chunk += file.readline()  # one line that is longer than a chunk
                        whole = len(chunk)
                    self._index(chunk[:whole])
                    file.seek(self.done)
                    if progress is not None:
                        progress(min(1.0, self.done / size))
        except OSError as error:
            raise FormatError(str(self.path), "", "", f"expected a log: {error}") from error
        return self.done - began

    def cut(self, time: float) -> Cut:
        """Return the offset behind all messages that are no later than a time.

        Args:
            time: [s since LOGSTART].
        """
        if self.first is None or time < self.first:
            return Cut(0, time)
        if time >= self.last:
            return Cut(self.done, self.last)
        block = bisect_right(self._block_times, time) - 1
        place = self._block_places[block] if block >= 0 else 0
        latest = self._block_times[block] if block >= 0 else self.first
        with self.data.open("rb") as file:
            file.seek(place)
            for line in file:
                stamp = _stamp(line)
                if stamp is not None and stamp > time:
                    break
                if stamp is not None and stamp > latest:
                    latest = stamp
                place += len(line)
        return Cut(min(place, self.done), latest)

    def entries(self, places: Iterator[int] | list[int]) -> Iterator[Entry]:
        """Read the messages at some offsets; lines that are no message are skipped."""
        with self.data.open("rb") as file:
            size = file.seek(0, 2)
            if not size:
                return
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                for place in places:
                    entry = self._entry(data, place)
                    if entry is not None:
                        yield entry

    def last_places(self, cut: Cut) -> dict[bytes, int]:
        """Return the offset of each variable's last message before a cut, in the same case."""
        found, begun = {}, self._case_before(cut)
        for name, places in self.places.items():
            index = bisect_left(places, cut.place)
            if index and places[index - 1] >= begun:
                found[name] = places[index - 1]
        return found

    def picture_places(self, cut: Cut, since: int = 0) -> list[int]:
        """Return the offsets of the messages that make up the picture at a cut, in order.

        Args:
            cut: the time and offset.
            since: offset up to which messages have been taken already.
        """
        begun = self._case_before(cut)
        low = max(since, begun)
        found: list[int] = []
        drawn: list[int] = []
        for column, places in self.columns.items():
            index = bisect_left(places, cut.place)
            if not index or places[index - 1] < low:
                continue
            first = bisect_left(places, low) if column.endswith("*") else index - 1
            (drawn if is_drawing(column) else found).extend(places[first:index])
        # A picture forgets all but the latest drawings; one more shows it that there were more.
        drawn.sort()
        return sorted([*found, *drawn[-MOST_DRAWINGS - 1 :]])

    def case_between(self, since: int, place: int) -> bool:
        """Whether a case begins between two offsets."""
        return bisect_left(self.cases, since) != bisect_left(self.cases, place)

    def values_of(self, name: str, low: float, high: float) -> Iterator[Entry]:
        """Read a variable's messages between two times [s since LOGSTART]."""
        places = self.places.get(name.encode())
        if places is None:
            return
        begin = bisect_left(places, self.cut(low).place) if low > (self.first or 0.0) else 0
        end = bisect_left(places, self.cut(high).place) if high < self.last else len(places)
        # ``cut`` is behind messages at ``low`` itself, so the one before may belong to the span.
        for entry in self.entries(list(places[max(0, begin - 1) : end])):
            if entry.time >= low:
                yield entry

    def _unpack(self) -> None:
        """Write a log that is compressed or in parts to one file, with offsets to seek."""
        try:
            with self.data.open("wb") as plain:
                plain.writelines(whole_lines(self.path))
        except OSError as error:
            self.data.unlink(missing_ok=True)
            expected = f"expected room to unpack it in {self.data.parent}: {error.strerror}"
            raise FormatError(str(self.path), "", "", expected) from error

    def _case_before(self, cut: Cut) -> int:
        index = bisect_left(self.cases, cut.place)
        return self.cases[index - 1] if index else 0

    def _entry(self, data: mmap.mmap, place: int) -> Entry | None:
        line = data[place : data.find(b"\n", place)].decode("utf-8", "backslashreplace")
        try:
            return parse_entry(line, marks=self.marks)
        except FormatError:
            return None

    def _index(self, chunk: bytes) -> None:
        """Index complete lines."""
        place, latest, known = self.done, self.last, self.places
        due = self._block_places[-1] + BLOCK if self._block_places else 0
        # Only time and name of a line are read here, the latter as bytes: this loop sees every
        # message of a log. Times need not increase from line to line: ``latest`` is the greatest.
        for line in chunk.splitlines(keepends=True):
            head = line.split(None, 3)
            try:
                stamp = float(head[0])
                name = head[1]
                if not abs(stamp) <= LATEST:
                    raise ValueError(stamp)
            except (ValueError, IndexError):
                self._note(line, place)
                place += len(line)
                continue
            if self.first is None:
                self.first = latest = stamp
            if place >= due:
                self._block_places.append(place)
                self._block_times.append(latest)
                due = place + BLOCK
            if stamp > latest:
                latest = stamp
            places = known.get(name)
            if places is None:
                places = self._begin(name)
            places.append(place)
            if name in self._read and not (
                name == REPORTS and self._take_report(head[-1], stamp, place)
            ):
                self._draw(name.decode("utf-8", "backslashreplace"), line, place)
            place += len(line)
        self._note_by_hand(chunk)
        self.done, self.last = place, latest

    def _note_by_hand(self, chunk: bytes) -> None:
        """Note the messages of people's programs; most chunks have none, which is seen fast."""
        found = set()
        for source in BY_HAND:
            word = f" {source} ".encode()
            at = chunk.find(word)
            while at >= 0:
                start = chunk.rfind(b"\n", 0, at) + 1
                if at - start < LONGEST_HEAD and len(chunk[start:at].split()) == 2:
                    found.add(self.done + start)
                at = chunk.find(word, at + 1)
        self.by_hand.extend(sorted(found))

    def _take_report(self, value: bytes, time: float, place: int) -> bool:
        """Index a node report of the usual form; return whether it is of this form."""
        found = None if self.marks else _REPORT.match(value)
        if found is None:
            return False
        raw, x, y = found.groups()
        known = self._reported.get(raw)
        if known is None:
            name = raw.decode()
            column = self.columns.setdefault(f"NODE_REPORT {name}", array(self._kind))
            known = self._reported[raw] = name, column
        known[1].append(place)
        self.tracks.take_reported(known[0], float(x), float(y), time)
        return True

    def _begin(self, raw: bytes) -> array[int]:
        """Begin the list of a variable's offsets."""
        name = raw.decode("utf-8", "backslashreplace")
        places = self.places[raw] = array(self._kind)
        column = column_of(name, "")
        if column == name:
            self.columns[column] = places
        if (column != name and name in RELEVANT) or affects_trails(name):
            self._read.add(raw)
        return places

    def _draw(self, name: str, line: bytes, place: int) -> None:
        """Index a message whose value determines its column, or that belongs to a trail."""
        try:
            text = line.decode("utf-8", "backslashreplace")
            entry = parse_entry(text, marks=self.marks)
        except FormatError:
            return
        column = column_of(name, entry.value)
        if column not in (None, name):
            self.columns.setdefault(column, array(self._kind)).append(place)
        if affects_trails(name):
            self.tracks.take(self.community, name, entry.value, entry.time)

    def _note(self, line: bytes, place: int) -> None:
        """Handle a line that is not a message: only the beginning of a case matters."""
        found = _CASE_TIME.match(line)
        if found is not None:
            self.cases.append(place)
            self.case_times.append(float(found[1]))
            self.tracks.cut(float(found[1]))


def _community_in(path: Path) -> str:
    """Return the community named by the first messages of a log's database, else by the file."""
    begin = b"".join(islice(whole_lines(path), FIRST_LINES))
    found = _DATABASE.search(begin)
    return found[1].decode("utf-8", "replace") if found else path.name.partition(".")[0]


def _stamp(line: bytes) -> float | None:
    """Return the time of a message or of a case's beginning; None for any other line."""
    found = _CASE_TIME.match(line)
    try:
        return float(found[1] if found is not None else line[: line.index(b" ")])
    except ValueError:
        return None
