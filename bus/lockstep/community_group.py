"""``CommunityGroup``: a community with a kernel of its own, beside others in other processes.

It runs its apps up to a stamp: a *window*, within which nothing of another community can arrive. It
answers with its copies for others, and with *bounds*: the stamps before which it will neither share
anything nor post a variable of the end conditions, as long as nothing reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import TypeVar

from steerageway.bus.core.app import Registration
from steerageway.bus.core.clock import stopwatch
from steerageway.bus.core.message import Row
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runner import Runner
from steerageway.bus.core.shares import OPENING, Copy, Outlet
from steerageway.bus.core.sharing_app import SharingApp
from steerageway.bus.core.stamps import ITERATE, NEVER, instant_of, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.ending import End
from steerageway.bus.database.mailbox import Entry, Mailbox
from steerageway.bus.database.variable import Hook, Variable
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.commitment import Databases
from steerageway.bus.lockstep.kernel import Kernel
from steerageway.bus.lockstep.mail_driven import bound_by_mail
from steerageway.bus.lockstep.reachability import Reachability
from steerageway.bus.lockstep.slot import HOP, Slot
from steerageway.bus.lockstep.windows import Bounds, Transfer, Window
from steerageway.declarations.patterns import may_meet

TIME_SLICE = 0.1  # wall seconds after which a window is answered even if it is not finished

_T = TypeVar("_T")


class _Touch(Hook):
    """Notes that a variable of the end conditions was posted."""

    __slots__ = ("touched",)

    def __init__(self) -> None:
        self.touched = False

    def committed(self, entry: Entry) -> None:
        self.touched = True


class Border(Databases):
    """The sink of a community: commits its posts, and queues copies from and for others.

    Posts at a window's limit are held: others may post at the same stamp with a lower rank.

    Attributes:
        limit: the last stamp of the window.
        held: the posts of activations at the limit: slot, stamp, instant, posts.
        arrived: transfers from other communities, as a heap.
        departing: (community, transfer): copies made in the window.
        warnings: (rank, text): about posts of others that were refused here.
        registered: ranks of the apps that have registered something since it was cleared.
    """

    def __init__(self, state: CaseState, database: Database) -> None:
        super().__init__(state)
        self._database = database
        self.limit = -1
        self.held: list[tuple[Slot, int, int, Sequence[Row]]] = []
        self.arrived: list[Transfer] = []
        self.departing: list[tuple[str, Transfer]] = []
        self.warnings: list[tuple[int, str]] = []
        self.registered: set[int] = set()

    def register(self, slot: Slot, registration: Registration, place: int) -> None:
        """Apply a registration."""
        super().register(slot, registration, place)
        self.registered.add(slot.rank)

    def take_posts(self, slot: Slot, place: int, instant: int, posts: Sequence[Row]) -> None:
        """Commit the posts of an activation in order; at the limit, hold them."""
        if place == self.limit:
            self.held.append((slot, place, instant, posts))
            return
        self.commit_arrived(place, slot.rank)
        super().take_posts(slot, place, instant, posts)

    def take_copies(self, slot: Slot, place: int, instant: int, copies: Sequence[Copy]) -> None:
        """Queue an activation's copies for the end of the window."""
        for sequence, copy in enumerate(copies):
            for target, message in self._state.deliveries(slot, instant, copy):
                self.departing.append((target, (place, slot.rank, sequence, message)))

    def commit_arrived(self, place: int, rank: int) -> None:
        """Commit what came from other communities before a place in the run's order."""
        while self.arrived and self.arrived[0][:2] < (place, rank):
            entry = heappop(self.arrived)
            self.commit(self._database, self._database.variable(entry[3].name), entry)

    def release(self) -> None:
        """Commit what was held at the limit of the previous window."""
        held, self.held = self.held, []
        for posted in held:
            self.take_posts(*posted)

    def waiting(self) -> list[int]:
        """Return the stamps of the first held and the first arrived entry."""
        return [place for _, place, _, _ in self.held[:1]] + [row[0] for row in self.arrived[:1]]

    def refuse(self, variable: Variable, entry: Entry) -> None:
        """Warn an app of this or another community that its post has the wrong type."""
        rank = entry[1]
        if rank >= 0 and self._state.slots[rank].database is not self._database:
            self.warnings.append((rank, variable.complaint(entry)))
        else:
            super().refuse(variable, entry)


