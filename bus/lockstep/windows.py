"""Keeps time for communities that keep their own: says how far each may run without the others.

Each community has a keeper of its own (``local``). A copy of one reaches another no sooner than
the promise of the first says, and by way of a third no sooner than a hop after. So each may run up
to the earliest copy that can reach it, and to the end of the earliest instant at which somebody may
post what the run's end hangs on. The log is that of one at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from steerageway.bus.core.cases import asks_for_cases
from steerageway.bus.core.message import NANO, Value
from steerageway.bus.core.patterns import any_matches, may_meet
from steerageway.bus.core.plan import Input, Placement, Poke, RunPlan
from steerageway.bus.core.shares import OPENING, Outlet
from steerageway.bus.core.stamps import AFTER, INPUT, ITERATE, LAST, NEVER, instant_of, stamp
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.lockstep.keeper import Keeper
from steerageway.bus.lockstep.local import Letter, Promise, Window
from steerageway.bus.lockstep.seat import HOP, Seat

MOST_AHEAD = stamp(10 * NANO, 0)  # how far one community may be ahead of another


def in_windows(plan: RunPlan) -> bool:
    """Whether the communities of a run can keep their own time."""
    apart = plan.placement == Placement.COMMUNITY and len(plan.communities) > 1
    together = plan.restarts or plan.free_run or any(app.external for app in plan.apps)
    return apart and not together and not any(map(asks_for_cases, plan.apps))


class Side:
    """One community as the others see it.

    Attributes:
        name, ranks: the community and the seats of its apps.
        ends: the variables that the run's end hangs on.
        next, cross, gate, held: see ``local.Promise``; as of the last window's end, and never
            too late for what has been sent since.
        limit: of the last window; flying: whether it is not answered yet.
        letters, inputs, warnings, clears: to be sent with the next window.
        reach: community -> (names there, from which instant on [ns]) of its outlets.
        woken_by: patterns of the mail that makes one of its apps due.
        feeders, wakers: whose copies reach it, from which stamp on, and whose wake one of its apps.
        open: whether its process is there.
    """

    def __init__(self, name: str, ranks: tuple[int, ...], ends: tuple[str, ...]) -> None:
        self.name = name
        self.ranks = ranks
        self.ends = ends
        self.next = self.cross = self.gate = 0
        self.held: int | None = None
        self.limit = -1
        self.flying = False
        self.letters: list[Letter] = []
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
        """Note by what mail one of its apps becomes due."""
        self.woken_by, self._wakes = list(patterns), {}

    def send(self, letter: Letter) -> None:
        """Keep a letter for the next window."""
        self.letters.append(letter)
        self._expect(letter[0], letter[3].name)

    def enter(self, said: Input) -> None:
        """Keep a post from outside for the next window."""
        self.inputs.append(said)
        self._expect(said.place, said.name)
        self.next = min(self.next, said.place)

    def expect_what_waits(self) -> None:
        """Allow for what came while it ran, and its promise knows nothing of."""
        for letter in self.letters:
            self._expect(letter[0], letter[3].name)
        for said in self.inputs:
            self._expect(said.place, said.name)
            self.next = min(self.next, said.place)

    def has_news(self, limit: int) -> bool:
        """Whether something waits to be committed that others wait for, though nobody is due."""
        if self.held is not None and self.held < limit:
            return True
        return self.gate < limit and bool(self.letters or self.inputs)

    def close(self) -> None:
        """Leave the run: the process is gone."""
        self.open = self.flying = False
        self.next = self.cross = self.gate = NEVER
        self.held = None

    def _is_woken_by(self, name: str) -> bool:
        known = self._wakes.get(name)
        if known is None:
            known = self._wakes[name] = any_matches(self.woken_by, name)
        return known

    def _expect(self, place: int, name: str) -> None:
        """Allow for a post that is to come: it may wake somebody a hop later."""
        if name in self.ends:
            self.gate = min(self.gate, place)
        if self._is_woken_by(name):
            woken = stamp(instant_of(place) + HOP, ITERATE)
            self.next, self.cross = min(self.next, woken), min(self.cross, woken)


class Told:
    """What a community's tap came to."""

    names: tuple[str, ...] = ()

    def __init__(self, result: dict[str, Any]) -> None:
        self._result = result

    def take(self, message: Any) -> None:
        """Take nothing: it is over."""

    def result(self) -> dict[str, Any]:
        """Give the sum."""
        return self._result


