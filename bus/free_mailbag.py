"""Mail in free run: batches on their way to a client, as they came."""

from __future__ import annotations

from bus.mailbag import BATCH, Group, Mailbag, Row
from bus.wire import cost, pack


class BatchBag(Mailbag):
    """A mailbag of batches, as free run commits them.

    Attributes:
        rows: the messages of the batch that is being committed.
    """

    __slots__ = ("_batches", "_packed", "_weight", "rows")

    def __init__(self, owner: str) -> None:
        super().__init__(owner)
        self.rows: list[Row] = []
        self._batches: list[tuple[int, Group]] = []
        self._packed = self._weight = 0

    def close_batch(self, source: str, community: str, instant: int, size: int) -> None:
        """End the batch that is being committed."""
        weight = cost(len(self.rows), size)
        self._batches.append((weight, (source, community, instant, self.rows)))
        self._weight += weight
        self.rows = []

    def pack(self) -> tuple[bytes, int] | None:
        """Pack the mail that waits longest; give the number of messages. It goes on waiting."""
        if not self._batches:
            return None
        groups: list[Group] = []
        total = rows = 0
        for weight, group in self._batches:
            total += weight
            if groups and total > BATCH:
                break
            groups.append(group)
            rows += len(group[3])
        self._packed = len(groups)
        return pack("mail", groups), rows

    def went(self) -> None:
        """Take out what was packed last: it was sent."""
        self._weight -= sum([weight for weight, _ in self._batches[: self._packed]])
        del self._batches[: self._packed]

    def weight(self) -> int:
        """Give the cost of the mail that waits, about."""
        return self._weight

    def thin(self) -> int:
        """Keep the last message of each variable; give how many others there were."""
        last: dict[str, tuple[int, Group]] = {}
        before = 0
        for weight, (source, community, instant, rows) in reversed(self._batches):
            before += len(rows)
            share = max(1, weight // len(rows))
            for row in reversed(rows):
                last.setdefault(row[0], (share, (source, community, instant, [row])))
        self._batches = list(reversed(last.values()))
        self._weight = sum(weight for weight, _ in self._batches)
        return before - len(last)
