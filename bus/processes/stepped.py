"""``Stepped``: a run in this process that a script steps, for scripts and learning."""

from __future__ import annotations

from dataclasses import replace

from steerageway.bus.core.app import Registration
from steerageway.bus.core.cases import Case
from steerageway.bus.core.errors import ControlError, PostRefused
from steerageway.bus.core.message import Message, check_name
from steerageway.bus.core.plan import Failure, Outcome, Poke, RunPlan
from steerageway.bus.core.stamps import NEVER
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Mailbox
from steerageway.bus.lockstep.outcome import exit_reason
from steerageway.bus.processes.one import InProcess
from steerageway.declarations.posted import Value

OWNER = "observer script"


# Many methods: it is what scripts call to step a run.
class Stepped(InProcess):
    """A run that a script steps; its results equal those of ``OneProcess`` to the last byte.

    It is not paced, and has no server. An app that hangs hangs the script.
    """

    def __init__(self, plan: RunPlan) -> None:
        super().__init__(plan)
        self._stop_at = plan.stop_at
        self._now = 0
        self._closed = False
        self._heard: dict[tuple[str, str], float] = {}
        self._mail: dict[str, Mailbox] = {}
        self._kept: list[Message] = []
        self._join()

    @property
    def now(self) -> int:
        """The time of the present case so far [ns]."""
        return self._now

    @property
    def case(self) -> Case:
        """The present case."""
        return self._kernel.state.case

    @property
    def upcoming(self) -> int | None:
        """The next instant, in the next case if the present one has ended; None if none is left."""
        instant = self._kernel.upcoming()
        while instant is None and not self._closed and self._begin_next_case():
            instant = self._kernel.upcoming()
        return None if self._closed else instant

    @property
    def over(self) -> str:
        """Why the run is over; "" before."""
        return exit_reason(self._kernel.state) if self.upcoming is None else ""

    @property
    def failures(self) -> list[Failure]:
        """The apps that failed."""
        return self._kernel.state.failures

    def database(self, community: str) -> Database:
        """Return a community's database."""
        return self._kernel.state.databases[community]

    def step(self) -> bool:
        """Run the next instant with an event; return False when the run is over."""
        instant = self.upcoming
        if instant is None:
            return False
        self._kernel.run_instant(instant)
        self._now = max(self._now, instant)
        return True

    def run_until(self, instant: int) -> bool:
        """Run up to and including an instant of the case; return False if the case ends first."""
        case = self.case
        while (upcoming := self.upcoming) is not None and self.case is case:
            if upcoming > instant:
                self._now = max(self._now, instant)
                return True
            self.step()
        return False

    def post(self, community: str, name: str, value: Value, source: str) -> None:
        """Post at the next instant that is not granted yet, before its activations.

        Raises:
            PostRefused: the variable is of another type, or the run is over.
        """
        check_name(name)
        variable = self.database(community).variables.get(name)
        if variable is not None and variable.kind not in (None, value.__class__):
            raise PostRefused(variable.clash(value))
        poke = Poke(community, name, value, source)
        if self.upcoming is None or self._session.poke(poke) is None:
            raise PostRefused(f"{name}: not posted, the run is over")

    def register(self, community: str, name: str, interval: float) -> None:
        """Subscribe to all later posts of a variable, or of those that a pattern covers.

        Raises:
            RegistrationRefused: the name is no str, or the interval no number >= 0.
        """
        Registration(name, "*", interval).checked()
        self._heard[community, name] = interval
        self._listen(community, name, interval)

    def received(self) -> tuple[list[Message], list[Message]]:
        """Return the mail since the last call: of earlier cases, and of the present one."""
        earlier, self._kept = self._kept, []
        return earlier, self._take()

    def reset(self, case: Case) -> None:
        """End the present case at this instant, and begin another.

        Even if the present one has ended or failed, the new one has all apps and the plan's full
        time.

        Args:
            case: number 0 stands for the next number, seed None for the present case's seed.
        Raises:
            ControlError: an app that outlives cases has failed.
        """
        number = case.number or self.case.number + 1
        seed = self._kernel.state.seed if case.seed is None else case.seed
        self._clear_end()
        following = replace(case, number=number, seed=seed)
        self._session.end_case(following)
        self._begin_case(following)

    def close(self) -> Outcome:
        """Run every app's last activation, and return the outcome."""
        if not self._closed:
            if self.upcoming is not None:
                self._kernel.stop("stopped")
            self._closed = True
            self._kernel.stop_all()
            self._session.close()
        return self._outcome()

    def _clear_end(self) -> None:
        """Clear the end and failures, so that the next case can start."""
        kernel = self._kernel
        for slot in kernel.state.slots:
            if not slot.open and slot.plan.app.observes_case_reset:
                raise ControlError(f"reset: {slot.plan.name}, which outlives cases, has failed")
            # Else the new case would begin with the app closed (``CaseState.follow``).
            slot.open = True
        kernel.state.ended, kernel.state.restarts = None, {}
        if self._stop_at is not None:
            self._plan = replace(self._plan, stop_at=kernel.state.age + self._stop_at)

    def _begin_case(self, case: Case) -> None:
        # The databases, and with them the mailboxes, are replaced by those of the new case.
        self._kept += self._take()
        super()._begin_case(case)
        self._now = 0
        self._join()

    def _take(self) -> list[Message]:
        taken = [entry for mailbox in self._mail.values() for entry in mailbox.take(NEVER)]
        return [entry[3] for entry in sorted(taken)]

    def _join(self) -> None:
        """Join the databases of a case as an observer, which no app notices."""
        self._mail = {name: d.join(OWNER) for name, d in self._kernel.state.databases.items()}
        for (community, name), interval in self._heard.items():
            self._listen(community, name, interval)

    def _listen(self, community: str, name: str, interval: float) -> None:
        wanted = Registration(name, "*", interval)
        self.database(community).register(self._mail[community], wanted, NEVER)
