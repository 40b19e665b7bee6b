"""Comparison of two logs, message by message."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from steerageway.moos.alog import Entry, parse_entry, read_banner, whole_lines


class Side(NamedTuple):
    """The message of one of two logs where they differ.

    Attributes:
        where: "a.alog:812", or only the file if it has ended.
        entry: the message; None if the log has ended.
        line: the unparsed line, without its end.
    """

    where: str
    entry: Entry | None
    line: str = ""


class Difference(NamedTuple):
    """The first messages in which two logs differ."""

    one: Side
    other: Side

    @property
    def first(self) -> Entry:
        """The earlier of the two messages."""
        entries = [side.entry for side in self if side.entry is not None]
        return min(entries, key=lambda entry: entry.time)

    def __str__(self) -> str:
        time, name, _, source, *_ = self.first
        texts = [_shown(side.entry) for side in self]
        if texts[0] == texts[1]:  # they differ in community, type mark or blanks
            texts = [side.line for side in self]
        lines = [f"  {side.where}: {text}" for side, text in zip(self, texts, strict=True)]
        return "\n".join([f"first difference at {time:.5f} s: {name} by {source}", *lines])


def first_difference(one: Path, other: Path) -> Difference | None:
    """Return the first messages in which two logs differ; None if all are equal.

    Comments (the banner, marks of cases) are not compared.

    Raises:
        FormatError: a log cannot be read.
    """
    nothing = (0, b"")
    for mine, yours in zip_longest(_messages(one), _messages(other), fillvalue=nothing):
        if mine[1] != yours[1]:
            return Difference(_side(one, *mine), _side(other, *yours))
    return None


def _messages(path: Path) -> Iterator[tuple[int, bytes]]:
    for number, raw in enumerate(whole_lines(path), 1):
        if not raw.startswith(b"%%"):
            yield number, raw


def _side(path: Path, number: int, raw: bytes) -> Side:
    if not number:
        return Side(str(path), None)
    where = f"{path}:{number}"
    line = raw.decode("utf-8", "backslashreplace")
    entry = parse_entry(line, where, marks=read_banner(path).marks)
    return Side(where, entry, line.rstrip("\r\n"))


def _shown(entry: Entry | None) -> str:
    if entry is None:
        return "ends before"
    origin = f"{entry.source}:{entry.aux}" if entry.aux else entry.source
    return f"{entry.time:.5f} {entry.name} {origin} {entry.value}"
