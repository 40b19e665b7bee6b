"""Commitment of an app's answer: its posts in order, and copies for other communities.

The order of posts of several apps is that of ``core.stamps``, with the apps' ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from steerageway.bus.core.message import Row, shifted
from steerageway.bus.core.shares import Copy
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.database.variable import Variable
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.slot import Slot

Commit = Callable[[Database, Variable, Entry], None]


def commit_posts(
    slot: Slot, place: int, instant: int, posts: Sequence[Row], commit: Commit
) -> None:
    """Commit the posts of an activation.

    Args:
        slot, place, instant: the app's slot, the activation's stamp and instant [ns].
        posts: in the app's order.
        commit: takes posts that do not merely repeat their variable's last one.
    """
    # An app that outlives cases sees the run's time; the databases hold the case's.
    if slot.offset:
        posts = [(n, v, shifted(time, -slot.offset), aux) for n, v, time, aux in posts]
    slot.database.commit_run(place, slot.rank, slot.name, instant, posts, commit)


def commit_copies(
    state: CaseState,
    slot: Slot,
    place: int,
    instant: int,
    copies: Sequence[Copy],
    commit: Commit,
) -> None:
    """Commit an activation's copies in the communities that listen; arguments as above."""
    for sequence, copy in enumerate(copies):
        for target, message in state.deliveries(slot, instant, copy):
            database = state.databases[target]
            entry = (place, slot.rank, sequence, message)
            commit(database, database.variable(message.name), entry)
