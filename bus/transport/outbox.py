"""``Outbox``: posts of a client that wait to be sent together."""

from __future__ import annotations

from steerageway.bus.core.errors import ValueRefused, WireError
from steerageway.bus.transport.wire import LARGEST_FRAME, LARGEST_VALUE, pack
from steerageway.declarations.posted import Value

BATCH = 512  # posts in a frame

Row = tuple[str, Value, float | None, str]
"""Name, value, stamp [s], aux."""


class Outbox:
    """Waiting posts.

    Attributes:
        rows: oldest first; the caller deletes those it has sent.
    """

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def discard(self) -> int:
        """Drop the waiting posts and return their number."""
        count = len(self.rows)
        self.rows.clear()
        return count

    def pack(self) -> tuple[bytes, int]:
        """Pack the oldest posts into a frame; return it and their number.

        Raises:
            ValueRefused: a text cannot be encoded; its post is dropped.
            WireError: a value is too large; its post is dropped.
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
