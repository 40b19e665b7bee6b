"""``BatchBag``: a client's mailbag in free run, of whole batches."""

from __future__ import annotations

from steerageway.bus.database.mailbag import BATCH, Group, Mailbag, Row
from steerageway.bus.transport.wire import cost, pack


class BatchBag(Mailbag):
    """A mailbag of batches, as free run commits them.

    Attributes:
        rows: the messages of the batch being committed.
    """

    __slots__ = ("_groups", "_packed", "_weight", "_weights", "rows")

    def __init__(self, owner: str) -> None:
        super().__init__(owner)
        self.rows: list[Row] = []
        self._groups: list[Group] = []
        self._weights: list[int] = []
        self._packed = self._weight = 0

    def close_batch(self, source: str, community: str, instant: int, size: int) -> None:
        """End the batch being committed."""
        weight = cost(len(self.rows), size)
        self._groups.append((source, community, instant, self.rows))
        self._weights.append(weight)
        self._weight += weight
        self.rows = []

    def pack(self) -> bytes | None:
        """Pack the oldest mail, if there is any; it stays until ``remove_sent``."""
        groups = self._groups
        if not groups:
            return None
        if self._weight > BATCH:
            groups = groups[: self._first_batch()]
        self._packed = len(groups)
        return pack("mail", groups)

    def remove_sent(self) -> int:
        """Remove the mail packed last, as it was sent; return its number of messages."""
        packed = self._packed
        messages = sum([len(group[3]) for group in self._groups[:packed]])
        self._weight -= sum(self._weights[:packed])
        del self._groups[:packed], self._weights[:packed]
        return messages

    def weight(self) -> int:
        """Return the approximate cost of the waiting mail."""
        return self._weight

    def thin(self) -> int:
        """Keep the last message of each variable; return the number of others."""
        last: dict[str, tuple[int, Group]] = {}
        before = 0
        for weight, group in zip(reversed(self._weights), reversed(self._groups), strict=True):
            source, community, instant, rows = group
            before += len(rows)
            share = max(1, weight // len(rows))
            for row in reversed(rows):
                last.setdefault(row[0], (share, (source, community, instant, [row])))
        self._weights = [weight for weight, _ in reversed(last.values())]
        self._groups = [group for _, group in reversed(last.values())]
        self._weight = sum(self._weights)
        return before - len(last)

    def _first_batch(self) -> int:
        """Return the number of groups for one frame: as many as cost a batch, at least one."""
        total = 0
        for count, weight in enumerate(self._weights):
            total += weight
            if total > BATCH:
                return max(1, count)
        return len(self._weights)
