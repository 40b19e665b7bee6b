"""Windows and promises as frames carry them: a stamp as its instant and its place therein."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import Failure, Input
from steerageway.bus.core.shares import Outlet
from steerageway.bus.core.stamps import NEVER, instant_of, stamp
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.lockstep.local import Promise, Window

Row = tuple[Any, ...]


def pack_stamp(place: int) -> Row | None:
    """Take a stamp apart; None for one that never comes."""
    if place >= NEVER:
        return None
    instant = instant_of(place)
    return instant, place - stamp(instant, 0)


def read_stamp(row: Row | None) -> int:
    """Put a stamp together."""
    return NEVER if row is None else stamp(*row)


def pack_window(window: Window) -> Row:
    """Make a row of a window."""
    limit, letters, inputs, warnings, clears = window
    return pack_stamp(limit), pack_entries(letters), inputs, warnings, clears


def read_window(row: Row) -> Window:
    """Make a window of a row."""
    limit, letters, inputs, *rest = row
    return Window(
        read_stamp(limit), read_entries(letters), [Input(*said) for said in inputs], *rest
    )


def pack_promise(promise: Promise) -> Row:
    """Make a row of a promise."""
    reached, following, cross, gate, held, letters, *rest, seen, warnings, failures = promise
    stamps = [pack_stamp(place) for place in (reached, following, cross, gate)]
    waits = None if held is None else pack_stamp(held)
    targets = [target for target, _ in letters]
    posted = pack_entries([letter for _, letter in letters])
    failed = [(f.name, f.community, f.time, f.reason, f.details) for f in failures]
    return (stamps, waits, targets, posted, *rest, pack_entries(seen), warnings, failed)


def read_promise(row: Row) -> Promise:
    """Make a promise of a row."""
    stamps, waits, targets, posted, outlets, woken_by, seen, warnings, failed = row
    reached, following, cross, gate = map(read_stamp, stamps)
    return Promise(
        *(reached, following, cross, gate),
        held=None if waits is None else read_stamp(waits),
        letters=list(zip(targets, read_entries(posted), strict=True)),
        outlets=None if outlets is None else [Outlet(*outlet) for outlet in outlets],
        woken_by=woken_by,
        seen=read_entries(seen),
        warnings=list(warnings),
        failures=[Failure(*failure) for failure in failed],
    )


def pack_entries(entries: Iterable[Entry]) -> list[Row]:
    """Make rows of entries."""
    return [(*_apart(place), *rest) for place, *rest in entries]


def read_entries(rows: Sequence[Row]) -> list[Entry]:
    """Make entries of rows."""
    new = tuple.__new__
    return [
        (stamp(instant, spot), rank, sequence, new(Message, message))
        for instant, spot, rank, sequence, message in rows
    ]


def _apart(place: int) -> tuple[int, int]:
    instant = instant_of(place)
    return instant, place - stamp(instant, 0)
