"""Behaviors of the heading: keep one, keep the initial one, prefer a side, turn by an angle.

Source: BHV_ConstantHeading, BHV_MaintainHeading, BHV_HeadingBias, BHV_HeadingChange of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from steerageway.declarations import Choice, Number, variables
from steerageway.helm.behaviors.base import Behavior
from steerageway.helm.behaviors.constant import ConstantSpeedSettings
from steerageway.helm.geometry import angle_between, turn
from steerageway.helm.settings import CommonSettings, parameter, posted_in, redefined, same_as
from steerageway.ivp import Function, Peak, Variable, couple, peak

DONE = 1.0  # the turn is complete with this angle left [deg]
AHEAD = 120.0  # maximum offset of the desired course from the heading [deg]


@dataclass
class ConstantHeadingSettings(CommonSettings):
    """The behavior's parameters; ``duration`` is 0 by default, see ``ConstantSpeedSettings``."""

    clipped = ("peakwidth", "basewidth", "summitdelta")

    heading: float = parameter(
        "0", Number(), "desired heading, rounded to the domain's nearest course [deg]"
    )
    peakwidth: float = parameter(
        "10", Number(low=0), "deviation at which the utility has fallen by summitdelta [deg]"
    )
    basewidth: float = parameter(
        "170", Number(low=0), "further deviation over which it falls to 0 [deg]"
    )
    summitdelta: float = parameter(
        "25", Number(low=0, high=100), "drop in utility across peakwidth, 0 to 100"
    )
    complete_thresh: float = parameter(
        "-1",
        Number(low=-1),
        "completes when the heading is within this angle of the desired one [deg]; -1: never",
    )
    heading_mismatch_var: str | None = posted_in(
        "variable in which the deviation from the heading is posted [deg]"
    )
    duration: float = same_as(ConstantSpeedSettings, "duration")


class ConstantHeading(Behavior[ConstantHeadingSettings]):
    """Prefers a course; leaves the speed open."""

    settings_class = ConstantHeadingSettings
    needs = ("course",)

    def configured(self, fields: frozenset[str]) -> None:
        s, variable = self.settings, self.world.domain["course"]
        self._heading = _on_grid(variable, s.heading)
        hill = Peak(self._heading, s.peakwidth, s.basewidth, s.summitdelta)
        self._objective = peak(variable, hill, wrap=True)

    def on_idle(self) -> None:
        if self.settings.heading_mismatch_var:
            self.post(self.settings.heading_mismatch_var, self._off())

    def _off(self) -> float:
        return angle_between(self.world.ownship.heading, self._heading)

    def run(self) -> Function | None:
        self.on_idle()
        if 0 <= self._off() <= self.settings.complete_thresh:
            self.complete()
            return None
        return self._objective


@dataclass
class MaintainHeadingSettings(CommonSettings):
    """The behavior's parameters; ``duration`` is 0 by default, see ``ConstantSpeedSettings``."""

    without_effect: ClassVar[Mapping[str, str]] = {
        **CommonSettings.without_effect,
        "heading": "the vessel's own at the beginning counts",
    }
    peakwidth: float = redefined(ConstantHeadingSettings, "peakwidth", "30")
    basewidth: float = redefined(ConstantHeadingSettings, "basewidth", "150")
    summitdelta: float = redefined(ConstantHeadingSettings, "summitdelta", "80")
    duration: float = same_as(ConstantSpeedSettings, "duration")


class MaintainHeading(Behavior[MaintainHeadingSettings]):
    """Prefers the heading that the vessel had when the behavior began to run."""

    settings_class = MaintainHeadingSettings
    needs = ("course",)

    def configured(self, fields: frozenset[str]) -> None:
        self._objective: Function | None = None

    def on_run_to_idle(self) -> None:
        self._objective = None

    def run(self) -> Function:
        if self._objective is None:
            s = self.settings
            hill = Peak(self.world.ownship.heading, s.peakwidth, s.basewidth, s.summitdelta)
            self._objective = peak(self.world.domain["course"], hill, wrap=True)
        return self._objective


def _on_grid(variable: Variable, heading: float) -> float:
    """Return the domain's course nearest to a heading, around the circle."""
    steps = round((heading - variable.low) / variable.step) if variable.step else 0
    return float(variable.values[steps % variable.points])


@dataclass
class HeadingBiasSettings(CommonSettings):
    """The behavior's parameters."""

    bias: str = parameter("right", Choice("right", "left"), "preferred side: right or left")


class HeadingBias(Behavior[HeadingBiasSettings]):
    """Prefers courses on one side: utility 100 abeam, falling linearly to 0 on the other beam."""

    settings_class = HeadingBiasSettings
    needs = ("course",)

    def run(self) -> Function:
        side = 90.0 if self.settings.bias == "right" else -90.0
        hill = Peak((self.world.ownship.heading + side) % 360, basewidth=180)
        return peak(self.world.domain["course"], hill, wrap=True)


def turn_speed(text: str) -> float | None:
    """Read a speed; None for current."""
    return None if text.lower() == "current" else Number(above=0)(text)


@dataclass
class HeadingChangeSettings(CommonSettings):
    """The behavior's parameters."""

    heading_delta: float = parameter("20", Number(low=1, high=359), "angle to turn by [deg]")
    turn_type: str = parameter(
        "starboard", Choice("port", "starboard"), "side to turn to: port or starboard"
    )
    turn_speed: float | None = parameter(
        "current", turn_speed, "desired speed [m/s], or current: the speed at the start of the turn"
    )


class HeadingChange(Behavior[HeadingChangeSettings]):
    """Prefers the course at an angle from the initial heading, and completes there.

    It turns to the side of ``turn_type``, also by more than half a circle. Peak widths are 20 deg
    and 0.4 m/s, base widths 160 deg and 0.6 m/s, summit deltas 50. Posts `HEADING_GOAL`,
    `CURR_HDG_DELTA` (remaining turn [deg]) and `TURNS` (turns completed).
    """

    publications = variables.published("""
        HEADING_GOAL | number | deg | [0, 360) | on change | final heading of a `BHV_HeadingChange`
        CURR_HDG_DELTA | number | deg | | on change | remaining turn of a `BHV_HeadingChange`
        TURNS | number | | >= 1 | at the end of a HeadingChange | number of turns completed
    """)
    settings_class = HeadingChangeSettings
    needs = ("course", "speed")

    def on_creation(self) -> None:
        self._last: float | None = None  # heading of the last iteration
        self._left = self._goal = self._speed = 0.0
        self._turns = 0

    def on_run_to_idle(self) -> None:
        self._last = None

    def run(self) -> Function | None:
        s, ship, domain = self.settings, self.world.ownship, self.world.domain
        side = 1.0 if s.turn_type == "starboard" else -1.0
        if self._last is None:
            self._left, self._last = s.heading_delta, ship.heading
            self._goal = (ship.heading + side * s.heading_delta) % 360
            self._speed = ship.speed if s.turn_speed is None else s.turn_speed
        # accumulated, as a turn may exceed half a circle
        self._left -= side * turn(self._last, ship.heading)
        self._last = ship.heading
        self.post("HEADING_GOAL", self._goal)
        self.post("CURR_HDG_DELTA", round(self._left, 2))
        if self._left <= DONE:
            self._last = None
            self._turns += 1
            self.post("TURNS", float(self._turns))
            self.complete()
            return None
        desired = ship.heading + side * min(self._left, AHEAD)
        course = peak(domain["course"], Peak(desired % 360, 20, 160, 50), wrap=True)
        return couple(course, peak(domain["speed"], Peak(self._speed, 0.4, 0.6, 50)))
