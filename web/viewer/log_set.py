"""Logs of all communities of a run as one source of pictures, values and trails, in run time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import NamedTuple

from steerageway.apps.shared.log_files import logs_at
from steerageway.bus import any_matches
from steerageway.declarations import json_of
from steerageway.moos.alog import Entry
from steerageway.moos.errors import FormatError
from steerageway.web.viewer.log_index import Cut, LogIndex
from steerageway.web.viewer.picture import Picture
from steerageway.web.viewer.tracks import Track

RUN_FILE = "run.json"
_UP = 3  # folders above a log that are searched for its run file
DIGITS = 6  # decimals of times; a log has five


class Value(NamedTuple):
    """A variable's message with its community."""

    community: str
    name: str
    value: object
    time: float
    source: str
    aux: str


class LogSet:
    """The indexed logs of a run.

    Args:
        indexes: of its logs, read at least in part.
        epoch: UTC of the run's time zero [s].

    Attributes:
        indexes: community -> its log.
    """

    def __init__(self, indexes: Sequence[LogIndex], epoch: float) -> None:
        self.epoch = epoch
        self.indexes: dict[str, LogIndex] = {}
        for index in indexes:
            name, number = index.community, 2
            while name in self.indexes:
                name, number = f"{index.community}_{number}", number + 1
            self.indexes[name] = index

    @property
    def communities(self) -> list[str]:
        """The names of the communities."""
        return list(self.indexes)

    @property
    def span(self) -> tuple[float, float]:
        """The times of the first and the last message [s]."""
        heard = [i for i in self.indexes.values() if i.first is not None]
        if not heard:
            return 0.0, 0.0
        first = min(self._shift(index) + (index.first or 0.0) for index in heard)
        return round(first, DIGITS) + 0.0, round(max(self.end_of(h) for h in self.indexes), DIGITS)

    @property
    def covered(self) -> float:
        """The time up to which every log has been read [s]."""
        return min((self.end_of(community) for community in self.indexes), default=-inf)

    def end_of(self, community: str) -> float:
        """Return the time up to which a log has been read [s]."""
        index = self.indexes[community]
        return round(self._shift(index) + index.last, DIGITS)

    @property
    def done(self) -> int:
        """Number of bytes of the logs that have been read."""
        return sum(index.done for index in self.indexes.values())

    def read_on(self) -> None:
        """Read what has been added to the logs."""
        for index in self.indexes.values():
            index.read_on()

    def local(self, community: str, time: float) -> float:
        """Convert a time of the run to that of a community's log [s since LOGSTART]."""
        return round(time - self._shift(self.indexes[community]), DIGITS)

    def entries(self, community: str, places: Iterable[int]) -> Iterator[Entry]:
        """Read messages at some offsets of a log, with times of the run."""
        index = self.indexes[community]
        shift = self._shift(index)
        for entry in index.entries(iter(places)):
            yield entry._replace(time=round(entry.time + shift, DIGITS))

    def values(self, time: float, patterns: Sequence[str]) -> Iterator[Value]:
        """Yield the last message, at a time, of each variable that matches a pattern.

        Args:
            time: [s].
            patterns: of names, optionally with ``COMMUNITY:`` before them.
        """
        for community, index in self.indexes.items():
            mine = [name for name in (names_for(text, community) for text in patterns) if name]
            if not mine:
                continue
            last = index.last_places(index.cut(self.local(community, time)))
            places = sorted(at for name, at in last.items() if any_matches(mine, name.decode()))
            for entry in self.entries(community, places):
                yield Value(community, entry.name, entry.value, entry.time, entry.source, entry.aux)

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield community and name of every variable."""
        for community, index in self.indexes.items():
            for name in sorted(index.places):
                yield community, name.decode("utf-8", "backslashreplace")

    def history(self, community: str, name: str, low: float, high: float) -> Iterator[Entry]:
        """Yield a variable's messages between two times [s]."""
        index = self.indexes[community]
        shift = self._shift(index)
        for entry in index.values_of(name, low - shift, high - shift):
            yield entry._replace(time=round(entry.time + shift, DIGITS))

    def case_times(self, community: str) -> list[float]:
        """Return the times at which cases begin [s]."""
        index = self.indexes[community]
        return [round(time + self._shift(index), DIGITS) for time in index.case_times]

    def tracks(self) -> dict[str, Track]:
        """Return all vessels' trails: from a vessel's own log, else the longest in other logs."""
        found: dict[str, Track] = {}
        for community, index in self.indexes.items():
            for name, track in index.tracks.of.items():
                is_own = name in index.tracks.own
                other = found.get(community if is_own else name)
                if is_own:
                    found[community] = track.shifted(self._shift(index))
                elif name not in self.indexes and (other is None or len(track) > len(other)):
                    found[name] = track.shifted(self._shift(index))
        return found

    def cuts(self, time: float) -> dict[str, Cut]:
        """Return the cut of each log at a time."""
        return {h: i.cut(self.local(h, time)) for h, i in self.indexes.items()}

    def _shift(self, index: LogIndex) -> float:
        return index.start - self.epoch


