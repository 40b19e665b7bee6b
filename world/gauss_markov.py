"""First-order Gauss-Markov processes: how a current's speed and directions wander.

``documented`` is the recurrence of the UUV Simulator, which decays to 0, not to its mean, and
whose noise knows no step; ``GaussMarkov`` is the process itself, the same at every step.

Source: P. S. Maybeck (1979), Stochastic Models, Estimation and Control 1, section 4.11.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, sqrt

from steerageway.world.errors import InvalidValue


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
