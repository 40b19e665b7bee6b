"""``AppClient``: client of an app in free run, which also relays other communities' posts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from steerageway.bus.transport.client import Client
from steerageway.bus.transport.wire import pack


class AppClient(Client):
    """A client that also posts for others."""

    def relay(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Post under the names of apps of other communities.

        Args:
            rows: community, name, value, time, aux, source, community of the source; each.
        Raises:
            BackPressure: see ``flush``; the rows are not sent.
        """
        self.flush()
        self.await_credit()
        self._send_counted(pack("relay", rows), len(rows))