class CommunityGroup:
    """One community: its kernel, and the bounds that the coordinator needs.

    Attributes:
        kernel: runs its apps.
    """

    def __init__(
        self,
        plan: RunPlan,
        runners: Sequence[Runner],
        community: str,
        beside: CaseState | None = None,
    ) -> None:
        """Begin at time 0.

        Args:
            plan: the whole run's.
            runners: of all its apps; those of other communities are not used.
            community: its name.
            beside: a state without communities, for all groups of a process; see ``CaseState``.
        """
        quiet = replace(plan, until=(), fail_if=())  # the coordinator evaluates the end conditions
        state = CaseState(
            quiet, communities=(community,), history=False, coordinated=True, beside=beside
        )
        self._database = state.databases[community]
        self._border = Border(state, self._database)
        self.kernel = Kernel(state, runners, self._border)
        self._state = state
        self._own = [slot for slot in state.slots if slot.open]
        # From the original plan: ``quiet`` has no conditions left.
        names = [name for c in (*plan.until, *plan.fail_if) for name in c.variables]
        self._ends = tuple(dict.fromkeys(names))
        self._reach = Reachability(self._own, state.directory, ())
        self._posters = [slot for slot in self._own if any(map(slot.may_post, names))]
        self._sharers = [(s, s.plan.sharing) for s in self._own if s.plan.sharing is not None]
        self._touch = _Touch()
        self._view = Mailbox("")
        self._database.mailboxes.append(self._view)
        self._looked = 0
        for name in self._ends:
            self._database.variable(name).hooks += (self._touch,)
            self._database.register(self._view, Registration(name), NEVER)
        for slot in self._own:
            self._reach.assume_all(slot)
        self._sent_outlets: list[Outlet] | None = None
        self._sent_patterns: list[str] | None = None

    def run_window(self, window: Window) -> Bounds:
        """Run what a window allows, or as much of it as fits in a time slice."""
        kernel, border, state = self.kernel, self._border, self._state
        self._take(window)
        began = stopwatch()
        border.limit = window.limit
        border.release()
        while not state.failures:
            place = kernel.earliest()
            # Arrived entries may make an app due earlier than ``place``: commit them first.
            if border.arrived and border.arrived[0][0] < min(place, window.limit):
                border.commit_arrived(border.arrived[0][0], NEVER)
                continue
            # An instant that posts a variable of the end conditions ends the window: a coordinator
            # must evaluate them first.
            over = self._touch.touched and instant_of(place) > instant_of(state.reached)
            if place > min(window.limit, state.end) or over or stopwatch() - began > TIME_SLICE:
                break
            kernel.run_stamp(place)
        return self._bounds()

    def stop_apps(
        self, end: int, instant: int, transfers: Sequence[Transfer], *, recording: bool
    ) -> Bounds:
        """Run the last activation of the recorders, or of the other apps, which come first.

        Args:
            end: nothing was run after this stamp.
            instant: the last one of the run [ns].
            transfers: copies from other communities since the last window.
            recording: whether the recorders run.
        """
        kernel, border, state = self.kernel, self._border, self._state
        self._take(Window(NEVER, transfers))
        border.limit = -1
        if not recording:
            state.end, state.ended = end, End(instant, "stopped", "")
            border.release()
        border.commit_arrived(NEVER, NEVER)
        if not recording:
            kernel.outside.close()
        kernel.stop_apps(instant, recording=recording)
        return self._bounds()

    def watch(self) -> list[Entry]:
        """Report everything committed from now on; return the present values."""
        self._database.register(self._view, Registration("*"), NEVER)
        return self._look()

    @property
    def delivered(self) -> int:
        """Messages delivered to apps."""
        return self._database.delivered - self._looked

    def _take(self, window: Window) -> None:
        for transfer in window.transfers:
            heappush(self._border.arrived, transfer)
        for post in window.inputs:
            self.kernel.outside.insert(post)
        for rank, text in window.warnings:
            self._state.slots[rank].warnings.append(text)
        if window.clears:
            self._state.clear()
        self._touch.touched = False

    def _bounds(self) -> Bounds:
        self._update_reach()
        kernel, border, outside = self.kernel, self._border, self.kernel.outside
        waiting = border.waiting()
        # ``posted`` and ``sure``: first stamp of what may come to an app from no app here, without
        # and with the database's own reports.
        held = min(waiting, default=None)
        posted = min((outside.next_posted, *waiting))
        sure = min((outside.next_input, outside.next_summary, *waiting))
        # The database's own reports come every 2 s: apps that ignore them get a later bound.
        first = {s.rank: sure if s.receives_reports else posted for s in kernel.by_mail}
        following = kernel.earliest()
        bound_by_mail([(slot, first[slot.rank]) for slot in kernel.by_mail if slot.open])
        soonest = stamp(instant_of(sure) + HOP, ITERATE) if held is not None else NEVER
        return Bounds(
            reached=self._state.reached,
            next=min(following, soonest),
            share_bound=min((_share_bound(*s, first) for s in self._sharers), default=NEVER),
            end_bound=self._end_bound(sure, first) if self._ends else NEVER,
            held=held,
            transfers=_emptied(border.departing),
            outlets=self._changed_outlets(),
            woken_by=self._changed_patterns(),
            seen=self._look(),
            warnings=_emptied(border.warnings),
            failures=_emptied(self._state.failures),
        )

    def _end_bound(self, sure: int, first: dict[int, int]) -> int:
        """Return the stamp before which no post of an end variable is made, here or by sharing."""
        posting = [sure, *(slot.next for slot in self._posters)]
        for slot, app in self._sharers:
            acts = min(slot.due, _wakes(slot, first))
            names = [name for outlet in app.outlets for name in outlet.names]
            if not any(may_meet(name, end) for name in names for end in self._ends):
                acts = min(NEVER, stamp(instant_of(acts) + OPENING, 0))
            posting.append(acts)
        return min(posting)

    def _look(self) -> list[Entry]:
        seen = self._view.take(NEVER)
        self._looked += len(seen)
        return seen

    def _update_reach(self) -> None:
        """Recompute the senders of apps that have registered something."""
        for slot in self.kernel.by_mail:
            if slot.rank in self._border.registered:
                self._reach.update(slot)
        self._border.registered.clear()

    def _changed_outlets(self) -> list[Outlet] | None:
        outlets = [outlet for _, app in self._sharers for outlet in app.outlets]
        if outlets == self._sent_outlets:
            return None
        self._sent_outlets = outlets
        return outlets

    def _changed_patterns(self) -> list[str] | None:
        patterns = [
            pattern
            for slot in self.kernel.by_mail
            for pattern, _ in slot.mailbox.registrations
            if slot.plan.sharing is None or pattern not in slot.plan.sharing.calm
        ]
        if patterns == self._sent_patterns:
            return None
        self._sent_patterns = patterns
        return patterns


def _share_bound(slot: Slot, app: SharingApp, first: dict[int, int]) -> int:
    """Return the stamp before which a sharing app sends nothing.

    Args:
        slot: the app's, its ``next`` up to date.
        app: as it runs.
        first: rank -> stamp of the first mail that may come to it from no app of the community.
    """
    by_mail = _wakes(slot, first)
    if slot.mailbox.entries or app.acts_by_itself():
        return min(slot.due, by_mail)
    return by_mail


def _emptied(rows: list[_T]) -> list[_T]:
    """Return the items of a list and empty it."""
    taken = rows[:]
    rows.clear()
    return taken


def _wakes(slot: Slot, first: dict[int, int]) -> int:
    """Return the stamp before which no mail makes an app act for others; ``next`` without ``calm``.

    Mail of a variable in ``calm`` may make it due, and it then shares what came within the hop.
    """
    sharing = slot.plan.sharing
    if not (slot.by_mail and sharing is not None and sharing.calm):
        return slot.next
    bounds = (other.next for other in (*slot.senders, *slot.status_senders))
    soonest = min(first[slot.rank], min(bounds, default=NEVER))
    return stamp(max(instant_of(soonest), slot.last_run) + 1, 0)
