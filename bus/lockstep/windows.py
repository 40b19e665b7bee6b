"""Windows and bounds: what a coordinator grants to a community's group, and what it answers.

A window is permission to run up to a stamp before which nothing of another community can arrive.
The bounds of the answer are lower bounds on the stamps of what the community will send: the null
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
