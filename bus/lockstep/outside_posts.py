"""``OutsidePosts``: posts that come from no app: inputs, pokes, and the database's own reports.

They have their place in the run's order like any other: a known post enters before anything is run
at a later stamp. Summaries (``DB_VARSUMMARY``) need everything before them, so they enter once
every app has come that far.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from operator import attrgetter, itemgetter

from steerageway.bus.core.message import NANO, Message
from steerageway.bus.core.plan import Input, Poke
from steerageway.bus.core.stamps import INPUT, NEVER, instant_of, stamp
from steerageway.bus.database.reports import Reports
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.commitment import Commit
from steerageway.bus.lockstep.slot import Slot

# Below all apps' ranks: at one stamp the database's posts come first, then those from outside.
_DATABASE_RANK = -2
_OUTSIDE_RANK = -1


def _go_on(before: int) -> None:
    """Do nothing between two posts."""


# Many methods: inputs, pokes and reports have one order, so one object enters them all.
class OutsidePosts:
    """The posts of a case that come from no app.

    Attributes:
        reports: community -> the database's own reports.
        next_input, next_summary: lower bounds on the stamps of further such posts.
        latest: the greatest stamp of one so far.
    """

    def __init__(
        self, state: CaseState, commit: Commit, between: Callable[[int], None] = _go_on
    ) -> None:
        """Sort the inputs that are known beforehand.

        Args:
            state: the case's.
            commit: takes each post.
            between: called before each post and after the last, with the stamp before which all are
                being entered; it may end the run, and later posts are then not entered.
        """
        self._state = state
        self._commit = commit
        self._between = between
        self.reports = {
            name: Reports(database, state.plan.epoch) for name, database in state.databases.items()
        }
        self._inputs = self._in_order(state.plan.inputs)
        self._index = 0
        self._sequence = 0
        self.latest = 0
        self.next_input = self.next_summary = 0

    @property
    def next_posted(self) -> int:
        """Stamp of the next input; the database's own posts do not count."""
        return self._inputs[self._index][0] if self._index < len(self._inputs) else NEVER

    def enter_before(self, before: int) -> None:
        """Enter the inputs and plain reports before a stamp, up to the end of the run."""
        if self.next_input < before:
            self._between(before)
        while self.next_input < before and self.next_input <= self._state.end:
            self._enter_next()
            self._between(before)

    def enter(self, post: Input, order: int = 0) -> None:
        """Commit a post now."""
        instant, _, community, name, value, source, time, aux, _ = post
        stamped = instant / NANO if time is None else time
        message = Message(name, value, stamped, source, aux, community, instant)
        self._enter_message(message, post.place, order)

    def insert(self, post: Input, order: int = 0) -> None:
        """Add a post that was not known beforehand.

        Args:
            post: the post, with its place.
            order: its order among the posts of this place; 0: the order in which they are entered.
        """
        del self._inputs[: self._index]  # clients may post for days: what was entered is not kept
        self._index = 0
        insort(self._inputs, (post.place, order, post), key=itemgetter(0, 1))
        self.next_input = min(self.next_input, post.place)

    def summarise(self, floor: int) -> bool:
        """Enter the summaries whose stamp every app has reached, and drop older history.

        Returns: whether there were any.
        """
        state = self._state
        if self.next_summary > floor or self.next_summary > state.end:
            return False
        for community, report in self.reports.items():
            while report.next <= floor and report.next <= state.end:
                instant, place = instant_of(report.next), report.next
                self.enter_before(place)
                # One of the posts just entered may have ended the run.
                if place > state.end:
                    break
                for name, value in report.summaries(instant):
                    self._enter_message(report.message(name, value, instant), place)
                state.databases[community].prune(place)
        self.next_summary = min(report.next for report in self.reports.values())
        return True

    def close(self) -> None:
        """Enter, report and judge what lies before the end and caused no activation."""
        state = self._state
        while (place := min(self.next_input, self.next_summary)) <= state.end < NEVER:
            self.enter_before(place + 1)
            self.summarise(place)
            state.judge(min(self.next_input, self.next_summary))
        state.over = True

    @property
    def closed(self) -> int:
        """The last instant [ns] at which observers can no longer post: it was granted or passed."""
        return instant_of(max(self._state.reached, self.latest - 1))

    def next_instant(self) -> int | None:
        """Return the next instant with an activation not granted yet; None if there is none.

        It never lies before a post from outside that was entered already: these keep their order.
        """
        state, closed = self._state, self.closed
        ahead = [i for slot in state.slots if (i := _upcoming(slot, closed)) is not None]
        # A post from outside may make a mail-driven app due, so its instant counts, too.
        if any(slot.by_mail for slot in state.slots):
            outside = instant_of(min(self.next_input, self.next_summary))
            ahead += [outside] if outside > closed else []
        instant = min(ahead, default=None)
        over = state.ended is not None or instant is None or stamp(instant, INPUT) > state.end
        return None if over else instant

    def poke(self, poke: Poke) -> Input | None:
        """Post at the next instant not granted yet, before its activations.

        Returns: the post with its place; None when no further instant will run.
        """
        instant = self.next_instant()
        if instant is None:
            return None
        post = poke.at(instant)
        self.enter_before(stamp(instant, INPUT) + 1)
        self.enter(post)
        return post

    def _in_order(self, known: tuple[Input, ...]) -> list[tuple[int, int, Input]]:
        """Return the inputs of this case and the connect events of its apps, by place."""
        state = self._state
        cases = (None, state.case.number)
        inputs = [i for i in known if i.community in state.databases and i.case in cases]
        # Starts are planned, so these events are known beforehand.
        for app in state.plan.apps:
            report = self.reports.get(app.community)
            if report is not None:
                report.connected(app.name, app.start)
                inputs.append(report.event(f"connected={app.name}", app.start))
        return [(i.place, 0, i) for i in sorted(inputs, key=attrgetter("place"))]

    def _enter_next(self) -> None:
        """Enter all posts of the next place."""
        place = self.next_input
        self._report_until(place + 1)
        while self.next_posted <= place:
            _, order, post = self._inputs[self._index]
            self._index += 1
            self.enter(post, order)
        reports = [report.next_plain for report in self.reports.values()]
        self.next_input = min(*reports, self.next_posted)

    def _report_until(self, before: int) -> None:
        """Post DB_TIME, DB_UPTIME and DB_CLIENTS for every report before a stamp."""
        for report in self.reports.values():
            while report.next_plain < before:
                place, instant = report.next_plain, instant_of(report.next_plain)
                for name, value in report.plain(instant):
                    self._enter_message(report.message(name, value, instant), place)

    def _enter_message(self, message: Message, place: int, order: int = 0) -> None:
        by_itself = message.source == self.reports[message.community].source
        rank = _DATABASE_RANK if by_itself else _OUTSIDE_RANK
        self._sequence += 1
        self.latest = max(self.latest, place)
        database = self._state.databases[message.community]
        entry = (place, rank, order or self._sequence, message)
        self._commit(database, database.variable(message.name), entry)


def _upcoming(slot: Slot, after: int) -> int | None:
    """Return a slot's next activation after an instant [ns], also one that lies further ahead."""
    if not slot.open or slot.due >= NEVER:
        return None
    instant = instant_of(slot.due)
    return instant if instant > after else slot.instant_after(after)
