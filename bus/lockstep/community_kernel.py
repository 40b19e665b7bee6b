"""A kernel for one community, among others in other processes that hear it and are heard.

It runs its apps by itself up to a stamp: a *window*, within which nothing of another community can
reach it. It tells what it hands on, and a *bounds*: the stamps before which it will neither hand
anything on nor post what the run's end hangs on, as long as nothing reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import NamedTuple, TypeVar

from steerageway.bus.core.app import Registration
from steerageway.bus.core.clock import stopwatch
from steerageway.bus.core.message import Message, Row
from steerageway.bus.core.patterns import may_meet
from steerageway.bus.core.plan import Failure, Input, RunPlan
from steerageway.bus.core.runner import Runner
from steerageway.bus.core.shares import OPENING, Copy, Outlet
from steerageway.bus.core.stamps import ITERATE, NEVER, instant_of, stamp
from steerageway.bus.database.mailbox import Entry, Mailbox
from steerageway.bus.database.variable import Hook, Variable
from steerageway.bus.lockstep.reachability import Reachability, bound_by_mail
from steerageway.bus.lockstep.serial_kernel import SerialKernel
from steerageway.bus.lockstep.slot import HOP, Slot

TIME_SLICE = 0.1  # wall seconds after which a window is answered, though it is not over

_T = TypeVar("_T")
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


class _Touch(Hook):
    """Notes that something was posted that the run's end hangs on."""

    __slots__ = ("touched",)

    def __init__(self) -> None:
        self.touched = False

    def committed(self, entry: Entry) -> None:
        self.touched = True


