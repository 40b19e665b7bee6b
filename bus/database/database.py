"""``Database``: variables, registrations and mailboxes of one community.

No sockets, no clock, and no order of its own: the caller commits the entries of each variable in
the order of their stamps (``bus.lockstep.kernel``); variables are independent of one another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from steerageway.bus.core.app import Registration
from steerageway.bus.core.message import Message, Row
from steerageway.bus.database.mailbox import Entry, Mailbox, Reader
from steerageway.bus.database.variable import Variable
from steerageway.declarations.patterns import is_pattern, matches
from steerageway.declarations.posted import Value

_new = tuple.__new__  # creates a named tuple in half the time

MUCH_HISTORY = 16  # entries of a variable above which older ones are dropped


# Many methods: each changes variables, readers and counts together, which must stay consistent.
class Database:
    """Last values, types, registrations and mailboxes of one community.

    Attributes:
        posted, delivered, thinned, refused: counts of messages since the start.
        history: whether registrations may be made at stamps before the last entry's.
        on_new: called with every new variable.
        changes: counts changes of who posts and who subscribes to which variables.
    """

    def __init__(self, community: str, *, history: bool = True) -> None:
        self.community = community
        self.history = history
        self.on_new: Callable[[str, Variable], None] | None = None
        self.variables: dict[str, Variable] = {}
        self.mailboxes: list[Mailbox] = []
        self.posted = self.delivered = self.thinned = self.refused = 0
        self.changes = 0

    def join(self, owner: str) -> Mailbox:
        """Add a client and return its mailbox."""
        self.changes += 1
        mailbox = Mailbox(owner)
        self.mailboxes.append(mailbox)
        return mailbox

    def leave(self, mailbox: Mailbox) -> None:
        """Remove a client with its registrations and mail."""
        self.mailboxes.remove(mailbox)
        self.retire(mailbox)

    def retire(self, mailbox: Mailbox) -> None:
        """Stop delivery to a client; its registrations remain known, for reports."""
        self.changes += 1
        mailbox.close()
        for variable in self.variables.values():
            variable.readers = [r for r in variable.readers if r.mailbox is not mailbox]
            variable.sort_readers()

    def value(self, name: str) -> Value | None:
        """Return a variable's last value; None when it was never posted."""
        variable = self.variables.get(name)
        return None if variable is None else variable.value

    def variable(self, name: str) -> Variable:
        """Return a variable, created on first use."""
        found = self.variables.get(name)
        if found is None:
            found = self.variables[name] = Variable(name, history=self.history)
            if self.on_new is not None:
                self.on_new(self.community, found)
            for mailbox in self.mailboxes:
                found.set_reader(mailbox)
        return found

    def commit(self, variable: Variable, entry: Entry) -> bool:
        """Make an entry the variable's value and put it into its readers' mailboxes.

        Returns: False when the variable has another type; then nothing else has happened.
        """
        message = entry[3]
        kind = message[1].__class__
        if kind is not variable.kind:
            if variable.kind is not None:
                self.refused += 1
                return False
            variable.kind = kind
        variable.settle()
        variable.remember(entry)
        variable.repeats = None
        if message[3] not in variable.sources:
            variable.sources[message[3]] = entry[0]
            self.changes += 1
        self.posted += 1
        for mailbox in variable.unfiltered:
            mailbox.entries.append(entry)
        self.delivered += len(variable.unfiltered)
        for reader in variable.filtered:
            self._deliver(reader, entry)
        for hook in variable.hooks:
            hook.committed(entry)
        return True

    def commit_run(
        self,
        place: int,
        rank: int,
        source: str,
        instant: int,
        posts: Sequence[Row],
        otherwise: Callable[[Database, Variable, Entry], None],
    ) -> None:
        """Commit the posts of one activation.

        This is where a mission at full speed spends its time. A post takes the short way if it
        only repeats its variable's last one: by the same app, with a value of the same type, and no
        other app can have posted between. The variable then records the activation as a whole; an
        entry is made only for those who subscribed to it.

        Args:
            place, rank, source: stamp of the activation, and the app's rank and name.
            instant: when it was [ns].
            posts: in the app's order.
            otherwise: commits the posts that do not take the short way.
        """
        variables, community, new = self.variables, self.community, _new
        run = (place, rank, source, community, instant, posts)
        delivered = slow = 0
        for sequence, (name, value, time, aux) in enumerate(posts):
            try:
                variable = variables[name]
            except KeyError:
                variable = self.variable(name)
            # By the invariant of ``repeats`` (see ``Variable``) only the type is left to be tested.
            if variable.repeats != rank or value.__class__ is not variable.kind:
                message = new(Message, (name, value, time, source, aux, community, instant))
                entry = (place, rank, sequence, message)
                otherwise(self, variable, entry)
                # Committed, nothing held: the app's next post of it may take the short way.
                if variable.last is entry and variable.sole == rank and not variable.held:
                    variable.repeats = rank
                slow += 1
                continue
            if variable.latest is not run:
                variable.latest = run
                variable.runs.append(run)
            if not (variable.readers or variable.hooks):
                continue
            message = new(Message, (name, value, time, source, aux, community, instant))
            entry = (place, rank, sequence, message)
            for mailbox in variable.unfiltered:
                mailbox.entries.append(entry)
                delivered += 1
            for reader in variable.filtered:
                self._deliver(reader, entry)
            for hook in variable.hooks:
                hook.committed(entry)
        self.posted += len(posts) - slow
        self.delivered += delivered

    def register(self, mailbox: Mailbox, registration: Registration, stamp: int) -> None:
        """Apply a registration or its cancellation, made at a stamp; deliver the values before it.

        Everything before the stamp must have been committed already.
        """
        self.changes += 1
        mailbox.note(registration, stamp)
        pattern, source, _, active = registration
        if is_pattern(pattern):
            covered = [v for v in self.variables.values() if matches(pattern, v.name)]
        else:
            covered = [self.variable(pattern)]
        for variable in covered:
            self._apply(mailbox, variable, source, stamp, active)

    def clear(self) -> None:
        """Remove all values and types; registrations and mail stay."""
        self.changes += 1
        for variable in self.variables.values():
            variable.kind = variable.last = variable.repeats = None
            variable.recent.clear()
            variable.runs.clear()
            variable.sources.clear()
            variable.complaints.clear()

    def continue_counts(self, before: Database) -> None:
        """Continue the counts of an earlier case's database."""
        self.posted, self.delivered = before.posted, before.delivered
        self.thinned, self.refused = before.thinned, before.refused

    def prune(self, stamp: int) -> None:
        """Drop history that no registration at or after a stamp can need."""
        if not self.history:
            return
        for variable in self.variables.values():
            if len(variable.recent) + len(variable.runs) > MUCH_HISTORY:
                variable.prune(stamp)

    def _apply(
        self, mailbox: Mailbox, variable: Variable, source: str, stamp: int, active: bool
    ) -> None:
        """Change a mailbox's subscription to a variable as of a stamp."""
        reader = next((r for r in variable.readers if r.mailbox is mailbox), None)
        later = variable.since(stamp)
        had_all = reader is not None and reader.plain
        # A registration may come late: entries since its stamp were delivered by the old rules.
        if reader is not None:
            self._take_back(reader, later, stamp)
        reader = variable.set_reader(mailbox)
        if reader is None:
            return
        stored = variable.before(stamp)
        if stored is not None and active and matches(source, stored[3].source):
            self._deliver_stored(reader, stored)
        elif stored is not None and had_all and not reader.plain:
            reader.taken = [(stored[0], stored[3].instant)]
        for entry in later:
            self._deliver(reader, entry)

    def _deliver_stored(self, reader: Reader, stored: Entry) -> None:
        """Deliver a variable's present value, once for all registrations made at a time."""
        waiting = reader.mailbox.entries
        if stored in waiting:
            waiting.remove(stored)
            self.delivered -= 1
        reader.taken = []
        self._deliver(reader, stored)

    def _take_back(self, reader: Reader, later: list[Entry], stamp: int) -> None:
        """Undo the deliveries since a stamp, as another registration was in force."""
        if later:
            kept = [entry for entry in reader.mailbox.entries if entry not in later]
            undone = len(reader.mailbox.entries) - len(kept)
            covered = sum(reader.covers(entry[3]) for entry in later)
            self.delivered -= undone
            self.thinned -= covered - undone
            reader.mailbox.entries = kept
        reader.taken = [taken for taken in reader.taken if taken[0] < stamp]

    def _deliver(self, reader: Reader, entry: Entry) -> None:
        if not reader.plain:
            wanted = reader.wants(entry[3])
            if not wanted:
                self.thinned += wanted is False
                return
            reader.taken.append((entry[0], entry[3].instant))
            if not self.history:
                del reader.taken[:-MUCH_HISTORY]
        reader.mailbox.entries.append(entry)
        self.delivered += 1
