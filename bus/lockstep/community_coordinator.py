"""``CommunityCoordinator``: how far communities with kernels of their own may run.

Each community has a kernel of its own (``community_group``). Its copies reach another no sooner
than its share bound says, and by way of a third community no sooner than HOP later. So each may run
up to the earliest copy that can reach it, and to the end of the earliest instant at which another
may post a variable of the end conditions.

Lower bounds on time stamps and windows between them are those of ``app_coordinator``'s references;
a community's bounds are the null messages, and a window is a time advance grant of the High Level
Architecture (IEEE 1516.1-2010, 8.2 to 8.4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from steerageway.bus.core.cases import Case
from steerageway.bus.core.errors import ControlError
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Input, Placement, Poke, RunPlan
from steerageway.bus.core.shares import OPENING, Outlet
from steerageway.bus.core.stamps import AFTER, INPUT, ITERATE, LAST, NEVER, instant_of, stamp
from steerageway.bus.database.ending import End
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.slot import HOP, Slot
from steerageway.bus.lockstep.windows import Bounds, Transfer, Window
from steerageway.declarations.patterns import any_matches, may_meet
from steerageway.declarations.posted import Value

NO_CASES = "a run of several communities, each in a process, has no cases; use --placement process"
MOST_AHEAD = stamp(10 * NANO, 0)  # how far one community may be ahead of the slowest


def in_windows(plan: RunPlan) -> bool:
    """Whether each community of a run gets a kernel and windows of its own."""
    several = plan.placement == Placement.COMMUNITY and len(plan.communities) > 1
    apart = several or plan.placement == Placement.CLUSTER
    together = plan.restarts or plan.free_run or any(app.external for app in plan.apps)
    cases = plan.asks_for_cases or any(order.then for order in plan.orders)
    return apart and not together and not cases


class Remote:
    """One community as its coordinator sees it.

    Attributes:
        name, ranks: the community, and the slot ranks of its apps.
        ends: the variables of the end conditions.
        next, share_bound, end_bound, held: as of the end of the last window, see ``Bounds``;
            lowered for what has been sent to it since.
        limit: of the last window; awaited: whether its answer is missing.
        transfers, inputs, warnings, clears: to be sent with the next window.
        reach: community -> (names there, instant of opening [ns]) of its outlets.
        woken_by: patterns of the mail that makes one of its apps due.
        feeders, wakers: (community, stamp) from which on that community's copies may reach it, and
            may make one of its apps due.
        open: whether its process is alive.
    """

    def __init__(self, name: str, ranks: tuple[int, ...], ends: tuple[str, ...]) -> None:
        self.name = name
        self.ranks = ranks
        self.ends = ends
        self.next = self.share_bound = self.end_bound = 0
        self.held: int | None = None
        self.limit = -1
        self.awaited = False
        self.transfers: list[Transfer] = []
        self.inputs: list[Input] = []
        self.warnings: list[tuple[int, str]] = []
        self.reach: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        self.woken_by: list[str] = ["*"]
        self._wakes: dict[str, bool] = {}
        self.feeders: list[tuple[str, int]] = []
        self.wakers: list[tuple[str, int]] = []
        self.open = True
        self.clears = False

    def wake_by(self, patterns: Iterable[str]) -> None:
        """Set the patterns of the mail that makes one of its apps due."""
        self.woken_by, self._wakes = list(patterns), {}

    def send(self, transfer: Transfer) -> None:
        """Queue a transfer for the next window."""
        self.transfers.append(transfer)
        self._allow_for(transfer[0], transfer[3].name)

    def enter(self, post: Input) -> None:
        """Queue a post from outside for the next window."""
        self.inputs.append(post)
        self._allow_for(post.place, post.name)
        self.next = min(self.next, post.place)

    def allow_for_queued(self) -> None:
        """Lower the bounds for what was queued while its window ran: they do not allow for it."""
        for transfer in self.transfers:
            self._allow_for(transfer[0], transfer[3].name)
        for post in self.inputs:
            self._allow_for(post.place, post.name)
            self.next = min(self.next, post.place)

    def has_pending(self, limit: int) -> bool:
        """Whether something is to be committed that others wait for, though no app is due."""
        if self.held is not None and self.held < limit:
            return True
        return self.end_bound < limit and bool(self.transfers or self.inputs)

    def grant(self, limit: int) -> Window:
        """Return the window up to a stamp, with all that was queued for it."""
        window = Window(limit, self.transfers, self.inputs, self.warnings, self.clears)
        self.transfers, self.inputs, self.warnings, self.clears = [], [], [], False
        self.limit, self.awaited = max(limit, self.limit), True
        return window

    def close(self) -> None:
        """Leave the run: its process is gone."""
        self.open = self.awaited = False
        self.next = self.share_bound = self.end_bound = NEVER
        self.held = None

    def _is_woken_by(self, name: str) -> bool:
        known = self._wakes.get(name)
        if known is None:
            known = self._wakes[name] = any_matches(self.woken_by, name)
        return known

    def _allow_for(self, place: int, name: str) -> None:
        """Lower the bounds for a coming post: it may make an app due HOP later, or end the run."""
        if name in self.ends:
            self.end_bound = min(self.end_bound, place)
        if self._is_woken_by(name):
            woken = stamp(instant_of(place) + HOP, ITERATE)
            self.next, self.share_bound = min(self.next, woken), min(self.share_bound, woken)


class TapResult:
    """Result of a community's tap, in the place of the tap."""

    names: tuple[str, ...] = ()

    def __init__(self, result: dict[str, Any]) -> None:
        self._result = result

    def take(self, message: Any) -> None:
        """Ignore messages: the tap has ended."""

    def result(self) -> dict[str, Any]:
        """Return the aggregate."""
        return self._result


