"""Posts of a client that wait to leave together."""

from __future__ import annotations

from steerageway.bus.core.errors import ValueRefused, WireError
from steerageway.bus.core.message import Value
from steerageway.bus.transport.wire import LARGEST_FRAME, LARGEST_VALUE, pack

BATCH = 512  # posts in a frame

Row = tuple[str, Value, float | None, str]
"""Name, value, stamp [s], aux."""


class Outbox:
    """Posts that wait.

    Attributes:
        rows: oldest first; what has been sent is to be deleted from them.
    """

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def discard(self) -> int:
        """Return up what waits; say how many."""
        count = len(self.rows)
        self.rows.clear()
        return count

    def pack(self) -> tuple[bytes, int]:
        """Pack those that wait longest in a frame; give how many those are.

        Raises:
            ValueRefused: a text of a post cannot be sent; that post is left out from now on.
            WireError: a value is too large; so is this one.
        """
        rows = self.rows[:BATCH]
        try:
            frame = pack("post", rows)
        except UnicodeEncodeError as error:
            bad = next(row for row in rows if error.object in row)
            self.rows.remove(bad)
            raise ValueRefused(bad[0], bad[1]) from None
        while len(frame) > LARGEST_FRAME and len(rows) > 1:
            del rows[len(rows) // 2 :]
            frame = pack("post", rows)
        if len(frame) > LARGEST_FRAME:
            name = self.rows.pop(0)[0]
            raise WireError(f"{name}: a value of {len(frame)} bytes; at most {LARGEST_VALUE} go")
        return frame, len(rows)
