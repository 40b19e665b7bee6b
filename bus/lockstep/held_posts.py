"""``HeldPosts``: posts that wait until every app that may post their variable has passed them.

An app in another process may run ahead of those that post the same variables. Its posts are then
held, so that the entries of each variable are committed in the order of their stamps.
"""

from __future__ import annotations

from heapq import heappop, heappush

from steerageway.bus.core.stamps import NEVER
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry, Mailbox
from steerageway.bus.database.variable import Variable
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.commitment import Databases
from steerageway.bus.lockstep.reachability import Reachability, Writers


class HeldPosts(Databases):
    """Commits the posts of a case, each as soon as none can precede it.

    Attributes:
        variables: (community, name) -> a variable with held entries.
    """

    def __init__(self, state: CaseState, reach: Reachability) -> None:
        """Find the possible posters of all variables, also of those that are created later."""
        super().__init__(state)
        self._reach = reach
        self.variables: dict[tuple[str, str], Variable] = {}
        self._writers: dict[tuple[str, str], Writers] = {}
        for database in state.databases.values():
            database.on_new = self._find_writers
            for variable in database.variables.values():
                self._find_writers(database.community, variable)

    def commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        """Commit an entry at once if no other app can still post its variable before it."""
        key = (database.community, variable.name)
        # Behind a held entry everything is held: one variable's entries are committed in order.
        if variable.held or self._writers[key].can_come(entry[0], but=entry[1]):
            heappush(variable.held, entry)
            self.variables[key] = variable
            variable.repeats = None  # no short way past the held entries (Database.commit_run)
        else:
            self._commit(database, variable, entry)

    def release(self) -> bool:
        """Commit the entries that no writer can precede any more; return whether any."""
        released = False
        for key, variable in list(self.variables.items()):
            held, writers = variable.held, self._writers[key]
            while held and not writers.can_come(held[0][0]):
                self._commit(self._state.databases[key[0]], variable, heappop(held))
                released = True
            if not held:
                del self.variables[key]
        return released

    def release_all(self) -> None:
        """Commit everything that is held: no app will post any more."""
        for (community, _), variable in self.variables.items():
            while variable.held:
                self._commit(self._state.databases[community], variable, heappop(variable.held))
        self.variables.clear()

    def first_of(self, rank: int) -> int:
        """Return the stamp of the first held entry of variables that only this app may post."""
        held = (v.held[0][0] for v in self.variables.values() if v.sole == rank)
        return min(held, default=NEVER)

    def first_by_mailbox(self) -> dict[Mailbox, int]:
        """Return the stamp of the first held entry for each mailbox."""
        first: dict[Mailbox, int] = {}
        for variable in self.variables.values():
            place = variable.held[0][0]
            for reader in variable.readers:
                if place < first.get(reader.mailbox, NEVER):
                    first[reader.mailbox] = place
        return first

    def _commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        if not database.commit(variable, entry):
            self.refuse(variable, entry)

    def _find_writers(self, community: str, variable: Variable) -> None:
        writers = self._reach.writers(community, variable.name)
        self._writers[community, variable.name] = writers
        variable.sole = writers.sole
