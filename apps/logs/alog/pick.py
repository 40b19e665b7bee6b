"""Picks messages out of a log: as lines of a log again, or as a table."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import TextIO

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.bus import any_matches, matches
from steerageway.diagnostics.nearest import nearest
from steerageway.moos.alog import Entry, parse_entry, read_banner, read_entries, whole_lines
from steerageway.moos.values import finite, pairs


def grep(path: Path, names: Sequence[str], source: str) -> Iterator[tuple[bytes, str]]:
    """Give the lines of some variables as they stand, and the log's comments with them.

    Args:
        path: the log.
        names: variables, or patterns with * and ?.
        source: whose messages: an app's name, or a pattern.
    Returns:
        Each line, and the variable it is about; "" for a comment.
    """
    marks = read_banner(path).marks
    for number, raw in enumerate(whole_lines(path), 1):
        if raw.startswith(b"%%"):
            yield raw, ""
        elif not raw.isspace():
            line = raw.decode("utf-8", "backslashreplace")
            entry = parse_entry(line, f"{path}:{number}", marks=marks)
            if any_matches(names, entry.name) and matches(source, entry.source):
                yield raw, entry.name


def clip(path: Path, start: float, end: float) -> Iterator[tuple[bytes, bool]]:
    """Give the lines from one time to another [s since LOGSTART] as they stand, and the comments.

    Returns:
        Each line, and whether it is a message.
    """
    marks = read_banner(path).marks
    for number, raw in enumerate(whole_lines(path), 1):
        if raw.startswith(b"%%"):
            yield raw, False
        elif not raw.isspace():
            line = raw.decode("utf-8", "backslashreplace")
            if start <= parse_entry(line, f"{path}:{number}", marks=marks).time <= end:
                yield raw, True


def head(path: Path, count: int) -> Iterator[bytes]:
    """Give the first messages as they stand, and the comments before them."""
    for raw, is_message in clip(path, -inf, inf):
        if is_message and count == 0:
            return
        count -= is_message
        yield raw


def why_missing(path: Path, name: str, source: str) -> str:
    """Say why nothing was found of a variable, and what there is.

    Args:
        path: the log.
        name: the variable, or a pattern.
        source: whose posts were looked for.
    """
    entries = list(read_entries(path))
    posters = dict.fromkeys(e.source for e in entries if matches(name, e.name))
    if posters:
        return f"{name}: not posted by {source}; by {', '.join(posters)}"
    return f"{name}: not in the log; {nearest(name, {entry.name for entry in entries})}"


def write_csv(path: Path, names: Sequence[str], out: TextIO) -> None:
    """Write a table: a row for each time at which one of the variables was posted.

    A cell holds the variable's latest value by then; it is empty before the first.

    Args:
        path: the log.
        names: variables (one column each), or patterns with * and ? (a column for each variable
            they cover, in the order of their first messages); ``USM_STATE.u`` is a field of a text.
        out: where the table goes.
    Raises:
        ToolError: a variable is not in the log.
    """
    entries = list(with_fields(read_entries(path), names))
    columns = find_columns(entries, names)
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["time", *columns])
    row: list[object] = [None] + [""] * len(columns)
    for entry in entries:
        if entry.name in columns:
            if row[0] not in (None, entry.time):
                rows.writerow(row)
            row[0] = entry.time
            row[columns[entry.name]] = entry.value
    rows.writerow(row)


def with_fields(entries: Iterable[Entry], names: Sequence[str]) -> Iterator[Entry]:
    """Put behind each text ``u=1,v=2`` of which a name wants a field, ``VAR.u``, its fields."""
    texts = [name.partition(".")[0] for name in names if "." in name]
    for entry in entries:
        yield entry
        if isinstance(entry.value, str) and any_matches(texts, entry.name):
            for key, text in pairs(entry.value):
                number = finite(text)
                value = text if number is None else number
                yield entry._replace(name=f"{entry.name}.{key}", value=value)


def find_columns(entries: Iterable[Entry], names: Sequence[str]) -> dict[str, int]:
    """Give each variable its column, counted from 1, as ``write_csv`` has it.

    Raises:
        ToolError: a variable is not in the log.
    """
    known = dict.fromkeys(entry.name for entry in entries)
    chosen: dict[str, None] = {}
    for name in names:
        covered = [candidate for candidate in known if matches(name, candidate)]
        if not covered:
            raise ToolError(f"{name}: not in the log; {nearest(name, known)}")
        chosen.update(dict.fromkeys(covered))
    return {name: column for column, name in enumerate(chosen, 1)}
