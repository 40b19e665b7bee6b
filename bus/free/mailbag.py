"""Mail in free run: batches on their way to a client, as they came."""

from __future__ import annotations

from steerageway.bus.database.mailbag import BATCH, Group, Mailbag, Row
from steerageway.bus.transport.wire import cost, pack


class BatchBag(Mailbag):
    """A mailbag of batches, as free run commits them.

    Attributes:
        rows: the messages of the batch that is being committed.
    """

    __slots__ = ("_groups", "_packed", "_weight", "_weights", "rows")

    def __init__(self, owner: str) -> None:
        super().__init__(owner)
        self.rows: list[Row] = []
        self._groups: list[Group] = []
        self._weights: list[int] = []
        self._packed = self._weight = 0

    def close_batch(self, source: str, community: str, instant: int, size: int) -> None:
        """End the batch that is being committed."""
        weight = cost(len(self.rows), size)
        self._groups.append((source, community, instant, self.rows))
        self._weights.append(weight)
        self._weight += weight
        self.rows = []

    def pack(self) -> bytes | None:
        """Pack the mail that waits longest, if there is any; it goes on waiting."""
        groups = self._groups
        if not groups:
            return None
        if self._weight > BATCH:
            groups = groups[: self._first_batch()]
        self._packed = len(groups)
        return pack("mail", groups)

    def went(self) -> int:
        """Take out what was packed last, as it was sent; give its number of messages."""
        packed = self._packed
        messages = sum([len(group[3]) for group in self._groups[:packed]])
        self._weight -= sum(self._weights[:packed])
        del self._groups[:packed], self._weights[:packed]
        return messages

    def weight(self) -> int:
        """Return the cost of the mail that waits, about."""
        return self._weight

    def thin(self) -> int:
        """Keep the last message of each variable; give how many others there were."""
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
        """Return how many groups make a frame: as many as weigh a batch, at least one."""
        total = 0
        for count, weight in enumerate(self._weights):
            total += weight
            if total > BATCH:
                return max(1, count)
        return len(self._weights)
