"""The kernel: who runs when, what they see, and when what they said becomes the case.

One kernel serves all placements. ``Kernel`` holds what they share: the order of commitment, posts
from outside, conditions, the end. How far apps may be granted ahead of one another is decided by
its two kinds: ``serial`` (one at a time, all in this process) and ``ahead``.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Sequence
from operator import attrgetter, itemgetter

from steerageway.bus.core.app import Registration
from steerageway.bus.core.cases import Case, asks_for_cases, read_case
from steerageway.bus.core.message import NANO, Message, Row, Value, shifted
from steerageway.bus.core.plan import Failure, Input, Phase, Poke, RunPlan
from steerageway.bus.core.runner import Answer
from steerageway.bus.core.shares import Copy, Directory
from steerageway.bus.core.stamps import AFTER, INPUT, NEVER, instant_of, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.ending import CASE, End, Ending
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.database.reports import Reports
from steerageway.bus.database.taps import install_taps
from steerageway.bus.database.variable import Variable
from steerageway.bus.lockstep.slot import Slot

_DATABASE_RANK = -2
_OUTSIDE_RANK = -1
WELL = ("until", "for", "finished", "stopped")


class Kernel:
    """What both kinds of kernel share.

    Attributes:
        databases: community -> its database.
        directory: which communities listen where for what others hand on.
        slots: the apps' slots; a slot's rank is its index.
        end: nothing is run after this stamp.
        ended: why the run ends; None while it goes on.
        reached: stamp of the last run granted so far.
        offset: how old the run was when the case began [ns]; what outlives cases counts on.
        next_input, next_summary: stamps before which no post that is no app's will come.
        history: whether its databases must know what lies behind the last posts.
        complaints: refused posts that no app is told of.
        failures: apps that failed so far; restarts: slot rank -> how often it came back.
    """

    history = True

    def __init__(
        self, plan: RunPlan, case: Case | None = None, kept: Collection[str] | None = None
    ) -> None:
        """Begin; ``kept`` are its communities, where other kernels have the rest."""
        self.plan = plan
        self.case = case or Case(seed=plan.seed)
        self.seed = self.case.seed if self.case.seed is not None else plan.seed
        names = plan.communities if kept is None else kept
        self.databases = {name: Database(name, history=self.history) for name in names}
        elsewhere = Database("")
        self.directory = Directory(plan.apps)
        self.slots = [
            Slot(app, rank, self.databases.get(app.community, elsewhere))
            for rank, app in enumerate(plan.apps)
        ]
        for slot in self.slots if plan.restarts else ():
            slot.declare("DB_EVENT")  # by failing: whoever hears of it may not be ahead
        for slot in [slot for slot in self.slots if slot.database is elsewhere]:
            slot.close()
        self.reports = {
            name: Reports(database, plan.epoch) for name, database in self.databases.items()
        }
        cases = any(map(asks_for_cases, plan.apps))
        self.ending = Ending(plan.until, plan.fail_if, self.databases, cases=cases)
        self.taps = install_taps(plan.tap, self.databases)
        self.end = NEVER if plan.stop_at is None else stamp(plan.stop_at, AFTER)
        self.ended: End | None = None
        self.reached = -1
        self.offset = 0
        self.failures: list[Failure] = []
        self.complaints: list[str] = []
        self.restarts: dict[int, int] = {}
        self._inputs = self._order_inputs(plan.inputs)
        self._input_index = 0
        self._sequence = 0
        self._over = False
        self._outside = 0  # greatest stamp of a post that was no app's
        self.next_input = self.next_summary = 0

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside, at the next instant not yet granted, before its grants.

        Returns: the post with its place; None when no further instant will be run.
        """
        instant = self.next_instant()
        if instant is None:
            return None
        post = poke.at(instant)
        self.enter_inputs(stamp(instant, INPUT) + 1)
        self._enter(post)
        return post

    @property
    def closed(self) -> int:
        """The last instant at which observers can post no more: granted, or too late [ns]."""
        return instant_of(max(self.reached, self._outside - 1))

    def next_instant(self) -> int | None:
        """Give the first instant at which nobody has been granted a run, if there is one.

        It never lies before anything from outside that has been entered: those keep their order.
        """
        reached = self.closed
        ahead = [i for slot in self.slots if (i := self._upcoming(slot, reached)) is not None]
        if any(slot.by_mail for slot in self.slots):
            outside = instant_of(min(self.next_input, self.next_summary))
            ahead += [outside] if outside > reached else []
        instant = min(ahead, default=None)
        over = self.ended is not None or instant is None or stamp(instant, INPUT) > self.end
        return None if over else instant

    def enter_inputs(self, before: int) -> None:
        """Enter the posts that are known beforehand and lie before a stamp."""
        if before <= self.next_input:
            return
        inputs, index = self._inputs, self._input_index
        while index < len(inputs) and inputs[index][0] < before:
            place, order, post = inputs[index]
            self._report_until(place + 1)
            self._enter(post, order)
            index += 1
        self._input_index = index
        self._report_until(before)
        upcoming = [report.next_plain for report in self.reports.values()]
        if index < len(inputs):
            upcoming.append(inputs[index][0])
        self.next_input = min(upcoming)

    def insert(self, post: Input, order: int = 0) -> None:
        """Take in a post from outside that was not known beforehand.

        Args:
            post: the post, with its place.
            order: among those of this place, if that is not how they come.
        """
        known = (post.place, order, post)
        insort(self._inputs, known, lo=self._input_index, key=itemgetter(0, 1))
        self.next_input = min(self.next_input, post.place)

    def answer(self, slot: Slot, answer: Answer) -> None:
        """Take what an app said in its oldest unanswered run."""
        flight = slot.answered_run()
        posts, registrations, copies = answer
        for registration in registrations:
            self.register(slot, registration, flight.stamp)
        self.take_posts(slot, flight.stamp, flight.instant, posts)
        if copies:
            self.take_copies(slot, flight.stamp, flight.instant, copies)

    def take_posts(self, slot: Slot, place: int, instant: int, posts: Sequence[Row]) -> None:
        """Commit the posts of a run, or hold them until their variables' turn."""
        if slot.offset:
            posts = [(n, v, shifted(time, -slot.offset), aux) for n, v, time, aux in posts]
        otherwise = self.hold_or_commit
        slot.database.commit_run(place, slot.rank, slot.name, instant, posts, otherwise)

    def take_copies(self, slot: Slot, place: int, instant: int, copies: Sequence[Copy]) -> None:
        """Commit what a run hands on in the communities that listen, or hold it."""
        for sequence, copy in enumerate(copies):
            for target, message in self.deliveries(slot, instant, copy):
                database = self.databases[target]
                entry = (place, slot.rank, sequence, message)
                self.hold_or_commit(database, database.variable(message.name), entry)

    def deliveries(self, slot: Slot, instant: int, copy: Copy) -> list[tuple[str, Message]]:
        """Give a copy as the communities get it that listen; warn who sends it to nobody."""
        address, name, value, time, source, aux, community = copy
        targets = self.directory.communities(address, name, slot.plan.community)
        if targets is None:
            slot.warnings.append(f"{address}: no community of this run listens there")
        message = Message(name, value, time, source, aux, community, instant)
        return [(target, message) for target in targets or ()]

    def register(self, slot: Slot, registration: Registration, place: int) -> None:
        """Note a registration made at a stamp."""
        slot.register(registration, place)

    def hold_or_commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        """Commit an entry, in its variable's order."""
        self.commit(database, variable, entry)

    def commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        """Commit an entry; a clash of types goes back to its poster as a run warning."""
        if not database.commit(variable, entry):
            self.refuse(variable, entry)

    def refuse(self, variable: Variable, entry: Entry) -> None:
        """Tell an app that its post is of the wrong type; note it for the summary if none did."""
        if entry[1] >= 0:
            self.slots[entry[1]].warnings.append(variable.complaint(entry))
        else:
            message = entry[3]
            when = f"{message.source}, at {message.instant / NANO:g} s"
            self.complaints.append(f"{variable.clash(message.value)} ({when})")

    def leave(self, slot: Slot) -> None:
        """Take a failed app out of the run; a grant it did not answer commits nothing."""
        slot.close()
        self.databases[slot.plan.community].leave(slot.mailbox)
        self.reports[slot.plan.community].disconnected(slot.plan.name)

    def restart(self, slot: Slot, instant: int) -> bool:
        """Let a failed app come back a simulated second later, or end the run; tell everybody.

        Returns: whether it comes back; its process must then be made anew.
        """
        report, name = self.reports[slot.plan.community], slot.plan.name
        order = slot.rank - len(self.slots)  # others may fail at this instant, in any order
        self.insert(report.event(f"disconnected={name}", instant, Phase.AFTER), order)
        used = self.restarts.get(slot.rank, 0)
        if self._over or self.ends_run or used >= self.plan.restarts:
            self.stop("app_failed", name)
            return False
        self.restarts[slot.rank] = used + 1
        slot.reopen(instant + NANO, used + 1)
        report.connected(name, instant + NANO)
        self.insert(report.event(f"connected={name}", instant + NANO), order)
        return True

    def stop(self, reason: str, text: str = "") -> None:
        """End the run after the last instant granted so far; where it ends when it is over.

        An app that fails while a run ends well makes it end badly, at the same instant.
        """
        if not self.ends_run:
            instant = self.end_instant if self._over else max(0, instant_of(self.reached))
            self.finish(End(instant, reason, text))
        elif reason == "app_failed" and self.ended is not None and self.ended.reason in WELL:
            self.ended = self.ended._replace(reason=reason, text=text)

    def finish(self, end: End) -> None:
        """End the run after an instant."""
        self.ended = end
        self.end = min(self.end, stamp(end.instant, AFTER))

    def judge(self, before: int) -> None:
        """Look whether the run ends with an instant that ended before a stamp."""
        if self.ending.queue and self.ended is None:
            end = self.ending.look(before)
            if end is not None:
                self.finish(end)

    def summarise(self, floor: int) -> bool:
        """Post the summaries whose time everyone has reached, and forget older history.

        Returns: whether there were any.
        """
        if self.next_summary > floor or self.next_summary > self.end:
            return False
        for community, report in self.reports.items():
            while report.next <= floor and report.next <= self.end:
                instant, place = instant_of(report.next), report.next
                self.enter_inputs(place)
                if place > self.end:
                    break
                for name, value in report.summaries(instant):
                    self._commit_outside(report.message(name, value, instant), place)
                self.databases[community].prune(place)
        self.next_summary = min(report.next for report in self.reports.values())
        return True

    def close_books(self) -> None:
        """Enter, report and judge what lies before the end and caused no run; all is over."""
        while (place := min(self.next_input, self.next_summary)) <= self.end < NEVER:
            self.enter_inputs(place + 1)
            self.summarise(place)
            self.judge(min(self.next_input, self.next_summary))
        self._over = True

    @property
    def ends_run(self) -> bool:
        """Whether the run ends, and not only the present case of it."""
        return self.ended is not None and self.ended.reason != CASE

    @property
    def age(self) -> int:
        """How long the run has gone on, with all its cases [ns]."""
        return self.offset + max(0, instant_of(self.reached))

    def shown(self) -> dict[str, dict[str, Value]]:
        """Give the latest values of the plan's ``shown`` variables, by community."""
        return {
            name: {v: value for v in self.plan.shown if (value := d.value(v)) is not None}
            for name, d in self.databases.items()
        }

    @property
    def end_instant(self) -> int:
        """The last instant of the run [ns]."""
        if self.ended is not None:
            return self.ended.instant
        if self.plan.stop_at is not None:
            return self.plan.stop_at
        return max(0, instant_of(self.reached))

    def next_case(self) -> Case | None:
        """Close the books of a case that ended with ``CASE_RESET``; give the one that follows."""
        if self.ended is None or self.ended.reason != CASE:
            return None
        self.close_books()
        try:
            return read_case(*self.ended[2:], self.seed)
        except ValueError as error:
            *_, community, source = self.ended
            self.failures.append(Failure(source, community, self.age / NANO, str(error)))
            self.stop("app_failed", source)
            return None

    def clear(self) -> None:
        """Forget all values and types; registrations and mail stay."""
        for database in self.databases.values():
            database.clear()

    def follow(self, old: Kernel) -> None:
        """Begin where an earlier case ended: counts go on, recorders stay registered."""
        self.offset = old.age
        if old.ended is not None and old.ends_run:
            self.stop(old.ended.reason, old.ended.text)
        self.failures, self.restarts = old.failures, old.restarts
        self.complaints = old.complaints
        for name, database in self.databases.items():
            database.count_on(old.databases[name])
        for slot, before in zip(self.slots, old.slots, strict=True):
            slot.answered = before.answered
            if not before.open:
                slot.close()
            elif slot.plan.app.observes_case_reset:
                slot.stay(before, self.offset)

    def _order_inputs(self, known: tuple[Input, ...]) -> list[tuple[int, int, Input]]:
        cases = (None, self.case.number)
        inputs = [s for s in known if s.community in self.databases and s.case in cases]
        for app in self.plan.apps:
            report = self.reports.get(app.community)
            if report is not None:
                report.connected(app.name, app.start)
                inputs.append(report.event(f"connected={app.name}", app.start))
        return [(s.place, 0, s) for s in sorted(inputs, key=attrgetter("place"))]

    def _report_until(self, before: int) -> None:
        """Post DB_TIME and its like for every report that lies before a stamp."""
        for report in self.reports.values():
            while report.next_plain < before:
                place, instant = report.next_plain, instant_of(report.next_plain)
                for name, value in report.plain(instant):
                    self._commit_outside(report.message(name, value, instant), place)

    def _enter(self, post: Input, order: int = 0) -> None:
        instant, _, community, name, value, source, time, aux, _ = post
        stamped = instant / NANO if time is None else time
        message = Message(name, value, stamped, source, aux, community, instant)
        self._commit_outside(message, post.place, order)

    def _commit_outside(self, message: Message, place: int, order: int = 0) -> None:
        by_itself = message.source == self.reports[message.community].source
        rank = _DATABASE_RANK if by_itself else _OUTSIDE_RANK
        self._sequence += 1
        self._outside = max(self._outside, place)
        database = self.databases[message.community]
        entry = (place, rank, order or self._sequence, message)
        self.hold_or_commit(database, database.variable(message.name), entry)

    @staticmethod
    def _upcoming(slot: Slot, after: int) -> int | None:
        """Give a slot's first instant after one, counting runs that lie further ahead."""
        if not slot.open or slot.due >= NEVER:
            return None
        instant = instant_of(slot.due)
        if instant > after:
            return instant
        return slot.instant_after(after)
