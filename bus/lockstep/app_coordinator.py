"""Says how far apps in other processes may run: it grants all that nothing can reach any more.

An app may be granted its next runs as long as no app it may get mail from can still post before
them. Who may post what is declared (``App.publishes``), so some run ahead of others; the order of
commitment, and so every log, is that of one-at-a-time.

A variable's posts are committed once every app that may post it has passed their stamp. Apps that
only record (``App.may_lag``) are granted about a simulated second at a time at ``--warp max``.

This is conservative parallel discrete-event simulation: ``Slot.next`` is a lower bound on the time
stamps of what an app will still send, ``HOP`` the lookahead of apps that mail wakes, ``_horizon``
the time advance grant, and since the broker keeps every bound no null messages are sent.

Source: Chandy and Misra (1979), Distributed simulation, IEEE Trans. Software Eng. SE-5; Bryant
(1977), MIT-LCS-TR-188; Fujimoto (2000), Parallel and Distributed Simulation Systems, chapter 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from steerageway.bus.core.app import Registration
from steerageway.bus.core.cases import Case
from steerageway.bus.core.message import NANO, Value
from steerageway.bus.core.plan import Input, Poke, RunPlan
from steerageway.bus.core.runner import Answer, Kind
from steerageway.bus.core.stamps import ITERATE, LAST, NEVER, instant_of, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.ending import CASE, End
from steerageway.bus.database.mailbox import Entry, Mailbox
from steerageway.bus.database.reports import SUMMARIES
from steerageway.bus.database.variable import Variable
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.commitment import commit_copies, commit_posts
from steerageway.bus.lockstep.outside_posts import OutsidePosts
from steerageway.bus.lockstep.reachability import Reachability, Writers, bound_by_mail
from steerageway.bus.lockstep.restarts import leave, restart
from steerageway.bus.lockstep.slot import HOP, NEXT_OF, Slot, Tick

WINDOW = stamp(NANO, 0)  # how far ahead one grant may reach
MOST_AHEAD = 10 * WINDOW  # how far anyone may be ahead of the last: bounds the mail that waits
MOST_TICKS = 64


class Grant(NamedTuple):
    """Runs granted to one app."""

    slot: Slot
    ticks: list[Tick]


class _Late(NamedTuple):
    """A registration made at a stamp that not everyone has passed."""

    stamp: int
    slot: Slot
    registration: Registration


class AppCoordinator:
    """Hands out grants and takes answers in any order.

    Attributes:
        state: what is known of the case.
        outside: the posts that are no app's.
    """

    def __init__(self, plan: RunPlan, case: Case | None = None) -> None:
        self.state = state = CaseState(plan, case)
        self.outside = OutsidePosts(state, self._hold_or_commit, self._between)
        self._reach = Reachability(state.slots, state.directory, state.ending.names)
        self._held: dict[tuple[str, str], Variable] = {}
        self._writers: dict[tuple[str, str], Writers] = {}
        for database in self.state.databases.values():
            database.on_new = self._find_writers
            for variable in database.variables.values():
                self._find_writers(database.community, variable)
        self._late: list[_Late] = []
        self._by_mail = [slot for slot in self.state.slots if slot.plan.mode != 0]
        self._summaries_end = any(name in SUMMARIES for name in self.state.ending.names)
        self._paced = NEVER
        self._floor = self._recheck = -1
        self._slowest: Slot | None = None
        for slot in self.state.slots:
            self._reach.assume_all(slot)

    def grants(self, allowed: int | None, *, eager: bool) -> list[Grant]:
        """Grant everything that may run now.

        Args:
            allowed: the last instant that may run now [ns]; None: any.
            eager: whether recorders get what there is, or wait for a second's worth.
        """
        self._paced = NEVER if allowed is None else stamp(allowed, LAST)
        granted = self._round(self._floor_of_late(), eager)
        if granted or any(slot.pending and not slot.may_lag for slot in self.state.slots):
            return granted
        return self._round(self._catch_up(), eager=True)

    def accept(self, slot: Slot, answers: Sequence[Answer]) -> None:
        """Take the answers to a grant's runs; runs without one are taken back."""
        starting = bool(slot.pending) and slot.pending[0].kind == Kind.START
        for answer in answers:
            self._take(slot, answer)
        slot.withdraw()
        self._settle(slot)
        if starting and not slot.waits:
            self._reach.update(slot)

    def shown(self) -> dict[str, dict[str, Value]]:
        """Return the latest values of the plan's ``shown`` variables, by community."""
        return self.state.shown()

    def in_flight(self) -> list[Slot]:
        """Return the slots that have not answered yet."""
        return [slot for slot in self.state.slots if slot.pending]

    @property
    def idle_until(self) -> int | None:
        """Return the earliest instant anyone is due at; None when nothing is left to run."""
        due = min((slot.due for slot in self.state.slots), default=NEVER)
        if any(slot.by_mail for slot in self._by_mail):
            due = min(due, self.outside.next_input, self.outside.next_summary)
        return None if due > self.state.end or due >= NEVER else instant_of(due)

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside, at the next instant not yet granted; None when none will be."""
        return self.outside.poke(poke)

    def next_instant(self) -> int | None:
        """Return the first instant at which nobody has been granted a run, if there is one."""
        return self.outside.next_instant()

    def clear(self) -> None:
        """Forget all values and types."""
        self.state.clear()

    def stop(self, reason: str, text: str = "") -> None:
        """End the run after the last instant granted so far."""
        self.state.stop(reason, text)

    def leave(self, slot: Slot, instant: int) -> None:
        """Take a failed app out of the run; its registrations that are late are reported yet."""
        for late in self._late:
            if late.slot is slot and late.registration.active:
                slot.mailbox.note(late.registration, late.stamp)
        self._late = [late for late in self._late if late.slot is not slot]
        slot.waits = False
        leave(self.state, self.outside, slot, instant)

    def restart(self, slot: Slot, instant: int) -> bool:
        """Let a failed app come back, receiving from everyone until it has started."""
        self._reach.assume_all(slot)
        return restart(self.state, self.outside, slot, instant)

    def follow(self, old: AppCoordinator) -> None:
        """Begin where an earlier case ended."""
        self.state.follow(old.state)
        for slot in self.state.slots:
            if slot.started:
                self._reach.update(slot)

    def next_case(self) -> Case | None:
        """Close the books of a case, with all that is held; give the one that follows."""
        if self.state.ended is None or self.state.ended.reason != CASE:
            return None
        self.outside.close()
        case = self.state.following_case()
        if case is not None:
            self.flush()
        return case

    def close_case(self, end: End, entered: int) -> None:
        """End the case here, once what was posted before a stamp is entered."""
        self.outside.enter_before(entered)
        self.state.finish(end)
        self.next_case()

    def close(self) -> None:
        """Commit everything that lies before the end: nobody will post any more."""
        self.outside.close()
        self.flush()

    def flush(self) -> None:
        """Commit everything held."""
        for (community, _), variable in self._held.items():
            while variable.held:
                self._commit(self.state.databases[community], variable, heappop(variable.held))
        self._held.clear()
        self._settle_late(NEVER)

    def _between(self, before: int) -> None:
        """Commit what is ready and look whether the run ends, between two posts from outside."""
        self._release_ready()
        self._judge(before)

    def _take(self, slot: Slot, answer: Answer) -> None:
        """Take what an app said in its oldest unanswered run."""
        run = slot.answered_run()
        posts, registrations, copies = answer
        for registration in registrations:  # in force once everyone has passed its stamp
            self._late.append(_Late(run.stamp, slot, registration))
            slot.waits = True
        commit_posts(slot, run.stamp, run.instant, posts, self._hold_or_commit)
        if copies:
            take = self._hold_or_commit
            commit_copies(self.state, slot, run.stamp, run.instant, copies, take)

    def _hold_or_commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        """Commit an entry at once if no app can post its variable before."""
        key = (database.community, variable.name)
        if variable.held or self._writers[key].can_come(entry[0], but=entry[1]):
            heappush(variable.held, entry)
            self._held[key] = variable
            variable.repeats = None
        else:
            self._commit(database, variable, entry)

    def _commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        if not database.commit(variable, entry):
            self.state.refuse(variable, entry)

    def _round(self, floor: int, eager: bool) -> list[Grant]:
        """Look at every app once; grant what nothing can reach any more."""
        granted = []
        limit = min(self.state.end, self._paced, floor + MOST_AHEAD)
        for slot in self.state.slots:
            if slot.by_mail:
                self._settle(slot)
            due, blocker = slot.due, slot.blocker
            if blocker is not None and blocker.next < due:
                continue
            if due > limit or slot.pending or slot.waits:
                continue
            if due + slot.lag > self.state.reached and not eager:
                continue
            horizon = self._horizon(slot, limit)
            while slot.by_mail and self.outside.next_input < slot.due <= horizon:
                self._enter_next(slot)
                horizon = self._horizon(slot, limit)
            # Nobody may run past the end, and whether this run lies past it is only known now.
            if horizon < slot.due or self._ends_before(slot.due):
                continue
            granted.append(self._grant(slot, horizon))
            # Its bound has risen, on which the bounds of others that mail wakes may hang.
            if slot.by_mail:
                self._catch_up()
        return granted

    def _floor_of_late(self) -> int:
        """Return a stamp that everyone has reached; the true one whenever something hangs on it."""
        # Bounds never fall, so an old floor is one still: only too low, which holds nobody up
        # before others are MOST_AHEAD of it.
        idle = not (self._held or self._late or self._by_mail)
        if idle and (self.state.reached < self._recheck or self._floor_holds()):
            self._judge()
            return self._floor
        return self._catch_up()

    def _floor_holds(self) -> bool:
        """Whether nobody can have passed the floor, and no summary is due at it."""
        slowest = self._slowest
        return slowest is not None and slowest.next == self._floor < self.outside.next_summary

    def _catch_up(self) -> int:
        """Commit, register, report and judge as far as everyone has come; give that stamp."""
        # Each of these may let another go on (a registration delivers mail, mail wakes an app,
        # its bound releases a post), so they repeat until none moves.
        moving = True
        while moving:
            moving = self._bound_mail_driven()
            moving = self._release_ready() or moving
            self._judge()
            self._slowest = min(self.state.slots, key=NEXT_OF, default=None)
            floor = NEVER if self._slowest is None else self._slowest.next
            moving = self._settle_late(floor) or moving
            known = floor if floor < NEVER else self.state.reached
            moving = self.outside.summarise(min(known, self._paced)) or moving
        self._judge()
        self._floor = floor
        self._recheck = min(self.outside.next_summary, floor + MOST_AHEAD // 2)
        return floor

    def _judge(self, closed: int | None = None) -> None:
        """Look whether the run ends, as far as everyone has come who may say so.

        Args:
            closed: observers can post no more at the instants before this stamp's.
        """
        if self.state.ending.queue:
            closed = stamp(self.outside.closed + 1, 0) if closed is None else closed
            before = min((ender.next for ender in self._reach.enders), default=closed)
            before = min(before, closed)
            if self._summaries_end:
                before = min(before, self.outside.next_summary)
            self.state.judge(min(before, self.outside.next_input))

    def _horizon(self, slot: Slot, limit: int) -> int:
        """Return the stamp up to which nothing can reach a slot any more."""
        horizon, blocker = min(limit, slot.due + WINDOW), None
        for sender in slot.senders:  # loops, not min(): it happens at every grant
            if sender.next < horizon:
                horizon, blocker = sender.next, sender
        # Whoever held it back is looked at first next time: most often it still does.
        slot.blocker = blocker if horizon < slot.due else None
        for sender in slot.status_senders:
            if sender.next < horizon:
                horizon = min(horizon, sender.next_status)
        if slot.reads_summaries or self._summaries_end:
            horizon = min(horizon, self.outside.next_summary)
        return horizon

    def _ends_before(self, place: int) -> bool:
        """Whether a run that is about to be granted lies after the end of all."""
        self.outside.enter_before(place)
        self._judge(stamp(instant_of(place) + 1, 0))
        return self.state.end < place

    def _enter_next(self, slot: Slot) -> None:
        """Enter the next post from outside, which may make a slot due that nothing else can."""
        slot.next = slot.due
        self.outside.enter_before(self.outside.next_input + 1)
        self._settle(slot)

    def _grant(self, slot: Slot, horizon: int) -> Grant:
        horizon = min(horizon, self.state.end, max(slot.due, self._next_from_outside(slot)))
        # The mail of the next run may be caused by this one, and what a start registers decides
        # whom it receives from: both need their answer first. An app that may come back does so
        # where it failed, so of that it must be known how far it has got.
        one = slot.by_mail or not slot.started or self.state.plan.restarts > 0
        ticks = slot.grant(horizon, 1 if one else MOST_TICKS)
        self.state.reached = max(self.state.reached, slot.pending[-1].stamp)
        slot.settle()
        return Grant(slot, ticks)

    def _next_from_outside(self, slot: Slot) -> int:
        """Return the stamp of the next post from outside that a slot's grant may not reach past."""
        held = (v.held[0][0] for v in self._held.values() if v.sole == slot.rank)
        return min(self.outside.next_input, min(held, default=NEVER))

    def _release_ready(self) -> bool:
        """Commit what no writer can come before any more; give whether anything was."""
        released = False
        for key, variable in list(self._held.items()):
            held, writers = variable.held, self._writers[key]
            while held and not writers.can_come(held[0][0]):
                self._commit(self.state.databases[key[0]], variable, heappop(held))
                released = True
            if not held:
                del self._held[key]
        return released

    def _settle_late(self, floor: int) -> bool:
        """Make the registrations whose stamp everyone has reached; give whether any was made."""
        ready = [late for late in self._late if late.stamp <= floor]
        if not ready:
            return False
        self._late = [late for late in self._late if late.stamp > floor]
        # In the order of one-at-a-time, with the summaries that lie between them in their place.
        ready.sort(key=lambda late: (late.stamp, late.slot.rank))
        for place, slot, registration in ready:
            self.outside.summarise(place)
            slot.register(registration, place)
        for slot in {late.slot.rank: late.slot for late in ready}.values():
            if not any(late.slot is slot for late in self._late):
                slot.waits = False
                self._reach.update(slot)
        return True

    def _find_writers(self, community: str, variable: Variable) -> None:
        writers = self._reach.writers(community, variable.name)
        self._writers[community, variable.name] = writers
        variable.sole = writers.sole

    def _bound_mail_driven(self) -> bool:
        """Return apps that mail may wake the earliest stamp at which it could.

        Mail can come of a run that is still to be answered, a post that is held, a registration
        that is late, or from outside, and wakes nobody sooner than a hop after it.

        Returns: whether something from outside was entered, so that others may move, too.
        """
        if not self._by_mail:
            return False
        self._settle_by_mail()
        known = [s.pending[0].stamp if s.pending else s.due for s in self.state.slots]
        known += [variable.held[0][0] for variable in self._held.values()]
        known += [late.stamp for late in self._late]
        first = min(known)
        self._raise_mail_driven(min(first, self.outside.next_input, self.outside.next_summary))
        self._judge()
        upcoming = self.outside.next_input
        entered = upcoming < first and upcoming <= min(self.state.end, self._paced)
        entered = entered and any(slot.by_mail for slot in self._by_mail)
        if entered:
            self._judge(self.outside.next_input)
            entered = self.outside.next_input <= self.state.end
        if entered:
            self.outside.enter_before(self.outside.next_input + 1)
            self._settle_by_mail()
        self._bound_by_their_senders()
        return entered and first < NEVER

    def _raise_mail_driven(self, first: int) -> None:
        """Note that nothing happens before a stamp, so that mail wakes nobody before."""
        bound = stamp(instant_of(first) + HOP, ITERATE)
        for slot in self._by_mail:
            if slot.open and not slot.pending:
                slot.next = max(slot.next, min(slot.due, bound))

    def _bound_by_their_senders(self) -> None:
        """Return each app that mail may wake the earliest stamp at which its senders could."""
        outside, held = min(self.outside.next_input, self.outside.next_summary), self._first_held()
        waiting = []
        for slot in self._by_mail:
            if slot.open and not slot.pending:
                late = stamp(slot.last_run, 0) if slot.waits else NEVER
                waiting.append((slot, min(outside, late, held.get(slot.mailbox, NEVER))))
        bound_by_mail(waiting)

    def _first_held(self) -> dict[Mailbox, int]:
        """Return the stamp of the first post that is made and may still come, by mailbox."""
        first: dict[Mailbox, int] = {}
        for variable in self._held.values():
            place = variable.held[0][0]
            for reader in variable.readers:
                if place < first.get(reader.mailbox, NEVER):
                    first[reader.mailbox] = place
        return first

    def _settle_by_mail(self) -> None:
        for slot in self._by_mail:
            self._settle(slot)

    @staticmethod
    def _settle(slot: Slot) -> None:
        """Bring a slot up to date; what mail may still do to it stays within what was known."""
        known = slot.next
        slot.settle()
        if slot.by_mail and not slot.pending:
            slot.next = min(slot.next, max(known, stamp(slot.last_run + HOP, ITERATE)))
