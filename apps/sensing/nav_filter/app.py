"""``uNavFilter``: an error-state Kalman filter of a vessel's sensor measurements.

It posts the estimated state under the names under which the simulator posts the true one, so that
helm and PID can run on estimates, and the standard deviations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import degrees, hypot

from steerageway.apps.framework.datum import read_datum
from steerageway.apps.sensing.nav_filter.options import FilterOptions
from steerageway.apps.sensing.nav_filter.variables import PUBLICATIONS
from steerageway.bus import NANO, App, Message
from steerageway.moos.values import fixed
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.marine import bearing, heading_of
from steerageway.vessel.navigation import Innovation, NavigationFilter, Solution, read_instruments

SENSORS, RECORD = "SENSORS", "_DATA"
WAITING = "waiting for SENSORS, which uSensors posts"
TIMEOUT = 15.0  # without an estimate, before a run warning [s]
ESTIMATES = (
    *("X", "Y", "Z", "DEPTH", "LAT", "LONG", "HEADING", "YAW", "PITCH", "ROLL"),
    *("SPEED", "SPEED_OVER_GROUND", "HEADING_OVER_GROUND"),
    *("X_STD", "Y_STD", "DEPTH_STD", "HEADING_STD", "PITCH_STD", "ROLL_STD", "SPEED_STD"),
    "SOLUTION",
)
INNOVATIONS = ("NIS_", "INNOVATION_")
"""Prefixes of the variables about single measurements (``post_innovations``)."""


class NavFilter(App):
    """Fuses IMU, GPS, DVL, compass and other sensors into NAV_* and NAV_*_STD."""

    last_wins = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = (
        *(f"NAV_{name}" for name in ESTIMATES),
        *(f"NAV_{name}*" for name in INNOVATIONS),
    )
    subscribes = (SENSORS, f"*{RECORD}")
    parameters = FilterOptions.parameters()

    def configure(self) -> None:
        """Read the configuration block."""
        options = FilterOptions.read(self.config)
        self._tuning = options.tuning
        self._prefix = f"{options.prefix.removesuffix('_')}_"
        self._datum = read_datum(self.setting.globals)
        self._filter: NavigationFilter | None = None
        self._warning = ""
        self.publishes = tuple(f"{self._prefix}{name}" for name in ESTIMATES)
        if self._tuning.keeps_innovations:
            self.publishes += tuple(f"{self._prefix}{name}*" for name in INNOVATIONS)

    def on_start(self) -> None:
        """Register for the list of sensors."""
        self.register(SENSORS)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process measurements, in order of their time."""
        for message in mail:
            if message.name == SENSORS:
                self._make_filter(str(message.value))
            elif self._filter is not None:
                self._take_measurement(self._filter, message)
        if self._filter is not None:
            restarts = self._filter.restarts
            self._filter.work()
            if self._filter.restarts > restarts:
                self.run_warning("the sensors say again and again that it is elsewhere: anew")

    def _make_filter(self, text: str) -> None:
        """Make a filter of the listed sensors, and subscribe to their records."""
        try:
            self._filter = NavigationFilter(read_instruments(text), self._tuning)
        except InvalidValue as error:
            self.run_warning(str(error))
            return
        self.register(*(f"{name}{RECORD}" for name in self._filter.listens_to))

    def _take_measurement(self, navigation: NavigationFilter, message: Message) -> None:
        try:
            navigation.take(message.name.removesuffix(RECORD), json.loads(str(message.value)))
        except (KeyError, TypeError, ValueError) as error:
            self.run_warning(f"{message.name}: expected a sensor's record: {error!r}")

    def iterate(self) -> None:
        """Post the estimate at this instant, and the innovations."""
        self._post_innovations()
        newest = None if self._filter is None else self._filter.solution()
        self._warn_missing(initialized=newest is not None)
        if newest is None:
            return
        solution = newest.at(self.instant)
        for name, value in _numbers(solution).items():
            self.post(f"{self._prefix}{name}", value)
        if self._datum is not None:
            north, east, _ = solution.position.tolist()
            lat, lon = self._datum.to_latlon(east, north)
            self.post(f"{self._prefix}LAT", lat)
            self.post(f"{self._prefix}LONG", lon)
        self.post(f"{self._prefix}SOLUTION", _record(newest), time=newest.time / NANO)

    def _post_innovations(self) -> None:
        """Post the innovations since the last tick, each with the time of its measurement."""
        if self._filter is None or not self._filter.innovations:
            return
        for one in self._filter.innovations:
            time = one.time / NANO
            self.post(f"{self._prefix}NIS_{one.name}", one.nis, time=time)
            self.post(f"{self._prefix}INNOVATION_{one.name}", _innovation(one), time=time)
        self._filter.innovations.clear()

    def _warn_missing(self, *, initialized: bool) -> None:
        """Warn once if there is no estimate after ``TIMEOUT``; retract it when there is one."""
        if initialized and self._warning:
            self.retract_run_warning(self._warning)
            self._warning = ""
        elif not initialized and not self._warning and self.time > TIMEOUT:
            lacks = WAITING if self._filter is None else f"waiting for {self._filter.lacks()}"
            self._warning = f"no estimate after {TIMEOUT:g} s: {lacks}"
            self.run_warning(self._warning)

    def report(self) -> Iterable[str]:
        """Return the sensors used, rejected measurements, and standard deviations."""
        if self._filter is None:
            yield WAITING
            return
        yield f"listening to {', '.join(self._filter.listens_to) or 'nothing'}"
        lacks = self._filter.lacks()
        if lacks:
            yield f"waiting for {lacks}"
        refused = ", ".join(f"{count} of {name}" for name, count in self._filter.refused.items())
        yield f"refused {refused}; {self._filter.late} came too late"
        yield f"began anew {self._filter.restarts} times"
        solution = self._filter.solution()
        if solution is not None:
            north, east, down = (fixed(std, 2) for std in solution.position_std.tolist())
            yield f"standard deviations: east {east}, north {north}, down {down} m"


