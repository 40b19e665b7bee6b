"""Mission extent: the greatest distance from the start position of the current mission hash."""

from __future__ import annotations

from math import hypot

from steerageway.bus import Value
from steerageway.moos.values import pairs, trimmed

MIN_STEP = 1.0
MIN_GROWTH = 1.02


class MissionExtent:
    """Tracks the greatest distance from the first position after the mission hash changed."""

    def __init__(self) -> None:
        self._mission = ""
        self._start: tuple[float, float] | None = None
        self._extent = self._posted = 0.0

    def take(self, value: Value, _now: float) -> None:
        """Take a MISSION_HASH (``mhash=...,utc=...``); a new one resets the extent."""
        mission = dict(pairs(str(value))).get("mhash", "")
        if mission != self._mission:
            self._mission, self._start = mission, None
            self._extent = self._posted = 0.0

    def update(self, x: float | None, y: float | None) -> str:
        """Update the extent by a position [m]; return the text to post if it has grown, else ""."""
        if not self._mission or x is None or y is None:
            return ""
        if self._start is None:
            self._start = (x, y)
        self._extent = max(self._extent, hypot(x - self._start[0], y - self._start[1]))
        grown = self._extent > self._posted * MIN_GROWTH
        if not grown or self._extent - self._posted < MIN_STEP:
            return ""
        self._posted = self._extent
        return f"mhash={self._mission},ext={trimmed(self._extent, 1)}"
