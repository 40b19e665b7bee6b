"""``CaseState``: state of a case: databases, slots, failures, and how it ends."""

from __future__ import annotations

from collections.abc import Collection

from steerageway.bus.core.cases import Case, read_case
from steerageway.bus.core.directory import Directory
from steerageway.bus.core.message import NANO, Message
from steerageway.bus.core.plan import Failure, RunPlan
from steerageway.bus.core.shares import Copy
from steerageway.bus.core.stamps import AFTER, NEVER, instant_of, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.database.ending import CASE, End, Ending
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.database.taps import install_taps
from steerageway.bus.database.variable import Variable
from steerageway.bus.lockstep.slot import Slot
from steerageway.declarations.posted import Value

GOOD_ENDINGS = ("until", "for", "finished", "stopped")


# Many methods: short ones, for what all kernels and coordinators ask of a case.
class CaseState:
    """One case of a run.

    Attributes:
        plan: of the case; seed: seed of its apps.
        databases: community -> its database.
        directory: which communities listen where.
        slots: the apps' slots; a slot's rank is its index.
        ending: evaluates the end conditions.
        taps: community -> its tap.
        end: nothing is run after this stamp; it never rises.
        ended: why the run ends; None while it goes on.
        reached: stamp of the last activation granted so far.
        over: whether everything before the end has been committed.
        offset: age of the run when the case began [ns]; apps that outlive cases count from there.
        complaints: refused posts that are reported to no app, for the summary.
        failures: apps that failed so far; restarts: slot rank -> number of restarts.
    """

    def __init__(
        self,
        plan: RunPlan,
        case: Case | None = None,
        communities: Collection[str] | None = None,
        *,
        history: bool = True,
        coordinated: bool = False,
        beside: CaseState | None = None,
    ) -> None:
        """Begin a case.

        Args:
            plan: the whole run's.
            case: which; None for the first.
            communities: those whose databases are in this process; None for all.
            history: whether registrations may be made at stamps before the last posts.
            coordinated: whether a coordinator in another process decides when the run ends.
            beside: a state of the same run, whose directory and closed slots are taken: with one of
                their own, the communities of a process would need memory as the square of their
                number.
        """
        self._coordinated = coordinated
        self.plan = plan
        self.case = case or Case(seed=plan.seed)
        self.seed = self.case.seed if self.case.seed is not None else plan.seed
        names = plan.communities if communities is None else communities
        self.databases = {name: Database(name, history=history) for name in names}
        # Apps of other processes have closed slots here, so that ranks are the same everywhere.
        elsewhere = Database("")
        self.directory: Directory = Directory(plan.apps) if beside is None else beside.directory
        self.slots: list[Slot] = [
            beside.slots[rank]
            if beside is not None and app.community not in self.databases
            else Slot(app, rank, self.databases.get(app.community, elsewhere))
            for rank, app in enumerate(plan.apps)
        ]
        for slot in self.slots if plan.restarts else ():
            slot.declare("DB_EVENT")  # posted if it fails: its receivers may not run ahead
        for slot in self.slots:
            if slot.database is elsewhere:
                slot.close()
        cases = plan.asks_for_cases
        self.ending = Ending(plan.until, plan.fail_if, self.databases, cases=cases)
        self.taps = install_taps(plan.tap, self.databases)
        self.end = NEVER if plan.stop_at is None else stamp(plan.stop_at, AFTER)
        self.ended: End | None = None
        self.reached = -1
        self.over = False
        self.offset = 0
        self.failures: list[Failure] = []
        self.complaints: list[str] = []
        self.restarts: dict[int, int] = {}

    @property
    def ends_run(self) -> bool:
        """Whether the run ends, and not only the present case of it."""
        return self.ended is not None and self.ended.reason != CASE

    @property
    def interrupted(self) -> bool:
        """Whether a signal has ended the run."""
        return self.ended is not None and self.ended.reason == "interrupted"

    @property
    def age(self) -> int:
        """Age of the run, over all its cases [ns]."""
        return self.offset + max(0, instant_of(self.reached))

    @property
    def end_instant(self) -> int:
        """The last instant of the run [ns]."""
        if self.ended is not None:
            return self.ended.instant
        if self.plan.stop_at is not None:
            return self.plan.stop_at
        return max(0, instant_of(self.reached))

    def stop(self, reason: str, text: str = "") -> None:
        """End the run after the last instant granted so far, or at its end if it is over.

        An app that fails while a run ends well turns it into a failure, at the same instant.
        """
        if self._coordinated:
            return
        if not self.ends_run:
            instant = self.end_instant if self.over else max(0, instant_of(self.reached))
            self.finish(End(instant, reason, text))
            if self.reached < 0:  # nothing has run, so nothing is left, not even instant 0
                self.end = self.reached
        elif (
            reason == "app_failed" and self.ended is not None and self.ended.reason in GOOD_ENDINGS
        ):
            self.ended = self.ended._replace(reason=reason, text=text)

    def finish(self, end: End) -> None:
        """End the run after an instant."""
        self.ended = end
        self.end = min(self.end, stamp(end.instant, AFTER))

    def judge(self, before: int) -> None:
        """Evaluate the end conditions for the instants that ended before a stamp."""
        if self.ending.queue and self.ended is None:
            end = self.ending.evaluate(before)
            if end is not None:
                self.finish(end)

    def following_case(self) -> Case | None:
        """Return the case that ``CASE_RESET`` requested; a wrong request fails the app."""
        assert self.ended is not None
        try:
            return read_case(*self.ended[2:], self.seed)
        except ValueError as error:
            *_, community, source = self.ended
            self.failures.append(Failure(source, community, self.age / NANO, str(error)))
            self.stop("app_failed", source)
            return None

    def follow(self, old: CaseState) -> None:
        """Continue from the end of an earlier case: counts go on, recorders stay registered."""
        self.offset = old.age
        if old.ended is not None and old.ends_run:
            self.stop(old.ended.reason, old.ended.text)
        self.failures, self.restarts = old.failures, old.restarts
        self.complaints = old.complaints
        for name, database in self.databases.items():
            database.continue_counts(old.databases[name])
        for slot, before in zip(self.slots, old.slots, strict=True):
            slot.answered = before.answered
            if not before.open:
                slot.close()
            elif slot.plan.app.observes_case_reset:
                slot.continue_from(before, self.offset)

    def clear(self) -> None:
        """Remove all values and types; registrations and mail stay."""
        for database in self.databases.values():
            database.clear()

    def shown(self) -> dict[str, dict[str, Value]]:
        """Return the latest values of the plan's ``shown`` variables, by community."""
        return {
            name: {v: value for v in self.plan.shown if (value := d.value(v)) is not None}
            for name, d in self.databases.items()
        }

    def refuse(self, variable: Variable, entry: Entry) -> None:
        """Warn an app that its post has the wrong type; one from outside goes into the summary."""
        if entry[1] >= 0:
            self.slots[entry[1]].warnings.append(variable.complaint(entry))
        else:
            message = entry[3]
            when = f"{message.source}, at {message.instant / NANO:g} s"
            self.complaints.append(f"{variable.clash(message.value)} ({when})")

    def deliveries(self, slot: Slot, instant: int, copy: Copy) -> list[tuple[str, Message]]:
        """Return a copy as messages to the communities that listen; warn its app if none does."""
        address, name, value, time, source, aux, community = copy
        targets = self.directory.communities(address, name, slot.plan.community)
        if targets is None:
            slot.warnings.append(f"{address}: no community of this run listens there")
        message = Message(name, value, time, source, aux, community, instant)
        return [(target, message) for target in targets or ()]
