"""``BHV_PeriodicSurface``: surface periodically, e.g. for a GPS fix.

Source: BHV_PeriodicSurface of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from steerageway.declarations import Choice, Number, variables, word
from steerageway.helm.behaviors.base import NAVIGATION, Behavior
from steerageway.helm.settings import CommonSettings, parameter
from steerageway.ivp import Function, Peak, couple, peak
from steerageway.moos.values import Value, fixed

WAITING, ASCENDING, AT_SURFACE = "waiting", "ascending", "at_surface"
POWERS = {"linear": 1.0, "quadratic": 2.0, "quasi": 1.5, "fullspeed": 0.0}


class Extension(NamedTuple):
    """A variable of which each change delays the ascent by ``interval``, in all by ``most`` [s]."""

    variable: str
    interval: float
    most: float


def extension(text: str) -> Extension:
    """Read VAR,INTERVAL,MAX."""
    fields = [field.strip() for field in text.split(",")]
    if len(fields) != 3:
        raise ValueError("expected VAR,INTERVAL,MAX with seconds")
    read = Number(above=0)
    found = Extension(word(fields[0]), read(fields[1]), read(fields[2]))
    if found.most < found.interval:
        raise ValueError("expected MAX of at least INTERVAL")
    return found


def ascent_speed(text: str) -> float | None:
    """Read a speed; None for current."""
    return None if text.lower() in ("current", "-1") else Number(low=0)(text)


@dataclass
class PeriodicSurfaceSettings(CommonSettings):
    """The behavior's parameters."""

    period: float = parameter("300", Number(above=0), "time from a mark to the next ascent [s]")
    mark_variable: str = parameter("GPS_UPDATE_RECEIVED", word, "variable whose changes are marks")
    acomms_mark_variable: Extension | None = parameter(
        "",
        extension,
        "VAR,INTERVAL,MAX: each change of VAR delays the ascent by INTERVAL, at most by MAX in "
        "all [s]",
    )
    pending_status_var: str = parameter(
        "PENDING_SURFACE",
        word,
        "variable in which the time until the ascent is posted [s]",
        aliases=("pending_status_variable",),
    )
    atsurface_status_var: str = parameter(
        "TIME_AT_SURFACE",
        word,
        "variable in which the time at the surface is posted [s]",
        aliases=("atsurface_status_variable",),
    )
    max_time_at_surface: float = parameter(
        "300", Number(low=0), "maximum time to wait for a mark at the surface [s]"
    )
    ascent_speed: float | None = parameter(
        "-1",
        ascent_speed,
        "speed at the start of the ascent [m/s]; -1 or current: the present speed",
        aliases=("speed_to_surface",),
    )
    ascent_grade: str = parameter(
        "linear",
        Choice(*POWERS),
        "decrease of the speed with the depth: linear, quadratic, quasi (power 1.5), or "
        "fullspeed (constant)",
    )
    zero_speed_depth: float = parameter(
        "0", Number(low=0), "depth above which the vessel is at the surface [m]"
    )


class PeriodicSurface(Behavior[PeriodicSurfaceSettings]):
    """Has no objective for a period after the last mark, then surfaces and stops.

    A mark is a change of ``mark_variable``. The period starts at a mark, after
    ``max_time_at_surface`` at the surface, and in the first iteration. For the ascent it prefers
    depth 0 and a speed that decreases towards the surface.

    Posts `PENDING_SURFACE` (whole seconds, < 0 during the ascent), `TIME_AT_SURFACE`,
    `PERIODIC_ASCEND` true and false, and `PSF_AT_SURFACE_TIMEOUT` if no mark was received at the
    surface.
    """

    publications = (
        variables.number(
            "PENDING_SURFACE",
            "time until a `BHV_PeriodicSurface` surfaces; < 0 during the ascent",
            unit="s",
            when="on change",
            named=lambda _, settings: settings.pending_status_var,
        ),
        variables.number(
            "TIME_AT_SURFACE",
            "time since it reached the surface",
            unit="s",
            range=">= 0",
            when="on change",
            named=lambda _, settings: settings.atsurface_status_var,
        ),
        *variables.published("""
            PERIODIC_ASCEND | text | | `true`, `false` | on change | whether it is ascending
            PSF_AT_SURFACE_TIMEOUT | text | s | | when it happens | time of a timeout at the surface
                without a mark
        """),
    )
    settings_class = PeriodicSurfaceSettings
    needs = ("speed", "depth")

    def on_creation(self) -> None:
        self._mark: float | None = None  # when the period began [s]
        self._last: Value | None = None
        self._last_delay_value: Value | None = None
        self._delay = 0.0
        self._stage = WAITING
        self._start = (0.0, 0.0)  # depth [m] and speed [m/s] at the start of the ascent
        self._surfaced = 0.0

    def on_every_state(self) -> None:
        self._look_for_marks()
        self.post(self.settings.pending_status_var, float(round(self._pending)))

    @property
    def _pending(self) -> float:
        now = self.world.time
        mark = now if self._mark is None else self._mark
        return self.settings.period + self._delay - (now - mark)

    def _look_for_marks(self) -> None:
        s, values = self.settings, self.world.values
        value = values.get(s.mark_variable)
        if value != self._last or self._mark is None:
            self._last = value
            self._wait()
        if s.acomms_mark_variable is None:
            return
        variable, interval, most = s.acomms_mark_variable
        if (value := values.get(variable)) != self._last_delay_value:
            self._last_delay_value = value
            self._delay = min(most, self._delay + interval)

    def _wait(self) -> None:
        """Restart the period."""
        if self._stage == ASCENDING:
            self.post("PERIODIC_ASCEND", "false")
        self._mark, self._delay, self._stage = self.world.time, 0.0, WAITING

    def run(self) -> Function | None:
        s, now, ship = self.settings, self.world.time, self.world.ownship
        if self._pending > 0:
            self.post(s.atsurface_status_var, 0.0)
            return None
        if self._stage == WAITING:
            self._stage = ASCENDING
            self.post("PERIODIC_ASCEND", "true")
            self._start = (ship.depth, ship.speed if s.ascent_speed is None else s.ascent_speed)
        if self._stage == ASCENDING and ship.depth <= s.zero_speed_depth:
            self._stage, self._surfaced = AT_SURFACE, now
            self.post("PERIODIC_ASCEND", "false")
        at_surface = now - self._surfaced if self._stage == AT_SURFACE else 0.0
        self.post(s.atsurface_status_var, float(round(at_surface)))
        if self._stage == AT_SURFACE and at_surface >= s.max_time_at_surface:
            self.post("PSF_AT_SURFACE_TIMEOUT", f"Timestamp={fixed(now, 2)}")
            self._wait()
            return None
        return self._objective(self._speed(ship.depth))

    def _speed(self, depth: float) -> float:
        s, (start, speed) = self.settings, self._start
        if self._stage == AT_SURFACE or start <= s.zero_speed_depth:
            return 0.0
        share = (depth - s.zero_speed_depth) / (start - s.zero_speed_depth)
        return speed * float(min(1.0, share) ** POWERS[s.ascent_grade])

    def _objective(self, speed: float) -> Function:
        domain = self.world.domain
        pace = peak(domain["speed"], Peak(speed, basewidth=0.5 if speed > 0 else 0.0))
        return couple(pace, peak(domain["depth"], Peak(0.0)))

    def listens(self, settings: PeriodicSurfaceSettings) -> Iterable[str]:
        also = settings.acomms_mark_variable
        names = (*NAVIGATION, "NAV_DEPTH", settings.mark_variable)
        return (*names, also.variable) if also else names
