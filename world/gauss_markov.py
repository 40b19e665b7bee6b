"""First-order Gauss-Markov processes: how a current's speed and directions wander.

``documented`` is the recurrence of the UUV Simulator, which decays to 0, not to its mean, and
whose noise knows no step; ``GaussMarkov`` is the process itself, the same at every step, and
``WanderingCurrent`` a current by two of them.

Source: P. S. Maybeck (1979), Stochastic Models, Estimation and Control 1, section 4.11.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, inf, sqrt

from steerageway.world.chance import generator
from steerageway.world.compass import components
from steerageway.world.errors import InvalidValue

STEP = 1.0  # between the values of a path that are drawn [s]
BLOCK = 256  # of them at once


@dataclass(frozen=True)
class GaussMarkov:
    """dx/dt = -mu (x - mean) + noise, with a standard deviation that it keeps.

    Attributes:
        mean: about which it wanders.
        sigma: its standard deviation, 0 or more.
        mu: one over its time constant [1/s], above zero.
        low, high: where it is clipped.
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
        """Give the value ``dt`` [s] later.

        Args:
            x: the value now.
            normal: a random number of the standard normal distribution.
        """
        kept = exp(-self.mu * dt)
        noise = self.sigma * sqrt(1.0 - kept * kept) * normal
        return min(max(self.mean + kept * (x - self.mean) + noise, self.low), self.high)


@dataclass(frozen=True)
class SamplePath:
    """One path of a process: a pure function of time, its mean at time 0.

    Attributes:
        process: whose.
        seed, name: of the random numbers, the same for all who know them.
    """

    process: GaussMarkov
    seed: int
    name: str
    _drawn: list[float] = field(default_factory=list, compare=False, repr=False)

    def at(self, t: float) -> float:
        """Give its value at a time [s]: drawn for every full ``STEP``, linear between them."""
        place = max(t, 0.0) / STEP
        i = int(place)
        while len(self._drawn) < i + 2:
            self._draw()
        low, high = self._drawn[i], self._drawn[i + 1]
        return low + (place - i) * (high - low)

    def _draw(self) -> None:
        """Draw the next block: blocks are in order, so a value is the same whoever asks first."""
        drawn = self._drawn
        if not drawn:
            drawn.append(self.process.mean)
        chance = generator(self.seed, f"{self.name} {len(drawn) // BLOCK}")
        for normal in chance.standard_normal(BLOCK).tolist():
            drawn.append(self.process.after(drawn[-1], STEP, normal))


@dataclass(frozen=True)
class WanderingCurrent:
    """A uniform current whose speed [m/s] and direction, where it goes to [deg], wander."""

    speed: SamplePath
    direction: SamplePath

    def at(self, t: float) -> tuple[float, float]:
        """Give the velocity (east, north) [m/s] at a time [s]."""
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
    """Give the UUV Simulator's next value, which starts at the mean and decays to 0.

    Args:
        x: the value now. dt: the step [s].
        uniform: a random number from -0.5 to 0.5.
        mu: one over the time constant [1/s].
        amplitude: of the noise, whatever the step.
        limits: where it is clipped.
    """
    low, high = limits
    return min(max((1.0 - dt * mu) * x + amplitude * uniform, low), high)
