"""Time-varying drifts: build-up in steps, gusts, tide, first-order Gauss-Markov.

A strength is a number that changes with time, in m/s for a drift and in deg/s for a rotation. It is
evaluated at times that never decrease, and may draw random numbers, so evaluate each strength once
per instant.

from random import Random
from steerageway.vessel.drift_sources import Gale, Gusts

gusts = Gusts(Random(1), peak=(0.5, 1.5), gap=60.0, rise=5.0, hold=0.0, fall=5.0, spread=30.0)
Gale(137.0, gusts).at(30.0)  # a Drift
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, floor, inf, radians, sin, sqrt, tau
from random import Random
from typing import Protocol

from steerageway.vessel.drift import Drift
from steerageway.world.tide import M2


class Strength(Protocol):
    """A number that changes with time."""

    def at(self, t: float) -> float:
        """Return the value at a time [s]; times never decrease."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A strength that does not change."""

    value: float

    def at(self, t: float) -> float:
        """Return the value."""
        return self.value


@dataclass(frozen=True, slots=True)
class BuildUp:
    """A strength that builds up in steps, holds, and decays in as many steps.

    Attributes:
        value: reached by the last step.
        start: time of the first step [s].
        steps: number of steps.
        every: time between them [s].
        hold: time between the last step up and the first one down, in addition to ``every`` [s].
        repeat: time from one build-up to the next [s]; infinite: only one.
    Source: the script of the uSimMarineV22 manual, section 7.2.
    """

    value: float
    start: float = 0.0
    steps: int = 5
    every: float = 1.0
    hold: float = 0.0
    repeat: float = inf

    def at(self, t: float) -> float:
        """Return the value after the steps taken so far."""
        elapsed = t - self.start
        if elapsed < 0:
            return 0.0
        elapsed = elapsed if self.repeat == inf else elapsed % self.repeat
        up = self._steps_in(elapsed)
        down = self._steps_in(elapsed - self.steps * self.every - self.hold)
        return self.value * (up - down) / self.steps

    def _steps_in(self, elapsed: float) -> int:
        """Return the number of steps up to a time [s] after the first one."""
        return min(self.steps, max(0, 1 + floor(round(elapsed / self.every, 9))))


@dataclass(frozen=True, slots=True)
class Tide:
    """A sinusoidal strength: ``value * sin(360 deg * t / period + phase)``.

    Attributes:
        value: at full stream.
        period: [s]. phase: at time 0 [deg].
    """

    value: float
    period: float = M2
    phase: float = 0.0

    def at(self, t: float) -> float:
        """Return the tidal stream at a time [s]."""
        return self.value * sin(tau * t / self.period + radians(self.phase))


@dataclass(slots=True)
class GaussMarkov:
    """A first-order Gauss-Markov process.

    Exact at any instants: over dt it is multiplied by ``exp(-dt/tau)``, and noise is added that
    keeps its standard deviation constant. It starts in steady state.

    Attributes:
        sigma: standard deviation. tau: time constant [s].
    Source: Fossen (2021), section 10.3, for ocean currents; discretized exactly.
    """

    random: Random
    sigma: float
    tau: float
    _value: float = field(init=False)
    _then: float = 0.0

    def __post_init__(self) -> None:
        self._value = self.random.gauss(0.0, self.sigma)

    def at(self, t: float) -> float:
        """Return the value at a time [s] not before the last one."""
        kept = exp(-(t - self._then) / self.tau)
        self._then = t
        self._value = kept * self._value + self.random.gauss(0.0, self.sigma * sqrt(1 - kept**2))
        return self._value


@dataclass(slots=True)
class Gusts:
    """Gusts at random times, one after the other, each with random strength and direction.

    Attributes:
        peak: minimum and maximum peak strength, drawn uniformly.
        gap: mean time between two gusts, exponentially distributed [s].
        rise, hold, fall: durations of the phases of a gust [s].
        spread: maximum deviation of a gust's direction to either side, drawn uniformly [deg].
        turned: deviation of the present gust's direction [deg].
    """

    random: Random
    peak: tuple[float, float]
    gap: float
    rise: float
    hold: float
    fall: float
    spread: float = 0.0
    turned: float = 0.0
    _start: float = 0.0
    _peak: float = 0.0

    def __post_init__(self) -> None:
        self._draw(0.0)

    def at(self, t: float) -> float:
        """Return the strength of the present gust; 0 between gusts."""
        lasts = self.rise + self.hold + self.fall
        while t >= self._start + lasts:
            self._draw(self._start + lasts)
        elapsed = t - self._start
        if elapsed < 0:
            return 0.0
        if elapsed < self.rise:
            return self._peak * elapsed / self.rise
        left = lasts - elapsed
        return self._peak * (left / self.fall if left < self.fall else 1.0)

    def _draw(self, after: float) -> None:
        """Draw the gust that follows a time [s]."""
        self._start = after + self.random.expovariate(1.0 / self.gap)
        self._peak = self.random.uniform(*self.peak)
        self.turned = self.random.uniform(-self.spread, self.spread)


class Source(Protocol):
    """A drift that changes with time."""

    def at(self, t: float) -> Drift:
        """Return the drift at a time [s]; times never decrease."""


@dataclass(frozen=True, slots=True)
class Push:
    """A strength towards a compass direction [deg]."""

    direction: float
    strength: Strength

    def at(self, t: float) -> Drift:
        """Return the drift at a time [s]."""
        return Drift.towards(self.direction, self.strength.at(t))


@dataclass(frozen=True, slots=True)
class Gale:
    """Gusts towards a compass direction [deg], each with its own deviation."""

    direction: float
    gusts: Gusts

    def at(self, t: float) -> Drift:
        """Return the drift at a time [s]."""
        magnitude = self.gusts.at(t)
        return Drift.towards(self.direction + self.gusts.turned, magnitude)
