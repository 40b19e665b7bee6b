"""Taps of a plan: aggregation of committed messages inside the broker."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from steerageway.bus.core.plan import Tap
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.database.variable import Hook


class _TapHook(Hook):
    """Passes the commits of one variable to a tap."""

    __slots__ = ("_tap",)

    def __init__(self, tap: Tap) -> None:
        self._tap = tap

    def committed(self, entry: Entry) -> None:
        self._tap.take(entry[3])


def install_taps(
    make: Callable[[str], Tap] | None, databases: Mapping[str, Database]
) -> dict[str, Tap]:
    """Create each community's tap and connect it to its variables."""
    taps: dict[str, Tap] = {}
    if make is not None:
        for community, database in databases.items():
            tap = taps[community] = make(community)
            for name in tap.names:
                database.variable(name).hooks += (_TapHook(tap),)
    return taps
