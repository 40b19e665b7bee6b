"""``AppCoordinator``: grants apps in other processes all activations that no mail can precede.

An app may be granted its next activations as long as no app it may get mail from can still post
before them. Who may post what is declared (``App.publishes``), so some apps run ahead of others;
the order of commitment, and so every log, is the same as if they ran one after another.

A variable's posts are committed once every app that may post it has passed their stamp. Apps that
only record (``App.may_lag``) are granted about a simulated second at a time, as each grant costs a
round trip to their process; where time is paced, nobody waits for that longer than the pacer says.

This is conservative parallel discrete-event simulation: ``Slot.next`` is a lower bound on the time
stamps of what an app will still send, ``HOP`` the lookahead of apps that react to mail, and
``_horizon`` the time advance granted. The broker keeps all bounds, so no null messages are sent.

Source: Chandy and Misra (1979), Distributed simulation, IEEE Trans. Software Eng. SE-5; Bryant
(1977), MIT-LCS-TR-188; Fujimoto (2000), Parallel and Distributed Simulation Systems, chapter 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from steerageway.bus.core.cases import Case
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runner import Answer, Kind
from steerageway.bus.core.stamps import LAST, NEVER, instant_of, stamp
from steerageway.bus.database.reports import SUMMARIES
from steerageway.bus.lockstep.case_kernel import CaseKernel
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.held_posts import HeldPosts
from steerageway.bus.lockstep.late_registrations import LateRegistrations
from steerageway.bus.lockstep.mail_driven import MailDriven, settle
from steerageway.bus.lockstep.outside_posts import OutsidePosts
from steerageway.bus.lockstep.reachability import Reachability
from steerageway.bus.lockstep.slot import NEXT_OF, Slot, Tick
from steerageway.declarations.posted import Value

WINDOW = stamp(NANO, 0)  # how far ahead one grant may reach
MOST_AHEAD = 10 * WINDOW  # how far an app may be ahead of the slowest; it limits waiting mail
MOST_TICKS = 64  # activations in one grant


class Grant(NamedTuple):
    """Activations granted to one app."""

    slot: Slot
    ticks: list[Tick]


# Many methods: half are its interface; the others compute bounds that depend on each other.
class AppCoordinator(CaseKernel):
    """Grants activations and takes answers in any order."""

    def __init__(self, plan: RunPlan, case: Case | None = None) -> None:
        self.state = state = CaseState(plan, case)
        self._reach = Reachability(state.slots, state.directory, state.ending.names)
        self._held = HeldPosts(state, self._reach)
        self.outside = OutsidePosts(state, self._held.commit, self._between)
        self._late = LateRegistrations(self.outside, self._reach)
        self._mail_driven = MailDriven(state.slots, self.outside, self._held)
        self._summaries_end = any(name in SUMMARIES for name in self.state.ending.names)
        self._paced = self._recorded = NEVER
        self._floor = self._recheck = -1
        self._slowest: Slot | None = None
        for slot in self.state.slots:
            self._reach.assume_all(slot)

    def grants(
        self, allowed: int | None, *, eager: bool, recorded: int | None = None
    ) -> list[Grant]:
        """Grant every activation that may run now.

        Args:
            allowed: the last instant that may run now [ns]; None: any.
            eager: whether recorders are granted what is due at once, or only a second's worth.
            recorded: the last instant up to which recorders are granted less than that, once
                all others have run [ns]; None: any.
        """
        self._paced = NEVER if allowed is None else stamp(allowed, LAST)
        self._recorded = NEVER if recorded is None else stamp(recorded, LAST)
        granted = self._round(self._floor_of_late(), eager=eager)
        if granted or any(slot.pending and not slot.may_lag for slot in self.state.slots):
            return granted
        floor = self._catch_up()
        if self._due_besides_recorders() <= min(self.state.end, self._paced):
            self._recorded = NEVER  # one waits for a recorder
        return self._round(floor, eager=True)

    def accept(self, slot: Slot, answers: Sequence[Answer]) -> None:
        """Take the answers to a grant; activations without an answer were given back."""
        starting = bool(slot.pending) and slot.pending[0].kind == Kind.START
        for answer in answers:
            self._take(slot, answer)
        slot.withdraw()
        settle(slot)
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
        """Earliest instant at which an app is due; None when nothing is left to run."""
        due = self._due_besides_recorders()
        if self._recorded == NEVER or due > self.state.end or due >= NEVER:  # none but recorders
            due = min((slot.due for slot in self.state.slots), default=NEVER)
        if self._mail_driven.any_active():
            due = min(due, self.outside.next_input, self.outside.next_summary)
        return None if due > self.state.end or due >= NEVER else instant_of(due)

    def leave(self, slot: Slot, instant: int) -> None:
        """Remove a failed app from the run; its late registrations are still reported."""
        self._late.drop(slot)
        super().leave(slot, instant)

    def restart(self, slot: Slot, instant: int) -> bool:
        """Schedule a failed app's restart; it may receive from every app until it has started."""
        self._reach.assume_all(slot)
        return super().restart(slot, instant)

    def follow(self, old: AppCoordinator) -> None:
        """Continue from the end of an earlier case."""
        self.state.follow(old.state)
        for slot in self.state.slots:
            if slot.started:
                self._reach.update(slot)

    def next_case(self) -> Case | None:
        """Commit all that is left of a case and return the case that follows, if there is one."""
        case = super().next_case()
        if case is not None:
            self.flush()
        return case

    def close(self) -> None:
        """Commit everything before the end: no app will post any more."""
        self.outside.close()
        self.flush()

    def flush(self) -> None:
        """Commit everything that is held."""
        self._held.release_all()
        self._late.apply(NEVER)

    def _due_besides_recorders(self) -> int:
        """Return the stamp of the first activation not granted yet of an app that must not lag."""
        return min((slot.due for slot in self.state.slots if not slot.may_lag), default=NEVER)

    def _between(self, before: int) -> None:
        """Commit what is ready and evaluate the end conditions, between two posts from outside."""
        self._held.release()
        self._judge(before)

    def _take(self, slot: Slot, answer: Answer) -> None:
        """Take the answer to a slot's oldest unanswered activation."""
        run = slot.answered_run()
        posts, registrations, copies = answer
        for registration in registrations:  # in force once every app has passed its stamp
            self._late.add(run.stamp, slot, registration)
        self._held.take_posts(slot, run.stamp, run.instant, posts)
        self._held.take_copies(slot, run.stamp, run.instant, copies)

    def _round(self, floor: int, *, eager: bool) -> list[Grant]:
        """Visit every slot once and grant it what no mail can precede any more."""
        granted = []
        limit = min(self.state.end, self._paced, floor + MOST_AHEAD)
        for slot in self.state.slots:
            if slot.by_mail:
                settle(slot)
            due, blocker = slot.due, slot.blocker
            if blocker is not None and blocker.next < due:
                continue
            # ``waits``: its registration is not in force yet, so its mail is not known.
            if due > limit or slot.pending or slot.waits:
                continue
            # A recorder waits until the others are ahead by its lag: fewer, larger grants.
            if due + slot.lag > self.state.reached and (not eager or due > self._recorded):
                continue
            horizon = self._horizon(slot, limit)
            while slot.by_mail and self.outside.next_input < slot.due <= horizon:
                self._enter_next(slot)
                horizon = self._horizon(slot, limit)
            # No app may run past the end; only now is it known if this activation lies past it.
            if horizon < slot.due or self._ends_before(slot.due):
                continue
            granted.append(self._grant(slot, horizon))
            # Its bound has risen, on which the bounds of other mail-driven apps may depend.
            if slot.by_mail:
                self._catch_up()
        return granted

    def _floor_of_late(self) -> int:
        """Return a stamp every app has reached: the latest such if anything depends on it."""
        # Bounds never fall, so an earlier floor is still one: only too low, and that delays nobody
        # before the others are MOST_AHEAD of it.
        idle = not (self._held.variables or self._late.waiting or self._mail_driven.slots)
        if idle and (self.state.reached < self._recheck or self._floor_holds()):
            self._judge()
            return self._floor
        return self._catch_up()

    def _floor_holds(self) -> bool:
        """Whether no app can have passed the floor, and no summary is due at it."""
        slowest = self._slowest
        return slowest is not None and slowest.next == self._floor < self.outside.next_summary

    def _catch_up(self) -> int:
        """Commit, register, report and judge as far as every app has come; return that stamp."""
        # Each of these may enable another (a registration delivers mail, mail makes an app due, its
        # bound releases a post), so they repeat until nothing changes.
        moving = True
        while moving:
            moving = self._bound_mail_driven()
            moving = self._held.release() or moving
            self._judge()
            self._slowest = min(self.state.slots, key=NEXT_OF, default=None)
            floor = NEVER if self._slowest is None else self._slowest.next
            moving = self._late.apply(floor) or moving
            known = floor if floor < NEVER else self.state.reached
            moving = self.outside.summarise(min(known, self._paced)) or moving
        self._judge()
        self._floor = floor
        self._recheck = min(self.outside.next_summary, floor + MOST_AHEAD // 2)
        return floor

    def _judge(self, closed: int | None = None) -> None:
        """Evaluate the end conditions for instants that all posters of their variables passed.

        Args:
            closed: observers can no longer post at the instants before this stamp's.
        """
        if self.state.ending.queue:
            closed = stamp(self.outside.closed + 1, 0) if closed is None else closed
            before = min((ender.next for ender in self._reach.enders), default=closed)
            before = min(before, closed)
            if self._summaries_end:
                before = min(before, self.outside.next_summary)
            self.state.judge(min(before, self.outside.next_input))

    def _horizon(self, slot: Slot, limit: int) -> int:
        """Return the stamp up to which no mail can reach a slot any more."""
        # A sender's bound itself is included: posts of that stamp are seen at later stamps only.
        horizon, blocker = min(limit, slot.due + WINDOW), None
        for sender in slot.senders:  # loops, not min(): this runs at every grant
            if sender.next < horizon:
                horizon, blocker = sender.next, sender
        # The sender that held it back is checked first next time: most often it still does.
        slot.blocker = blocker if horizon < slot.due else None
        for sender in slot.status_senders:
            if sender.next < horizon:
                horizon = min(horizon, sender.next_status)
        if slot.reads_summaries or self._summaries_end:
            horizon = min(horizon, self.outside.next_summary)
        return horizon

    def _ends_before(self, place: int) -> bool:
        """Whether an activation that is about to be granted lies after the end of the run."""
        self.outside.enter_before(place)
        self._judge(stamp(instant_of(place) + 1, 0))
        return self.state.end < place

    def _enter_next(self, slot: Slot) -> None:
        """Enter the next post from outside; its mail may make a mail-driven slot due earlier."""
        slot.next = slot.due
        self.outside.enter_before(self.outside.next_input + 1)
        settle(slot)

    def _grant(self, slot: Slot, horizon: int) -> Grant:
        # A post from outside limits a grant, one that is known as well as one that is held.
        outside = min(self.outside.next_input, self._held.first_of(slot.rank))
        horizon = min(horizon, self.state.end, max(slot.due, outside))
        # The mail of the next activation may be caused by this one, and what a start registers
        # decides who may send to it: both need this answer first. An app that may be restarted
        # continues from where it failed, so its progress must be known to the activation.
        one = slot.by_mail or not slot.started or self.state.plan.restarts > 0
        ticks = slot.grant(horizon, 1 if one else MOST_TICKS)
        self.state.reached = max(self.state.reached, slot.pending[-1].stamp)
        slot.settle()
        return Grant(slot, ticks)

    def _bound_mail_driven(self) -> bool:
        """Compute the earliest stamp at which mail could make each mail-driven app due.

        Mail can come from an activation that is not answered, a held post, a late registration, or
        from outside; it makes an app due HOP later at the soonest.

        Returns: whether a post from outside was entered, so that other apps may move, too.
        """
        if not self._mail_driven.slots:
            return False
        self._mail_driven.settle()
        known = [s.pending[0].stamp if s.pending else s.due for s in self.state.slots]
        known += [variable.held[0][0] for variable in self._held.variables.values()]
        known += [late.stamp for late in self._late.waiting]
        first = min(known)
        upcoming = self.outside.next_input
        self._mail_driven.raise_bounds(min(first, upcoming, self.outside.next_summary))
        self._judge()
        entered = upcoming < first and upcoming <= min(self.state.end, self._paced)
        entered = entered and self._mail_driven.any_active()
        if entered:
            self._judge(self.outside.next_input)
            entered = self.outside.next_input <= self.state.end
        if entered:
            self.outside.enter_before(self.outside.next_input + 1)
            self._mail_driven.settle()
        self._mail_driven.bound_by_senders()
        return entered and first < NEVER
