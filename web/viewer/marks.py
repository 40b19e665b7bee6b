"""Marks on the time line: changes of mode, warnings, posts by hand, alerts, collisions, lives.

They are made from messages, of a live run as they arrive or of its logs, and from the posts from
outside that a run keeps in ``inputs.jsonl``. No I/O but reading that file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from steerageway.bus import INPUTS_FILE, NANO
from steerageway.declarations import json_of
from steerageway.web.viewer.block import ViewerBlock
from steerageway.web.viewer.log_set import LogSet

MOST_MARKS = 20_000  # of a source: the first ones, and one that says that there are more
LONGEST_TEXT = 300  # characters
LARGEST_INPUTS = 64 << 20  # bytes of inputs that are read
# Variables whose changes are marks, and those of which every message is one.
_CHANGES = {
    "IVPHELM_STATE": "mode",
    "MODE": "mode",
    "IVPHELM_ALLSTOP": "all-stop",
    "IVPHELM_BHV_ACTIVE": "active",
    "CONTACTS_ALERTED": "alert",
    "COLLISION_TOTAL": "collision",
    "NEAR_MISS_TOTAL": "near miss",
    "USM_AGROUND": "aground",
    "GEOFENCE_BREACH": "breach",
    "WORLD_BREACH": "breach",
}
_EACH = {
    "IVPHELM_LIFE_EVENT": "behavior",
    "BHV_WARNING": "warning",
    "BHV_ERROR": "error",
    "IVPHELM_BHVSET_WARNING": "warning",
    "IVPHELM_SKEW": "warning",
    "CONTACT_MGR_WARNING": "warning",
    "LOAD_WARNING": "warning",
}
VARIABLES = (*_CHANGES, *_EACH)
_QUIET = {
    "USM_AGROUND": "false",
    "IVPHELM_ALLSTOP": "clear",
    **dict.fromkeys(("COLLISION_TOTAL", "NEAR_MISS_TOTAL"), "0"),
}  # first values that are no marks
_ALERT = re.compile(r"\(([^(),]*),([^()]*)\)")
_LIFE = re.compile(r"bname=([^,]*),.*?event=([^,]*)(?:,seed=([^,]*))?")


class Mark(NamedTuple):
    """A mark: time [s], community ("" for the whole run), kind, text."""

    t: float
    community: str
    kind: str
    text: str


class Marks:
    """The marks of a source, in the order of their messages.

    Attributes:
        all: the marks so far.
    """

    def __init__(self) -> None:
        self.all: list[Mark] = []
        self._last: dict[tuple[str, str], str] = {}

    def take(self, community: str, name: str, value: object, time: float) -> None:
        """Apply a message; most are no mark."""
        kind = _CHANGES.get(name) or _EACH.get(name)
        if kind is None or isinstance(value, bytes):
            return
        text = f"{value:g}" if isinstance(value, float) else str(value)
        key = community, name
        if name in _CHANGES or kind in ("warning", "error"):
            before = self._last.get(key)
            if before == text:
                return
            self._last[key] = text
            if before is None and text == _QUIET.get(name):
                return
        else:
            before = None
        for one in self._texts(community, name, text, before):
            self.add(time, community, kind, one)

    def add(self, time: float, community: str, kind: str, text: str) -> None:
        """Add a mark."""
        if len(self.all) < MOST_MARKS:
            self.all.append(Mark(round(time, 6), community, kind, text[:LONGEST_TEXT]))
        elif len(self.all) == MOST_MARKS:
            more = f"the first {MOST_MARKS} events are listed"
            self.all.append(Mark(round(time, 6), "", "warning", more))

    def begin_case(self, time: float, number: int) -> None:
        """Begin a case."""
        self._last.clear()
        self.add(time, "", "case", f"case {number} begins")

    def _texts(self, community: str, name: str, text: str, before: str | None) -> Iterator[str]:
        """Yield the texts of a message's marks."""
        if name in ("IVPHELM_STATE", "MODE"):
            state, mode = (
                self._last.get((community, one), "") for one in ("IVPHELM_STATE", "MODE")
            )
            yield f"{state} {mode}".strip()
        elif name == "IVPHELM_BHV_ACTIVE":
            yield text.replace(",", ", ") or "no behavior is active"
        elif name == "CONTACTS_ALERTED":
            was, now = (dict.fromkeys(_ALERT.findall(one)) for one in (before or "", text))
            yield from (
                f"{contact}: {alert} on" for contact, alert in now if (contact, alert) not in was
            )
            yield from (
                f"{contact}: {alert} off" for contact, alert in was if (contact, alert) not in now
            )
        elif name == "IVPHELM_LIFE_EVENT":
            found = _LIFE.search(text)
            if found is None or found[3] == "helm_startup":
                return
            yield f"{found[1]} {_LIVES.get(found[2], found[2])}"
        elif name.endswith("_TOTAL"):
            yield f"number {text}"
        else:
            yield text


