"""Buoyancy and trim control, requested by the backseat of an underwater vehicle.

Both requests are answered with a report at once, and another when they are complete.
Source: uSimMarine's BUOYANCY_CONTROL and TRIM_CONTROL.
"""

from __future__ import annotations

from math import degrees

from steerageway.moos.values import fixed

SETTLING = 5.0
"""Duration [s] of a buoyancy change, and minimum duration of trimming."""

REPORT_INTERVAL = 5.0

Post = tuple[str, str]


class Handshake:
    """The requests in progress.

    Attributes:
        trim_tolerance: pitch [deg] that is accepted as trimmed.
        max_trim_delay: time after which trimming ends at any pitch [s].
    """

    def __init__(self, trim_tolerance: float, max_trim_delay: float) -> None:
        self.trim_tolerance = trim_tolerance
        self.max_trim_delay = max_trim_delay
        self._buoyancy_since: float | None = None
        self._trim_since: float | None = None
        self._next_trim_report = 0.0
        self._reports: list[Post] = []

    def request_buoyancy(self, now: float) -> None:
        """Start a change of buoyancy."""
        self._buoyancy_since = now
        self._reports.append(_buoyancy(done=False))

    def request_trim(self, now: float) -> None:
        """Start trimming."""
        self._trim_since = now
        self._next_trim_report = now + REPORT_INTERVAL
        text = "status=1,error=0,progressing,trim_pitch=0.0,trim_roll=0.0"
        self._reports.append(("TRIM_REPORT", text))

    def reports(self, now: float, pitch: float) -> list[Post]:
        """Return the reports due now.

        Args:
            pitch: the vessel's [rad].
        """
        if self._buoyancy_since is not None and now - self._buoyancy_since >= SETTLING:
            self._buoyancy_since = None
            self._reports.append(_buoyancy(done=True))
        if self._trim_since is not None:
            self._report_trim(now, now - self._trim_since, degrees(pitch))
        reports, self._reports = self._reports, []
        return reports

    def _report_trim(self, now: float, elapsed: float, pitch: float) -> None:
        trimmed = abs(pitch) <= self.trim_tolerance and elapsed >= SETTLING
        done = trimmed or elapsed >= self.max_trim_delay
        if not done and now < self._next_trim_report:
            return
        self._next_trim_report = now + REPORT_INTERVAL
        status = "status=2,error=0,completed" if done else "status=1,error=0,progressing"
        self._reports.append(("TRIM_REPORT", f"{status},trim_pitch={fixed(pitch)},trim_roll=0.0"))
        if done:
            self._trim_since = None


def _buoyancy(*, done: bool) -> Post:
    status = "status=2,error=0,completed" if done else "status=1,error=0,progressing"
    return "BUOYANCY_REPORT", f"{status},buoyancy=0.0"
