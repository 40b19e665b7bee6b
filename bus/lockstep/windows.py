"""What a coordinator and a community's group tell each other: windows, and bounds.

A window is leave to run up to a stamp before which nothing of another community can arrive. The
bounds that come back are lower bounds on the stamps of what the community will send: the null
messages of Chandy, Misra and Bryant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import Failure, Input
from steerageway.bus.core.shares import Outlet
from steerageway.bus.database.mailbox import Entry

Transfer = tuple[
    int, int, int, Message
]  # a copy on its way: its place in the run's order, as an Entry's


class Window(NamedTuple):
    """Leave to run.

    Attributes:
        limit: the last stamp that may run.
        transfers: what came from other communities.
        inputs: posts from outside that were not known beforehand.
        warnings: (rank, text): what apps are to be told of their posts elsewhere.
        clears: whether all values and types are to be forgotten.
    """

    limit: int
    transfers: Sequence[Transfer] = ()
    inputs: Sequence[Input] = ()
    warnings: Sequence[tuple[int, str]] = ()
    clears: bool = False


class Bounds(NamedTuple):
    """What a community says at the end of a window.

    Attributes:
        reached: the stamp of what was run last.
        next: the stamp before which nothing runs.
        share_bound: the stamp before which nothing is handed on.
        end_bound: the stamp before which nothing is posted that the run's end hangs on.
        held: the stamp of what waits to be committed after others of that stamp; None for nothing.
        transfers: (community, transfer): what was handed on.
        outlets: of all apps, where they are new; None where they are as before.
        woken_by: the patterns of the mail that may make an app hand something on, where new.
        seen: what was committed and is watched.
        warnings: (rank, text): of posts of others that were refused here.
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
