"""Windows and bounds: what a coordinator grants to a community's group, and what it answers.

A window is permission to run up to a stamp before which nothing of another community can arrive.
The bounds of the answer are lower bounds on the stamps of what the community will send: the null
messages of Chandy, Misra and Bryant. Frames hold them as rows, with a stamp as its instant and its
place in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import Failure, Input
from steerageway.bus.core.shares import Outlet
from steerageway.bus.core.stamps import NEVER, instant_of, stamp
from steerageway.bus.database.mailbox import Entry

Transfer = tuple[
    int, int, int, Message
]  # a copy on its way: its place in the run's order, as an Entry's


class Window(NamedTuple):
    """Permission to run.

    Attributes:
        limit: the last stamp that may run.
        transfers: copies from other communities.
        inputs: posts from outside that were not known beforehand.
        warnings: (rank, text): run warnings of apps about their posts elsewhere.
        clears: whether to remove all values and types.
    """

    limit: int
    transfers: Sequence[Transfer] = ()
    inputs: Sequence[Input] = ()
    warnings: Sequence[tuple[int, str]] = ()
    clears: bool = False


class Bounds(NamedTuple):
    """A community's answer to a window.

    Attributes:
        reached: stamp of the last activation.
        next: lower bound on the stamps of its activations.
        share_bound: lower bound on the stamps of its copies for other communities.
        end_bound: lower bound on the stamps of posts of the end conditions' variables.
        held: stamp of what is to be committed after others' posts of that stamp; None for nothing.
        transfers: (community, transfer): its copies.
        outlets: of all apps, if they have changed; else None.
        woken_by: patterns of the mail that may make an app share something, if changed; else None.
        seen: watched entries that were committed.
        warnings: (rank, text): about posts of others that were refused here.
        failures: apps that failed in the window.
    """

    reached: int
    next: int
    share_bound: int
    end_bound: int
    held: int | None
    transfers: list[tuple[str, Transfer]]
    outlets: list[Outlet] | None
    woken_by: list[str] | None
    seen: list[Entry]
    warnings: list[tuple[int, str]]
    failures: list[Failure]


Row = tuple[Any, ...]


def pack_stamp(place: int) -> Row | None:
    """Split a stamp for MessagePack, whose integers have 64 bits; None for NEVER."""
    if place >= NEVER:
        return None
    instant = instant_of(place)
    return instant, place - stamp(instant, 0)


def read_stamp(row: Row | None) -> int:
    """Return an unpacked stamp."""
    return NEVER if row is None else stamp(*row)


def pack_window(window: Window) -> Row:
    """Return a window as a row."""
    limit, transfers, inputs, warnings, clears = window
    return pack_stamp(limit), pack_entries(transfers), inputs, warnings, clears


def read_window(row: Row) -> Window:
    """Return the window in a row."""
    limit, transfers, inputs, *rest = row
    return Window(
        read_stamp(limit), read_entries(transfers), [Input(*row) for row in inputs], *rest
    )


def pack_bounds(bounds: Bounds) -> Row:
    """Return bounds as a row."""
    *places, held, transfers, outlets, woken_by, seen, warnings, failures = bounds
    stamps = [pack_stamp(place) for place in places]
    waits = None if held is None else pack_stamp(held)
    targets = [target for target, _ in transfers]
    posted = pack_entries([transfer for _, transfer in transfers])
    failed = [(f.name, f.community, f.time, f.reason, f.details) for f in failures]
    return (stamps, waits, targets, posted, outlets, woken_by, pack_entries(seen), warnings, failed)


def read_bounds(row: Row) -> Bounds:
    """Return the bounds in a row."""
    stamps, waits, targets, posted, outlets, woken_by, seen, warnings, failed = row
    reached, following, share_bound, end_bound = map(read_stamp, stamps)
    return Bounds(
        *(reached, following, share_bound, end_bound),
        held=None if waits is None else read_stamp(waits),
        transfers=list(zip(targets, read_entries(posted), strict=True)),
        outlets=None if outlets is None else [Outlet(*outlet) for outlet in outlets],
        woken_by=woken_by,
        seen=read_entries(seen),
        warnings=list(warnings),
        failures=[Failure(*failure) for failure in failed],
    )


def pack_entries(entries: Iterable[Entry]) -> list[Row]:
    """Return entries as rows."""
    return [(*_apart(place), *rest) for place, *rest in entries]


def read_entries(rows: Sequence[Row]) -> list[Entry]:
    """Return the entries in rows."""
    new = tuple.__new__
    return [
        (stamp(instant, spot), rank, sequence, new(Message, message))
        for instant, spot, rank, sequence, message in rows
    ]


def _apart(place: int) -> tuple[int, int]:
    instant = instant_of(place)
    return instant, place - stamp(instant, 0)
