"""Wall clock and pacing: the only module that reads wall time, and when an instant may run.

Simulated time follows wall time by the triple (wall base, simulated base, warp). It is rebased at
the start, after a pause, at a change of warp, and after a stall: a machine that was too slow
does not catch up by running faster than the warp.
"""

from __future__ import annotations

import os
import time
from math import ceil, inf
from pathlib import Path

from steerageway.bus.core.message import NANO
from steerageway.declarations import Number

WARP = Number(low=1e-6, high=1e6, words={"max": inf})  # simulated seconds a wall second
STEP = 0.02  # wall seconds to whose multiples waits may be prolonged, faster than real time
RECORD_STEP = 0.1  # the same of apps that only record, while nobody watches
STALL = 0.2  # wall seconds behind schedule after which the clock is rebased

wall = time.monotonic  # wall time that never goes back [s]
stopwatch = time.perf_counter  # wall time for measuring short durations [s]


def process_age() -> float:
    """Return the wall time since this process was started [s].

    Without /proc it is the CPU time the process has used, which is less.
    """
    try:
        status = Path("/proc/self/stat").read_text()
    except OSError:
        return time.process_time()
    ticks = int(status.rpartition(")")[2].split()[19])  # field 22, since the machine started
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


def sleep(seconds: float) -> None:
    """Sleep for some wall time."""
    if seconds > 0:
        time.sleep(seconds)


class FreeClock:
    """Simulated time in free run: it follows the wall clock and waits for no app.

    Attributes:
        warp: simulated seconds per wall second.
        origin: UTC [s] of simulated time zero.
    """

    def __init__(self, warp: float, origin: float | None = None) -> None:
        """Start now, or continue from the origin of another process."""
        now = time.time()
        self.warp = warp
        self.origin = now if origin is None else origin
        self._wall_origin = wall() - (now - self.origin)

    def now(self) -> int:
        """Return the present instant [ns]."""
        return int((time.monotonic() - self._wall_origin) * self.warp * NANO)

    def wait(self, instant: int) -> float:
        """Return the wall seconds until an instant; negative when it has passed."""
        return instant / NANO / self.warp - (wall() - self._wall_origin)


class Pacer:
    """Maps simulated time to wall time by a warp that may change.

    Attributes:
        warp: simulated seconds per wall second; ``inf`` does not pace.
    """

    def __init__(self, warp: float) -> None:
        self.warp = warp
        self._wall_base = wall()
        self._base = 0

    def rebase(self, instant: int) -> None:
        """Restart the schedule: this instant is due now."""
        self._wall_base, self._base = wall(), instant

    def set_warp(self, warp: float, instant: int) -> None:
        """Change the warp from now on; an instant has run, and the schedule may be beyond it."""
        allowed = self.allowed()
        self.rebase(instant if allowed is None else max(instant, allowed))
        self.warp = warp

    def allowed(self, step: float = 0.0) -> int | None:
        """Return the last instant that may run now [ns]; None: any.

        Args:
            step: wall seconds to a multiple of which time is rounded down; 0: it is not.
        """
        if self.warp == inf:
            return None
        passed = wall() - self._wall_base
        passed = passed // step * step if step else passed
        return self._base + int(passed * self.warp * NANO)

    def late(self, instant: int) -> float:
        """Return the wall seconds by which an instant is overdue; negative until it may run."""
        if self.warp == inf:
            return 0.0
        return (wall() - self._wall_base) - (instant - self._base) / (self.warp * NANO)

    def wait(self, instant: int, *, stepwise: bool = False) -> float:
        """Return the wall seconds until an instant may run; rebase when it is long overdue.

        Args:
            stepwise: whether faster than real time the wait is prolonged to a multiple of ``STEP``,
                so that several instants run after one sleep. Processors that sleep between two
                instants a few milliseconds apart take longer to wake up, and to fill their caches
                again, than to run them. What ends such a wait early costs no time: all instants
                that are due then run.
        """
        if self.warp == inf:
            return 0.0
        late = self.late(instant)
        # Small delays are made up; after a long one the schedule starts anew.
        if late > STALL:
            self.rebase(instant)
        if late >= 0.0:
            return 0.0
        if not stepwise or self.warp <= 1:
            return -late
        passed = wall() - self._wall_base
        return ceil((passed - late) / STEP) * STEP - passed


class Share:
    """The share of wall time that some work may take: after it, the work rests a multiple of it.

    Attributes:
        rests_until: wall time before which there is to be no more of it.
    """

    def __init__(self) -> None:
        self.rests_until = 0.0

    @property
    def rests(self) -> bool:
        """Whether the work rests now."""
        return wall() < self.rests_until

    def take(self, seconds: float, rest: float) -> None:
        """Note that the work has taken wall seconds; it rests this many times as long."""
        self.rests_until = max(wall(), self.rests_until) + rest * seconds


class RateMeter:
    """Measures the achieved warp between calls of ``measure``."""

    def __init__(self) -> None:
        self._wall = self._began = wall()
        self._instant = 0

    def due(self, interval: float) -> bool:
        """Whether this much wall time has passed since the last call of ``measure``."""
        return wall() - self._wall >= interval

    def measure(self, instant: int) -> float:
        """Return simulated seconds per wall second since the last call."""
        now = wall()
        rate = (instant - self._instant) / NANO / max(now - self._wall, 1e-9)
        self._wall, self._instant = now, instant
        return rate

    @property
    def elapsed(self) -> float:
        """Wall seconds since the meter was made."""
        return wall() - self._began
