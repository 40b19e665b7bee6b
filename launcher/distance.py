"""Tap that sums the distance a vessel has sailed, from its positions as they are committed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from math import hypot
from typing import Any

from steerageway.bus import AppPlan, Message

NAVIGATION = "NAV_"


def navigation_prefixes(apps: Iterable[AppPlan]) -> dict[str, str]:
    """Return the prefix of each community's navigation: a simulator's, if no app posts ``NAV_X``.

    Communities with neither are left out.
    """
    found: dict[str, str] = {}
    for plan in apps:
        if f"{NAVIGATION}X" in plan.app.publishes:
            found[plan.community] = NAVIGATION
        elif prefix := getattr(plan.app, "navigation_prefix", ""):
            found.setdefault(plan.community, prefix)
    return found


class Distance:
    """Sums the steps between positions; x and y posted at the same instant make a position.

    A jump by a reset of the vessel is included.
    """

    def __init__(self, community: str, prefix: str = NAVIGATION) -> None:
        self.community = community
        self.names: tuple[str, ...] = (f"{prefix}X", f"{prefix}Y")
        self._xs: deque[tuple[int, float]] = deque()
        self._ys: deque[tuple[int, float]] = deque()
        self._last: tuple[float, float] | None = None
        self._total = 0.0

    def take(self, message: Message) -> None:
        """Take one coordinate; x and y may arrive any number of instants apart."""
        value = message.value
        if not isinstance(value, float):
            return
        (self._xs if message.name == self.names[0] else self._ys).append((message.instant, value))
        while self._xs and self._ys:
            self._pair()

    def result(self) -> dict[str, Any]:
        """Return the distance [m]; None if no position was posted."""
        return {"distance": None if self._last is None else self._total}

    def _pair(self) -> None:
        """Consume the oldest position, or the older of two coordinates of different instants."""
        (instant_x, x), (instant_y, y) = self._xs[0], self._ys[0]
        if instant_x <= instant_y:
            self._xs.popleft()
        if instant_y <= instant_x:
            self._ys.popleft()
        if instant_x == instant_y:
            self._move(x, y)

    def _move(self, x: float, y: float) -> None:
        if self._last is not None:
            self._total += hypot(x - self._last[0], y - self._last[1])
        self._last = (x, y)


def distance_of(prefixes: Mapping[str, str], community: str) -> Distance:
    """Return the tap of a community, given the result of ``navigation_prefixes``."""
    return Distance(community, prefixes.get(community, NAVIGATION))
