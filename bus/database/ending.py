"""When a run ends: conditions over posted values, looked at once per instant, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from steerageway.bus.core.cases import CASE_RESET
from steerageway.bus.core.message import Message, Value
from steerageway.bus.core.plan import Condition
from steerageway.bus.core.stamps import NEVER, instant_of
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.database.variable import Hook

CASE = "case"


class End(NamedTuple):
    """Why and when a run ends, or the present case of it (``CASE``).

    Attributes:
        instant: the last one [ns].
        reason: "until", "fail_if", ``CASE``, or what somebody stopped it for.
        text: the condition; of ``CASE`` the value of ``CASE_RESET``.
        community, source: of ``CASE``, where it was posted and by whom.
    """

    instant: int
    reason: str
    text: str
    community: str = ""
    source: str = ""


class _Watch(Hook):
    """Hands the commits of one variable to the ending."""

    __slots__ = ("_community", "_ending")

    def __init__(self, ending: Ending, community: str) -> None:
        self._ending = ending
        self._community = community

    def committed(self, entry: Entry) -> None:
        heappush(self._ending.queue, (*entry[:3], self._community, entry[3]))


class Goal:
    """One condition and where it has held.

    Attributes:
        condition: as the user wrote it.
        communities: in which it is looked at.
        held: those of them in which it has held.
    """

    def __init__(self, condition: Condition, communities: Sequence[str]) -> None:
        """Begin with nothing held.

        Args:
            condition: which may name one community.
            communities: all there are.
        """
        self.condition = condition
        named = condition.community not in ("", "*")
        self.communities = (condition.community,) if named else tuple(communities)
        self.held: set[str] = set()

    def look(self, community: str, value: Callable[[str], Value | None]) -> None:
        """Latch the condition for a community if it holds there.

        Args:
            community: whose variables are looked at.
            value: gives a variable's value; None: never posted.
        """
        if community in self.communities and self.condition.holds(value):
            self.held.add(community)

    @property
    def reached(self) -> bool:
        """Whether it has held where it must."""
        if self.condition.community == "*":
            return len(self.held) == len(self.communities)
        return bool(self.held)


class Ending:
    """Follows the conditions of a run.

    Attributes:
        queue: commits of watched variables that have not been looked at yet, by stamp.
    """

    def __init__(
        self,
        until: tuple[Condition, ...],
        fail_if: tuple[Condition, ...],
        databases: dict[str, Database],
        *,
        cases: bool = False,
    ) -> None:
        """Watch what the conditions are about; with ``cases`` also ``CASE_RESET``."""
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

    def look(self, before: int) -> End | None:
        """Look at the commits of each instant that ended before a stamp; stop at the first end."""
        while self.queue and instant_of(self.queue[0][0]) < instant_of(before):
            instant = instant_of(self.queue[0][0])
            touched: dict[str, None] = {}
            asked: Message | None = None
            while self.queue and instant_of(self.queue[0][0]) == instant:
                *_, community, message = heappop(self.queue)
                self._values[community][message.name] = message.value
                touched[community] = None
                if message.name == CASE_RESET:
                    asked = asked or message
            end = self._judge(instant, touched)
            if end is None and asked is not None:
                end = End(instant, CASE, str(asked.value), asked.community, asked.source)
            if end is not None:
                return end
        return None

    def look_at_rest(self) -> End | None:
        """Look at everything that is left: nothing more will be committed."""
        return self.look(NEVER)

    def _judge(self, instant: int, touched: dict[str, None]) -> End | None:
        for goal in (*self._fail_if, *self._until):
            for community in touched:
                goal.look(community, self._values[community].get)
        for goal in self._fail_if:
            if goal.reached:
                return End(instant, "fail_if", goal.condition.text)
        if self._until and all(goal.reached for goal in self._until):
            return End(instant, "until", " and ".join(g.condition.text for g in self._until))
        return None
