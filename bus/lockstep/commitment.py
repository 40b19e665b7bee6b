"""``Databases``: commitment of an app's answer: its posts in order, and copies elsewhere.

The order of posts of several apps is that of ``core.stamps``, with the apps' ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from steerageway.bus.core.app import Registration
from steerageway.bus.core.message import Row, shifted
from steerageway.bus.core.shares import Copy
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.database.variable import Variable
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.slot import Slot

Commit = Callable[[Database, Variable, Entry], None]


class Databases:
    """A sink of what apps and others post: the databases of a case.

    It commits at once: all posts come in order, and every community is here.
    """

    def __init__(self, state: CaseState) -> None:
        self._state = state

    def register(self, slot: Slot, registration: Registration, place: int) -> None:
        """Apply a registration made at a stamp."""
        slot.register(registration, place)

    def take_posts(self, slot: Slot, place: int, instant: int, posts: Sequence[Row]) -> None:
        """Commit the posts of an activation.

        Args:
            slot, place, instant: the app's slot, the activation's stamp and instant [ns].
            posts: in the app's order.
        """
        # An app that outlives cases sees the run's time; the databases hold the case's.
        if slot.offset:
            posts = [(n, v, shifted(time, -slot.offset), aux) for n, v, time, aux in posts]
        slot.database.commit_run(place, slot.rank, slot.name, instant, posts, self.commit)

    def take_copies(self, slot: Slot, place: int, instant: int, copies: Sequence[Copy]) -> None:
        """Commit an activation's copies in the communities that listen; arguments as above."""
        for sequence, copy in enumerate(copies):
            for target, message in self._state.deliveries(slot, instant, copy):
                database = self._state.databases[target]
                entry = (place, slot.rank, sequence, message)
                self.commit(database, database.variable(message.name), entry)

    def commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        """Commit an entry; entries come in order."""
        # In order, nobody can have posted in between: the app's next posts may take the short way.
        variable.sole = entry[1]
        if not database.commit(variable, entry):
            self.refuse(variable, entry)

    def refuse(self, variable: Variable, entry: Entry) -> None:
        """Warn an app that its post has the wrong type."""
        self._state.refuse(variable, entry)
