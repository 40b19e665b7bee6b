"""``uNavFilter``: an error-state Kalman filter of a vessel's sensor measurements.

It posts the estimated state under the names under which the simulator posts the true one, so that
helm and PID can run on estimates, and the standard deviations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import degrees, hypot, radians

from steerageway.apps.shared.datum import read_datum
from steerageway.bus import NANO, App, Message, Options, declare, variables
from steerageway.declarations import all_finite, json_of
from steerageway.geometry.geodesy import TOO_FAR, Projection
from steerageway.geometry.marine import bearing, heading_of
from steerageway.moos.values import by_key, fixed
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.navigation import (
    Innovation,
    NavigationFilter,
    Solution,
    Tuning,
    read_instruments,
)
from steerageway.vessel.navigation.filter import VAGUE

_START = "expected x=, y=, heading= and, if it is not at the surface, depth=, each a number"

SENSORS, RECORD = "SENSORS", "_DATA"
VAGUE_START = (
    f"the first heading is known to more than {VAGUE:g} rad only: if it is wrong by twice that, "
    "standard deviations are too small for about ten seconds; expected a compass, or a better IMU"
)
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


def _parse_start(text: str) -> tuple[float, float, float, float]:
    """Return a pose: north, east, down [m], heading [rad].

    Raises:
        ValueError: what was expected.
    """
    fields = by_key(text)
    keys = ("x", "y", "heading", "depth")
    known = all(key in keys for key in fields) and {"x", "y", "heading"} <= set(fields)
    numbers = all_finite(fields.get(key, "0") for key in keys)
    if not known or numbers is None:
        raise ValueError(_START)
    x, y, heading, depth = numbers
    return y, x, depth, radians(heading)


@dataclass(frozen=True)
class FilterOptions(Options):
    """Parameters of the configuration block."""

    prefix: str = declare.text("NAV", "prefix of the posted variables; _ is appended if missing")
    gate: float = declare.number(
        5, "innovation gate [standard deviations]; 0: no measurement is rejected", low=0
    )
    start_pos: tuple[float, float, float, float] | None = declare.value(
        "", _parse_start, "x=0,y=0,heading=0,depth=0: initial pose, if no sensor measures it"
    )
    start_std: float = declare.number(
        1, "standard deviation of start_pos' position", unit="m", above=0
    )
    start_heading_std: float = declare.number(
        5, "standard deviation of start_pos' heading", unit="deg", above=0
    )
    speed_std: float = declare.number(
        2, "standard deviation of the initial speed", unit="m/s", above=0
    )
    acceleration_std: float = declare.number(
        0.1,
        "without an IMU: random walk of the velocity",
        unit="m/s per square root of a second",
        above=0,
    )
    turn_std: float = declare.number(
        3,
        "without IMU and gyro: random walk of the heading",
        unit="deg per square root of a second",
        above=0,
    )
    current_std: float = declare.number(
        0.5, "standard deviation of the current", unit="m/s", above=0
    )
    current_time: float = declare.number(3600, "correlation time of the current", unit="s", above=0)
    gravity: float = declare.number(9.81, "acceleration of gravity", unit="m/s^2", above=0)
    post_innovations: bool = declare.flag(
        False, "true: post NAV_NIS_<sensor>, NAV_INNOVATION_<sensor> of each measurement"
    )

    @property
    def tuning(self) -> Tuning:
        """The filter's tuning."""
        return Tuning(
            gate=self.gate,
            acceleration=self.acceleration_std,
            turning=radians(self.turn_std),
            speed=self.speed_std,
            current=self.current_std,
            current_time=self.current_time,
            gravity=self.gravity,
            start=self.start_pos,
            start_std=(self.start_std, radians(self.start_heading_std)),
            keeps_innovations=self.post_innovations,
        )


class NavFilter(App):
    """Fuses IMU, GPS, DVL, compass and other sensors into NAV_* and NAV_*_STD."""

    last_wins = True
    publications = variables.published("""
        NAV_ROLL | number | rad, to starboard | [-3.1416, 3.1416] | | roll
        NAV_X_STD | number | m | >= 0 | | standard deviation of `NAV_X`
        NAV_Y_STD | number | m | >= 0 | | standard deviation of `NAV_Y`
        NAV_DEPTH_STD | number | m | >= 0 | | standard deviation of `NAV_DEPTH`
        NAV_HEADING_STD | number | deg | >= 0 | | standard deviation of `NAV_HEADING`
        NAV_PITCH_STD | number | rad | >= 0 | | standard deviation of `NAV_PITCH`
        NAV_ROLL_STD | number | rad | >= 0 | | standard deviation of `NAV_ROLL`
        NAV_SPEED_STD | number | m/s | >= 0 | | standard deviation of `NAV_SPEED`
        NAV_SOLUTION | text | m, rad, NED | | | the newest estimate, complete with covariance, as
            JSON
        NAV_NIS_* | number | | >= 0 | a measurement | with `post_innovations`: normalised innovation
            squared, one variable for each sensor
        NAV_INNOVATION_* | text | as the sensor's | | a measurement | the same with innovation,
            covariance, dimension, as JSON
    """)
    publishes: Sequence[str] = (
        *(f"NAV_{name}" for name in ESTIMATES),
        *(f"NAV_{name}*" for name in INNOVATIONS),
    )
    subscribes = (SENSORS, f"*{RECORD}")
    parameters = FilterOptions.parameters()

    def configure(self) -> None:
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
            restarts, vague = self._filter.restarts, self._filter.vague_starts
            self._filter.work()
            if self._filter.vague_starts > vague:
                self.run_warning(VAGUE_START)
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
            navigation.take(message.name.removesuffix(RECORD), json_of(str(message.value)))
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
        for name, value in _estimates(solution).items():
            self.post(f"{self._prefix}{name}", value)
        if self._datum is not None:
            north, east, _ = solution.position.tolist()
            self._post_global(self._datum, east, north)
        self.post(f"{self._prefix}SOLUTION", _record(newest), time=newest.time / NANO)

    def _post_global(self, datum: Projection, east: float, north: float) -> None:
        try:
            lat, lon = datum.to_latlon(east, north)
        except ValueError:
            self.run_warning(TOO_FAR)
            return
        self.post(f"{self._prefix}LAT", lat)
        self.post(f"{self._prefix}LONG", lon)

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


def _estimates(solution: Solution) -> dict[str, float]:
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
    """Return an innovation as a JSON object; see docs/sensors.md."""
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