# Many methods: two thirds are its interface, most of it the same as ``AppCoordinator``'s.
class CommunityCoordinator:
    """Grants windows to several communities.

    The databases of its state mirror what is watched: the variables of the end conditions, and
    everything once an observer asks for it.

    Attributes:
        state: state of the run.
        remotes: the communities.
        values: community -> latest values of the plan's ``shown`` variables, as it reported them.
    """

    def __init__(self, plan: RunPlan) -> None:
        # No history: nobody registers at an earlier stamp here, and nothing would prune it.
        self.state = CaseState(replace(plan, tap=None), history=False)
        ranks: dict[str, list[int]] = {name: [] for name in plan.communities}
        for rank, app in enumerate(plan.apps):
            ranks[app.community].append(rank)
        ends = self.state.ending.names
        self.remotes = {name: Remote(name, tuple(r), ends) for name, r in ranks.items() if r}
        self._linked = False  # whether feeders and wakers are up to date
        for app in plan.apps:
            if app.sharing is not None:
                self._note_reach(self.remotes[app.community], app.sharing.outlets)
        self.values: dict[str, dict[str, Value]] = {}

    def windows(self, allowed: int | None) -> list[tuple[Remote, Window]]:
        """Grant a window to every community that may run now.

        Args:
            allowed: the last instant that may run now [ns]; None: any.
        """
        self.state.judge(self._closed_before())
        remotes = [remote for remote in self.remotes.values() if remote.open]
        floor = min((remote.next for remote in remotes), default=NEVER)
        # No app can open an outlet before the floor, nor use it sooner than OPENING after that.
        unopened = stamp(instant_of(floor) + OPENING, 0)
        paced = NEVER if allowed is None else stamp(allowed, LAST)
        # End conditions are evaluated for whole instants, and nothing may run past the end: hence
        # limits at the end of an instant.
        unjudged = self.state.ending.queue[0][0] if self.state.ending.queue else NEVER
        cap = min(self.state.end, paced, floor + MOST_AHEAD, _end_of_instant(unjudged))
        earliest = self._earliest_from(remotes)
        least, second = self._end_bounds(remotes)
        found = []
        for remote in remotes:
            if remote.awaited:
                continue
            # Its own posts cannot reach it from outside, so it may run to the bound of the others.
            end_bound = second if remote.end_bound == least else least
            limit = min(cap, self._horizon(remote, earliest, unopened), _end_of_instant(end_bound))
            if remote.next <= limit or remote.has_pending(limit):
                found.append((remote, remote.grant(limit)))
        return found

    def take(self, remote: Remote, bounds: Bounds) -> None:
        """Take a community's answer to its window."""
        remote.awaited = False
        remote.next, remote.held = bounds.next, bounds.held
        remote.share_bound, remote.end_bound = bounds.share_bound, bounds.end_bound
        self.state.reached = max(self.state.reached, bounds.reached)
        if bounds.outlets is not None:
            remote.reach = {}
            self._note_reach(remote, bounds.outlets)
        if bounds.woken_by is not None:
            remote.wake_by(bounds.woken_by)
            self._linked = False
        for target, transfer in bounds.transfers:
            self.remotes[target].send(transfer)
        remote.allow_for_queued()
        for rank, text in bounds.warnings:
            self.remotes[self.state.slots[rank].plan.community].warnings.append((rank, text))
        self.mirror(remote.name, bounds.seen)
        self.state.failures.extend(bounds.failures)

    def mirror(self, community: str, seen: Iterable[Entry]) -> None:
        """Commit here the watched entries that were committed in a community."""
        database = self.state.databases[community]
        for entry in seen:
            # After ``watch`` an entry may come twice: as the stored value, and as a commit.
            variable = database.variable(entry[3].name)
            if variable.last != entry:
                database.commit(variable, entry)

    @property
    def awaited(self) -> list[Remote]:
        """The communities that have not answered."""
        return [remote for remote in self.remotes.values() if remote.awaited]

    @property
    def idle_until(self) -> int | None:
        """Earliest instant at which an app is due; None when nothing is left to run."""
        self.state.judge(self._closed_before())
        due = min((remote.next for remote in self.remotes.values() if remote.open), default=NEVER)
        return None if due > self.state.end or due >= NEVER else instant_of(due)

    @property
    def closed(self) -> int:
        """The last instant at which observers can no longer post [ns]."""
        return instant_of(max((remote.limit for remote in self.remotes.values()), default=-1))

    def next_instant(self) -> int | None:
        """Return the next instant with an activation not granted yet; None if there is none."""
        closed = self.closed
        due = [instant_of(remote.next) for remote in self.remotes.values() if remote.open]
        instant = min((instant for instant in due if instant > closed), default=closed + 1)
        over = self.state.ended is not None or stamp(instant, INPUT) > self.state.end
        return None if over else instant

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside, after everything that has been granted."""
        if self.next_instant() is None:
            return None
        post = poke.at(self.closed + 1)
        self.remotes[poke.community].enter(post)
        return post

    def stop(self, reason: str, text: str = "") -> None:
        """End the run after the last instant that a community may have reached."""
        granted = (min(remote.limit, self.state.end) for remote in self.awaited)
        self.state.reached = max((self.state.reached, *granted))
        self.state.stop(reason, text)

    def next_case(self) -> Case | None:
        """Return None: a run in windows has only one case."""
        return None

    def close_case(self, end: End, entered: int) -> None:
        """Refuse to end a case.

        Raises:
            ControlError: always.
        """
        raise ControlError(NO_CASES)

    def clear(self) -> None:
        """Have all values and types removed in every community."""
        self.state.clear()
        for remote in self.remotes.values():
            remote.clears = True

    def shown(self) -> dict[str, dict[str, Value]]:
        """Return the latest values of the plan's ``shown`` variables, by community."""
        return self.values

    def in_flight(self) -> list[Slot]:
        """Return the first app of each community that has not answered."""
        return [self.state.slots[remote.ranks[0]] for remote in self.awaited]

    def close(self) -> None:
        """Evaluate what is left: nothing more will be committed."""
        self.state.judge(NEVER)
        self.state.over = True

    def _note_reach(self, remote: Remote, outlets: Iterable[Outlet]) -> None:
        self._linked = False
        for address, names, since in outlets:
            for target in self.state.directory.listeners(address, remote.name):
                remote.reach.setdefault(target, []).append((tuple(names), since))

    def _closed_before(self) -> int:
        """Return the stamp before which no post of the end conditions' variables can still come."""
        return min((s.end_bound for s in self.remotes.values() if s.open), default=NEVER)

    def _earliest_from(self, remotes: list[Remote]) -> dict[str, int]:
        """Return the stamp of the first copy that may come from each community.

        One that is reached by mail that makes its apps due may answer HOP later.
        """
        if not self._linked:
            self._link()
        # A shortest-path relaxation: bounds only fall, by at least HOP a step, so it ends.
        earliest = {remote.name: remote.share_bound for remote in remotes}
        moving = True
        while moving:
            moving = False
            for remote in remotes:
                if remote.wakers:
                    woken = min(max(earliest.get(name, NEVER), s) for name, s in remote.wakers)
                    bound = stamp(instant_of(woken) + HOP, ITERATE)
                    if bound < earliest[remote.name]:
                        earliest[remote.name] = bound
                        moving = True
        return earliest

    def _link(self) -> None:
        """Compute which communities' copies may reach which, and which make an app due there."""
        for remote in self.remotes.values():
            remote.feeders, remote.wakers = [], []
        for sender in self.remotes.values():
            for target, outlets in sender.reach.items():
                remote = self.remotes[target]
                for names, since in outlets:
                    row = (sender.name, stamp(since, 0))
                    remote.feeders.append(row)
                    if any(may_meet(name, woken) for name in names for woken in remote.woken_by):
                        remote.wakers.append(row)
        self._linked = True

    def _horizon(self, remote: Remote, earliest: dict[str, int], unopened: int) -> int:
        """Return the stamp up to which no copy can reach a community.

        Args:
            earliest: community -> stamp of the first copy that may come from it.
            unopened: the stamp before which no outlet that is still to be opened can be used.
        """
        if not self.state.directory.listens(remote.name):
            return NEVER
        known = (max(earliest.get(name, NEVER), since) for name, since in remote.feeders)
        return min(unopened, min(known, default=NEVER))

    def _end_bounds(self, remotes: list[Remote]) -> tuple[int, int]:
        """Return the two earliest end bounds of communities."""
        if not self.state.ending.names:
            return NEVER, NEVER
        least, second = (*sorted(remote.end_bound for remote in remotes), NEVER, NEVER)[:2]
        return least, second


def _end_of_instant(place: int) -> int:
    return place if place >= NEVER else stamp(instant_of(place), AFTER)