def _numbers(solution: Solution) -> dict[str, float]:
    """Return the estimates in units and axes of the bus, by name."""
    north, east, down = solution.position.tolist()
    v_north, v_east, _ = solution.velocity.tolist()
    roll, pitch, yaw = solution.attitude.tolist()
    std_north, std_east, std_down = solution.position_std.tolist()
    std_roll, std_pitch, std_yaw = solution.attitude_std.tolist()
    return {
        "X": east,
        "Y": north,
        "Z": -down,
        "DEPTH": down,
        "HEADING": heading_of(yaw),
        "YAW": -yaw,
        "PITCH": pitch,
        "ROLL": roll,
        "SPEED": solution.speed,
        "SPEED_OVER_GROUND": hypot(v_north, v_east),
        "HEADING_OVER_GROUND": bearing(v_east, v_north),
        "X_STD": std_east,
        "Y_STD": std_north,
        "DEPTH_STD": std_down,
        "HEADING_STD": degrees(std_yaw),
        "PITCH_STD": std_pitch,
        "ROLL_STD": std_roll,
        "SPEED_STD": solution.speed_std,
    }


def _innovation(one: Innovation) -> str:
    """Return an innovation as a JSON object; see docs/navigation.md."""
    parts = {
        "time": one.time / NANO,
        "part": one.part,
        "innovation": one.value.tolist(),
        "covariance": one.covariance.ravel().tolist(),
        "nis": one.nis,
        "dimension": len(one.value),
        "refused": one.refused,
    }
    return json.dumps(parts, separators=(",", ":"))


def _record(solution: Solution) -> str:
    """Return a solution as a JSON object; see docs/sensors.md."""
    parts = {
        "time": solution.time / NANO,
        "position": solution.position.tolist(),
        "velocity": solution.velocity.tolist(),
        "attitude": solution.attitude.tolist(),
        "current": solution.current.tolist(),
        "covariance": solution.covariance.ravel().tolist(),
    }
    return json.dumps(parts, separators=(",", ":"))
