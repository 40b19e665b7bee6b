"""``Session``: what observers may do to a run: post, pause, step, warp, reset its case, stop.

Shared by all placements; each provides a kernel.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from io import TextIOWrapper
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from steerageway.bus.core.cases import Case, Order
from steerageway.bus.core.clock import RECORD_STEP, WARP, Pacer, Share, wall
from steerageway.bus.core.errors import ControlError
from steerageway.bus.core.inputs import INPUTS_FILE, dump_input, dump_order
from steerageway.bus.core.message import NANO, nanoseconds
from steerageway.bus.core.plan import Input, Poke, RunPlan
from steerageway.bus.core.stamps import INPUT, instant_of, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.ending import CASE, End
from steerageway.bus.lockstep.appcast_requests import MOST_ASKED, AppcastRequests

if TYPE_CHECKING:
    from steerageway.bus.lockstep.case_kernel import CaseKernel
    from steerageway.bus.lockstep.community_coordinator import CommunityCoordinator

    Controlled: TypeAlias = CaseKernel | CommunityCoordinator
MOST_STEPS = 10**9  # instants
LATEST = 1e9  # s
LARGEST_SEED = 2**63
REST = 4  # durations of a reset or clear for which others wait while time runs
_SHOWN = 100  # characters of an observer's request that an error quotes

_TAKEN = {
    "step": "a number of instants, or nothing,",
    "run_until": "a time [s]",
    "warp": 'a number above 0, or "max",',
    "reset": "a seed, or nothing,",
}


class Waiting(NamedTuple):
    """A request that waits for its share of the time: since [wall s], what it is, its action."""

    since: float
    verb: str
    carry_out: Callable[[], None]


# Many methods: one for each verb of observers, all of which change the same hold.
class Session:
    """The control of a run by observers.

    Attributes:
        kernel: the kernel of the present case.
        pacer: the schedule of simulated time.
        apps_at: address at which apps that are started by hand connect; "" if they cannot.
        appcasts: those that observers have requested.
        watched: whether there are observers.
    """

    def __init__(
        self, plan: RunPlan, kernel: Controlled, begin_case: Callable[[Case], None]
    ) -> None:
        self.plan = plan
        self.kernel = kernel
        self.pacer = Pacer(plan.warp)
        self._begin_case = begin_case
        self.apps_at = ""
        self.watched = False
        self._at_rest: deque[Waiting] = deque()
        self._share = Share()  # of the time that runs, for resets and clears
        self.appcasts = AppcastRequests()
        self._hold: int | None = 0 if plan.paused else None
        self._steps = 0
        self._running_to_hold = False  # whether a requested step or run_until is under way
        self._refused: dict[str, str] = {}
        self._cases = 0  # cases requested so far
        self._begun = {0}  # numbers of the cases begun
        self._in_cases = plan.asks_for_cases
        self._orders = deque(plan.orders)  # of an earlier run, still to be replayed
        self._posted = -1  # instant of the last post from outside, in the present case
        self._due = -1  # last instant whose time had come when the first waiting request came
        self._inputs: TextIOWrapper | None = None
        self._unrecorded = False  # whether the file could not be written to
        self._verbs: dict[str, Callable[..., Any]] = {
            "pause": self._pause,
            "resume": self._resume,
            "step": self._step,
            "run_until": self._run_until,
            "warp": self._warp,
            "stop": self._stop,
            "reset": self._reset,
            "clear": self._clear,
            "status": self.status,
        }

    @property
    def databases(self) -> dict[str, Database]:
        """The databases, by community."""
        return self.kernel.state.databases

    @property
    def frontier(self) -> int:
        """Age of the run [ns] at the last instant that was granted; -1: none."""
        return self.kernel.state.offset + self._reached

    @property
    def late(self) -> float:
        """Wall seconds by which time is behind its schedule; 0 while it is held."""
        instant = None if self._hold is not None else self.kernel.next_instant()
        return 0.0 if instant is None else max(0.0, self.pacer.late(instant))

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside at the next instant not granted yet, and record it for a replay."""
        post = self.kernel.poke(poke)
        if post is not None:
            self._posted = post.instant
            case = self.kernel.state.case.number
            post = post._replace(case=case if case or self._in_cases else None)
            self._keep(dump_input(post))
        return post

    def end_case(self, case: Case) -> None:
        """End the present case after what has run; record for a replay which case follows."""
        # Recorded before the case is closed: a replay needs the instant that it had reached.
        self._keep(dump_order(Order(self._reached, self.kernel.state.case.number, case)))
        self._close_case(case)

    def control(self, verb: str, args: tuple[Any, ...]) -> Any:
        """Carry out an observer's request.

        Raises:
            ControlError: unknown verb, or arguments that do not fit.
        """
        if verb in self._refused:
            raise ControlError(f"{verb}: {self._refused[verb]}")
        if verb not in self._verbs:
            raise ControlError(f"{verb[:_SHOWN]}: expected one of {', '.join(self._verbs)}")
        try:
            return self._verbs[verb](*args)
        except TypeError:
            raise ControlError(f"{verb}: expected {_TAKEN.get(verb, 'nothing')} with it") from None
        except (ValueError, ArithmeticError) as error:
            words = " ".join(map(str, args))[:_SHOWN]
            raise ControlError(f"{verb} {words}: {error}") from None

    def refuse(self, verb: str, why: str) -> None:
        """Make a verb unavailable in this run."""
        self._refused[verb] = why

    def appcast(self, community: str, app: str, then: Callable[[str], None]) -> None:
        """Request an app's appcast; ``then`` is called with it once the app has answered."""
        if not any(
            (s.plan.community, s.plan.name) == (community, app) for s in self.kernel.state.slots
        ):
            raise ControlError(f"appcast {app[:_SHOWN]}: no such app in {community}")
        self.appcasts.add((community, app), then)

    def describe(self) -> dict[str, Any]:
        """Return what a client that connects needs to know."""
        return {**self._description, "apps_at": self.apps_at, **self.status()}

    @cached_property
    def _description(self) -> dict[str, Any]:
        """What stays the same: an observer of hundreds of communities connects to each."""
        apps: dict[str, list[str]] = {name: [] for name in self.plan.communities}
        for app in self.plan.apps:
            apps[app.community].append(app.name)
        return {
            "mode": "lockstep",
            "communities": list(self.plan.communities),
            "apps": apps,
            "seed": self.plan.seed,
            "epoch": self.plan.epoch,
            "overrides": self.plan.overrides(),
            "folder": folder_text(self.plan.run_folder),
            "files": dict(self.plan.files),
            "generated": dict(self.plan.generated),
            "pid": os.getpid(),
        }

    def status(self) -> dict[str, Any]:
        """Return the run's state; it is paused when time stands until an observer resumes it."""
        return {
            "time": (self.kernel.state.offset + self._now()) / NANO,
            "warp": "max" if self.pacer.warp == inf else self.pacer.warp,
            "paused": self._hold is not None and not self._running_to_hold,
            "until": self._until(),
            "case": self.kernel.state.case.number,
            "case_time": self._now() / NANO,
        }

    def allowed(self) -> int | None:
        """Return the last instant that may run now [ns]; None: any."""
        limits = [limit for limit in (self.pacer.allowed(), self._limit) if limit is not None]
        return min(limits, default=None)

    @property
    def eager(self) -> bool:
        """Whether recorders are granted what is due at once, as time is to be held."""
        return self._hold is not None or self._is_requested

    def recorded(self) -> int | None:
        """Return the last instant that recorders may run now [ns]; None: they need not wait."""
        rests = self.pacer.warp > 1 and not (self.eager or self.watched)
        return self.pacer.allowed(RECORD_STEP) if rests else None

    def settled(self) -> bool:
        """Do what waited until everything allowed has run: a reset, a clear, the next step.

        Returns: whether more may run now, or waits for the same.
        """
        order = self._order
        if self._is_requested:
            since, _, carry_out = self._at_rest.popleft()
            carry_out()
            self._share.take(wall() - max(since, self._share.rests_until), REST)
        elif order is not None and order.instant == self._limit:
            self._carry_out(self._orders.popleft())
        elif self._steps:
            self._steps -= 1
            instant = self.kernel.next_instant()
            self._hold = self._hold if instant is None else instant
            return instant is not None
        else:
            self._running_to_hold = False
            return False
        return True

    def wait(self, instant: int) -> float:
        """Return the wall seconds until an instant may run."""
        limit = self._limit if self._is_requested or self._orders else self._hold
        if limit is not None and instant > limit:
            return inf
        # Whoever has posted or requested something waits for the very next instant.
        awaited = self._posted > self._reached or bool(self._at_rest)
        return self.pacer.wait(instant, stepwise=not awaited)

    def change_kernel(self, kernel: Controlled) -> None:
        """Continue with the kernel of a new case; a hold at an instant of the run remains."""
        if self._hold is not None:
            self._hold = max(-1, self._hold - (kernel.state.offset - self.kernel.state.offset))
        self._note_if_repeated(kernel)
        self.kernel = kernel
        self._posted = self._due = -1
        self._cases = max(self._cases, kernel.state.case.number)
        self.pacer.rebase(0)

    def _note_if_repeated(self, kernel: Controlled) -> None:
        """Report that posts are replayed in a case that a sweep began again after a reset."""
        number = kernel.state.case.number
        text = f"case {number} began once more: its posts of --inputs entered once more, too"
        again = number in self._begun and text not in kernel.state.complaints
        if again and any(post.case == number for post in self.plan.inputs):
            kernel.state.complaints.append(text)
        self._begun.add(number)

    def close(self) -> None:
        """Close the files; report orders that were not reached before the end of the run."""
        texts = [
            f"the {order.verb} of case {order.case}, at {order.instant / NANO:g} s"
            for order in self._orders
        ]
        counted = Counter(one.verb for one in self._at_rest)
        texts += [f"{count} x {verb}, which observers requested" for verb, count in counted.items()]
        for text in texts:
            self.kernel.state.complaints.append(f"never came, as the run ended before: {text}")
        if self._inputs is not None:
            with suppress(OSError):  # of a line that could not be written, and was reported
                self._inputs.close()

    def _now(self) -> int:
        return max(0, self._reached)

    @property
    def _reached(self) -> int:
        """The last instant of the case that has run [ns]; -1: none."""
        return instant_of(self.kernel.state.reached)

    @property
    def _limit(self) -> int | None:
        """The last instant that may run before a waiting request is carried out; None: no limit."""
        if self._is_requested:
            return max(self._now(), self._posted, self._due)
        order = self._order
        holds = [self._hold, None if order is None else order.instant]
        return min((hold for hold in holds if hold is not None), default=None)

    @property
    def _is_requested(self) -> bool:
        """Whether time is to be held for a reset or clear.

        While time runs, they get a share of it only: after each, others wait a while.
        """
        return bool(self._at_rest) and (self._hold is not None or not self._share.rests)

    @property
    def _order(self) -> Order | None:
        """The next reset or clear of an earlier run, if it concerns the present case."""
        there = self._orders and self._orders[0].case == self.kernel.state.case.number
        return self._orders[0] if there else None

    def _carry_out(self, order: Order) -> None:
        """Repeat a reset or clear of an earlier run."""
        if order.then is None:
            self.kernel.clear()
            return
        posted = [post.instant for post in self.plan.inputs if post.case == order.case]
        # A script may have posted values that no later instant processed; they are entered, too.
        self._close_case(order.then, stamp(max(posted), INPUT) + 1 if posted else 0)
        self._begin_case(order.then)

    def _close_case(self, case: Case, entered: int = 0) -> None:
        text = Case(case.number, case.seed).text()
        self.kernel.close_case(End(self._reached, CASE, text), entered)

    def _keep(self, line: str) -> None:
        """Write a line to ``inputs.jsonl``, if the run has a folder, until that fails once."""
        if self.plan.run_folder is None or self._unrecorded:
            return
        path = self.plan.run_folder / INPUTS_FILE
        try:
            if self._inputs is None:
                self._inputs = path.open("w", encoding="utf-8", buffering=1)
            self._inputs.write(line + "\n")
        except OSError as error:  # e.g. a full disk
            self._unrecorded = True
            text = f"{path}: {error.strerror}; what came from outside since then is not recorded"
            self.kernel.state.complaints.append(text)

    def _until(self) -> float | None:
        """Return the time since the start [s] up to which it was asked to run; None: unlimited."""
        if self._hold is None or self._steps or not self._running_to_hold:
            return None
        return (self.kernel.state.offset + self._hold) / NANO

    def _hold_at(self, instant: int | None, steps: int = 0, *, goes: bool = False) -> None:
        self._hold, self._steps, self._running_to_hold = instant, steps, goes

    def _pause(self) -> None:
        self._hold_at(self._now())

    def _resume(self) -> None:
        if self._hold is not None:  # else the schedule would begin anew, again and again
            self._hold_at(None)
            self.pacer.rebase(self._now())

    def _step(self, count: float = 1) -> None:
        """Run this many instants at which something is due, then hold."""
        if not 1 <= count <= MOST_STEPS or count != int(count):
            raise ValueError(f"expected a whole number of instants, 1 to {MOST_STEPS}")
        self._hold_at(self._now(), int(count), goes=True)
        self.pacer.rebase(self._now())

    def _run_until(self, time: float) -> None:
        """Run up to and including a time [s] since the run began, then hold."""
        if not 0 <= time <= LATEST:
            raise ValueError(f"expected a time [s], 0 to {LATEST:g}")
        instant = nanoseconds(time) - self.kernel.state.offset
        if instant < self._now():
            raise ValueError(f"that lies behind: it is {self.status()['time']:g} s")
        self._hold_at(instant, goes=True)
        self.pacer.rebase(self._now())

    def _warp(self, warp: float | str) -> None:
        self.pacer.set_warp(WARP.check(warp), self._now())

    def _stop(self) -> None:
        self.kernel.stop("stopped")

    def _reset(self, seed: int | None = None) -> int:
        whole = isinstance(seed, int) and not isinstance(seed, bool)
        if seed is not None and not (whole and abs(seed) < LARGEST_SEED):
            raise ValueError("expected a whole number of less than 64 bits, or nothing")
        self._check_waiting()
        self._cases += 1
        case = Case(self._cases, self.kernel.state.seed if seed is None else seed)
        self._ask("reset", lambda: self._restart(case))
        return case.number

    def _restart(self, case: Case) -> None:
        """Begin a case that an observer requested; it runs even if the previous one was held."""
        self._hold_at(None)
        self.end_case(case)
        self._begin_case(case)

    def _clear(self) -> None:
        """Remove all values and types, as DB_CLEAR does; registrations stay."""
        self._check_waiting()
        self._ask("clear", self._clear_values)

    def _check_waiting(self) -> None:
        if len(self._at_rest) >= MOST_ASKED:
            raise ValueError(f"{MOST_ASKED} resets and clears are waiting already")

    def _ask(self, verb: str, carry_out: Callable[[], None]) -> None:
        """Let a request wait until all instants have run whose time has come."""
        if not self._at_rest:
            self._due = -1 if self._hold is not None else self._come()
        self._at_rest.append(Waiting(wall(), verb, carry_out))

    def _come(self) -> int:
        """Return the last instant whose wall time has come [ns]; -1 at full speed."""
        upcoming = self.kernel.next_instant()
        if upcoming is not None:
            self.pacer.wait(upcoming)  # after a stall the schedule begins anew
        allowed = self.allowed()
        return -1 if allowed is None or self.pacer.warp == inf else allowed

    def _clear_values(self) -> None:
        self._keep(dump_order(Order(self._reached, self.kernel.state.case.number)))
        self.kernel.clear()


def folder_text(folder: Path | None) -> str:
    """Return a run's folder as observers are told it; "" when it has none."""
    return "" if folder is None else str(folder.resolve())