class Windows(Keeper):
    """The time keeper of several communities.

    Its databases hold what is watched: what the run's end hangs on, and, once somebody looks,
    everything.

    Attributes:
        sides: the communities.
        values: community -> the latest values of the plan's ``shown`` variables, as it told them.
    """

    def __init__(self, plan: RunPlan) -> None:
        super().__init__(replace(plan, tap=None))
        ranks: dict[str, list[int]] = {name: [] for name in plan.communities}
        for rank, app in enumerate(plan.apps):
            ranks[app.community].append(rank)
        ends = self.ending.names
        self.sides = {name: Side(name, tuple(r), ends) for name, r in ranks.items() if r}
        for app in plan.apps:
            self._note_reach(self.sides[app.community], app.app.outlets)
        self.values: dict[str, dict[str, Value]] = {}

    def windows(self, allowed: int | None) -> list[tuple[Side, Window]]:
        """Give every community that may run now its window.

        Args:
            allowed: the last instant that may run now [ns]; None: any.
        """
        self.judge(self._closed_before())
        sides = [side for side in self.sides.values() if side.open]
        floor = min((side.next for side in sides), default=NEVER)
        unopened = stamp(instant_of(floor) + OPENING, 0)
        paced = NEVER if allowed is None else stamp(allowed, LAST)
        unjudged = self.ending.queue[0][0] if self.ending.queue else NEVER
        cap = min(self.end, paced, floor + MOST_AHEAD, _end_of_instant(unjudged))
        earliest = self._earliest_from(sides)
        least, second = self._gates(sides)
        found = []
        for side in sides:
            if side.flying:
                continue
            gate = second if side.gate == least else least
            limit = min(cap, self._horizon(side, earliest, unopened), _end_of_instant(gate))
            if side.next <= limit or side.has_news(limit):
                found.append((side, self._grant(side, limit)))
        return found

    def take(self, side: Side, promise: Promise) -> None:
        """Take what a community says at the end of its window."""
        side.flying = False
        side.next, side.cross, side.gate = promise.next, promise.cross, promise.gate
        side.held = promise.held
        self.reached = max(self.reached, promise.reached)
        if promise.outlets is not None:
            side.reach = {}
            self._note_reach(side, promise.outlets)
        if promise.woken_by is not None:
            side.wake_by(promise.woken_by)
            self._linked = False
        for target, letter in promise.letters:
            self.sides[target].send(letter)
        side.expect_what_waits()
        for rank, text in promise.warnings:
            self.sides[self.seats[rank].plan.community].warnings.append((rank, text))
        self.mirror(side.name, promise.seen)
        self.failures.extend(promise.failures)

    def mirror(self, community: str, seen: Iterable[Entry]) -> None:
        """Commit here what was committed in a community and is watched."""
        database = self.databases[community]
        for entry in seen:
            variable = database.variable(entry[3].name)
            if variable.last != entry:
                database.commit(variable, entry)

    @property
    def flying(self) -> list[Side]:
        """The communities that have not answered."""
        return [side for side in self.sides.values() if side.flying]

    @property
    def idle_until(self) -> int | None:
        """Give the earliest instant anyone is due at; None when nothing is left to run."""
        self.judge(self._closed_before())
        due = min((side.next for side in self.sides.values() if side.open), default=NEVER)
        return None if due > self.end or due >= NEVER else instant_of(due)

    @property
    def closed(self) -> int:
        """The last instant at which observers can post no more [ns]."""
        return instant_of(max((side.limit for side in self.sides.values()), default=-1))

    def next_instant(self) -> int | None:
        """Give the first instant at which nobody has been granted a run, if there is one."""
        closed = self.closed
        due = [instant_of(side.next) for side in self.sides.values() if side.open]
        instant = min((instant for instant in due if instant > closed), default=closed + 1)
        over = self.ended is not None or stamp(instant, INPUT) > self.end
        return None if over else instant

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside, after all that has been granted."""
        if self.next_instant() is None:
            return None
        said = poke.at(self.closed + 1)
        self.sides[poke.community].enter(said)
        return said

    def stop(self, reason: str, text: str = "") -> None:
        """End the run after the last instant that anybody may have reached."""
        granted = (min(side.limit, self.end) for side in self.flying)
        self.reached = max((self.reached, *granted))
        super().stop(reason, text)

    def insert(self, said: Input, order: int = 0) -> None:
        """Say nothing: an app that is gone here ends the run."""

    def clear(self) -> None:
        """Have all values and types forgotten."""
        super().clear()
        for side in self.sides.values():
            side.clears = True

    def shown(self) -> dict[str, dict[str, Value]]:
        """Give the latest values of the plan's ``shown`` variables, by community."""
        return self.values

    def in_flight(self) -> list[Seat]:
        """Give the first app of each community that has not answered."""
        return [self.seats[side.ranks[0]] for side in self.flying]

    def close_books(self) -> None:
        """Judge what is left: nothing more will be committed."""
        self.judge(NEVER)
        self._over = True

    def _note_reach(self, side: Side, outlets: Iterable[Outlet]) -> None:
        self._linked = False
        for address, names, since in outlets:
            for target in self.directory.listeners(address, side.name):
                side.reach.setdefault(target, []).append((tuple(names), since))

    def _grant(self, side: Side, limit: int) -> Window:
        window = Window(limit, side.letters, side.inputs, side.warnings, side.clears)
        side.letters, side.inputs, side.warnings, side.clears = [], [], [], False
        side.limit, side.flying = max(limit, side.limit), True
        return window

    def _closed_before(self) -> int:
        """Give the stamp before which nothing more can be said about the run's end."""
        return min((s.gate for s in self.sides.values() if s.open), default=NEVER)

    def _earliest_from(self, sides: list[Side]) -> dict[str, int]:
        """Give the stamp of the first copy that can come from each community.

        One that is reached by what wakes its apps may answer a hop later.
        """
        if not self._linked:
            self._link()
        earliest = {side.name: side.cross for side in sides}
        moving = True
        while moving:
            moving = False
            for side in sides:
                if side.wakers:
                    woken = min(max(earliest.get(name, NEVER), s) for name, s in side.wakers)
                    bound = stamp(instant_of(woken) + HOP, ITERATE)
                    if bound < earliest[side.name]:
                        earliest[side.name] = bound
                        moving = True
        return earliest

    def _link(self) -> None:
        """Work out whose copies reach whom, and whose wake an app there."""
        for side in self.sides.values():
            side.feeders, side.wakers = [], []
            for other in self.sides.values():
                for names, since in other.reach.get(side.name, ()):
                    row = (other.name, stamp(since, 0))
                    side.feeders.append(row)
                    if any(may_meet(name, woken) for name in names for woken in side.woken_by):
                        side.wakers.append(row)
        self._linked = True

    def _horizon(self, side: Side, earliest: dict[str, int], unopened: int) -> int:
        """Give the stamp up to which nothing can reach a community.

        Args:
            earliest: community -> stamp of the first copy that can come from it.
            unopened: the stamp before which no outlet that is yet to be opened is used.
        """
        if not self.directory.listens(side.name):
            return NEVER
        known = (max(earliest.get(name, NEVER), since) for name, since in side.feeders)
        return min(unopened, min(known, default=NEVER))

    def _gates(self, sides: list[Side]) -> tuple[int, int]:
        """Give the two earliest stamps at which somebody may post what the end hangs on."""
        if not self.ending.names:
            return NEVER, NEVER
        least, second = (*sorted(side.gate for side in sides), NEVER, NEVER)[:2]
        return least, second


def _end_of_instant(place: int) -> int:
    return place if place >= NEVER else stamp(instant_of(place), AFTER)