_LIVES = {"death": "has ended", "spawn": "begins", "abort": "could not begin"}


def marks_of(logs: LogSet, folder: Path | None, blocks: Sequence[ViewerBlock]) -> Marks:
    """Return the marks of logs.

    Args:
        logs: of a run.
        folder: of the run, where its posts from outside are; None for none.
        blocks: of the mission's viewers, whose buttons are named.
    """
    events: list[tuple[float, int, str, str, object]] = []
    for community, index in logs.indexes.items():
        places = sorted(
            place for name in VARIABLES for place in index.places.get(name.encode(), ())
        )
        for order, entry in enumerate(logs.entries(community, places)):
            events.append((entry.time, order, community, entry.name, entry.value))
        for number, time in enumerate(logs.case_times(community)):
            events.append((time, -1, community, "", float(number)))
    marks, begun = Marks(), -1
    for time, _, community, name, value in sorted(events, key=lambda event: event[:3]):
        if name:
            marks.take(community, name, value, time)
        elif isinstance(value, float) and value > begun:
            begun = int(value)
            marks.begin_case(time, begun)
    posts = Inputs(folder, blocks) if folder is not None else None
    kept = posts is not None and posts.exists
    for mark in posts.read_on() if posts is not None and kept else _by_hand(logs, blocks):
        marks.add(*mark)
    marks.all.sort(key=lambda mark: mark.t)
    return marks


def _by_hand(logs: LogSet, blocks: Sequence[ViewerBlock]) -> Iterator[Mark]:
    """Yield the posts of people's programs in logs."""
    labels = _labels(blocks)
    for community, index in logs.indexes.items():
        for entry in logs.entries(community, index.by_hand):
            yield _posted(entry.time, community, entry.name, entry.value, entry.source, labels)


class Inputs:
    """The posts from outside that a run keeps, read as far as they are written.

    Args:
        folder: of the run.
        blocks: of the mission's viewers, whose buttons are named.
    """

    def __init__(self, folder: Path, blocks: Sequence[ViewerBlock]) -> None:
        self._path = folder / INPUTS_FILE
        self._labels = _labels(blocks)
        self._done = 0

    @property
    def exists(self) -> bool:
        """Whether there is such a file."""
        return self._path.is_file()

    def read_on(self) -> list[Mark]:
        """Return the marks of the posts written since the last call."""
        try:
            size = self._path.stat().st_size
            if size <= self._done or size > LARGEST_INPUTS:
                return []
            with self._path.open("rb") as file:
                file.seek(self._done)
                text = file.read(size - self._done)
        except OSError:
            return []  # no post yet: the file is made with the first
        whole = text.rfind(b"\n") + 1
        self._done += whole
        found = (self._mark(line) for line in text[:whole].splitlines())
        return [mark for mark in found if mark is not None]

    def _mark(self, line: bytes) -> Mark | None:
        """Return the mark of a line; None for a case, or a line that is no post."""
        try:
            post = json_of(line)
            time, name = float(post["instant"]) / NANO, str(post["name"])
            community, source = str(post["community"]), str(post.get("source", ""))
        except (ValueError, TypeError, KeyError, OverflowError):
            return None
        return _posted(time, community, name, post.get("value"), source, self._labels)


def _labels(blocks: Iterable[ViewerBlock]) -> dict[tuple[str, str, str], str]:
    """Return community, variable and value of the posts of all buttons -> the button's label."""
    found: dict[tuple[str, str, str], str] = {}
    for block in blocks:
        for choice in (*block.buttons.values(), *block.actions):
            for name, value in choice.values({}):
                found.setdefault((block.community, name, _text(value)), choice.label)
    return found


def _posted(
    time: float,
    community: str,
    name: str,
    value: object,
    source: str,
    labels: Mapping[tuple[str, str, str], str],
) -> Mark:
    label = labels.get((community, name, _text(value)))
    text = f"{name} = {_text(value)}"
    if label is not None:
        return Mark(time, community, "button", f"{label}: {text} ({source})"[:LONGEST_TEXT])
    return Mark(time, community, "poke", f"{text} ({source})"[:LONGEST_TEXT])


def _text(value: object) -> str:
    if isinstance(value, (int, float)):
        return f"{value:g}"
    return "bytes" if isinstance(value, (dict, bytes)) else str(value)