class Player:
    """Player of a run's logs: a picture that can be moved to any time.

    Attributes:
        logs: the logs.
        picture: at the time sought last; a new object after a move back.
    """

    def __init__(self, logs: LogSet) -> None:
        self.logs = logs
        self._begin()

    def _begin(self) -> None:
        self.picture = Picture(self.logs.communities, self.logs.epoch)
        self._at = dict.fromkeys(self.logs.communities, 0)

    def seek(self, time: float) -> None:
        """Move the picture to a time [s]; a move back rebuilds it."""
        cuts = self.logs.cuts(time)
        if time < self.picture.time or any(
            self.logs.indexes[community].case_between(self._at[community], cut.place)
            for community, cut in cuts.items()
        ):
            self._begin()
        for community, cut in cuts.items():
            places = self.logs.indexes[community].picture_places(cut, self._at[community])
            for entry in self.logs.entries(community, places):
                self.picture.take(community, entry.name, entry.value, entry.time)
            self._at[community] = cut.place
        self.picture.advance(time)


def names_for(pattern: str, community: str) -> str:
    """Return a pattern without its community, "" if it is for another; as ``henry:NAV_*``."""
    place, colon, rest = pattern.partition(":")
    if not colon:
        return pattern
    return rest if place in (community, "*") else ""


def open_logs(path: Path, scratch: Path | None = None) -> list[LogIndex]:
    """Return empty indexes of a log, or of all logs in a run's folder.

    Args:
        path: a log, or a run's folder.
        scratch: a folder into which compressed logs are unpacked.
    Raises:
        FormatError: there is no log, or it cannot be read.
    """
    if not path.exists():
        raise FormatError(
            str(path), "", "", "expected a log or a run's folder; there is no such path"
        )
    return [LogIndex(log, scratch) for log in logs_at(path)]


def folder_of(path: Path) -> Path | None:
    """Return the folder of a log's run, in which its run file is; None if there is none."""
    return next(iter(_run_files(path)), (None, {}))[0]


def run_of(path: Path) -> dict[str, object]:
    """Return the contents of the run file of a log's run; {} if there is none."""
    return next(iter(_run_files(path)), (None, {}))[1]


def homes_of(path: Path) -> dict[str, Path]:
    """Return the folders of the mission files that a logged run was launched from."""
    files = run_of(path).get("files")
    if not isinstance(files, dict):
        return {}
    return {str(name): Path(str(file)).parent for name, file in files.items()}


def _run_files(path: Path) -> Iterator[tuple[Path, dict[str, object]]]:
    for folder in (path, *path.resolve().parents)[: _UP + 1]:
        try:
            about = json_of((folder / RUN_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(about, dict):
            yield folder, about


def epoch_of(path: Path, indexes: Sequence[LogIndex]) -> float:
    """Return UTC of a run's time zero [s]: from its run file, else of its earliest log."""
    epoch = run_of(path).get("epoch")
    if isinstance(epoch, (int, float)):
        return float(epoch)
    return min((index.start for index in indexes), default=0.0)


def read_logs(path: Path) -> LogSet:
    """Index a log, or all logs of a run; see ``open_logs`` and ``read_all``."""
    return read_all(path, open_logs(path))


def read_all(
    path: Path, indexes: Sequence[LogIndex], progress: Callable[[float], None] | None = None
) -> LogSet:
    """Read the logs of a run into its indexes.

    Args:
        path: a log, or a run's folder.
        indexes: of its logs.
        progress: called with the fraction that is done.
    Raises:
        FormatError: a log cannot be read.
    """
    for number, index in enumerate(indexes):

        def report(share: float, number: int = number) -> None:
            if progress is not None:
                progress((number + share) / len(indexes))

        index.read_on(report)
    return LogSet(indexes, epoch_of(path, indexes))


def sampled(entries: Iterable[Entry]) -> tuple[array[float], list[float | str]]:
    """Return times and values of messages as two columns."""
    times: array[float] = array("d")
    values: list[float | str] = []
    for entry in entries:
        times.append(entry.time)
        values.append(entry.value)
    return times, values
