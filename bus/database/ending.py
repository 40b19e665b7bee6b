"""End conditions of a run (until, fail-if): evaluated once per instant, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from steerageway.bus.core.cases import CASE_RESET
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import Condition
from steerageway.bus.core.stamps import NEVER, instant_of
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.database.variable import Hook
from steerageway.declarations.posted import Value

CASE = "case"


class End(NamedTuple):
    """Why and when a run, or its present case (``CASE``), ends.

    Attributes:
        instant: the last one [ns].
        reason: "until", "fail_if", ``CASE``, or the reason of a stop.
        text: the condition; of ``CASE`` the value of ``CASE_RESET``.
        community, source: for ``CASE``, where and by whom it was posted.
    """

    instant: int
    reason: str
    text: str
    community: str = ""
    source: str = ""


class _Watch(Hook):
    """Queues the commits of one variable for the ending."""

    __slots__ = ("_community", "_ending")

    def __init__(self, ending: Ending, community: str) -> None:
        self._ending = ending
        self._community = community

    def committed(self, entry: Entry) -> None:
        heappush(self._ending.queue, (*entry[:3], self._community, entry[3]))


class Goal:
    """One condition, and the communities in which it has held.

    Attributes:
        condition: as the user wrote it.
        communities: in which it is evaluated.
        held: those of them in which it has held; never shrinks (the condition is latched).
    """

    def __init__(self, condition: Condition, communities: Sequence[str]) -> None:
        """Begin with none.

        Args:
            condition: may name one community.
            communities: all there are.
        """
        self.condition = condition
        named = condition.community not in ("", "*")
        self.communities = (condition.community,) if named else tuple(communities)
        self.held: set[str] = set()

    def look(self, community: str, value: Callable[[str], Value | None]) -> None:
        """Latch the condition for a community if it is true there.

        Args:
            community: whose variables are used.
            value: returns a variable's value; None: never posted.
        """
        if community in self.communities and self.condition.holds(value):
            self.held.add(community)

    @property
    def reached(self) -> bool:
        """Whether it has held where required."""
        if self.condition.community == "*":
            return len(self.held) == len(self.communities)
        return bool(self.held)


class Ending:
    """Evaluates the end conditions of a run.

    Attributes:
        queue: commits of watched variables, by stamp, that are not evaluated yet.
    """

    def __init__(
        self,
        until: tuple[Condition, ...],
        fail_if: tuple[Condition, ...],
        databases: dict[str, Database],
        *,
        cases: bool = False,
    ) -> None:
        """Watch the conditions' variables; with ``cases`` also ``CASE_RESET``."""
        communities = tuple(databases)
        self._until = [Goal(condition, communities) for condition in until]
        self._fail_if = [Goal(condition, communities) for condition in fail_if]
        self._values: dict[str, dict[str, Value]] = {name: {} for name in communities}
        self.queue: list[tuple[int, int, int, str, Message]] = []
        names = dict.fromkeys(name for c in (*until, *fail_if) for name in c.variables)
        self.names = tuple(names | dict.fromkeys((CASE_RESET,) * cases))
        for community, database in databases.items():
            for name in self.names:
                database.variable(name).hooks += (_Watch(self, community),)

    def evaluate(self, before: int) -> End | None:
        """Evaluate each instant that ended before a stamp; stop at the first end."""
        # All commits of an instant count before any condition is tested: what is true only between
        # two of them never held. Different variables are committed out of order, hence the heap.
        while self.queue and instant_of(self.queue[0][0]) < instant_of(before):
            instant = instant_of(self.queue[0][0])
            touched: dict[str, None] = {}
            asked: Message | None = None
            while self.queue and instant_of(self.queue[0][0]) == instant:
                *_, community, message = heappop(self.queue)
                self._values[community][message.name] = message.value
                touched[community] = None
                if message.name == CASE_RESET:
                    asked = asked or message  # the first request of an instant counts
            end = self._judge(instant, touched)
            if end is None and asked is not None:
                end = End(instant, CASE, str(asked.value), asked.community, asked.source)
            if end is not None:
                return end
        return None

    def evaluate_rest(self) -> End | None:
        """Evaluate everything that is left: nothing more will be committed."""
        return self.evaluate(NEVER)

    def _judge(self, instant: int, touched: dict[str, None]) -> End | None:
        for goal in (*self._fail_if, *self._until):
            for community in touched:
                goal.look(community, self._values[community].get)
        # Failure takes precedence over success at the same instant.
        for goal in self._fail_if:
            if goal.reached:
                return End(instant, "fail_if", goal.condition.text)
        if self._until and all(goal.reached for goal in self._until):
            return End(instant, "until", " and ".join(g.condition.text for g in self._until))
        return None