class CommunityKernel(SerialKernel):
    """The kernel of one community."""

    def __init__(self, plan: RunPlan, runners: Sequence[Runner], community: str) -> None:
        """Begin.

        Args:
            plan: the whole run's.
            runners: of all its apps; those of other communities are not used.
            community: the one kept here.
        """
        quiet = replace(plan, until=(), fail_if=())
        super().__init__(quiet, runners, kept=(community,))
        self._own = [slot for slot in self.slots if slot.open]
        self._by_mail = [slot for slot in self._by_mail if slot.open]
        self._database = self.databases[community]
        names = [name for c in (*plan.until, *plan.fail_if) for name in c.variables]
        self._ends = tuple(dict.fromkeys(names))
        self._reach = Reachability(self.slots, self.directory, ())
        self._posters = [slot for slot in self._own if any(map(slot.may_post, names))]
        self._sharers = [slot for slot in self._own if slot.plan.app.shares]
        self._touch = _Touch()
        self._view = Mailbox("")
        self._database.mailboxes.append(self._view)
        self._looked = 0
        for name in self._ends:
            self._database.variable(name).hooks += (self._touch,)
            self._database.register(self._view, Registration(name), NEVER)
        for slot in self._own:
            self._reach.assume_all(slot)
        self._unheard: set[int] = set()
        self._limit = -1
        self._held: list[tuple[Slot, int, int, Sequence[Row]]] = []
        self._mail: list[Transfer] = []
        self._out: list[tuple[str, Transfer]] = []
        self._warnings: list[tuple[int, str]] = []
        self._sent_outlets: list[Outlet] | None = None
        self._sent_patterns: list[str] | None = None
        self._leaving_at: int | None = None

    def run_window(self, window: Window) -> Bounds:
        """Run what a window allows, or as much of it as a time slice lasts."""
        self._take(window)
        began = stopwatch()
        self._limit = window.limit
        held, self._held = self._held, []
        for posted in held:
            self.take_posts(*posted)
        while not self.failures:
            place = self.earliest()
            if self._mail and self._mail[0][0] < min(place, window.limit):
                self._open_mail(self._mail[0][0], NEVER)
                continue
            over = self._touch.touched and instant_of(place) > instant_of(self.reached)
            if place > min(window.limit, self.end) or over or stopwatch() - began > TIME_SLICE:
                break
            self.run_stamp(place)
        return self._bounds()

    def watch(self) -> list[Entry]:
        """Tell of everything that is committed from now on; give what there is."""
        self._database.register(self._view, Registration("*"), NEVER)
        return self._look()

    def _take(self, window: Window) -> None:
        for transfer in window.transfers:
            heappush(self._mail, transfer)
        for post in window.inputs:
            self.insert(post)
        for rank, text in window.warnings:
            self.slots[rank].warnings.append(text)
        if window.clears:
            self.clear()
        self._touch.touched = False

    def _open_mail(self, place: int, rank: int) -> None:
        """Commit what came from elsewhere up to a place in the run's order."""
        while self._mail and self._mail[0][:2] < (place, rank):
            entry = heappop(self._mail)
            database = self._database
            self.hold_or_commit(database, database.variable(entry[3].name), entry)

    def take_posts(self, slot: Slot, place: int, instant: int, posts: Sequence[Row]) -> None:
        """Commit the posts of a run in their order; at the limit, others' may come before."""
        if place == self._limit:
            self._held.append((slot, place, instant, posts))
            return
        self._open_mail(place, slot.rank)
        super().take_posts(slot, place, instant, posts)

    def take_copies(self, slot: Slot, place: int, instant: int, copies: Sequence[Copy]) -> None:
        """Keep what is handed on for the end of the window."""
        for sequence, copy in enumerate(copies):
            for target, message in self.deliveries(slot, instant, copy):
                self._out.append((target, (place, slot.rank, sequence, message)))

    def register(self, slot: Slot, registration: Registration, place: int) -> None:
        """Note a registration."""
        super().register(slot, registration, place)
        self._unheard.add(slot.rank)

    def refuse(self, variable: Variable, entry: Entry) -> None:
        """Tell an app, here or elsewhere, that its post is of the wrong type."""
        if entry[1] >= 0 and self.slots[entry[1]] not in self._own:
            self._warnings.append((entry[1], variable.complaint(entry)))
        else:
            super().refuse(variable, entry)

    def stop(self, reason: str, text: str = "") -> None:
        """Leave it to whoever keeps time for all to end the run."""

    def _bounds(self) -> Bounds:
        self._listen()
        waiting = [place for _, place, _, _ in self._held[:1]] + [row[0] for row in self._mail[:1]]
        held = min(waiting, default=None)
        posted = min((self._next_posted, *waiting))
        sure = min((self.next_input, self.next_summary, *waiting))
        first = {s.rank: sure if s.receives_reports else posted for s in self._by_mail}
        following = self.earliest()
        bound_by_mail([(slot, first[slot.rank]) for slot in self._by_mail if slot.open])
        soonest = stamp(instant_of(sure) + HOP, ITERATE) if held is not None else NEVER
        return Bounds(
            reached=self.reached,
            next=min(following, soonest),
            share_bound=min((self._share_bound_of(s, first) for s in self._sharers), default=NEVER),
            end_bound=self._end_bound(sure, first) if self._ends else NEVER,
            held=held,
            transfers=self._emptied(self._out),
            outlets=self._news_of_outlets(),
            woken_by=self._news_of_patterns(),
            seen=self._look(),
            warnings=self._emptied(self._warnings),
            failures=self._emptied(self.failures),
        )

    @property
    def _next_posted(self) -> int:
        """The stamp of the next known post from outside; those of the database do not count."""
        index = self._input_index
        return self._inputs[index][0] if index < len(self._inputs) else NEVER

    def _share_bound_of(self, slot: Slot, first: dict[int, int]) -> int:
        """Give the stamp before which a sharing app hands nothing on.

        Args:
            slot: the app's, its ``next`` up to date.
            first: rank -> stamp of the first mail that is sure to come to it from elsewhere.
        """
        by_mail = _wakes(slot, first)
        if slot.mailbox.entries or self.runners[slot.rank].app.acts_by_itself():
            return min(slot.due, by_mail)
        return by_mail

    def _end_bound(self, sure: int, first: dict[int, int]) -> int:
        """Give the stamp before which nothing is posted, here or there, that the end hangs on."""
        posting = [sure, *(slot.next for slot in self._posters)]
        for slot in self._sharers:
            acts = min(slot.due, _wakes(slot, first))
            names = [n for outlet in self.runners[slot.rank].app.outlets for n in outlet.names]
            if not any(may_meet(name, end) for name in names for end in self._ends):
                acts = min(NEVER, stamp(instant_of(acts) + OPENING, 0))
            posting.append(acts)
        return min(posting)

    def _look(self) -> list[Entry]:
        seen = self._view.take(NEVER)
        self._looked += len(seen)
        return seen

    @property
    def delivered(self) -> int:
        """Messages delivered to apps."""
        return self._database.delivered - self._looked

    @staticmethod
    def _emptied(rows: list[_T]) -> list[_T]:
        taken = rows[:]
        rows.clear()
        return taken

    def _listen(self) -> None:
        """Work out anew whom those hear who have registered something."""
        for slot in self._by_mail:
            if slot.rank in self._unheard:
                self._reach.update(slot)
        self._unheard.clear()

    def _news_of_outlets(self) -> list[Outlet] | None:
        outlets = [o for slot in self._own for o in self.runners[slot.rank].app.outlets]
        if outlets == self._sent_outlets:
            return None
        self._sent_outlets = outlets
        return outlets

    def _news_of_patterns(self) -> list[str] | None:
        patterns = [
            pattern
            for slot in self._by_mail
            for pattern, _ in slot.mailbox.registrations
            if pattern not in slot.plan.app.calm
        ]
        if patterns == self._sent_patterns:
            return None
        self._sent_patterns = patterns
        return patterns

    @property
    def end_instant(self) -> int:
        """The last instant of the run [ns]."""
        return super().end_instant if self._leaving_at is None else self._leaving_at

    def part(self, end: int, instant: int, transfers: Sequence[Transfer], *, last: bool) -> Bounds:
        """Let the apps take leave: first all but the recording ones, then, with ``last``, those.

        Args:
            end: nothing was run after this stamp.
            instant: the run's last [ns].
            transfers: what came from other communities since the last window.
        """
        self._take(Window(NEVER, transfers))
        self._limit = -1
        if not last:
            self.end, self._leaving_at = end, instant
            held, self._held = self._held, []
            for posted in held:
                self.take_posts(*posted)
        self._open_mail(NEVER, NEVER)
        if not last:
            self.close_books()
        for slot in self._own:
            recording = slot.plan.app.observes_case_reset
            if slot.open and slot.started and recording is last:
                self.dismiss(slot, slot.grant_stop(instant))
        return self._bounds()


def _wakes(slot: Slot, first: dict[int, int]) -> int:
    """Give the stamp before which no mail makes an app act for others; ``next`` if it never rests.

    Mail that lets it be calm may make it due, and it then hands on what came within the hop.
    """
    if not (slot.by_mail and slot.plan.app.calm):
        return slot.next
    heard = (other.next for other in (*slot.senders, *slot.status_senders))
    soonest = min(first[slot.rank], min(heard, default=NEVER))
    return stamp(max(instant_of(soonest), slot.last_run) + 1, 0)
