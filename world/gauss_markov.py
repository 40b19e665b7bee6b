"""First-order Gauss-Markov processes for the speed and direction of currents.

``documented`` is the recurrence of the UUV Simulator, which decays to 0, not to its mean, and
whose noise ignores the step; ``GaussMarkov`` is the exact process for any step, and
``WanderingCurrent`` a current of two of them.

Source: P. S. Maybeck (1979), Stochastic Models, Estimation and Control 1, section 4.11.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, inf, sqrt

from steerageway.geometry.marine import components
from steerageway.world.errors import InvalidValue
from steerageway.world.random_streams import generator

STEP = 1.0  # interval of a path's random values [s]
BLOCK = 256  # values drawn at once


@dataclass(frozen=True)
class GaussMarkov:
    """dx/dt = -mu (x - mean) + noise, with constant standard deviation.

    Attributes:
        mean: mean value.
        sigma: standard deviation, 0 or more.
        mu: inverse of the time constant [1/s], above zero.
        low, high: limits at which it is clipped.
    """

    mean: float
    sigma: float
    mu: float
    low: float = -inf
    high: float = inf

    def __post_init__(self) -> None:
        if not self.low <= self.mean <= self.high:
            limits = f"{self.low:g} to {self.high:g}"
            raise InvalidValue(f"mean {self.mean:g}: expected one within {limits}")
        if not (self.sigma >= 0.0 and self.mu > 0.0):
            given = f"sigma {self.sigma:g}, mu {self.mu:g}"
            raise InvalidValue(f"{given}: expected sigma of 0 or more, mu above zero")

    def after(self, x: float, dt: float, normal: float) -> float:
        """Return the value ``dt`` [s] later.

        Args:
            x: present value.
            normal: random number of the standard normal distribution.
        """
        kept = exp(-self.mu * dt)
        noise = self.sigma * sqrt(1.0 - kept * kept) * normal
        return min(max(self.mean + kept * (x - self.mean) + noise, self.low), self.high)


@dataclass(frozen=True)
class SamplePath:
    """One realisation of a process: a pure function of time, equal to its mean at time 0.

    Attributes:
        process: the process.
        seed, name: identify the random stream.
    """

    process: GaussMarkov
    seed: int
    name: str
    _drawn: list[float] = field(default_factory=list, compare=False, repr=False)

    def at(self, t: float) -> float:
        """Return the value at a time [s]: drawn at multiples of ``STEP``, linear between."""
        place = max(t, 0.0) / STEP
        i = int(place)
        while len(self._drawn) < i + 2:
            self._draw()
        low, high = self._drawn[i], self._drawn[i + 1]
        return low + (place - i) * (high - low)

    def _draw(self) -> None:
        """Draw the next block: in order, so that a value does not depend on the order of calls."""
        drawn = self._drawn
        if not drawn:
            drawn.append(self.process.mean)
        rng = generator(self.seed, f"{self.name} {len(drawn) // BLOCK}")
        for normal in rng.standard_normal(BLOCK).tolist():
            drawn.append(self.process.after(drawn[-1], STEP, normal))


@dataclass(frozen=True)
class WanderingCurrent:
    """A uniform current of fluctuating speed [m/s] and direction it goes to [deg]."""

    speed: SamplePath
    direction: SamplePath

    def at(self, t: float) -> tuple[float, float]:
        """Return the velocity (east, north) [m/s] at a time [s]."""
        return components(self.direction.at(t), self.speed.at(t))


def documented(
    x: float,
    dt: float,
    uniform: float,
    *,
    mu: float,
    amplitude: float,
    limits: tuple[float, float],
) -> float:
    """Return the next value in the UUV Simulator, which starts at the mean and decays to 0.

    Args:
        x: present value. dt: step [s].
        uniform: random number from -0.5 to 0.5.
        mu: inverse of the time constant [1/s].
        amplitude: of the noise, independent of the step.
        limits: limits at which it is clipped.
    """
    low, high = limits
    return min(max((1.0 - dt * mu) * x + amplitude * uniform, low), high)
