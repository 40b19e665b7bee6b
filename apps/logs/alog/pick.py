"""Selects messages of a log, as lines of a log or as a table."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import TextIO

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.shared.terminal import Copied
from steerageway.bus import any_matches, matches
from steerageway.declarations import finite
from steerageway.diagnostics.nearest import nearest
from steerageway.moos.alog import Entry, parse_entry, read_banner, read_entries, whole_lines
from steerageway.moos.values import pairs

KEPT = ("IVPHELM_DOMAIN",)


def grep(path: Path, names: Sequence[str], source: str) -> Iterator[tuple[bytes, str]]:
    """Yield the unchanged lines of some variables, and the log's comments.

    Args:
        path: the log.
        names: variables, or patterns with * and ?.
        source: an app's name, or a pattern.
    Returns:
        Each line, and its variable; "" for a comment.
    """
    for raw, entry in _lines(path):
        if entry is None:
            yield raw, ""
        elif any_matches(names, entry.name) and matches(source, entry.source):
            yield raw, entry.name


def clip(path: Path, start: float, end: float) -> Iterator[tuple[bytes, bool]]:
    """Yield the unchanged lines of a time span [s since LOGSTART], and the comments.

    Those of ``KEPT`` variables are from the whole log: its readers need them.

    Returns:
        Each line, and whether it is a message of the span.
    """
    for raw, entry in _lines(path):
        inside = entry is not None and start <= entry.time <= end
        if entry is None or inside or entry.name in KEPT:
            yield raw, inside


def head(path: Path, count: int) -> Iterator[bytes]:
    """Yield the unchanged lines of the first messages, and the comments before them."""
    for raw, is_message in clip(path, -inf, inf):
        if is_message and count == 0:
            return
        count -= is_message
        yield raw


def _lines(path: Path) -> Iterator[tuple[bytes, Entry | None]]:
    """Yield a log's lines with their messages; None for a comment."""
    marks = read_banner(path).marks
    for number, raw in enumerate(whole_lines(path), 1):
        if raw.startswith(b"%%"):
            yield raw, None
        elif not raw.isspace():
            line = raw.decode("utf-8", "backslashreplace")
            yield raw, parse_entry(line, f"{path}:{number}", marks=marks)


def why_missing(path: Path, name: str, source: str) -> str:
    """Return why no message of a variable was found, with similar names or other sources.

    Args:
        path: the log.
        name: the variable, or a pattern.
        source: the source that was searched for.
    """
    posters: dict[str, None] = {}
    known: dict[str, None] = {}
    for entry in read_entries(path):
        known[entry.name] = None
        if matches(name, entry.name):
            posters[entry.source] = None
    if posters:
        return f"{name}: not posted by {source}; by {', '.join(posters)}"
    return f"{name}: not in the log; {nearest(name, known)}"


def write_csv(path: Path, names: Sequence[str], out: TextIO | Copied) -> None:
    """Write a table with a row for each time at which one of the variables was posted.

    A cell holds the variable's latest value at that time; it is empty before the first.

    Args:
        path: the log.
        names: variables (one column each), or patterns with * and ? (a column for each matching
            variable, in the order of their first messages); ``USM_STATE.u`` is a field of a text.
        out: the output stream.
    Raises:
        ToolError: a variable is not in the log.
    """
    # The log is read twice, as the columns are known at its end only.
    columns = find_columns(with_fields(read_entries(path), names), names)
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["time", *columns])
    row: list[object] = [None] + [""] * len(columns)
    for entry in with_fields(read_entries(path), names):
        if entry.name in columns:
            if row[0] not in (None, entry.time):
                rows.writerow(row)
            row[0] = entry.time
            row[columns[entry.name]] = entry.value
    rows.writerow(row)


def with_fields(entries: Iterable[Entry], names: Sequence[str]) -> Iterator[Entry]:
    """Yield the entries; after a text ``u=1,v=2`` selected by a name ``VAR.u``, also its fields."""
    texts = [name.partition(".")[0] for name in names if "." in name]
    for entry in entries:
        yield entry
        if isinstance(entry.value, str) and any_matches(texts, entry.name):
            for key, text in pairs(entry.value):
                number = finite(text)
                value = text if number is None else number
                yield entry._replace(name=f"{entry.name}.{key}", value=value)


def find_columns(entries: Iterable[Entry], names: Sequence[str]) -> dict[str, int]:
    """Return the column of each variable, counted from 1, as in ``write_csv``.

    Raises:
        ToolError: a variable is not in the log.
    """
    return columns_of(dict.fromkeys(entry.name for entry in entries), names)


def columns_of(known: Iterable[str], names: Sequence[str]) -> dict[str, int]:
    """Return the column of each variable of a log; see ``find_columns``.

    Args:
        known: all variables of the log, in the order of their first messages.
        names: variables, or patterns.
    """
    chosen: dict[str, None] = {}
    for name in names:
        covered = [candidate for candidate in known if matches(name, candidate)]
        if not covered:
            raise ToolError(f"{name}: not in the log; {nearest(name, known)}")
        chosen.update(dict.fromkeys(covered))
    return {name: column for column, name in enumerate(chosen, 1)}
